// Kernel functions: inner products in a space of features that is never built.
#pragma once

#include "classica/view.hpp"
#include "classica/words.hpp"

namespace classica {

CLASSICA_WORDS(KernelKind, linear, poly, rbf, sigmoid);

struct KernelFunction {
  KernelKind kind = KernelKind::linear;
  double gamma = 1;
  double coef0 = 0;
  int degree = 3;
  const double* center = nullptr;  // [cols], taken from every row first
};

// Values of polynomials stay within this, so that sums of them cannot turn into NaN.
constexpr double largest_kernel_value = 1e280;

// out(i, j) = K(a_i, b_j). A value depends on the two rows alone, and K(a, b) = K(b, a) to the last bit.
template <class T>
void kernel_matrix(Matrix<const T> A, Matrix<const double> B, const KernelFunction& kernel, int threads,
                   Matrix<double> out);

// out(i, m) = offsets_m + sum over j of weights(m, j) K(a_i, b_j), added in the order of j.
template <class T>
void kernel_scores(Matrix<const T> A, Matrix<const double> B, const KernelFunction& kernel,
                   Matrix<const double> weights, Vector<const double> offsets, int threads,
                   Matrix<double> out);

// The same where the values are known: K(i, j) in place of K(a_i, b_j), for some rows of K or (none named)
// all.
template <class T>
void known_kernel_scores(Matrix<const T> K, Vector<const std::int64_t> rows, Matrix<const double> weights,
                         Vector<const double> offsets, int threads, Matrix<double> out);

// out = K as a function of dot products or, for rbf, squared distances.
void kernel_of(Matrix<const double> values, const KernelFunction& kernel, int threads, Matrix<double> out);

// out(i, j) = the squared distance of a_i and a_j.
void squared_distances(Matrix<const double> A, int threads, Matrix<double> out);

// out = e to the power of each value, within two units in the last place.
void exponentials(Vector<const double> values, Vector<double> out);

}  // namespace classica
