// Growing on rows that count one each; see grow_on.hpp.
#include "grow_on.hpp"

namespace classica {

template GrownTree grow_on<NodeRows<Weighing::ones>>(const RankTable&, const Target&,
                                                     Vector<const std::uint32_t>, const GrowthRules&, int);

}  // namespace classica
