// The one reader of records and cells. What quotes mean is decided here and nowhere else:
// a cell that starts with a quote goes to the quote that closes it (two in a row are one inside);
// in any other cell a quote is a character like others.
#pragma once

#include <algorithm>
#include <string_view>

#include "special_bytes.hpp"

namespace classica {

struct Cell {
  std::string_view raw;      // with its quotes
  std::string_view content;  // without them; doubled quotes stay doubled
  bool quoted = false;
  bool inner_quotes = false;  // not quoted, but with quotes inside
  bool after_quote = false;   // text after the closing quote
  bool open_quote = false;    // the text ends before the quote does
};

class Records {
 public:
  Records(std::string_view text, std::ptrdiff_t begin, Dialect dialect)
      : text_(text), special_(text, begin, dialect), dialect_(dialect), place_(begin) {}

  bool at_end() const { return place_ >= special_.size(); }
  std::ptrdiff_t place() const { return place_; }
  bool at_blank_line() const { return !at_end() && (text_[at(place_)] == '\n' || text_[at(place_)] == '\r'); }
  // Whether the last record ended with a carriage return and no newline.
  bool bare_return() const { return bare_return_; }

  // Calls on_cell(cell) for each cell of the record that starts here, and goes to the next one.
  template <class OnCell>
  void read(OnCell on_cell) {
    bool more = true;
    while (more) {
      const std::ptrdiff_t begin = place_;
      Cell cell;
      const std::ptrdiff_t end = find_end(begin, cell);
      cell.raw = text_.substr(at(begin), at(end - begin));
      if (!cell.quoted) cell.content = cell.raw;
      more = go_over(end);
      on_cell(cell);
    }
  }

 private:
  std::string_view text_;
  SpecialBytes special_;
  Dialect dialect_;
  std::ptrdiff_t place_;
  bool bare_return_ = false;

  static std::size_t at(std::ptrdiff_t place) { return static_cast<std::size_t>(place); }
  bool has_quote(std::ptrdiff_t place) const {
    return place < special_.size() && text_[at(place)] == dialect_.quote;
  }

  // Returns where the cell that starts at `begin` ends: at a delimiter, an end of line or the end of the
  // text.
  std::ptrdiff_t find_end(std::ptrdiff_t begin, Cell& cell) {
    std::ptrdiff_t place = special_.next();
    if (!dialect_.quoting() || !has_quote(place)) return place;
    if (place == begin) {
      const std::ptrdiff_t close = find_close();
      cell.quoted = true;
      cell.open_quote = close == special_.size();
      cell.content = text_.substr(at(begin + 1), at(close - begin - 1));
      place = special_.next();
      cell.after_quote = !cell.open_quote && place != close + 1;
    } else {
      cell.inner_quotes = true;
    }
    while (has_quote(place)) place = special_.next();
    return place;
  }

  std::ptrdiff_t find_close() {
    for (;;) {
      std::ptrdiff_t place = special_.next();
      while (place < special_.size() && !has_quote(place)) place = special_.next();
      if (!has_quote(place + 1)) return std::min(place, special_.size());
      special_.next();
    }
  }

  // Goes over what ended a cell; says whether the record has more.
  bool go_over(std::ptrdiff_t end) {
    place_ = end + 1;
    bare_return_ = false;
    if (end >= special_.size()) return place_ = special_.size(), false;
    const char ended_by = text_[at(end)];
    if (ended_by == dialect_.delimiter) return true;
    if (ended_by == '\r') {
      bare_return_ = at_end() || text_[at(place_)] != '\n';
      if (!bare_return_) place_ = special_.next() + 1;
    }
    return false;
  }
};

}  // namespace classica
