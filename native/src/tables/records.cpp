#include "records.hpp"

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

}  // namespace

RecordEnd skip_records(std::string_view text, std::ptrdiff_t begin, Dialect dialect, std::ptrdiff_t count,
                       bool keep_blank) {
  Records records(text, begin, dialect);
  RecordEnd end{begin, 0, 0};
  while (end.records < count && !records.at_end()) {
    const bool counts = keep_blank || !records.at_blank_line();
    std::ptrdiff_t cells = 0;
    records.read([&](const Cell&) { ++cells; });
    if (counts) end.cells = cells, ++end.records;
    if (end.records % 4096 == 0) poll_interrupt();
  }
  end.place = records.place();
  return end;
}

std::string clean_records(std::string_view text, Dialect dialect, bool keep_blank) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  Records records(text, 0, dialect);
  for (std::ptrdiff_t done = 0; !records.at_end(); ++done) {
    const bool dropped = !keep_blank && records.at_blank_line();
    bool first = true;
    records.read([&](const Cell& found) {
      if (dropped) return;
      if (!first) out += dialect.delimiter;
      if (found.inner_quotes)
        append_quoted(out, found.content, dialect.quote);
      else
        out += found.raw;
      first = false;
    });
    if (!dropped) out += '\n';
    if (done % 4096 == 0) poll_interrupt();
  }
  return out;
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
