// Quadratic forms of a tile of rows; compiled once per instruction level.
#pragma once

#include <cstddef>

#include "classica/level.hpp"
#include "classica/simd.hpp"

namespace classica {

template <class Level>
struct QuadraticBlock {
  static constexpr std::ptrdiff_t strip = 4;                     // rows of a factor side by side
  static constexpr std::ptrdiff_t tile_rows = 2 * lanes<Level>;  // rows of the table side by side

  // rows, center: a tile (see tile.hpp) and the point it is seen from. factor: an upper triangular matrix
  // in strips of four rows, factor[(k / strip * cols + j) * strip + k % strip], padded with zero rows.
  // Writes out[r] = |factor * (row_r - center)|^2, added in the same order for every lane. `work` holds a
  // tile.
  static void squared_lengths(const double* rows, std::ptrdiff_t cols, const double* center,
                              const double* factor, double* work, double* out);
};

}  // namespace classica
