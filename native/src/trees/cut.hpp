// Where a cut lies between two values: halfway, or at a value of the table (C4.5, Quinlan 1993). Numbers of
// few decimals have a middle of few decimals, found in whole units of a power of ten; adding them up as
// doubles would miss it by rounding.
//
// Invariant: the cut is not below the lower value and below the higher one, even where no double lies
// between, so that the rows go where the ranks said. Cost: O(1), or a binary search of the column's values.
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

// Halfway between two numbers. Numbers of few decimals have a middle of few decimals: adding them up as
// doubles would miss it by rounding, and 3.35 would be read as 3.3499999999999996 wherever the cut is told.
inline double middle_of(double low, double high) {
  for (double unit = 1.0; unit <= 1e6; unit *= 10.0) {
    const double a = std::nearbyint(low * unit), b = std::nearbyint(high * unit);
    if (!(std::abs(a) < 0x1p51 && std::abs(b) < 0x1p51)) break;
    if (a / unit == low && b / unit == high) return (a + b) / (2.0 * unit);
  }
  const double middle = (low + high) / 2;
  return std::isfinite(middle) ? middle : low / 2 + high / 2;
}

// Halfway between the values of two ranks, but always below the higher one, even where nothing lies between;
// or, `at_data`, at the largest value of the table up to there. Where values were put together, the cut after
// the last group up to there. Infinity if all known values go left.
inline double cut_between(const RankTable& table, std::ptrdiff_t j, std::uint32_t last_left,
                          std::uint32_t first_right, bool at_data) {
  if (first_right == missing_rank) return std::numeric_limits<double>::infinity();
  const double low = table.value(j, last_left), high = table.value(j, first_right);
  double middle = middle_of(low, high);
  if (!(middle >= low && middle < high)) middle = low;
  if (!at_data && !table.cuts) return middle;
  // A value that is the middle but for rounding counts as it.
  const double reach = middle + (1e-9 * high - 1e-9 * low);
  const double* values = table.values + table.values_at[j];
  const double* place = std::upper_bound(values + last_left + 1, values + first_right, reach) - 1;
  return at_data ? *place : table.cuts[place - table.values];
}

}  // namespace classica
