#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "classica/double_double.hpp"
#include "classica/moments.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::all_orders;
using classica::testing::Order;
using classica::testing::random_table;
using classica::testing::RandomValues;
using classica::testing::SparseTable;
using classica::testing::Table;

namespace {

using Groups = std::vector<std::int32_t>;
using Weights = std::vector<double>;

// What Moments points at: the high parts, then the low parts.
struct Statistics {
  Statistics(std::ptrdiff_t groups, std::ptrdiff_t cols)
      : groups(groups),
        cols(cols),
        counts(static_cast<std::size_t>(2 * groups)),
        sums(static_cast<std::size_t>(2 * groups * cols)),
        squares(sums) {}

  Moments view() {
    return {.groups = groups,
            .cols = cols,
            .counts_high = counts.data(),
            .counts_low = counts.data() + groups,
            .sums_high = sums.data(),
            .sums_low = sums.data() + groups * cols,
            .squares_high = squares.data(),
            .squares_low = squares.data() + groups * cols};
  }
  bool operator==(const Statistics&) const = default;

  std::ptrdiff_t groups, cols;
  std::vector<double> counts, sums, squares;
};

template <class Rows>
Statistics gather(const Rows& X, const Groups& group, const Weights& weights = {}, int threads = 4) {
  Statistics made(3, X.cols);
  grouped_moments(X, {group.data(), X.rows}, {weights.data(), static_cast<std::ptrdiff_t>(weights.size())},
                  threads, made.view());
  return made;
}

Groups random_groups(std::ptrdiff_t rows) {
  RandomValues random(11);
  Groups group(static_cast<std::size_t>(rows));
  for (std::int32_t& g : group) g = static_cast<std::int32_t>(random.bits() % 3);
  return group;
}

Weights random_weights(std::ptrdiff_t rows) {
  RandomValues random(12);
  Weights weights(static_cast<std::size_t>(rows));
  for (double& weight : weights) weight = 1.1 + random();
  return weights;
}

// The largest difference of two lists of double-doubles, relative to the largest value.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t size = a.size() / 2;
  double largest = 0.0, most = 0.0;
  for (std::size_t k = 0; k < size; ++k) {
    const DoubleDouble rest = add({a[k], a[size + k]}, {-b[k], -b[size + k]});
    most = std::max(most, std::abs(rest.high + rest.low));
    largest = std::max(largest, std::abs(a[k]));
  }
  return most / largest;
}

bool nearly_equal(const Statistics& a, const Statistics& b, double tolerance = 1e-28) {
  return difference(a.counts, b.counts) <= tolerance && difference(a.sums, b.sums) <= tolerance &&
         difference(a.squares, b.squares) <= tolerance;
}

// Counts, sums and squares by one plain loop; the sum of magnitudes bounds its rounding error.
struct Plain {
  long double count = 0.0L, sum = 0.0L, square = 0.0L, magnitude = 0.0L;
};
Plain plain_loop(const Table<double>& table, const Groups& group, const Weights& weights, std::int32_t g,
                 std::ptrdiff_t j) {
  Plain plain;
  for (std::ptrdiff_t i = 0; i < table.rows(); ++i) {
    if (group[static_cast<std::size_t>(i)] != g) continue;
    const long double x = table(i, j), w = weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)];
    plain.count += w;
    plain.sum += w * x;
    plain.square += w * x * x;
    plain.magnitude += w * (1.0L + std::abs(x)) * (1.0L + std::abs(x));
  }
  return plain;
}

}  // namespace

TEST_CASE("moments agree with a plain loop in higher precision") {
  constexpr std::ptrdiff_t rows = 400, cols = 6;
  const Table<double> table = random_table(rows, cols, 1);
  const Groups group = random_groups(rows);
  for (const Weights& weights : {Weights{}, random_weights(rows)}) {
    const Statistics made = gather(rows_of(table), group, weights);
    for (std::int32_t g = 0; g < 3; ++g)
      for (std::ptrdiff_t j = 0; j < cols; ++j) {
        const Plain plain = plain_loop(table, group, weights, g, j);
        const long double bound = rows * std::numeric_limits<long double>::epsilon() * plain.magnitude;
        const auto off = [&](long double expected, const std::vector<double>& pairs, std::ptrdiff_t k) {
          const auto high = static_cast<std::size_t>(k), low = high + pairs.size() / 2;
          return std::abs(expected - pairs[high] - pairs[low]);
        };
        CHECK(off(plain.count, made.counts, g) <= bound);
        CHECK(off(plain.sum, made.sums, g * cols + j) <= bound);
        CHECK(off(plain.square, made.squares, g * cols + j) <= bound);
      }
  }
}

