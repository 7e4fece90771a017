#include <algorithm>
#include <vector>

#include "classica/parallel.hpp"
#include "classica/tables.hpp"
#include "records.hpp"

namespace classica {
namespace {

// Whether text starts and ends with letters that make it no number, no word for one, and not padded.
bool is_word(std::string_view text) {
  const auto letter = [](char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; };
  if (text.empty() || !letter(text.front())) return false;
  const char first = static_cast<char>(text.front() | 0x20), last = text.back();
  return first != 'i' && first != 'n' && last != ' ' && last != '\t';
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

  void cell(const Cell& found) {
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

  void note(Column& column, const Cell& found) {
    const std::uint32_t kind = kind_of(found);
    column.kinds |= kind;
    if ((kind & numbers) != 0) return;
    if ((kind & cell::empty) != 0)
      ++column.empties;
    else if (column.texts++ == 0)
      column.first_text = place_of(found);
  }

  static std::uint32_t kind_of(const Cell& found) {
    const std::uint32_t kind = is_word(found.content) ? cell::text : cell_kind(found.content);
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
      const char* const begin = text_.data() + borders_[k];
      const std::ptrdiff_t size = borders_[k + 1] - borders_[k];
      inside_[k + 1] =
          at_active_level([&]<class Level> { return TextBlock<Level>::is_odd(begin, size, dialect_.quote); });
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
