// Softmax regression: the loss of a linear model of log odds, its gradient and its curvature.
//
// A row x, seen from a center and with a one behind it, has the scores B (x - center, 1). For two classes
// there may be one row of B, the score of the second class against zero. The loss of a row is -log of the
// softmax probability of its class, times its weight.
#pragma once

#include <cstdint>

#include "classica/view.hpp"

namespace classica {

struct SoftmaxTask {
  std::ptrdiff_t classes = 0;
  const double* center = nullptr;     // [cols]
  Vector<const std::int32_t> codes;   // the class of each row
  Vector<const double> weights;       // of each row; no data: all one
  Matrix<const double> coefficients;  // [classes, or 1 of 2; cols + 1], rows contiguous
};

// Returns the loss of all rows; gradient: its derivatives by the coefficients. Rows contiguous.
template <class T>
double softmax_gradient(Matrix<const T> X, const SoftmaxTask& task, int threads, Matrix<double> gradient);

// out: a matrix of (cols + 1)^2 for each pair of classes (0, 1), (0, 2), (1, 2), (0, 3), ...: the sum over
// all rows of weight p_a p_b z z^T with z = (x - center, 1). Only the lower triangles are written.
template <class T>
void softmax_curvature(Matrix<const T> X, const SoftmaxTask& task, int threads, double* out);

// Scores [rows, classes] become residuals weight (p_c - [c is the row's class]); returns the loss.
double softmax_residuals(Matrix<double> scores, Vector<const std::int32_t> codes,
                         Vector<const double> weights, int threads);

// out = X M
template <class T, class Index>
void sparse_product(const SparseRows<T, Index>& X, Matrix<const double> M, int threads, Matrix<double> out);

// The curvature of the loss at a point, row by row: that of row i for the classes c and b is
// bends_ic ([c = b] - shares_ib) z z^T. Of two classes one has a vector, with bend weight p (1 - p) and share
// 0.
struct RowCurvature {
  Matrix<const double> bends, shares;  // [vectors, rows]
};

// The columns that have coefficients: (x - center) / scale, and ones where the place is the number of
// columns.
struct UsedColumns {
  Vector<const std::int64_t> places;
  const double* center = nullptr;  // zeros for sparse rows
  const double* scale = nullptr;
};

// Does what descend_coordinates does for the quadratic model of a table, without a matrix of products: step,
// at and gradient are [vectors, columns used], ridge and bounds [columns used]. The table is given by its
// columns: a matrix, or the rows of its transpose.
template <class Columns>
std::ptrdiff_t descend_columns(const Columns& X, const UsedColumns& used, const RowCurvature& curvature,
                               Matrix<const double> gradient, Matrix<const double> at,
                               Vector<const double> ridge, Vector<const double> bounds, double tolerance,
                               std::ptrdiff_t sweeps, Matrix<double> step);

// Lowers gradient . s + s . curvature s / 2 + sum of bounds_k |at_k + s_k| by one coordinate of s after the
// other, in their order and at most `sweeps` times all of them, until none moves the slope of another by more
// than `tolerance`. A coordinate that takes part in a bound and ends at zero is exactly zero: at_k + s_k ==
// 0. `step` holds s, the first and the best one. Returns the sweeps it took.
std::ptrdiff_t descend_coordinates(Matrix<const double> curvature, Vector<const double> gradient,
                                   Vector<const double> at, Vector<const double> bounds, double tolerance,
                                   std::ptrdiff_t sweeps, Vector<double> step);

}  // namespace classica