TEST_CASE("the bits do not depend on memory order, precision or number of threads") {
  const Table<double> table = random_table(301, 7, 2);
  const Groups group = random_groups(301);
  for (const Weights& weights : {Weights{}, random_weights(301)}) {
    const Statistics expected = gather(rows_of(table), group, weights, 1);
    for (const Order order : all_orders) {
      CHECK(gather(rows_of(table.copy(order)), group, weights) == expected);
      CHECK(gather(rows_of(table.copy<float>(order)), group, weights) == expected);
    }
  }
}

TEST_CASE("tables of many blocks give the same bits for every number of threads and memory order") {
  constexpr std::ptrdiff_t rows = 30011;  // a block holds 4096 rows at most
  const Table<double> table = random_table(rows, 5, 3);
  const Groups group = random_groups(rows);
  const Weights weights = random_weights(rows);
  const Statistics expected = gather(rows_of(table), group, weights, 1);
  for (int threads = 2; threads <= 8; ++threads)
    CHECK(gather(rows_of(table), group, weights, threads) == expected);
  CHECK(gather(rows_of(table.copy(Order::by_columns)), group, weights, 3) == expected);
  CHECK(nearly_equal(gather(SparseTable<double, std::int32_t>(table).view(), group, weights, 3), expected));
}

TEST_CASE("sparse rows give the bits of the same rows written out") {
  const Table<double> table = random_table(301, 7, 4);
  const Table<float> single = table.copy<float>(Order::by_rows);
  const Groups group = random_groups(301);
  for (const Weights& weights : {Weights{}, random_weights(301)}) {
    const Statistics expected = gather(rows_of(table), group, weights);
    CHECK(gather(SparseTable<double, std::int32_t>(table).view(), group, weights) == expected);
    CHECK(gather(SparseTable<double, std::int64_t>(table).view(), group, weights) == expected);
    CHECK(gather(SparseTable<float, std::int32_t>(single).view(), group, weights) == expected);
    CHECK(gather(SparseTable<float, std::int64_t>(single).view(), group, weights) == expected);
  }
}

TEST_CASE("a weight of two is the row twice, and a weight of zero no row") {
  constexpr std::ptrdiff_t rows = 60, cols = 5;
  const Table<double> table = random_table(rows, cols, 5);
  const Groups group = random_groups(rows);
  Weights weights;
  Groups repeated_group;
  std::vector<std::ptrdiff_t> repeated;
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    weights.push_back(static_cast<double>(i % 3));
    for (std::ptrdiff_t copy = 0; copy < i % 3; ++copy) {
      repeated.push_back(i);
      repeated_group.push_back(group[static_cast<std::size_t>(i)]);
    }
  }
  Table<double> expanded(static_cast<std::ptrdiff_t>(repeated.size()), cols);
  for (std::ptrdiff_t i = 0; i < expanded.rows(); ++i)
    for (std::ptrdiff_t j = 0; j < cols; ++j)
      expanded(i, j) = table(repeated[static_cast<std::size_t>(i)], j);
  CHECK(nearly_equal(gather(rows_of(table), group, weights), gather(rows_of(expanded), repeated_group)));
}

TEST_CASE("groups and weights may be slices") {
  const Table<double> table = random_table(40, 3, 6);
  const Groups group = random_groups(40);
  const Weights weights = random_weights(40);
  Groups spaced_group(80, -1);
  Weights spaced_weights(80, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < 40; ++i) {
    spaced_group[2 * i] = group[i];
    spaced_weights[2 * i] = weights[i];
  }
  Statistics made(3, 3);
  grouped_moments(rows_of(table), {spaced_group.data(), 40, 2}, {spaced_weights.data(), 40, 2}, 1,
                  made.view());
  CHECK(made == gather(rows_of(table), group, weights));
}

