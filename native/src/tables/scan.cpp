// The scan of a table in stretches of a megabyte, in parallel (own; docs/decisions/0030). Whether a stretch
// begins inside quotes is guessed from the next quote beside a delimiter.
//
// Invariant: a stretch counts only if it begins where the one before it ended; otherwise it is read again
// from there. Facts of stretches are joined in order, so that they are the same for any number of threads.
// Cost: one pass over the bytes, two over a stretch that was guessed wrongly.
#include <algorithm>
#include <utility>
#include <vector>

#include "classica/parallel.hpp"
#include "classica/tables.hpp"
#include "records.hpp"

namespace classica {
namespace {

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// Whether text starts with a letter that makes it neither a number nor a word for one.
bool is_word(std::string_view text) {
  const auto first = static_cast<char>(text.front() | 0x20);
  return static_cast<unsigned char>(first - 'a') < 26 && first != 'i' && first != 'n';
}

// Whether text has a sign behind a digit, at the place where most dates have it.
bool is_date(std::string_view text) {
  if (text.size() < 5 || !is_digit(text[0]) || !is_digit(text[3])) return false;
  return text[4] == '-' || text[4] == '/' || text[4] == ':';
}

// The kind of a cell; words and dates are seen at a glance.
std::uint32_t content_kind(std::string_view text) {
  const bool padded = text.empty() || text.back() == ' ' || text.back() == '\t';
  return !padded && (is_word(text) || is_date(text)) ? cell::text : cell_kind(text);
}

constexpr std::uint32_t numbers = cell::integer | cell::decimal | cell::comma;

// What one stretch of the text adds to the facts of all.
class Stretch {
 public:
  TableFacts table;
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;

  // Reads the records that start in [first, beyond).
  void read(std::string_view text, std::ptrdiff_t first, std::ptrdiff_t beyond, Dialect dialect,
            std::ptrdiff_t columns) {
    begin = end = first;
    text_ = text, beyond_ = beyond;
    columns_.assign(static_cast<std::size_t>(columns), Column{});
    if (first < beyond) read_records(text, first, dialect, *this);
  }

  void number(std::uint32_t kind, std::string_view) {
    if (column_ < columns_.size()) columns_[column_].kinds |= kind;
    ++column_;
  }

  [[gnu::always_inline]] void cell(const Cell& found) {
    if (column_ < columns_.size()) note(columns_[column_], found);
    if (found.quoted || found.inner_quotes) note_quotes(found);
    ++column_;
  }

  bool record(const Record& found) {
    if (found.blank && columns_.size() > 1) {
      table.blank_lines.see(found.begin);
    } else {
      if (found.blank) cell(Cell{text_.substr(0, 0), text_.substr(0, 0)});
      if (column_ != columns_.size()) table.ragged.see(found.begin, static_cast<std::ptrdiff_t>(column_));
      if (++table.records % 4096 == 0) poll_interrupt();
    }
    if (found.bare_return) table.carriage_returns.see(found.begin);
    column_ = 0;
    end = found.next;
    return end < beyond_;
  }

  void add_to(ColumnFacts& facts) const {
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const auto place = static_cast<std::ptrdiff_t>(j);
      facts.kinds[place] |= columns_[j].kinds;
      facts.empties[place] += columns_[j].empties;
      facts.texts[place] += columns_[j].texts;
      if (facts.first_text[place] < 0) facts.first_text[place] = columns_[j].first_text;
    }
  }

 private:
  struct Column {
    std::uint32_t kinds = 0;
    std::int64_t empties = 0;
    std::int64_t texts = 0;
    std::int64_t first_text = -1;
  };
  std::vector<Column> columns_;

  std::string_view text_;
  std::ptrdiff_t beyond_ = 0;
  std::size_t column_ = 0;

  std::ptrdiff_t place_of(const Cell& found) const { return found.raw.data() - text_.data(); }

  [[gnu::always_inline]] void note(Column& column, const Cell& found) {
    const std::uint32_t kind = kind_of(found);
    column.kinds |= kind;
    if ((kind & numbers) != 0) return;
    if ((kind & cell::empty) != 0)
      ++column.empties;
    else if (column.texts++ == 0)
      column.first_text = place_of(found);
  }

  static std::uint32_t kind_of(const Cell& found) {
    const std::uint32_t kind = content_kind(found.content);
    if (!found.quoted) return kind;
    return kind | cell::quoted | (found.content.empty() ? cell::quoted_empty : 0u);
  }

