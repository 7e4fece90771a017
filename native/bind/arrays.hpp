// How NumPy arrays become views, and how a kernel is run: without the interpreter's lock, with Ctrl-C
// turned into KeyboardInterrupt. Arrays are never converted here: a call with another type is refused.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>

#include "classica/finite.hpp"
#include "classica/parallel.hpp"
#include "classica/view.hpp"

namespace classica::bind {

namespace nb = nanobind;
using nb::literals::operator""_a;

template <class T>
using Array1 = nb::ndarray<T, nb::ndim<1>, nb::device::cpu>;
template <class T>
using Array2 = nb::ndarray<T, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Packed1 = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Packed2 = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Packed3 = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <class Array>
std::ptrdiff_t size(const Array& array, std::size_t axis) {
  return static_cast<std::ptrdiff_t>(array.shape(axis));
}

inline void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

template <class T, class... Config>
Vector<T> vector(const nb::ndarray<T, nb::ndim<1>, Config...>& array) {
  return {array.data(), size(array, 0), static_cast<std::ptrdiff_t>(array.stride(0))};
}

template <class T, class... Config>
Matrix<T> matrix(const nb::ndarray<T, nb::ndim<2>, Config...>& array) {
  return {array.data(), size(array, 0), size(array, 1), static_cast<std::ptrdiff_t>(array.stride(0)),
          static_cast<std::ptrdiff_t>(array.stride(1))};
}

template <class T, class Index>
SparseRows<T, Index> sparse_rows(const Packed1<const T>& values, const Packed1<const Index>& columns,
                                 const Packed1<const Index>& starts, std::ptrdiff_t cols) {
  const SparseRows<T, Index> rows{vector(values), vector(columns), vector(starts), size(starts, 0) - 1, cols};
  check_sparse_structure(rows);
  return rows;
}

// Runs a kernel without the interpreter's lock.
template <class Kernel>
void run(Kernel kernel) {
  bool interrupted = false;
  {
    const nb::gil_scoped_release release;
    try {
      kernel();
    } catch (const Interrupted&) {
      interrupted = true;
    }
  }
  // The interrupt hook has left the exception that the signal handler raised.
  if (interrupted) throw nb::python_error();
}

// Defines one function for every kind of rows. A kernel takes (rows, Arguments...); the Python function
// takes either X or (values, columns, starts, n_columns), and then the same further arguments.
template <class... Arguments, class Kernel>
void define_for_rows(nb::module_& module, const char* name, Kernel kernel) {
  const auto dense = [&]<class T>() {
    module.def(
        name, [kernel](const Array2<const T>& X, Arguments... arguments) { kernel(matrix(X), arguments...); },
        nb::arg().noconvert(), (static_cast<void>(sizeof(Arguments)), nb::arg().noconvert().none())...);
  };
  const auto sparse = [&]<class T, class Index>() {
    module.def(
        name,
        [kernel](const Packed1<const T>& values, const Packed1<const Index>& columns,
                 const Packed1<const Index>& starts, std::ptrdiff_t cols, Arguments... arguments) {
          kernel(sparse_rows(values, columns, starts, cols), arguments...);
        },
        nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(),
        (static_cast<void>(sizeof(Arguments)), nb::arg().noconvert().none())...);
  };
  dense.template operator()<double>();
  dense.template operator()<float>();
  sparse.template operator()<double, std::int32_t>();
  sparse.template operator()<double, std::int64_t>();
  sparse.template operator()<float, std::int32_t>();
  sparse.template operator()<float, std::int64_t>();
}

void bind_bayes(nb::module_& module);
void bind_boosting(nb::module_& module);
void bind_core(nb::module_& module);
void bind_forests(nb::module_& module);
void bind_gaussian(nb::module_& module);
void bind_kernels(nb::module_& module);
void bind_linear_svm(nb::module_& module);
void bind_logistic(nb::module_& module);
void bind_mlp(nb::module_& module);
void bind_moments(nb::module_& module);
void bind_nearest_mean(nb::module_& module);
void bind_neighbours(nb::module_& module);
void bind_online(nb::module_& module);
void bind_posterior(nb::module_& module);
void bind_samples(nb::module_& module);
void bind_svm(nb::module_& module);
void bind_tables(nb::module_& module);
void bind_tree_pruning(nb::module_& module);
void bind_trees(nb::module_& module);

}  // namespace classica::bind
