// The best split of a node in one column.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "criteria.hpp"
#include "few_cells.hpp"
#include "level_counts.hpp"
#include "node_rows.hpp"
#include "scans.hpp"
#include "split.hpp"
#include "subsets.hpp"
#include "weight_scan.hpp"

namespace classica {

// What a node is to its search: its rows, and what they add up to.
template <class Rows>
struct NodeTotals {
  typename Rows::Place place;
  std::vector<double> group;  // as the criterion describes it
  double weight = 0.0, cases = 0.0, part = 0.0;
  double center = 0.0;  // the mean of numbers
  // Sums of parts, and gains, that differ by less are equal but for rounding.
  double slack = 0.0, slack_of_gains = 0.0;
};

// How far gains of a given order may be off by rounding.
constexpr double gain_slack = 1e-12;
// Rows between two questions whether to stop: well below a millisecond for most criteria.
constexpr std::size_t rows_between_polls = 256;

// Sums of shares may fall short of a whole number by rounding.
constexpr double case_slack = 1e-6;

template <class Rule, class Rows>
class ColumnSearch {
 public:
  using Totals = NodeTotals<Rows>;
  using Subsets = SubsetSearch<Rule, Rows::are_whole>;

  ColumnSearch(const RankTable& table, const Rows& rows, const Target& target, const GrowthRules& rules)
      : table_(table),
        rows_(rows),
        target_(target),
        rules_(rules),
        width_(room(Rule::width(target))),
        left_(Rule::width(target)),
        right_(left_),
        missing_(width_),
        known_(width_),
        nothing_(width_) {}

  // Makes a node the one whose columns are searched.
  void enter(const Totals& node) {
    node_ = &node;
    labels_ = rows_.labels(node.place, label_scratch_);
    near_.forget();
    few_.forget();
  }

  // Makes ready to search some columns.
  void fetch(std::span<const std::int32_t> columns) {
    rows_.fetch(node_->place, columns, near_);
    if (searches_few()) few_.search(table_, columns, near_, labels_, node_->group, fewest_cases());
  }

  // The ranks of the rows of the node, if the column was among these and they had to be fetched.
  const std::uint32_t* fetched(std::ptrdiff_t j) const { return near_.of(j); }

  Split best(std::ptrdiff_t j) {
    const FewCellsSearch::Cut* const known = few_.of(j);
    Split found = known                                   ? best_known_cut(*known)
                  : counts_labels(j)                      ? best_counted_cut(j)
                  : rows_.reads_in_order(node_->place, j) ? best_sorted_cut(j)
                                                          : best_in_table(j);
    if (found.exists()) complete(found, j);
    std::fill(missing_.begin(), missing_.end(), 0.0);
    missing_cases_ = 0.0;
    return found;
  }

 private:
  static std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }
  const double* level_group(std::uint32_t level) const { return groups_.data() + level * width_; }
  bool both_sides_tried() const { return some_missing() && rules_.missing == MissingPolicy::direction; }
  bool some_missing() const { return missing_cases_ > 0.0; }
  // Whether missing cells take part in what a split gains.
  bool counts_missing() const {
    return rules_.missing == MissingPolicy::direction || rules_.missing == MissingPolicy::own_branch;
  }
  double missing_weight() const { return node_->weight - known_weight(); }
  double known_weight() const { return Rule::weight_of(known_.data(), static_cast<std::ptrdiff_t>(width_)); }

  void complete(Split& found, std::ptrdiff_t j) const {
    found.feature = static_cast<std::int32_t>(j);
    found.gain = Rule::gain(found.gain, counts_missing() ? node_->weight : known_weight());
    if (rules_.missing == MissingPolicy::own_branch && some_missing()) add_missing_branch(found);
    if (rules_.cuts_cost && !table_.categorical[j]) {
      found.gain -= std::log2(static_cast<double>(cuts_));
      if (!(found.gain > 0.0)) found.feature = -1;
    }
    if (rules_.zero_up_to > 0.0 && !(found.gain > rules_.zero_up_to * node_->weight)) found.feature = -1;
    // Only gain ratios ask for it.
    if (asks_for_bits()) found.bits = all_bits(found.bits);
  }

