// Kernel values of one panel against many rows, in pieces that stay in the first-level cache.
#pragma once

#include <algorithm>

#include "../level/kernel_block.hpp"
#include "packed_rows.hpp"

namespace classica {

// Calls body(first, count, values): rows first .. first + count of `groups`, of which the last may only fill
// up.
template <class Level, class Body>
void for_each_piece(const KernelFunction& kernel, const PackedRows& panels, std::ptrdiff_t panel,
                    const PackedRows& groups, Body body) {
  using Block = KernelBlock<Level>;
  constexpr std::ptrdiff_t at_once = 96 / Block::group_rows;  // groups; 12 KB of values, 6 KB at Avx2
  double values[at_once * Block::group_rows * Block::panel_rows];
  const std::ptrdiff_t strips = groups.strips();
  for (std::ptrdiff_t g = 0; g < strips; g += at_once) {
    const std::ptrdiff_t count = std::min(at_once, strips - g);
    Block::values(kernel, {panels.strip(panel), panels.strip_norms(panel)},
                  {groups.strip(g), groups.strip_norms(g)}, count, panels.cols, values);
    body(g * Block::group_rows, std::min(count * Block::group_rows, groups.rows - g * Block::group_rows),
         static_cast<const double*>(values));
  }
}

// Panels worth a millisecond or so against that many rows.
inline std::ptrdiff_t panels_per_chunk(std::ptrdiff_t rows, std::ptrdiff_t cols, std::ptrdiff_t height) {
  return std::max<std::ptrdiff_t>((std::ptrdiff_t{1} << 22) / ((cols + 20) * (rows + 1) * height), 1);
}

}  // namespace classica
