#include "text_block.hpp"

#include <bit>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace classica {
namespace {

// Some bytes in a row; a question about them gives a bit per byte.
#if defined(__AVX2__)

struct Lane {
  static constexpr int size = 32;
  __m256i bytes;
  explicit Lane(const char* from) : bytes(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))) {}
  static std::uint64_t bits(__m256i found) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(found)); }
  std::uint64_t are(char c) const { return bits(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c))); }
  std::uint64_t are_digits() const {
    const __m256i value = _mm256_sub_epi8(bytes, _mm256_set1_epi8('0'));
    return bits(_mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8(9)), value));
  }
  std::uint64_t are_not_ascii() const { return bits(bytes); }
};

#elif defined(__SSE2__)

struct Lane {
  static constexpr int size = 16;
  __m128i bytes;
  explicit Lane(const char* from) : bytes(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))) {}
  static std::uint64_t bits(__m128i found) { return static_cast<std::uint32_t>(_mm_movemask_epi8(found)); }
  std::uint64_t are(char c) const { return bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c))); }
  std::uint64_t are_digits() const {
    const __m128i value = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    return bits(_mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value));
  }
  std::uint64_t are_not_ascii() const { return bits(bytes); }
};

#else

struct Lane {
  static constexpr int size = 1;
  char byte;
  explicit Lane(const char* from) : byte(*from) {}
  std::uint64_t are(char c) const { return byte == c; }
  std::uint64_t are_digits() const { return byte >= '0' && byte <= '9'; }
  std::uint64_t are_not_ascii() const { return static_cast<unsigned char>(byte) >= 0x80; }
};

#endif

// The answers of all lanes of 64 bytes.
template <class Question>
[[gnu::always_inline]] inline std::uint64_t ask(const char* bytes, Question question) {
  std::uint64_t bits = 0;
  for (int place = 0; place < 64; place += Lane::size) bits |= question(Lane(bytes + place)) << place;
  return bits;
}

TextBits bits_of(const char* bytes, Dialect dialect) {
  const auto are = [&](char c) { return ask(bytes, [&](const Lane& lane) { return lane.are(c); }); };
  const std::uint64_t special = are(dialect.delimiter) | are(dialect.quote) | are('\n') | are('\r');
  const std::uint64_t digits = ask(bytes, [](const Lane& lane) { return lane.are_digits(); });
  const std::uint64_t zeros = are('0'), points = are('.');
  const std::uint64_t starts = special << 1 | 1, ends = special >> 1, signs = are('-') & starts;
  const std::uint64_t first_zeros = zeros & (starts | signs << 1);
  // The sum carries from each point over the digits behind it; a point found there is a second one.
  const std::uint64_t second_points = ((points << 1) + digits) & points;
  return {special, points,
          ~(digits | points | signs) | (first_zeros << 1 & digits) | (signs << 1 & zeros & ends) |
              (ends & ~digits) | second_points};
}

}  // namespace

template <class Level>
void TextBlock<Level>::look(const char* bytes, std::ptrdiff_t blocks, Dialect dialect, TextBits* bits) {
  for (std::ptrdiff_t k = 0; k < blocks; ++k) bits[k] = bits_of(bytes + 64 * k, dialect);
}

template <class Level>
bool TextBlock<Level>::is_odd(const char* bytes, std::ptrdiff_t size, char c) {
  std::uint64_t odd = 0;
  std::ptrdiff_t place = 0;
  for (; place + 64 <= size; place += 64)
    odd ^= ask(bytes + place, [c](const Lane& lane) { return lane.are(c); });
  bool rest = false;
  for (; place < size; ++place) rest ^= bytes[place] == c;
  return rest != (std::popcount(odd) % 2 != 0);
}

template <class Level>
std::ptrdiff_t TextBlock<Level>::next_unusual(const char* bytes, std::ptrdiff_t place, std::ptrdiff_t end) {
  for (; place + 64 <= end; place += 64) {
    const std::uint64_t unusual =
        ask(bytes + place, [](const Lane& lane) { return lane.are(0) | lane.are_not_ascii(); });
    if (unusual != 0) return place + std::countr_zero(unusual);
  }
  while (place < end && static_cast<signed char>(bytes[place]) > 0) ++place;
  return place;
}

template struct TextBlock<CLASSICA_LEVEL>;

}  // namespace classica
