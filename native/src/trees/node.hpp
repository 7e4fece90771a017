// A node of a growing tree, and the plain arrays a grown one is stored in.
#pragma once

#include <vector>

#include "node_totals.hpp"
#include "split.hpp"

namespace classica {

// A split of another column that sends known rows the same way.
struct Surrogate {
  Split split;
  bool flipped = false;
  double agreement = 0.0, advantage = 0.0;
  double agreeing = 0.0;  // weight of the rows that go the same way

  // 0, 1 or -1 for a cell that says nothing. Its value may lie between those the surrogate was found by.
  std::int32_t branch_of(const RankTable& table, std::uint32_t row) const {
    const std::uint32_t rank = table.column(split.feature)[row];
    if (rank == missing_rank) return -1;
    if (!split.branches.empty()) return split.branches[rank];
    return (table.value(split.feature, rank) > split.threshold) != flipped;
  }
};

template <class Rows>
struct Node {
  std::int32_t depth = 0;
  std::int32_t first_child = -1;
  std::int32_t largest_child = 0;
  std::uint64_t key = 0;  // of the random numbers of this node
  Split split;
  std::vector<Surrogate> surrogates;
  std::vector<double> summary;
  NodeTotals<Rows> totals;
};

inline void store(Surrogates& all, const Surrogate& surrogate) {
  all.feature.push_back(surrogate.split.feature);
  all.threshold.push_back(surrogate.split.threshold);
  all.flipped.push_back(surrogate.flipped);
  const auto& branches = surrogate.split.branches;
  all.level_child.insert(all.level_child.end(), branches.begin(), branches.end());
  all.levels_at.push_back(static_cast<std::int64_t>(all.level_child.size()));
  all.agreement.push_back(surrogate.agreement);
  all.advantage.push_back(surrogate.advantage);
}

template <class Rows>
void store(GrownTree& tree, const Node<Rows>& node, std::int32_t first_child) {
  const Split& split = node.split;
  tree.feature.push_back(split.feature);
  tree.threshold.push_back(split.threshold);
  tree.level_child.insert(tree.level_child.end(), split.branches.begin(), split.branches.end());
  tree.levels_at.push_back(static_cast<std::int64_t>(tree.level_child.size()));
  tree.missing_child.push_back(!split.exists()      ? -1
                               : split.missing >= 0 ? split.missing
                                                    : node.largest_child);
  tree.first_child.push_back(first_child);
  tree.child_count.push_back(split.exists() ? split.count : 0);
  tree.cases.push_back(node.totals.cases);
  tree.gain.push_back(split.exists() ? split.gain : 0.0);
  tree.summary.insert(tree.summary.end(), node.summary.begin(), node.summary.end());
  for (const Surrogate& surrogate : node.surrogates) store(tree.surrogates, surrogate);
  tree.surrogates.starts.push_back(static_cast<std::int64_t>(tree.surrogates.feature.size()));
}

// Level by level, so that children lie side by side behind their parents.
template <class Rows>
GrownTree in_order(const std::vector<Node<Rows>>& nodes) {
  GrownTree tree;
  tree.levels_at.push_back(0);
  tree.surrogates.starts.push_back(0);
  tree.surrogates.levels_at.push_back(0);
  std::vector<std::int32_t> queue{0};
  for (std::size_t k = 0; k < queue.size(); ++k) {
    const Node<Rows>& node = nodes[static_cast<std::size_t>(queue[k])];
    const auto next = static_cast<std::int32_t>(queue.size());
    store(tree, node, node.split.exists() ? next : -1);
    if (node.split.exists())
      for (std::int32_t b = 0; b < node.split.count; ++b) queue.push_back(node.first_child + b);
  }
  return tree;
}

}  // namespace classica
