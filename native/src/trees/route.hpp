// Where a row goes whose cell is missing: the way of the first surrogate that knows (Breiman et al. 1984),
// else to the child that the split has for missing cells. Growing, pruning and predicting ask the same
// question here.
#pragma once

#include <cmath>

#include "classica/tree_apply.hpp"

namespace classica {

// The child of a row in which the column a node asks for is missing: that of the first surrogate that knows.
template <class T>
std::int32_t child_without(Matrix<const T> X, std::ptrdiff_t row, const TreeView& tree, std::int32_t node) {
  if (tree.surrogates_at.size > 0) {
    for (std::int64_t s = tree.surrogates_at[node]; s < tree.surrogates_at[node + 1]; ++s) {
      const Question& surrogate = tree.surrogates[s];
      const double value = static_cast<double>(X(row, surrogate.feature));
      if (std::isnan(value)) continue;
      const std::int32_t child = child_of(surrogate, tree.surrogate_level_child, value);
      if (child >= 0) return surrogate.first_child ? 1 - child : child;
    }
  }
  return tree.nodes[node].missing_child;
}

}  // namespace classica
