// The arithmetic of a network's layers: a matrix product with register blocking and packed strips (Goto and
// van de Geijn 2008), activations, the softmax loss, and steps by Adam (Kingma and Ba 2015) or momentum.
//
// Invariant: every sum runs in the order of l, whatever the tile, so that AVX2 and AVX-512 give the same
// bits; exponentials are our own, the same at these two levels. Inputs are kept within 1e100, so that no
// infinities cancel. A new activation is a case here and its word in `Activation`. Cost: m n k products; 45
// GFLOP/s per core with wide layers (docs/decisions/0029).
#include "mlp_block.hpp"

#include <cmath>

#include "exponential.hpp"

namespace classica {
namespace {

// Copies a strip of B: rows a power of two apart would drive each other out of the cache.
template <class Level, int vectors>
[[gnu::always_inline]] inline void pack(std::ptrdiff_t k, const double* B, std::ptrdiff_t b_row,
                                        double* strip) {
  for (std::ptrdiff_t l = 0; l < k; ++l)
    for (int v = 0; v < vectors; ++v, strip += lanes<Level>)
      store<Level>(strip, load<Level>(B + l * b_row + v * lanes<Level>));
}

// `rows` rows times `vectors` registers of columns: each value of the strip is loaded once for all rows.
template <class Level, bool turned, int rows, int vectors>
[[gnu::always_inline]] inline void multiply_some(std::ptrdiff_t k, const double* A, std::ptrdiff_t a_stride,
                                                 const double* strip, double* C, std::ptrdiff_t c_row) {
  Doubles<Level> sums[rows][vectors];
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v) sums[i][v] = load<Level>(C + i * c_row + v * lanes<Level>);
  for (std::ptrdiff_t l = 0; l < k; ++l) {
    Doubles<Level> b[vectors];
    for (int v = 0; v < vectors; ++v) b[v] = load<Level>(strip + (l * vectors + v) * lanes<Level>);
    for (int i = 0; i < rows; ++i) {
      const Doubles<Level> a = all_of<Level>(turned ? A[l * a_stride + i] : A[i * a_stride + l]);
      for (int v = 0; v < vectors; ++v) sums[i][v] = multiply_add<Level>(a, b[v], sums[i][v]);
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v) store<Level>(C + i * c_row + v * lanes<Level>, sums[i][v]);
}

// All rows for a strip of columns: as many at once as registers hold, and what is left in smaller numbers.
template <class Level, bool turned, int vectors>
[[gnu::always_inline]] inline void multiply_strip(std::ptrdiff_t m, std::ptrdiff_t k, const double* A,
                                                  std::ptrdiff_t a_stride, const double* strip, double* C,
                                                  std::ptrdiff_t c_row) {
  constexpr int most = lanes<Level> == 8 ? 12 : 6;
  std::ptrdiff_t i = 0;
  const auto next = [&]<int rows>() {
    const double* from = turned ? A + i : A + i * a_stride;
    multiply_some<Level, turned, rows, vectors>(k, from, a_stride, strip, C + i * c_row, c_row);
    i += rows;
  };
  while (i + most <= m) next.template operator()<most>();
  if (i + most / 2 <= m) next.template operator()<most / 2>();
  while (i + 2 <= m) next.template operator()<2>();
  if (i < m) next.template operator()<1>();
}

template <class Level, bool turned>
void multiply_all(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, const double* A,
                  std::ptrdiff_t a_stride, const double* B, std::ptrdiff_t b_row, double* C,
                  std::ptrdiff_t c_row) {
  constexpr std::ptrdiff_t wide = 2 * lanes<Level>;
  double strip[MlpBlock<Level>::most_summed * wide];
  std::ptrdiff_t j = 0;
  for (; j + wide <= n; j += wide) {
    pack<Level, 2>(k, B + j, b_row, strip);
    multiply_strip<Level, turned, 2>(m, k, A, a_stride, strip, C + j, c_row);
  }
  if (j < n) {
    pack<Level, 1>(k, B + j, b_row, strip);
    multiply_strip<Level, turned, 1>(m, k, A, a_stride, strip, C + j, c_row);
  }
}

template <class Level>
[[gnu::always_inline]] inline Doubles<Level> within(Doubles<Level> values, double most) {
  const Doubles<Level> high = all_of<Level>(most), below = values < high ? values : high;
  return below > -high ? below : -high;
}

constexpr double largest_input = 1e100, largest_exponent = 708.0;

template <class Level, Activation activation>
[[gnu::always_inline]] inline Doubles<Level> activated(Doubles<Level> x) {
  if constexpr (activation == Activation::identity) return within<Level>(x, largest_input);
  const Doubles<Level> zero{};
  if constexpr (activation == Activation::relu) {
    const Doubles<Level> within_range = within<Level>(x, largest_input);
    return within_range > zero ? within_range : zero;
  }
  if constexpr (activation == Activation::logistic)
    return 1.0 / (1.0 + exponential_within<Level>(-within<Level>(x, largest_exponent)));
  const Doubles<Level> size = within<Level>(x < zero ? -x : x, largest_exponent / 2);
  const Doubles<Level> small = exponential_within<Level>(-2.0 * size);
  const Doubles<Level> result = (1.0 - small) / (1.0 + small);
  return x < zero ? -result : result;
}

template <class Level, Activation activation>
void activate_all(double* values, std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; i += lanes<Level>)
    store<Level>(values + i, activated<Level, activation>(load<Level>(values + i)));
}

}  // namespace

template <class Level>
void MlpBlock<Level>::multiply(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, const double* A,
                               std::ptrdiff_t a_stride, bool turned, const double* B, std::ptrdiff_t b_row,
                               double* C, std::ptrdiff_t c_row) {
  const auto product = turned ? multiply_all<Level, true> : multiply_all<Level, false>;
  product(m, n, k, A, a_stride, B, b_row, C, c_row);
}

template <class Level>
void MlpBlock<Level>::activate(Activation activation, double* values, std::ptrdiff_t count) {
  switch (activation) {
    case Activation::identity:
      return activate_all<Level, Activation::identity>(values, count);
    case Activation::relu:
      return activate_all<Level, Activation::relu>(values, count);
    case Activation::tanh:
      return activate_all<Level, Activation::tanh>(values, count);
    case Activation::logistic:
      return activate_all<Level, Activation::logistic>(values, count);
  }
}

template <class Level>
void MlpBlock<Level>::chain(Activation activation, const double* __restrict outputs,
                            double* __restrict slopes, std::ptrdiff_t count) {
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
  for (std::ptrdiff_t c = 0; c < width; c += lanes<Level>) {
    const Doubles<Level> lead = within<Level>(load<Level>(scores + c) - highest, largest_exponent);
    store<Level>(scores + c, exponential_within<Level>(lead));
  }
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