  // Split information from the part of the branches: rows that take every branch are one more, those that
  // follow surrogates none.
  double all_bits(double bits) const {
    if (!some_missing()) return bits + x_log_x(node_->weight);
    if (rules_.missing == MissingPolicy::surrogate) return bits + x_log_x(known_weight());
    if (rules_.missing == MissingPolicy::fraction) bits -= x_log_x(missing_weight());
    return bits + x_log_x(node_->weight);
  }

  // ---- What is known of a column, and what missing.

  void add_missing_row(std::uint32_t row) {
    Rule::tally(missing_.data(), target_, row, rows_.weight(row), node_->center);
    missing_cases_ += rows_.cases(row);
  }

  // Once the missing cells are counted: what a split divides, and what it has to beat.
  void set_known() {
    for (std::size_t c = 0; c < width_; ++c) known_[c] = node_->group[c] - missing_[c];
    known_cases_ = node_->cases - missing_cases_;
    base_ = some_missing() && !both_sides_tried() ? known_.data() : node_->group.data();
    to_beat_ = node_->part;
    if (some_missing() && !both_sides_tried()) {
      to_beat_ = part_of(known_.data());
      if (rules_.missing == MissingPolicy::own_branch) {
        base_ = node_->group.data();
        to_beat_ = node_->part - part_of(missing_.data());
      }
    }
    cuts_ = 0;
    least_cases_ = rules_.min_cases_leaf;
    if (rules_.wide_branches) {
      const double share = 0.1 * known_cases_ / static_cast<double>(target_.classes);
      least_cases_ = std::min(25.0, std::max(rules_.min_cases_leaf, share));
    }
    least_cases_ -= case_slack;
    least_weight_ = rules_.min_weight_leaf * (1 - 1e-12);
    allowed_ = rules_.missing != MissingPolicy::own_branch || !some_missing() ||
               is_enough(missing_cases_, missing_weight());
  }

  bool is_enough(double cases, double weight) const {
    return cases >= rules_.min_cases_leaf - case_slack && weight >= least_weight_;
  }

  double part_of(const double* group) {
    left_.set(group, 0.0, base_ ? base_ : node_->group.data());
    return left_.part();
  }

  // ---- Cuts: ranks up to some rank go left.

  // Columns with many values: their rows are at hand in order, missing cells last.
  Split best_sorted_cut(std::ptrdiff_t j) {
    std::span<const Entry> entries = rows_.sorted(node_->place, j, labels_, near_, sorter_);
    while (!entries.empty() && rank_of(entries.back()) == missing_rank) {
      add_missing(entries.back());
      entries = entries.first(entries.size() - 1);
    }
    set_known();
    Split best;
    if (entries.empty() || !allowed_) return best;
    for (int side = first_side(); side <= 1; ++side) {
      if (scans_whole()) {
        scan(entries, side, best);
      } else if (scans_weights()) {
        scan_weights(entries, side, best);
      } else {
        begin_cut(side);
        consider_all(j, entries, side, best);
      }
    }
    if (divides_missing()) consider_known_or_missing(j, rank_of(entries.back()), best);
    return best;
  }

  void add_missing(Entry entry) {
    if (labels_.empty()) return add_missing_row(row_of(entry));
    missing_[code_of_label(entry)] += static_cast<double>(count_of_label(entry));
    missing_cases_ += static_cast<double>(count_of_label(entry));
  }

  void consider_all(std::ptrdiff_t j, std::span<const Entry> entries, int side, Split& best) {
    for (std::size_t k = 0; k + 1 < entries.size(); ++k) {
      if (k % rows_between_polls == 0) poll_interrupt();
      move(entries[k]);
      if (rank_of(entries[k]) != rank_of(entries[k + 1]))
        consider(j, rank_of(entries[k]), rank_of(entries[k + 1]), side, best);
    }
  }

  // Whether the short loop will do: counts are whole, and no rule asks for more than enough rows on both
  // sides.
  bool scans_whole() const {
    if constexpr (Rows::are_whole && WholeScan<Rule>::exists)
      return WholeScan<Rule>::can_count(node_->weight) && !rules_.cuts_cost && !(rules_.smallest_gap > 0.0) &&
             !(rules_.min_weight_leaf > 0.0);
    return false;
  }

  // The same for real weights, where any row is enough for a side.
  bool scans_weights() const {
    if constexpr (Rows::are_apart && !Rows::are_whole && RoughScore<Rule>::exists)
      return !target_.weights.empty() && !(least_cases_ > 1.0) && !rules_.cuts_cost &&
             !(rules_.smallest_gap > 0.0) && !(least_weight_ > 0.0);
    return false;
  }

