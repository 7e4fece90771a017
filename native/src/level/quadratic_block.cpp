#include "quadratic_block.hpp"

#include "../tile.hpp"
#include "classica/simd.hpp"

namespace classica {
namespace {

// The four products of one strip with all rows of the tile, squared and added to left and right.
template <class Level>
[[gnu::always_inline]] inline void add_strip(const double* factor, std::ptrdiff_t first, std::ptrdiff_t cols,
                                             const double* rows, Double4& left, Double4& right) {
  constexpr std::ptrdiff_t strip = QuadraticBlock<Level>::strip;
  Double4 a[strip] = {}, b[strip] = {};
  for (std::ptrdiff_t j = first; j < cols; ++j) {
    const Double4 x0 = load4(rows + j * tile_rows), x1 = load4(rows + j * tile_rows + 4);
    for (std::ptrdiff_t k = 0; k < strip; ++k) {
      const double weight = factor[j * strip + k];
      const Double4 all{weight, weight, weight, weight};
      a[k] = multiply_add<Level>(all, x0, a[k]);
      b[k] = multiply_add<Level>(all, x1, b[k]);
    }
  }
  for (std::ptrdiff_t k = 0; k < strip; ++k) {
    left = multiply_add<Level>(a[k], a[k], left);
    right = multiply_add<Level>(b[k], b[k], right);
  }
}

}  // namespace

template <class Level>
void QuadraticBlock<Level>::squared_lengths(const double* rows, std::ptrdiff_t cols, const double* center,
                                            const double* factor, double* work, double* out) {
  for (std::ptrdiff_t j = 0; j < cols; ++j) {
    store4(work + j * tile_rows, load4(rows + j * tile_rows) - center[j]);
    store4(work + j * tile_rows + 4, load4(rows + j * tile_rows + 4) - center[j]);
  }
  Double4 left = {}, right = {};
  for (std::ptrdiff_t first = 0; first < cols; first += strip)
    add_strip<Level>(factor + first * cols, first, cols, work, left, right);
  store4(out, left);
  store4(out + 4, right);
}

template struct QuadraticBlock<CLASSICA_LEVEL>;

}  // namespace classica
