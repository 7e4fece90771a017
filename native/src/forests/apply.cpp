// The mean of what the trees say of each row, and the node of each tree in which it ends. Rows are cut into
// pieces; each piece goes through all trees in their order, so that a row's sum has one order of addition
// for any batch and any number of threads. Cost: O(depth) per row and tree.
#include <numeric>

#include "classica/parallel.hpp"
#include "walk.hpp"

namespace classica {
namespace {

// Few enough rows to stop soon, enough of them to read a tree once for all.
std::ptrdiff_t rows_at_once(std::ptrdiff_t rows, int threads) {
  return std::clamp<std::ptrdiff_t>(rows / (4 * threads), 64, 4096);
}

template <class T>
auto cell_of(const Matrix<const T>& X) {
  return [X](std::ptrdiff_t row, std::ptrdiff_t column) { return X(row, column); };
}

// Calls body(first row, rows) for pieces of all rows.
template <class Body>
void for_pieces(std::ptrdiff_t rows, int threads, Body body) {
  parallel_for(rows, rows_at_once(rows, threads), threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    std::vector<std::int32_t> piece(static_cast<std::size_t>(end - begin));
    std::iota(piece.begin(), piece.end(), static_cast<std::int32_t>(begin));
    body(begin, std::span<const std::int32_t>(piece));
  });
}

}  // namespace

template <class T>
void forest_means(Matrix<const T> X, const ForestView& forest, Matrix<const double> values, int threads,
                  Matrix<double> out) {
  for_pieces(X.rows, threads, [&](std::ptrdiff_t begin, std::span<const std::int32_t> rows) {
    const auto count = static_cast<std::ptrdiff_t>(rows.size());
    std::fill(out.row(begin), out.row(begin) + count * out.cols, 0.0);
    for (std::ptrdiff_t t = 0; t < forest.trees(); ++t) {
      poll_interrupt();
      const TreeWalk walk(forest, t, cell_of(X));
      walk.for_each_end(rows, [&](std::size_t k, std::int32_t id, double share) {
        walk.add_value(id, share, values, out.row(begin + static_cast<std::ptrdiff_t>(k)));
      });
    }
    const auto trees = static_cast<double>(forest.trees());
    for (double* sum = out.row(begin); sum != out.row(begin) + count * out.cols; ++sum) *sum /= trees;
  });
}

template <class T>
void apply_forest(Matrix<const T> X, const ForestView& forest, int threads, Matrix<std::int32_t> out) {
  for_pieces(X.rows, threads, [&](std::ptrdiff_t begin, std::span<const std::int32_t> rows) {
    for (std::ptrdiff_t t = 0; t < forest.trees(); ++t) {
      poll_interrupt();
      const TreeWalk walk(forest, t, cell_of(X));
      std::int32_t ends[decltype(walk)::side_by_side];
      for (std::size_t k = 0; k < rows.size(); k += walk.side_by_side) {
        const auto group = rows.subspan(k, std::min(walk.side_by_side, rows.size() - k));
        walk.go_down(group, ends);
        for (std::size_t i = 0; i < group.size(); ++i)
          out(begin + static_cast<std::ptrdiff_t>(k + i), t) = ends[i];
      }
    }
  });
}

template void forest_means(Matrix<const float>, const ForestView&, Matrix<const double>, int, Matrix<double>);
template void forest_means(Matrix<const double>, const ForestView&, Matrix<const double>, int,
                           Matrix<double>);
template void apply_forest(Matrix<const float>, const ForestView&, int, Matrix<std::int32_t>);
template void apply_forest(Matrix<const double>, const ForestView&, int, Matrix<std::int32_t>);

}  // namespace classica
