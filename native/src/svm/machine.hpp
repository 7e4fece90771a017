// The dual problem of one kernel machine: decomposition into working sets (Osuna, Freund and Girosi 1997;
// Joachims 1999), each solved by sequential minimal optimisation inside the cache (Platt 1998; pairs by
// Fan, Chen and Lin 2005), with shrinking (Joachims 1999).
//
// Invariant between blocks: `sums_` holds sum of s a K for every row that is kept up to date, the equality
// constraint holds, and every variable is within its bounds; but for rounding a block never raises the
// objective. Rows put aside catch up with the changes since, before the machine may end. It ends when the
// largest violation of the Karush-Kuhn-Tucker conditions is within `tol`. Blocks, pieces and ties do not
// depend on threads. Cost per block: O(rows * changed rows * columns) of kernel values.
#pragma once

#include <chrono>
#include <cmath>
#include <numeric>

#include "block.hpp"
#include "working_set.hpp"

namespace classica {

// Small machines work on all variables at once: every step then sees the gradient of all. Where the values
// have to be worked out first, that pays only while they fit into the cache: holding those of 3,000 rows took
// four times as long as tiles (docs/decisions/0027).
inline bool fits_one_block(std::ptrdiff_t variables, bool values_are_known) {
  return variables <= (values_are_known ? 4096 : 1024);
}

template <class Level>
class Machine {
 public:
  using Clock = std::chrono::steady_clock;

  // rows: the place of each variable's row among those of the gram, `row_count` of them.
  Machine(const SvmMachine& machine, Places rows, std::ptrdiff_t row_count, Gram& gram, const SvmRules& rules)
      : m_(machine),
        rules_(rules),
        gram_(gram),
        rows_(std::move(rows)),
        row_count_(row_count),
        sums_(room(row_count)),
        scores_(room(machine.count)),
        is_one_block_(fits_one_block(machine.count, gram.is_known())),
        working_(is_one_block_ ? machine.count : block_size),
        deadline_(Clock::now()) {
    has_deadline_ = rules.max_seconds < 1e9;
    if (has_deadline_)
      deadline_ +=
          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(rules.max_seconds));
    activate_all();
  }

  SvmOutcome solve() {
    add_to_sums(coefficients());  // of where it starts
    bool looked_early = false;
    for (;;) {
      poll_interrupt();
      find_violators();
      const bool all_active = static_cast<std::ptrdiff_t>(active_.size()) == m_.count;
      const bool out_of_steps = steps_ >= rules_.max_steps || stuck_ || out_of_time();
      // Rows put aside come back once before the end, so that the last steps see all of them.
      const double goal = all_active || looked_early ? rules_.tol : 10 * rules_.tol;
      if (violation() <= goal || out_of_steps) {
        if (all_active) break;
        looked_early = true;
        bring_back();
        blocks_since_shrinking_ = shrinking_period;
        continue;
      }
      if (is_one_block_) {
        work_on_all();
      } else {
        if (rules_.shrinking) shrink();
        work_on_some();
      }
    }
    return outcome();
  }

 private:
  // 2 MB of kernel values: a block stays in the second cache or near it.
  static constexpr std::ptrdiff_t block_size = 512;
  static constexpr int shrinking_period = 4;  // blocks

  // Rows that are not kept up to date, and the coefficients they know of.
  struct PutAside {
    Places rows;
    std::vector<double> coefficients;
  };

  double violation() const { return highest_ - lowest_; }
  bool can_rise(std::ptrdiff_t v) const {
    return m_.signs[v] > 0 ? m_.alpha[v] < m_.upper[v] : m_.alpha[v] > 0;
  }
  bool can_fall(std::ptrdiff_t v) const {
    return m_.signs[v] > 0 ? m_.alpha[v] > 0 : m_.alpha[v] < m_.upper[v];
  }
  bool out_of_time() const { return has_deadline_ && Clock::now() > deadline_; }

  void activate_all() {
    active_.resize(room(m_.count));
    std::iota(active_.begin(), active_.end(), 0);
    kept_ = all_rows();
  }

