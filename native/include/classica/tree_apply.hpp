// Rows through a grown tree.
#pragma once

#include <cstdint>

#include "classica/view.hpp"

namespace classica {

// A division of rows by one column: a number against a threshold, or the child of each category code.
struct SplitsView {
  Vector<const std::int32_t> feature;      // -1: none
  Vector<const double> threshold;          // numbers up to it go to child 0
  Vector<const std::int64_t> levels_at;    // [splits + 1]
  Vector<const std::int32_t> level_child;  // -1: the level was not there

  bool is_numeric(std::ptrdiff_t k) const { return levels_at[k] == levels_at[k + 1]; }
  // The child of a known value, -1 for a level that was not there.
  std::int32_t child(std::ptrdiff_t k, double value) const {
    if (is_numeric(k)) return value > threshold[k];
    const std::int64_t levels = levels_at[k + 1] - levels_at[k];
    if (!(value >= 0.0 && value < static_cast<double>(levels))) return -1;
    return level_child[levels_at[k] + static_cast<std::int64_t>(value)];
  }
};

// A tree in the arrays of `GrownTree`, with thresholds for ranks. Surrogates may be absent.
struct TreeView {
  SplitsView splits;
  Vector<const std::int32_t> missing_child;
  Vector<const std::int32_t> first_child;
  Vector<const std::int32_t> child_count;
  SplitsView surrogates;
  Vector<const std::uint8_t> flipped;
  Vector<const std::int64_t> surrogates_at;  // [nodes + 1]
};

// Writes the node in which each row ends: a leaf, or an inner node that does not know the row's category.
// Missing cells follow the surrogates, then the missing child.
template <class T>
void apply_tree(Matrix<const T> X, const TreeView& tree, int threads, std::int32_t* out);

// Writes the mean of the nodes' values (a row of `values` each) over all nodes in which parts of a row end: a
// missing cell divides the row among all children by their weight.
template <class T>
void spread_over_tree(Matrix<const T> X, const TreeView& tree, Vector<const double> weight,
                      Matrix<const double> values, int threads, Matrix<double> out);

}  // namespace classica
