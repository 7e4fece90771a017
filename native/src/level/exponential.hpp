// e^x of as many doubles as a level takes at once, within two units in the last place: reduction by
// multiples of ln 2 in two parts (Cody and Waite 1980) and a polynomial that interpolates at the zeros of a
// Chebyshev polynomial (own coefficients).
//
// Invariant: no table and no branch, so that a value does not depend on its lane; AVX2 and AVX-512 give the
// same bits. Cost: about 25 operations per register.
#pragma once

#include <type_traits>

#include "classica/simd.hpp"

namespace classica {

template <class Level>
using Integers = std::conditional_t<std::is_same_v<Level, Avx512>, long long __attribute__((vector_size(64))),
                                    long long __attribute__((vector_size(32)))>;

// e^x = 2^n e^r with r = x - n ln 2 within ln 2 / 2 of zero, and e^r = 1 + r + r^2 p(r), where p interpolates
// at the zeros of a Chebyshev polynomial (to 1.3e-17 of e^r). 1 is added last, so that the rounding of the
// other terms counts for little. `scale` is added to n; the result must not leave the range of doubles.
template <class Level>
[[gnu::always_inline]] inline Doubles<Level> scaled_exponential(Doubles<Level> x, Doubles<Level> scale) {
  const auto all = [](double value) { return all_of<Level>(value); };
  const Doubles<Level> magic = all(0x1.8p52);  // adding it leaves the nearest integer in the lowest bits
  const Doubles<Level> power = x * all(1.4426950408889634) + magic;
  const Doubles<Level> n = power - magic;
  // The first part of ln 2 has so few digits that its product with n is exact.
  const Doubles<Level> r = multiply_add<Level>(n, all(-1.90821492927058770002e-10),
                                               multiply_add<Level>(n, all(-6.93147180369123816490e-01), x));
  Doubles<Level> sum = all(0x1.af389eeb9e5e9p-26);
  for (double coefficient : {0x1.28917ca046b86p-22, 0x1.71de0db2eafc6p-19, 0x1.a019b9148739fp-16,
                             0x1.a01a01a7c2f2ep-13, 0x1.6c16c17889f40p-10, 0x1.11111111109b5p-7,
                             0x1.5555555553d68p-5, 0x1.5555555555556p-3, 0x1.0000000000001p-1})
    sum = multiply_add<Level>(sum, r, all(coefficient));
  const Doubles<Level> small = multiply_add<Level>(r * r, sum, r) + all(1);
  return (Doubles<Level>)((Integers<Level>)small + ((Integers<Level>)(power + scale) << 52));
}

// x from -708 to 709.
template <class Level>
[[gnu::always_inline]] inline Doubles<Level> exponential_within(Doubles<Level> x) {
  return scaled_exponential<Level>(x, Doubles<Level>{});
}

// x up to 709; below -708, where doubles lose digits, it is zero.
template <class Level>
[[gnu::always_inline]] inline Doubles<Level> exponential_or_zero(Doubles<Level> x) {
  const Doubles<Level> lowest = all_of<Level>(-708),
                       found = exponential_within<Level>(x > lowest ? x : lowest);
  return x < lowest ? Doubles<Level>{} : found;
}

// Any x: near the ends of the range 2^n is no double, and a factor of 2^128 goes apart.
template <class Level>
[[gnu::always_inline]] inline Doubles<Level> exponential(Doubles<Level> x) {
  const auto all = [](double value) { return all_of<Level>(value); };
  x = x > all(-750) ? x : all(-750);
  x = x < all(750) ? x : all(750);
  const Doubles<Level> low = x < all(-708) ? all(128) : all(0), high = x > all(709) ? all(-128) : all(0);
  const Doubles<Level> rest = x < all(-708) ? all(0x1p-128) : (x > all(709) ? all(0x1p128) : all(1));
  return scaled_exponential<Level>(x, low + high) * rest;
}

}  // namespace classica
