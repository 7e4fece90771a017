// Products with single rows, dense or sparse, for solvers that visit one row at a time.
#pragma once

#include <array>

#include "classica/view.hpp"

namespace classica {

// The row times w. Four sums side by side: one alone would wait for its own additions.
template <class T>
double row_dot(const Matrix<const T>& X, std::ptrdiff_t row, const double* w) {
  const T* x = X.row(row);
  std::array<double, 4> sums{};
  std::ptrdiff_t j = 0;
  for (; j + 4 <= X.cols; j += 4)
    for (std::ptrdiff_t c = 0; c < 4; ++c)
      sums[static_cast<std::size_t>(c)] += w[j + c] * static_cast<double>(x[(j + c) * X.col_stride]);
  for (; j < X.cols; ++j) sums[0] += w[j] * static_cast<double>(x[j * X.col_stride]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class T, class Index>
double row_dot(const SparseRows<T, Index>& X, std::ptrdiff_t row, const double* w) {
  double sum = 0.0;
  for (std::ptrdiff_t k = X.starts[row]; k < X.starts[row + 1]; ++k)
    sum += w[X.columns[k]] * static_cast<double>(X.values[k]);
  return sum;
}

// w += amount * row
template <class T>
void add_row(const Matrix<const T>& X, std::ptrdiff_t row, double amount, double* w) {
  const T* x = X.row(row);
  for (std::ptrdiff_t j = 0; j < X.cols; ++j) w[j] += amount * static_cast<double>(x[j * X.col_stride]);
}

template <class T, class Index>
void add_row(const SparseRows<T, Index>& X, std::ptrdiff_t row, double amount, double* w) {
  for (std::ptrdiff_t k = X.starts[row]; k < X.starts[row + 1]; ++k)
    w[X.columns[k]] += amount * static_cast<double>(X.values[k]);
}

template <class T>
double squared_length(const Matrix<const T>& X, std::ptrdiff_t row) {
  double sum = 0.0;
  for (std::ptrdiff_t j = 0; j < X.cols; ++j)
    sum += static_cast<double>(X(row, j)) * static_cast<double>(X(row, j));
  return sum;
}

template <class T, class Index>
double squared_length(const SparseRows<T, Index>& X, std::ptrdiff_t row) {
  double sum = 0.0;
  for (std::ptrdiff_t k = X.starts[row]; k < X.starts[row + 1]; ++k)
    sum += static_cast<double>(X.values[k]) * static_cast<double>(X.values[k]);
  return sum;
}

}  // namespace classica
