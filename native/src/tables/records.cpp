// Records again: skipping some, writing them cleanly, and listing odd ones, each a visitor of the one
// reader in records.hpp, so that all agree about what a record and a quote are. Cost: one pass over the
// bytes they visit.
#include "records.hpp"

#include <utility>

#include "classica/parallel.hpp"

namespace classica {
namespace {

void append_quoted(std::string& out, std::string_view content, char quote) {
  out += quote;
  for (const char c : content) {
    if (c == quote) out += quote;
    out += c;
  }
  out += quote;
}

// Counts records and cells.
struct Skip {
  RecordEnd end;
  std::ptrdiff_t count;
  bool keep_blank;
  std::ptrdiff_t cells = 0;

  void number(std::uint32_t, std::string_view) { ++cells; }
  void cell(const Cell&) { ++cells; }
  bool record(const Record& found) {
    if (!found.blank || keep_blank) end.cells = found.blank ? 1 : cells, ++end.records;
    cells = 0;
    end.place = found.next;
    if (end.records % 4096 == 0) poll_interrupt();
    return end.records < count;
  }
};

// Writes records again.
struct Clean {
  std::string out;
  Dialect dialect;
  bool keep_blank;
  bool first = true;
  std::ptrdiff_t done = 0;

  void number(std::uint32_t, std::string_view raw) { cell({raw, raw}); }
  void cell(const Cell& found) {
    if (!first) out += dialect.delimiter;
    if (found.inner_quotes)
      append_quoted(out, found.content, dialect.quote);
    else
      out += found.raw;
    first = false;
  }
  bool record(const Record& found) {
    if (!found.blank || keep_blank) out += '\n';
    first = true;
    if (done++ % 4096 == 0) poll_interrupt();
    return true;
  }
};

// Lists records that are hollow or ragged.
struct Odd {
  std::vector<std::int64_t> found;
  std::ptrdiff_t columns;
  bool ragged;
  std::ptrdiff_t cells = 0;
  bool filled = false;
  std::ptrdiff_t done = 0;

  void number(std::uint32_t, std::string_view) { ++cells, filled = true; }
  void cell(const Cell& found) { ++cells, filled = filled || !found.raw.empty(); }
  bool record(const Record& record) {
    const bool odd = filled ? ragged && cells != columns : cells > 1;
    if (odd) found.insert(found.end(), {record.begin, record.next, filled});
    cells = 0, filled = false;
    if (done++ % 4096 == 0) poll_interrupt();
    return true;
  }
};

}  // namespace

std::vector<std::int64_t> odd_records(std::string_view text, std::ptrdiff_t begin, Dialect dialect,
                                      std::ptrdiff_t columns, bool ragged) {
  Odd odd{{}, columns, ragged};
  read_records(text, begin, dialect, odd);
  return std::move(odd.found);
}

RecordEnd skip_records(std::string_view text, std::ptrdiff_t begin, Dialect dialect, std::ptrdiff_t count,
                       bool keep_blank) {
  if (count <= 0) return {begin, 0, 0};
  Skip skip{{begin, 0, 0}, count, keep_blank};
  read_records(text, begin, dialect, skip);
  return skip.end;
}

std::string clean_records(std::string_view text, Dialect dialect, bool keep_blank) {
  Clean clean{{}, dialect, keep_blank};
  clean.out.reserve(text.size() + text.size() / 16);
  read_records(text, 0, dialect, clean);
  return std::move(clean.out);
}

std::ptrdiff_t line_at(std::string_view text, std::ptrdiff_t place) {
  std::ptrdiff_t line = 1;
  const std::string_view before = text.substr(0, static_cast<std::size_t>(place));
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool last = i + 1 >= text.size();
    line += before[i] == '\n' || (before[i] == '\r' && (last || text[i + 1] != '\n'));
  }
  return line;
}

}  // namespace classica
