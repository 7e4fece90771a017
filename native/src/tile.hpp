// Rows side by side, eight unless a kernel says otherwise: the layout in which block kernels read rows, one
// lane per row.
#pragma once

#include <algorithm>

#include "classica/view.hpp"

namespace classica {

constexpr std::ptrdiff_t tile_rows = 8;

// tile[j * height + r] = X(first + r, column(j)) as double, for j below `count`; lanes beyond the last row
// keep what they held.
template <std::ptrdiff_t height = tile_rows, class T, class Column>
void pack_tile(Matrix<const T> X, std::ptrdiff_t first, std::ptrdiff_t count, Column column, double* tile) {
  const std::ptrdiff_t rows = std::min(height, X.rows - first);
  for (std::ptrdiff_t r = 0; r < rows; ++r)
    for (std::ptrdiff_t j = 0; j < count; ++j)
      tile[j * height + r] = static_cast<double>(X(first + r, column(j)));
}

// The same for all columns.
template <std::ptrdiff_t height = tile_rows, class T>
void pack_tile(Matrix<const T> X, std::ptrdiff_t first, double* tile) {
  pack_tile<height>(X, first, X.cols, [](std::ptrdiff_t j) { return j; }, tile);
}

}  // namespace classica
