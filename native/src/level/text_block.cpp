// What 64 bytes of delimited text say about cells, one bit per byte (own; bit-parallel in the manner of
// simdjson, Langdale and Lemire 2019): places of delimiters, quotes and line ends, and which bytes cannot
// be in a plain number. An addition carries from a point over the digits behind it and so finds a second
// point.
//
// Invariant: bits of a block depend on its bytes and on what the block before left over (`carry`, `signs`,
// ...), so that blocks may be cut anywhere; there is nothing to round, and all levels agree. Cost: a few
// operations per 16 or 32 bytes.
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
  __m256i equal(char c) const { return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c)); }
  static __m256i either(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
  std::uint64_t are(char c) const { return bits(equal(c)); }
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
  __m128i equal(char c) const { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); }
  static __m128i either(__m128i a, __m128i b) { return _mm_or_si128(a, b); }
  std::uint64_t are(char c) const { return bits(equal(c)); }
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
  static std::uint64_t bits(bool found) { return found; }
  bool equal(char c) const { return byte == c; }
  static bool either(bool a, bool b) { return a || b; }
  std::uint64_t are(char c) const { return equal(c); }
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

[[gnu::always_inline]] inline std::uint64_t where(const char* bytes, char c) {
  return ask(bytes, [c](const Lane& lane) { return lane.are(c); });
}

[[gnu::always_inline]] inline std::uint64_t special_bytes(const char* bytes, Dialect dialect) {
  return ask(bytes, [&](const Lane& lane) {
    const auto of_cells = Lane::either(lane.equal(dialect.delimiter), lane.equal(dialect.quote));
    return Lane::bits(Lane::either(of_cells, Lane::either(lane.equal('\n'), lane.equal('\r'))));
  });
}

bool is_special(char c, Dialect dialect) {
  return c == dialect.delimiter || c == dialect.quote || c == '\n' || c == '\r';
}

// Writes the places of set bits, and returns their number. Always some at once: how many there are comes as
// it likes, and a processor could not guess it.
std::ptrdiff_t write_places(std::uint64_t bits, std::ptrdiff_t base, std::uint16_t* places) {
  const int count = std::popcount(bits);
  const auto write = [&](int begin, int end) {
    for (int j = begin; j < end; ++j, bits &= bits - 1)
      places[j] = static_cast<std::uint16_t>(base + std::countr_zero(bits));
  };
  write(0, 12);
  if (count > 12) [[unlikely]] {
    write(12, 24);
    if (count > 24) [[unlikely]]
      write(24, count);
  }
  return count;
}

// The bits of a word and the one before it, moved by one byte of the text.
std::uint64_t behind(std::uint64_t bits, std::uint64_t before) { return bits << 1 | before >> 63; }

// Fills in a block, from the bytes that are special in it and in the next one.
void judge_numbers(const char* bytes, std::uint64_t special, std::uint64_t next, std::ptrdiff_t block,
                   TextBits& bits) {
  const std::uint64_t digits = ask(bytes, [](const Lane& lane) { return lane.are_digits(); });
  const std::uint64_t zeros = where(bytes, '0'), points = where(bytes, '.');
  const std::uint64_t starts = behind(special, bits.special), ends = special >> 1 | next << 63;
  const std::uint64_t signs = where(bytes, '-') & starts, signed_starts = behind(signs, bits.signs);
  const std::uint64_t first_zeros = zeros & (starts | signed_starts);
  // The sum carries from each point over the digits behind it; a point found there is a second one.
  const std::uint64_t sum = digits + bits.carry, all = sum + behind(points, bits.points[block]);
  bits.points[block + 1] = points;
  bits.against_numbers[block + 1] = ~(digits | points | signs) |
                                    (behind(first_zeros, bits.first_zeros) & digits) |
                                    (signed_starts & zeros & ends) | (ends & ~digits) | (all & points);
  bits.carry = sum < digits || all < sum;
  bits.special = special, bits.signs = signs, bits.first_zeros = first_zeros;
}

}  // namespace

template <class Level>
void TextBlock<Level>::look(const char* bytes, std::ptrdiff_t blocks, char next, Dialect dialect,
                            TextBits& bits) {
  std::uint64_t special[TextBits::most + 1];
  bits.count = 0;
  for (std::ptrdiff_t k = 0; k < blocks; ++k) {
    special[k] = special_bytes(bytes + 64 * k, dialect);
    bits.count += write_places(special[k], 64 * k, bits.places + bits.count);
  }
  special[blocks] = is_special(next, dialect);
  bits.points[0] = bits.points[bits.blocks];
  bits.against_numbers[0] = bits.against_numbers[bits.blocks];
  for (std::ptrdiff_t k = 0; k < blocks; ++k)
    judge_numbers(bytes + 64 * k, special[k], special[k + 1], k, bits);
  bits.blocks = blocks;
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
