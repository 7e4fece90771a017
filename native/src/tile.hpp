// Rows side by side, eight unless a kernel says otherwise: the layout in which block kernels read rows, one
// lane per row.
#pragma once
#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include "classica/view.hpp"

namespace classica {

// Memory that begins at a cache line. What malloc gives begins at 16 bytes: whether the wide loads of a tile
// then straddle two lines is luck, and linear scores took a third longer without it.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};
  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }
  bool operator==(const LineAllocator&) const = default;
};

// The values of a tile of rows.
using TileValues = std::vector<double, LineAllocator<double>>;

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
