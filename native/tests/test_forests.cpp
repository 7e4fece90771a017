// The trees of a forest grow side by side and are put together in order; nothing may depend on who was first.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "classica/forest.hpp"
#include "classica/random.hpp"

namespace {

using namespace classica;

// Numbers all different, numbers with few values, and categories, with missing cells; two classes and sums.
struct Table {
  std::ptrdiff_t rows, cols = 7;
  std::vector<double> cells;
  std::vector<std::uint32_t> ranks, every;
  std::vector<std::int64_t> levels, values_at;
  std::vector<std::uint8_t> categorical;
  std::vector<double> values;
  Target classes, numbers;

  explicit Table(std::ptrdiff_t n) : rows(n), ranks(static_cast<std::size_t>(n * cols)), every(room(n)) {
    std::iota(every.begin(), every.end(), 0u);
    const Philox random(3, 4);
    for (std::ptrdiff_t k = 0; k < n * cols; ++k) cells.push_back(cell(random, k));
    std::vector<std::vector<double>> columns;
    rank_columns(matrix(), 2, ranks.data(), columns);
    for (const auto& column : columns) {
      categorical.push_back(levels.size() == 2);
      values_at.push_back(static_cast<std::int64_t>(values.size()));
      levels.push_back(static_cast<std::int64_t>(column.size()));
      if (!categorical.back()) values.insert(values.end(), column.begin(), column.end());
    }
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const double* row = cells.data() + i * cols;
      const double sum = row[1] + row[3] + (row[0] > 0.5) + random.uniform(room(i)) / 2;
      classes.codes.push_back(sum > 5.0);
      numbers.values.push_back(sum);
    }
    classes.classes = 2;
  }

  static std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }
  double cell(const Philox& random, std::ptrdiff_t k) const {
    const double uniform = random.uniform(room(k) + 1);
    if (k % cols == 0 && uniform > 0.9) return std::numeric_limits<double>::quiet_NaN();
    return k % cols == 1 || k % cols == 2 ? static_cast<double>(static_cast<int>(8 * uniform)) : uniform;
  }
  Matrix<const double> matrix() const { return {cells.data(), rows, cols, cols, 1}; }
  RankTable view() const {
    return {rows, cols, ranks.data(), levels.data(), categorical.data(), values_at.data(), values.data()};
  }
  SampleRules samples() const { return {{every.data(), rows, 1}, {}, rows, true, 11}; }
};

ForestView view_of(const Forest& forest, bool holds_numbers) {
  const auto whole = []<class Item>(const std::vector<Item>& items) {
    return Vector<const Item>{items.data(), static_cast<std::ptrdiff_t>(items.size()), 1};
  };
  return {whole(forest.nodes),         whole(forest.starts),
          whole(forest.level_child),   whole(forest.weight),
          whole(forest.surrogates),    whole(forest.surrogate_level_child),
          whole(forest.surrogates_at), holds_numbers};
}

GrowthRules rules_for(MissingPolicy missing, std::ptrdiff_t max_features) {
  GrowthRules rules;
  rules.missing = missing;
  rules.max_features = max_features;
  rules.max_surrogates = 2;
  rules.seed = 5;
  return rules;
}

// Everything a forest is asked for.
struct Answers {
  Forest forest;
  std::vector<double> means, importances;
  std::vector<std::int32_t> ends;
  OutOfBag out_of_bag;

  Answers(const Table& table, const Target& target, const GrowthRules& rules, std::ptrdiff_t trees,
          int threads)
      : forest(grow_forest(table.view(), target, rules, {trees, true, false, 0.0, table.samples()}, threads)),
        means(Table::room(table.rows * forest.width)),
        importances(Table::room(table.cols)),
        ends(Table::room(table.rows * trees)) {
    const ForestView view = view_of(forest, target.classes == 0);
    const auto values = static_cast<std::ptrdiff_t>(forest.values.size()) / forest.width;
    const Matrix<const double> of_leaves{forest.values.data(), values, forest.width, forest.width, 1};
    const auto X = table.matrix();
    forest_means(X, view, of_leaves, threads, {means.data(), table.rows, forest.width, forest.width, 1});
    apply_forest(X, view, threads, {ends.data(), table.rows, trees, trees, 1});
    out_of_bag = classica::out_of_bag(X, view, of_leaves, table.samples(), target, threads);
    out_of_bag_importances(X, view, of_leaves, table.samples(), target, 9, threads,
                           {importances.data(), table.cols, 1});
  }
};

void check_same(const Answers& one, const Answers& other) {
  CHECK(one.forest.starts == other.forest.starts);
  CHECK(one.forest.values == other.forest.values);
  CHECK(one.forest.gains_at == other.forest.gains_at);
  CHECK(one.forest.gain_columns == other.forest.gain_columns);
  CHECK(one.forest.gains == other.forest.gains);
  CHECK(one.forest.level_child == other.forest.level_child);
  CHECK(one.forest.surrogates_at == other.forest.surrogates_at);
  CHECK(one.means == other.means);
  CHECK(one.ends == other.ends);
  CHECK(one.out_of_bag.sums == other.out_of_bag.sums);
  CHECK(one.out_of_bag.errors == other.out_of_bag.errors);
  CHECK(one.importances == other.importances);
}

}  // namespace

TEST_CASE("a forest is the same for any number of threads") {
  const Table table(6000);  // the roots are searched by all threads, the rest is not
  for (const MissingPolicy missing : {MissingPolicy::direction, MissingPolicy::surrogate})
    for (const std::ptrdiff_t max_features : {2, 5})
      for (const std::ptrdiff_t trees : {2, 6}) {  // fewer trees than threads, and more
        const GrowthRules rules = rules_for(missing, max_features);
        const Answers one(table, table.classes, rules, trees, 1), four(table, table.classes, rules, trees, 4);
        CHECK(one.forest.nodes.size() > 20);
        check_same(one, four);
      }
}

TEST_CASE("a forest of numbers is the same for any number of threads") {
  const Table table(5000);
  GrowthRules rules = rules_for(MissingPolicy::own_branch, 2);
  rules.criterion = criterion_index("squared_error");
  rules.min_cases_leaf = 5.0;
  const Answers one(table, table.numbers, rules, 5, 1), four(table, table.numbers, rules, 5, 4);
  CHECK(one.forest.nodes.size() > 100);
  check_same(one, four);
}

TEST_CASE("rows are divided the same way for any number of threads") {
  const Table table(700);
  const GrowthRules rules = rules_for(MissingPolicy::fraction, 3);
  const Answers one(table, table.classes, rules, 5, 1), four(table, table.classes, rules, 5, 4);
  CHECK(one.forest.weight.size() == one.forest.nodes.size());
  check_same(one, four);
}

TEST_CASE("more trees leave the first ones as they are") {
  const Table table(500);
  const GrowthRules rules = rules_for(MissingPolicy::direction, 2);
  const Answers few(table, table.classes, rules, 3, 4), many(table, table.classes, rules, 8, 4);
  for (std::ptrdiff_t i = 0; i < table.rows; ++i)
    for (std::ptrdiff_t t = 0; t < 3; ++t)
      CHECK(few.ends[Table::room(3 * i + t)] == many.ends[Table::room(8 * i + t)]);
}
