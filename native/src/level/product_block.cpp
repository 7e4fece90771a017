#include "product_block.hpp"

#include "classica/simd.hpp"

namespace classica {
namespace {

[[gnu::always_inline]] inline Double4 upper_half(Double4 a) {
  const Double4 scaled = a * 134217729.0;  // 2^27 + 1, as in double_double.hpp
  return scaled - (scaled - a);
}

// Adds a * b to high + low. `high` starts at a large constant, so its last place stays where it is: what of
// the product lies above that place is added to high without error, the rest goes to low.
template <class Level>
[[gnu::always_inline]] inline void add_product(Double4 a, Double4 b, Double4& high, Double4& low) {
  if constexpr (std::is_same_v<Level, Avx2>) {
    const Double4 sum = multiply_add<Level>(a, b, high);
    low += multiply_add<Level>(a, b, high - sum);
    high = sum;
  } else {
    const Double4 product = a * b;
    const Double4 a1 = upper_half(a), b1 = upper_half(b), a2 = a - a1, b2 = b - b1;
    const Double4 error = a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2);
    const Double4 sum = high + product;
    low += (product - (sum - high)) + error;
    high = sum;
  }
}

template <class Level, bool with_low>
[[gnu::always_inline]] inline void sum_products(const double* left, const double* right,
                                                const double* right_low, std::ptrdiff_t rows, Double4* high,
                                                Double4* low) {
  constexpr std::ptrdiff_t width = ProductBlock<Level>::width;
  Double4 high0 = high[0], high1 = high[1], high2 = high[2], high3 = high[3];
  Double4 low0 = {}, low1 = {}, low2 = {}, low3 = {};
  const auto all = [](double x) { return Double4{x, x, x, x}; };
  for (std::ptrdiff_t r = 0; r < rows; ++r, left += width) {
    const Double4 x = load4(right + r * width);
    const Double4 y0 = all(left[0]), y1 = all(left[1]), y2 = all(left[2]), y3 = all(left[3]);
    add_product<Level>(y0, x, high0, low0);
    add_product<Level>(y1, x, high1, low1);
    add_product<Level>(y2, x, high2, low2);
    add_product<Level>(y3, x, high3, low3);
    if constexpr (with_low) {
      const Double4 rest = load4(right_low + r * width);
      low0 = multiply_add<Level>(y0, rest, low0);
      low1 = multiply_add<Level>(y1, rest, low1);
      low2 = multiply_add<Level>(y2, rest, low2);
      low3 = multiply_add<Level>(y3, rest, low3);
    }
  }
  high[0] = high0, high[1] = high1, high[2] = high2, high[3] = high3;
  low[0] = low0, low[1] = low1, low[2] = low2, low[3] = low3;
}

// Four double-double additions at once: see double_double.hpp.
[[gnu::always_inline]] inline void add_pair(Double4 high, Double4 low, double* to_high, double* to_low) {
  const Double4 old = load4(to_high), sum = old + high, part = sum - old;
  const Double4 rest = ((old - (sum - part)) + (high - part)) + (load4(to_low) + low);
  const Double4 total = sum + rest;
  store4(to_high, total);
  store4(to_low, rest - (total - sum));
}

}  // namespace

template <class Level>
void ProductBlock<Level>::add_tile(const double* left, const double* right, const double* right_low,
                                   std::ptrdiff_t rows, const double* left_bound, const double* right_bound,
                                   double* high, double* low) {
  // Sums stay below panel_rows * bound in magnitude, so starting from three times that they keep their
  // exponent.
  constexpr double start = 3.0 * panel_rows;
  Double4 sums[width], rests[width], starts[width];
  for (std::ptrdiff_t i = 0; i < width; ++i) {
    starts[i] = load4(right_bound) * (start * left_bound[i]);
    sums[i] = starts[i];
  }
  if (right_low)
    sum_products<Level, true>(left, right, right_low, rows, sums, rests);
  else
    sum_products<Level, false>(left, right, nullptr, rows, sums, rests);
  for (std::ptrdiff_t i = 0; i < width; ++i) {
    add_pair(sums[i] - starts[i], rests[i], high + i * width, low + i * width);
  }
}

template struct ProductBlock<CLASSICA_LEVEL>;

}  // namespace classica
