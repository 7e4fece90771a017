// Trees that grow one after the other on the same weighted rows: columns are sorted once.
#pragma once

#include <memory>
#include <vector>

#include "classica/tree.hpp"

namespace classica {

class RepeatedGrowth {
 public:
  virtual ~RepeatedGrowth() = default;
  // Writes the class of most weight in the leaf of each row, of equal ones the first.
  virtual GrownTree grow(std::vector<std::int32_t>& said) = 0;
};

// Everything is read anew for each tree: between two of them, weights and the seed may change. Rows are never
// divided: missing cells take one branch.
std::unique_ptr<RepeatedGrowth> repeated_growth(const RankTable& table, const Target& target,
                                                Vector<const std::uint32_t> rows, const GrowthRules& rules,
                                                int threads);

}  // namespace classica