  void scan_weights(std::span<const Entry> entries, int side, Split& best) {
    if constexpr (Rows::are_apart && !Rows::are_whole && RoughScore<Rule>::exists) {
      const Sides before = sides_before(side);
      WeightScan<Rule> scan(before.left, before.right, width_, target_, rows_.signed_weights());
      scan.run(entries, best.gain + node_->slack + to_beat_, poll_interrupt,
               [&](std::size_t place, double score, double left_weight, double right_weight) {
                 take_cut(rank_of(entries[place]), rank_of(entries[place + 1]), side, score - to_beat_, best);
                 best.bits = bits_of(left_weight, right_weight);
                 return score + node_->slack;
               });
    }
  }

  // Whether all columns are searched at once.
  bool searches_few() const {
    if constexpr (Rows::are_whole && std::is_same_v<Rule, Gini>)
      return !labels_.empty() && near_.has_some() && scans_whole() && !rules_.wide_branches &&
             !asks_for_bits() && FewCellsSearch::can_search(labels_.size(), node_->weight, target_.classes);
    return false;
  }
  // The fewest rows of a side, where that is the same in every column.
  double fewest_cases() const { return std::max(1.0, std::ceil(rules_.min_cases_leaf - case_slack)); }

  Split best_known_cut(const FewCellsSearch::Cut& cut) {
    Split best;
    set_known();
    if (cut.exists) take_cut(cut.last_left, cut.first_right, 1, cut.score - to_beat_, best);
    return best;
  }

  // Whether a column of few levels is better counted than sorted.
  bool counts_labels(std::ptrdiff_t j) const {
    if constexpr (Rows::are_whole && WholeScan<Rule>::exists)
      return !labels_.empty() && !table_.categorical[j] && table_.levels[j] <= few_levels &&
             4 * node_->place.size() >= table_.levels[j] && near_.of(j) && scans_whole();
    return false;
  }

  Split best_counted_cut(std::ptrdiff_t j) {
    Split best;
    if constexpr (Rows::are_whole && WholeScan<Rule>::exists) {
      const std::uint32_t* ranks = near_.of(j);
      counts_.start(table_.levels[j], width_);
      for (std::size_t i = 0; i < labels_.size(); ++i) {
        if (ranks[i] == missing_rank)
          add_missing(labels_[i]);
        else
          counts_.add(code_of_label(labels_[i]), ranks[i], count_of_label(labels_[i]));
      }
      set_known();
      if (!allowed_ || !(known_cases_ > 0.0)) return best;
      for (int side = first_side(); side <= 1; ++side) scan_levels(side, best);
      if (divides_missing()) consider_known_or_missing(j, counts_.last(), best);
    }
    return best;
  }

  // The cuts between levels that occur.
  void scan_levels(int side, Split& best) {
    if (std::is_same_v<Rule, Gini> && !asks_for_bits()) {
      const Sides before = sides_before(side);
      const LevelCut cut = counts_.best_gini(before.left, before.right, std::ceil(least_cases_),
                                             best.gain + node_->slack + to_beat_, node_->slack);
      if (cut.level < 0) return;
      const auto last = static_cast<std::uint32_t>(cut.level);
      take_cut(last, counts_.next(last + 1), side, cut.score - to_beat_, best);
    } else {
      Cuts cuts = first_cuts(side, best);
      std::uint32_t level = counts_.next(0);
      while (level < counts_.end()) {
        counts_.for_each_class(
            level, [&](std::uint32_t code, std::uint32_t count) { cuts.running.move(code, count); });
        const std::uint32_t next = counts_.next(level + 1);
        if (next < counts_.end()) cuts.consider(*this, level, next, side, best);
        level = next;
      }
    }
  }

  // What moves along with a cut, and what it has to exceed.
  struct Cuts {
    typename WholeScan<Rule>::Running running;
    double least, to_exceed;

    [[gnu::always_inline]] void consider(const ColumnSearch& search, std::uint32_t last_left,
                                         std::uint32_t first_right, int side, Split& best) {
      if (!running.exceeds(to_exceed)) return;
      const auto left = static_cast<double>(running.left_size), right = running.right_size();
      if (left < least || right < least) return;
      const double score = running.score();
      to_exceed = score + search.node_->slack;
      search.take_cut(last_left, first_right, side, score - search.to_beat_, best);
      best.bits = search.bits_of(left, right);
    }
  };
  Cuts first_cuts(int side, const Split& best) {
    const Sides before = sides_before(side);
    return {scan_.start(before.left, before.right, width_, target_, node_->center), std::ceil(least_cases_),
            best.gain + node_->slack + to_beat_};
  }

