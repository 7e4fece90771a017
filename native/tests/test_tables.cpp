#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "classica/tables.hpp"

using namespace classica;

namespace {

constexpr Dialect comma{',', '"'};

struct Scanned {
  std::vector<std::uint32_t> kinds;
  std::vector<std::int64_t> empties, texts, first_text;
  TableFacts facts;

  Scanned(const std::string& text, std::ptrdiff_t columns, int threads = 1)
      : kinds(columns), empties(columns), texts(columns), first_text(columns, -1) {
    facts = scan_table(text, 0, comma,
                       {{kinds.data(), columns},
                        {empties.data(), columns},
                        {texts.data(), columns},
                        {first_text.data(), columns}},
                       threads);
  }
};

}  // namespace

TEST_CASE("cells are of the kinds that decide a type") {
  CHECK(cell_kind("") == cell::empty);
  CHECK(cell_kind("-12") == cell::integer);
  CHECK(cell_kind("1.5e-07") == cell::decimal);
  CHECK(cell_kind("-0") == cell::decimal);
  CHECK(cell_kind("1,5") == cell::comma);
  CHECK(cell_kind("007") == cell::leading_zero);
  CHECK(cell_kind("+5") == cell::plus);
  CHECK(cell_kind(" nan") == (cell::not_finite | cell::spaces));
  CHECK(cell_kind("9007199254740993") == (cell::integer | cell::above_2_53));
  CHECK(cell_kind("9223372036854775808") == (cell::integer | cell::above_2_53 | cell::above_int64));
  CHECK(cell_kind("1e400") == (cell::decimal | cell::inexact));
  CHECK(cell_kind("1.000000000000000056e-01") == cell::decimal);
  CHECK(cell_kind("1.0000000000000000000001") == (cell::decimal | cell::inexact));
  CHECK(cell_kind(std::string(2000, '1') + ".5") == (cell::decimal | cell::inexact));
}

TEST_CASE("a text that ends anywhere is scanned to its end") {
  const std::string whole = "1.5,\"a,\"\"b\"\"\nc\",,x\r\n2,\"\",007,+5\n\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    // A string of its own, so that a sanitizer sees what is read beyond it.
    const std::string text(whole.data(), size);
    const Scanned scanned(text, 4);
    CHECK(scanned.facts.records <= 2);
    CHECK(line_at(text, static_cast<std::ptrdiff_t>(size)) <= 5);
    CHECK(clean_records(text, comma, true).size() <= 2 * size + 2);
  }
}

TEST_CASE("stretches of a long text find what one pass finds") {
  std::string text;
  while (text.size() < (std::size_t{3} << 20)) text += "\"two\nlines\",\"a \"\"b\"\"\",1.5\n";
  const std::size_t records = text.size() / 26;
  for (const int threads : {1, 4}) {
    const Scanned scanned(text, 3, threads);
    CHECK(scanned.facts.records == static_cast<std::ptrdiff_t>(records));
    CHECK(scanned.facts.ragged.count == 0);
    CHECK(scanned.facts.inner_quotes.count == 0);
  }
}
