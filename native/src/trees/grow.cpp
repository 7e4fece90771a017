#include "absolute_error.hpp"
#include "grower.hpp"
#include "regrowth.hpp"
#include "summaries.hpp"

namespace classica {
namespace {

template <class Rule, class Rows>
using SummaryOf = std::conditional_t<std::is_same_v<Rule, Variance>, MeanSummary, ClassSummary<Rule>>;

bool some_missing(const RankTable& table, Vector<const std::uint32_t> rows) {
  for (std::ptrdiff_t j = 0; j < table.cols; ++j)
    for (std::ptrdiff_t i = 0; i < rows.size; ++i)
      if (table.column(j)[rows[i]] == missing_rank) return true;
  return false;
}

template <class Rule>
class Regrowth final : public RepeatedGrowth {
 public:
  Regrowth(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
           const GrowthRules& rules, int threads)
      : grower_(table, target, rows, rules, threads) {
    grower_.remember_rows();
  }
  GrownTree grow(std::vector<std::int32_t>& said) override { return grower_.grow_again(said); }

 private:
  using Rows = NodeRows<Weighing::reals>;
  Grower<ColumnSearch<Rule, Rows>, SummaryOf<Rule, Rows>, Rows> grower_;
};

}  // namespace

std::unique_ptr<RepeatedGrowth> repeated_growth(const RankTable& table, const Target& target,
                                                Vector<const std::uint32_t> rows, const GrowthRules& rules,
                                                int threads) {
  return with_criterion(rules.criterion, [&]<class Rule>() -> std::unique_ptr<RepeatedGrowth> {
    return std::make_unique<Regrowth<Rule>>(table, target, rows, rules, threads);
  });
}

GrownTree grow_tree(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
                    const GrowthRules& rules, int threads) {
  const auto grow_on = [&]<class Rows>() {
    if (rules.criterion == Criterion::absolute_error)
      return Grower<AbsoluteErrorSearch<Rows>, MedianSummary, Rows>(table, target, rows, rules, threads)
          .grow();
    return with_criterion(rules.criterion, [&]<class Rule>() {
      return Grower<ColumnSearch<Rule, Rows>, SummaryOf<Rule, Rows>, Rows>(table, target, rows, rules,
                                                                           threads)
          .grow();
    });
  };
  if (rules.missing == MissingPolicy::fraction && some_missing(table, rows))
    return grow_on.template operator()<SharedRows>();
  if (!target.weights.empty() || !target.cases.empty())
    return grow_on.template operator()<NodeRows<Weighing::reals>>();
  if (!target.counts.empty()) return grow_on.template operator()<NodeRows<Weighing::counts>>();
  return grow_on.template operator()<NodeRows<Weighing::ones>>();
}

}  // namespace classica
