// Squared distances from a tile of rows to centers; compiled once per instruction level.
#pragma once

#include <cstddef>

#include "classica/level.hpp"

namespace classica {

template <class Level>
struct DistanceBlock {
  // tile: rows of `cols` values, side by side (see tile.hpp).
  // centers, inverse_spreads (or null): one row of `cols` values per center.
  // out[c * tile_rows + r] = sum over j of ((tile_rj - center_cj) * inverse_spread_cj)^2, added in the
  // order of j for every r and c: a row's distances do not depend on its place in the tile.
  static void squared(const double* tile, std::ptrdiff_t cols, const double* centers,
                      const double* inverse_spreads, std::ptrdiff_t center_count, double* out);
};

}  // namespace classica
