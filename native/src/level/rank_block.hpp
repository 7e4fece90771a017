// The one routine that compares rows: eight training rows, side by side in a tile, with one query.
// Compiled once per instruction level.
#pragma once

#include <cstddef>

#include "classica/level.hpp"
#include "classica/neighbours.hpp"

namespace classica {

template <class Level>
struct RankBlock {
  // out[t * tile_rows + r]: the rank of row r of tile t. A rank is added up in the order of the columns,
  // whatever the tile and whoever asks, so it has the same bits everywhere.
  template <class T>
  static void ranks(const MetricRule& rule, const T* tiles, std::ptrdiff_t tile_count, const double* query,
                    std::ptrdiff_t cols, double* out);

  // The same for one tile, given up (false) once every row of it is beyond `bound`. Euclidean, Manhattan
  // and Chebyshev only.
  template <class T>
  static bool ranks_within(const MetricRule& rule, const T* tile, const double* query, std::ptrdiff_t cols,
                           double bound, double* out);
};

}  // namespace classica
