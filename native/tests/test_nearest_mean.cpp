#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "classica/nearest_mean.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::all_orders;
using classica::testing::Order;
using classica::testing::random_table;
using classica::testing::RandomValues;
using classica::testing::SparseTable;
using classica::testing::Table;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What MeanModel points at.
struct Model {
  std::ptrdiff_t cols;
  std::vector<double> centers, inverse_spreads;
  std::vector<std::int32_t> class_starts;
  std::vector<double> log_priors;

  std::ptrdiff_t classes() const { return static_cast<std::ptrdiff_t>(log_priors.size()); }
  MeanModel view() const {
    return {classes(),
            class_starts.back(),
            cols,
            centers.data(),
            inverse_spreads.empty() ? nullptr : inverse_spreads.data(),
            class_starts.data(),
            log_priors.data()};
  }
};

Model random_model(const std::vector<std::int32_t>& means_per_class, std::ptrdiff_t cols, bool spreads) {
  RandomValues random(21);
  Model model{cols, {}, {}, {0}, {}};
  for (const std::int32_t means : means_per_class) {
    model.class_starts.push_back(model.class_starts.back() + means);
    model.log_priors.push_back(means ? random() - 1.5 : -infinity);
  }
  for (std::ptrdiff_t k = 0; k < model.class_starts.back() * cols; ++k) {
    model.centers.push_back(10.0 * random());
    if (spreads) model.inverse_spreads.push_back(0.2 + 0.1 * random());
  }
  return model;
}

struct Answers {
  std::vector<std::int64_t> labels;
  std::vector<double> posteriors, distances;
  bool operator==(const Answers&) const = default;
};

template <class Rows>
Answers ask(const Rows& X, const Model& model, int threads = 4) {
  const std::ptrdiff_t classes = model.classes();
  const auto size = static_cast<std::size_t>(X.rows * classes);
  Answers made{std::vector<std::int64_t>(static_cast<std::size_t>(X.rows)), std::vector<double>(size),
               std::vector<double>(size)};
  predict(X, model.view(), threads, Vector<std::int64_t>{made.labels.data(), X.rows});
  posteriors(X, model.view(), threads, Matrix<double>{made.posteriors.data(), X.rows, classes, classes});
  class_distances(X, model.view(), threads, Matrix<double>{made.distances.data(), X.rows, classes, classes});
  return made;
}

// The definition, in higher precision.
struct Plain {
  std::vector<long double> distances, posteriors;
  std::ptrdiff_t label = 0;
};
Plain plain_loop(const Table<double>& table, std::ptrdiff_t i, const Model& model) {
  Plain plain;
  std::vector<long double> scores;
  for (std::size_t c = 0; c < model.log_priors.size(); ++c) {
    long double closest = infinity;
    for (std::ptrdiff_t m = model.class_starts[c]; m < model.class_starts[c + 1]; ++m) {
      long double square = 0.0L;
      for (std::ptrdiff_t j = 0; j < model.cols; ++j) {
        const auto k = static_cast<std::size_t>(m * model.cols + j);
        long double step = static_cast<long double>(table(i, j)) - model.centers[k];
        if (!model.inverse_spreads.empty()) step *= model.inverse_spreads[k];
        square += step * step;
      }
      closest = std::min(closest, square);
    }
    plain.distances.push_back(std::sqrt(closest));
    scores.push_back(model.log_priors[c] - 0.5L * closest);
  }
  const auto best = std::max_element(scores.begin(), scores.end());
  plain.label = best - scores.begin();
  long double total = 0.0L;
  for (const long double score : scores) total += std::exp(score - *best);
  for (const long double score : scores) plain.posteriors.push_back(std::exp(score - *best) / total);
  return plain;
}

}  // namespace

TEST_CASE("labels, posteriors and distances agree with a plain loop") {
  // One to nine means in all: the kernel takes centers by four and then one by one.
  const std::vector<std::int32_t> layouts[] = {{1}, {1, 1}, {1, 2, 1}, {2, 1, 3, 1}, {1, 1, 1, 1, 1, 1, 3}};
  const Table<double> table = random_table(37, 5, 1);
  for (const auto& layout : layouts)
    for (const bool spreads : {false, true}) {
      const Model model = random_model(layout, 5, spreads);
      const Answers made = ask(rows_of(table), model);
      for (std::ptrdiff_t i = 0; i < table.rows(); ++i) {
        const Plain plain = plain_loop(table, i, model);
        CHECK(made.labels[static_cast<std::size_t>(i)] == plain.label);
        for (std::size_t c = 0; c < layout.size(); ++c) {
          const std::size_t at = static_cast<std::size_t>(i) * layout.size() + c;
          CHECK(made.distances[at] ==
                doctest::Approx(static_cast<double>(plain.distances[c])).epsilon(1e-14));
          CHECK(std::abs(made.posteriors[at] - static_cast<double>(plain.posteriors[c])) <= 1e-12);
        }
      }
    }
}

