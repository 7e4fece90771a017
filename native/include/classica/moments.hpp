// Per group of rows and per column: the count, the sum and the sum of squares, weighted. These are the
// sufficient statistics of the mean-based learners; kept as double-double they can be added and taken
// away without loss.
#pragma once

#include <cstdint>

#include "classica/view.hpp"

namespace classica {

// Where the statistics go: counts [groups], the others [groups * cols] each, row by row.
struct Moments {
  std::ptrdiff_t groups = 0;
  std::ptrdiff_t cols = 0;
  double* counts_high = nullptr;
  double* counts_low = nullptr;
  double* sums_high = nullptr;
  double* sums_low = nullptr;
  double* squares_high = nullptr;  // null when squares are not wanted
  double* squares_low = nullptr;
  // Null where no value is NaN. Otherwise NaN is a missing cell, left out of the sums, and this is the weight
  // of the rows without it; rows must then be dense.
  double* absent_high = nullptr;
  double* absent_low = nullptr;
};

// Adds the rows of X to what `out` holds. Rows is Matrix<const T> or SparseRows<T, Index>;
// weights.size == 0 means a weight of one each.
template <class Rows>
void grouped_moments(const Rows& X, Vector<const std::int32_t> group, Vector<const double> weights,
                     int threads, const Moments& out);

// out = a + sign * b for `size` double-double numbers, given as a row of highs and a row of lows each.
void add_double_doubles(const double* a, const double* b, double sign, std::ptrdiff_t size, double* out);

// Where `constant` (one flag per group and column) says so, lets the sums be those of rows that are all equal
// to their mean: count * mean and, if squares are wanted, count * mean^2.
void settle(const Moments& moments, const std::uint8_t* constant);

// Per group and column: the mean as a double-double, a matrix of highs and then one of lows.
void mean_pairs(const Moments& moments, double* out);

// Per group and column: mean = sum / count, variance = square_sum / count - mean^2, which is
// negative only where rows were taken away that had never been added.
// variances may be null. A group of count zero gets zeros.
void means_and_variances(const Moments& moments, double* means, double* variances);

}  // namespace classica
