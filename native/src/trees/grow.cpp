#include "node_rows.hpp"

namespace classica {

template <class Rows>
GrownTree grow_on(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
                  const GrowthRules& rules, int threads);

namespace {

bool some_missing(const RankTable& table, Vector<const std::uint32_t> rows) {
  for (std::ptrdiff_t j = 0; j < table.cols; ++j)
    for (std::ptrdiff_t i = 0; i < rows.size; ++i)
      if (table.column(j)[rows[i]] == missing_rank) return true;
  return false;
}

}  // namespace

GrownTree grow_tree(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
                    const GrowthRules& rules, int threads) {
  if (rules.missing == MissingPolicy::fraction && some_missing(table, rows))
    return grow_on<SharedRows>(table, target, rows, rules, threads);
  if (!target.weights.empty() || !target.cases.empty())
    return grow_on<NodeRows<Weighing::reals>>(table, target, rows, rules, threads);
  if (!target.counts.empty()) return grow_on<NodeRows<Weighing::counts>>(table, target, rows, rules, threads);
  return grow_on<NodeRows<Weighing::ones>>(table, target, rows, rules, threads);
}

}  // namespace classica
