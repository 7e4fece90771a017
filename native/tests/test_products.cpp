#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "classica/double_double.hpp"
#include "classica/moments.hpp"
#include "classica/products.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::all_orders;
using classica::testing::Order;
using classica::testing::random_table;
using classica::testing::RandomValues;
using classica::testing::Table;

namespace {

using Groups = std::vector<std::int32_t>;
using Weights = std::vector<double>;

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

// What Products points at: the high parts, then the low parts.
struct Triangles {
  Triangles(std::ptrdiff_t groups, std::ptrdiff_t cols)
      : groups(groups), cols(cols), values(room(groups * cols * (cols + 1))) {}

  Products view() { return {groups, cols, values.data(), values.data() + values.size() / 2}; }
  DoubleDouble at(std::ptrdiff_t group, std::ptrdiff_t i, std::ptrdiff_t j) const {
    const std::size_t place = room(group * cols * (cols + 1) / 2 + i * (i + 1) / 2 + j);
    return {values[place], values[place + values.size() / 2]};
  }
  bool operator==(const Triangles&) const = default;

  std::ptrdiff_t groups, cols;
  std::vector<double> values;
};

template <class T>
Triangles gather(Matrix<const T> X, const Groups& group, const Weights& weights = {}, int threads = 4) {
  Triangles made(group.empty() ? 1 : 3, X.cols);
  grouped_products(X, {group.data(), static_cast<std::ptrdiff_t>(group.size())},
                   {weights.data(), static_cast<std::ptrdiff_t>(weights.size())}, threads, made.view());
  return made;
}

Groups random_groups(std::ptrdiff_t rows) {
  RandomValues random(31);
  Groups group(room(rows));
  for (std::int32_t& g : group) g = static_cast<std::int32_t>(random.bits() % 3);
  return group;
}

Weights random_weights(std::ptrdiff_t rows) {
  RandomValues random(32);
  Weights weights(room(rows));
  for (double& weight : weights) weight = 1.1 + random();
  return weights;
}

// Whole numbers small enough for a long double to hold every sum of products.
Table<double> whole_numbers(std::ptrdiff_t rows, std::ptrdiff_t cols, std::uint64_t seed) {
  RandomValues random(seed);
  Table<double> table(rows, cols);
  for (std::ptrdiff_t i = 0; i < rows; ++i)
    for (std::ptrdiff_t j = 0; j < cols; ++j) table(i, j) = std::round(random() * 0x1p24);
  return table;
}

long double plain_loop(const Table<double>& table, const Groups& group, const Weights& weights,
                       std::int32_t g, std::ptrdiff_t i, std::ptrdiff_t j) {
  long double sum = 0.0L;
  for (std::ptrdiff_t r = 0; r < table.rows(); ++r) {
    if (!group.empty() && group[room(r)] != g) continue;
    const long double weight = weights.empty() ? 1.0 : weights[room(r)];
    sum += weight * table(r, i) * table(r, j);
  }
  return sum;
}

// The difference of two double-doubles.
double difference(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble rest = add(a, negate(b));
  return std::abs(rest.high + rest.low);
}

// Counts and sums of one group of rows.
struct GroupSums {
  explicit GroupSums(std::ptrdiff_t groups, std::ptrdiff_t cols)
      : groups(groups), cols(cols), counts(room(2 * groups)), sums(room(2 * groups * cols)) {}
  Moments view() {
    return {.groups = groups,
            .cols = cols,
            .counts_high = counts.data(),
            .counts_low = counts.data() + groups,
            .sums_high = sums.data(),
            .sums_low = sums.data() + groups * cols};
  }

  std::ptrdiff_t groups, cols;
  std::vector<double> counts, sums;
};

std::vector<double> scatter_of(const Table<double>& table, const Groups& group, const Weights& weights,
                               bool pooled) {
  const Vector<const double> weight{weights.data(), static_cast<std::ptrdiff_t>(weights.size())};
  GroupSums sums(3, table.cols());
  grouped_moments(rows_of(table), {group.data(), table.rows()}, weight, 2, sums.view());
  Triangles products = gather(table.view(), pooled ? Groups{} : group, weights);
  std::vector<double> out(room(products.groups * table.cols() * table.cols()));
  scatter_matrices(sums.view(), products.view(), out.data());
  return out;
}

}  // namespace

