#include "classica/tables.hpp"

#include "words.hpp"

namespace classica::bind {
namespace {

using Bytes = Packed1<const std::uint8_t>;

std::string_view text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Dialect dialect_of(int delimiter, int quote) {
  require(delimiter > 0 && delimiter < 128 && quote > 0 && quote < 128, "a dialect has two ASCII characters");
  return {static_cast<char>(delimiter), static_cast<char>(quote)};
}

void require_place(const Bytes& bytes, std::ptrdiff_t place) {
  require(place >= 0 && place <= size(bytes, 0), "a place must be in the text");
}

nb::tuple as_tuple(const Sighting& what) { return nb::make_tuple(what.place, what.count, what.detail); }

}  // namespace

void bind_tables(nb::module_& module) {
  module.attr("CELL_KINDS") = tuple_of(cell::words);
  module.def(
      "scan_table",
      [](const Bytes& bytes, std::ptrdiff_t begin, int delimiter, int quote,
         const Packed1<std::uint32_t>& kinds, const Packed1<std::int64_t>& empties,
         const Packed1<std::int64_t>& texts, const Packed1<std::int64_t>& first_text, int threads) {
        require_place(bytes, begin);
        require(size(empties, 0) == size(kinds, 0) && size(texts, 0) == size(kinds, 0) &&
                    size(first_text, 0) == size(kinds, 0) && size(kinds, 0) > 0,
                "there must be one entry per column");
        const Dialect dialect = dialect_of(delimiter, quote);
        TableFacts facts;
        run([&] {
          facts = scan_table(text_of(bytes), begin, dialect,
                             {vector(kinds), vector(empties), vector(texts), vector(first_text)}, threads);
        });
        return nb::make_tuple(facts.records, as_tuple(facts.ragged), as_tuple(facts.blank_lines),
                              as_tuple(facts.open_quote), as_tuple(facts.after_quote),
                              as_tuple(facts.inner_quotes), as_tuple(facts.carriage_returns));
      },
      nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg(), nb::arg().noconvert(), nb::arg().noconvert(),
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg());
  module.def(
      "scan_bytes",
      [](const Bytes& bytes, int threads) {
        ByteFacts facts;
        run([&] { facts = scan_bytes(text_of(bytes), threads); });
        return nb::make_tuple(as_tuple(facts.nul), as_tuple(facts.not_utf8), as_tuple(facts.utf8));
      },
      nb::arg().noconvert(), nb::arg());
  module.def(
      "skip_records",
      [](const Bytes& bytes, std::ptrdiff_t begin, int delimiter, int quote, std::ptrdiff_t count,
         bool keep_blank) {
        require_place(bytes, begin);
        const Dialect dialect = dialect_of(delimiter, quote);
        RecordEnd end{};
        run([&] { end = skip_records(text_of(bytes), begin, dialect, count, keep_blank); });
        return nb::make_tuple(end.place, end.records, end.cells);
      },
      nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg());
  module.def(
      "clean_records",
      [](const Bytes& bytes, int delimiter, int quote, bool keep_blank) {
        const Dialect dialect = dialect_of(delimiter, quote);
        std::string cleaned;
        run([&] { cleaned = clean_records(text_of(bytes), dialect, keep_blank); });
        return nb::bytes(cleaned.data(), cleaned.size());
      },
      nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg());
  module.def(
      "odd_records",
      [](const Bytes& bytes, std::ptrdiff_t begin, int delimiter, int quote, std::ptrdiff_t columns,
         bool ragged) {
        require_place(bytes, begin);
        const Dialect dialect = dialect_of(delimiter, quote);
        std::vector<std::int64_t> found;
        run([&] { found = odd_records(text_of(bytes), begin, dialect, columns, ragged); });
        return nb::bytes(found.data(), found.size() * sizeof(std::int64_t));
      },
      nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg());
  module.def(
      "line_at",
      [](const Bytes& bytes, std::ptrdiff_t place) {
        require_place(bytes, place);
        std::ptrdiff_t line = 0;
        run([&] { line = line_at(text_of(bytes), place); });
        return line;
      },
      nb::arg().noconvert(), nb::arg());
}

}  // namespace classica::bind
