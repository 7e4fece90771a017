// A way to divide the rows of a node.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace classica {

struct Split {
  double gain = -std::numeric_limits<double>::infinity();  // sum of the parts of the branches less the node's
  std::int32_t feature = -1;
  std::uint32_t last_left = 0, first_right = 0;  // numeric: ranks up to last_left go to the first branch
  std::vector<std::int32_t> branches;            // categorical: the branch of each level; -1 if not in the node
  std::int32_t missing = -1;                     // the branch of missing cells; -1 if the node has none
  std::int32_t count = 2;                        // branches

  bool exists() const { return feature >= 0; }
  // Gains that are mathematically equal may differ by rounding; the first one found then stays.
  bool beats(const Split& other, double weight) const { return gain > other.gain + 1e-12 * weight; }
};

}  // namespace classica
