// What rules would be worth with one condition less.
#pragma once

#include <cstdint>

#include "classica/view.hpp"

namespace classica {

// Rules made of conditions. Those of rule r are conditions starts[r] to starts[r + 1].
struct RuleConditions {
  Matrix<const std::uint8_t> fails;  // (conditions, rows): 1 where a condition does not hold
  Vector<const std::uint8_t> asked;  // 0 for a condition that has been dropped
  Vector<const std::int64_t> starts;
  Vector<const std::int32_t> answers;  // the class of each rule
};

// Entries starts[r] + r on, one for each condition and one more: the weight of the rows that the rule holds
// for without this condition, or (the last) with all of them, and how much of it is of other classes.
void count_rules(const RuleConditions& rules, Vector<const std::int32_t> codes, Vector<const double> weights,
                 int threads, Vector<double> cases, Vector<double> errors);

}  // namespace classica
