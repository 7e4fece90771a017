#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "classica/view.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::all_orders;
using classica::testing::Order;
using classica::testing::Table;

TEST_CASE("a matrix view finds every element in every memory order") {
  Table<double> numbered(3, 4);
  for (std::ptrdiff_t i = 0; i < 3; ++i)
    for (std::ptrdiff_t j = 0; j < 4; ++j) numbered(i, j) = static_cast<double>(10 * i + j);
  for (const Order order : all_orders) {
    const Table<double> table = numbered.copy(order);
    const Matrix<const double> view = table.view();
    CHECK(view.rows_are_contiguous() == (order == Order::by_rows));
    for (std::ptrdiff_t i = 0; i < 3; ++i) {
      CHECK(*view.row(i) == 10.0 * static_cast<double>(i));
      for (std::ptrdiff_t j = 0; j < 4; ++j) CHECK(view(i, j) == numbered(i, j));
    }
  }
}

TEST_CASE("a single column is contiguous whatever its strides") {
  const Table<double> column(5, 1, Order::every_other);
  CHECK(column.view().rows_are_contiguous());
}

TEST_CASE("a vector view steps by its stride, backwards too") {
  std::vector<int> numbers(9);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Vector<int> thirds{numbers.data(), 3, 3}, backwards{numbers.data() + 8, 9, -1};
  CHECK(thirds[2] == 6);
  CHECK(backwards[0] == 8);
  CHECK(backwards[8] == 0);
  thirds[1] = -1;
  CHECK(numbers[3] == -1);
}

#ifdef CLASSICA_CHECKED
TEST_CASE("a checked view refuses every index out of range") {
  std::vector<double> values(6);
  const Vector<double> vector{values.data(), 3, 2};
  const Matrix<double> matrix{values.data(), 2, 3, 3, 1};
  CHECK_THROWS_AS(vector[-1], std::out_of_range);
  CHECK_THROWS_AS(vector[3], std::out_of_range);
  CHECK_THROWS_AS(Vector<double>{}[0], std::out_of_range);
  CHECK_THROWS_AS(matrix(-1, 0), std::out_of_range);
  CHECK_THROWS_AS(matrix(2, 0), std::out_of_range);
  CHECK_THROWS_AS(matrix(0, -1), std::out_of_range);
  CHECK_THROWS_AS(matrix(0, 3), std::out_of_range);  // within the memory, outside the row
  CHECK_THROWS_AS(matrix.row(2), std::out_of_range);
  CHECK_NOTHROW(matrix(1, 2));
  CHECK_NOTHROW(vector[2]);
}
#endif
