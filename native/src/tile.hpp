// Eight rows side by side: the layout in which block kernels read rows, one lane per row.
#pragma once

#include <algorithm>

#include "classica/view.hpp"

namespace classica {

constexpr std::ptrdiff_t tile_rows = 8;

// tile[j * tile_rows + r] = X(first + r, j) as double; lanes beyond the last row keep what they held.
template <class T>
void pack_tile(Matrix<const T> X, std::ptrdiff_t first, double* tile) {
  const std::ptrdiff_t rows = std::min(tile_rows, X.rows - first);
  for (std::ptrdiff_t r = 0; r < rows; ++r)
    for (std::ptrdiff_t j = 0; j < X.cols; ++j)
      tile[j * tile_rows + r] = static_cast<double>(X(first + r, j));
}

}  // namespace classica
