// What 64 bytes of delimited text say about the shape of a table and about plain numbers, one bit per byte;
// compiled once per instruction level. There is nothing to round: all levels give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "classica/level.hpp"
#include "classica/tables.hpp"

namespace classica {

struct TextBits {
  std::uint64_t special;  // delimiters, quotes, newlines, carriage returns
  std::uint64_t points;
  // Bytes that show that a cell of this block is no plain number, which is: digits, perhaps a point before
  // some of them, perhaps a minus in front; no zero before a digit, and not -0.
  std::uint64_t against_numbers;
};

template <class Level>
struct TextBlock {
  // Looks at `blocks` times 64 bytes.
  static void look(const char* bytes, std::ptrdiff_t blocks, Dialect dialect, TextBits* bits);

  // Whether a character is in some bytes an odd number of times.
  static bool is_odd(const char* bytes, std::ptrdiff_t size, char c);

  // The next byte in [place, end) that is zero or not ASCII; `end` if there is none.
  static std::ptrdiff_t next_unusual(const char* bytes, std::ptrdiff_t place, std::ptrdiff_t end);
};

}  // namespace classica
