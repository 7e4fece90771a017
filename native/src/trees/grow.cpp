// Which kind of rows a tree grows on: whole weights of one, counts, real weights, or shares of rows where
// missing cells divide them. The four are separate instantiations of the same templates; without missing
// cells `fraction` takes the fast kinds, which give the same tree. Also the list of criteria as people see
// it.
#include <stdexcept>

#include "criteria.hpp"
#include "node_rows.hpp"

namespace classica {

template <class Rows, class List>
GrownTree grow_on(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
                  const GrowthRules& rules, int threads);

namespace {

bool some_missing(const RankTable& table, Vector<const std::uint32_t> rows) {
  for (std::ptrdiff_t j = 0; j < table.cols; ++j)
    for (std::ptrdiff_t i = 0; i < rows.size; ++i)
      if (table.column(j)[rows[i]] == missing_rank) return true;
  return false;
}

template <class... Rules>
std::vector<CriterionEntry> entries_of(CriterionList<Rules...>) {
  return {{Rules::word, Rules::is_of_classes}...};
}

}  // namespace

const std::vector<CriterionEntry>& criteria() {
  static const std::vector<CriterionEntry> entries = entries_of(Criteria{});
  return entries;
}

int criterion_index(std::string_view word) {
  for (std::size_t i = 0; i < criteria().size(); ++i)
    if (criteria()[i].word == word) return static_cast<int>(i);
  throw std::invalid_argument("there is no such criterion");
}

GrownTree grow_tree(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
                    const GrowthRules& rules, int threads) {
  if (rules.missing == MissingPolicy::fraction && some_missing(table, rows))
    return grow_on<SharedRows, Criteria>(table, target, rows, rules, threads);
  if (!target.weights.empty() || !target.cases.empty())
    return grow_on<NodeRows<Weighing::reals>, Criteria>(table, target, rows, rules, threads);
  if (!target.counts.empty())
    return grow_on<NodeRows<Weighing::counts>, Criteria>(table, target, rows, rules, threads);
  return grow_on<NodeRows<Weighing::ones>, Criteria>(table, target, rows, rules, threads);
}

}  // namespace classica
