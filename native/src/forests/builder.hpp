// Packs grown trees into the arrays of a forest: sixteen bytes a node, and the values of leaves kept once
// each in a hash table (own; docs/decisions/0024).
//
// Invariant: a node's number within its tree is its index less the start of the tree; rows of values are
// numbered in the order of their first use, so that the arrays do not depend on threads. Cost: O(nodes).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "classica/forest.hpp"

namespace classica {

class ForestBuilder {
 public:
  // `values_in_leaves`: values are single numbers, which leaves keep themselves.
  ForestBuilder(std::ptrdiff_t width, bool values_in_leaves, bool divides_rows)
      : values_in_leaves_(values_in_leaves), divides_rows_(divides_rows) {
    forest_.width = width;
    last_rows_.assign(static_cast<std::size_t>(width), -1);
  }

  // `node_values` has a row per node of the tree.
  void add(const GrownTree& tree, const std::vector<double>& node_values) {
    const std::size_t nodes = tree.feature.size();
    for (std::size_t k = 0; k < nodes; ++k) {
      const double* value = node_values.data() + k * static_cast<std::size_t>(forest_.width);
      forest_.nodes.push_back(tree.feature[k] < 0 ? leaf(value) : inner(tree, k, value));
      if (divides_rows_) forest_.weight.push_back(weight_of(tree, k));
    }
    forest_.starts.push_back(static_cast<std::int64_t>(forest_.nodes.size()));
    if (!tree.surrogates.feature.empty() || !forest_.surrogates_at.empty()) add_surrogates(tree);
  }

  Forest finish() && { return std::move(forest_); }

 private:
  ForestNode leaf(const double* value) {
    ForestNode node;
    if (values_in_leaves_)
      node.limit = *value;
    else
      node.first_child = ~row_of_value(value);
    return node;
  }

  ForestNode inner(const GrownTree& tree, std::size_t k, const double* value) {
    ForestNode node;
    node.first_child = tree.first_child[k];
    node.question = static_cast<std::uint32_t>(tree.feature[k]);
    const std::int64_t begin = tree.levels_at[k], end = tree.levels_at[k + 1];
    if (begin == end) {
      node.limit = tree.threshold[k];
      node.question |= static_cast<std::uint32_t>(tree.missing_child[k]) << ForestNode::missing_shift;
      return node;
    }
    node.question |= ForestNode::category_bit;
    node.limit = std::bit_cast<double>(std::array{static_cast<std::uint32_t>(forest_.level_child.size()),
                                                  static_cast<std::uint32_t>(end - begin)});
    forest_.level_child.insert(forest_.level_child.end(), tree.level_child.begin() + begin,
                               tree.level_child.begin() + end);
    forest_.level_child.push_back(tree.missing_child[k]);
    forest_.level_child.push_back(row_of_value(value));
    return node;
  }

  std::int32_t row_of_value(const double* value) {
    const auto width = static_cast<std::size_t>(forest_.width);
    // Most leaves are pure: the last row with the same largest entry is mostly the one.
    std::int32_t& last = last_rows_[static_cast<std::size_t>(std::max_element(value, value + width) - value)];
    const std::size_t bytes = width * sizeof(double);
    if (last >= 0 &&
        std::memcmp(value, forest_.values.data() + static_cast<std::size_t>(last) * width, bytes) == 0)
      return last;
    const std::string key(reinterpret_cast<const char*>(value), bytes);
    const auto [place, is_new] = rows_.try_emplace(key, static_cast<std::int32_t>(rows_.size()));
    if (is_new) forest_.values.insert(forest_.values.end(), value, value + width);
    return last = place->second;
  }

  double weight_of(const GrownTree& tree, std::size_t k) const {
    const std::size_t width = tree.summary.size() / tree.feature.size();
    const auto summary = tree.summary.begin() + static_cast<std::ptrdiff_t>(k * width);
    return values_in_leaves_ ? *summary
                             : std::accumulate(summary, summary + static_cast<std::ptrdiff_t>(width), 0.0);
  }

  void add_surrogates(const GrownTree& tree) {
    const Surrogates& from = tree.surrogates;
    const std::size_t before = forest_.nodes.size() - tree.feature.size();
    if (forest_.surrogates_at.empty()) forest_.surrogates_at.assign(before + 1, 0);
    const auto shift = static_cast<std::int64_t>(forest_.surrogates.size());
    for (std::size_t k = 1; k < from.starts.size(); ++k)
      forest_.surrogates_at.push_back(from.starts[k] + shift);
    const auto levels_before = static_cast<std::int64_t>(forest_.surrogate_level_child.size());
    for (std::size_t s = 0; s < from.feature.size(); ++s) {
      const std::int64_t begin = from.levels_at[s], end = from.levels_at[s + 1];
      const bool by_levels = end > begin;
      forest_.surrogates.push_back({by_levels ? static_cast<double>(end - begin) : from.threshold[s],
                                    by_levels ? levels_before + begin : -1, from.feature[s], from.flipped[s],
                                    -1, 2});
    }
    forest_.surrogate_level_child.insert(forest_.surrogate_level_child.end(), from.level_child.begin(),
                                         from.level_child.end());
  }

  bool values_in_leaves_, divides_rows_;
  Forest forest_;
  std::unordered_map<std::string, std::int32_t> rows_;
  std::vector<std::int32_t> last_rows_;
};

}  // namespace classica
