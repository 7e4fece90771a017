// Linear and quadratic functions of rows: what Gaussian classifiers score classes by.
#pragma once

#include "classica/view.hpp"

namespace classica {

struct LinearModel {
  std::ptrdiff_t scores = 0;
  std::ptrdiff_t cols = 0;
  const double* center = nullptr;   // [cols], taken from every row first: large offsets cost no digits
  const double* weights = nullptr;  // [scores * cols]
  const double* offsets = nullptr;  // [scores]
};

// out(i, c) = weights_c . (x_i - center) + offset_c
template <class T>
void linear_scores(Matrix<const T> X, const LinearModel& model, int threads, Matrix<double> out);

struct QuadraticModel {
  std::ptrdiff_t forms = 0;
  std::ptrdiff_t cols = 0;
  const double* center = nullptr;   // [cols], taken from every row first
  const double* centers = nullptr;  // [forms * cols], seen from there
  const double* factors = nullptr;  // [forms * strips * cols * 4]: see quadratic_block.hpp
};

// out(i, c) = |factor_c (x_i - center - centers_c)|^2
template <class T>
void quadratic_forms(Matrix<const T> X, const QuadraticModel& model, int threads, Matrix<double> out);

}  // namespace classica
