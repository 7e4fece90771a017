// The one routine that compares rows: eight training rows, side by side in a tile, with one query.
// Compiled once per instruction level.
#pragma once

#include <cstddef>
#include <cstdint>

#include "classica/level.hpp"
#include "classica/neighbours.hpp"

namespace classica {

template <class Level>
struct RankBlock {
  // out[t * tile_rows + r]: the rank of row r of tile t; bit r of within[t]: whether it is at most `bound`.
  // A rank is added up in the order of the columns, whatever the tile and whoever asks, so it has the same
  // bits everywhere.
  template <class T>
  static void ranks(const MetricRule& rule, const T* tiles, std::ptrdiff_t tile_count, const double* query,
                    std::ptrdiff_t cols, double bound, double* out, std::uint8_t* within);

  // The same for one tile, given up (no bit set) once every row of it is beyond `bound`.
  template <class T>
  static std::uint8_t ranks_within(const MetricRule& rule, const T* tile, const double* query,
                                   std::ptrdiff_t cols, double bound, double* out);

  // The squared distance from a query to a box, given as cols lows and then cols highs; in no fixed order.
  static double squared_to_box(const double* box, const double* query, std::ptrdiff_t cols);
};

}  // namespace classica
