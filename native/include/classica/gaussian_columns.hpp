// Columns that are normal within each class: the Gaussian part of naive Bayes. NaN is a missing cell; it is
// left out of the sum.
#pragma once

#include <cstdint>

#include "classica/moments.hpp"
#include "classica/view.hpp"

namespace classica {

struct GaussianColumns {
  std::ptrdiff_t classes = 0;
  std::ptrdiff_t count = 0;
  const std::int32_t* columns = nullptr;    // [count]: where they are in X
  const double* means = nullptr;            // [classes * count]
  const double* inverse_spreads = nullptr;  // the same; 0 for a column that is left out
  const double* log_norms = nullptr;        // the same: -log(spread * sqrt(2 pi)), or 0
};

// Adds the log density of each row in each class to scores [rows * classes].
template <class T>
void add_gaussian_scores(Matrix<const T> X, const GaussianColumns& model, int threads, double* scores);

// The sums behind a model, for the scores of rows it should not have seen.
struct GaussianSums {
  const double* known_high = nullptr;  // [classes * count]: the weight of the rows that have the cell
  const double* known_low = nullptr;
  const double* sums_high = nullptr;
  const double* sums_low = nullptr;
  const double* squares_high = nullptr;
  const double* squares_low = nullptr;
  const double* least = nullptr;  // [count]: the smallest variance that needs no help; negative: left out
  double ddof = 0.0;
};

// out[i]: the log density of row i in its own class without that row; NaN where a variance would be too
// small.
template <class T>
void left_out_gaussian_scores(Matrix<const T> X, const GaussianColumns& model, const GaussianSums& sums,
                              Vector<const std::int32_t> group, Vector<const double> weights, int threads,
                              Vector<double> out);

}  // namespace classica