  // The cuts between known cells, from what is on both sides before the first.
  void scan(std::span<const Entry> entries, int side, Split& best) {
    if constexpr (Rows::are_whole && WholeScan<Rule>::exists) {
      if (!labels_.empty())
        scan(entries, side, best,
             [](Entry entry, auto& running) { running.move(code_of_label(entry), count_of_label(entry)); });
      else
        scan(entries, side, best, [this, codes = target_.codes.data()](Entry entry, auto& running) {
          const std::uint32_t row = row_of(entry);
          running.move(WholeScan<Rule>::is_by_class ? codes[row] : row, rows_.count(row));
        });
    }
  }

  template <class Move>
  void scan(std::span<const Entry> entries, int side, Split& best, Move move) {
    Cuts cuts = first_cuts(side, best);
    constexpr std::size_t at_once = 16 * rows_between_polls;
    for (std::size_t begin = 0; begin + 1 < entries.size(); begin += at_once) {
      if (begin > 0) poll_interrupt();
      const std::size_t end = std::min(begin + at_once, entries.size() - 1);
      for (std::size_t k = begin; k < end; ++k) {
        move(entries[k], cuts.running);
        if (rank_of(entries[k]) != rank_of(entries[k + 1]))
          cuts.consider(*this, rank_of(entries[k]), rank_of(entries[k + 1]), side, best);
      }
    }
  }

  void take_cut(std::uint32_t last_left, std::uint32_t first_right, int side, double gain,
                Split& best) const {
    best.gain = gain;
    best.feature = 0;
    best.last_left = last_left;
    best.first_right = first_right;
    best.missing = both_sides_tried() ? side : -1;
  }

  // Part of the split information, where somebody asks for it.
  bool asks_for_bits() const { return rules_.selection == Selection::gain_ratio; }
  double bits_of(double left, double right) const {
    return asks_for_bits() ? -x_log_x(left) - x_log_x(right) : 0.0;
  }

  Split best_table_cut(std::ptrdiff_t j) {
    Split best;
    for (int side = first_side(); side <= 1; ++side) {
      begin_cut(side);
      for (std::size_t k = 0; k + 1 < present_.size(); ++k) {
        move_level(present_[k]);
        consider(j, present_[k], present_[k + 1], side, best);
      }
    }
    if (divides_missing()) consider_known_or_missing(j, present_.back(), best);
    return best;
  }

  // Side 1: missing cells on the right, if anywhere; side 0: on the left.
  int first_side() const { return both_sides_tried() ? 0 : 1; }
  // Whether all known cells may go left, because something is left for the right.
  bool divides_missing() const { return some_missing() && counts_missing(); }

  void consider_known_or_missing(std::ptrdiff_t j, std::uint32_t highest, Split& best) {
    left_.set(known_.data(), known_cases_, base_);
    right_.set(both_sides_tried() ? missing_.data() : nothing_.data(), missing_cases_, base_);
    consider(j, highest, missing_rank, 1, best);
  }

  struct Sides {
    const double *left, *right;
    double left_cases, right_cases;
  };
  // What is on both sides before the first cut.
  Sides sides_before(int side) const {
    if (!both_sides_tried()) return {nothing_.data(), known_.data(), 0.0, known_cases_};
    if (side == 1) return {nothing_.data(), node_->group.data(), 0.0, node_->cases};
    return {missing_.data(), known_.data(), missing_cases_, known_cases_};
  }

  void begin_cut(int side) {
    const Sides before = sides_before(side);
    left_.set(before.left, before.left_cases, base_);
    right_.set(before.right, before.right_cases, base_);
  }

  void move(Entry entry) {
    if (!labels_.empty()) {
      const auto count = static_cast<double>(count_of_label(entry));
      return move_row(code_of_label(entry), count, count);
    }
    const std::uint32_t row = row_of(entry);
    move_row(Rule::who(target_, row), rows_.weight(row), rows_.cases(row));
  }

