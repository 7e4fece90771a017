// The inner loops of a perceptron on dense rows. Compiled once per instruction level; both give the same
// bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "classica/level.hpp"

namespace classica {

template <class Level>
struct PresentationBlock {
  // The first of presentations [begin, end) that is a mistake, or `end`. A presentation is twice the number
  // of a row, plus one if it is on the second side; there are `count` of them. weights[cols] is the
  // intercept.
  template <class T>
  static std::ptrdiff_t first_mistake(const T* rows, std::ptrdiff_t row_stride, std::ptrdiff_t cols,
                                      const double* weights, const std::uint32_t* presentations,
                                      std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t count,
                                      int zero);

  // to += factor * row
  template <class T>
  static void add_row(double factor, const T* row, std::ptrdiff_t cols, double* to);
};

}  // namespace classica
