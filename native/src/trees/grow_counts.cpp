// Growing on rows that count as often as they are there; see grow_on.hpp.
#include "grow_on.hpp"

namespace classica {

template GrownTree grow_on<NodeRows<Weighing::counts>>(const RankTable&, const Target&,
                                                       Vector<const std::uint32_t>, const GrowthRules&, int);

}  // namespace classica
