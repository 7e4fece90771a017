// The kind of most cells at a glance: plain numbers, sixteen bytes at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "classica/tables.hpp"

namespace classica {

#ifdef __SSE2__

// One bit per byte: is it a digit, is it a point?
struct NumberBytes {
  std::uint32_t digits;
  std::uint32_t points;

  explicit NumberBytes(const char* sixteen) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen));
    const __m128i value = _mm_sub_epi8(some, _mm_set1_epi8('0'));
    const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
    digits = static_cast<std::uint32_t>(_mm_movemask_epi8(is_digit));
    points = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_set1_epi8('.'))));
  }
};

// Whether bits are those of a number: digits, one point at most, a minus in front, no zero before a digit.
// Without a jump: signs and zeros come as they like, and a processor could not guess them.
inline bool is_number(const char* text, std::uint32_t all, std::uint32_t digits, std::uint32_t points) {
  const std::uint32_t sign = text[0] == '-', zero = text[sign] == '0';
  const std::uint32_t strange = (digits | points | sign) ^ all;
  return (strange | (points & (points - 1)) | (zero & (digits >> (sign + 1)))) == 0 && digits != 0;
}

// The kind of a cell of `size` bytes, of which `readable` or more may be read; 0 stands for "look closer".
inline std::uint32_t quick_kind(const char* text, std::size_t size, std::size_t readable) {
  if (size - 1 >= 31 || readable < 32) return 0;
  NumberBytes bytes(text);
  if (size > 15) {
    const NumberBytes more(text + 16);
    bytes.digits |= more.digits << 16;
    bytes.points |= more.points << 16;
  }
  const std::uint32_t all = (std::uint32_t{1} << size) - 1;
  const std::uint32_t digits = bytes.digits & all, points = bytes.points & all;
  if (!is_number(text, all, digits, points)) return 0;
  if (points != 0) return size <= 18 || std::popcount(digits) - (text[0] == '0') <= 17 ? cell::decimal : 0;
  return size <= 15 && !(text[0] == '-' && text[1] == '0') ? cell::integer : 0;
}

#else

inline std::uint32_t quick_kind(const char*, std::size_t, std::size_t) { return 0; }

#endif

}  // namespace classica
