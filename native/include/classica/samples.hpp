// Random samples of rows, by number: sample k of a seed is the same for everyone who asks for it.
#pragma once

#include <cstdint>

#include "classica/view.hpp"

namespace classica {

struct SampleRules {
  Vector<const std::uint32_t> order;  // what is drawn from: rows, a row as often as it is a case
  Vector<const double> up_to;         // weight of all of these up to each; empty: all weigh the same
  std::ptrdiff_t size = 0;            // how many are drawn
  bool replace = true;
  std::uint64_t seed = 0;
};

// Adds how often each row is in sample `number` to its count.
void draw_sample(const SampleRules& rules, std::uint64_t number, Vector<std::uint32_t> counts);

}  // namespace classica
