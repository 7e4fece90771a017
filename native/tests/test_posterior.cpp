#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "classica/posterior.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::random_table;
using classica::testing::Table;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Decisions {
  std::vector<std::int64_t> winners;
  std::vector<double> posteriors;
  bool operator==(const Decisions&) const = default;
};

Decisions decide(const Table<double>& scores, int threads = 3) {
  Decisions made{std::vector<std::int64_t>(static_cast<std::size_t>(scores.rows()), -1),
                 std::vector<double>(static_cast<std::size_t>(scores.rows() * scores.cols()), std::nan(""))};
  highest_scores(scores.view(), threads, {made.winners.data(), scores.rows()});
  scores_to_posteriors(scores.view(), threads,
                       {made.posteriors.data(), scores.rows(), scores.cols(), scores.cols(), 1});
  return made;
}

Table<double> table_of(std::initializer_list<std::initializer_list<double>> rows) {
  Table<double> made(static_cast<std::ptrdiff_t>(rows.size()),
                     static_cast<std::ptrdiff_t>(rows.begin()->size()));
  std::ptrdiff_t i = 0;
  for (const auto& row : rows) {
    std::ptrdiff_t j = 0;
    for (const double value : row) made(i, j++) = value;
    ++i;
  }
  return made;
}

std::int64_t first_largest(const double* row, std::ptrdiff_t size) {
  return std::max_element(row, row + size) - row;
}

}  // namespace

TEST_CASE("posteriors are the normalised exponentials, and the first highest score wins") {
  const Table<double> scores = random_table(3000, 7, 61);  // a third of the scores are zero: ties abound
  const Decisions made = decide(scores);
  bool right = true;
  for (std::ptrdiff_t i = 0; i < 3000; ++i) {
    long double total = 0.0L;
    for (std::ptrdiff_t c = 0; c < 7; ++c) total += std::exp(static_cast<long double>(scores(i, c)));
    const double* row = made.posteriors.data() + i * 7;
    for (std::ptrdiff_t c = 0; c < 7; ++c)
      right &= std::abs(row[c] - std::exp(static_cast<long double>(scores(i, c))) / total) <= 1e-14;
    right &= made.winners[static_cast<std::size_t>(i)] == first_largest(scores.view().row(i), 7);
    right &= made.winners[static_cast<std::size_t>(i)] == first_largest(row, 7);
  }
  CHECK(right);
}

TEST_CASE("impossible classes have probability zero") {
  const Decisions made =
      decide(table_of({{-infinity, 1.0, -infinity, 1.0}, {-3e299, -infinity, -infinity, -infinity}}));
  CHECK(made.winners == std::vector<std::int64_t>{1, 0});
  CHECK(made.posteriors == std::vector<double>{0.0, 0.5, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0});
}

TEST_CASE("scores one double apart give the higher one the larger probability") {
  for (const double low : {-1e300, -1e8, -1.0, -1e-17, 1e-300, 0.3, 700.0}) {
    const double high = std::nextafter(low, infinity);
    const Decisions made = decide(table_of({{low, high, low}, {low, low, high}, {high, low, high}}));
    CHECK(made.winners == std::vector<std::int64_t>{1, 2, 0});
    for (std::ptrdiff_t i = 0; i < 3; ++i)
      CHECK(first_largest(made.posteriors.data() + 3 * i, 3) == made.winners[static_cast<std::size_t>(i)]);
  }
}

TEST_CASE("scores as far apart as can be stay finite") {
  const Decisions made = decide(table_of({{-1e300, 1e300}, {1e300, -1e300}, {1.7e308, -1.7e308}}));
  CHECK(made.winners == std::vector<std::int64_t>{1, 0, 0});
  CHECK(made.posteriors == std::vector<double>{0.0, 1.0, 1.0, 0.0, 1.0, 0.0});
}

TEST_CASE("the bits of decisions do not depend on the number of threads") {
  const Table<double> scores = random_table(200000, 5, 62);  // chunks of 2^18 scores
  const Decisions expected = decide(scores, 1);
  for (int threads = 2; threads <= 5; ++threads) CHECK(decide(scores, threads) == expected);
}

TEST_CASE("no rows are decided, and a single class always wins") {
  CHECK(decide(Table<double>(0, 3)) == Decisions{});
  const Decisions made = decide(table_of({{-1e300}, {0.0}}));
  CHECK(made.winners == std::vector<std::int64_t>{0, 0});
  CHECK(made.posteriors == std::vector<double>{1.0, 1.0});
}
