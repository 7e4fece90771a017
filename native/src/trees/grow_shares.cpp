// Growing on rows of which nodes hold shares; see grow_on.hpp.
#include "grow_on.hpp"

namespace classica {

template GrownTree grow_on<SharedRows>(const RankTable&, const Target&, Vector<const std::uint32_t>,
                                       const GrowthRules&, int);

}  // namespace classica
