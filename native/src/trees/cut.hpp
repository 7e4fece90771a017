// Where a cut lies between two values.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "classica/tree.hpp"

namespace classica {

// Asks for the two values a while before they are read: they mostly lie far away.
inline void fetch_cut(const RankTable& table, std::ptrdiff_t j, std::uint32_t last_left,
                      std::uint32_t first_right) {
  const double* values = table.values + table.values_at[j];
  __builtin_prefetch(values + last_left);
  if (first_right != missing_rank) __builtin_prefetch(values + first_right);
}

// Halfway between the values of two ranks, but always below the higher one, even where nothing lies between;
// or, `at_data`, at the largest value of the table up to there. Where values were put together, the cut after
// the last group up to there. Infinity if all known values go left.
inline double cut_between(const RankTable& table, std::ptrdiff_t j, std::uint32_t last_left,
                          std::uint32_t first_right, bool at_data) {
  if (first_right == missing_rank) return std::numeric_limits<double>::infinity();
  const double low = table.value(j, last_left), high = table.value(j, first_right);
  double middle = (low + high) / 2;
  if (!std::isfinite(middle)) middle = low / 2 + high / 2;
  if (!(middle >= low && middle < high)) middle = low;
  if (!at_data && !table.cuts) return middle;
  // A value that is the middle but for rounding counts as it.
  const double reach = middle + (1e-9 * high - 1e-9 * low);
  const double* values = table.values + table.values_at[j];
  const double* place = std::upper_bound(values + last_left + 1, values + first_right, reach) - 1;
  return at_data ? *place : table.cuts[place - table.values];
}

}  // namespace classica
