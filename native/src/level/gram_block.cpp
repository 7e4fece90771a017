// Weighted sums of products of columns, scores and weighted sums of rows over a panel: a strip of four
// weighted columns times strips of four columns, whose sums stay in registers (register blocking as in a
// matrix product, Goto and van de Geijn 2008).
//
// Invariant: sums over a panel are in row order and added to the tiles once per panel. Strips are padded by
// two rows, so that they do not compete for the same lines of the cache. Cost: O(rows * columns^2 / 2).
#include "gram_block.hpp"

#include "classica/simd.hpp"

namespace classica {
namespace {

[[gnu::always_inline]] inline double sum_of(Double4 a) { return (a[0] + a[1]) + (a[2] + a[3]); }

// One strip of weighted rows times `count` strips of rows; the sums stay in registers.
template <class Level, int count>
[[gnu::always_inline]] inline void add_some(const double* left, const double* right, std::ptrdiff_t rows,
                                            double* tiles) {
  Double4 sums[count][strip_width] = {};
  for (std::ptrdiff_t r = 0; r < rows * strip_width; r += strip_width) {
    Double4 x[count];
    for (int s = 0; s < count; ++s) x[s] = load4(right + s * strip_size + r);
#pragma GCC unroll 4
    for (int i = 0; i < strip_width; ++i) {
      const Double4 all = left[r + i] - Double4{};
      for (int s = 0; s < count; ++s) sums[s][i] = multiply_add<Level>(all, x[s], sums[s][i]);
    }
  }
  for (int s = 0; s < count; ++s) {
    for (int i = 0; i < strip_width; ++i) {
      double* to = tiles + (s * strip_width + i) * strip_width;
      store4(to, load4(to) + sums[s][i]);
    }
  }
}

template <class Level>
void scale_rows(const double* panel, std::ptrdiff_t strips, std::ptrdiff_t rows, const double* amounts,
                double* out) {
  for (std::ptrdiff_t k = 0; k < strips; ++k) {
    for (std::ptrdiff_t r = 0; r < rows; ++r) {
      const std::ptrdiff_t at = k * strip_size + r * strip_width;
      store4(out + at, load4(panel + at) * amounts[r]);
    }
  }
}

}  // namespace

template <class Level>
template <class T>
void GramBlock<Level>::fill_row(const T* values, std::ptrdiff_t stride, std::ptrdiff_t cols,
                                const double* center, const double* factor, double* panel_row) {
  std::ptrdiff_t j = 0;
  if (stride == 1) {
    for (; j + strip_width <= cols; j += strip_width, panel_row += strip_size)
      for (std::ptrdiff_t c = 0; c < strip_width; ++c)
        panel_row[c] = (static_cast<double>(values[j + c]) - center[j + c]) * factor[j + c];
  }
  for (; j < cols; ++j) {
    panel_row[j % strip_width] = (static_cast<double>(values[j * stride]) - center[j]) * factor[j];
    if (j % strip_width == strip_width - 1) panel_row += strip_size;
  }
}

template <class Level>
void GramBlock<Level>::scores(const double* panel, std::ptrdiff_t strips, std::ptrdiff_t rows,
                              const double* weights, double* out) {
  constexpr std::ptrdiff_t side_by_side = 4;
  std::ptrdiff_t r = 0;
  for (; r + side_by_side <= rows; r += side_by_side) {
    Double4 sums[side_by_side] = {};
    for (std::ptrdiff_t k = 0; k < strips; ++k) {
      const Double4 w = load4(weights + k * strip_width);
      const double* from = panel + k * strip_size + r * strip_width;
      for (std::ptrdiff_t i = 0; i < side_by_side; ++i)
        sums[i] = multiply_add<Level>(w, load4(from + i * strip_width), sums[i]);
    }
    for (std::ptrdiff_t i = 0; i < side_by_side; ++i) out[r + i] = sum_of(sums[i]);
  }
  for (; r < rows; ++r) {
    Double4 sum{};
    for (std::ptrdiff_t k = 0; k < strips; ++k)
      sum = multiply_add<Level>(load4(weights + k * strip_width),
                                load4(panel + k * strip_size + r * strip_width), sum);
    out[r] = sum_of(sum);
  }
}

template <class Level>
void GramBlock<Level>::add_sums(const double* panel, std::ptrdiff_t strips, std::ptrdiff_t rows,
                                const double* amounts, int count, double* sums) {
  for (int v = 0; v < count; ++v, amounts += panel_rows, sums += strips * strip_width) {
    std::ptrdiff_t k = 0;
    for (; k + 2 <= strips; k += 2) {  // two strips at once: one would wait for its own additions
      const double* from = panel + k * strip_size;
      Double4 first{}, second{};
      for (std::ptrdiff_t r = 0; r < rows; ++r) {
        const Double4 all = amounts[r] - Double4{};
        first = multiply_add<Level>(all, load4(from + r * strip_width), first);
        second = multiply_add<Level>(all, load4(from + strip_size + r * strip_width), second);
      }
      store4(sums + k * strip_width, load4(sums + k * strip_width) + first);
      store4(sums + (k + 1) * strip_width, load4(sums + (k + 1) * strip_width) + second);
    }
    if (k == strips) continue;
    Double4 sum{};
    for (std::ptrdiff_t r = 0; r < rows; ++r)
      sum = multiply_add<Level>(amounts[r] - Double4{}, load4(panel + k * strip_size + r * strip_width), sum);
    store4(sums + k * strip_width, load4(sums + k * strip_width) + sum);
  }
}

template <class Level>
void GramBlock<Level>::add_products(const double* panel, std::ptrdiff_t strips, std::ptrdiff_t rows,
                                    const double* amounts, double* work, double* tiles) {
  constexpr std::ptrdiff_t tile = strip_width * strip_width;
  scale_rows<Level>(panel, strips, rows, amounts, work);
  for (std::ptrdiff_t i = 0; i < strips; ++i, work += strip_size) {
    std::ptrdiff_t j = 0;
    for (; j + 3 <= i + 1; j += 3, tiles += 3 * tile)
      add_some<Level, 3>(work, panel + j * strip_size, rows, tiles);
    if (i + 1 - j == 2) add_some<Level, 2>(work, panel + j * strip_size, rows, tiles);
    if (i + 1 - j == 1) add_some<Level, 1>(work, panel + j * strip_size, rows, tiles);
    tiles += (i + 1 - j) * tile;
  }
}

template <class Level>
double GramBlock<Level>::dot(const double* a, const double* b, std::ptrdiff_t size) {
  constexpr std::ptrdiff_t chains = 4;
  Double4 sums[chains] = {};
  std::ptrdiff_t k = 0;
  for (; k + chains * strip_width <= size; k += chains * strip_width)
    for (std::ptrdiff_t c = 0; c < chains; ++c)
      sums[c] = multiply_add<Level>(load4(a + k + c * strip_width), load4(b + k + c * strip_width), sums[c]);
  double total = sum_of((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; k < size; ++k) total += a[k] * b[k];
  return total;
}

template struct GramBlock<CLASSICA_LEVEL>;
#define INSTANTIATE(T)                                                                                       \
  template void GramBlock<CLASSICA_LEVEL>::fill_row(const T*, std::ptrdiff_t, std::ptrdiff_t, const double*, \
                                                    const double*, double*);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
