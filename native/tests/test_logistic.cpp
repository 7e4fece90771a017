#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "classica/logistic.hpp"
#include "tables.hpp"

using namespace classica;
using namespace classica::testing;

namespace {

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

struct Softmax {
  Softmax(std::ptrdiff_t rows, std::ptrdiff_t cols, std::ptrdiff_t classes, std::ptrdiff_t vectors)
      : rows(rows), cols(cols), classes(classes), vectors(vectors) {
    for (std::ptrdiff_t i = 0; i < rows; ++i) {
      codes.push_back(static_cast<std::int32_t>((7 * i + i / 3) % classes));
      weights.push_back(0.5 + static_cast<double>(i % 5));
    }
    for (std::ptrdiff_t j = 0; j < cols; ++j) center.push_back(0.1 * static_cast<double>(j) - 0.3);
    for (std::ptrdiff_t k = 0; k < vectors * (cols + 1); ++k)
      coefficients.push_back(0.3 * std::sin(static_cast<double>(k)));
  }

  SoftmaxTask task() const {
    return {classes, center.data(), Vector<const std::int32_t>{codes.data(), rows},
            Vector<const double>{weights.data(), rows},
            Matrix<const double>{coefficients.data(), vectors, cols + 1, cols + 1, 1}};
  }

  template <class T>
  std::vector<double> gradient(Matrix<const T> X, int threads) const {
    std::vector<double> out(room(vectors * (cols + 1) + 1));
    out.back() =
        softmax_gradient(X, task(), threads, Matrix<double>{out.data(), vectors, cols + 1, cols + 1, 1});
    return out;
  }

  // The same in long double, row by row.
  std::vector<long double> plain(Matrix<const double> X) const {
    std::vector<long double> out(room(vectors * (cols + 1) + 1));
    for (std::ptrdiff_t i = 0; i < rows; ++i) {
      std::vector<long double> scores(room(classes)), z(room(cols + 1), 1.0L);
      for (std::ptrdiff_t j = 0; j < cols; ++j)
        z[room(j)] = static_cast<long double>(X(i, j)) - center[room(j)];
      for (std::ptrdiff_t v = 0; v < vectors; ++v)
        for (std::ptrdiff_t j = 0; j <= cols; ++j)
          scores[room(classes - vectors + v)] += coefficients[room(v * (cols + 1) + j)] * z[room(j)];
      long double total = 0.0L;
      for (const long double score : scores) total += std::exp(score);
      out.back() += weights[room(i)] * (std::log(total) - scores[room(codes[room(i)])]);
      for (std::ptrdiff_t v = 0; v < vectors; ++v) {
        const std::ptrdiff_t c = classes - vectors + v;
        const long double residual = std::exp(scores[room(c)]) / total - (codes[room(i)] == c ? 1.0L : 0.0L);
        for (std::ptrdiff_t j = 0; j <= cols; ++j)
          out[room(v * (cols + 1) + j)] += weights[room(i)] * residual * z[room(j)];
      }
    }
    return out;
  }

  std::ptrdiff_t rows, cols, classes, vectors;
  std::vector<std::int32_t> codes;
  std::vector<double> weights, center, coefficients;
};

}  // namespace

TEST_CASE("loss and gradient of the softmax agree with a plain loop") {
  for (const std::ptrdiff_t rows : {1, 7, 8, 9, 64, 130})
    for (const std::ptrdiff_t cols : {1, 3, 8, 17})
      for (const std::ptrdiff_t classes : {2, 3, 6, 11}) {
        const Table<double> table = random_table(rows, cols, 71);
        const Softmax softmax(rows, cols, classes, classes == 2 ? 1 : classes);
        const std::vector<double> found = softmax.gradient(table.view(), 2);
        const std::vector<long double> wanted = softmax.plain(table.view());
        bool close = true;
        for (std::size_t k = 0; k < found.size(); ++k)
          close &= std::abs(found[k] - wanted[k]) <= 1e-13L * 20 * static_cast<long double>(rows);
        CHECK(close);
      }
}

TEST_CASE("the bits of a gradient do not depend on memory order, precision or number of threads") {
  const Table<double> table = random_table(9001, 30, 72);
  const Softmax softmax(9001, 30, 7, 7);
  const std::vector<double> plain = softmax.gradient(table.view(), 1);
  for (const Order order : all_orders) {
    CHECK(softmax.gradient(rows_of(table.copy(order)), 3) == plain);
    CHECK(softmax.gradient(rows_of(table.copy<float>(order)), 2) == plain);
  }
}

TEST_CASE("curvature is symmetric in what it adds up and its last entry is the sum of the weights") {
  const Table<double> table = random_table(300, 5, 73);
  const Softmax softmax(300, 5, 3, 3);
  std::vector<double> out(3 * 36);
  softmax_curvature(rows_of(table), softmax.task(), 2, out.data());
  // The sum over all pairs of p_a p_b is at most a third of one for three classes.
  double weight = 0.0, total = 0.0;
  for (const double w : softmax.weights) weight += w;
  for (int pair = 0; pair < 3; ++pair) total += out[room(36 * pair + 35)];
  CHECK(total > 0.0);
  CHECK(total <= weight / 3 + 1e-9);
}
