// Columns whose density in each class is a sum of Gaussian bells, one on each value seen (John and Langley,
// "Estimating continuous distributions in Bayesian classifiers", 1995). NaN is a missing cell.
#pragma once

#include <cstdint>

#include "classica/view.hpp"

namespace classica {

// The values of each column and class, ascending and distinct, with the weight of each. Column j has its
// values at values[j * rows], those of class c from starts[j * (classes + 1) + c] on.
struct SortedColumns {
  std::ptrdiff_t classes = 0;
  std::ptrdiff_t count = 0;
  std::ptrdiff_t rows = 0;
  const std::int32_t* columns = nullptr;  // [count]: where they are in X
  const double* values = nullptr;         // [count * rows]
  const double* masses = nullptr;         // the same
  const std::int64_t* starts = nullptr;   // [count * (classes + 1)]
};

// Where sort_columns writes. quartiles[(j * classes + c) * 2 + {0, 1}]: the smallest value that a quarter
// (three quarters) of the weight does not exceed. gaps[j]: the mean gap between the distinct values of all
// classes.
struct SortedOutput {
  double* values = nullptr;
  double* masses = nullptr;
  std::int64_t* starts = nullptr;
  double* quartiles = nullptr;
  double* gaps = nullptr;
};

// Sorts the columns that `shape` describes.
template <class T>
void sort_columns(Matrix<const T> X, const SortedColumns& shape, Vector<const std::int32_t> group,
                  Vector<const double> weights, int threads, const SortedOutput& out);

// Adds the log density of each row in each class to scores [rows * classes]. bandwidths [classes * count]: 0
// for a column that is left out. A class without a value in a column takes the density of all classes.
template <class T>
void add_density_scores(Matrix<const T> X, const SortedColumns& sorted, const double* bandwidths, int threads,
                        double* scores);

}  // namespace classica
