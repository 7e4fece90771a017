// Tiles of rows for softmax regression; compiled once per instruction level.
//
// A tile holds `height` rows side by side, a multiple of eight: tile[j * height + r] is column j of row r.
#pragma once

#include <cstddef>
#include <cstdint>

#include "classica/level.hpp"

namespace classica {

template <class Level>
struct SoftmaxBlock {
  // out[c * height + r] = sum over j of weights[c * cols + j] * tile[j * height + r], in the order of j.
  static void scores(const double* tile, std::ptrdiff_t height, std::ptrdiff_t cols, const double* weights,
                     std::ptrdiff_t count, double* out);

  // out[a * stride + b] += sum over r of left[a * height + r] * right[b * height + r], for a < lefts, b <
  // rights.
  static void add_products(const double* left, std::ptrdiff_t lefts, const double* right,
                           std::ptrdiff_t rights, std::ptrdiff_t height, double* out, std::ptrdiff_t stride);

  // Scores become e^(score - the highest of the row); totals[r] is their sum over the classes.
  static void exponentials(double* scores, std::ptrdiff_t classes, std::ptrdiff_t height, double* totals);

  // Scores become weight * (probability - [class of the row]); losses[r] = -weight * log probability of that
  // class.
  static void residuals(double* scores, std::ptrdiff_t classes, std::ptrdiff_t height,
                        const std::int32_t* codes, const double* weights, double* losses);
};

}  // namespace classica
