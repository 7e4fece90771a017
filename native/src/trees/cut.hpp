// The two sides of a cut that moves through a node, class by class.
#pragma once

#include <vector>

#include "criteria.hpp"

namespace classica {

// What a side of a cut, or a branch, holds: per class the weight of its rows and the criterion's term.
template <class Rule>
struct Side {
  std::vector<double> counts, terms;
  double total = 0.0, weight = 0.0, cases = 0.0;

  explicit Side(std::ptrdiff_t classes = 0)
      : counts(static_cast<std::size_t>(classes)), terms(counts.size()) {}

  void set(const double* from, double its_cases, const double* node) {
    cases = its_cases;
    weight = 0.0;
    for (std::size_t c = 0; c < counts.size(); ++c) {
      counts[c] = from[c];
      weight += from[c];
      terms[c] = Rule::term(from[c], node[c]);
    }
    total = Rule::total(terms.data(), static_cast<std::ptrdiff_t>(terms.size()));
  }
  void add(std::size_t c, double by, const double* node) {
    const double before = counts[c];
    counts[c] += by;
    weight += by;
    if constexpr (Rule::is_whole)
      total += by * (2.0 * before + by);
    else
      terms[c] = Rule::term(counts[c], node[c]);
  }
  double part() const {
    if (!(weight > 0.0)) return 0.0;
    if constexpr (Rule::is_whole) return Rule::finish(total, weight);
    return Rule::finish(Rule::total(terms.data(), static_cast<std::ptrdiff_t>(terms.size())), weight);
  }
};

}  // namespace classica
