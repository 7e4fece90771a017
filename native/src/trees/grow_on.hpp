// Growing on one kind of rows. Each kind is compiled in a file of its own: together they would keep one
// processor busy for minutes.
#pragma once

#include "absolute_error.hpp"
#include "grower.hpp"
#include "summaries.hpp"

namespace classica {

template <class Rule>
using SummaryOf = std::conditional_t<std::is_same_v<Rule, Variance>, MeanSummary, ClassSummary<Rule>>;

template <class Rows>
GrownTree grow_on(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
                  const GrowthRules& rules, int threads) {
  if (rules.criterion == Criterion::absolute_error)
    return Grower<AbsoluteErrorSearch<Rows>, MedianSummary, Rows>(table, target, rows, rules, threads).grow();
  return with_criterion(rules.criterion, [&]<class Rule>() {
    return Grower<ColumnSearch<Rule, Rows>, SummaryOf<Rule>, Rows>(table, target, rows, rules, threads)
        .grow();
  });
}

}  // namespace classica