  void note_quotes(const Cell& found) {
    const std::ptrdiff_t place = place_of(found), which = static_cast<std::ptrdiff_t>(column_);
    if (found.open_quote) table.open_quote.see(place, which);
    if (found.after_quote) table.after_quote.see(place, which);
    if (found.inner_quotes) table.inner_quotes.see(place, which);
  }
};

// Whether a place seems to be inside quotes. The next quote that stands between a cell and its border tells;
// those before it open and close in turn. A guess only: what is read from there is compared.
bool seems_inside(std::string_view text, std::size_t place, Dialect dialect) {
  constexpr std::size_t far = std::size_t{1} << 16;
  const auto borders = [&](char c) { return c == dialect.delimiter || c == '\n' || c == '\r'; };
  const std::string_view near = text.substr(0, std::min(text.size(), place + far));
  bool turned = false;
  for (place = near.find(dialect.quote, place); place < near.size();
       place = near.find(dialect.quote, place + 1)) {
    const char before = place == 0 ? '\n' : text[place - 1];
    const char after = place + 1 == text.size() ? '\n' : text[place + 1];
    const bool alone = before != dialect.quote && after != dialect.quote;
    if (alone && borders(before) != borders(after)) return borders(after) != turned;
    turned = !turned;
  }
  return false;
}

// The first record that starts in (place, beyond], as far as one can tell from there; `beyond` if none does.
std::ptrdiff_t record_after(std::string_view text, std::ptrdiff_t place, std::ptrdiff_t beyond,
                            Dialect dialect) {
  const auto size = static_cast<std::ptrdiff_t>(text.size());
  bool inside = dialect.quoting() && seems_inside(text, static_cast<std::size_t>(place), dialect);
  for (; place < beyond; ++place) {
    const char c = text[static_cast<std::size_t>(place)];
    if (dialect.quoting() && c == dialect.quote) inside = !inside;
    if (inside || (c != '\n' && c != '\r')) continue;
    const bool both = c == '\r' && place + 1 < size && text[static_cast<std::size_t>(place + 1)] == '\n';
    return place + (both ? 2 : 1);
  }
  return beyond;
}

class Scan {
 public:
  Scan(std::string_view text, std::ptrdiff_t begin, Dialect dialect, std::ptrdiff_t columns, int threads)
      : text_(text), dialect_(dialect), columns_(columns), threads_(threads) {
    // A stretch should take a few milliseconds, and be long beside what it keeps of each column.
    const std::ptrdiff_t length = std::max<std::ptrdiff_t>(std::ptrdiff_t{1} << 20, 256 * columns);
    const auto size = static_cast<std::ptrdiff_t>(text.size());
    for (std::ptrdiff_t border = begin; border < size; border += length) borders_.push_back(border);
    borders_.push_back(size);
    stretches_.resize(borders_.size() - 1);
  }

  TableFacts run(ColumnFacts& columns) {
    parallel_for(static_cast<std::ptrdiff_t>(stretches_.size()), 1, threads_,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
                     read(k,
                          k == 0 ? borders_[0] : record_after(text_, borders_[k], borders_[k + 1], dialect_));
                 });
    // Each stretch must start where the one before it stopped; if so, it started rightly.
    for (std::size_t k = 1; k < stretches_.size(); ++k)
      if (stretches_[k].begin != stretches_[k - 1].end) read(k, stretches_[k - 1].end);
    return joined(columns);
  }

 private:
  std::string_view text_;
  Dialect dialect_;
  std::ptrdiff_t columns_;
  int threads_;
  std::vector<std::ptrdiff_t> borders_;
  std::vector<Stretch> stretches_;

  void read(std::size_t k, std::ptrdiff_t first) {
    const bool last = k + 1 == stretches_.size();
    Stretch stretch;
    stretch.read(text_, first, borders_[k + 1] + (last ? 0 : 1), dialect_, columns_);
    stretches_[k] = std::move(stretch);
  }

  TableFacts joined(ColumnFacts& columns) const {
    TableFacts all;
    for (const Stretch& stretch : stretches_) {
      all.records += stretch.table.records;
      for (Sighting TableFacts::* what :
           {&TableFacts::ragged, &TableFacts::blank_lines, &TableFacts::open_quote, &TableFacts::after_quote,
            &TableFacts::inner_quotes, &TableFacts::carriage_returns})
        (all.*what).join(stretch.table.*what);
      stretch.add_to(columns);
    }
    return all;
  }
};

}  // namespace

TableFacts scan_table(std::string_view text, std::ptrdiff_t begin, Dialect dialect, ColumnFacts columns,
                      int threads) {
  return Scan(text, begin, dialect, columns.kinds.size, threads).run(columns);
}

}  // namespace classica
