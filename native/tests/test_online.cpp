#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "classica/online.hpp"

using namespace classica;

namespace {

// Two machines on four rows of two columns: AND, and its opposite.
struct Learned {
  std::vector<double> weights = std::vector<double>(6), kept = std::vector<double>(6);
  std::vector<std::int64_t> seen = {0, 0}, survived = {0, 0}, longest = {0, 0};
  std::vector<std::int64_t> mistakes = std::vector<std::int64_t>(40, -1);
  std::vector<std::uint8_t> converged = {0, 0};
  std::vector<Changes> changes = std::vector<Changes>(2);

  void train(const Presentations& how, Keep keep, int threads) {
    const std::vector<double> X = {0, 0, 0, 1, 1, 0, 1, 1};
    const std::vector<std::int32_t> codes = {0, 0, 0, 1};
    const std::vector<std::int8_t> side = {-1, 1, 1, -1};
    const PerceptronState state{{weights.data(), 2, 3, 3, 1},
                                {kept.data(), 2, 3, 3, 1},
                                {seen.data(), 2},
                                {survived.data(), 2},
                                {longest.data(), 2}};
    train_perceptrons(Matrix<const double>{X.data(), 4, 2, 2, 1},
                      Sides{{codes.data(), 4}, {side.data(), 2, 2, 2, 1}}, how, keep, true, threads, state,
                      Progress{{mistakes.data(), 2, 20, 20, 1}, {converged.data(), 2}}, changes);
  }
};

}  // namespace

TEST_CASE("perceptrons learn AND in the order given") {
  Learned learned;
  learned.train({.shuffle = false}, Keep::last, 2);
  CHECK(learned.weights == std::vector<double>{3, 2, -4, -3, -2, 4});
  CHECK(std::vector<std::int64_t>(learned.mistakes.begin(), learned.mistakes.begin() + 10) ==
        std::vector<std::int64_t>{2, 3, 3, 2, 2, 3, 2, 1, 0, -1});
  CHECK(learned.converged == std::vector<std::uint8_t>{1, 1});
  CHECK(learned.changes[0].rows.size() == 18);
  CHECK(learned.changes[0].times.front() == 0);
  CHECK(learned.seen == std::vector<std::int64_t>{36, 36});
}

TEST_CASE("every way to present rows ends with weights that separate AND") {
  for (const bool replace : {false, true})
    for (const Keep keep : {Keep::last, Keep::average, Keep::pocket}) {
      Learned learned, alone;
      learned.train({.shuffle = true, .replace = replace, .seed = 3}, keep, 2);
      alone.train({.shuffle = true, .replace = replace, .seed = 3}, keep, 1);
      CHECK(learned.weights == alone.weights);
      CHECK(learned.kept == alone.kept);
      CHECK(learned.converged[0] == 1);
      CHECK(learned.weights[2] < 0);
      CHECK(learned.weights[0] + learned.weights[1] + learned.weights[2] > 0);
    }
}

TEST_CASE("an order holds every row once") {
  for (const std::ptrdiff_t count : {0, 1, 7, 100}) {
    std::vector<std::int64_t> order = epoch_order(1, 2, count), all(order.size());
    std::iota(all.begin(), all.end(), std::int64_t{0});
    std::sort(order.begin(), order.end());
    CHECK(order == all);
  }
}

TEST_CASE("Winnow doubles and halves") {
  const std::vector<std::int32_t> columns = {0, 1, 0, 2, 1, 2}, starts = {0, 2, 4, 6}, codes = {1, 0, 0};
  const std::vector<std::int8_t> side = {-1, 1};
  std::vector<double> weights = {1, 1, 1};
  std::vector<std::int64_t> mistakes = {-1};
  std::vector<std::uint8_t> converged = {0};
  train_winnow(Ones<std::int32_t>{{columns.data(), 6}, {starts.data(), 4}},
               Sides{{codes.data(), 3}, {side.data(), 1, 2, 2, 1}}, {.shuffle = false, .zero = -1},
               WinnowRules{2.0, 2.0, 0.5, 1e-300, 1e300}, 1, Matrix<double>{weights.data(), 1, 3, 3, 1},
               Matrix<double>{}, Progress{{mistakes.data(), 1, 1, 1, 1}, {converged.data(), 1}});
  CHECK(weights == std::vector<double>{1, 1, 0.25});
  CHECK(mistakes[0] == 3);
}

TEST_CASE("votes follow running scores") {
  const std::vector<double> products = {1, -1, 2, 1}, signs = {1, -1, 1};
  const std::vector<std::int32_t> places = {0, 1, 1};
  const std::vector<std::int64_t> survivals = {5, 2, 1};
  std::vector<double> out(2);
  // Scores 1, 2, 1 of the first row, 2, 1, 2 of the second.
  running_votes(Matrix<const double>{products.data(), 2, 2, 2, 1},
                VotedMachine{{places.data(), 3}, {signs.data(), 3}, {survivals.data(), 3}}, 0.0, 1,
                Vector<double>{out.data(), 2});
  CHECK(out == std::vector<double>{8, 8});
}
