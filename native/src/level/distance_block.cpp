// Squared distances from a tile of eight rows to centers, four centers at a time, so that each value of the
// tile is loaded once for all of them.
//
// Invariant: a lane is a row, and its differences are squared and added in column order: a row's distances
// do not depend on its place in the tile. Fused operations at the AVX2 level alone, hence the tolerance
// between levels. Cost: O(columns * centers) per tile.
#include "distance_block.hpp"

#include "../tile.hpp"
#include "classica/simd.hpp"

namespace classica {
namespace {

// `count` centers at once: each value of the tile is loaded once for all of them.
template <class Level, int count, bool scaled>
[[gnu::always_inline]] inline void some_centers(const double* tile, std::ptrdiff_t cols,
                                                const double* centers, const double* inverse_spreads,
                                                double* out) {
  Double4 left[count] = {}, right[count] = {};
  for (std::ptrdiff_t j = 0; j < cols; ++j) {
    const Double4 x0 = load4(tile + j * tile_rows), x1 = load4(tile + j * tile_rows + 4);
    for (int c = 0; c < count; ++c) {
      const double center = centers[c * cols + j];
      Double4 d0 = x0 - center, d1 = x1 - center;
      if constexpr (scaled) {
        d0 = d0 * inverse_spreads[c * cols + j];
        d1 = d1 * inverse_spreads[c * cols + j];
      }
      left[c] = multiply_add<Level>(d0, d0, left[c]);
      right[c] = multiply_add<Level>(d1, d1, right[c]);
    }
  }
  for (int c = 0; c < count; ++c) {
    store4(out + c * tile_rows, left[c]);
    store4(out + c * tile_rows + 4, right[c]);
  }
}

template <class Level, bool scaled>
void all_centers(const double* tile, std::ptrdiff_t cols, const double* centers,
                 const double* inverse_spreads, std::ptrdiff_t center_count, double* out) {
  const auto spreads = [&](std::ptrdiff_t c) { return scaled ? inverse_spreads + c * cols : nullptr; };
  std::ptrdiff_t c = 0;
  for (; c + 4 <= center_count; c += 4)
    some_centers<Level, 4, scaled>(tile, cols, centers + c * cols, spreads(c), out + c * tile_rows);
  for (; c < center_count; ++c)
    some_centers<Level, 1, scaled>(tile, cols, centers + c * cols, spreads(c), out + c * tile_rows);
}

}  // namespace

template <class Level>
void DistanceBlock<Level>::squared(const double* tile, std::ptrdiff_t cols, const double* centers,
                                   const double* inverse_spreads, std::ptrdiff_t center_count, double* out) {
  if (inverse_spreads)
    all_centers<Level, true>(tile, cols, centers, inverse_spreads, center_count, out);
  else
    all_centers<Level, false>(tile, cols, centers, nullptr, center_count, out);
}

template struct DistanceBlock<CLASSICA_LEVEL>;

}  // namespace classica