  void move_row(std::uint32_t who, double weight, double cases) {
    left_.add_row(target_, who, weight, node_->center, base_);
    right_.add_row(target_, who, -weight, node_->center, base_);
    left_.cases += cases;
    right_.cases -= cases;
  }

  void move_level(std::uint32_t level) {
    left_.add_group(level_group(level), 1.0, base_);
    right_.add_group(level_group(level), -1.0, base_);
    left_.cases += cases_[level];
    right_.cases -= cases_[level];
  }

  // Whether rows with and without a value are all there is to divide.
  bool is_known_or_missing() const { return counts_missing() && present_.size() == 1 && some_missing(); }

  Split known_or_missing(std::ptrdiff_t j) {
    const std::uint32_t level = present_[0];
    const double missing_part = part_of(missing_.data());
    Split split;
    split.gain = part_of(level_group(level)) + missing_part - node_->part;
    split.bits = -x_log_x(left_.weight) - x_log_x(missing_weight());
    if (!is_enough(cases_[level], left_.weight) || !is_enough(missing_cases_, missing_weight())) return {};
    split.feature = 0;
    split.branches.assign(room(table_.levels[j]), -1);
    split.branches[level] = 0;
    split.missing = 1;
    return split;
  }

  void consider(std::ptrdiff_t j, std::uint32_t last_left, std::uint32_t first_right, int side, Split& best) {
    const bool is_known_or_not = first_right == missing_rank;
    if (left_.cases < least_cases_ || right_.cases < least_cases_) return;
    if (left_.weight < least_weight_ || (is_known_or_not ? missing_weight() : right_.weight) < least_weight_)
      return;
    if (rules_.smallest_gap > 0.0 && !is_known_or_not &&
        !(table_.value(j, last_left) + rules_.smallest_gap < table_.value(j, first_right)))
      return;
    ++cuts_;
    const double gain = left_.part() + right_.part() - to_beat_;
    if (!(gain > best.gain + node_->slack)) return;
    take_cut(last_left, first_right, side, gain, best);
    best.bits = bits_of(left_.weight, right_.weight);
  }

  // ---- Tables: columns with few values, and categories.

  Split best_in_table(std::ptrdiff_t j) {
    fill_table(j);
    set_known();
    Split best;
    if (!present_.empty() && present_.size() + some_missing() >= 2 && allowed_) {
      if (!table_.categorical[j])
        best = best_table_cut(j);
      else if (is_known_or_missing())
        best = known_or_missing(j);
      else if (rules_.categories == CategorySplit::multiway)
        best = all_branches(j);
      else if (rules_.categories == CategorySplit::one_level)
        best = best_level(j);
      else
        best = best_subset(j);
    }
    for (const std::uint32_t level :
         present_) {  // only what was used: a small node pays nothing for many levels
      std::fill_n(groups_.data() + level * width_, width_, 0.0);
      cases_[level] = 0.0;
    }
    present_.clear();
    return best;
  }

  void fill_table(std::ptrdiff_t j) {
    const std::uint32_t* ranks = table_.column(j);
    const std::size_t levels = room(table_.levels[j]);
    if (groups_.size() < levels * width_) groups_.resize(levels * width_);
    if (cases_.size() < levels) cases_.resize(levels);
    for (const std::uint32_t row : rows_.rows(node_->place)) {
      const std::uint32_t level = ranks[row];
      if (level == missing_rank) {
        add_missing_row(row);
        continue;
      }
      const double cases = rows_.cases(row);
      if (cases_[level] == 0.0 && cases > 0.0) present_.push_back(level);
      Rule::tally(groups_.data() + level * width_, target_, row, rows_.weight(row), node_->center);
      cases_[level] += cases;
    }
    std::sort(present_.begin(), present_.end());
  }

  // A branch for each level; missing cells join the branch where they cost least.
  Split all_branches(std::ptrdiff_t j) {
    Split split;
    const bool own = rules_.missing == MissingPolicy::own_branch && some_missing();
    int large_enough = own;
    double total = 0.0, best_change = 0.0, joined = 0.0;
    split.count = 0;
    split.branches.assign(room(table_.levels[j]), -1);
    for (const std::uint32_t level : present_) {
      const double part = part_of(level_group(level)), weight = left_.weight;
      total += part;
      split.bits -= x_log_x(weight);
      large_enough += is_enough(cases_[level], weight);
      if (both_sides_tried()) {
        left_.add_group(missing_.data(), 1.0, base_);
        const double change = left_.part() - part;
        if (split.missing < 0 || change > best_change + node_->slack)
          best_change = change, joined = weight, split.missing = split.count;
      }
      split.branches[level] = split.count++;
    }
    if (both_sides_tried()) split.bits += x_log_x(joined) - x_log_x(joined + missing_weight());
    if (split.count + own < 2 || large_enough < 2) return {};
    split.gain = total + best_change - to_beat_;
    split.feature = 0;
    return split;
  }

