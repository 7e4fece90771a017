// The places of the few bytes that matter to the shape of a table; and, since the bytes are looked at anyway,
// which cells between them are plain numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "../level/text_block.hpp"
#include "quick_kind.hpp"

namespace classica {

class SpecialBytes {
 public:
  SpecialBytes(std::string_view text, std::ptrdiff_t begin, Dialect dialect)
      : text_(text), dialect_(dialect), base_(begin - 64) {}

  // The next delimiter, quote, newline or carriage return; the size of the text when there is none.
  std::ptrdiff_t next() {
    while (left_ == 0) {
      if (base_ + 64 >= size()) return size();
      base_ += 64;
      if (++block_ >= many) block_ = look_ahead(text_, base_, dialect_, blocks_);
      left_ = blocks_[block_].special;
      points_ = blocks_[block_].points;
      against_ = blocks_[block_].against_numbers;
    }
    const std::ptrdiff_t place = base_ + std::countr_zero(left_);
    left_ &= left_ - 1;
    return place;
  }

  // The kind of the cell that ends at the special byte found last, if it is a plain number; 0 stands for
  // "look closer". Long ones may have digits that a double does not keep.
  std::uint32_t number_kind(std::ptrdiff_t begin, std::ptrdiff_t end) const {
    constexpr std::size_t longest_integer = 15, longest_decimal = 18;
    const auto length = static_cast<std::size_t>(end - begin);
    if (begin < base_) [[unlikely]]
      return quick_kind(text_.data() + begin, length, text_.size() - static_cast<std::size_t>(begin));
    if (length - 1 >= longest_decimal) return 0;
    const std::uint64_t bytes = ((std::uint64_t{1} << length) - 1) << (begin - base_);
    if ((bytes & against_) != 0) return 0;
    if ((bytes & points_) != 0) return cell::decimal;
    return length <= longest_integer ? cell::integer : 0;
  }

  std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(text_.size()); }

 private:
  // Many blocks are looked at in one go: between the jumps that cells make, each would wait for its bytes.
  static constexpr std::ptrdiff_t many = 64;

  std::string_view text_;
  Dialect dialect_;
  std::ptrdiff_t base_;          // where the block starts
  std::ptrdiff_t block_ = many;  // which of the blocks it is
  std::uint64_t left_ = 0;       // its special bytes that were not given out yet
  std::uint64_t points_ = 0;     // the rest of it
  std::uint64_t against_ = 0;
  TextBits blocks_[many];

  // Fills the last of the blocks with those from `base` on, and returns the first of them.
  [[gnu::noinline]] static std::ptrdiff_t look_ahead(std::string_view text, std::ptrdiff_t base,
                                                     Dialect dialect, TextBits* blocks) {
    const std::size_t rest = text.size() - static_cast<std::size_t>(base);
    const std::ptrdiff_t whole = std::min(many, static_cast<std::ptrdiff_t>(rest / 64));
    const std::ptrdiff_t first = whole < many && rest % 64 != 0 ? many - whole - 1 : many - whole;
    const auto look = [&](const char* bytes, std::ptrdiff_t count, TextBits* bits) {
      at_active_level([&]<class Level> { TextBlock<Level>::look(bytes, count, dialect, bits); });
    };
    look(text.data() + base, whole, blocks + first);
    if (first + whole < many) {
      char padded[64] = {};
      std::memcpy(padded, text.data() + base + 64 * whole, rest % 64);
      look(padded, 1, blocks + many - 1);
      blocks[many - 1].special &= (std::uint64_t{1} << rest % 64) - 1;
    }
    return first;
  }
};

}  // namespace classica
