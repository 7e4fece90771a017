// Rows through a tree, eight side by side: one waits for memory while the others go on (own). Where missing
// cells divide a row, its parts are followed from a list with their shares (Quinlan 1993).
//
// Invariant: a row's end depends on the row alone; the shares of a row's parts sum to one. Cost: O(depth)
// per row, O(leaves) at worst where rows are divided.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "classica/parallel.hpp"
#include "classica/tree_apply.hpp"
#include "route.hpp"

namespace classica {
namespace {

// Long enough for a thread to be worth waking, short enough to stop soon.
constexpr std::ptrdiff_t rows_at_once = 512;

// The node a row comes to next; the same one where it ends.
template <class T>
std::int32_t next_node(Matrix<const T> X, std::ptrdiff_t row, const TreeView& tree, std::int32_t id) {
  const Question& node = tree.nodes[id];
  if (node.feature < 0) return id;
  const double value = static_cast<double>(X(row, node.feature));
  const std::int32_t child =
      std::isnan(value) ? child_without(X, row, tree, id) : child_of(node, tree.level_child, value);
  return child < 0 ? id : node.first_child + child;
}

// Several rows go down side by side, so that one waits for memory while the others go on.
constexpr std::ptrdiff_t side_by_side = 8;

template <class T>
void go_down(Matrix<const T> X, std::ptrdiff_t begin, std::ptrdiff_t end, const TreeView& tree,
             std::int32_t* out) {
  for (std::ptrdiff_t i = begin; i < end; ++i) out[i] = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      const std::int32_t next = next_node(X, i, tree, out[i]);
      moved |= next != out[i];
      out[i] = next;
    }
  }
}

}  // namespace

template <class T>
void apply_tree(Matrix<const T> X, const TreeView& tree, int threads, std::int32_t* out) {
  parallel_for(X.rows, rows_at_once, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t i = begin; i < end; i += side_by_side)
      go_down(X, i, std::min(i + side_by_side, end), tree, out);
  });
}

template <class T>
void spread_over_tree(Matrix<const T> X, const TreeView& tree, Vector<const double> weight,
                      Matrix<const double> values, int threads, Matrix<double> out) {
  parallel_for(X.rows, rows_at_once, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    std::vector<std::pair<std::int32_t, double>> open;
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      for (std::ptrdiff_t c = 0; c < values.cols; ++c) out(i, c) = 0.0;
      open.assign(1, {0, 1.0});
      while (!open.empty()) {
        const auto [id, share] = open.back();
        open.pop_back();
        const Question& node = tree.nodes[id];
        const double value = node.feature < 0 ? 0.0 : static_cast<double>(X(i, node.feature));
        if (node.feature >= 0 && std::isnan(value)) {
          double all = 0.0;
          for (std::int32_t b = 0; b < node.child_count; ++b) all += weight[node.first_child + b];
          for (std::int32_t b = node.child_count; b-- > 0;)
            open.emplace_back(node.first_child + b, share * (weight[node.first_child + b] / all));
          continue;
        }
        const std::int32_t child = node.feature < 0 ? -1 : child_of(node, tree.level_child, value);
        if (child >= 0) {
          open.emplace_back(node.first_child + child, share);
          continue;
        }
        for (std::ptrdiff_t c = 0; c < values.cols; ++c) out(i, c) += share * values(id, c);
      }
    }
  });
}

template void apply_tree(Matrix<const float>, const TreeView&, int, std::int32_t*);
template void apply_tree(Matrix<const double>, const TreeView&, int, std::int32_t*);
template void spread_over_tree(Matrix<const float>, const TreeView&, Vector<const double>,
                               Matrix<const double>, int, Matrix<double>);
template void spread_over_tree(Matrix<const double>, const TreeView&, Vector<const double>,
                               Matrix<const double>, int, Matrix<double>);

}  // namespace classica
