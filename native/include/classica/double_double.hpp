// Error-free transformations (Dekker 1971; Knuth; Ogita, Rump and Oishi, "Accurate sum and dot product",
// 2005): a sum or product as the rounded value plus the exact rounding error. Sums kept as high + low
// carry about 106 bits, so statistics can be added and taken away again without leaving a trace.
#pragma once

#include <type_traits>

#include "classica/level.hpp"

namespace classica {

struct DoubleDouble {
  double high = 0.0;
  double low = 0.0;
};

[[gnu::always_inline]] inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// The same for |a| >= |b| or a == 0, in half the operations.
[[gnu::always_inline]] inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// Splits a into two halves of 26 bits (Veltkamp); |a| must stay below 1e292.
[[gnu::always_inline]] inline DoubleDouble split(double a) {
  const double scaled = 134217729.0 * a;  // 2^27 + 1
  const double high = scaled - (scaled - a);
  return {high, a - high};
}

template <class Level>
[[gnu::always_inline]] inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  if constexpr (std::is_same_v<Level, Avx2>) {
    return {product, __builtin_fma(a, b, -product)};
  } else {
    const DoubleDouble x = split(a), y = split(b);
    const double error = x.low * y.low - (((product - x.high * y.high) - x.low * y.high) - x.high * y.low);
    return {product, error};
  }
}

[[gnu::always_inline]] inline DoubleDouble add(DoubleDouble a, DoubleDouble b) {
  DoubleDouble sum = two_sum(a.high, b.high);
  sum.low += a.low + b.low;
  return two_sum(sum.high, sum.low);
}

[[gnu::always_inline]] inline DoubleDouble negate(DoubleDouble a) { return {-a.high, -a.low}; }

template <class Level>
[[gnu::always_inline]] inline DoubleDouble multiply(DoubleDouble a, DoubleDouble b) {
  DoubleDouble product = two_product<Level>(a.high, b.high);
  product.low += a.high * b.low + a.low * b.high;
  return two_sum(product.high, product.low);
}

template <class Level>
[[gnu::always_inline]] inline DoubleDouble divide(DoubleDouble a, DoubleDouble b) {
  const double quotient = a.high / b.high;
  DoubleDouble back = two_product<Level>(quotient, b.high);
  back.low += quotient * b.low;
  const DoubleDouble rest = add(a, negate(back));
  return two_sum(quotient, rest.high / b.high);
}

}  // namespace classica
