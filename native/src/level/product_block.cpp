// Sums of products without loss, four operations each (own; docs/decisions/0020): the sum starts at three
// times a power of two that the products of the panel cannot exceed, so that its last place never moves;
// what a fused product adds above that place is exact, and the rest goes to `low`.
//
// Invariant: high + low is the sum but for rounding of `low`. Without fused operations the product is split
// by Veltkamp and Dekker (1971), about six times slower with the same result. Every lane is a sum of its
// own: AVX-512 gives the bits of AVX2. Cost: 128 rows * width^2 products per tile.
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
[[gnu::always_inline]] inline void add_product(Doubles<Level> a, Doubles<Level> b, Doubles<Level>& high,
                                               Doubles<Level>& low) {
  if constexpr (has_fused<Level>) {
    const Doubles<Level> sum = multiply_add<Level>(a, b, high);
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

// The sums of one tile; high and low stay in registers.
template <class Level, bool with_low>
[[gnu::always_inline]] inline void sum_products(const double* left, const double* right,
                                                const double* right_low, std::ptrdiff_t rows,
                                                Doubles<Level>* high_sums, Doubles<Level>* low_sums) {
  constexpr std::ptrdiff_t width = ProductBlock<Level>::width;
  Doubles<Level> high[width], low[width];
#pragma GCC unroll 8
  for (std::ptrdiff_t i = 0; i < width; ++i) high[i] = high_sums[i], low[i] = Doubles<Level>{};
  for (std::ptrdiff_t r = 0; r < rows; ++r, left += width) {
    const Doubles<Level> x = load<Level>(right + r * width);
#pragma GCC unroll 8
    for (std::ptrdiff_t i = 0; i < width; ++i) add_product<Level>(all_of<Level>(left[i]), x, high[i], low[i]);
    if constexpr (with_low) {
      const Doubles<Level> rest = load<Level>(right_low + r * width);
#pragma GCC unroll 8
      for (std::ptrdiff_t i = 0; i < width; ++i)
        low[i] = multiply_add<Level>(all_of<Level>(left[i]), rest, low[i]);
    }
  }
#pragma GCC unroll 8
  for (std::ptrdiff_t i = 0; i < width; ++i) high_sums[i] = high[i], low_sums[i] = low[i];
}

// Several double-double additions at once: see double_double.hpp.
template <class Level>
[[gnu::always_inline]] inline void add_pair(Doubles<Level> high, Doubles<Level> low, double* to_high,
                                            double* to_low) {
  const Doubles<Level> old = load<Level>(to_high), sum = old + high, part = sum - old;
  const Doubles<Level> rest = ((old - (sum - part)) + (high - part)) + (load<Level>(to_low) + low);
  const Doubles<Level> total = sum + rest;
  store<Level>(to_high, total);
  store<Level>(to_low, rest - (total - sum));
}

}  // namespace

template <class Level>
void ProductBlock<Level>::add_tile(const double* left, const double* right, const double* right_low,
                                   std::ptrdiff_t rows, const double* left_bound, const double* right_bound,
                                   double* high, double* low) {
  // Sums stay below panel_rows * bound in magnitude, so starting from three times that they keep their
  // exponent.
  constexpr double start = 3.0 * panel_rows;
  Doubles<Level> sums[width], rests[width], starts[width];
  for (std::ptrdiff_t i = 0; i < width; ++i) {
    starts[i] = load<Level>(right_bound) * (start * left_bound[i]);
    sums[i] = starts[i];
  }
  if (right_low)
    sum_products<Level, true>(left, right, right_low, rows, sums, rests);
  else
    sum_products<Level, false>(left, right, nullptr, rows, sums, rests);
  for (std::ptrdiff_t i = 0; i < width; ++i)
    add_pair<Level>(sums[i] - starts[i], rests[i], high + i * width, low + i * width);
}

template struct ProductBlock<CLASSICA_LEVEL>;

}  // namespace classica
