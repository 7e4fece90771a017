// What one cell looks like: a finite automaton of a few states, one step per byte, with the transitions in
// a table (own). Numbers that a double may not keep are decided by converting and comparing.
//
// Invariant: the state tells what the bytes so far can still become; `other` is final. Cost: O(bytes of the
// cell).
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

#include "classica/tables.hpp"

namespace classica {
namespace {

// A cell is read by a machine of a few states, one step per byte.
enum State : std::uint8_t {
  start,
  minus,
  zero,
  minus_zero,
  whole,
  zeros,     // a zero and another digit
  point,     // a point and no digit yet
  fraction,  // digits and a point
  comma,     // digits and a comma
  commas,    // digits, a comma, digits
  exponent,  // an e
  exponent_sign,
  exponent_digits,
  plus,
  other,
  states
};

enum Letter : std::uint8_t {
  is_zero,
  is_digit,
  is_minus,
  is_plus,
  is_point,
  is_comma,
  is_e,
  is_other,
  letters
};

constexpr Letter letter_of(unsigned char c) {
  if (c == '0') return is_zero;
  if (c >= '1' && c <= '9') return is_digit;
  if (c == '-') return is_minus;
  if (c == '+') return is_plus;
  if (c == '.') return is_point;
  if (c == ',') return is_comma;
  return c == 'e' || c == 'E' ? is_e : is_other;
}

constexpr std::array<std::uint8_t, 256> make_alphabet() {
  std::array<std::uint8_t, 256> alphabet{};
  for (int c = 0; c < 256; ++c)
    alphabet[static_cast<std::size_t>(c)] = letter_of(static_cast<unsigned char>(c));
  return alphabet;
}

constexpr std::array<std::uint8_t, 256> alphabet = make_alphabet();

// clang-format off
constexpr std::uint8_t steps[states][letters] = {
    // from              0                1..9             -              +              .         ,      e         other
    /* start           */ {zero,            whole,           minus,         plus,          point,    other, other,    other},
    /* minus           */ {minus_zero,      whole,           other,         other,         point,    other, other,    other},
    /* zero            */ {zeros,           zeros,           other,         other,         fraction, comma, exponent, other},
    /* minus_zero      */ {zeros,           zeros,           other,         other,         fraction, comma, exponent, other},
    /* whole           */ {whole,           whole,           other,         other,         fraction, comma, exponent, other},
    /* zeros           */ {zeros,           zeros,           other,         other,         zeros,    zeros, other,    other},
    /* point           */ {fraction,        fraction,        other,         other,         other,    other, other,    other},
    /* fraction        */ {fraction,        fraction,        other,         other,         other,    other, exponent, other},
    /* comma           */ {commas,          commas,          other,         other,         other,    other, other,    other},
    /* commas          */ {commas,          commas,          other,         other,         other,    other, other,    other},
    /* exponent        */ {exponent_digits, exponent_digits, exponent_sign, exponent_sign, other,    other, other,    other},
    /* exponent_sign   */ {exponent_digits, exponent_digits, other,         other,         other,    other, other,    other},
    /* exponent_digits */ {exponent_digits, exponent_digits, other,         other,         other,    other, other,    other},
    /* plus            */ {plus,            plus,            other,         other,         plus,     plus,  plus,     other},
    /* other           */ {other,           other,           other,         other,         other,    other, other,    other},
};
// clang-format on

constexpr std::uint32_t kinds[states] = {cell::empty,   cell::text,         cell::integer, cell::decimal,
                                         cell::integer, cell::leading_zero, cell::text,    cell::decimal,
                                         cell::text,    cell::comma,        cell::text,    cell::text,
                                         cell::decimal, cell::plus,         cell::text};

// Shorter cells hold neither integers above 2^53 nor digits or exponents beyond those of doubles.
constexpr std::size_t plain_integer = 15, plain_fraction = 18, plain_exponent = 2;

std::uint32_t size_of_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return cell::above_2_53 | cell::above_int64;
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  return value > exact || value < -exact ? cell::above_2_53 : 0;
}

// The digits of a number that count: none of the zeros in front and behind.
std::string digits_of(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c == 'e' || c == 'E') break;
    if (c >= '0' && c <= '9' && !(digits.empty() && c == '0')) digits += c;
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

bool has_exponent(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c == 'e' || c == 'E'; });
}

// The digits from the first that is not zero.
std::ptrdiff_t count_digits(std::string_view text) {
  const auto first = std::find_if(text.begin(), text.end(), [](char c) { return c >= '1' && c <= '9'; });
  return std::count_if(first, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Whether a double cannot stand for a decimal. Seventeen digits tell any two doubles apart, so a number
// with more of them must have all those of its double.
bool is_inexact(std::string_view text) {
  if (text.size() <= 300 && !has_exponent(text) && count_digits(text) <= 17) return false;
  std::string number(text);
  for (char& c : number)
    if (c == ',') c = '.';
  const std::string digits = digits_of(number);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || !std::isfinite(value) || (value == 0) != digits.empty()) return true;
  if (digits.size() <= 17) return false;
  if (digits.size() > 770) return true;  // no double has as many
  char buffer[800];
  const int precision = static_cast<int>(digits.size()) - 1;
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, std::abs(value),
                                     std::chars_format::scientific, precision);
  return digits_of({buffer, static_cast<std::size_t>(written.ptr - buffer)}) != digits;
}

// Whether a number such as 1.5e-07 is short enough to need no second look.
bool has_plain_exponent(std::string_view text) {
  const std::size_t place = text.find_first_of("eE");
  const std::size_t sign = text[place + 1] == '-' || text[place + 1] == '+';
  // A fraction has a point among its letters, this one need not.
  return place < plain_fraction && text.size() - place - 1 - sign <= plain_exponent;
}

bool is_not_finite(std::string_view text) {
  if (text.size() > 1 && text[0] == '-') text.remove_prefix(1);
  const auto equals = [&](std::string_view word) {
    if (text.size() != word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
      if ((text[i] | 0x20) != word[i]) return false;
    return true;
  };
  return equals("nan") || equals("inf") || equals("infinity");
}

bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::uint32_t kind_of_trimmed(std::string_view text) {
  std::uint8_t state = start;
  for (const char c : text) {
    state = steps[state][alphabet[static_cast<unsigned char>(c)]];
    if (state == other) return is_not_finite(text) ? cell::not_finite : cell::text;
  }
  std::uint32_t kind = kinds[state];
  if (state == whole && text.size() > plain_integer) kind |= size_of_integer(text);
  if (state == exponent_digits ? !has_plain_exponent(text) : text.size() > plain_fraction)
    if ((kind & (cell::decimal | cell::comma)) != 0 && is_inexact(text)) kind |= cell::inexact;
  return kind;
}

}  // namespace

std::uint32_t cell_kind(std::string_view text) {
  if (text.empty()) return cell::empty;
  if (!is_space(text.front()) && !is_space(text.back())) return kind_of_trimmed(text);
  text = trimmed(text);
  return cell::spaces | (text.empty() ? cell::blank : kind_of_trimmed(text));
}

}  // namespace classica
