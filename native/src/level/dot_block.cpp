// Many dot products at once in single precision, as the innermost loop of a blocked matrix product (Goto
// and van de Geijn 2008), which selects while it multiplies: a bit per row that may be near enough.
//
// Invariant: none for the rounding; the sieve allows for it, so that no answer depends on the level. Six
// queries by sixteen rows fill the registers at AVX2, twelve by 32 at AVX-512, which took the sieve from
// 0.49 to 0.29 s (docs/decisions/0019). Cost: O(columns) per tile.
#include "dot_block.hpp"

#include "classica/simd.hpp"

namespace classica {
namespace {

using Shape = DotShape<CLASSICA_LEVEL>;
using Wide =
    std::conditional_t<Shape::lanes == 16, Float16, std::conditional_t<Shape::lanes == 8, Float8, Float4>>;

[[gnu::always_inline]] inline Wide load(const float* from) {
  Wide values;
  __builtin_memcpy(&values, from, sizeof values);
  return values;
}

// One number in every lane, straight from memory: adding it to zeros would cost an addition and a shuffle.
[[gnu::always_inline]] inline Wide everywhere(const float* from) {
#if defined(__AVX512F__)
  return (Wide)_mm512_set1_ps(*from);
#elif defined(__AVX2__)
  return (Wide)_mm256_broadcast_ss(from);
#else
  return Wide{*from, *from, *from, *from};
#endif
}

[[gnu::always_inline]] inline std::uint32_t bits(Wide values) {
#if defined(__AVX512F__)
  return _mm512_cmp_ps_mask((__m512)values, _mm512_setzero_ps(), _CMP_GE_OQ);
#elif defined(__AVX2__)
  return static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)(values >= 0.0f)));
#else
  std::uint32_t found = 0;
  for (int r = 0; r < Shape::lanes; ++r) found |= static_cast<std::uint32_t>(values[r] >= 0.0f) << r;
  return found;
#endif
}

}  // namespace

template <class Level>
bool DotBlock<Level>::sift(const float* packed, const float* group, std::ptrdiff_t cols, const float* halves,
                           const float* reach, float* dots, std::uint32_t* masks) {
  constexpr int lanes = Shape::lanes;
  Wide low[queries] = {}, high[queries] = {};
  for (std::ptrdiff_t j = 0; j < cols; ++j) {
    const Wide y0 = load(group + j * rows), y1 = load(group + j * rows + lanes);
#pragma GCC unroll 12
    for (int q = 0; q < queries; ++q) {
      const Wide x = everywhere(packed + j * queries + q);
      low[q] = multiply_add<Level>(x, y0, low[q]);
      high[q] = multiply_add<Level>(x, y1, high[q]);
    }
  }
  const Wide half0 = load(halves), half1 = load(halves + lanes);
  std::uint32_t any = 0;
  // Unrolled like the loop above: an array indexed by a variable would live in memory, not in registers.
#pragma GCC unroll 12
  for (int q = 0; q < queries; ++q) {
    any |= masks[q] = bits(low[q] - half0 + reach[q]) | bits(high[q] - half1 + reach[q]) << lanes;
    __builtin_memcpy(dots + q * rows, &low[q], sizeof low[q]);
    __builtin_memcpy(dots + q * rows + lanes, &high[q], sizeof high[q]);
  }
  return any != 0;
}

template struct DotBlock<CLASSICA_LEVEL>;

}  // namespace classica
