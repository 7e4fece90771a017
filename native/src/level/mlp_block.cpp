#include "mlp_block.hpp"

#include <bit>
#include <cmath>

#include "classica/simd.hpp"

namespace classica {
namespace {

// `rows` rows times `vectors` registers of columns: each value of B is loaded once for all rows.
template <class Level, int rows, int vectors>
[[gnu::always_inline]] inline void multiply_some(std::ptrdiff_t k, const double* A, std::ptrdiff_t a_row,
                                                 std::ptrdiff_t a_col, const double* B, std::ptrdiff_t b_row,
                                                 double* C, std::ptrdiff_t c_row) {
  Doubles<Level> sums[rows][vectors];
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v) sums[i][v] = load<Level>(C + i * c_row + v * lanes<Level>);
  for (std::ptrdiff_t l = 0; l < k; ++l) {
    Doubles<Level> b[vectors];
    for (int v = 0; v < vectors; ++v) b[v] = load<Level>(B + l * b_row + v * lanes<Level>);
    for (int i = 0; i < rows; ++i) {
      const Doubles<Level> a = all_of<Level>(A[i * a_row + l * a_col]);
      for (int v = 0; v < vectors; ++v) sums[i][v] = multiply_add<Level>(a, b[v], sums[i][v]);
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v) store<Level>(C + i * c_row + v * lanes<Level>, sums[i][v]);
}

// All rows for a strip of columns.
template <class Level, int rows, int vectors>
[[gnu::always_inline]] inline void multiply_strip(std::ptrdiff_t m, std::ptrdiff_t k, const double* A,
                                                  std::ptrdiff_t a_row, std::ptrdiff_t a_col, const double* B,
                                                  std::ptrdiff_t b_row, double* C, std::ptrdiff_t c_row) {
  std::ptrdiff_t i = 0;
  for (; i + rows <= m; i += rows)
    multiply_some<Level, rows, vectors>(k, A + i * a_row, a_row, a_col, B, b_row, C + i * c_row, c_row);
  for (; i + 2 <= m; i += 2)
    multiply_some<Level, 2, vectors>(k, A + i * a_row, a_row, a_col, B, b_row, C + i * c_row, c_row);
  if (i < m) multiply_some<Level, 1, vectors>(k, A + i * a_row, a_row, a_col, B, b_row, C + i * c_row, c_row);
}

// exp(x) within an ulp or two for |x| <= 708: 2^n times a polynomial on [-log(2)/2, log(2)/2]. Plain
// operations that the compiler turns into vectors, the same at every level.
[[gnu::always_inline]] inline double exponential(double x) {
  constexpr double rounder = 0x1.8p52, log2_e = 0x1.71547652b82fep0;
  constexpr double log_2_high = 0x1.62e42fefa0000p-1, log_2_low = 0x1.cf79abc9e3b39p-40;
  const double shifted = x * log2_e + rounder;
  const double n = shifted - rounder;
  const double r = (x - n * log_2_high) - n * log_2_low;
  double sum = 1.0 / 6227020800;
  sum = sum * r + 1.0 / 479001600;
  sum = sum * r + 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 1.0 / 2;
  sum = (sum * r + 1.0) * r + 1.0;
  const auto power = std::bit_cast<std::int64_t>(shifted) << 52;
  return std::bit_cast<double>(std::bit_cast<std::int64_t>(sum) + power);
}

[[gnu::always_inline]] inline double within(double value, double most) {
  const double below = value < most ? value : most;
  return below > -most ? below : -most;
}

constexpr double largest_input = 1e100, largest_exponent = 708.0;

[[gnu::always_inline]] inline double logistic(double x) {
  return 1.0 / (1.0 + exponential(-within(x, largest_exponent)));
}

[[gnu::always_inline]] inline double tangens(double x) {
  const double size = within(std::fabs(x), largest_exponent / 2);
  const double small = exponential(-2.0 * size);
  return std::copysign((1.0 - small) / (1.0 + small), x);
}

}  // namespace

template <class Level>
void MlpBlock<Level>::multiply(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, const double* A,
                               std::ptrdiff_t a_row, std::ptrdiff_t a_col, const double* B,
                               std::ptrdiff_t b_row, double* C, std::ptrdiff_t c_row) {
  constexpr int rows = lanes<Level> == 8 ? 12 : 6;
  constexpr std::ptrdiff_t wide = 2 * lanes<Level>;
  std::ptrdiff_t j = 0;
  for (; j + wide <= n; j += wide)
    multiply_strip<Level, rows, 2>(m, k, A, a_row, a_col, B + j, b_row, C + j, c_row);
  for (; j < n; j += lanes<Level>)
    multiply_strip<Level, rows, 1>(m, k, A, a_row, a_col, B + j, b_row, C + j, c_row);
}

template <class Level>
void MlpBlock<Level>::activate(Activation activation, double* values, std::ptrdiff_t count) {
  switch (activation) {
    case Activation::identity:
      for (std::ptrdiff_t i = 0; i < count; ++i) values[i] = within(values[i], largest_input);
      break;
    case Activation::relu:
      for (std::ptrdiff_t i = 0; i < count; ++i) {
        const double below = values[i] < largest_input ? values[i] : largest_input;
        values[i] = below > 0.0 ? below : 0.0;
      }
      break;
    case Activation::tanh:
      for (std::ptrdiff_t i = 0; i < count; ++i) values[i] = tangens(values[i]);
      break;
    case Activation::logistic:
      for (std::ptrdiff_t i = 0; i < count; ++i) values[i] = logistic(values[i]);
      break;
  }
}

template <class Level>
void MlpBlock<Level>::chain(Activation activation, const double* outputs, double* slopes,
                            std::ptrdiff_t count) {
  switch (activation) {
    case Activation::identity:
      break;
    case Activation::relu:
      for (std::ptrdiff_t i = 0; i < count; ++i) slopes[i] = outputs[i] > 0.0 ? slopes[i] : 0.0;
      break;
    case Activation::tanh:
      for (std::ptrdiff_t i = 0; i < count; ++i) slopes[i] *= 1.0 - outputs[i] * outputs[i];
      break;
    case Activation::logistic:
      for (std::ptrdiff_t i = 0; i < count; ++i) slopes[i] *= outputs[i] * (1.0 - outputs[i]);
      break;
  }
}

template <class Level>
double MlpBlock<Level>::softmax_loss(double* scores, std::ptrdiff_t classes, std::ptrdiff_t width,
                                     std::int32_t code, double weight) {
  double highest = scores[0];
  for (std::ptrdiff_t c = 1; c < classes; ++c) highest = scores[c] > highest ? scores[c] : highest;
  const double below = highest - scores[code];
  for (std::ptrdiff_t c = 0; c < width; ++c)
    scores[c] = exponential(within(scores[c] - highest, largest_exponent));
  double total = 0.0;
  for (std::ptrdiff_t c = 0; c < classes; ++c) total += scores[c];
  for (std::ptrdiff_t c = 0; c < width; ++c) scores[c] *= weight / total;
  for (std::ptrdiff_t c = classes; c < width; ++c) scores[c] = 0.0;
  scores[code] -= weight;
  return weight * (std::log(total) + below);
}

template <class Level>
void MlpBlock<Level>::step(const StepRules& rules, double rate, double alpha, double share,
                           const double* __restrict gradient, double* __restrict parameters,
                           double* __restrict first, double* __restrict second, std::ptrdiff_t count) {
  const double beta1 = rules.beta1, beta2 = rules.beta2, epsilon = rules.epsilon, momentum = rules.momentum;
  if (rules.adam) {
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const double slope = (gradient[i] + alpha * parameters[i]) * share;
      first[i] = beta1 * first[i] + (1.0 - beta1) * slope;
      second[i] = beta2 * second[i] + (1.0 - beta2) * slope * slope;
      parameters[i] -= rate * first[i] / (std::sqrt(second[i]) + epsilon);
    }
    return;
  }
  const double again = rules.nesterov ? momentum : 1.0, now = rules.nesterov ? rate : 0.0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const double slope = (gradient[i] + alpha * parameters[i]) * share;
    first[i] = momentum * first[i] - rate * slope;
    parameters[i] += again * first[i] - now * slope;
  }
}

template <class Level>
double MlpBlock<Level>::sum_of_squares(const double* values, std::ptrdiff_t count) {
  double sums[layer_padding] = {};
  for (std::ptrdiff_t i = 0; i < count; i += layer_padding)
    for (std::ptrdiff_t lane = 0; lane < layer_padding; ++lane)
      sums[lane] += values[i + lane] * values[i + lane];
  double total = 0.0;
  for (const double sum : sums) total += sum;
  return total;
}

template struct MlpBlock<CLASSICA_LEVEL>;

}  // namespace classica