TEST_CASE("products of whole numbers are exact around the borders of strips, panels and blocks") {
  for (const std::ptrdiff_t cols : {1, 3, 4, 5, 9})
    for (const std::ptrdiff_t rows : {1, 127, 128, 129, 8193}) {
      const Table<double> table = whole_numbers(rows, cols, 33);
      for (const Groups& group : {Groups{}, random_groups(rows)}) {
        const Triangles made = gather(table.view(), group);
        bool equal = true;
        for (std::int32_t g = 0; g < made.groups; ++g)
          for (std::ptrdiff_t i = 0; i < cols; ++i)
            for (std::ptrdiff_t j = 0; j <= i; ++j) {
              const DoubleDouble found = made.at(g, i, j);
              equal &=
                  static_cast<long double>(found.high) + found.low == plain_loop(table, group, {}, g, i, j);
            }
        CHECK(equal);
      }
    }
}

TEST_CASE("products of any numbers agree with a plain loop in higher precision") {
  constexpr std::ptrdiff_t rows = 400, cols = 6;
  const Table<double> table = random_table(rows, cols, 34);
  const Groups group = random_groups(rows);
  for (const Weights& weights : {Weights{}, random_weights(rows)}) {
    const Triangles made = gather(table.view(), group, weights);
    double worst = 0.0;
    for (std::int32_t g = 0; g < 3; ++g)
      for (std::ptrdiff_t i = 0; i < cols; ++i)
        for (std::ptrdiff_t j = 0; j <= i; ++j) {
          const DoubleDouble found = made.at(g, i, j);
          const long double plain = plain_loop(table, group, weights, g, i, j);
          worst = std::max(worst, static_cast<double>(std::abs(plain - found.high - found.low)));
        }
    // Of 400 terms up to 210, the loop's own rounding.
    CHECK(worst <= 400 * 400 * 210 * 0x1p-64);
  }
}

TEST_CASE("the bits of products do not depend on memory order, precision or number of threads") {
  for (const std::ptrdiff_t rows : {301, 30011}) {
    const Table<double> table = random_table(rows, 7, 35);
    for (const Groups& group : {Groups{}, random_groups(rows)})
      for (const Weights& weights : {Weights{}, random_weights(rows)}) {
        const Triangles expected = gather(table.view(), group, weights, 1);
        for (int threads = 2; threads <= 5; ++threads)
          CHECK(gather(table.view(), group, weights, threads) == expected);
        for (const Order order : all_orders) {
          const Table<double> other = table.copy(order);
          const Table<float> single = table.copy<float>(order);
          CHECK(gather(std::as_const(other).view(), group, weights) == expected);
          CHECK(gather(std::as_const(single).view(), group, weights) == expected);
        }
      }
  }
}

TEST_CASE("groups and weights of products may be slices") {
  const Table<double> table = random_table(40, 3, 36);
  const Groups group = random_groups(40);
  const Weights weights = random_weights(40);
  Groups spaced_group(80, -1);
  Weights spaced_weights(80, std::nan(""));
  for (std::size_t i = 0; i < 40; ++i) {
    spaced_group[2 * i] = group[i];
    spaced_weights[2 * i] = weights[i];
  }
  Triangles made(3, 3);
  grouped_products(table.view(), {spaced_group.data(), 40, 2}, {spaced_weights.data(), 40, 2}, 1,
                   made.view());
  CHECK(made == gather(table.view(), group, weights));
}

TEST_CASE("products are added to what is there, and an outlier can be taken away again") {
  Table<double> table = random_table(201, 5, 37);
  for (std::ptrdiff_t j = 0; j < 5; ++j) table(200, j) = 1e10 * static_cast<double>(j + 1);
  const Matrix<const double> X = std::as_const(table).view();
  const Matrix<const double> head{X.data, 200, 5, 5, 1}, tail{X.row(200), 1, 5, 5, 1};
  const Triangles whole = gather(X, {}), front = gather(head, {}), back = gather(tail, {});
  Triangles grown = front;
  grouped_products(tail, {}, {}, 2, grown.view());
  for (std::ptrdiff_t i = 0; i < 5; ++i)
    for (std::ptrdiff_t j = 0; j <= i; ++j) {
      const double size = 1e20 * static_cast<double>((i + 1) * (j + 1));
      CHECK(difference(grown.at(0, i, j), whole.at(0, i, j)) <= 1e-28 * size);
      const DoubleDouble left = add(whole.at(0, i, j), negate(back.at(0, i, j)));
      CHECK(difference(left, front.at(0, i, j)) <= 1e-28 * size);
    }
}

