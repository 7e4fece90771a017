// Sums of products over a panel of rows, without loss; compiled once per instruction level.
#pragma once

#include <cstddef>

#include "classica/level.hpp"
#include "classica/simd.hpp"

namespace classica {

template <class Level>
struct ProductBlock {
  static constexpr std::ptrdiff_t width = lanes<Level>;  // columns side by side
  static constexpr std::ptrdiff_t panel_rows = 128;

  // left, right, right_low: `width` columns of `rows` <= panel_rows rows, row by row; right_low (or null)
  // holds what the rounding of `right` left. left_bound[i], right_bound[j]: powers of two that no value of
  // the column exceeds. Adds, for every i and j, the sum over the rows of left_i * (right_j + right_low_j)
  // to the double-double number high[i * width + j], low[i * width + j].
  static void add_tile(const double* left, const double* right, const double* right_low, std::ptrdiff_t rows,
                       const double* left_bound, const double* right_bound, double* high, double* low);
};

}  // namespace classica
