#include "grow_on.hpp"
#include "regrowth.hpp"

namespace classica {
namespace {

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
  Grower<ColumnSearch<Rule, Rows>, SummaryOf<Rule>, Rows> grower_;
};

}  // namespace

std::unique_ptr<RepeatedGrowth> repeated_growth(const RankTable& table, const Target& target,
                                                Vector<const std::uint32_t> rows, const GrowthRules& rules,
                                                int threads) {
  return with_criterion(rules.criterion, [&]<class Rule>() -> std::unique_ptr<RepeatedGrowth> {
    return std::make_unique<Regrowth<Rule>>(table, target, rows, rules, threads);
  });
}

template GrownTree grow_on<NodeRows<Weighing::reals>>(const RankTable&, const Target&,
                                                      Vector<const std::uint32_t>, const GrowthRules&, int);

}  // namespace classica
