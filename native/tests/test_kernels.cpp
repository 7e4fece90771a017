#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "classica/kernels.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::all_orders;
using classica::testing::Order;
using classica::testing::random_table;
using classica::testing::Table;

namespace {

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

template <class T>
std::vector<double> values_of(const Table<T>& A, const Table<double>& B, const KernelFunction& kernel,
                              int threads = 3) {
  std::vector<double> out(room(A.rows() * B.rows()), std::nan(""));
  kernel_matrix(A.view(), B.view(), kernel, threads,
                Matrix<double>{out.data(), A.rows(), B.rows(), B.rows(), 1});
  return out;
}

double plain_value(const Table<double>& A, std::ptrdiff_t a, const Table<double>& B, std::ptrdiff_t b,
                   const KernelFunction& kernel) {
  long double dot = 0, distance = 0;
  for (std::ptrdiff_t j = 0; j < A.cols(); ++j) {
    dot += static_cast<long double>(A(a, j)) * B(b, j);
    const long double difference = static_cast<long double>(A(a, j)) - B(b, j);
    distance += difference * difference;
  }
  const long double inner = kernel.gamma * dot + kernel.coef0;
  switch (kernel.kind) {
    case KernelKind::linear:
      return static_cast<double>(dot);
    case KernelKind::poly:
      return static_cast<double>(std::pow(inner, kernel.degree));
    case KernelKind::rbf:
      return static_cast<double>(std::exp(-kernel.gamma * distance));
    case KernelKind::sigmoid:
      return static_cast<double>(std::tanh(inner));
  }
  return 0;
}

constexpr KernelKind kinds[] = {KernelKind::linear, KernelKind::poly, KernelKind::rbf, KernelKind::sigmoid};

}  // namespace

TEST_CASE("kernel values agree with a plain loop") {
  for (const KernelKind kind : kinds)
    for (const std::ptrdiff_t cols : {1, 3, 17})
      for (const std::ptrdiff_t rows : {0, 1, 7, 17, 33}) {
        const Table<double> A = random_table(rows, cols, 71), B = random_table(29, cols, 72);
        const KernelFunction kernel{kind, 0.3, 0.5, 3, nullptr};
        const std::vector<double> found = values_of(A, B, kernel);
        bool close = true;
        for (std::ptrdiff_t a = 0; a < rows; ++a)
          for (std::ptrdiff_t b = 0; b < 29; ++b) {
            const double wanted = plain_value(A, a, B, b, kernel);
            close &= std::abs(found[room(a * 29 + b)] - wanted) <= 1e-12 * (1 + std::abs(wanted));
          }
        CHECK(close);
      }
}

TEST_CASE("memory order and threads change no bit of kernel values") {
  const Table<double> A = random_table(41, 5, 73), B = random_table(37, 5, 74);
  for (const KernelKind kind : kinds) {
    const KernelFunction kernel{kind, 0.3, 0.5, 2, nullptr};
    const std::vector<double> wanted = values_of(A, B, kernel, 1);
    for (const Order order : all_orders) CHECK(values_of(A.copy(order), B.copy(order), kernel, 4) == wanted);
  }
}

TEST_CASE("scores are sums of kernel values") {
  const Table<double> A = random_table(35, 4, 75), B = random_table(130, 4, 76);
  const Table<double> weights = random_table(3, 130, 77);
  const std::vector<double> offsets{0.5, -1.0, 2.0};
  const KernelFunction kernel{KernelKind::rbf, 0.2, 0, 3, nullptr};
  const std::vector<double> values = values_of(A, B, kernel);
  std::vector<double> found(35 * 3), known(35 * 3);
  kernel_scores(A.view(), B.view(), kernel, weights.view(), {offsets.data(), 3}, 2,
                Matrix<double>{found.data(), 35, 3, 3, 1});
  known_kernel_scores(Matrix<const double>{values.data(), 35, 130, 130, 1}, {}, weights.view(),
                      {offsets.data(), 3}, 2, Matrix<double>{known.data(), 35, 3, 3, 1});
  for (std::ptrdiff_t i = 0; i < 35; ++i)
    for (std::ptrdiff_t m = 0; m < 3; ++m) {
      double sum = offsets[room(m)];
      for (std::ptrdiff_t j = 0; j < 130; ++j) sum += weights(m, j) * values[room(i * 130 + j)];
      CHECK(found[room(i * 3 + m)] == doctest::Approx(sum).epsilon(1e-12));
      CHECK(known[room(i * 3 + m)] == doctest::Approx(sum).epsilon(1e-12));
    }
}

TEST_CASE("exponentials are within two units in the last place") {
  std::vector<double> x, found;
  for (double value = -745; value < 709; value += 0.317) x.push_back(value);
  found.resize(x.size());
  const auto count = static_cast<std::ptrdiff_t>(x.size());
  exponentials({x.data(), count}, {found.data(), count});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double wanted = std::exp(x[i]), unit = std::nextafter(wanted, INFINITY) - wanted;
    CHECK(std::abs(found[i] - wanted) <= 2 * unit);
  }
}
