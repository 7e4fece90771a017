// The arithmetic of a network's layers; compiled once per instruction level, with the same bits for Avx2 and
// Avx512: every number is added up by itself, in one order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "classica/level.hpp"
#include "classica/mlp.hpp"

namespace classica {

template <class Level>
struct MlpBlock {
  // The largest k of one product: a strip of so many rows of B stays in the first cache.
  static constexpr std::ptrdiff_t most_summed = 128;

  // C(i, j) += sum over l of A(i, l) B(l, j), in the order of l. A has m rows of k values, or k rows of m if
  // it is turned; rows lie a_stride, b_row and c_row apart; n is a multiple of layer_padding.
  static void multiply(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, const double* A,
                       std::ptrdiff_t a_stride, bool turned, const double* B, std::ptrdiff_t b_row, double* C,
                       std::ptrdiff_t c_row);

  // What neurons make of their inputs, in place. Inputs beyond any sense are brought within range first, so
  // that infinities cannot cancel.
  static void activate(Activation activation, double* values, std::ptrdiff_t count);

  // Multiplies slopes with the derivative of the activation, told from its outputs.
  static void chain(Activation activation, const double* outputs, double* slopes, std::ptrdiff_t count);

  // Turns the scores of one row into the derivatives of its loss (zero in the padding) and returns the loss.
  static double softmax_loss(double* scores, std::ptrdiff_t classes, std::ptrdiff_t width, std::int32_t code,
                             double weight);

  // One step for `count` parameters; gradient and penalty are multiplied with `share`. `rate` is that of this
  // step, for Adam with the correction of its biased means.
  static void step(const StepRules& rules, double rate, double alpha, double share, const double* gradient,
                   double* parameters, double* first, double* second, std::ptrdiff_t count);

  static double sum_of_squares(const double* values, std::ptrdiff_t count);
};

}  // namespace classica
