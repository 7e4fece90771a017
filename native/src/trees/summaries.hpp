// What the rows of a node add up to: counts of classes, or weight, mean and squared deviations of numbers.
// Numbers are summed twice, first from one of them to find the mean, then from the mean (two passes; Chan,
// Golub and LeVeque 1983), so that an offset of the values costs no digits.
//
// Invariant: rows are added in the order of the node, which does not depend on threads. Cost: O(rows of the
// node).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "classica/tree.hpp"
#include "node_totals.hpp"

namespace classica {

// Each fills in the totals of a node and says whether there is nothing left to divide; `put_away` leaves what
// is kept of it in the summary, once it has been searched.
template <class Rule>
struct ClassSummary {
  template <class Rows>
  static bool sum_up(NodeTotals<Rows>& node, std::vector<double>&, const Rows& rows, const Target& target) {
    node.group.assign(static_cast<std::size_t>(target.classes), 0.0);
    node.cases = 0.0;
    for (const std::uint32_t row : rows.rows(node.place)) {
      node.group[target.codes[row]] += rows.weight(row);
      node.cases += rows.cases(row);
    }
    // Most nodes are small: what costs them memory of their own costs time.
    thread_local typename Rule::template Side<Rows::are_whole> all(0);
    if (all.counts.size() != node.group.size())
      all = typename Rule::template Side<Rows::are_whole>(target.classes);
    all.set(node.group.data(), node.cases, node.group.data());
    node.weight = all.weight;
    node.part = all.part();
    // Small nodes of whole counts are summed in fixed units, which round a little more.
    const double order = Rows::are_whole ? std::max(node.weight, 16.0) : node.weight;
    node.slack = gain_slack * Rule::scale(order);
    node.slack_of_gains = gain_slack * order;
    return std::count_if(node.group.begin(), node.group.end(), [](double w) { return w > 0.0; }) < 2;
  }
  template <class Rows>
  static void put_away(NodeTotals<Rows>& node, std::vector<double>& summary) {
    summary.swap(node.group);
  }
};

template <class Rows>
bool all_values_equal(const NodeTotals<Rows>& node, const Rows& rows, const Target& target) {
  const auto list = rows.rows(node.place);
  return std::all_of(list.begin(), list.end(),
                     [&](std::uint32_t row) { return target.values[row] == target.values[list[0]]; });
}

struct MeanSummary {
  template <class Rows>
  static bool sum_up(NodeTotals<Rows>& node, std::vector<double>& summary, const Rows& rows,
                     const Target& target) {
    const auto list = rows.rows(node.place);
    const double first = target.values[list[0]];
    double sum = 0.0, squares = 0.0;
    node.cases = node.weight = 0.0;
    for (const std::uint32_t row : list) {
      node.weight += rows.weight(row);
      node.cases += rows.cases(row);
      sum += rows.weight(row) * (target.values[row] - first);
    }
    node.center = first + sum / node.weight;
    double rest = 0.0;
    for (const std::uint32_t row : list) {
      const double deviation = target.values[row] - node.center;
      rest += rows.weight(row) * deviation;
      squares += rows.weight(row) * deviation * deviation;
    }
    node.group = {node.weight, rest};
    node.part = rest * rest / node.weight;
    node.slack = node.slack_of_gains = gain_slack * squares;
    summary = {node.weight, node.center, squares};
    return all_values_equal(node, rows, target);
  }
  template <class Rows>
  static void put_away(NodeTotals<Rows>&, std::vector<double>&) {}
};

}  // namespace classica
