// What 64 bytes of delimited text say about the shape of a table and about plain numbers, one bit per byte;
// compiled once per instruction level. There is nothing to round: all levels give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "classica/level.hpp"
#include "classica/tables.hpp"

namespace classica {

// Many blocks in a row are looked at in one go: between the jumps that cells make, each would wait for its
// bytes.
struct TextBits {
  static constexpr std::ptrdiff_t most = 64;

  // Delimiters, quotes, newlines, carriage returns: their places, counted from the first of the bytes. Some
  // entries behind the last one may be written too.
  std::uint16_t places[64 * most + 64];
  std::ptrdiff_t count = 0;

  // The first word is that of the last block looked at before, since a cell may lie in both.
  std::uint64_t points[most + 2] = {};
  // Bytes that show that a cell is no plain number, which is: digits, perhaps a point before some of them,
  // perhaps a minus in front; no zero before a digit, and not -0.
  std::uint64_t against_numbers[most + 2] = {};

  // What the last block leaves to the next one.
  std::ptrdiff_t blocks = 0;
  std::uint64_t special = ~std::uint64_t{0};  // a cell starts in front of all
  std::uint64_t signs = 0;
  std::uint64_t first_zeros = 0;
  std::uint64_t carry = 0;
};

template <class Level>
struct TextBlock {
  // Looks at `blocks` times 64 bytes, which follow those looked at before; `next` is the byte behind them.
  static void look(const char* bytes, std::ptrdiff_t blocks, char next, Dialect dialect, TextBits& bits);

  // The next byte in [place, end) that is zero or not ASCII; `end` if there is none.
  static std::ptrdiff_t next_unusual(const char* bytes, std::ptrdiff_t place, std::ptrdiff_t end);
};

}  // namespace classica
