// Linear scores of a tile of rows; compiled once per instruction level.
#pragma once

#include <cstddef>

#include "classica/level.hpp"

namespace classica {

template <class Level>
struct LinearBlock {
  // rows: a tile (see tile.hpp). weights: one row of `cols` values per score.
  // out[c * tile_rows + r] = sum over j of weights_cj * row_rj, added in the order of j.
  static void scores(const double* rows, std::ptrdiff_t cols, const double* weights, std::ptrdiff_t count,
                     double* out);
};

}  // namespace classica
