// What a node is to the search of its columns: its rows, what they add up to, and how far two sums may
// differ before they count as different. Gains that are mathematically equal come out of different orders of
// addition; comparing them with a slack makes the first column, and in it the first cut, win in every build.
#pragma once

#include <cstddef>
#include <vector>

namespace classica {

template <class Rows>
struct NodeTotals {
  typename Rows::Place place;
  std::vector<double> group;  // as the criterion describes it
  double weight = 0.0, cases = 0.0, part = 0.0;
  double center = 0.0;  // the mean of numbers
  // Sums of parts, and gains, that differ by less are equal but for rounding.
  double slack = 0.0, slack_of_gains = 0.0;
};

// How far gains of a given order may be off by rounding: some thousand roundings of 2^-53 each. Larger, and
// real differences would be lost; smaller, and ties would depend on the order of addition.
constexpr double gain_slack = 1e-12;

// Rows between two checks for an interrupt: well below a millisecond for most criteria.
constexpr std::size_t rows_between_polls = 256;

// Sums of shares may fall short of a whole number by rounding: so much less is still enough cases.
constexpr double case_slack = 1e-6;

}  // namespace classica
