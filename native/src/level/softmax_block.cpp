// Tiles of rows for softmax regression: scores, exponentials, residuals and products, in eight lanes at
// every level.
//
// Invariant: eight lanes whatever the registers, added up in one order, so that AVX-512 changes no bit.
// Scores are seen from the highest of the row; what is left of one near certainty is added up, not
// subtracted, so that all its digits count. Cost: O(columns * classes) per row; how many sums run side by
// side trades registers against waiting for additions.
#include "softmax_block.hpp"

#include <algorithm>
#include <cmath>

#include "eight_lanes.hpp"
#include "exponential.hpp"

namespace classica {
namespace {

// How many sums are added up side by side: enough to keep the multipliers busy, few enough for the registers.
template <class Level>
constexpr int wide = std::is_same_v<Level, Avx512> ? 4 : 3;
template <class Level>
constexpr int deep = std::is_same_v<Level, Avx512> ? 4 : 2;
template <class Level>
constexpr int scores_at_once = std::is_same_v<Level, Avx512> ? 10 : 5;

constexpr std::ptrdiff_t lane_count = 8;  // rows at once

void find_highest(const double* scores, std::ptrdiff_t classes, std::ptrdiff_t height, double* highest) {
  std::copy(scores, scores + lane_count, highest);
  for (std::ptrdiff_t c = 1; c < classes; ++c)
    for (std::ptrdiff_t r = 0; r < lane_count; ++r) {
      const double score = scores[c * height + r];
      highest[r] = score > highest[r] ? score : highest[r];
    }
}

// A score too far below the highest counts as one 708 below it.
template <class Level>
void exponentiate(double* scores, std::ptrdiff_t classes, std::ptrdiff_t height, const double* highest,
                  double* totals) {
  double sums[lane_count] = {};
  for (std::ptrdiff_t c = 0; c < classes; ++c) {
    double* score = scores + c * height;
    for (std::ptrdiff_t r = 0; r < lane_count; r += lanes<Level>) {
      const Doubles<Level> lowest = all_of<Level>(-708),
                           x = load<Level>(score + r) - load<Level>(highest + r);
      const Doubles<Level> found = exponential_within<Level>(x > lowest ? x : lowest);
      store<Level>(score + r, found);
      store<Level>(sums + r, load<Level>(sums + r) + found);
    }
  }
  std::copy(sums, sums + lane_count, totals);
}

template <class Level>
void some_residuals(double* scores, std::ptrdiff_t classes, std::ptrdiff_t height, const std::int32_t* codes,
                    const double* weights, double* losses) {
  double lead[lane_count], highest[lane_count], totals[lane_count], scale[lane_count],
      others[lane_count] = {};
  find_highest(scores, classes, height, highest);
  for (std::ptrdiff_t r = 0; r < lane_count; ++r) lead[r] = scores[codes[r] * height + r] - highest[r];
  exponentiate<Level>(scores, classes, height, highest, totals);
  // What is left of one is added up, not taken from one: near certainty all its digits matter.
  for (std::ptrdiff_t c = 0; c < classes; ++c)
    for (std::ptrdiff_t r = 0; r < lane_count; ++r) others[r] += codes[r] == c ? 0.0 : scores[c * height + r];
  for (std::ptrdiff_t r = 0; r < lane_count; ++r) {
    // The exponential of the own class may have vanished; its score has not.
    const double own = scores[codes[r] * height + r];
    losses[r] = weights[r] * (lead[r] > -30.0 ? std::log1p(others[r] / own) : std::log(totals[r]) - lead[r]);
    scale[r] = weights[r] / totals[r];
  }
  for (std::ptrdiff_t c = 0; c < classes; ++c) {
    double* score = scores + c * height;
    for (std::ptrdiff_t r = 0; r < lane_count; ++r)
      score[r] = scale[r] * (codes[r] == c ? -others[r] : score[r]);
  }
}

template <class Level, int count>
[[gnu::always_inline]] inline void some_scores(const double* tile, std::ptrdiff_t height, std::ptrdiff_t cols,
                                               const double* weights, double* out) {
  using Lanes = EightLanes<Level>;
  for (std::ptrdiff_t r = 0; r < height; r += 8) {
    Lanes sums[count];
    for (std::ptrdiff_t j = 0; j < cols; ++j) {
      const Lanes x = Lanes::load(tile + j * height + r);
      for (int c = 0; c < count; ++c) sums[c].add_product(Lanes::all(weights[c * cols + j]), x);
    }
    for (int c = 0; c < count; ++c) sums[c].store(out + c * height + r);
  }
}

template <class Level, int lefts, int rights>
[[gnu::always_inline]] inline void some_products(const double* left, const double* right,
                                                 std::ptrdiff_t height, double* out, std::ptrdiff_t stride) {
  using Lanes = EightLanes<Level>;
  Lanes sums[lefts][rights];
  for (std::ptrdiff_t r = 0; r < height; r += 8) {
    Lanes a[lefts];
    for (int i = 0; i < lefts; ++i) a[i] = Lanes::load(left + i * height + r);
    for (int k = 0; k < rights; ++k) {
      const Lanes b = Lanes::load(right + k * height + r);
      for (int i = 0; i < lefts; ++i) sums[i][k].add_product(a[i], b);
    }
  }
  for (int i = 0; i < lefts; ++i)
    for (int k = 0; k < rights; ++k) out[i * stride + k] += sums[i][k].sum();
}

template <class Level, int lefts>
[[gnu::always_inline]] inline void products_of(const double* left, const double* right, std::ptrdiff_t rights,
                                               std::ptrdiff_t height, double* out, std::ptrdiff_t stride) {
  constexpr int at_once = deep<Level>;
  std::ptrdiff_t k = 0;
  for (; k + at_once <= rights; k += at_once)
    some_products<Level, lefts, at_once>(left, right + k * height, height, out + k, stride);
  for (; k < rights; ++k) some_products<Level, lefts, 1>(left, right + k * height, height, out + k, stride);
}

}  // namespace

template <class Level>
void SoftmaxBlock<Level>::scores(const double* tile, std::ptrdiff_t height, std::ptrdiff_t cols,
                                 const double* weights, std::ptrdiff_t count, double* out) {
  constexpr int at_once = scores_at_once<Level>;
  std::ptrdiff_t c = 0;
  for (; c + at_once <= count; c += at_once)
    some_scores<Level, at_once>(tile, height, cols, weights + c * cols, out + c * height);
  for (; c + 3 <= count; c += 3)
    some_scores<Level, 3>(tile, height, cols, weights + c * cols, out + c * height);
  for (; c < count; ++c) some_scores<Level, 1>(tile, height, cols, weights + c * cols, out + c * height);
}

template <class Level>
void SoftmaxBlock<Level>::add_products(const double* left, std::ptrdiff_t lefts, const double* right,
                                       std::ptrdiff_t rights, std::ptrdiff_t height, double* out,
                                       std::ptrdiff_t stride) {
  constexpr int at_once = wide<Level>;
  std::ptrdiff_t a = 0;
  for (; a + at_once <= lefts; a += at_once)
    products_of<Level, at_once>(left + a * height, right, rights, height, out + a * stride, stride);
  for (; a < lefts; ++a)
    products_of<Level, 1>(left + a * height, right, rights, height, out + a * stride, stride);
}

template <class Level>
void SoftmaxBlock<Level>::exponentials(double* scores, std::ptrdiff_t classes, std::ptrdiff_t height,
                                       double* totals) {
  for (std::ptrdiff_t first = 0; first < height; first += lane_count) {
    double highest[lane_count];
    find_highest(scores + first, classes, height, highest);
    exponentiate<Level>(scores + first, classes, height, highest, totals + first);
  }
}

template <class Level>
void SoftmaxBlock<Level>::residuals(double* scores, std::ptrdiff_t classes, std::ptrdiff_t height,
                                    const std::int32_t* codes, const double* weights, double* losses) {
  for (std::ptrdiff_t first = 0; first < height; first += lane_count)
    some_residuals<Level>(scores + first, classes, height, codes + first, weights + first, losses + first);
}

template struct SoftmaxBlock<CLASSICA_LEVEL>;

}  // namespace classica
