// Rows through a grown tree.
#pragma once

#include <cstdint>

#include "classica/view.hpp"

namespace classica {

// A question about one column, all that a row meets at a node in one half of a cache line.
struct Question {
  double limit;            // numbers up to it go to child 0; for categories the number of levels
  std::int64_t levels_at;  // where the children of the levels start; -1 for numbers
  std::int32_t feature;    // -1: a leaf
  std::int32_t first_child;
  std::int32_t missing_child;
  std::int32_t child_count;
};
static_assert(sizeof(Question) == 32);

// The children of category levels, -1 for a level that was not there.
using LevelChildren = Vector<const std::int32_t>;

// The child of a known value, -1 for a level that was not there.
inline std::int32_t child_of(const Question& question, const LevelChildren& levels, double value) {
  if (question.levels_at < 0) return value > question.limit;
  if (!(value >= 0.0 && value < question.limit)) return -1;
  return levels[question.levels_at + static_cast<std::int64_t>(value)];
}

// A tree, children behind parents. Surrogates may be absent; their first child is 1 where they are to be read
// the other way round, else 0.
struct TreeView {
  Vector<const Question> nodes;
  LevelChildren level_child;
  Vector<const Question> surrogates;
  LevelChildren surrogate_level_child;
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
