// Linear scores of a tile of eight rows, five scores at a time: ten sums in registers, enough not to wait
// for an addition.
//
// Invariant: a lane is a row, added up in column order, so that batches and places in the tile change no
// bit. Cost: O(columns * scores) per tile.
#include "linear_block.hpp"

#include "../tile.hpp"
#include "classica/simd.hpp"

namespace classica {
namespace {

// `count` scores at once: each value of the tile is loaded once for all of them.
template <class Level, int count>
[[gnu::always_inline]] inline void some_scores(const double* rows, std::ptrdiff_t cols, const double* weights,
                                               double* out) {
  Double4 left[count] = {}, right[count] = {};
  for (std::ptrdiff_t j = 0; j < cols; ++j) {
    const Double4 x0 = load4(rows + j * tile_rows), x1 = load4(rows + j * tile_rows + 4);
    for (int c = 0; c < count; ++c) {
      const double weight = weights[c * cols + j];
      const Double4 all{weight, weight, weight, weight};
      left[c] = multiply_add<Level>(all, x0, left[c]);
      right[c] = multiply_add<Level>(all, x1, right[c]);
    }
  }
  for (int c = 0; c < count; ++c) {
    store4(out + c * tile_rows, left[c]);
    store4(out + c * tile_rows + 4, right[c]);
  }
}

}  // namespace

template <class Level>
void LinearBlock<Level>::scores(const double* rows, std::ptrdiff_t cols, const double* weights,
                                std::ptrdiff_t count, double* out) {
  std::ptrdiff_t c = 0;
  for (; c + 5 <= count; c += 5) some_scores<Level, 5>(rows, cols, weights + c * cols, out + c * tile_rows);
  for (; c < count; ++c) some_scores<Level, 1>(rows, cols, weights + c * cols, out + c * tile_rows);
}

template struct LinearBlock<CLASSICA_LEVEL>;

}  // namespace classica
