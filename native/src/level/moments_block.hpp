// Adds rows to moments; compiled once per instruction level.
#pragma once

#include <cstddef>
#include <cstdint>

#include "classica/level.hpp"
#include "classica/moments.hpp"

namespace classica {

template <class Level>
struct MomentsBlock {
  // One row of contiguous values into one group.
  template <class T>
  static void add_row(const T* row, std::ptrdiff_t group, const double* weight, const Moments& out);

  // One sparse row: `count` values and their columns.
  template <class T, class Index>
  static void add_sparse_row(const T* values, const Index* columns, std::ptrdiff_t count,
                             std::ptrdiff_t group, const double* weight, const Moments& out);
};

}  // namespace classica
