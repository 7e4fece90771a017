// Growing on rows of real weight, and again and again on the same rows, as boosting does: the order of the
// columns is remembered before the first tree and brought back before each, so that nothing is sorted twice
// and a tree is the one that growing afresh would give.
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
  GrowerBy<Rule, NodeRows<Weighing::reals>> grower_;
};

}  // namespace

std::unique_ptr<RepeatedGrowth> repeated_growth(const RankTable& table, const Target& target,
                                                Vector<const std::uint32_t> rows, const GrowthRules& rules,
                                                int threads) {
  const auto make = [&]<class Rule>() -> std::unique_ptr<RepeatedGrowth> {
    if constexpr (Rule::is_of_classes)
      return std::make_unique<Regrowth<Rule>>(table, target, rows, rules, threads);
    throw std::invalid_argument("trees that grow again must be of classes");
  };
  return with_criterion(rules.criterion, make, Criteria{});
}

template GrownTree grow_on<NodeRows<Weighing::reals>>(const RankTable&, const Target&,
                                                      Vector<const std::uint32_t>, const GrowthRules&, int);

}  // namespace classica
