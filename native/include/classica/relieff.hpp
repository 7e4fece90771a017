// ReliefF (Kononenko 1994): a column is good if rows of other classes that are near differ in it, and near
// rows of the same class do not.
#pragma once

#include <span>
#include <vector>

#include "classica/tree.hpp"

namespace classica {

// The merit of every column on some rows: the mean over rows of
//   sum over other classes of P(class) / (1 - P(own class)) * mean difference from the nearest of that class
//   - mean difference from the nearest of the own class.
// Numbers differ by their distance over the range of the column in the table, categories by 0 or 1. Two
// cells of which one is missing differ by what two random cells would: 1/3 for numbers, 1 - 1/levels else.
std::vector<double> relieff(const RankTable& table, const Target& target, std::span<const std::uint32_t> rows,
                            const GrowthRules& rules);

}  // namespace classica
