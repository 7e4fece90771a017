// The places of the few bytes that matter to the shape of a table, 64 bytes of text at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "classica/tables.hpp"

namespace classica {

class SpecialBytes {
 public:
  SpecialBytes(std::string_view text, std::ptrdiff_t begin, Dialect dialect)
      : text_(text), base_(begin - 64), dialect_(dialect) {}

  // The next delimiter, quote, newline or carriage return; the size of the text when there is none.
  std::ptrdiff_t next() {
    while (mask_ == 0) {
      if (base_ + 64 >= size()) return size();
      base_ += 64;
      mask_ = base_ + 64 <= size() ? mask_of(text_.data() + base_) : mask_of_the_rest();
    }
    const std::ptrdiff_t place = base_ + std::countr_zero(mask_);
    mask_ &= mask_ - 1;
    return place;
  }

  std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(text_.size()); }

 private:
  std::string_view text_;
  std::ptrdiff_t base_;
  std::uint64_t mask_ = 0;
  Dialect dialect_;

  std::uint64_t mask_of_the_rest() const {
    char padded[64] = {};
    const std::ptrdiff_t rest = size() - base_;
    std::memcpy(padded, text_.data() + base_, static_cast<std::size_t>(rest));
    return mask_of(padded) & ((std::uint64_t{1} << rest) - 1);
  }

#ifdef __SSE2__
  std::uint64_t mask_of(const char* bytes) const {
    const __m128i delimiter = _mm_set1_epi8(dialect_.delimiter), quote = _mm_set1_epi8(dialect_.quote);
    const __m128i newline = _mm_set1_epi8('\n'), carriage_return = _mm_set1_epi8('\r');
    std::uint64_t mask = 0;
    for (int part = 0; part < 4; ++part) {
      const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * part));
      const __m128i found =
          _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(some, delimiter), _mm_cmpeq_epi8(some, quote)),
                       _mm_or_si128(_mm_cmpeq_epi8(some, newline), _mm_cmpeq_epi8(some, carriage_return)));
      mask |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(found))) << (16 * part);
    }
    return mask;
  }
#else
  std::uint64_t mask_of(const char* bytes) const {
    std::uint64_t mask = 0;
    for (int i = 0; i < 64; ++i) {
      const char c = bytes[i];
      const bool special = c == dialect_.delimiter || c == dialect_.quote || c == '\n' || c == '\r';
      mask |= static_cast<std::uint64_t>(special) << i;
    }
    return mask;
  }
#endif
};

}  // namespace classica
