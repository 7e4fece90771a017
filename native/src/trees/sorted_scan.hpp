// The best cut of a column whose cells are at hand in the order of their ranks, missing cells last: one pass
// from left to right (CART, C4.5). Three loops do the same work: whole weights (`WholeCuts`), real weights of
// classes in blocks (`WeightScan`), and any criterion under any rule (`CutSides`).
//
// Invariant: after cell k, the left side holds the cells 0 to k; a cut lies only between cells of different
// rank. Which loop runs depends on the rules, the kind of weights and the weight of the node, which are the
// same for all its columns: equal columns score alike. Cost: O(rows of the node), the order being given.
#pragma once

#include <algorithm>

#include "weight_scan.hpp"
#include "whole_cuts.hpp"

namespace classica {

template <class Rule, class Rows>
class SortedScan {
 public:
  using Column = CutSides<Rule, Rows>;

  Split best(Column& column, std::ptrdiff_t j, const NearRanks& near) {
    std::span<const Entry> entries = column.rows.sorted(column.node->place, j, column.labels, near, sorter_);
    while (!entries.empty() && rank_of(entries.back()) == missing_rank) {
      column.add_missing_entry(entries.back());
      entries = entries.first(entries.size() - 1);
    }
    column.count_known();
    Split best;
    if (entries.empty() || !column.allowed) return best;
    for (int side = column.first_side(); side <= 1; ++side) {
      if (scans_whole(column))
        scan_whole(column, entries, side, best);
      else if (scans_weights(column))
        scan_weights(column, entries, side, best);
      else
        scan_any(column, j, entries, side, best);
    }
    if (column.divides_missing()) column.consider_known_or_missing(j, rank_of(entries.back()), best);
    return best;
  }

 private:
  void scan_any(Column& column, std::ptrdiff_t j, std::span<const Entry> entries, int side, Split& best) {
    column.begin(side);
    for (std::size_t k = 0; k + 1 < entries.size(); ++k) {
      if (k % rows_between_polls == 0) poll_interrupt();
      column.move_entry(entries[k]);
      if (rank_of(entries[k]) != rank_of(entries[k + 1]))
        column.consider(j, rank_of(entries[k]), rank_of(entries[k + 1]), side, best);
    }
  }

  void scan_whole(Column& column, std::span<const Entry> entries, int side, Split& best) {
    if constexpr (Rows::are_whole && WholeScan<Rule>::exists) {
      if (!column.labels.empty())
        scan_whole(column, entries, side, best,
                   [](Entry entry, auto& running) __attribute__((always_inline)) {
                     running.move(code_of_label(entry), count_of_label(entry));
                   });
      else
        scan_whole(column, entries, side, best,
                   [&rows = column.rows, codes = column.target.codes.data()](Entry entry, auto& running)
                       __attribute__((always_inline)) {
                         const std::uint32_t row = row_of(entry);
                         running.move(WholeScan<Rule>::is_by_class ? codes[row] : row, rows.count(row));
                       });
    }
  }

  template <class Move>
  void scan_whole(Column& column, std::span<const Entry> entries, int side, Split& best, Move move) {
    WholeCuts<Rule> cuts = first_cuts(whole_, column, side, best);
    constexpr std::size_t at_once = 16 * rows_between_polls;  // a row takes a few cycles here
    for (std::size_t begin = 0; begin + 1 < entries.size(); begin += at_once) {
      if (begin > 0) poll_interrupt();
      const std::size_t end = std::min(begin + at_once, entries.size() - 1);
      for (std::size_t k = begin; k < end; ++k) {
        move(entries[k], cuts.running);
        if (rank_of(entries[k]) != rank_of(entries[k + 1]))
          cuts.consider(column, rank_of(entries[k]), rank_of(entries[k + 1]), side, best);
      }
    }
  }

  // Real weights, where any row is enough for a side.
  static bool scans_weights(const Column& column) {
    if constexpr (Rows::are_apart && !Rows::are_whole && RoughScore<Rule>::exists)
      return !column.target.weights.empty() && !(column.least_cases > 1.0) && !column.rules.cuts_cost &&
             !(column.rules.smallest_gap > 0.0) && !(column.least_weight > 0.0);
    return false;
  }

  static void scan_weights(const Column& column, std::span<const Entry> entries, int side, Split& best) {
    if constexpr (Rows::are_apart && !Rows::are_whole && RoughScore<Rule>::exists) {
      const auto before = column.before_cuts(side);
      WeightScan<Rule> scan(before.left, before.right, column.width, column.target,
                            column.rows.signed_weights());
      scan.run(entries, best.gain + column.node->slack + column.to_beat, poll_interrupt,
               [&](std::size_t last, double score, double left_weight, double right_weight) {
                 column.take(rank_of(entries[last]), rank_of(entries[last + 1]), side, score - column.to_beat,
                             best);
                 best.bits = column.bits_of(left_weight, right_weight);
                 return score + column.node->slack;
               });
    }
  }

  WholeScan<Rule> whole_;
  EntrySorter sorter_;
};

}  // namespace classica
