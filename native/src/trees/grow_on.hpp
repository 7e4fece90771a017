// Growing on one kind of rows: from the index of a criterion to the search and the summary it needs. Each
// kind of rows is compiled in a file of its own: together they would keep one processor busy for minutes.
#pragma once

#include "absolute_error.hpp"
#include "column_search.hpp"
#include "grower.hpp"
#include "summaries.hpp"

namespace classica {

// How a criterion finds the split of a column, and how it adds up a node. Whatever is not listed here is a
// criterion of classes.
template <class Rule>
struct GrowthBy {
  template <class Rows>
  using Search = ColumnSearch<Rule, Rows>;
  using Summary = ClassSummary<Rule>;
};
template <>
struct GrowthBy<Variance> {
  template <class Rows>
  using Search = ColumnSearch<Variance, Rows>;
  using Summary = MeanSummary;
};
template <>
struct GrowthBy<AbsoluteError> {
  template <class Rows>
  using Search = AbsoluteErrorSearch<Rows>;
  using Summary = MedianSummary;
};

template <class Rule, class Rows>
using GrowerBy =
    Grower<typename GrowthBy<Rule>::template Search<Rows>, typename GrowthBy<Rule>::Summary, Rows>;

// `List` is `Criteria`, or a test's own list.
template <class Rows, class List = Criteria>
GrownTree grow_on(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
                  const GrowthRules& rules, int threads) {
  const auto grow = [&]<class Rule>() {
    return GrowerBy<Rule, Rows>(table, target, rows, rules, threads).grow();
  };
  return with_criterion(rules.criterion, grow, List{});
}

}  // namespace classica
