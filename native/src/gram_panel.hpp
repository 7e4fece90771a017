// Rows as the Gram kernels want them, a panel at a time; and what is summed over them. Columns are seen
// from their centers in units of their spread while they are copied, so that no copy of the table is made.
//
// Invariant: a block has 32 panels whatever the number of threads, and blocks are added in index order.
#pragma once

#include <algorithm>
#include <vector>

#include "classica/gram.hpp"
#include "classica/reduce.hpp"
#include "level/gram_block.hpp"

namespace classica {

inline std::ptrdiff_t strips_of(std::ptrdiff_t columns) { return (columns + strip_width - 1) / strip_width; }

// Tiles of the lower triangle, row by row; within a tile row by row.
inline std::ptrdiff_t tiles_size(std::ptrdiff_t strips) {
  return strips * (strips + 1) / 2 * strip_width * strip_width;
}
inline double at_tile(const double* tiles, std::ptrdiff_t i, std::ptrdiff_t j) {  // i >= j
  const std::ptrdiff_t row = i / strip_width, tile = row * (row + 1) / 2 + j / strip_width;
  return tiles[(tile * strip_width + i % strip_width) * strip_width + j % strip_width];
}

template <class Level>
class RowPanel {
 public:
  explicit RowPanel(const RowFrame& frame)
      : frame_(frame),
        strips_(strips_of(frame.width())),
        values_(static_cast<std::size_t>(strips_ * strip_size)) {
    if (!frame.ones) return;
    double* ones = values_.data() + frame.cols / strip_width * strip_size + frame.cols % strip_width;
    for (std::ptrdiff_t r = 0; r < panel_rows; ++r) ones[r * strip_width] = 1.0;
  }

  template <class T>
  void fill(Matrix<const T> X, std::ptrdiff_t first, std::ptrdiff_t count) {
    for (std::ptrdiff_t r = 0; r < count; ++r)
      GramBlock<Level>::fill_row(X.row(first + r), X.col_stride, X.cols, frame_.center, frame_.factor,
                                 values_.data() + r * strip_width);
  }

  const double* data() const { return values_.data(); }
  std::ptrdiff_t strips() const { return strips_; }

 private:
  RowFrame frame_;
  std::ptrdiff_t strips_;
  std::vector<double> values_;
};

// Calls add(panel, first, count, sums) for every panel of rows; `sums`, of the size given, is added up block
// by block in index order. Returns the total.
template <class Level, class T, class Add>
std::vector<double> sum_over_panels(Matrix<const T> X, const RowFrame& frame, std::ptrdiff_t size,
                                    int threads, Add add) {
  constexpr std::ptrdiff_t block = 32 * panel_rows;
  const auto room = static_cast<std::size_t>(size);
  std::vector<double> total(room);
  blocked_reduce(
      X.rows, block, size, threads, [&] { return std::vector<double>(room); },
      [&](std::vector<double>& sums, std::ptrdiff_t begin, std::ptrdiff_t end) {
        RowPanel<Level> panel(frame);
        for (std::ptrdiff_t first = begin; first < end; first += panel_rows) {
          poll_interrupt();
          const std::ptrdiff_t count = std::min(panel_rows, end - first);
          panel.fill(X, first, count);
          add(panel, first, count, sums.data());
        }
      },
      [&](const std::vector<double>& sums) {
        for (std::size_t k = 0; k < room; ++k) total[k] += sums[k];
      });
  return total;
}

}  // namespace classica
