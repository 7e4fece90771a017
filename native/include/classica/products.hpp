// Per group of rows: the weighted sums of the products of every two columns, the second moments about zero.
// With counts and sums they give every covariance; kept as double-double they can be added and taken away
// without loss, and an offset of the data costs no digit of the covariances.
#pragma once

#include <cstdint>

#include "classica/moments.hpp"
#include "classica/view.hpp"

namespace classica {

// One lower triangle per group, row by row: the pair (i, j), j <= i, is at i (i + 1) / 2 + j.
struct Products {
  std::ptrdiff_t groups = 0;
  std::ptrdiff_t cols = 0;
  double* high = nullptr;
  double* low = nullptr;

  std::ptrdiff_t pairs() const { return cols * (cols + 1) / 2; }
};

// Adds the rows of X to what `out` holds; weights.size == 0 means a weight of one each. An empty `group`
// puts all rows into group 0. Values must not exceed 1e150 in magnitude. Where out.cols is X.cols + 1, the
// last column stands for ones: its products are the sums of the columns and the count.
template <class T>
void grouped_products(Matrix<const T> X, Vector<const std::int32_t> group, Vector<const double> weights,
                      int threads, const Products& out);

// The scatter about the means, sum w (x - mean)(x - mean)^T, as full symmetric matrices: of each group, or,
// where `products` has a single group for all, summed over the groups of `moments`. A column that varies by
// less than the resolution of the sums is constant: its row and column become zero.
void scatter_matrices(const Moments& moments, const Products& products, double* out);

}  // namespace classica
