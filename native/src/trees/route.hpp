// Where a row goes whose cell is missing.
#pragma once

#include <cmath>

#include "classica/tree_apply.hpp"

namespace classica {

// The child of a row in which the column a node asks for is missing: that of the first surrogate that knows.
template <class T>
std::int32_t child_without(Matrix<const T> X, std::ptrdiff_t row, const TreeView& tree, std::int32_t node) {
  if (tree.surrogates_at.size > 0) {
    for (std::int64_t s = tree.surrogates_at[node]; s < tree.surrogates_at[node + 1]; ++s) {
      const double value = static_cast<double>(X(row, tree.surrogates.feature[s]));
      if (std::isnan(value)) continue;
      const std::int32_t child = tree.surrogates.child(s, value);
      if (child >= 0) return tree.flipped[s] ? 1 - child : child;
    }
  }
  return tree.missing_child[node];
}

}  // namespace classica
