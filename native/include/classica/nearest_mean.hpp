// Nearest mean: each class has one or more means; a row belongs to the class whose score
// -1/2 * (distance to its closest mean)^2 + log prior is highest, the first of equals.
#pragma once

#include <cstdint>

#include "classica/view.hpp"

namespace classica {

struct MeanModel {
  std::ptrdiff_t classes = 0;
  std::ptrdiff_t means = 0;
  std::ptrdiff_t cols = 0;
  const double* centers = nullptr;             // [means * cols], the means of a class side by side
  const double* inverse_spreads = nullptr;     // [means * cols], or null for the Euclidean distance
  const std::int32_t* class_starts = nullptr;  // [classes + 1]: where each class's means begin
  const double* log_priors = nullptr;          // [classes]; minus infinity for a class without rows
};

// Rows is Matrix<const T> or SparseRows<T, Index>.
template <class Rows>
void predict(const Rows& X, const MeanModel& model, int threads, Vector<std::int64_t> out);

// out(i, c): the posterior probability of class c; the rows of out must be contiguous.
template <class Rows>
void posteriors(const Rows& X, const MeanModel& model, int threads, Matrix<double> out);

// out(i, c): the distance to the closest mean of class c.
template <class Rows>
void class_distances(const Rows& X, const MeanModel& model, int threads, Matrix<double> out);

}  // namespace classica
