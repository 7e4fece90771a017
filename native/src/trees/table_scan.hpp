// The best split of a column that is counted in a table, a group per level: numbers of few levels, which are
// cut, and categories, which get a branch per level (ID3 and C4.5; Quinlan 1986, 1993), two sets of levels
// (CART; see `SubsetSearch`), or one level against the others. A category column in which only one level and
// missing cells occur is asked whether it is known.
//
// Invariant: between two columns every group and every count is zero, and only the levels that were present
// are cleared, so that a small node does not pay for a column of many levels. Levels are looked at in
// ascending order; of equal splits the first one stays. Cost: O(rows + present levels * width of a group),
// and that of `SubsetSearch` for two sets.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "cut_sides.hpp"
#include "subsets.hpp"

namespace classica {

template <class Rule, class Rows>
class TableScan {
 public:
  using Column = CutSides<Rule, Rows>;

  Split best(Column& column, std::ptrdiff_t j) {
    fill(column, j);
    column.count_known();
    Split best;
    if (!present_.empty() && present_.size() + column.some_missing() >= 2 && column.allowed)
      best = column.table.categorical[j] ? best_of_categories(column, j) : best_cut(column, j);
    for (const std::uint32_t level : present_) {
      std::fill_n(groups_.data() + level * column.width, column.width, 0.0);
      cases_[level] = 0.0;
    }
    present_.clear();
    return best;
  }

 private:
  using Subsets = SubsetSearch<Rule, Rows::are_whole>;

  const double* group(const Column& column, std::uint32_t level) const {
    return groups_.data() + level * column.width;
  }
  static std::size_t levels_of(const Column& column, std::ptrdiff_t j) {
    return static_cast<std::size_t>(column.table.levels[j]);
  }

  void fill(Column& column, std::ptrdiff_t j) {
    const std::uint32_t* ranks = column.table.column(j);
    const std::size_t levels = levels_of(column, j);
    if (groups_.size() < levels * column.width) groups_.resize(levels * column.width);
    if (cases_.size() < levels) cases_.resize(levels);
    for (const std::uint32_t row : column.rows.rows(column.node->place)) {
      const std::uint32_t level = ranks[row];
      if (level == missing_rank) {
        column.add_missing_row(row);
        continue;
      }
      const double cases = column.rows.cases(row);
      if (cases_[level] == 0.0 && cases > 0.0) present_.push_back(level);
      Rule::tally(groups_.data() + level * column.width, column.target, row, column.rows.weight(row),
                  column.node->center);
      cases_[level] += cases;
    }
    std::sort(present_.begin(), present_.end());
  }

  Split best_cut(Column& column, std::ptrdiff_t j) {
    Split best;
    for (int side = column.first_side(); side <= 1; ++side) {
      column.begin(side);
      for (std::size_t k = 0; k + 1 < present_.size(); ++k) {
        move_level(column, present_[k]);
        column.consider(j, present_[k], present_[k + 1], side, best);
      }
    }
    if (column.divides_missing()) column.consider_known_or_missing(j, present_.back(), best);
    return best;
  }
  void move_level(Column& column, std::uint32_t level) const {
    column.move_group(group(column, level), cases_[level]);
  }

  Split best_of_categories(Column& column, std::ptrdiff_t j) {
    if (column.divides_missing() && present_.size() == 1) return known_or_missing(column, j);
    switch (column.rules.categories) {
      case CategorySplit::multiway:
        return all_branches(column, j);
      case CategorySplit::one_level:
        return best_level(column, j);
      case CategorySplit::subset:
        return best_subset(column, j);
    }
    return {};
  }

  // Rows with and without a value are all there is to divide.
  Split known_or_missing(Column& column, std::ptrdiff_t j) {
    const std::uint32_t level = present_[0];
    const double missing_part = column.part_of(column.missing.data());
    Split split;
    split.gain = column.part_of(group(column, level)) + missing_part - column.node->part;
    const double weight = column.left.weight, missing_weight = column.missing_weight();
    split.bits = -x_log_x(weight) - x_log_x(missing_weight);
    if (!column.is_enough(cases_[level], weight) || !column.is_enough(column.missing_cases, missing_weight))
      return {};
    split.feature = 0;
    split.branches.assign(levels_of(column, j), -1);
    split.branches[level] = 0;
    split.missing = 1;
    return split;
  }