  Places all_rows() const {
    Places all(room(row_count_));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  // s a of each row, its variables together.
  std::vector<double> coefficients() const {
    std::vector<double> found(room(row_count_));
    for (std::ptrdiff_t v = 0; v < m_.count; ++v) found[room(rows_[room(v)])] += m_.signs[v] * m_.alpha[v];
    return found;
  }

  // Rows put aside catch up with what has changed since.
  void bring_back() {
    const std::vector<double> now = coefficients();
    for (const PutAside& group : aside_) {
      std::vector<double> changes(now);
      for (std::size_t r = 0; r < changes.size(); ++r) changes[r] -= group.coefficients[r];
      if (gram_.keep(group.rows)) add_to_sums(changes);
    }
    aside_.clear();
    activate_all();
    gram_.keep(kept_);
  }

  // Piece by piece: a call takes a few milliseconds on each thread, and the pieces do not depend on threads.
  void add_to_sums(const std::vector<double>& coefficients) {
    constexpr std::size_t piece = 1024;
    Places chosen;
    std::vector<double> weights;
    for (std::size_t r = 0; r < coefficients.size(); ++r) {
      if (coefficients[r] != 0) {
        chosen.push_back(static_cast<std::int32_t>(r));
        weights.push_back(coefficients[r]);
      }
      if (chosen.size() == piece || (r + 1 == coefficients.size() && !chosen.empty())) {
        gram_.add(chosen, weights, sums_.data());
        chosen.clear();
        weights.clear();
      }
    }
  }

  // Works out scores, their extremes, and who could be worked on.
  void find_violators() {
    highest_ = -std::numeric_limits<double>::infinity();
    lowest_ = std::numeric_limits<double>::infinity();
    for (const std::int32_t v : active_) {
      const double score = -sums_[room(rows_[room(v)])] - m_.signs[v] * m_.linear[v];
      scores_[room(v)] = score;
      if (can_rise(v)) highest_ = std::max(highest_, score);
      if (can_fall(v)) lowest_ = std::min(lowest_, score);
    }
    up_.clear();
    down_.clear();
    for (const std::int32_t v : active_) {
      if (can_rise(v) && scores_[room(v)] > lowest_) up_.push_back(v);
      if (can_fall(v) && scores_[room(v)] < highest_) down_.push_back(v);
    }
  }

  // Those active that a pair could move, now or soon: all but the ones at a bound they are pushed against.
  Places unsettled() const {
    Places found;
    for (const std::int32_t v : active_) {
      const double score = scores_[room(v)];
      const bool rises = can_rise(v) && score > lowest_, falls = can_fall(v) && score < highest_;
      if (rises || falls || (can_rise(v) && can_fall(v))) found.push_back(v);
    }
    return found;
  }

  // Puts settled variables aside: their rows need not be kept up to date.
  void shrink() {
    if (++blocks_since_shrinking_ < shrinking_period) return;
    blocks_since_shrinking_ = 0;
    Places left = unsettled();
    if (static_cast<double>(left.size()) > 0.8 * static_cast<double>(active_.size())) return;
    active_ = std::move(left);
    std::vector<char> is_active(room(m_.count)), needed(room(row_count_));
    for (const std::int32_t v : active_) is_active[room(v)] = needed[room(rows_[room(v)])] = 1;
    working_.filter([&](std::int32_t v) { return is_active[room(v)] != 0; });
    PutAside group{{}, coefficients()};
    std::erase_if(kept_, [&](std::int32_t r) {
      if (!needed[room(r)]) group.rows.push_back(r);
      return !needed[room(r)];
    });
    if (gram_.keep(kept_)) aside_.push_back(std::move(group));
  }

  void work_on_some() {
    working_.choose(up_, down_, scores_);
    const Places& chosen = working_.chosen();
    fill_from_gram(some_, chosen);
    work(some_, chosen, std::max(0.5 * rules_.tol, 0.1 * violation()), 100 * block_size);
  }

  // After some steps on all variables, those that are settled only cost time.
  void work_on_all() {
    if (!all_.is_arranged()) arrange_all();
    const Places left = steps_ > 0 && rules_.shrinking ? unsettled() : active_;
    if (3 * left.size() > 2 * active_.size())
      return work(all_, active_, rules_.tol, rules_.shrinking ? 2 * m_.count : rules_.max_steps);
    some_.copy(all_, left);
    work(some_, left, 0.5 * rules_.tol, rules_.max_steps);
  }

  void arrange_all() {
    const Matrix<const double> held = gram_.held();
    if (held.rows == 0 || m_.count != row_count_) return fill_from_gram(all_, active_);
    Places places(active_.size());
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = gram_.held_place(rows_[k]);
    all_.use(held, std::move(places));
  }

  void fill_from_gram(Block<Level>& block, const Places& chosen) {
    Places chosen_rows(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) chosen_rows[k] = rows_[room(chosen[k])];
    double* const values = block.make_room(static_cast<std::ptrdiff_t>(chosen.size()));
    gram_.square(chosen_rows, block.width(), values);
  }

  // Takes steps on the variables of an arranged block.
  void work(Block<Level>& block, const Places& chosen, double tol, std::int64_t most) {
    block.clear();
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const std::int32_t v = chosen[k];
      block.put(k, m_.signs[v], m_.upper[v], m_.alpha[v], scores_[room(v)]);
    }
    most = std::min(most, rules_.max_steps - steps_);
    std::int64_t taken = 0;
    for (SmoSteps run; !run.finished && taken < most; taken += run.steps) {
      run = SmoBlock<Level>::run(block.problem(), tol, std::min<std::int64_t>(2048, most - taken));
      poll_interrupt();
      if (out_of_time()) break;
    }
    steps_ += taken;
    stuck_ = taken == 0;
    std::vector<double> changes(room(row_count_));
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const std::int32_t v = chosen[k];
      changes[room(rows_[room(v)])] += m_.signs[v] * (block.alpha(k) - m_.alpha[v]);
      m_.alpha[v] = block.alpha(k);
    }
    add_to_sums(changes);
  }

  // b: where the scores of free variables lie, or midway between the bounds the others set.
  double offset() const {
    double sum = 0;
    std::ptrdiff_t count = 0;
    for (std::ptrdiff_t v = 0; v < m_.count; ++v)
      if (can_rise(v) && can_fall(v)) sum += scores_[room(v)], ++count;
    if (count > 0) return sum / static_cast<double>(count);
    if (std::isfinite(highest_) && std::isfinite(lowest_)) return 0.5 * highest_ + 0.5 * lowest_;
    return std::isfinite(highest_) ? highest_ : std::isfinite(lowest_) ? lowest_ : 0.0;
  }

  SvmOutcome outcome() const {
    SvmOutcome out;
    out.offset = offset();
    double linear = 0, missed = 0;
    for (std::ptrdiff_t v = 0; v < m_.count; ++v) {
      const double sum = sums_[room(rows_[room(v)])];
      out.squared_norm += m_.signs[v] * m_.alpha[v] * sum;
      linear += m_.linear[v] * m_.alpha[v];
      m_.slacks[v] = std::max(-m_.signs[v] * (sum + out.offset) - m_.linear[v], 0.0);
      missed += m_.upper[v] * m_.slacks[v];
    }
    out.objective = 0.5 * out.squared_norm + linear;
    out.gap = out.squared_norm + linear + missed;
    out.violation = std::max(violation(), 0.0);
    out.steps = static_cast<double>(steps_);
    out.converged = violation() <= rules_.tol;
    return out;
  }

  SvmMachine m_;
  SvmRules rules_;
  Gram& gram_;
  Places rows_;
  std::ptrdiff_t row_count_;
  std::vector<double> sums_;    // one per row
  std::vector<double> scores_;  // one per variable: how much the first unit of s a upwards gains
  bool is_one_block_;
  WorkingSet working_;
  Clock::time_point deadline_;
  bool has_deadline_ = false, stuck_ = false;
  Places active_, up_, down_;
  Places kept_;  // rows
  std::vector<PutAside> aside_;
  double highest_ = 0, lowest_ = 0;
  std::int64_t steps_ = 0;
  int blocks_since_shrinking_ = 0;
  Block<Level> all_, some_;
};

}  // namespace classica
