// Learning of a multilayer perceptron: backpropagation (Rumelhart, Hinton and Williams 1986) on batches,
// with steps by Adam (Kingma and Ba 2015) or momentum (Polyak 1964; Nesterov 1983). A pass over the rows is
// one call.
//
// Invariant: the zeros that fill up rows of weights stay zero. The gradient of a batch is added up over
// blocks of 256 rows in order, and each sum of a product has one order, so that threads change no bit.
// Cost: O(rows * parameters) per pass.
#include <cmath>

#include "classica/level.hpp"
#include "classica/mlp.hpp"
#include "classica/reduce.hpp"
#include "layers.hpp"

namespace classica {
namespace {

// Adds the derivatives of the cases [begin, end) and returns the sum of their losses.
template <class Level, class T>
double add_gradient(Layers<Level>& layers, const Network& network, const Cases<T>& cases,
                    std::ptrdiff_t begin, std::ptrdiff_t end, double* gradient) {
  const std::ptrdiff_t classes = network.sizes.back(), width = network.width(network.layers() - 1);
  double loss = 0.0;
  for (std::ptrdiff_t first = begin; first < end; first += block_rows) {
    const std::ptrdiff_t rows = std::min(block_rows, end - first);
    const auto row = [&](std::ptrdiff_t i) { return static_cast<std::ptrdiff_t>(cases.order[first + i]); };
    layers.read(cases.X, rows, row);
    double* scores = layers.forward();
    for (std::ptrdiff_t i = 0; i < rows; ++i) {
      const double weight = cases.weights.data ? cases.weights[row(i)] : 1.0;
      loss += MlpBlock<Level>::softmax_loss(scores + i * width, classes, width, cases.codes[row(i)], weight);
    }
    layers.backward(gradient);
  }
  return loss;
}

// Takes one step and returns the squared weights before it.
template <class Level>
double take_step(const Network& network, const StepRules& rules, const LearningState& state,
                 std::int64_t number, double cases, const double* gradient) {
  double rate = rules.rate;
  if (rules.adam)
    rate *= std::sqrt(1.0 - std::pow(rules.beta2, static_cast<double>(number))) /
            (1.0 - std::pow(rules.beta1, static_cast<double>(number)));
  double squares = 0.0;
  std::ptrdiff_t at = 0;
  const auto step = [&](double alpha, std::ptrdiff_t count) {
    MlpBlock<Level>::step(rules, rate, alpha, 1.0 / cases, gradient + at, state.parameters + at,
                          state.first + at, rules.adam ? state.second + at : nullptr, count);
    at += count;
  };
  for (std::ptrdiff_t layer = 0; layer < network.layers(); ++layer) {
    const std::ptrdiff_t weights = network.size(layer) * network.width(layer);
    squares += MlpBlock<Level>::sum_of_squares(state.parameters + at, weights);
    step(rules.alpha, weights);
    step(0.0, network.width(layer));  // biases are free
  }
  return squares;
}

}  // namespace

template <class T>
void network_scores(Matrix<const T> X, const Network& network, const double* parameters, int threads,
                    Matrix<double> out) {
  at_widest_level([&]<class Level>() {
    parallel_for(X.rows, block_rows, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      Layers<Level> layers(network, parameters, 1);
      layers.read(X, end - begin, [&](std::ptrdiff_t i) { return begin + i; });
      const double* scores = layers.forward();
      const std::ptrdiff_t width = network.width(network.layers() - 1);
      for (std::ptrdiff_t i = begin; i < end; ++i)
        for (std::ptrdiff_t c = 0; c < out.cols; ++c) out(i, c) = scores[(i - begin) * width + c];
    });
  });
}

template <class T>
double loss_and_gradient(const Cases<T>& cases, const Network& network, const double* parameters, int threads,
                         double* gradient) {
  struct Sum {
    double loss = 0.0;
    std::vector<double> gradient;
  };
  const std::ptrdiff_t count = network.parameters();
  std::fill_n(gradient, count, 0.0);
  double loss = 0.0;
  at_widest_level([&]<class Level>() {
    blocked_reduce(
        cases.order.size, block_rows, count, threads,
        [&] { return Sum{0.0, std::vector<double>(room(count))}; },
        [&](Sum& sum, std::ptrdiff_t begin, std::ptrdiff_t end) {
          Layers<Level> layers(network, parameters, 1);
          sum.loss = add_gradient(layers, network, cases, begin, end, sum.gradient.data());
        },
        [&](const Sum& sum) {
          loss += sum.loss;
          for (std::ptrdiff_t i = 0; i < count; ++i) gradient[i] += sum.gradient[room(i)];
        });
  });
  return loss;
}

template <class T>
double learning_pass(const Cases<T>& cases, const Network& network, const StepRules& rules,
                     const LearningState& state, int threads) {
  double loss = 0.0;
  at_widest_level([&]<class Level>() {
    Layers<Level> layers(network, state.parameters, threads);
    std::vector<double> gradient(room(network.parameters()));
    std::int64_t number = state.steps;
    for (std::ptrdiff_t first = 0; first < cases.order.size; first += rules.batch) {
      const std::ptrdiff_t end = std::min(first + rules.batch, cases.order.size);
      std::fill(gradient.begin(), gradient.end(), 0.0);
      loss += add_gradient(layers, network, cases, first, end, gradient.data());
      const double squares = take_step<Level>(network, rules, state, ++number,
                                              static_cast<double>(end - first), gradient.data());
      loss += 0.5 * rules.alpha * squares;
    }
  });
  return loss;
}

#define INSTANTIATE(T)                                                                               \
  template void network_scores(Matrix<const T>, const Network&, const double*, int, Matrix<double>); \
  template double loss_and_gradient(const Cases<T>&, const Network&, const double*, int, double*);   \
  template double learning_pass(const Cases<T>&, const Network&, const StepRules&, const LearningState&, int);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