TEST_CASE("rows are added to what is there, and can be taken away again") {
  const Table<double> table = random_table(200, 4, 7);
  const Groups group = random_groups(200);
  const Matrix<const double> X = table.view();
  const Matrix<const double> head{X.data, 80, 4, 4, 1}, tail{X.row(80), 120, 4, 4, 1};
  const Groups tail_group(group.begin() + 80, group.end());
  const Statistics whole = gather(X, group), front = gather(head, group), back = gather(tail, tail_group);

  Statistics grown = front;
  grouped_moments(tail, {tail_group.data(), 120}, {}, 4, grown.view());
  CHECK(nearly_equal(grown, whole));

  const auto combined = [](const Statistics& a, const Statistics& b, double sign) {
    Statistics made(3, 4);
    add_double_doubles(a.counts.data(), b.counts.data(), sign, 3, made.counts.data());
    add_double_doubles(a.sums.data(), b.sums.data(), sign, 12, made.sums.data());
    add_double_doubles(a.squares.data(), b.squares.data(), sign, 12, made.squares.data());
    return made;
  };
  CHECK(nearly_equal(combined(front, back, 1.0), whole));
  CHECK(nearly_equal(combined(whole, front, -1.0), back, 1e-27));
}

TEST_CASE("squares are left out when not wanted") {
  const Table<double> table = random_table(50, 3, 8);
  const Groups group = random_groups(50);
  Statistics made(3, 3);
  Moments view = made.view();
  view.squares_high = view.squares_low = nullptr;
  grouped_moments(rows_of(table), {group.data(), 50}, {}, 4, view);
  CHECK(made.sums == gather(rows_of(table), group).sums);
  CHECK(made.squares == std::vector<double>(18, 0.0));

  std::vector<double> means(9);
  means_and_variances(view, means.data(), nullptr);
  CHECK(means[4] == doctest::Approx(made.sums[4] / made.counts[1]).epsilon(1e-15));
}

TEST_CASE("a large offset does not touch the variance") {
  constexpr std::ptrdiff_t rows = 3000;
  constexpr double offset = 1e8;
  RandomValues random(9);
  Table<double> table(rows, 2);  // the deviations, a multiple of 2^-20: exact also behind the offset
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    table(i, 0) = std::round(random() * 0x1p20) * 0x1p-20;
    table(i, 1) = offset + table(i, 0);
  }
  const Groups group(rows, 0);
  const Plain plain = plain_loop(table, group, {}, 0, 0);
  const long double mean = plain.sum / rows, variance = plain.square / rows - mean * mean;

  Statistics made = gather(rows_of(table), group);
  double means[6], variances[6];
  means_and_variances(made.view(), means, variances);
  CHECK(means[0] == doctest::Approx(static_cast<double>(mean)).epsilon(1e-13));
  CHECK(means[1] == static_cast<double>(offset + mean));
  CHECK(variances[0] == doctest::Approx(static_cast<double>(variance)).epsilon(1e-15));
  CHECK(variances[1] == doctest::Approx(static_cast<double>(variance)).epsilon(1e-12));
}

TEST_CASE("a constant column has no variance, an empty group neither mean nor variance") {
  constexpr std::ptrdiff_t rows = 20001;
  Table<double> table(rows, 3);
  for (std::ptrdiff_t i = 0; i < rows; ++i) table(i, 0) = 0.1, table(i, 1) = 1e8 + 0.1, table(i, 2) = -1e-9;
  Statistics made = gather(rows_of(table), Groups(rows, 1), random_weights(rows));
  std::vector<double> means(9, -1.0), variances(9, -1.0);
  means_and_variances(made.view(), means.data(), variances.data());
  CHECK(means[3] == doctest::Approx(0.1).epsilon(1e-15));
  CHECK(means[4] == doctest::Approx(1e8 + 0.1).epsilon(1e-15));
  CHECK(variances == std::vector<double>(9, 0.0));
  for (const std::size_t empty : {0, 1, 2, 6, 7, 8}) CHECK(means[empty] == 0.0);
}

TEST_CASE("a group code out of range is refused") {
  const Table<double> table = random_table(100, 2, 10);
  for (const std::int32_t code : {-1, 3, std::numeric_limits<std::int32_t>::max()})
    for (const int threads : {1, 4}) {
      Groups group(100, 0);
      group[57] = code;
      CHECK_THROWS_AS(gather(rows_of(table), group, {}, threads), std::out_of_range);
    }
}

TEST_CASE("no rows add nothing") {
  CHECK(gather(rows_of(Table<double>(0, 4)), {}) == Statistics(3, 4));
  CHECK(gather(SparseTable<double, std::int32_t>(Table<double>(0, 4)).view(), {}) == Statistics(3, 4));
}
