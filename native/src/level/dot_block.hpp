// Many dot products at once in single precision: the coarse sieve of the brute-force search. Compiled once
// per instruction level, AVX-512 included: the sieve only preselects, so no answer depends on its rounding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "classica/level.hpp"

namespace classica {

// How many queries and rows fill the registers of a level.
template <class Level>
struct DotShape {
  static constexpr int lanes = std::is_same_v<Level, Avx512> ? 16 : std::is_same_v<Level, Avx2> ? 8 : 4;
  static constexpr int queries = std::is_same_v<Level, Avx512> ? 12 : std::is_same_v<Level, Avx2> ? 6 : 4;
  static constexpr int rows = 2 * lanes;
};

template <class Level>
struct DotBlock {
  static constexpr int queries = DotShape<Level>::queries;
  static constexpr int rows = DotShape<Level>::rows;

  // packed: `queries` queries, and group: `rows` rows, both column by column. Writes dots[q * rows + r] and
  // sets bit r of masks[q] when dot - halves[r] + reach[q] >= 0; returns whether any bit is set.
  static bool sift(const float* packed, const float* group, std::ptrdiff_t cols, const float* halves,
                   const float* reach, float* dots, std::uint32_t* masks);
};

}  // namespace classica
