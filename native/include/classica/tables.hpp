// Delimited text, looked at before somebody parses it: how many records, how many cells in each, what the
// cells of each column look like. All places are offsets of bytes; line_at makes a line of one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "classica/view.hpp"

namespace classica {

struct Dialect {
  char delimiter;
  char quote;  // the delimiter again where nothing is quoted
  bool quoting() const { return quote != delimiter; }
};

// What a cell looks like, as bits; those of a column are joined.
namespace cell {
inline constexpr std::uint32_t empty = 1;               // nothing at all, or quotes around nothing
inline constexpr std::uint32_t integer = 1 << 1;        // -12
inline constexpr std::uint32_t decimal = 1 << 2;        // 1.5, .5, 1e5, -0
inline constexpr std::uint32_t comma = 1 << 3;          // 1,5
inline constexpr std::uint32_t leading_zero = 1 << 4;   // 007, 00.5
inline constexpr std::uint32_t plus = 1 << 5;           // +5
inline constexpr std::uint32_t not_finite = 1 << 6;     // nan, inf, -Infinity
inline constexpr std::uint32_t blank = 1 << 7;          // spaces only
inline constexpr std::uint32_t text = 1 << 8;           // anything else
inline constexpr std::uint32_t spaces = 1 << 9;         // around what the other bits say
inline constexpr std::uint32_t quoted = 1 << 10;        // in quotes
inline constexpr std::uint32_t above_2_53 = 1 << 11;    // an integer that a double may not hold
inline constexpr std::uint32_t above_int64 = 1 << 12;   // an integer of more than 64 bits
inline constexpr std::uint32_t inexact = 1 << 13;       // a decimal that no double can stand for
inline constexpr std::uint32_t quoted_empty = 1 << 14;  // quotes around nothing

// The words of the bits, from the lowest on.
inline constexpr std::array<std::string_view, 15> words = {
    "empty", "integer", "decimal", "comma",       "leading zero", "plus",    "not finite",  "blank",
    "text",  "spaces",  "quoted",  "above 2**53", "above int64",  "inexact", "quoted empty"};
}  // namespace cell

// The bits of one cell, quotes taken off.
std::uint32_t cell_kind(std::string_view text);

// Where something was first seen, and how often.
struct Sighting {
  std::ptrdiff_t place = -1;
  std::ptrdiff_t count = 0;
  std::ptrdiff_t detail = 0;

  void see(std::ptrdiff_t at, std::ptrdiff_t what = 0) {
    if (count++ == 0) place = at, detail = what;
  }
  void join(const Sighting& later) {
    if (count == 0) place = later.place, detail = later.detail;
    count += later.count;
  }
};

// What is known of all records from `begin` on.
struct TableFacts {
  std::ptrdiff_t records = 0;
  Sighting ragged;            // detail: the number of cells
  Sighting blank_lines;       // in a table of several columns; in one of one column they are empty cells
  Sighting open_quote;        // a quote nobody closes
  Sighting after_quote;       // text between a closing quote and the delimiter; detail: the column
  Sighting inner_quotes;      // cells that have quotes inside but none in front; detail: the column
  Sighting carriage_returns;  // lines that end with a carriage return alone
};

// What bytes a text has.
struct ByteFacts {
  Sighting nul;
  Sighting not_utf8;
  Sighting utf8;  // well-formed sequences of several bytes
};

ByteFacts scan_bytes(std::string_view text, int threads);

// Per column; all have one entry per column.
struct ColumnFacts {
  Vector<std::uint32_t> kinds;
  Vector<std::int64_t> empties;
  Vector<std::int64_t> texts;       // cells that are neither empty nor a number
  Vector<std::int64_t> first_text;  // where the first of them is, or -1
};

// The facts of the records of text[begin:]; the same for any number of threads.
TableFacts scan_table(std::string_view text, std::ptrdiff_t begin, Dialect dialect, ColumnFacts columns,
                      int threads);

struct RecordEnd {
  std::ptrdiff_t place;    // where the next record starts
  std::ptrdiff_t records;  // how many there were, at most as many as asked for
  std::ptrdiff_t cells;    // in the last of them
};

// Goes over `count` records. With `keep_blank` an empty line is a record of one empty cell.
RecordEnd skip_records(std::string_view text, std::ptrdiff_t begin, Dialect dialect, std::ptrdiff_t count,
                       bool keep_blank);

// The same records as anybody reads them: newlines at the end of each, quotes around each cell that has
// some inside, no empty lines unless they are kept.
std::string clean_records(std::string_view text, Dialect dialect, bool keep_blank);

// Records to leave out of text[begin:]: those of several cells that are all empty, and with `ragged` those
// that have another number of cells than `columns`. Three numbers for each: where it starts, where the next
// one does, and whether it has a cell that is not empty. Empty lines are none of them.
std::vector<std::int64_t> odd_records(std::string_view text, std::ptrdiff_t begin, Dialect dialect,
                                      std::ptrdiff_t columns, bool ragged);

// The number of the line, from 1, that a byte is in.
std::ptrdiff_t line_at(std::string_view text, std::ptrdiff_t place);

}  // namespace classica
