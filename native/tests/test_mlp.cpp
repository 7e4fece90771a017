#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "classica/mlp.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::RandomValues;

namespace {

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

// A network with random parameters and a table to learn.
struct Learner {
  Learner(std::vector<std::ptrdiff_t> sizes, Activation activation, std::ptrdiff_t rows) : rows(rows) {
    network.sizes = std::move(sizes);
    network.activation = activation;
    center.assign(room(cols()), 0.25);
    scale.assign(room(cols()), 1.5);
    network.center = center.data();
    network.scale = scale.data();
    RandomValues random(7);
    parameters.resize(room(network.parameters()));
    std::ptrdiff_t at = 0;
    for (std::ptrdiff_t layer = 0; layer < network.layers(); ++layer) {
      for (std::ptrdiff_t i = 0; i <= network.size(layer); ++i)
        for (std::ptrdiff_t j = 0; j < network.size(layer + 1); ++j)
          parameters[room(at + i * network.width(layer) + j)] = 0.3 * random();
      at += network.parameters_of(layer);
    }
    for (std::ptrdiff_t i = 0; i < rows * cols(); ++i) values.push_back(random());
    for (std::ptrdiff_t i = 0; i < rows; ++i) {
      codes.push_back(static_cast<std::int32_t>(i % network.sizes.back()));
      order.push_back(static_cast<std::uint32_t>(rows - 1 - i));
    }
  }

  std::ptrdiff_t cols() const { return network.sizes.front(); }
  Cases<double> cases() const {
    return {{values.data(), rows, cols(), cols(), 1}, {codes.data(), rows, 1}, {}, {order.data(), rows, 1}};
  }
  double loss(std::vector<double>& gradient, int threads) const {
    gradient.assign(parameters.size(), std::nan(""));
    return loss_and_gradient(cases(), network, parameters.data(), threads, gradient.data());
  }

  std::ptrdiff_t rows;
  Network network;
  std::vector<double> center, scale, parameters, values;
  std::vector<std::int32_t> codes;
  std::vector<std::uint32_t> order;
};

}  // namespace

TEST_CASE("rows of parameters are filled up to whole registers") {
  Network network;
  network.sizes = {3, 5, 17};
  CHECK(network.width(0) == 8);
  CHECK(network.width(1) == 24);
  CHECK(network.parameters() == 4 * 8 + 6 * 24);
}

TEST_CASE("the gradient is the slope of the loss") {
  for (const Activation activation : {Activation::identity, Activation::tanh, Activation::logistic}) {
    Learner learner({3, 5, 4, 3}, activation, 40);
    std::vector<double> gradient, unused;
    learner.loss(gradient, 1);
    for (const std::size_t place : {0u, 9u, 24u, 33u, 75u, 90u}) {
      const double before = learner.parameters[place];
      learner.parameters[place] = before + 1e-6;
      const double above = learner.loss(unused, 1);
      learner.parameters[place] = before - 1e-6;
      const double below = learner.loss(unused, 1);
      learner.parameters[place] = before;
      const bool padding = gradient[place] == 0.0;
      if (!padding) CHECK((above - below) / 2e-6 == doctest::Approx(gradient[place]).epsilon(1e-6));
    }
  }
}

TEST_CASE("threads change no bit, with narrow layers and with wide ones") {
  for (const std::ptrdiff_t hidden : {9, 300}) {
    Learner learner({150, hidden, 3}, Activation::relu, 700);
    std::vector<double> alone, together;
    CHECK(learner.loss(alone, 1) == learner.loss(together, 3));
    CHECK(alone == together);
    std::vector<std::vector<double>> learned;
    for (const int threads : {1, 3}) {
      std::vector<double> parameters = learner.parameters, first(parameters.size()),
                          second(parameters.size());
      StepRules rules;
      rules.alpha = 0.1;
      learning_pass(learner.cases(), learner.network, rules,
                    {parameters.data(), first.data(), second.data(), 0}, threads);
      learned.push_back(parameters);
    }
    CHECK(learned[0] == learned[1]);
    CHECK(learned[0] != learner.parameters);
  }
}

TEST_CASE("scores do not depend on how rows are cut") {
  Learner learner({5, 20, 11, 3}, Activation::tanh, 300);
  const auto scores = [&](std::ptrdiff_t first, std::ptrdiff_t rows) {
    std::vector<double> out(room(rows * 3));
    const Matrix<const double> X{learner.values.data() + first * 5, rows, 5, 5, 1};
    network_scores(X, learner.network, learner.parameters.data(), 2, {out.data(), rows, 3, 3, 1});
    return out;
  };
  std::vector<double> parts;
  for (std::ptrdiff_t first = 0; first < 300; first += 7)
    for (const double score : scores(first, std::min<std::ptrdiff_t>(7, 300 - first))) parts.push_back(score);
  CHECK(parts == scores(0, 300));
}
