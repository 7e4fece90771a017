// The best cut of a numeric column of few levels, whose cells are counted by class and level instead of being
// sorted (a counting sort that keeps only its counts; own). Used where a forest draws few columns and the
// ranks of the node have been fetched.
//
// Invariant: a cut after a level has on its left the counts of all levels up to it, which are whole numbers;
// it scores the same as in `SortedScan`. Cost: O(rows + levels * classes), hence only where a node has at
// least a quarter as many rows as the column has levels.
#pragma once

#include <type_traits>

#include "level_counts.hpp"
#include "whole_cuts.hpp"

namespace classica {

template <class Rule, class Rows>
class CountedScan {
 public:
  using Column = CutSides<Rule, Rows>;

  // Whether a column of few levels is better counted than sorted.
  static bool can_scan(const Column& column, std::ptrdiff_t j, const NearRanks& near) {
    if constexpr (Rows::are_whole && WholeScan<Rule>::exists)
      return !column.labels.empty() && !column.table.categorical[j] && column.table.levels[j] <= few_levels &&
             4 * column.node->place.size() >= column.table.levels[j] && near.of(j) && scans_whole(column);
    return false;
  }

  Split best(Column& column, std::ptrdiff_t j, const NearRanks& near) {
    Split best;
    if constexpr (Rows::are_whole && WholeScan<Rule>::exists) {
      const std::uint32_t* ranks = near.of(j);
      counts_.start(column.table.levels[j], column.width);
      for (std::size_t i = 0; i < column.labels.size(); ++i) {
        if (ranks[i] == missing_rank)
          column.add_missing_entry(column.labels[i]);
        else
          counts_.add(code_of_label(column.labels[i]), ranks[i], count_of_label(column.labels[i]));
      }
      column.count_known();
      if (!column.allowed || !(column.known_cases > 0.0)) return best;
      for (int side = column.first_side(); side <= 1; ++side) scan(column, side, best);
      if (column.divides_missing()) column.consider_known_or_missing(j, counts_.last(), best);
    }
    return best;
  }

 private:
  // The cuts between levels that occur.
  void scan(const Column& column, int side, Split& best) {
    if (std::is_same_v<Rule, Gini> && !column.asks_for_bits()) {
      const auto before = column.before_cuts(side);
      const double slack = column.node->slack;
      const LevelCut cut = counts_.best_gini(before.left, before.right, std::ceil(column.least_cases),
                                             best.gain + slack + column.to_beat, slack);
      if (cut.level < 0) return;
      const auto last = static_cast<std::uint32_t>(cut.level);
      column.take(last, counts_.next(last + 1), side, cut.score - column.to_beat, best);
      return;
    }
    WholeCuts<Rule> cuts = first_cuts(whole_, column, side, best);
    std::uint32_t level = counts_.next(0);
    while (level < counts_.end()) {
      counts_.for_each_class(
          level, [&](std::uint32_t code, std::uint32_t count) { cuts.running.move(code, count); });
      const std::uint32_t next = counts_.next(level + 1);
      if (next < counts_.end()) cuts.consider(column, level, next, side, best);
      level = next;
    }
  }

  WholeScan<Rule> whole_;
  LevelCounts counts_;
};

}  // namespace classica
