// Eight doubles at once at every level, so that wider registers change no bit: one AVX-512 register, two of
// AVX.
#pragma once

#include "classica/simd.hpp"

namespace classica {

template <class Level>
struct EightLanes {
  Double4 low{}, high{};

  static EightLanes load(const double* from) { return {load4(from), load4(from + 4)}; }
  static EightLanes all(double value) { return {all_of<Base>(value), all_of<Base>(value)}; }
  void store(double* to) const { store4(to, low), store4(to + 4, high); }
  void add_product(const EightLanes& a, const EightLanes& b) {
    low = multiply_add<Level>(a.low, b.low, low);
    high = multiply_add<Level>(a.high, b.high, high);
  }
  double sum() const {
    const Double4 four = low + high;
    return (four[0] + four[2]) + (four[1] + four[3]);
  }
};

#if defined(__AVX512F__)
template <>
struct EightLanes<Avx512> {
  Double8 lanes{};

  static EightLanes load(const double* from) { return {classica::load<Avx512>(from)}; }
  static EightLanes all(double value) { return {all_of<Avx512>(value)}; }
  void store(double* to) const { classica::store<Avx512>(to, lanes); }
  void add_product(const EightLanes& a, const EightLanes& b) {
    lanes = multiply_add<Avx512>(a.lanes, b.lanes, lanes);
  }
  double sum() const {
    const Double4 four =
        (Double4)_mm512_castpd512_pd256((__m512d)lanes) + (Double4)_mm512_extractf64x4_pd((__m512d)lanes, 1);
    return (four[0] + four[2]) + (four[1] + four[3]);
  }
};
#endif

}  // namespace classica
