// The recipe of CONTRIBUTING.md for a split criterion, followed: one struct and its name in a list are enough
// to grow trees by it, on every kind of column.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../src/trees/grow_on.hpp"
#include "classica/random.hpp"

namespace {

using namespace classica;

// n times the sum of the cubed class shares of a branch: no criterion of ours.
struct Cubes : ClassCriterion<Cubes> {
  static constexpr std::string_view word = "cubes";
  static constexpr bool is_whole = false;
  static double term(double count, double) { return count * count * count; }
  static double finish(double total, double count) { return total / (count * count); }
};

using Lengthened = CriterionList<Gini, Cubes>;
constexpr int cubes = 1;
constexpr std::ptrdiff_t rows = 600, cols = 3, classes = 3;
constexpr std::uint32_t levels[cols] = {600, 40, 5};

// A column of many levels, one of few, and one of categories.
struct Table {
  std::vector<std::uint32_t> ranks, every;
  std::vector<std::int64_t> level_counts, values_at;
  std::vector<std::uint8_t> categorical{0, 0, 1};
  std::vector<double> values;
  Target target;

  Table() {
    const Philox random(3, 4);
    for (std::uint64_t j = 0; j < cols; ++j) {
      values_at.push_back(static_cast<std::int64_t>(values.size()));
      level_counts.push_back(levels[j]);
      for (std::uint32_t level = 0; level < levels[j]; ++level) values.push_back(level);
      for (std::uint64_t i = 0; i < rows; ++i)
        ranks.push_back(static_cast<std::uint32_t>(random.uniform(j * rows + i) * levels[j]));
    }
    for (std::uint32_t i = 0; i < rows; ++i) {
      every.push_back(i);
      const double noise = random.uniform(cols * rows + i);
      const std::uint32_t sum = (ranks[i] > 350) + (ranks[2 * rows + i] % 2 == 0);
      target.codes.push_back(static_cast<std::uint16_t>(noise < 0.2 ? 2 : sum));
    }
    target.classes = classes;
  }
  RankTable view() const {
    return {rows,         cols, ranks.data(), level_counts.data(), categorical.data(), values_at.data(),
            values.data()};
  }
  const std::uint32_t* column(std::ptrdiff_t j) const { return ranks.data() + j * rows; }
};

using Counts = std::array<double, classes>;

double part(const Counts& counts) {
  double size = 0.0, total = 0.0;
  for (const double count : counts) size += count, total += count * count * count;
  return size > 0.0 ? total / (size * size) : 0.0;
}

// The gain of a division, and by trying all of them the highest one of a column.
template <class GoesLeft>
double gain_of(const Table& table, GoesLeft goes_left) {
  Counts left{}, right{}, all{};
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::uint16_t code = table.target.codes[i];
    ++all[code];
    ++(goes_left(i) ? left : right)[code];
  }
  return part(left) + part(right) - part(all);
}
double highest_gain(const Table& table, std::ptrdiff_t j) {
  double best = 0.0;
  const bool is_cut = !table.categorical[static_cast<std::size_t>(j)];
  for (std::uint32_t choice = 0; choice < (is_cut ? levels[j] : 1u << levels[j]); ++choice)
    best = std::max(best, gain_of(table, [&](std::uint32_t i) {
                      const std::uint32_t rank = table.column(j)[i];
                      return is_cut ? rank <= choice : (choice >> rank & 1u) != 0;
                    }));
  return best;
}

template <class Rows>
GrownTree grow(const Table& table, const Target& target, std::int64_t depth) {
  GrowthRules rules;
  rules.criterion = cubes;
  rules.max_depth = depth;
  return grow_on<Rows, Lengthened>(table.view(), target, {table.every.data(), rows}, rules, 2);
}

}  // namespace

TEST_CASE("a struct and its name in a list make a criterion") {
  const Table table;
  const GrownTree tree = grow<NodeRows<Weighing::ones>>(table, table.target, 1);
  double highest = 0.0;
  for (std::ptrdiff_t j = 0; j < cols; ++j) highest = std::max(highest, highest_gain(table, j));
  REQUIRE(tree.feature.size() == 3);
  CHECK(tree.gain[0] == doctest::Approx(highest).epsilon(1e-12));
}

TEST_CASE("the best split of each column is that of trying all") {
  for (std::size_t asked = 0; asked < cols; ++asked) {
    Table table;  // in which the other columns are constant
    for (std::size_t j = 0; j < cols; ++j)
      for (std::size_t i = 0; i < rows && j != asked; ++i) table.ranks[j * rows + i] = 0;
    const GrownTree tree = grow<NodeRows<Weighing::ones>>(table, table.target, 1);
    CAPTURE(asked);
    REQUIRE(tree.feature[0] == static_cast<std::int32_t>(asked));
    CHECK(tree.gain[0] ==
          doctest::Approx(highest_gain(table, static_cast<std::ptrdiff_t>(asked))).epsilon(1e-12));
  }
}

TEST_CASE("a new criterion grows on weighted rows as on those that are there once") {
  const Table table;
  Target weighted = table.target;
  weighted.weights.assign(rows, 2.0);
  const GrownTree plain = grow<NodeRows<Weighing::ones>>(table, table.target, 4);
  const GrownTree twice = grow<NodeRows<Weighing::reals>>(table, weighted, 4);
  CHECK(plain.feature.size() > 9);
  CHECK(plain.feature == twice.feature);
  CHECK(plain.level_child == twice.level_child);
  CHECK(2 * plain.gain[0] == doctest::Approx(twice.gain[0]));
}

TEST_CASE("words and indices of criteria belong together") {
  for (std::size_t i = 0; i < criteria().size(); ++i)
    CHECK(criterion_index(criteria()[i].word) == static_cast<int>(i));
  CHECK_THROWS(criterion_index("cubes"));
}