  // Two sets of levels: see `SubsetSearch`. Missing cells that may go either way count as one more level.
  Split best_subset(std::ptrdiff_t j) {
    std::vector<const double*> groups;
    std::vector<double> cases;
    for (const std::uint32_t level : present_)
      groups.push_back(level_group(level)), cases.push_back(cases_[level]);
    if (both_sides_tried()) groups.push_back(missing_.data()), cases.push_back(missing_cases_);
    Subsets search{groups,        cases,       base_, width_, rules_.min_cases_leaf - case_slack,
                   least_weight_, node_->slack};
    if (groups.size() < 2) return {};
    return two_sets(j, search.best());
  }

  // One level against the others: of highest gain, or of highest gain per bit where columns are chosen so.
  Split best_level(std::ptrdiff_t j) {
    typename Subsets::Found best;
    const bool by_ratio = rules_.selection == Selection::gain_ratio;
    const double least = rules_.min_cases_leaf - case_slack, slack = by_ratio ? 1e-6 : node_->slack;
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < present_.size() && present_.size() > 1; ++k) {
      for (int side = first_side(); side <= 1; ++side) {
        begin_cut(side);
        move_level(present_[k]);
        if (left_.cases < least || right_.cases < least) continue;
        if (left_.weight < least_weight_ || right_.weight < least_weight_) continue;
        const double score = left_.part() + right_.part();
        const double bits = -x_log_x(left_.weight) - x_log_x(right_.weight);
        const double merit = by_ratio ? (score - to_beat_) / all_bits(bits) : score;
        if (!(merit > highest + slack)) continue;
        highest = merit;
        best.score = score;
        best.bits = bits;
        best.in_first.assign(present_.size() + both_sides_tried(), 0);
        best.in_first[k] = 1;
        if (both_sides_tried()) best.in_first.back() = side == 0;
      }
    }
    return two_sets(j, best);
  }

  Split two_sets(std::ptrdiff_t j, const typename Subsets::Found& found) const {
    Split split;
    if (found.in_first.empty()) return split;
    split.gain = found.score - to_beat_;
    split.bits = found.bits;
    split.feature = 0;
    split.branches.assign(room(table_.levels[j]), -1);
    for (std::size_t k = 0; k < present_.size(); ++k) split.branches[present_[k]] = found.in_first[k] ? 0 : 1;
    if (both_sides_tried()) split.missing = found.in_first.back() ? 0 : 1;
    return split;
  }

  void add_missing_branch(Split& split) const {
    if (split.missing >= 0) return;  // it has one: known or not is all that is asked
    split.bits -= x_log_x(missing_weight());
    const bool is_known_or_not = split.branches.empty() && split.first_right == missing_rank;
    split.missing = is_known_or_not ? 1 : split.count++;
  }

  const RankTable& table_;
  const Rows& rows_;
  const Target& target_;
  const GrowthRules& rules_;
  std::size_t width_;
  typename Rule::template Side<Rows::are_whole> left_, right_;
  WholeScan<Rule> scan_;
  EntrySorter sorter_;
  NearRanks near_;
  FewCellsSearch few_;
  LevelCounts counts_;
  std::vector<Label> label_scratch_;
  std::span<const Label> labels_;  // of the rows of the node, where entries have these with them
  // Per level of the column at hand; zero between calls.
  std::vector<double> groups_, cases_;
  std::vector<std::uint32_t> present_;
  // Of the column at hand.
  const Totals* node_ = nullptr;
  std::vector<double> missing_, known_, nothing_;
  double missing_cases_ = 0.0, known_cases_ = 0.0;
  const double* base_ = nullptr;
  double to_beat_ = 0.0, least_cases_ = 0.0, least_weight_ = 0.0;
  bool allowed_ = true;  // own branch: whether missing cells are enough for one
  std::ptrdiff_t cuts_ = 0;
};

}  // namespace classica
