#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "classica/discriminant.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::all_orders;
using classica::testing::Order;
using classica::testing::random_table;
using classica::testing::RandomValues;
using classica::testing::Table;

namespace {

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

std::vector<double> random_values(std::ptrdiff_t size, std::uint64_t seed) {
  RandomValues random(seed);
  std::vector<double> values(room(size));
  for (double& value : values) value = random();
  return values;
}

struct Linear {
  Linear(std::ptrdiff_t scores, std::ptrdiff_t cols)
      : scores(scores),
        cols(cols),
        center(random_values(cols, 51)),
        weights(random_values(scores * cols, 52)),
        offsets(random_values(scores, 53)) {}

  template <class T>
  std::vector<double> operator()(Matrix<const T> X, int threads = 3) const {
    std::vector<double> out(room(X.rows * scores), std::nan(""));
    linear_scores(X, LinearModel{scores, cols, center.data(), weights.data(), offsets.data()}, threads,
                  Matrix<double>{out.data(), X.rows, scores, scores, 1});
    return out;
  }

  std::ptrdiff_t scores, cols;
  std::vector<double> center, weights, offsets;
};

struct Quadratic {
  Quadratic(std::ptrdiff_t forms, std::ptrdiff_t cols)
      : forms(forms),
        cols(cols),
        strips((cols + 3) / 4),
        center(random_values(cols, 54)),
        centers(random_values(forms * cols, 55)),
        factors(room(forms * strips * 4 * cols)) {
    RandomValues random(56);
    for (std::ptrdiff_t c = 0; c < forms; ++c)
      for (std::ptrdiff_t k = 0; k < cols; ++k)
        for (std::ptrdiff_t j = k; j < cols; ++j) factor(c, k, j) = random();
  }
  double& factor(std::ptrdiff_t form, std::ptrdiff_t k, std::ptrdiff_t j) {
    return factors[room(((form * strips + k / 4) * cols + j) * 4 + k % 4)];
  }

  template <class T>
  std::vector<double> operator()(Matrix<const T> X, int threads = 3) const {
    std::vector<double> out(room(X.rows * forms), std::nan(""));
    quadratic_forms(X, QuadraticModel{forms, cols, center.data(), centers.data(), factors.data()}, threads,
                    Matrix<double>{out.data(), X.rows, forms, forms, 1});
    return out;
  }

  std::ptrdiff_t forms, cols, strips;
  std::vector<double> center, centers, factors;
};

}  // namespace

TEST_CASE("linear scores agree with a plain loop") {
  for (const std::ptrdiff_t cols : {1, 3, 8, 17})
    for (const std::ptrdiff_t scores : {1, 4, 5, 6, 11})
      for (const std::ptrdiff_t rows : {0, 1, 7, 8, 9}) {
        const Table<double> table = random_table(rows, cols, 57);
        const Linear model(scores, cols);
        const std::vector<double> found = model(table.view());
        bool close = true;
        for (std::ptrdiff_t i = 0; i < rows; ++i)
          for (std::ptrdiff_t c = 0; c < scores; ++c) {
            long double sum = model.offsets[room(c)];
            for (std::ptrdiff_t j = 0; j < cols; ++j)
              sum += model.weights[room(c * cols + j)] *
                     (static_cast<long double>(table(i, j)) - model.center[room(j)]);
            close &= std::abs(found[room(i * scores + c)] - sum) <= 1e-15L * (cols + 2) * (1 + 11 * cols);
          }
        CHECK(close);
      }
}

TEST_CASE("quadratic forms agree with a plain loop") {
  for (const std::ptrdiff_t cols : {1, 3, 4, 5, 8, 9, 17})
    for (const std::ptrdiff_t rows : {0, 1, 7, 8, 9}) {
      const Table<double> table = random_table(rows, cols, 58);
      Quadratic model(3, cols);
      const std::vector<double> found = model(table.view());
      bool close = true;
      for (std::ptrdiff_t i = 0; i < rows; ++i)
        for (std::ptrdiff_t c = 0; c < 3; ++c) {
          long double total = 0.0L;
          for (std::ptrdiff_t k = 0; k < cols; ++k) {
            long double sum = 0.0L;
            for (std::ptrdiff_t j = k; j < cols; ++j)
              sum += model.factor(c, k, j) * (static_cast<long double>(table(i, j)) - model.center[room(j)] -
                                              model.centers[room(c * cols + j)]);
            total += sum * sum;
          }
          const long double size = 144.0L * cols * cols * cols;
          close &= std::abs(found[room(i * 3 + c)] - total) <= 1e-15L * (cols + 4) * size;
        }
      CHECK(close);
    }
}

TEST_CASE("the bits of scores do not depend on memory order, precision, batch or number of threads") {
  // Several chunks of rows: 2^22 products each.
  const Table<double> table = random_table(20011, 40, 59);
  const Linear linear(7, 40);
  const Quadratic quadratic(3, 40);
  const std::vector<double> scores = linear(table.view(), 1), forms = quadratic(table.view(), 1);
  for (const int threads : {2, 5}) {
    CHECK(linear(table.view(), threads) == scores);
    CHECK(quadratic(table.view(), threads) == forms);
  }
  for (const Order order : all_orders) {
    const Table<double> other = table.copy(order);
    const Table<float> single = table.copy<float>(order);
    CHECK(linear(other.view()) == scores);
    CHECK(linear(single.view()) == scores);
    CHECK(quadratic(other.view()) == forms);
    CHECK(quadratic(single.view()) == forms);
  }
  const Matrix<const double> X = table.view(), last{X.row(20010), 1, 40, 40, 1};
  CHECK(linear(last) == std::vector<double>(scores.end() - 7, scores.end()));
  CHECK(quadratic(last) == std::vector<double>(forms.end() - 3, forms.end()));
}

TEST_CASE("rows absurdly far away get finite scores") {
  Table<double> far(2, 5);
  for (std::ptrdiff_t j = 0; j < 5; ++j) far(0, j) = j % 2 ? 1e150 : -1e150, far(1, j) = 1e150;
  Linear linear(6, 5);
  for (double& weight : linear.weights) weight *= 1e200;
  Quadratic quadratic(2, 5);
  for (double& factor : quadratic.factors) factor *= 1e200;
  const Table<double>& rows = far;
  for (const double score : linear(rows.view())) CHECK(std::abs(score) <= 1e307);
  for (const double form : quadratic(rows.view())) CHECK(form == 1e307);
}