TEST_CASE("the bits do not depend on memory order, precision or number of threads") {
  const Table<double> table = random_table(37, 5, 2);
  for (const bool spreads : {false, true}) {
    const Model model = random_model({2, 1, 3, 1}, 5, spreads);
    const Answers expected = ask(rows_of(table), model, 1);
    for (const Order order : all_orders) {
      CHECK(ask(rows_of(table.copy(order)), model) == expected);
      CHECK(ask(rows_of(table.copy<float>(order)), model) == expected);
    }
  }
}

TEST_CASE("many chunks of rows give the same bits for every number of threads") {
  // 64 means of 1024 columns: a chunk is 32 rows.
  const Model model = random_model(std::vector<std::int32_t>(32, 2), 1024, true);
  const Table<double> table = random_table(101, 1024, 3);
  const Answers expected = ask(rows_of(table), model, 1);
  for (const int threads : {2, 4}) CHECK(ask(rows_of(table), model, threads) == expected);
  const SparseTable<double, std::int32_t> sparse(table);
  CHECK(ask(sparse.view(), model, 4) == ask(sparse.view(), model, 1));
}

TEST_CASE("a row has the same bits alone and in every place of a tile") {
  const Model model = random_model({2, 1, 3, 1}, 5, true);
  const Table<double> one = random_table(1, 5, 4);
  const Answers alone = ask(rows_of(one), model);
  for (std::ptrdiff_t rows = 1; rows <= 17; ++rows)
    for (std::ptrdiff_t place = 0; place < rows; ++place) {
      Table<double> table = random_table(rows, 5, 5);
      for (std::ptrdiff_t j = 0; j < 5; ++j) table(place, j) = one(0, j);
      const Answers among = ask(rows_of(table), model);
      const auto i = static_cast<std::size_t>(place);
      const auto part = [&](const std::vector<double>& all) {
        return std::vector<double>(all.begin() + 4 * place, all.begin() + 4 * place + 4);
      };
      const bool same = among.labels[i] == alone.labels[0] && part(among.posteriors) == alone.posteriors &&
                        part(among.distances) == alone.distances;
      CHECK(same);
    }
}

TEST_CASE("of classes with the same mean the first is predicted, wherever their means lie") {
  // Class 1 is in the group of four centers, class 5 among the rest: both sums must round alike.
  Model model = random_model({1, 1, 1, 1, 1, 1}, 7, true);
  std::copy_n(model.centers.begin() + 7, 7, model.centers.begin() + 35);
  std::copy_n(model.inverse_spreads.begin() + 7, 7, model.inverse_spreads.begin() + 35);
  model.log_priors.assign(6, -1.0);
  const Table<double> table = random_table(200, 7, 6);
  const Answers made = ask(rows_of(table), model);
  int wrong = 0;
  for (std::size_t i = 0; i < 200; ++i)
    wrong += made.labels[i] == 5 || made.posteriors[6 * i + 1] != made.posteriors[6 * i + 5];
  CHECK(wrong == 0);
  CHECK(std::count(made.labels.begin(), made.labels.end(), 1) > 0);
}

TEST_CASE("half way between two means the first class is predicted, or the one of higher prior") {
  Model model{2, {1.0, -1.0, -1.0, 1.0}, {}, {0, 1, 2}, {-0.7, -0.7}};
  Table<double> middle(1, 2);
  middle(0, 0) = middle(0, 1) = 0.25;
  CHECK(ask(rows_of(middle), model).labels[0] == 0);
  CHECK(ask(rows_of(middle), model).posteriors == std::vector<double>{0.5, 0.5});
  model.log_priors[1] = -0.6;
  CHECK(ask(rows_of(middle), model).labels[0] == 1);
}

TEST_CASE("the label is the first of the highest posteriors, a rounding error from a tie too") {
  const Model model{1, {0.0, 1.0, -0x1p-54, 1.0 + 0x1p-52}, {}, {0, 1, 2, 3, 4}, {-0.7, -0.7, -0.7, -0.7}};
  Table<double> table(401, 1);
  for (std::ptrdiff_t i = 0; i < 401; ++i) table(i, 0) = 0.5 + static_cast<double>(i - 200) * 0x1p-54;
  for (const Answers& made :
       {ask(rows_of(table), model), ask(SparseTable<double, std::int32_t>(table).view(), model)}) {
    int wrong = 0;
    for (std::size_t i = 0; i < 401; ++i) {
      const double* row = made.posteriors.data() + 4 * i;
      wrong += made.labels[i] != std::max_element(row, row + 4) - row;
    }
    CHECK(wrong == 0);
    CHECK(made.labels[0] == 0);  // both sides of the tie are there
    CHECK(made.labels[400] != 0);
  }
}

