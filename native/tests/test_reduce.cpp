#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "classica/reduce.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::RandomValues;

namespace {

constexpr std::ptrdiff_t rows = 10007;  // no block size divides it

// Of many magnitudes, so that every order of adding gives other bits.
std::vector<double> uneven_values() {
  RandomValues random(1);
  std::vector<double> values(rows);
  for (double& value : values) value = std::ldexp(random(), static_cast<int>(random.bits() % 60));
  return values;
}

double blocked_sum(const std::vector<double>& values, std::ptrdiff_t block, std::ptrdiff_t state_size,
                   int threads) {
  double total = 0.0;
  blocked_reduce(
      rows, block, state_size, threads, [] { return 0.0; },
      [&](double& state, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i) state += values[static_cast<std::size_t>(i)];
      },
      [&](double state) { total += state; });
  return total;
}

}  // namespace

TEST_CASE("a blocked sum has the same bits for every number of threads") {
  const std::vector<double> values = uneven_values();
  const double expected = blocked_sum(values, 64, 1, 1);
  for (int threads = 2; threads <= 8; ++threads) CHECK(blocked_sum(values, 64, 1, threads) == expected);
  CHECK(blocked_sum(values, 65, 1, 1) != expected);  // else the values could not tell orders apart
}

TEST_CASE("how many states are held at once does not change the bits") {
  const std::vector<double> values = uneven_values();
  CHECK(blocked_sum(values, 64, 1 << 25, 4) == blocked_sum(values, 64, 1, 4));
  CHECK(blocked_sum(values, 64, 1 << 22, 4) == blocked_sum(values, 64, 1, 4));
}

TEST_CASE("blocks cover the rows once and are combined in index order") {
  using Range = std::pair<std::ptrdiff_t, std::ptrdiff_t>;
  for (const std::ptrdiff_t block : {1, 7, 100, 10006, 10007, 20000}) {
    std::ptrdiff_t reached = 0;
    bool in_order = true;
    blocked_reduce(
        rows, block, 1, 4, [] { return Range{}; },
        [](Range& state, std::ptrdiff_t begin, std::ptrdiff_t end) { state = {begin, end}; },
        [&](const Range& state) {
          in_order = in_order && state.first == reached && state.second - state.first <= block;
          reached = state.second;
        });
    CAPTURE(block);
    CHECK(in_order);
    CHECK(reached == rows);
  }
}

TEST_CASE("no rows make no blocks") {
  int blocks = 0;
  blocked_reduce(
      0, 64, 1, 4, [] { return 0; }, [](int&, std::ptrdiff_t, std::ptrdiff_t) {}, [&](int) { ++blocks; });
  CHECK(blocks == 0);
}

TEST_CASE("a block has at least one row") {
  CHECK(rows_per_block(0) == 1 << 20);
  CHECK(rows_per_block(1) == 1 << 20);
  CHECK(rows_per_block(1 << 20) == 1);
  CHECK(rows_per_block(std::ptrdiff_t{1} << 40) == 1);
}
