// Many dot products at once in single precision: the coarse sieve of the brute-force search. Compiled once
// per instruction level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "classica/level.hpp"

namespace classica {

template <class Level>
struct DotBlock {
  // As many as fill the registers: the baseline has half-size ones, and none to spare.
  static constexpr int queries = std::is_same_v<Level, Avx2> ? 6 : 2;
  static constexpr int rows = 16;  // two tiles of eight

  // packed: `queries` queries, column by column. Writes dots[q * rows + r] and sets bit r of masks[q] when
  // dot - halves[r] + reach[q] >= 0; returns whether any bit is set.
  static bool sift(const float* packed, const float* tiles, std::ptrdiff_t cols, const float* halves,
                   const float* reach, float* dots, std::uint32_t* masks);
};

}  // namespace classica
