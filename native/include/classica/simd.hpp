// Four doubles at once, by the compiler's vector extension: one AVX register, or two of the baseline's.
// The lanes and their order are the same at both levels; only fused multiply-add differs.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "classica/level.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace classica {

using Double4 = double __attribute__((vector_size(32)));
using Double8 = double __attribute__((vector_size(64)));
using Float4 = float __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));
using Float16 = float __attribute__((vector_size(64)));

[[gnu::always_inline]] inline Double4 load4(const double* from) {
  Double4 values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

[[gnu::always_inline]] inline void store4(double* to, Double4 values) {
  std::memcpy(to, &values, sizeof values);
}

// a * b + c, fused where the level has it.
template <class Level>
[[gnu::always_inline]] inline Double4 multiply_add(Double4 a, Double4 b, Double4 c) {
#if defined(__AVX2__) && defined(__FMA__)
  if constexpr (std::is_same_v<Level, Avx2>)
    return (Double4)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#endif
  return a * b + c;
}

template <class Level>
[[gnu::always_inline]] inline Double8 multiply_add(Double8 a, Double8 b, Double8 c) {
#if defined(__AVX512F__)
  return (Double8)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#else
  return a * b + c;
#endif
}

template <class Level>
[[gnu::always_inline]] inline Float4 multiply_add(Float4 a, Float4 b, Float4 c) {
  return a * b + c;
}

template <class Level>
[[gnu::always_inline]] inline Float8 multiply_add(Float8 a, Float8 b, Float8 c) {
#if defined(__AVX2__) && defined(__FMA__)
  return (Float8)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
  return a * b + c;
#endif
}

template <class Level>
[[gnu::always_inline]] inline Float16 multiply_add(Float16 a, Float16 b, Float16 c) {
#if defined(__AVX512F__)
  return (Float16)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#else
  return a * b + c;
#endif
}

// As many doubles as a level takes at once.
template <class Level>
using Doubles = std::conditional_t<std::is_same_v<Level, Avx512>, Double8, Double4>;
template <class Level>
constexpr std::ptrdiff_t lanes = static_cast<std::ptrdiff_t>(sizeof(Doubles<Level>) / sizeof(double));
template <class Level>
constexpr bool has_fused = !std::is_same_v<Level, Base>;

template <class Level>
[[gnu::always_inline]] inline Doubles<Level> load(const double* from) {
  Doubles<Level> values;
  std::memcpy(&values, from, sizeof values);
  return values;
}
template <class Level>
[[gnu::always_inline]] inline void store(double* to, Doubles<Level> values) {
  std::memcpy(to, &values, sizeof values);
}
template <class Level>
[[gnu::always_inline]] inline Doubles<Level> all_of(double value) {
  return value - Doubles<Level>{};  // adding would turn -0 into 0, so it could not be left out
}

}  // namespace classica
