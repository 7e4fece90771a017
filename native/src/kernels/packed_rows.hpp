// Rows in the layout of block kernels: `height` rows side by side, column by column, and their squared
// lengths. Rows that fill up the last strip are zero.
#pragma once

#include <vector>

#include "classica/view.hpp"

namespace classica {

struct PackedRows {
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t cols = 0;
  std::ptrdiff_t height = 1;
  std::vector<double> values;
  std::vector<double> norms;

  PackedRows(std::ptrdiff_t rows, std::ptrdiff_t cols, std::ptrdiff_t height)
      : rows(rows),
        cols(cols),
        height(height),
        values(static_cast<std::size_t>(strips() * height * cols)),
        norms(static_cast<std::size_t>(strips() * height)) {}

  std::ptrdiff_t strips() const { return (rows + height - 1) / height; }
  const double* strip(std::ptrdiff_t s) const { return values.data() + s * height * cols; }
  const double* strip_norms(std::ptrdiff_t s) const { return norms.data() + s * height; }

  // Puts a row in its place: value(j) for each column.
  template <class Value>
  void set(std::ptrdiff_t row, Value value) {
    double* const place = values.data() + row / height * height * cols + row % height;
    double norm = 0;
    for (std::ptrdiff_t j = 0; j < cols; ++j) {
      const double x = value(j);
      place[j * height] = x;
      norm += x * x;
    }
    norms[static_cast<std::size_t>(row)] = norm;
  }
};

// Rows first .. first + count of a matrix, seen from `center` (or from the origin).
template <class T>
PackedRows pack_rows(Matrix<const T> X, std::ptrdiff_t first, std::ptrdiff_t count, const double* center,
                     std::ptrdiff_t height) {
  PackedRows packed(count, X.cols, height);
  for (std::ptrdiff_t i = 0; i < count; ++i)
    packed.set(i, [&](std::ptrdiff_t j) {
      return static_cast<double>(X(first + i, j)) - (center ? center[j] : 0.0);
    });
  return packed;
}

}  // namespace classica
