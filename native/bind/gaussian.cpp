#include <nanobind/stl/optional.h>

#include <optional>

#include "arrays.hpp"
#include "classica/discriminant.hpp"
#include "classica/products.hpp"

namespace classica::bind {
namespace {

using Pairs = Packed3<double>;  // [2, groups, ...]: the high parts, then the low parts

Products view(const Pairs& pairs, std::ptrdiff_t cols) {
  const Products products{size(pairs, 1), cols, pairs.data(), pairs.data() + size(pairs, 1) * size(pairs, 2)};
  require(size(pairs, 0) == 2 && size(pairs, 2) == products.pairs(), "products must be pairs of triangles.");
  return products;
}

template <class T>
void define_for(nb::module_& module) {
  module.def(
      "grouped_products",
      [](const Array2<const T>& X, const std::optional<Array1<const std::int32_t>>& group,
         const std::optional<Array1<const double>>& weights, int threads, const Pairs& out) {
        const bool with_ones = size(out, 2) > size(X, 1) * (size(X, 1) + 1) / 2;
        const Products products = view(out, size(X, 1) + with_ones);
        require(!group || size(*group, 0) == size(X, 0), "group must have one entry per row.");
        require(group || products.groups == 1, "rows without groups must go into one.");
        require(!weights || size(*weights, 0) == size(X, 0), "weights must have one entry per row.");
        run([&] {
          grouped_products(matrix(X), group ? vector(*group) : Vector<const std::int32_t>{},
                           weights ? vector(*weights) : Vector<const double>{}, threads, products);
        });
      },
      nb::arg().noconvert(), nb::arg().noconvert().none(), nb::arg().noconvert().none(), nb::arg(),
      nb::arg().noconvert());
  module.def(
      "linear_scores",
      [](const Array2<const T>& X, const Packed1<const double>& center, const Packed2<const double>& weights,
         const Packed1<const double>& offsets, int threads, const Packed2<double>& out) {
        const LinearModel model{size(weights, 0), size(weights, 1), center.data(), weights.data(),
                                offsets.data()};
        require(size(X, 1) == model.cols && size(center, 0) == model.cols,
                "X must have the model's columns.");
        require(size(offsets, 0) == model.scores, "weights and offsets must agree in shape.");
        require(size(out, 0) == size(X, 0) && size(out, 1) == model.scores, "out must fit X and weights.");
        run([&] { linear_scores(matrix(X), model, threads, matrix(out)); });
      },
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(),
      nb::arg().noconvert());
  module.def(
      "quadratic_forms",
      [](const Array2<const T>& X, const Packed1<const double>& center, const Packed2<const double>& centers,
         const Packed3<const double>& factors, int threads, const Packed2<double>& out) {
        const QuadraticModel model{size(centers, 0), size(centers, 1), center.data(), centers.data(),
                                   factors.data()};
        require(size(X, 1) == model.cols && size(center, 0) == model.cols,
                "X must have the model's columns.");
        require(size(factors, 0) == model.forms && size(factors, 1) == (model.cols + 3) / 4 &&
                    size(factors, 2) == 4 * model.cols,
                "factors must be strips of four rows.");
        require(size(out, 0) == size(X, 0) && size(out, 1) == model.forms, "out must fit X and centers.");
        run([&] { quadratic_forms(matrix(X), model, threads, matrix(out)); });
      },
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(),
      nb::arg().noconvert());
}

void finish(const Packed2<const double>& counts, const Packed3<const double>& sums, const Pairs& pairs,
            const Packed3<double>& out) {
  const std::ptrdiff_t groups = size(sums, 1), cols = size(sums, 2);
  require(size(sums, 0) == 2 && size(counts, 0) == 2 && size(counts, 1) == groups,
          "counts and sums must be pairs that agree in shape.");
  // Only read, as what a fitted model shows is read-only.
  double* const count = const_cast<double*>(counts.data());
  double* const sum = const_cast<double*>(sums.data());
  const Moments moments{groups, cols, count, count + groups, sum, sum + groups * cols, nullptr, nullptr};
  const Products products = view(pairs, cols);
  require(products.groups == 1 || products.groups == groups, "products must be of each group or of all.");
  require(size(out, 0) == products.groups && size(out, 1) == cols && size(out, 2) == cols,
          "out must have one matrix per group of products.");
  run([&] { scatter_matrices(moments, products, out.data()); });
}

}  // namespace

void bind_gaussian(nb::module_& module) {
  define_for<double>(module);
  define_for<float>(module);
  module.def("scatter_matrices", finish, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert());
}

}  // namespace classica::bind
