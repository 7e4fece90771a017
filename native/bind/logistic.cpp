#include "classica/logistic.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "arrays.hpp"

namespace classica::bind {
namespace {

using Codes = std::optional<Packed1<const std::int32_t>>;
using Weights = std::optional<Packed1<const double>>;

// Checks what every kernel relies on: shapes, and classes within their number.
SoftmaxTask softmax_task(std::ptrdiff_t rows, std::ptrdiff_t cols, std::ptrdiff_t classes,
                         const Packed1<const double>& center, const Codes& codes, const Weights& weights,
                         const Packed2<const double>& coefficients) {
  const std::ptrdiff_t given = size(coefficients, 0);
  require(classes >= 2 && (given == classes || (given == 1 && classes == 2)),
          "coefficients must have a row per class, or one for two classes.");
  require(size(coefficients, 1) == cols + 1 && size(center, 0) == cols,
          "coefficients and center must fit the columns of X.");
  require(!weights || size(*weights, 0) == rows, "weights must have one entry per row.");
  require(!codes || size(*codes, 0) == rows, "codes must have one entry per row.");
  if (codes)
    for (std::ptrdiff_t i = 0; i < rows; ++i)
      require(codes->data()[i] >= 0 && codes->data()[i] < classes, "codes must be those of the classes.");
  return {classes, center.data(), codes ? vector(*codes) : Vector<const std::int32_t>{},
          weights ? vector(*weights) : Vector<const double>{}, matrix(coefficients)};
}

template <class T>
void define_for(nb::module_& module) {
  module.def(
      "softmax_gradient",
      [](const Array2<const T>& X, std::ptrdiff_t classes, const Packed1<const double>& center,
         const Codes& codes, const Weights& weights, const Packed2<const double>& coefficients, int threads,
         const Packed2<double>& gradient) {
        require(codes.has_value(), "codes must be given.");
        const SoftmaxTask task =
            softmax_task(size(X, 0), size(X, 1), classes, center, codes, weights, coefficients);
        require(size(gradient, 0) == size(coefficients, 0) && size(gradient, 1) == size(coefficients, 1),
                "gradient must have the shape of the coefficients.");
        double loss = 0.0;
        run([&] { loss = softmax_gradient(matrix(X), task, threads, matrix(gradient)); });
        return loss;
      },
      nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(), nb::arg().noconvert().none(),
      nb::arg().noconvert().none(), nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
  module.def(
      "softmax_curvature",
      [](const Array2<const T>& X, std::ptrdiff_t classes, const Packed1<const double>& center,
         const Weights& weights, const Packed2<const double>& coefficients, int threads,
         const Packed3<double>& out) {
        const SoftmaxTask task =
            softmax_task(size(X, 0), size(X, 1), classes, center, std::nullopt, weights, coefficients);
        const std::ptrdiff_t wide = size(coefficients, 1);
        require(size(out, 0) == classes * (classes - 1) / 2 && size(out, 1) == wide && size(out, 2) == wide,
                "out must have a matrix for each pair of classes.");
        run([&] { softmax_curvature(matrix(X), task, threads, out.data()); });
      },
      nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(), nb::arg().noconvert().none(),
      nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
}

template <class T, class Index>
void define_for_sparse(nb::module_& module) {
  module.def(
      "sparse_product",
      [](const Packed1<const T>& values, const Packed1<const Index>& columns,
         const Packed1<const Index>& starts, std::ptrdiff_t cols, const Packed2<const double>& M, int threads,
         const Packed2<double>& out) {
        const SparseRows<T, Index> X = sparse_rows(values, columns, starts, cols);
        require(size(M, 0) == cols && size(out, 0) == X.rows && size(out, 1) == size(M, 1),
                "the factors and their product must agree in shape.");
        run([&] { sparse_product(X, matrix(M), threads, matrix(out)); });
      },
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(),
      nb::arg(), nb::arg().noconvert());
}

double residuals(const Packed2<double>& scores, const Packed1<const std::int32_t>& codes,
                 const Weights& weights, int threads) {
  require(size(codes, 0) == size(scores, 0), "codes must have one entry per row.");
  require(!weights || size(*weights, 0) == size(scores, 0), "weights must have one entry per row.");
  for (std::ptrdiff_t i = 0; i < size(codes, 0); ++i)
    require(codes.data()[i] >= 0 && codes.data()[i] < size(scores, 1), "codes must be those of the classes.");
  double loss = 0.0;
  run([&] {
    loss = softmax_residuals(matrix(scores), vector(codes),
                             weights ? vector(*weights) : Vector<const double>{}, threads);
  });
  return loss;
}

// Checks that every place the kernel goes to exists.
template <class Columns>
void descend_along(const Columns& X, std::ptrdiff_t rows, std::ptrdiff_t cols,
                   const Packed1<const std::int64_t>& places, const Packed1<const double>& center,
                   const Packed1<const double>& scale, const Packed2<const double>& bends,
                   const Packed2<const double>& shares, const Packed2<const double>& gradient,
                   const Packed2<const double>& at, const Packed1<const double>& ridge,
                   const Packed1<const double>& bounds, double tolerance, std::ptrdiff_t sweeps,
                   const Packed2<double>& step) {
  const std::ptrdiff_t vectors = size(at, 0), used = size(places, 0);
  for (std::ptrdiff_t k = 0; k < used; ++k)
    require(places.data()[k] >= 0 && places.data()[k] <= cols, "places must be columns of X.");
  require(size(center, 0) == cols && size(scale, 0) >= cols, "center and scale must fit the columns of X.");
  for (const auto& of_rows : {bends, shares})
    require(size(of_rows, 0) == vectors && size(of_rows, 1) == rows, "the curvature must fit the rows of X.");
  require(size(gradient, 0) == vectors && size(step, 0) == vectors && size(gradient, 1) == used &&
              size(step, 1) == used && size(at, 1) == used && size(ridge, 0) == used &&
              size(bounds, 0) == used,
          "coefficients must fit the places.");
  const UsedColumns columns{vector(places), center.data(), scale.data()};
  run([&] {
    descend_columns(X, columns, RowCurvature{matrix(bends), matrix(shares)}, matrix(gradient), matrix(at),
                    vector(ridge), vector(bounds), tolerance, sweeps, matrix(step));
  });
}

struct ShapeOf {
  std::ptrdiff_t rows, cols;
};
template <class T>
ShapeOf table_shape(const Matrix<const T>& X) {
  return {X.rows, X.cols};
}
template <class T, class Index>
ShapeOf table_shape(const SparseRows<T, Index>& transposed) {
  return {transposed.cols, transposed.rows};
}

void descend(const Packed2<const double>& curvature, const Packed1<const double>& gradient,
             const Packed1<const double>& at, const Packed1<const double>& bounds, double tolerance,
             std::ptrdiff_t sweeps, const Packed1<double>& step) {
  const std::ptrdiff_t wide = size(gradient, 0);
  require(size(curvature, 0) == wide && size(curvature, 1) == wide && size(at, 0) == wide &&
              size(bounds, 0) == wide && size(step, 0) == wide,
          "all arguments must be of one size.");
  run([&] {
    descend_coordinates(matrix(curvature), vector(gradient), vector(at), vector(bounds), tolerance, sweeps,
                        vector(step));
  });
}

}  // namespace

void bind_logistic(nb::module_& module) {
  define_for<double>(module);
  define_for<float>(module);
  define_for_sparse<double, std::int32_t>(module);
  define_for_sparse<double, std::int64_t>(module);
  define_for_sparse<float, std::int32_t>(module);
  define_for_sparse<float, std::int64_t>(module);
  module.def("softmax_residuals", residuals, nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert().none(), nb::arg());
  define_for_rows<const Packed1<const std::int64_t>&, const Packed1<const double>&,
                  const Packed1<const double>&, const Packed2<const double>&, const Packed2<const double>&,
                  const Packed2<const double>&, const Packed2<const double>&, const Packed1<const double>&,
                  const Packed1<const double>&, double, std::ptrdiff_t, const Packed2<double>&>(
      module, "descend_columns", [](const auto& X, const auto&... arguments) {
        const ShapeOf shape = table_shape(X);
        descend_along(X, shape.rows, shape.cols, arguments...);
      });
  module.def("descend_coordinates", descend, nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg().noconvert());
}

}  // namespace classica::bind
