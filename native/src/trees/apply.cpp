#include <cmath>
#include <utility>
#include <vector>

#include "classica/parallel.hpp"
#include "classica/tree_apply.hpp"
#include "route.hpp"

namespace classica {
namespace {

constexpr std::ptrdiff_t rows_at_once = 512;

template <class T>
std::int32_t last_node(Matrix<const T> X, std::ptrdiff_t row, const TreeView& tree) {
  std::int32_t node = 0;
  for (std::int32_t feature = tree.splits.feature[0]; feature >= 0; feature = tree.splits.feature[node]) {
    const double value = static_cast<double>(X(row, feature));
    const std::int32_t child =
        std::isnan(value) ? child_without(X, row, tree, node) : tree.splits.child(node, value);
    if (child < 0) break;
    node = tree.first_child[node] + child;
  }
  return node;
}

}  // namespace

template <class T>
void apply_tree(Matrix<const T> X, const TreeView& tree, int threads, std::int32_t* out) {
  parallel_for(X.rows, rows_at_once, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t i = begin; i < end; ++i) out[i] = last_node(X, i, tree);
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
        const auto [node, share] = open.back();
        open.pop_back();
        const std::int32_t feature = tree.splits.feature[node];
        const double value = feature < 0 ? 0.0 : static_cast<double>(X(i, feature));
        if (feature >= 0 && std::isnan(value)) {
          double all = 0.0;
          for (std::int32_t b = 0; b < tree.child_count[node]; ++b) all += weight[tree.first_child[node] + b];
          for (std::int32_t b = tree.child_count[node]; b-- > 0;)
            open.emplace_back(tree.first_child[node] + b, share * (weight[tree.first_child[node] + b] / all));
          continue;
        }
        const std::int32_t child = feature < 0 ? -1 : tree.splits.child(node, value);
        if (child >= 0) {
          open.emplace_back(tree.first_child[node] + child, share);
          continue;
        }
        for (std::ptrdiff_t c = 0; c < values.cols; ++c) out(i, c) += share * values(node, c);
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
