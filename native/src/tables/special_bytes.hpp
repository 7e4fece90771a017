// The places of the few bytes that matter to the shape of a table; and, since the bytes are looked at
// anyway, which cells between them are plain numbers (see text_block.cpp). Up to 64 blocks of 64 bytes are
// looked at in one go.
//
// Invariant: places are given out in ascending order, each once; bits of the block before stay at hand,
// since a cell may lie in both. Integers of up to 15 digits and decimals of up to 18 bytes are plain:
// longer ones may have digits that a double does not keep.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "../level/text_block.hpp"

namespace classica {

class SpecialBytes {
 public:
  SpecialBytes(std::string_view text, std::ptrdiff_t begin, Dialect dialect)
      : text_(text), dialect_(dialect), base_(begin), beyond_(begin) {}

  // The next delimiter, quote, newline or carriage return; the size of the text when there is none.
  std::ptrdiff_t next() {
    while (at_ == bits_.count) {
      if (beyond_ >= size()) return size();
      look_ahead();
    }
    return base_ + bits_.places[at_++];
  }

  // The kind of the cell that ends at the special byte found last, if it is a plain number; 0 stands for
  // "look closer". Long ones may have digits that a double does not keep.
  std::uint32_t number_kind(std::ptrdiff_t begin, std::ptrdiff_t end) const {
    constexpr std::size_t longest_integer = 15, longest_decimal = 18;
    const auto length = static_cast<std::size_t>(end - begin);
    if (length - 1 >= longest_decimal && length - 1 >= longest_decimal + uncounted(begin, length)) return 0;
    const std::uint64_t bytes = (std::uint64_t{1} << length) - 1;
    if ((bytes & from(bits_.against_numbers, begin)) != 0) return 0;
    if ((bytes & from(bits_.points, begin)) != 0) return cell::decimal;
    return length <= longest_integer ? cell::integer : 0;
  }

  std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(text_.size()); }

 private:
  std::string_view text_;
  Dialect dialect_;
  std::ptrdiff_t base_;    // where the bytes start that were looked at
  std::ptrdiff_t beyond_;  // where they end
  std::ptrdiff_t at_ = 0;  // how many of the special ones were given out
  TextBits bits_;

  // The bytes in front of a decimal that are no digits of it: a minus, a zero.
  std::size_t uncounted(std::ptrdiff_t begin, std::size_t length) const {
    if (length < 3) return 0;
    const char* const cell = text_.data() + begin;
    const std::size_t sign = cell[0] == '-';
    return sign + (cell[sign] == '0');
  }

  // The bits of 57 bytes, which may start a block before those that were looked at last.
  std::uint64_t from(const std::uint64_t* bits, std::ptrdiff_t begin) const {
    const auto place = static_cast<std::size_t>(begin - base_ + 64);
    if constexpr (std::endian::native == std::endian::little) {
      std::uint64_t word;
      std::memcpy(&word, reinterpret_cast<const char*>(bits) + place / 8, sizeof word);
      return word >> place % 8;
    } else {
      const std::uint64_t more = place % 64 == 0 ? 0 : bits[place / 64 + 1] << (64 - place % 64);
      return bits[place / 64] >> place % 64 | more;
    }
  }

  [[gnu::noinline]] void look_ahead() {
    base_ = beyond_, at_ = 0;
    const std::ptrdiff_t blocks = std::min(TextBits::most, (size() - base_) / 64);
    beyond_ = base_ + 64 * blocks;
    if (blocks == 0) return look_at_rest();
    look(text_.data() + base_, blocks, beyond_ < size() ? text_[static_cast<std::size_t>(beyond_)] : '\n');
  }

  // Fewer than 64 bytes at the end of the text.
  void look_at_rest() {
    char padded[64] = {};
    std::memcpy(padded, text_.data() + base_, static_cast<std::size_t>(size() - base_));
    beyond_ = size();
    look(padded, 1, '\n');
  }

  void look(const char* bytes, std::ptrdiff_t blocks, char next) {
    at_active_level([&]<class Level> { TextBlock<Level>::look(bytes, blocks, next, dialect_, bits_); });
  }
};

}  // namespace classica
