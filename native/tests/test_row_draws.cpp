#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "classica/row_draws.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::all_orders;
using classica::testing::Order;
using classica::testing::random_table;
using classica::testing::SparseTable;
using classica::testing::Table;

namespace {

template <class Rows>
std::vector<double> draws(const Rows& X, std::uint64_t seed = 3, int threads = 4) {
  std::vector<double> out(static_cast<std::size_t>(X.rows));
  row_draws(X, seed, threads, Vector<double>{out.data(), X.rows});
  return out;
}

std::vector<double> draws(const Table<double>& table, std::uint64_t seed = 3, int threads = 4) {
  return draws(rows_of(table), seed, threads);
}

}  // namespace

TEST_CASE("a row draws the same number in any memory order, precision, sparsity and number of threads") {
  const Table<double> table = random_table(50, 6, 1);
  const Table<float> single = table.copy<float>(Order::by_rows);
  const std::vector<double> expected = draws(table, 3, 1);
  for (const Order order : all_orders) {
    CHECK(draws(table.copy(order)) == expected);
    CHECK(draws(rows_of(table.copy<float>(order))) == expected);
  }
  CHECK(draws(SparseTable<double, std::int32_t>(table).view()) == expected);
  CHECK(draws(SparseTable<double, std::int64_t>(table).view()) == expected);
  CHECK(draws(SparseTable<float, std::int32_t>(single).view()) == expected);
  CHECK(draws(SparseTable<float, std::int64_t>(single).view()) == expected);
}

TEST_CASE("many chunks of rows draw the same numbers for every number of threads") {
  // Rows of 2^19 columns: a chunk is two of them.
  const Table<double> table = random_table(7, 1 << 19, 2);
  const std::vector<double> expected = draws(table, 3, 1);
  for (const int threads : {2, 4}) CHECK(draws(table, 3, threads) == expected);
}

TEST_CASE("a row draws the same number alone and in any place") {
  const Table<double> table = random_table(20, 4, 3);
  const std::vector<double> expected = draws(table);
  const Matrix<const double> view = table.view();
  for (std::ptrdiff_t i = 0; i < 20; ++i)
    CHECK(draws(Matrix<const double>{view.row(i), 1, 4, 4, 1})[0] == expected[static_cast<std::size_t>(i)]);
  const std::vector<double> reversed = draws(Matrix<const double>{view.row(19), 20, 4, -4, 1});
  CHECK(reversed == std::vector<double>(expected.rbegin(), expected.rend()));
}

TEST_CASE("every value of the row counts, and so do its column and the seed") {
  Table<double> table(1, 3);
  table(0, 0) = 1.0, table(0, 1) = 2.0, table(0, 2) = 0.0;
  const double number = draws(table)[0];
  CHECK(draws(table, 4)[0] != number);
  table(0, 2) = 1e-30;
  CHECK(draws(table)[0] != number);
  table(0, 0) = 2.0, table(0, 1) = 1.0, table(0, 2) = 0.0;  // the same values, elsewhere
  CHECK(draws(table)[0] != number);
}

TEST_CASE("zeros of both signs and not-a-numbers of all kinds are alike") {
  Table<double> table(4, 2);
  table(0, 0) = 0.0, table(1, 0) = -0.0;
  table(0, 1) = table(1, 1) = 3.0;
  table(2, 0) = table(3, 0) = 3.0;
  table(2, 1) = std::numeric_limits<double>::quiet_NaN();
  table(3, 1) = std::copysign(std::nan("7"), -1.0);
  const std::vector<double> numbers = draws(table);
  CHECK(numbers[0] == numbers[1]);
  CHECK(numbers[2] == numbers[3]);
  CHECK(numbers[0] != numbers[2]);
}

TEST_CASE("explicit zeros of a sparse row change nothing") {
  const double values[] = {0.0, 2.0, 0.0};
  const std::int32_t columns[] = {0, 1, 2}, starts[] = {0, 3};
  const SparseRows<double, std::int32_t> sparse{{values, 3}, {columns, 3}, {starts, 2}, 1, 3};
  CHECK(draws(sparse) == draws(Matrix<const double>{values, 1, 3, 3, 1}));
}

TEST_CASE("the numbers of different rows are uniform, also when rows are alike but for one value") {
  Table<double> table(10000, 1);
  for (std::ptrdiff_t i = 0; i < table.rows(); ++i) table(i, 0) = static_cast<double>(i);
  double mean = 0.0, square = 0.0;
  bool in_range = true;
  for (const double number : draws(table)) {
    in_range = in_range && number >= 0.0 && number < 1.0;
    mean += number / 10000.0;
    square += number * number / 10000.0;
  }
  CHECK(in_range);
  CHECK(std::abs(mean - 1.0 / 2.0) < 0.012);    // four standard errors
  CHECK(std::abs(square - 1.0 / 3.0) < 0.012);  // likewise
}
