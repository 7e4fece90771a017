// The inner loops of a perceptron on dense rows: scores until the next mistake, and the addition of a row.
// Rows come in random order, so that those to come are fetched ahead.
//
// Invariant: a dot product has sixteen partial sums, without fused operations, at every level and in both
// precisions: the same mistakes everywhere (docs/decisions/0025). Cost: O(columns) per presentation;
// sixteen rows ahead cover the wait for memory.
#include "presentation_block.hpp"

#include <type_traits>

#include "classica/simd.hpp"

namespace classica {
namespace {

template <class T>
[[gnu::always_inline]] inline Double4 load_row(const T* from) {
  if constexpr (std::is_same_v<T, double>) {
    return load4(from);
  } else {
    Float4 values;
    std::memcpy(&values, from, sizeof values);
    return __builtin_convertvector(values, Double4);
  }
}

// Sixteen partial sums, without fused operations: the same bits at every level.
template <class T>
[[gnu::always_inline]] inline double dot(const double* weights, const T* row, std::ptrdiff_t cols) {
  Double4 a{}, b{}, c{}, d{};
  std::ptrdiff_t j = 0;
  for (; j + 16 <= cols; j += 16) {
    a += load4(weights + j) * load_row(row + j);
    b += load4(weights + j + 4) * load_row(row + j + 4);
    c += load4(weights + j + 8) * load_row(row + j + 8);
    d += load4(weights + j + 12) * load_row(row + j + 12);
  }
  for (; j + 4 <= cols; j += 4) a += load4(weights + j) * load_row(row + j);
  const Double4 sums = (a + b) + (c + d);
  double rest = weights[cols];
  for (; j < cols; ++j) rest += weights[j] * static_cast<double>(row[j]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
}

template <class T>
[[gnu::always_inline]] inline void prefetch_row(const T* row, std::ptrdiff_t cols) {
  constexpr std::ptrdiff_t line = 64 / sizeof(T);
  for (std::ptrdiff_t j = 0; j < cols; j += line) __builtin_prefetch(row + j, 0, 2);
  __builtin_prefetch(row + cols - 1, 0, 2);
}

}  // namespace

template <class Level>
template <class T>
std::ptrdiff_t PresentationBlock<Level>::first_mistake(const T* rows, std::ptrdiff_t row_stride,
                                                       std::ptrdiff_t cols, const double* weights,
                                                       const std::uint32_t* presentations,
                                                       std::ptrdiff_t begin, std::ptrdiff_t end,
                                                       std::ptrdiff_t count, int zero) {
  constexpr std::ptrdiff_t ahead = 16;
  const auto row = [=](std::ptrdiff_t k) {
    return rows + static_cast<std::ptrdiff_t>(presentations[k] >> 1) * row_stride;
  };
  for (std::ptrdiff_t k = begin; k < end; ++k) {
    if (k + ahead < count) prefetch_row(row(k + ahead), cols < 512 ? cols : 512);
    const double score = dot(weights, row(k), cols);
    const bool second = presentations[k] & 1;
    const double agreement = second ? -score : score;
    if (!(agreement > 0.0) && (agreement != 0.0 || zero != (second ? -1 : 1))) return k;
  }
  return end;
}

template <class Level>
template <class T>
void PresentationBlock<Level>::add_row(double factor, const T* row, std::ptrdiff_t cols, double* to) {
  std::ptrdiff_t j = 0;
  const Double4 factors{factor, factor, factor, factor};
  for (; j + 4 <= cols; j += 4) store4(to + j, load4(to + j) + factors * load_row(row + j));
  for (; j < cols; ++j) to[j] += factor * static_cast<double>(row[j]);
}

template struct PresentationBlock<CLASSICA_LEVEL>;
#define INSTANTIATE(T)                                                                               \
  template std::ptrdiff_t PresentationBlock<CLASSICA_LEVEL>::first_mistake(                          \
      const T*, std::ptrdiff_t, std::ptrdiff_t, const double*, const std::uint32_t*, std::ptrdiff_t, \
      std::ptrdiff_t, std::ptrdiff_t, int);                                                          \
  template void PresentationBlock<CLASSICA_LEVEL>::add_row(double, const T*, std::ptrdiff_t, double*);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
