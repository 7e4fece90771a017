// Sums whose bits do not depend on the number of threads: rows are cut into blocks by a rule that
// looks only at the shape, each block is summed by itself, and blocks are added in index order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "classica/parallel.hpp"

namespace classica {

// Rows per block: about a million values, a millisecond or so of work.
inline std::ptrdiff_t rows_per_block(std::ptrdiff_t cols) {
  constexpr std::ptrdiff_t values = 1 << 20;
  return std::max<std::ptrdiff_t>(values / std::max<std::ptrdiff_t>(cols, 1), 1);
}

// make(): an empty state for one block; add_rows(state, begin, end): takes in rows; combine(state): adds
// one block's state to the total. state_size, in values, bounds how many states are held at once.
template <class Make, class AddRows, class Combine>
void blocked_reduce(std::ptrdiff_t rows, std::ptrdiff_t block, std::ptrdiff_t state_size, int threads,
                    Make make, AddRows add_rows, Combine combine) {
  constexpr std::ptrdiff_t values_held = 1 << 24;
  const std::ptrdiff_t wave = std::clamp<std::ptrdiff_t>(values_held / (state_size + 1), 1, 256);
  for (std::ptrdiff_t start = 0; start < rows; start += wave * block) {
    const std::ptrdiff_t blocks = std::min(wave, (rows - start - 1) / block + 1);
    std::vector<decltype(make())> states(static_cast<std::size_t>(blocks));
    parallel_for(blocks, 1, threads, [&](std::ptrdiff_t first, std::ptrdiff_t last) {
      for (std::ptrdiff_t b = first; b < last; ++b) {
        auto& state = states[static_cast<std::size_t>(b)];
        state = make();
        const std::ptrdiff_t begin = start + b * block;
        add_rows(state, begin, std::min(begin + block, rows));
      }
    });
    for (const auto& state : states) combine(state);
  }
}

}  // namespace classica
