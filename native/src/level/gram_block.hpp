// Weighted sums of products of columns, scores and weighted sums of rows, over a panel of rows; compiled once
// per instruction level.
#pragma once

#include <cstddef>

#include "classica/level.hpp"

namespace classica {

// A panel holds up to `panel_rows` rows: columns in strips of `strip_width`, each strip row by row. Strips a
// power of two apart would compete for the same places of the cache.
constexpr std::ptrdiff_t strip_width = 4;
constexpr std::ptrdiff_t panel_rows = 64;
constexpr std::ptrdiff_t strip_size = (panel_rows + 2) * strip_width;

template <class Level>
struct GramBlock {
  // Puts `cols` values, `stride` apart, less their centers and times their factors into a row of a panel.
  template <class T>
  static void fill_row(const T* values, std::ptrdiff_t stride, std::ptrdiff_t cols, const double* center,
                       const double* factor, double* panel_row);

  // out[r] = the row times `weights` (strips * strip_width of them), added in the same order for every row.
  static void scores(const double* panel, std::ptrdiff_t strips, std::ptrdiff_t rows, const double* weights,
                     double* out);

  // Adds sum over r of amounts[k * panel_rows + r] * row r to sums[k * strips * strip_width ...], k < count.
  static void add_sums(const double* panel, std::ptrdiff_t strips, std::ptrdiff_t rows, const double* amounts,
                       int count, double* sums);

  // Adds sum over r of amounts[r] * (row r) (row r)^T: the lower triangle of tiles of strip_width squared,
  // row by row. `work` has room for a panel.
  static void add_products(const double* panel, std::ptrdiff_t strips, std::ptrdiff_t rows,
                           const double* amounts, double* work, double* tiles);

  // The scalar product of two contiguous vectors.
  static double dot(const double* a, const double* b, std::ptrdiff_t size);
};

}  // namespace classica
