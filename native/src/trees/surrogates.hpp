// Splits of other columns that imitate the one a node has taken (surrogate splits, Breiman et al. 1984): of
// each column the cut, or the assignment of levels, that sends most weight the same way, among the rows
// known to both.
//
// Invariant: a surrogate agrees with the split more often than sending every row the way of most; they are
// kept in order of agreement, of equal ones the first column. Cost: one pass over the rows of the node per
// column, by all threads.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "cut.hpp"
#include "node.hpp"

namespace classica {

// Finds the best imitation in one column: the one that sends most of the rows known to both the same way. The
// branch of every row with a known primary split is set in `rows`, that of the others is `every_branch`. Cuts
// lie between any two neighbouring values of the node, also of rows the primary split does not know: that is
// where rpart's are.
template <class Rows>
class SurrogateSearch {
 public:
  SurrogateSearch(const RankTable& table, const Rows& rows, const typename Rows::Place& place,
                  const GrowthRules& rules)
      : table_(table),
        rows_(rows),
        place_(place),
        dissent_(rules.surrogate_dissent),
        at_data_(rules.cut_at_data) {
    for (const std::uint32_t row : rows_.rows(place_))
      if (rows_.branch(row) != every_branch) known_[rows_.branch(row)] += rows_.weight(row);
  }

  Surrogate best(std::ptrdiff_t j) const {
    const std::vector<Level> levels = needs_order(table_, j) ? read_sorted(j) : read_table(j);
    Surrogate found = table_.categorical[j] ? best_levels(j, levels) : best_cut(levels);
    if (!found.split.exists()) return found;
    found.split.feature = static_cast<std::int32_t>(j);
    if (!table_.categorical[j])
      found.split.threshold =
          cut_between(table_, j, found.split.last_left, found.split.first_right, at_data_);
    found.agreement = found.agreeing / (known_[0] + known_[1]);
    found.advantage = (found.agreeing - majority()) / (known_[0] + known_[1] - majority());
    return found;
  }

 private:
  // The rows of one value: how much of them the primary split sends either way.
  struct Level {
    std::uint32_t rank = 0;
    std::array<double, 2> sent{};
    double cases = 0.0;
  };
  // A cut must send at least this many cases each way.
  static constexpr double least_cases = 2.0;

  // What a surrogate has to beat: every row goes the way of most.
  double majority() const { return std::max(known_[0], known_[1]); }
  bool beats(double agreeing, double other) const { return agreeing > other * (1 + 1e-12); }

  void add(Level& level, std::uint32_t row) const {
    if (rows_.branch(row) == every_branch) return;
    level.sent[rows_.branch(row)] += rows_.weight(row);
    level.cases += rows_.cases(row);
  }

  std::vector<Level> read_sorted(std::ptrdiff_t j) const {
    EntrySorter sorter;
    std::vector<Level> levels;
    for (const Entry entry : rows_.sorted(place_, j, {}, {}, sorter)) {
      if (rank_of(entry) == missing_rank) continue;
      if (levels.empty() || levels.back().rank != rank_of(entry)) levels.push_back({rank_of(entry)});
      add(levels.back(), row_of(entry));
    }
    return levels;
  }

  std::vector<Level> read_table(std::ptrdiff_t j) const {
    const std::uint32_t* ranks = table_.column(j);
    std::vector<Level> all(static_cast<std::size_t>(table_.levels[j]));
    std::vector<char> seen(all.size(), 0);
    for (const std::uint32_t row : rows_.rows(place_)) {
      if (ranks[row] == missing_rank) continue;
      add(all[ranks[row]], row);
      seen[ranks[row]] = 1;
    }
    for (std::size_t rank = 0; rank < all.size(); ++rank) all[rank].rank = static_cast<std::uint32_t>(rank);
    // A level that the primary split knows nothing of has no way to go.
    std::erase_if(all, [&](const Level& level) {
      return level.cases == 0.0 && (table_.categorical[j] || !seen[level.rank]);
    });
    return all;
  }

  Surrogate best_cut(const std::vector<Level>& levels) const {
    Level left, right;
    for (const Level& level : levels) move(right, level, 1.0);
    Surrogate best;
    best.agreeing = majority();
    for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
      move(left, levels[k], 1.0);
      move(right, levels[k], -1.0);
      if (left.cases < least_cases || right.cases < least_cases) continue;
      const double same = left.sent[0] + right.sent[1], opposite = left.sent[1] + right.sent[0];
      if (!beats(std::max(same, opposite), best.agreeing)) continue;
      best.agreeing = std::max(same, opposite);
      best.flipped = opposite > same;
      best.split.feature = 0;
      best.split.last_left = levels[k].rank;
      best.split.first_right = levels[k + 1].rank;
    }
    return best;
  }

  static void move(Level& side, const Level& level, double sign) {
    side.sent[0] += sign * level.sent[0];
    side.sent[1] += sign * level.sent[1];
    side.cases += sign * level.cases;
  }

  // Each level goes the way of most of its rows.
  Surrogate best_levels(std::ptrdiff_t j, const std::vector<Level>& levels) const {
    Surrogate found;
    found.split.branches.assign(static_cast<std::size_t>(table_.levels[j]), -1);
    double dissent = 0.0;
    for (const Level& level : levels) {
      const std::size_t to = level.sent[1] > level.sent[0];
      found.split.branches[level.rank] = static_cast<std::int32_t>(to);
      found.agreeing += level.sent[to];
      dissent += level.sent[1 - to];
    }
    if (!beats(found.agreeing, majority()) || dissent < dissent_) return {};
    found.split.feature = 0;
    return found;
  }

  const RankTable& table_;
  const Rows& rows_;
  const typename Rows::Place& place_;
  double dissent_;
  bool at_data_;
  std::array<double, 2> known_{};
};

// The best surrogates of a split, best first; of equal ones the first column.
template <class Rows>
std::vector<Surrogate> find_surrogates(const RankTable& table, const Rows& rows,
                                       const typename Rows::Place& place, std::int32_t primary,
                                       const GrowthRules& rules, int threads) {
  std::vector<Surrogate> found(static_cast<std::size_t>(table.cols));
  const SurrogateSearch<Rows> search(table, rows, place, rules);
  parallel_for(table.cols, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t j = begin; j < end; ++j)
      if (j != primary) found[static_cast<std::size_t>(j)] = search.best(j);
  });
  std::erase_if(found, [](const Surrogate& s) { return !s.split.exists(); });
  std::stable_sort(found.begin(), found.end(), [](const Surrogate& a, const Surrogate& b) {
    return a.agreeing > b.agreeing * (1 + 1e-12);
  });
  if (found.size() > static_cast<std::size_t>(rules.max_surrogates))
    found.resize(static_cast<std::size_t>(rules.max_surrogates));
  return found;
}

}  // namespace classica
