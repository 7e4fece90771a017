// Adds rows to double-double sums and sums of squares by error-free transformations (Dekker 1971; Knuth's
// two-sum).
//
// Invariant: high + low is the exact sum so far but for 2^-106 of it; columns are independent of each
// other, so that the loop over them is vectorised and gives the same bits at every level. Cost: about ten
// operations a cell, a fused product fewer.
#include "moments_block.hpp"

#include "classica/double_double.hpp"

namespace classica {
namespace {

struct NoWeight {};

[[gnu::always_inline]] inline void accumulate(DoubleDouble term, double& high, double& low) {
  const DoubleDouble sum = two_sum(high, term.high);
  const DoubleDouble pair = quick_two_sum(sum.high, low + (sum.low + term.low));
  high = pair.high;
  low = pair.low;
}

template <class Level>
[[gnu::always_inline]] inline DoubleDouble weighted(double x, NoWeight) {
  return {x, 0.0};
}
template <class Level>
[[gnu::always_inline]] inline DoubleDouble weighted(double x, double weight) {
  return two_product<Level>(weight, x);
}

template <class Level>
[[gnu::always_inline]] inline DoubleDouble weighted_square(double x, NoWeight) {
  return two_product<Level>(x, x);
}
template <class Level>
[[gnu::always_inline]] inline DoubleDouble weighted_square(double x, double weight) {
  const DoubleDouble square = two_product<Level>(x, x);
  DoubleDouble product = two_product<Level>(weight, square.high);
  product.low += weight * square.low;
  return product;
}

// where(k) is the column of the k-th value: the identity for dense rows, so that loop is vectorised.
template <class Level, class T, class Where, class Weight>
[[gnu::always_inline]] inline void add_values(const T* values, std::ptrdiff_t count, Where where,
                                              std::ptrdiff_t group, Weight weight, const Moments& out) {
  double* __restrict high = out.sums_high + group * out.cols;
  double* __restrict low = out.sums_low + group * out.cols;
  for (std::ptrdiff_t k = 0; k < count; ++k)
    accumulate(weighted<Level>(static_cast<double>(values[k]), weight), high[where(k)], low[where(k)]);
  if (!out.squares_high) return;
  high = out.squares_high + group * out.cols;
  low = out.squares_low + group * out.cols;
  for (std::ptrdiff_t k = 0; k < count; ++k)
    accumulate(weighted_square<Level>(static_cast<double>(values[k]), weight), high[where(k)], low[where(k)]);
}

template <class Level, class T, class Where>
[[gnu::always_inline]] inline void add_any(const T* values, std::ptrdiff_t count, Where where,
                                           std::ptrdiff_t group, const double* weight, const Moments& out) {
  accumulate({weight ? *weight : 1.0, 0.0}, out.counts_high[group], out.counts_low[group]);
  if (weight)
    add_values<Level>(values, count, where, group, *weight, out);
  else
    add_values<Level>(values, count, where, group, NoWeight{}, out);
}

}  // namespace

template <class Level>
template <class T>
void MomentsBlock<Level>::add_row(const T* row, std::ptrdiff_t group, const double* weight,
                                  const Moments& out) {
  add_any<Level>(row, out.cols, [](std::ptrdiff_t k) { return k; }, group, weight, out);
}

template <class Level>
template <class T, class Index>
void MomentsBlock<Level>::add_sparse_row(const T* values, const Index* columns, std::ptrdiff_t count,
                                         std::ptrdiff_t group, const double* weight, const Moments& out) {
  add_any<Level>(values, count, [columns](std::ptrdiff_t k) { return columns[k]; }, group, weight, out);
}

using Block = MomentsBlock<CLASSICA_LEVEL>;
template void Block::add_row(const float*, std::ptrdiff_t, const double*, const Moments&);
template void Block::add_row(const double*, std::ptrdiff_t, const double*, const Moments&);
template void Block::add_sparse_row(const float*, const std::int32_t*, std::ptrdiff_t, std::ptrdiff_t,
                                    const double*, const Moments&);
template void Block::add_sparse_row(const float*, const std::int64_t*, std::ptrdiff_t, std::ptrdiff_t,
                                    const double*, const Moments&);
template void Block::add_sparse_row(const double*, const std::int32_t*, std::ptrdiff_t, std::ptrdiff_t,
                                    const double*, const Moments&);
template void Block::add_sparse_row(const double*, const std::int64_t*, std::ptrdiff_t, std::ptrdiff_t,
                                    const double*, const Moments&);

}  // namespace classica
