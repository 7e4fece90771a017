// A way to divide the rows of a node.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "classica/tree.hpp"

namespace classica {

// Where a row goes that takes all branches.
constexpr std::uint16_t every_branch = 0xFFFF;

struct Split {
  double gain = -std::numeric_limits<double>::infinity();  // summed over the rows
  double bits = 0.0;                                       // split information, summed over the rows
  std::int32_t feature = -1;
  std::uint32_t last_left = 0, first_right = 0;  // numeric: ranks up to last_left go to the first branch
  double threshold =
      std::numeric_limits<double>::quiet_NaN();  // the same as a value, once the split is taken
  std::vector<std::int32_t> branches;  // categorical: the branch of each level; -1 if not in the node
  std::int32_t missing = -1;           // the branch of missing cells; -1 if the node has none
  std::int32_t count = 2;              // branches

  bool exists() const { return feature >= 0; }
  // Gains that are mathematically equal may differ by rounding; the first one found then stays.
  bool beats(const Split& other, double slack) const { return gain > other.gain + slack; }

  // The branch of a known cell; -1 if its level is not in the node.
  std::int32_t branch_of(std::uint32_t rank) const {
    return branches.empty() ? rank > last_left : branches[rank];
  }
};

}  // namespace classica