TEST_CASE("small distances are not lost beside large log priors") {
  const Model model{1, {2e-12, 1e-12}, {}, {0, 1, 2}, {-30.0, -30.0}};
  Table<double> origin(1, 1);
  origin(0, 0) = 0.0;
  for (const Answers& made :
       {ask(rows_of(origin), model), ask(SparseTable<double, std::int32_t>(origin).view(), model)}) {
    CHECK(made.labels[0] == 1);
    CHECK(made.posteriors[1] > made.posteriors[0]);  // though both are one half, rounded
    CHECK(made.posteriors[1] == doctest::Approx(0.5).epsilon(1e-15));
  }
}

TEST_CASE("sparse rows are close to the same rows written out") {
  const Table<double> table = random_table(60, 9, 7);
  const Table<float> single = table.copy<float>(Order::by_rows);
  for (const bool spreads : {false, true}) {
    const Model model = random_model({2, 1, 3, 1}, 9, spreads);
    const Answers dense = ask(rows_of(table), model);
    const Answers sparse = ask(SparseTable<double, std::int32_t>(table).view(), model);
    CHECK(sparse.labels == dense.labels);
    for (std::size_t k = 0; k < dense.posteriors.size(); ++k) {
      CHECK(std::abs(sparse.posteriors[k] - dense.posteriors[k]) <= 1e-12);
      CHECK(sparse.distances[k] == doctest::Approx(dense.distances[k]).epsilon(1e-14));
    }
    CHECK(ask(SparseTable<double, std::int64_t>(table).view(), model) == sparse);
    CHECK(ask(SparseTable<float, std::int32_t>(single).view(), model) == sparse);
    CHECK(ask(SparseTable<float, std::int64_t>(single).view(), model) == sparse);
  }
}

TEST_CASE("a sparse row on top of a mean has distance zero") {
  RandomValues random(8);
  Table<double> table(1, 6);
  int wrong = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Model model{6, {}, {}, {0, 1}, {0.0}};
    for (std::ptrdiff_t j = 0; j < 6; ++j) {
      table(0, j) = (j + trial) % 3 == 0 ? 0.0 : 1e3 * random();
      model.centers.push_back(table(0, j));
      if (trial % 2) model.inverse_spreads.push_back(2.0 + random());
    }
    wrong += ask(SparseTable<double, std::int32_t>(table).view(), model).distances[0] != 0.0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("sparse distances stay exact far from the origin") {
  const Model model{3, {1e8 + 1.0, 0.001, 0.002, 1e8, 0.002, 0.0}, {}, {0, 1, 2}, {-0.7, -0.7}};
  Table<double> table(1, 3);
  table(0, 0) = 1e8, table(0, 1) = 0.0, table(0, 2) = 0.0;
  const Answers made = ask(SparseTable<double, std::int32_t>(table).view(), model);
  CHECK(made.distances[0] == doctest::Approx(std::sqrt(1.000005)).epsilon(1e-14));
  CHECK(made.distances[1] == doctest::Approx(0.002).epsilon(1e-9));
}

TEST_CASE("an empty class has probability zero, infinite distance and no rows") {
  for (const std::size_t empty : {0, 1, 2}) {
    std::vector<std::int32_t> layout(3, 1);
    layout[empty] = 0;
    const Model model = random_model(layout, 4, false);
    const Table<double> table = random_table(30, 4, 9);
    for (const Answers& made :
         {ask(rows_of(table), model), ask(SparseTable<double, std::int32_t>(table).view(), model)})
      for (std::size_t i = 0; i < 30; ++i) {
        CHECK(made.labels[i] != static_cast<std::int64_t>(empty));
        CHECK(made.posteriors[3 * i + empty] == 0.0);
        CHECK(made.distances[3 * i + empty] == infinity);
        CHECK(made.posteriors[3 * i] + made.posteriors[3 * i + 1] + made.posteriors[3 * i + 2] ==
              doctest::Approx(1.0).epsilon(1e-15));
      }
  }
}

TEST_CASE("rows whose squared distances overflow still have probabilities") {
  const Model model{2, {1.0, 2.0, -3.0, 1.0}, {}, {0, 1, 2}, {-0.7, -0.7}};
  Table<double> table(2, 2);
  table(0, 0) = table(0, 1) = 1e200;
  table(1, 0) = -1e160, table(1, 1) = 0.0;
  for (const Answers& made :
       {ask(rows_of(table), model), ask(SparseTable<double, std::int32_t>(table).view(), model)}) {
    CHECK(made.labels == std::vector<std::int64_t>{0, 0});
    CHECK(made.posteriors == std::vector<double>{0.5, 0.5, 0.5, 0.5});
  }
}

TEST_CASE("no rows give no answers") {
  const Model model = random_model({1, 1}, 4, false);
  CHECK(ask(rows_of(Table<double>(0, 4)), model) == Answers{});
}
