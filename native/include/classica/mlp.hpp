// A network of layers: what it says about rows, and how it learns from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "classica/view.hpp"
#include "classica/words.hpp"

namespace classica {

CLASSICA_WORDS(Activation, relu, tanh, logistic, identity);

// The rows of a layer's weights are filled up with zeros to this many numbers: whole registers at any level.
inline constexpr std::ptrdiff_t layer_padding = 8;

// Layer l turns sizes[l] numbers into sizes[l + 1]. Its parameters lie one after the other: a row of weights
// for each number that comes in, then a row of biases. What fills up a row stays zero in all that is done
// here.
struct Network {
  std::vector<std::ptrdiff_t> sizes;
  Activation activation = Activation::relu;
  const double* center = nullptr;  // [sizes[0]], taken from every row first
  const double* scale = nullptr;   // [sizes[0]], then multiplied with it

  std::ptrdiff_t layers() const { return static_cast<std::ptrdiff_t>(sizes.size()) - 1; }
  std::ptrdiff_t size(std::ptrdiff_t layer) const { return sizes[static_cast<std::size_t>(layer)]; }
  // Numbers from the start of a row of layer l's weights to the next.
  std::ptrdiff_t width(std::ptrdiff_t layer) const {
    return (size(layer + 1) + layer_padding - 1) / layer_padding * layer_padding;
  }
  std::ptrdiff_t parameters_of(std::ptrdiff_t layer) const { return (size(layer) + 1) * width(layer); }
  std::ptrdiff_t parameters() const {
    std::ptrdiff_t all = 0;
    for (std::ptrdiff_t layer = 0; layer < layers(); ++layer) all += parameters_of(layer);
    return all;
  }
};

// Rows with their classes, in the order in which they are taken; a row may come several times.
template <class T>
struct Cases {
  Matrix<const T> X;
  Vector<const std::int32_t> codes;  // one per row of X
  Vector<const double> weights;      // one per row of X, or empty: all count one
  Vector<const std::uint32_t> order;
};

// How a step follows from a gradient: Adam (Kingma and Ba, 2015), or descent with momentum.
struct StepRules {
  bool adam = true;
  bool nesterov = true;
  double rate = 1e-3;
  double momentum = 0.9;  // of descent
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double alpha = 0.0;  // half of it times the squared weights is added to the loss of a batch
  std::ptrdiff_t batch = 200;
};

// What learning carries from step to step, each in the layout of the parameters.
struct LearningState {
  double* parameters = nullptr;
  double* first = nullptr;   // momentum, or the mean of gradients
  double* second = nullptr;  // the mean of their squares (Adam only)
  std::int64_t steps = 0;    // taken so far
};

// out(i, c): the score of class c for row i; a posterior is their softmax. Cut the rows as you like: same
// bits.
template <class T>
void network_scores(Matrix<const T> X, const Network& network, const double* parameters, int threads,
                    Matrix<double> out);

// The sum of the losses of all cases, -weight log p(class); gradient: its derivatives.
template <class T>
double loss_and_gradient(const Cases<T>& cases, const Network& network, const double* parameters, int threads,
                         double* gradient);

// Goes over all cases once, one step per batch; returns the sum of their losses, with the penalties, each as
// it was just before the step.
template <class T>
double learning_pass(const Cases<T>& cases, const Network& network, const StepRules& rules,
                     const LearningState& state, int threads);

}  // namespace classica
