// Weighted sums of products of every two columns in plain double precision: the matrices of Newton steps.
// (What must not lose a digit is in products.hpp.)
#pragma once

#include "classica/view.hpp"

namespace classica {

// How rows are seen: value j as (x_j - center_j) * factor_j; with `ones` there is one more column, of ones.
struct RowFrame {
  std::ptrdiff_t cols = 0;
  const double* center = nullptr;
  const double* factor = nullptr;
  bool ones = false;

  std::ptrdiff_t width() const { return cols + ones; }
};

// out = sum over rows of weights[i] * row_i row_i^T, both triangles; without weights all count one.
template <class T>
void weighted_gram(Matrix<const T> X, const RowFrame& frame, Vector<const double> weights, int threads,
                   Matrix<double> out);

// out = sum over rows of weights[i] * row_i
template <class T>
void weighted_sums(Matrix<const T> X, const RowFrame& frame, Vector<const double> weights, int threads,
                   Vector<double> out);

}  // namespace classica