  // A branch for each level; missing cells join the branch where they cost least.
  Split all_branches(Column& column, std::ptrdiff_t j) {
    Split split;
    const bool own = column.have_own_branch(), joins = column.both_sides_tried();
    int large_enough = own;
    double total = 0.0, best_change = 0.0, joined = 0.0;
    split.count = 0;
    split.branches.assign(levels_of(column, j), -1);
    for (const std::uint32_t level : present_) {
      const double part = column.part_of(group(column, level)), weight = column.left.weight;
      total += part;
      split.bits -= x_log_x(weight);
      large_enough += column.is_enough(cases_[level], weight);
      if (joins) {
        column.left.add_group(column.missing.data(), 1.0, column.base);
        const double change = column.left.part() - part;
        if (split.missing < 0 || change > best_change + column.node->slack)
          best_change = change, joined = weight, split.missing = split.count;
      }
      split.branches[level] = split.count++;
    }
    if (joins) split.bits += x_log_x(joined) - x_log_x(joined + column.missing_weight());
    if (split.count + own < 2 || large_enough < 2) return {};
    split.gain = total + best_change - column.to_beat;
    split.feature = 0;
    return split;
  }

  // Two sets of levels. Missing cells that may go either way count as one more level.
  Split best_subset(const Column& column, std::ptrdiff_t j) const {
    std::vector<const double*> groups;
    std::vector<double> cases;
    for (const std::uint32_t level : present_)
      groups.push_back(group(column, level)), cases.push_back(cases_[level]);
    if (column.both_sides_tried())
      groups.push_back(column.missing.data()), cases.push_back(column.missing_cases);
    if (groups.size() < 2) return {};
    Subsets search{groups,
                   cases,
                   column.base,
                   column.width,
                   column.rules.min_cases_leaf - case_slack,
                   column.least_weight,
                   column.node->slack};
    return two_sets(column, j, search.best());
  }

  // One level against the others: of highest gain, or of highest gain per bit where columns are chosen so
  // (within Quinlan's tolerance of ratios, as in `Judge`).
  Split best_level(Column& column, std::ptrdiff_t j) const {
    typename Subsets::Found best;
    const bool by_ratio = column.asks_for_bits(), both = column.both_sides_tried();
    const double least = column.rules.min_cases_leaf - case_slack;
    const double slack = by_ratio ? 1e-6 : column.node->slack;
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < present_.size() && present_.size() > 1; ++k) {
      for (int side = column.first_side(); side <= 1; ++side) {
        column.begin(side);
        move_level(column, present_[k]);
        const auto &left = column.left, &right = column.right;
        if (left.cases < least || right.cases < least) continue;
        if (left.weight < column.least_weight || right.weight < column.least_weight) continue;
        const double score = left.part() + right.part();
        const double bits = -x_log_x(left.weight) - x_log_x(right.weight);
        const double merit = by_ratio ? (score - column.to_beat) / column.all_bits(bits) : score;
        if (!(merit > highest + slack)) continue;
        highest = merit;
        best.score = score;
        best.bits = bits;
        best.in_first.assign(present_.size() + both, 0);
        best.in_first[k] = 1;
        if (both) best.in_first.back() = side == 0;
      }
    }
    return two_sets(column, j, best);
  }

  Split two_sets(const Column& column, std::ptrdiff_t j, const typename Subsets::Found& found) const {
    Split split;
    if (found.in_first.empty()) return split;
    split.gain = found.score - column.to_beat;
    split.bits = found.bits;
    split.feature = 0;
    split.branches.assign(levels_of(column, j), -1);
    for (std::size_t k = 0; k < present_.size(); ++k) split.branches[present_[k]] = found.in_first[k] ? 0 : 1;
    if (column.both_sides_tried()) split.missing = found.in_first.back() ? 0 : 1;
    return split;
  }

  // Per level of the column at hand; zero between calls.
  std::vector<double> groups_, cases_;
  std::vector<std::uint32_t> present_;
};

}  // namespace classica
