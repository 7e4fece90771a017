// Quadratic forms |F (x - c)|^2 of a tile of rows with a triangular factor F, in strips of four rows of F:
// half of the products of a full matrix are left out.
//
// Invariant: a lane is a row; its products are added in column order and the squares in the order of the
// strips, at every level, so that AVX-512 gives the bits of AVX2 (docs/decisions/0022). Cost: O(columns^2 /
// 2) per row.
#include "quadratic_block.hpp"

#include "classica/simd.hpp"

namespace classica {
namespace {

// The four products of one strip with all rows of the tile, squared and added to left and right.
template <class Level>
[[gnu::always_inline]] inline void add_strip(const double* factor, std::ptrdiff_t first, std::ptrdiff_t cols,
                                             const double* rows, Doubles<Level>& left,
                                             Doubles<Level>& right) {
  constexpr std::ptrdiff_t strip = QuadraticBlock<Level>::strip, tile_rows = QuadraticBlock<Level>::tile_rows;
  Doubles<Level> a[strip] = {}, b[strip] = {};
  for (std::ptrdiff_t j = first; j < cols; ++j) {
    const Doubles<Level> x0 = load<Level>(rows + j * tile_rows);
    const Doubles<Level> x1 = load<Level>(rows + j * tile_rows + lanes<Level>);
    for (std::ptrdiff_t k = 0; k < strip; ++k) {
      const Doubles<Level> weight = all_of<Level>(factor[j * strip + k]);
      a[k] = multiply_add<Level>(weight, x0, a[k]);
      b[k] = multiply_add<Level>(weight, x1, b[k]);
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
  for (std::ptrdiff_t j = 0; j < cols; ++j)
    for (std::ptrdiff_t at = j * tile_rows; at < (j + 1) * tile_rows; at += lanes<Level>)
      store<Level>(work + at, load<Level>(rows + at) - center[j]);
  Doubles<Level> left = {}, right = {};
  for (std::ptrdiff_t first = 0; first < cols; first += strip)
    add_strip<Level>(factor + first * cols, first, cols, work, left, right);
  store<Level>(out, left);
  store<Level>(out + lanes<Level>, right);
}

template struct QuadraticBlock<CLASSICA_LEVEL>;

}  // namespace classica
