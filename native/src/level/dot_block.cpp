#include "dot_block.hpp"

#include "classica/simd.hpp"

namespace classica {
namespace {

[[gnu::always_inline]] inline Float8 load8(const float* from) {
  Float8 values;
  __builtin_memcpy(&values, from, sizeof values);
  return values;
}

[[gnu::always_inline]] inline std::uint32_t bits(Float8 values) {
  using Int8 = int __attribute__((vector_size(32)));
  const Int8 mask = values >= 0.0f;
#if defined(__AVX2__)
  return static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)mask));
#else
  std::uint32_t found = 0;
  for (int r = 0; r < 8; ++r) found |= static_cast<std::uint32_t>(mask[r] & 1) << r;
  return found;
#endif
}

}  // namespace

template <class Level>
bool DotBlock<Level>::sift(const float* packed, const float* tiles, std::ptrdiff_t cols, const float* halves,
                           const float* reach, float* dots, std::uint32_t* masks) {
  Float8 low[queries] = {}, high[queries] = {};
  const float* second = tiles + cols * 8;
  for (std::ptrdiff_t j = 0; j < cols; ++j) {
    const Float8 y0 = load8(tiles + j * 8), y1 = load8(second + j * 8);
#pragma GCC unroll 6
    for (int q = 0; q < queries; ++q) {
      const float x = packed[j * queries + q];
      const Float8 all = {x, x, x, x, x, x, x, x};
      low[q] = multiply_add<Level>(all, y0, low[q]);
      high[q] = multiply_add<Level>(all, y1, high[q]);
    }
  }
  const Float8 half0 = load8(halves), half1 = load8(halves + 8);
  std::uint32_t any = 0;
  for (int q = 0; q < queries; ++q) {
    any |= masks[q] = bits(low[q] - half0 + reach[q]) | bits(high[q] - half1 + reach[q]) << 8;
    __builtin_memcpy(dots + q * rows, &low[q], sizeof low[q]);
    __builtin_memcpy(dots + q * rows + 8, &high[q], sizeof high[q]);
  }
  return any != 0;
}

template struct DotBlock<CLASSICA_LEVEL>;

}  // namespace classica
