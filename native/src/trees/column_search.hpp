// The best split of a node in one column, for any criterion whose parts add up over branches
// (`criteria.hpp`). The search is exhaustive: every cut, and of categories every split that `CategorySplit`
// allows, except where `SubsetSearch` says how it limits itself. Four strategies find the same cuts at
// different cost:
//
//   few cells       all drawn columns of a small node side by side   few_cells.hpp
//   counted levels  drawn columns of few levels                      counted_scan.hpp
//   sorted cells    columns kept, or now put, in order               sorted_scan.hpp
//   tables          columns of few levels, and categories            table_scan.hpp
//
// Which one is taken depends on the column, the rules and the size of the node; the split does not.
#pragma once

#include <type_traits>

#include "counted_scan.hpp"
#include "few_cells.hpp"
#include "node_rows.hpp"
#include "sorted_scan.hpp"
#include "table_scan.hpp"

namespace classica {

template <class Rule, class Rows>
class ColumnSearch {
 public:
  using Totals = NodeTotals<Rows>;

  ColumnSearch(const RankTable& table, const Rows& rows, const Target& target, const GrowthRules& rules)
      : column_(table, rows, target, rules) {}

  // Makes a node the one whose columns are searched.
  void enter(const Totals& node) {
    column_.node = &node;
    column_.labels = column_.rows.labels(node.place, label_scratch_);
    near_.forget();
    few_.forget();
  }

  // Makes ready to search some columns.
  void fetch(std::span<const std::int32_t> columns) {
    const Totals& node = *column_.node;
    column_.rows.fetch(node.place, columns, near_);
    if (searches_few())
      few_.search(column_.table, columns, near_, column_.labels, node.group, fewest_cases());
  }

  // The ranks of the rows of the node, if the column was among these and they had to be fetched.
  const std::uint32_t* fetched(std::ptrdiff_t j) const { return near_.of(j); }

  Split best(std::ptrdiff_t j) {
    Split found = search(j);
    if (found.exists()) column_.complete(found, j);
    column_.forget_missing();
    return found;
  }

 private:
  Split search(std::ptrdiff_t j) {
    if (const FewCellsSearch::Cut* const cut = few_.of(j)) return split_at(*cut);
    if (CountedScan<Rule, Rows>::can_scan(column_, j, near_)) return counted_.best(column_, j, near_);
    if (column_.rows.reads_in_order(column_.node->place, j)) return sorted_.best(column_, j, near_);
    return table_.best(column_, j);
  }

  // Whether all columns are searched at once.
  bool searches_few() const {
    if constexpr (Rows::are_whole && std::is_same_v<Rule, Gini>)
      return !column_.labels.empty() && near_.has_some() && scans_whole(column_) &&
             !column_.rules.wide_branches && !column_.asks_for_bits() &&
             FewCellsSearch::can_search(column_.labels.size(), column_.node->weight, column_.target.classes);
    return false;
  }
  // The fewest rows of a side, where that is the same in every column.
  double fewest_cases() const { return std::max(1.0, std::ceil(column_.rules.min_cases_leaf - case_slack)); }

  Split split_at(const FewCellsSearch::Cut& cut) {
    Split best;
    column_.count_known();
    if (cut.exists) column_.take(cut.last_left, cut.first_right, 1, cut.score - column_.to_beat, best);
    return best;
  }

  CutSides<Rule, Rows> column_;
  SortedScan<Rule, Rows> sorted_;
  CountedScan<Rule, Rows> counted_;
  TableScan<Rule, Rows> table_;
  NearRanks near_;
  FewCellsSearch few_;
  std::vector<Label> label_scratch_;
};

}  // namespace classica
