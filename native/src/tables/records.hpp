// The one reader of records and cells, from one special byte to the next. What quotes mean is decided here
// and nowhere else: a cell that starts with a quote goes to the quote that closes it (two in a row are one
// inside); in any other cell a quote is a character like others (RFC 4180 for well-formed tables).
//
// Invariant: `begin` is where a cell starts, `first` where its record does; every byte belongs to one cell
// or divides two. Cost: O(special bytes), and O(bytes) for the scan below it.
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

// Reads on to the end of a cell of which `place` is the first quote.
inline Cell cell_with_quotes(SpecialBytes& special, std::string_view text, std::ptrdiff_t begin,
                             std::ptrdiff_t place, char quote) {
  const std::ptrdiff_t size = special.size();
  const auto is_quote = [&](std::ptrdiff_t at) {
    return at < size && text[static_cast<std::size_t>(at)] == quote;
  };
  const bool quoted = place == begin;
  std::ptrdiff_t close = begin;
  for (close = special.next(); quoted && close < size; close = special.next()) {
    if (!is_quote(close)) continue;
    if (!is_quote(close + 1)) break;
    special.next();
  }
  std::ptrdiff_t end = quoted ? special.next() : close;
  while (is_quote(end)) end = special.next();
  const std::string_view raw =
      text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  if (!quoted) return {raw, raw, false, true};
  const auto length = static_cast<std::size_t>(close - begin);
  const bool open = close == size;
  return {raw, raw.substr(1, length - 1), true, false, !open && raw.size() != length + 1, open};
}

// Gives all records from `begin` on to a visitor, as long as it wants more: visitor.number(kind, raw) for
// most cells that are plain numbers, visitor.cell(cell) for all others, visitor.record(record) behind them.
template <class Visitor>
void read_records(std::string_view text, std::ptrdiff_t begin, Dialect dialect, Visitor& visitor) {
  const auto size = static_cast<std::ptrdiff_t>(text.size());
  const char* const bytes = text.data();
  const int quote = dialect.quoting() ? dialect.quote : -1;
  SpecialBytes special(text, begin, dialect);
  for (std::ptrdiff_t first = begin; first < size;) {
    std::ptrdiff_t end = special.next();
    char by = end < size ? bytes[end] : '\n';
    const std::uint32_t kind = by == quote || end == size ? 0 : special.number_kind(begin, end);
    bool blank = false;
    if (kind != 0) [[likely]] {
      visitor.number(kind, {bytes + begin, static_cast<std::size_t>(end - begin)});
    } else if (by != quote) {
      blank = end == first && by != dialect.delimiter;
      const std::string_view raw(bytes + begin, static_cast<std::size_t>(end - begin));
      if (!blank) visitor.cell(Cell{raw, raw});
    } else {
      const Cell cell = cell_with_quotes(special, text, begin, end, dialect.quote);
      end = begin + static_cast<std::ptrdiff_t>(cell.raw.size());
      by = end < size ? bytes[end] : '\n';
      visitor.cell(cell);
    }
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