TEST_CASE("values of 1e150 and subnormal ones neither overflow nor turn into something else") {
  for (const double size : {1e150, 1e-160, 1e-310}) {
    Table<double> table(130, 5);
    for (std::ptrdiff_t i = 0; i < 130; ++i)
      for (std::ptrdiff_t j = 0; j < 5; ++j) table(i, j) = (i + j) % 2 ? size : -size;
    const Triangles made = gather(std::as_const(table).view(), {});
    for (std::ptrdiff_t i = 0; i < 5; ++i)
      for (std::ptrdiff_t j = 0; j <= i; ++j) {
        const double expected = 130 * (size * size) * ((i + j) % 2 ? -1.0 : 1.0);
        CHECK(made.at(0, i, j).high == doctest::Approx(expected).epsilon(size < 1e-150 ? 1e-2 : 1e-15));
        CHECK(std::isfinite(made.at(0, i, j).low));
      }
  }
}

TEST_CASE("scatter is that of the same rows about their mean, whatever the offset and the weights") {
  constexpr std::ptrdiff_t rows = 600, cols = 5;
  RandomValues random(38);
  Table<double> near(rows, cols), far(rows, cols);  // multiples of 2^-20 are exact behind the offset too
  for (std::ptrdiff_t i = 0; i < rows; ++i)
    for (std::ptrdiff_t j = 0; j < cols; ++j) {
      near(i, j) = std::round(random() * 0x1p20) * 0x1p-20;
      far(i, j) = 1e8 + near(i, j);
    }
  const Groups group = random_groups(rows);
  for (const Weights& weights : {Weights{}, random_weights(rows)})
    for (const bool pooled : {false, true}) {
      const std::vector<double> here = scatter_of(near, group, weights, pooled),
                                there = scatter_of(far, group, weights, pooled);
      for (std::size_t k = 0; k < here.size(); ++k)
        CHECK(there[k] == doctest::Approx(here[k]).epsilon(1e-10));
    }
}

TEST_CASE("pooled scatter is the sum of the groups' scatter") {
  const Table<double> table = random_table(300, 6, 39);
  const Groups group = random_groups(300);
  const std::vector<double> own = scatter_of(table, group, {}, false),
                            pooled = scatter_of(table, group, {}, true);
  for (std::size_t k = 0; k < 36; ++k)
    CHECK(pooled[k] == doctest::Approx(own[k] + own[36 + k] + own[72 + k]).epsilon(1e-12));
}

TEST_CASE("a constant column has no scatter, with fractional weights either") {
  Table<double> table = random_table(200, 3, 40);
  for (std::ptrdiff_t i = 0; i < 200; ++i) table(i, 1) = 1e8 + 0.1;
  for (const Weights& weights : {Weights{}, random_weights(200)}) {
    const std::vector<double> scatter = scatter_of(table, random_groups(200), weights, true);
    for (const std::size_t k : {1, 3, 4, 5, 7}) CHECK(scatter[k] == 0.0);
    for (const std::size_t k : {0, 2, 6, 8}) CHECK(scatter[k] != 0.0);
  }
}

TEST_CASE("group codes out of range are refused, in later blocks too") {
  const Table<double> table = random_table(20000, 2, 41);
  for (const std::int32_t code : {-1, 3}) {
    Groups group(20000, 0);
    group[19999] = code;
    CHECK_THROWS_AS(gather(table.view(), group), std::out_of_range);
  }
}

TEST_CASE("no rows add nothing") {
  Triangles made(3, 4);
  grouped_products(Matrix<const double>{nullptr, 0, 4, 4, 1}, {}, {}, 3, made.view());
  CHECK(made == Triangles(3, 4));
}
