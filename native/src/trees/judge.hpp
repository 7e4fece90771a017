// Which column's split a node takes, and whether it is worth taking: the highest gain (CART, ID3), C4.5's
// gain ratio among the columns of at least average gain (Quinlan 1993), the highest ReliefF weight
// (Kononenko 1994), or one drawn from the best columns (randomisation in the manner of Dietterich 2000).
//
// Invariant: columns are compared in ascending order and a later one must be better by more than the slack
// of rounding; of equal columns the first is taken, for any number of threads. Cost: O(columns), and that
// of ReliefF.
#pragma once

#include <algorithm>
#include <utility>

#include "classica/random.hpp"
#include "classica/relieff.hpp"
#include "node_totals.hpp"
#include "split.hpp"

namespace classica {

template <class Rows>
class Judge {
 public:
  Judge(const RankTable& table, const Target& target, const GrowthRules& rules,
        Vector<const std::uint32_t> rows)
      : table_(table), target_(target), rules_(rules), rows_(static_cast<double>(rows.size)) {}

  // The best of the splits found, one per column, of equal ones the first; or one drawn from the best ones.
  Split choose(std::vector<Split>& found, const NodeTotals<Rows>& node, const Rows& rows,
               std::uint64_t key) const {
    if (rules_.top_features > 0) return drawn_of_best(found, node.slack_of_gains, key);
    switch (rules_.selection) {
      case Selection::gain:
        return highest_gain(found, node.slack_of_gains);
      case Selection::gain_ratio:
        return highest_ratio(found, node.weight);
      case Selection::relieff:
        return highest_relief(found, node, rows);
    }
    return {};
  }

  Split admit(Split best, const NodeTotals<Rows>& node) const {
    if (!best.exists() || best.gain < rules_.min_gain - node.slack_of_gains) return {};
    if (!rules_.zero_gain && !(best.gain > 1000.0 * node.slack_of_gains)) return {};
    return best;
  }

 private:
  // The best, the second best and so on down to the place drawn among the best ones there are.
  Split drawn_of_best(std::vector<Split>& found, double slack, std::uint64_t key) const {
    const auto exist = std::count_if(found.begin(), found.end(), [](const Split& s) { return s.exists(); });
    const double among = static_cast<double>(std::min<std::int64_t>(exist, rules_.top_features));
    Split best = highest_gain(found, slack);
    for (auto place = static_cast<std::int64_t>(Philox(key, 0).uniform(0) * among); place > 0; --place)
      best = highest_gain(found, slack);
    return best;
  }

  // Takes the best one out.
  static Split highest_gain(std::vector<Split>& found, double slack) {
    Split* best = nullptr;
    for (Split& split : found)
      if (split.exists() && (!best || split.beats(*best, slack))) best = &split;
    return best ? std::exchange(*best, Split{}) : Split{};
  }

  // Quinlan's rule: of the splits with at least average gain the one with the highest gain per bit of split
  // information. Columns with a level for every third row would lift the average beyond the others and do not
  // count in it. His tolerances: a thousandth of a bit in the average, a millionth in the ratio.
  Split highest_ratio(std::vector<Split>& found, double weight) const {
    double sum = 0.0, count = 0.0;
    for (std::size_t j = 0; j < found.size(); ++j) {
      if (!found[j].exists() || has_many_levels(j)) continue;
      sum += found[j].gain;
      ++count;
    }
    const double average = count > 0.0 ? sum / count : 0.0;
    double best_ratio = 0.0;
    Split* best = nullptr;
    for (Split& split : found) {
      if (!split.exists() || split.gain < average - 1e-3 * weight) continue;
      const double ratio = split.bits > 0.0 ? split.gain / split.bits : 0.0;
      if (!best || ratio > best_ratio + 1e-6) best_ratio = ratio, best = &split;
    }
    return best ? std::move(*best) : Split{};
  }

  bool has_many_levels(std::size_t j) const {
    return table_.categorical[j] && static_cast<double>(table_.levels[j]) >= 0.3 * rows_;
  }

  Split highest_relief(std::vector<Split>& found, const NodeTotals<Rows>& node, const Rows& rows) const {
    const std::vector<double> merits = relieff(table_, target_, rows.rows(node.place), rules_);
    Split* best = nullptr;
    double best_merit = 0.0;
    for (std::size_t j = 0; j < found.size(); ++j)
      if (found[j].exists() && (!best || merits[j] > best_merit + 1e-12))
        best = &found[j], best_merit = merits[j];
    return best ? std::move(*best) : Split{};
  }

  const RankTable& table_;
  const Target& target_;
  const GrowthRules& rules_;
  double rows_;
};

}  // namespace classica
