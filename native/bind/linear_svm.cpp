#include "classica/linear_svm.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "arrays.hpp"

namespace classica::bind {
namespace {

using Numbers = Packed1<const double>;

// Weights and then the intercept.
SvmMachine machine_of(const Packed1<double>& model, const Packed1<double>& duals) {
  return {model.data(), duals.data(), model.data()[size(model, 0) - 1]};
}

SvmTask task_of(std::ptrdiff_t rows, const Numbers& signs, const Numbers& shares, const Numbers& ridge,
                double tolerance, std::ptrdiff_t max_iter, int threads) {
  require(size(signs, 0) == rows && size(shares, 0) == rows, "signs and shares must have one entry per row.");
  return {vector(signs), vector(shares), ridge.data(), tolerance, max_iter, threads};
}

// Objective, gap, iterations and whether it converged.
void tell(const SvmReport& report, const Packed1<double>& out) {
  require(size(out, 0) == 4, "report must have four entries.");
  out.data()[0] = report.objective;
  out.data()[1] = report.gap;
  out.data()[2] = static_cast<double>(report.iterations);
  out.data()[3] = report.converged ? 1.0 : 0.0;
}

template <class T>
void define_for(nb::module_& module) {
  module.def(
      "weighted_gram",
      [](const Array2<const T>& X, const Numbers& center, const Numbers& factor, bool ones,
         const std::optional<Numbers>& weights, int threads, const Packed2<double>& out) {
        const RowFrame frame{size(X, 1), center.data(), factor.data(), ones};
        require(size(center, 0) == frame.cols && size(factor, 0) == frame.cols,
                "center and factor must have one entry per column.");
        require(!weights || size(*weights, 0) == size(X, 0), "weights must have one entry per row.");
        require(size(out, 0) == frame.width() && size(out, 1) == frame.width(), "out must fit the columns.");
        run([&] {
          weighted_gram(matrix(X), frame, weights ? vector(*weights) : Vector<const double>{}, threads,
                        matrix(out));
        });
      },
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(),
      nb::arg().noconvert().none(), nb::arg(), nb::arg().noconvert());
  module.def(
      "weighted_sums",
      [](const Array2<const T>& X, const Numbers& center, const Numbers& factor, bool ones,
         const Numbers& weights, int threads, const Packed1<double>& out) {
        const RowFrame frame{size(X, 1), center.data(), factor.data(), ones};
        require(size(center, 0) == frame.cols && size(factor, 0) == frame.cols,
                "center and factor must have one entry per column.");
        require(size(weights, 0) == size(X, 0), "weights must have one entry per row.");
        require(size(out, 0) == frame.width(), "out must fit the columns.");
        run([&] { weighted_sums(matrix(X), frame, vector(weights), threads, vector(out)); });
      },
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(),
      nb::arg(), nb::arg().noconvert());
  module.def(
      "svm_interior_point",
      [](const Array2<const T>& X, const Numbers& center, const Numbers& factor, bool intercept,
         const Numbers& signs, const Numbers& shares, const Numbers& ridge, double tolerance,
         std::ptrdiff_t max_iter, int threads, double settled, const Numbers& pull, double distance,
         const Packed1<double>& model, const Packed1<double>& duals, const Packed1<double>& out) {
        const RowFrame frame{size(X, 1), center.data(), factor.data(), intercept};
        require(size(center, 0) == frame.cols && size(factor, 0) == frame.cols &&
                    size(ridge, 0) == frame.cols && size(model, 0) == frame.cols + 1,
                "center, factor, ridge and model must fit the columns.");
        require(size(duals, 0) == size(X, 0), "duals must have one entry per row.");
        require(size(pull, 0) == 0 || size(pull, 0) == frame.width(),
                "pull must fit the columns or be empty.");
        SvmTask task = task_of(size(X, 0), signs, shares, ridge, tolerance, max_iter, threads);
        task.settled = settled;
        task.pull = size(pull, 0) ? pull.data() : nullptr;
        SvmMachine machine = machine_of(model, duals);
        SvmReport report;
        run([&] { report = svm_interior_point(matrix(X), frame, task, distance, machine); });
        model.data()[frame.cols] = machine.intercept;
        tell(report, out);
      },
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(),
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
      nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert());
}

template <class Rows>
void descend(const Rows& X, bool intercept, const Numbers& signs, const Numbers& shares, const Numbers& ridge,
             double tolerance, std::ptrdiff_t max_iter, std::uint64_t seed, const Packed1<double>& model,
             const Packed1<double>& duals, const Packed1<double>& out) {
  require(size(ridge, 0) == 1 && size(model, 0) == X.cols + 1, "ridge must be one number, model fit X.");
  require(size(duals, 0) == X.rows, "duals must have one entry per row.");
  const SvmTask task = task_of(X.rows, signs, shares, ridge, tolerance, max_iter, 1);
  SvmMachine machine = machine_of(model, duals);
  SvmReport report;
  run([&] { report = svm_coordinate_descent(X, intercept, task, seed, machine); });
  model.data()[X.cols] = machine.intercept;
  tell(report, out);
}

template <class Rows>
void follow_gradient(const Rows& X, const Numbers& signs, const Packed1<const std::uint32_t>& order,
                     const Numbers& up_to, double alpha, double eta, std::ptrdiff_t seasons, bool intercept,
                     std::uint64_t seed, std::uint64_t stream, const Packed1<double>& model) {
  require(size(signs, 0) == X.rows && size(model, 0) == X.cols + 1, "signs and model must fit X.");
  require(size(up_to, 0) == 0 || size(up_to, 0) == size(order, 0), "up_to must fit order or be empty.");
  for (std::ptrdiff_t k = 0; k < size(order, 0); ++k)
    require(order.data()[k] < static_cast<std::uint32_t>(X.rows), "order must name rows.");
  const SgdTask task{vector(signs), vector(order), vector(up_to), alpha, eta,
                     seasons,       intercept,     seed,          stream};
  SvmMachine machine{model.data(), nullptr, model.data()[X.cols]};
  run([&] { svm_gradient_descent(X, task, machine); });
  model.data()[X.cols] = machine.intercept;
}

}  // namespace

void bind_linear_svm(nb::module_& module) {
  define_for<double>(module);
  define_for<float>(module);
  define_for_rows<bool, const Numbers&, const Numbers&, const Numbers&, double, std::ptrdiff_t, std::uint64_t,
                  const Packed1<double>&, const Packed1<double>&, const Packed1<double>&>(
      module, "svm_coordinate_descent", [](const auto& X, auto&&... arguments) { descend(X, arguments...); });
  define_for_rows<const Numbers&, const Packed1<const std::uint32_t>&, const Numbers&, double, double,
                  std::ptrdiff_t, bool, std::uint64_t, std::uint64_t, const Packed1<double>&>(
      module, "svm_gradient_descent",
      [](const auto& X, auto&&... arguments) { follow_gradient(X, arguments...); });
}

}  // namespace classica::bind
