#include <algorithm>
#include <cstring>
#include <vector>

#include "classica/parallel.hpp"
#include "classica/tables.hpp"
#include "quick_kind.hpp"
#include "records.hpp"

namespace classica {
namespace {

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
    begin = first;
    columns_.assign(static_cast<std::size_t>(columns), Column{});
    Records records(text, first, dialect);
    while (!records.at_end() && records.place() < beyond) {
      if (columns > 1 && records.at_blank_line())
        skip_blank(records);
      else
        read_record(records, text);
      if (table.records % 4096 == 0) poll_interrupt();
    }
    end = records.place();
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

  void skip_blank(Records& records) {
    table.blank_lines.see(records.place());
    records.read([](const Cell&) {});
    if (records.bare_return()) table.carriage_returns.see(records.place());
  }

  void read_record(Records& records, std::string_view text) {
    const std::ptrdiff_t place = records.place();
    std::size_t column = 0;
    records.read([&](const Cell& found) {
      if (column < columns_.size()) note(columns_[column], found, text);
      if (found.quoted || found.inner_quotes) note_quotes(found, column, found.raw.data() - text.data());
      ++column;
    });
    ++table.records;
    if (column != columns_.size()) table.ragged.see(place, static_cast<std::ptrdiff_t>(column));
    if (records.bare_return()) table.carriage_returns.see(place);
  }

  static void note(Column& column, const Cell& found, std::string_view text) {
    const char* const first = found.content.data();
    const auto readable = static_cast<std::size_t>(text.data() + text.size() - first);
    std::uint32_t kind = quick_kind(first, found.content.size(), readable);
    if (kind == 0) kind = cell_kind(found.content);
    if (found.quoted) kind |= cell::quoted | (found.content.empty() ? cell::quoted_empty : 0u);
    column.kinds |= kind;
    column.empties += kind & cell::empty;
    if ((kind & (numbers | cell::empty)) == 0 && column.texts++ == 0)
      column.first_text = found.raw.data() - text.data();
  }

  void note_quotes(const Cell& found, std::size_t column, std::ptrdiff_t place) {
    const auto which = static_cast<std::ptrdiff_t>(column);
    if (found.open_quote) table.open_quote.see(place, which);
    if (found.after_quote) table.after_quote.see(place, which);
    if (found.inner_quotes) table.inner_quotes.see(place, which);
  }
};

// The first record that starts after `place`, if quotes come in pairs before it.
std::ptrdiff_t record_after(std::string_view text, std::ptrdiff_t place, Dialect dialect, bool inside) {
  const auto size = static_cast<std::ptrdiff_t>(text.size());
  for (; place < size; ++place) {
    const char c = text[static_cast<std::size_t>(place)];
    if (dialect.quoting() && c == dialect.quote) inside = !inside;
    if (inside || (c != '\n' && c != '\r')) continue;
    const bool both = c == '\r' && place + 1 < size && text[static_cast<std::size_t>(place + 1)] == '\n';
    return place + (both ? 2 : 1);
  }
  return size;
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
    count_quotes();
    each([&](std::size_t k) {
      const bool last = k + 1 == stretches_.size();
      const std::ptrdiff_t first =
          k == 0 ? borders_[0] : record_after(text_, borders_[k], dialect_, inside_[k] != 0);
      stretches_[k].read(text_, first, borders_[k + 1] + (last ? 0 : 1), dialect_, columns_);
    });
    if (!fits()) read_at_once();
    return joined(columns);
  }

 private:
  std::string_view text_;
  Dialect dialect_;
  std::ptrdiff_t columns_;
  int threads_;
  std::vector<std::ptrdiff_t> borders_;
  std::vector<Stretch> stretches_;
  std::vector<char> inside_;  // whether a stretch begins inside quotes

  template <class Body>
  void each(Body body) {
    parallel_for(static_cast<std::ptrdiff_t>(stretches_.size()), 1, threads_,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   for (std::ptrdiff_t k = begin; k < end; ++k) body(static_cast<std::size_t>(k));
                 });
  }

  void count_quotes() {
    inside_.assign(stretches_.size() + 1, 0);
    if (!dialect_.quoting()) return;
    each([&](std::size_t k) {
      const auto begin = text_.begin() + borders_[k], end = text_.begin() + borders_[k + 1];
      const auto length = static_cast<std::size_t>(end - begin);
      const bool any = std::memchr(&*begin, dialect_.quote, length) != nullptr;
      inside_[k + 1] = any && std::count(begin, end, dialect_.quote) % 2 != 0;
    });
    for (std::size_t k = 1; k < inside_.size(); ++k) inside_[k] ^= inside_[k - 1];
  }

  // Each stretch must start where the one before it stopped; if so, all of them started rightly.
  bool fits() const {
    for (std::size_t k = 1; k < stretches_.size(); ++k)
      if (stretches_[k].begin != stretches_[k - 1].end) return false;
    return true;
  }

  void read_at_once() {
    for (std::size_t k = 0; k < stretches_.size(); ++k) {
      Stretch again;
      const std::ptrdiff_t first = k == 0 ? borders_[0] : stretches_[k - 1].end;
      const bool last = k + 1 == stretches_.size();
      again.read(text_, first, borders_[k + 1] + (last ? 0 : 1), dialect_, columns_);
      stretches_[k] = std::move(again);
    }
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
