// The one reader of records and cells. What quotes mean is decided here and nowhere else:
// a cell that starts with a quote goes to the quote that closes it (two in a row are one inside);
// in any other cell a quote is a character like others.
#pragma once

#include <string_view>

#include "special_bytes.hpp"

namespace classica {

struct Cell {
  std::string_view raw;       // with its quotes
  std::string_view content;   // without them; doubled quotes stay doubled
  bool quoted = false;        // starts with a quote
  bool inner_quotes = false;  // not quoted, but with quotes inside
  bool after_quote = false;   // text after the closing quote
  bool open_quote = false;    // the text ends before the quote does
};

struct Record {
  std::ptrdiff_t begin;
  std::ptrdiff_t next;  // where the record behind it starts
  bool bare_return;     // whether it ends with a carriage return and no newline
  bool blank;           // whether it is an empty line; its one cell is not given to anybody
};

// What quotes have to do with the cell that is being read.
class Quotes {
 public:
  // Whether a special byte ends the cell that starts at `cell`.
  bool end_cell(std::string_view text, std::ptrdiff_t cell, std::ptrdiff_t place, char quote) {
    const bool is_quote = text[static_cast<std::size_t>(place)] == quote;
    if (state_ == State::inside) {
      if (is_quote) close(text, place, quote);
    } else if (state_ == State::doubled) {
      state_ = State::inside;
    } else if (!is_quote) {
      return true;
    } else if (state_ == State::plain) {
      if (place == cell)
        state_ = State::inside;
      else
        inner_ = true;
    }
    return false;
  }

  // Returns a cell with what was found of it, and forgets that.
  Cell cell(std::string_view raw, std::string_view text) {
    Cell cell{raw, raw};
    cell.inner_quotes = inner_;
    cell.quoted = state_ != State::plain;
    cell.open_quote = cell.quoted && state_ != State::closed;
    if (cell.open_quote) cell.content = raw.substr(1);
    if (state_ == State::closed) {
      const auto length = static_cast<std::size_t>(text.data() + close_ - raw.data());
      cell.content = raw.substr(1, length - 1);
      cell.after_quote = raw.size() != length + 1;
    }
    *this = Quotes();
    return cell;
  }

 private:
  // No quote in front, inside quotes, before the second of two in a row, behind the closing one.
  enum class State : char { plain, inside, doubled, closed };

  State state_ = State::plain;
  bool inner_ = false;
  std::ptrdiff_t close_ = 0;

  void close(std::string_view text, std::ptrdiff_t place, char quote) {
    const auto next = static_cast<std::size_t>(place) + 1;
    state_ = next < text.size() && text[next] == quote ? State::doubled : State::closed;
    close_ = place;
  }
};

// Gives all records from `begin` on to a visitor, as long as it wants more: visitor.number(kind, raw) for
// most cells that are plain numbers, visitor.cell(cell) for all others, visitor.record(record) behind them.
template <class Visitor>
void read_records(std::string_view text, std::ptrdiff_t begin, Dialect dialect, Visitor& visitor) {
  const auto size = static_cast<std::ptrdiff_t>(text.size());
  const char* const bytes = text.data();
  const int quote = dialect.quoting() ? dialect.quote : -1;
  SpecialBytes special(text, begin, dialect);
  Quotes quotes;
  bool any_quotes = false;  // in this cell
  for (std::ptrdiff_t first = begin; first < size;) {
    const std::ptrdiff_t end = special.next();
    const char by = end < size ? bytes[end] : '\n';
    if (by == quote || any_quotes) [[unlikely]] {
      any_quotes = true;
      if (end < size && !quotes.end_cell(text, begin, end, dialect.quote)) continue;
    }
    const std::string_view raw(bytes + begin, static_cast<std::size_t>(end - begin));
    const bool blank = end == first && by != dialect.delimiter;
    const std::uint32_t kind = any_quotes || end == size ? 0 : special.number_kind(begin, end);
    if (kind != 0)
      visitor.number(kind, raw);
    else if (!blank)
      visitor.cell(any_quotes ? quotes.cell(raw, text) : Cell{raw, raw});
    any_quotes = false;
    begin = end + 1;
    if (by == dialect.delimiter) continue;
    const bool both = by == '\r' && begin < size && bytes[begin] == '\n';
    if (both) begin = special.next() + 1;
    const Record record{first, std::min(begin, size), by == '\r' && !both, blank};
    first = begin;
    if (!visitor.record(record)) return;
  }
}

}  // namespace classica
