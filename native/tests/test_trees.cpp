// Growing is shared among threads by columns, then by subtrees; no tree may depend on that.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "classica/boosting.hpp"
#include "classica/random.hpp"
#include "classica/tree.hpp"

namespace {

using namespace classica;

struct Table {
  std::ptrdiff_t rows, cols;
  std::vector<std::uint32_t> ranks;
  std::vector<std::vector<double>> columns;
  std::vector<std::int64_t> levels, values_at;
  std::vector<std::uint8_t> categorical;
  std::vector<double> values;
  std::vector<std::uint32_t> every;
  Target target;

  Table(std::ptrdiff_t n, std::ptrdiff_t d) : rows(n), cols(d), ranks(static_cast<std::size_t>(n * d)) {
    const Philox random(1, 2);
    std::vector<double> cells;
    for (std::ptrdiff_t k = 0; k < n * d; ++k) cells.push_back(random.uniform(static_cast<std::uint64_t>(k)));
    rank_columns(Matrix<const double>{cells.data(), n, d, d, 1}, 3, ranks.data(), columns);
    for (const auto& column : columns) {
      values_at.push_back(static_cast<std::int64_t>(values.size()));
      levels.push_back(static_cast<std::int64_t>(column.size()));
      categorical.push_back(0);
      values.insert(values.end(), column.begin(), column.end());
    }
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      every.push_back(static_cast<std::uint32_t>(i));
      const double* row = cells.data() + i * d;
      target.codes.push_back(static_cast<std::uint16_t>((row[0] > 0.5) + (row[1] * row[2] > 0.3)));
    }
    target.classes = 3;
  }

  RankTable view() const {
    return {rows, cols, ranks.data(), levels.data(), categorical.data(), values_at.data(), values.data()};
  }
  GrownTree grow(const GrowthRules& rules, int threads) const {
    return grow_tree(view(), target, {every.data(), rows}, rules, threads);
  }
};

}  // namespace

TEST_CASE("a tree is the same for any number of threads") {
  const Table table(12000, 6);
  for (const char* const criterion : {"gini", "entropy"}) {
    GrowthRules rules;
    rules.criterion = criterion_index(criterion);
    const GrownTree one = table.grow(rules, 1);
    CHECK(one.feature.size() > 3);
    for (const int threads : {2, 4}) {
      const GrownTree other = table.grow(rules, threads);
      CHECK(one.feature == other.feature);
      CHECK(one.first_child == other.first_child);
      CHECK(one.summary == other.summary);
    }
  }
}

TEST_CASE("surrogates are the same for any number of threads") {
  const Table table(6000, 4);
  GrowthRules rules;
  rules.missing = MissingPolicy::surrogate;
  rules.max_surrogates = 2;
  rules.max_depth = 4;
  const GrownTree one = table.grow(rules, 1), other = table.grow(rules, 4);
  CHECK(one.surrogates.feature == other.surrogates.feature);
  CHECK(one.surrogates.threshold == other.surrogates.threshold);
}

TEST_CASE("boosted trees are the same for any number of threads") {
  const Table table(12000, 4);
  const std::vector<double> start(12000, 1.0 / 12000);
  const std::vector<std::uint64_t> seeds(4, 7);
  GrowthRules rules;
  rules.max_depth = 3;
  const auto boost = [&](int threads) {
    return boost_trees(table.view(), table.target, {start.data(), table.rows}, 12000.0, rules,
                       {1.0, 0.6931471805599453, 2.0 / 3, 12000.0}, {seeds.data(), 4}, threads);
  };
  const BoostedTrees one = boost(1);
  CHECK(one.trees.size() == 4);
  for (const int threads : {2, 4}) {
    const BoostedTrees other = boost(threads);
    for (std::size_t t = 0; t < one.trees.size(); ++t) {
      CHECK(one.trees[t].feature == other.trees[t].feature);
      CHECK(one.trees[t].summary == other.trees[t].summary);
      CHECK(one.rounds[t].vote == other.rounds[t].vote);
      CHECK(one.rounds[t].training_error == other.rounds[t].training_error);
    }
  }
}
