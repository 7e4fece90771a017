#include "classica/mlp.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <string>
#include <tuple>

#include "words.hpp"

namespace classica::bind {
namespace {

// Sizes, activation, center, scale.
using NetworkArrays =
    std::tuple<Packed1<const std::int64_t>, std::string, Packed1<const double>, Packed1<const double>>;
// Adam or not, Nesterov or not, rate, momentum, beta1, beta2, epsilon, alpha, batch.
using Rules = std::tuple<bool, bool, double, double, double, double, double, double, std::ptrdiff_t>;

Network network(const NetworkArrays& arrays, std::ptrdiff_t cols) {
  const auto& [sizes, word, center, scale] = arrays;
  Network found;
  found.activation = from_word<Activation>(word);
  for (std::ptrdiff_t i = 0; i < size(sizes, 0); ++i) {
    require(sizes.data()[i] > 0, "sizes must be positive.");
    found.sizes.push_back(static_cast<std::ptrdiff_t>(sizes.data()[i]));
  }
  require(found.sizes.size() >= 2 && found.size(0) == cols, "sizes must begin with the columns of X.");
  require(size(center, 0) == cols && size(scale, 0) == cols, "center and scale must have X's columns.");
  found.center = center.data();
  found.scale = scale.data();
  return found;
}

template <class T>
Cases<T> cases(const Array2<const T>& X, const Packed1<const std::int32_t>& codes,
               const std::optional<Packed1<const double>>& weights, const Packed1<const std::uint32_t>& order,
               const Network& network) {
  require(size(codes, 0) == size(X, 0), "codes must have one entry per row.");
  require(!weights || size(*weights, 0) == size(X, 0), "weights must have one entry per row.");
  for (std::ptrdiff_t i = 0; i < size(codes, 0); ++i)
    require(codes.data()[i] >= 0 && codes.data()[i] < network.sizes.back(), "codes must be of classes.");
  for (std::ptrdiff_t i = 0; i < size(order, 0); ++i)
    require(order.data()[i] < size(X, 0), "order must hold numbers of rows.");
  return {matrix(X), vector(codes), weights ? vector(*weights) : Vector<const double>{}, vector(order)};
}

void require_fit(const Packed1<double>& values, const Network& network) {
  require(size(values, 0) == network.parameters(), "arrays must have an entry per parameter.");
}

template <class T>
void define_for(nb::module_& module) {
  module.def(
      "network_scores",
      [](const Array2<const T>& X, const NetworkArrays& arrays, const Packed1<const double>& parameters,
         int threads, const Packed2<double>& out) {
        const Network model = network(arrays, size(X, 1));
        require(size(parameters, 0) == model.parameters(), "arrays must have an entry per parameter.");
        require(size(out, 0) == size(X, 0) && size(out, 1) == model.sizes.back(),
                "out must fit X and network.");
        run([&] { network_scores(matrix(X), model, parameters.data(), threads, matrix(out)); });
      },
      nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
  module.def(
      "loss_and_gradient",
      [](const Array2<const T>& X, const Packed1<const std::int32_t>& codes,
         const std::optional<Packed1<const double>>& weights, const Packed1<const std::uint32_t>& order,
         const NetworkArrays& arrays, const Packed1<const double>& parameters, int threads,
         const Packed1<double>& gradient) {
        const Network model = network(arrays, size(X, 1));
        require(size(parameters, 0) == model.parameters(), "arrays must have an entry per parameter.");
        require_fit(gradient, model);
        const Cases<T> rows = cases(X, codes, weights, order, model);
        double loss = 0.0;
        run([&] { loss = loss_and_gradient(rows, model, parameters.data(), threads, gradient.data()); });
        return loss;
      },
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert().none(), nb::arg().noconvert(),
      nb::arg(), nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
  module.def(
      "learning_pass",
      [](const Array2<const T>& X, const Packed1<const std::int32_t>& codes,
         const std::optional<Packed1<const double>>& weights, const Packed1<const std::uint32_t>& order,
         const NetworkArrays& arrays, const Rules& rules, const Packed1<double>& parameters,
         const Packed1<double>& first, const Packed1<double>& second, std::int64_t steps, int threads) {
        const Network model = network(arrays, size(X, 1));
        for (const auto& values : {parameters, first, second}) require_fit(values, model);
        const auto [adam, nesterov, rate, momentum, beta1, beta2, epsilon, alpha, batch] = rules;
        const StepRules stepping{adam, nesterov, rate, momentum, beta1, beta2, epsilon, alpha, batch};
        require(batch > 0, "batch must be positive.");
        const LearningState state{parameters.data(), first.data(), second.data(), steps};
        const Cases<T> rows = cases(X, codes, weights, order, model);
        double loss = 0.0;
        run([&] { loss = learning_pass(rows, model, stepping, state, threads); });
        return loss;
      },
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert().none(), nb::arg().noconvert(),
      nb::arg(), nb::arg(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(),
      nb::arg());
}

}  // namespace

void bind_mlp(nb::module_& module) {
  export_words<Activation>(module, "ACTIVATIONS");
  define_for<double>(module);
  define_for<float>(module);
}

}  // namespace classica::bind
