// Taking away from a grown tree what is not worth its leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "classica/tree.hpp"
#include "classica/tree_apply.hpp"
#include "classica/view.hpp"

namespace classica {

// Writes for each inner node the least alpha at which the smallest tree that minimises risk + alpha * leaves
// does not divide it, and 0 for leaves (Breiman et al. 1984). A node's alpha is never above its parent's;
// alphas that differ by rounding only are made equal.
void weakest_links(Vector<const std::int32_t> first_child, Vector<const std::int32_t> child_count,
                   Vector<const double> risk, double* alpha);

struct ErrorRules {
  // The errors of a leaf are taken to be at the upper limit of their confidence interval: the chance of even
  // fewer is `confidence`; `deviate` is the standard normal deviate exceeded with that chance.
  double confidence = 0.25;
  double deviate = 0.6744897501960817;
  bool raising = true;        // whether a node may be replaced by its largest branch
  bool divides_rows = false;  // whether missing cells take every branch, by fractions of the row
  CategorySplit categories = CategorySplit::multiway;
};

// A tree made of another one. Children lie behind their parents, level by level.
struct PrunedTree {
  std::vector<std::int32_t> origin;  // the node whose question is asked; -1 for a leaf of a level new to it
  std::vector<std::int32_t> first_child, child_count;
  std::vector<std::int64_t> levels_at;  // [nodes + 1]
  std::vector<std::int32_t> level_child;
  std::vector<double> cases;
  std::vector<double> counts;  // [nodes * classes]
};

// C4.5's error-based pruning (Quinlan 1993), from the leaves up: a node becomes a leaf, or its largest
// branch, where the estimated errors are not higher by more than a tenth of a case. The rows are those the
// tree was grown on. A branch that is raised is counted anew with all rows of the node; rows of a level it
// did not know get a leaf of their own where there is a branch for each level, else go to the second (one
// level against the others) or the largest branch.
template <class T>
PrunedTree prune_by_errors(Matrix<const T> X, const Target& target, Vector<const std::uint32_t> rows,
                           const TreeView& tree, Matrix<const double> counts, Vector<const double> cases,
                           const ErrorRules& rules);

}  // namespace classica
