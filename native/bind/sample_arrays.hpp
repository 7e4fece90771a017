// The rules of random samples, in.
#pragma once

#include "arrays.hpp"
#include "classica/samples.hpp"

namespace classica::bind {

// Samples: (order, up_to or an empty array, size, replace, seed), drawn from `rows` rows.
inline SampleRules sample_rules(const nb::tuple& given, std::ptrdiff_t rows) {
  SampleRules rules;
  rules.order = vector(nb::cast<Packed1<const std::uint32_t>>(given[0], false));
  rules.up_to = vector(nb::cast<Packed1<const double>>(given[1], false));
  rules.size = nb::cast<std::ptrdiff_t>(given[2]);
  rules.replace = nb::cast<bool>(given[3]);
  rules.seed = nb::cast<std::uint64_t>(given[4]);
  require(rules.size > 0 && rules.order.size > 0, "a sample has at least one row.");
  require(rules.replace || rules.size <= rules.order.size, "no more can be drawn than there are.");
  require(rules.up_to.size == 0 || rules.up_to.size == rules.order.size, "there is one weight per row.");
  for (std::ptrdiff_t i = 0; i < rules.order.size; ++i)
    require(rules.order[i] < rows, "samples must be numbers of rows.");
  return rules;
}

}  // namespace classica::bind
