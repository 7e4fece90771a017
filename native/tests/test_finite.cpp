#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "classica/finite.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::all_orders;
using classica::testing::Order;
using classica::testing::random_table;
using classica::testing::Table;

namespace {

constexpr ValueRule strict{1e150, false};
constexpr ValueRule nan_allowed{1e150, true};

template <class T>
std::ptrdiff_t first_bad(const Table<T>& table, ValueRule rule = strict, int threads = 4) {
  return first_bad_value(table.view(), rule, threads);
}

}  // namespace

TEST_CASE_TEMPLATE("a bad value is found at every place, in every memory order", T, double, float) {
  constexpr std::ptrdiff_t rows = 9, cols = 7;
  const T bad[] = {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                   -std::numeric_limits<T>::infinity()};
  for (const Order order : all_orders) {
    Table<T> table = random_table(rows, cols, 1).copy<T>(order);
    REQUIRE(first_bad(table) == -1);
    int wrong = 0;
    for (std::ptrdiff_t place = 0; place < rows * cols; ++place) {
      T& value = table(place / cols, place % cols);
      const T good = value;
      for (const T other : bad) {
        value = other;
        for (const int threads : {1, 4}) wrong += first_bad(table, strict, threads) != place;
        wrong += first_bad(table, nan_allowed) != (std::isnan(other) ? -1 : place);
      }
      value = good;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("of several bad values the first in row-major order is named, in every memory order") {
  for (const Order order : all_orders) {
    Table<double> table = random_table(6, 5, 2).copy(order);
    table(5, 0) = table(2, 4) = table(3, 1) = std::numeric_limits<double>::quiet_NaN();
    CHECK(first_bad(table) == 2 * 5 + 4);
  }
}

TEST_CASE("a table of many blocks is searched to the end") {
  constexpr std::ptrdiff_t length = 100003;  // so long that each row, or column, is a block of its own
  Table<float> wide(3, length), tall(length, 3, Order::by_columns);
  for (std::ptrdiff_t i = 0; i < 3; ++i)
    for (std::ptrdiff_t j = 0; j < length; ++j) wide(i, j) = tall(j, i) = 1.0f;
  for (const int threads : {1, 3}) {
    CHECK(first_bad(wide, strict, threads) == -1);
    CHECK(first_bad(tall, strict, threads) == -1);
    for (std::ptrdiff_t block = 0; block < 3; ++block) {
      wide(block, length - 1) = tall(length - 1, block) = std::numeric_limits<float>::infinity();
      CHECK(first_bad(wide, strict, threads) == block * length + length - 1);
      CHECK(first_bad(tall, strict, threads) == (length - 1) * 3 + block);
      wide(block, length - 1) = tall(length - 1, block) = 1.0f;
    }
  }
}

TEST_CASE("a single column is searched in every memory order") {
  for (const Order order : all_orders)
    for (std::ptrdiff_t bad = 0; bad < 9; ++bad) {
      Table<double> column = random_table(9, 1, 4).copy(order);
      CHECK(first_bad(column) == -1);
      column(bad, 0) = std::numeric_limits<double>::quiet_NaN();
      CHECK(first_bad(column) == bad);
    }
}

TEST_CASE("the largest magnitude allowed is allowed, the next is not") {
  for (const double sign : {1.0, -1.0}) {
    Table<double> table = random_table(4, 3, 3);
    table(1, 2) = sign * 1e150;
    CHECK(first_bad(table) == -1);
    table(1, 2) = sign * std::nextafter(1e150, 1e151);
    CHECK(first_bad(table) == 5);
    CHECK(first_bad(table, nan_allowed) == 5);
  }
}

TEST_CASE("in float32 a bound beyond the largest number still refuses infinity, and only that") {
  Table<float> table(2, 2);
  table(0, 0) = table(0, 1) = table(1, 1) = 0.0f;
  table(1, 0) = -std::numeric_limits<float>::max();
  CHECK(first_bad(table) == -1);
  table(1, 0) = -std::numeric_limits<float>::infinity();
  CHECK(first_bad(table) == 2);
  CHECK(first_bad(table, {std::numeric_limits<double>::infinity(), true}) == 2);
}

TEST_CASE("a table without values has no bad one") {
  CHECK(first_bad(Table<double>(0, 3)) == -1);
  CHECK(first_bad(Table<double>(3, 0)) == -1);
  CHECK(first_bad(Table<double>(0, 3, Order::by_columns)) == -1);
}

TEST_CASE_TEMPLATE("sparse structure is checked", Index, std::int32_t, std::int64_t) {
  // Two rows of three columns: (0, 5, 0) and (1, 0, 2).
  const std::vector<double> values{5.0, 1.0, 2.0};
  struct Parts {
    std::vector<Index> columns, starts;
    std::ptrdiff_t rows = 2, cols = 3;
  };
  const auto check = [&](const Parts& parts) {
    const auto size = [](const auto& list) { return static_cast<std::ptrdiff_t>(list.size()); };
    check_sparse_structure(SparseRows<double, Index>{{values.data(), size(values)},
                                                     {parts.columns.data(), size(parts.columns)},
                                                     {parts.starts.data(), size(parts.starts)},
                                                     parts.rows,
                                                     parts.cols});
  };
  CHECK_NOTHROW(check({{1, 0, 2}, {0, 1, 3}}));
  CHECK_NOTHROW(check({{1, 0, 2}, {0, 1, 2}}));  // room to spare behind the last row
  CHECK_NOTHROW(check({{1, 0, 2}, {0}, 0}));
  const Parts malformed[] = {
      {{1, 0, 3}, {0, 1, 3}},       // a column beyond the last
      {{1, -1, 2}, {0, 1, 3}},      // a negative column
      {{1, 0, 2}, {0, 2, 1}},       // starts that fall
      {{1, 0, 2}, {0, 4, 3}},       // a row that ends beyond the values, then falls back
      {{1, 0, 2}, {0, 1, 4}},       // a last row beyond the values
      {{1, 0, 2}, {1, 1, 3}},       // values before the first row
      {{1, 0, 2}, {-1, 1, 3}},      // a negative start
      {{1, 0, 2}, {0, 3}},          // too few starts
      {{1, 0, 2}, {0, 1, 2, 3}},    // too many starts
      {{1, 0}, {0, 1, 2}},          // fewer columns than values
      {{1, 0, 2}, {}, -1},          // not even the start of the first row
      {{1, 0, 2}, {0, 1, 3}, 2, 0}  // values without a column to lie in
  };
  for (const Parts& parts : malformed) {
    CAPTURE(&parts - malformed);
    CHECK_THROWS_AS(check(parts), std::invalid_argument);
  }
}

TEST_CASE_TEMPLATE("the form of sparse rows", Index, std::int32_t, std::int64_t) {
  const auto form = [](const std::vector<Index>& columns, const std::vector<Index>& starts,
                       std::ptrdiff_t cols = 4) {
    const auto size = [](const auto& list) { return static_cast<std::ptrdiff_t>(list.size()); };
    const Vector<const Index> where{columns.data(), size(columns)}, begins{starts.data(), size(starts)};
    return sparse_form(where, begins, size(starts) - 1, cols);
  };
  CHECK(form({}, {0, 0}).form == SparseForm::canonical);
  CHECK(form({1, 3, 0, 2}, {0, 2, 4}).form == SparseForm::canonical);
  CHECK(form({1, 3, 3, 0, 2}, {0, 2, 2, 3, 3, 5}).form == SparseForm::canonical);  // empty rows between
  CHECK(form({1, 0, 9}, {0, 1, 2}).form == SparseForm::canonical);  // spare room is not looked at
  CHECK(form({3, 1, 0, 2}, {0, 2, 4}).form == SparseForm::unordered);
  CHECK(form({1, 1, 2}, {0, 3}).form == SparseForm::unordered);
  CHECK(form({0, 1, 2, 1}, {0, 0, 4, 4}).form == SparseForm::unordered);
  const SparseCheck column = form({0, 1, 4, -1}, {0, 2, 4});
  CHECK(column.form == SparseForm::bad_column);
  CHECK(column.position == 2);
  const SparseCheck start = form({0, 1, 2, 3}, {0, 3, 2, 4});
  CHECK(start.form == SparseForm::bad_start);
  CHECK(start.position == 1);
  CHECK(form({0}, {0, std::numeric_limits<Index>::max()}).form == SparseForm::bad_start);
  CHECK(form({std::numeric_limits<Index>::min()}, {0, 1}).form == SparseForm::bad_column);
  CHECK(form({0, 1}, {}).form == SparseForm::bad_length);
}
