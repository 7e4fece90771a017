#include "classica/kernels.hpp"

#include "arrays.hpp"
#include "kernel_arrays.hpp"

namespace classica::bind {
namespace {

void check_scores(const Packed2<const double>& weights, const Packed1<const double>& offsets,
                  std::ptrdiff_t rows, std::ptrdiff_t others, const Packed2<double>& out) {
  require(size(weights, 1) == others, "weights must have one column per row.");
  require(size(offsets, 0) == size(weights, 0), "weights and offsets must agree in shape.");
  require(size(out, 0) == rows && size(out, 1) == size(weights, 0), "out must fit the rows and the weights.");
}

template <class T>
void define_for(nb::module_& module) {
  module.def(
      "kernel_matrix",
      [](const Array2<const T>& A, const Array2<const double>& B, const KernelArrays& arrays, int threads,
         const Array2<double>& out) {
        const KernelFunction kernel = kernel_function(arrays, size(B, 1));
        require(size(A, 1) == size(B, 1), "rows must have the same columns.");
        require(size(out, 0) == size(A, 0) && size(out, 1) == size(B, 0), "out must fit the rows.");
        run([&] { kernel_matrix(matrix(A), matrix(B), kernel, threads, matrix(out)); });
      },
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg().noconvert());
  module.def(
      "kernel_scores",
      [](const Array2<const T>& A, const Array2<const double>& B, const KernelArrays& arrays,
         const Packed2<const double>& weights, const Packed1<const double>& offsets, int threads,
         const Packed2<double>& out) {
        const KernelFunction kernel = kernel_function(arrays, size(B, 1));
        require(size(A, 1) == size(B, 1), "rows must have the same columns.");
        check_scores(weights, offsets, size(A, 0), size(B, 0), out);
        run([&] {
          kernel_scores(matrix(A), matrix(B), kernel, matrix(weights), vector(offsets), threads, matrix(out));
        });
      },
      nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(), nb::arg().noconvert(),
      nb::arg(), nb::arg().noconvert());
  module.def(
      "known_kernel_scores",
      [](const Array2<const T>& K, const std::optional<Packed1<const std::int64_t>>& rows,
         const Packed2<const double>& weights, const Packed1<const double>& offsets, int threads,
         const Packed2<double>& out) {
        check_scores(weights, offsets, rows ? size(*rows, 0) : size(K, 0), size(K, 1), out);
        for (std::ptrdiff_t i = 0; rows && i < size(*rows, 0); ++i)
          require((*rows)(i) >= 0 && (*rows)(i) < size(K, 0), "rows must be those of the values.");
        const auto chosen = rows ? vector(*rows) : Vector<const std::int64_t>{};
        run([&] {
          known_kernel_scores(matrix(K), chosen, matrix(weights), vector(offsets), threads, matrix(out));
        });
      },
      nb::arg().noconvert(), nb::arg().noconvert().none(), nb::arg().noconvert(), nb::arg().noconvert(),
      nb::arg(), nb::arg().noconvert());
}

}  // namespace

void bind_kernels(nb::module_& module) {
  export_words<KernelKind>(module, "KERNELS");
  define_for<double>(module);
  define_for<float>(module);
  module.def(
      "kernel_of",
      [](const Array2<const double>& values, const KernelArrays& arrays, int threads,
         const Array2<double>& out) {
        require(size(out, 0) == size(values, 0) && size(out, 1) == size(values, 1), "out must fit.");
        const KernelFunction kernel = kernel_function(arrays, -1);
        run([&] { kernel_of(matrix(values), kernel, threads, matrix(out)); });
      },
      nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg().noconvert());
  module.def(
      "squared_distances",
      [](const Array2<const double>& A, int threads, const Array2<double>& out) {
        require(size(out, 0) == size(A, 0) && size(out, 1) == size(A, 0), "out must be square.");
        run([&] { squared_distances(matrix(A), threads, matrix(out)); });
      },
      nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
  module.def(
      "exponentials",
      [](const Array1<const double>& values, const Array1<double>& out) {
        require(size(out, 0) == size(values, 0), "out must fit values.");
        exponentials(vector(values), vector(out));
      },
      nb::arg().noconvert(), nb::arg().noconvert());
}

}  // namespace classica::bind
