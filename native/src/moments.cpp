#include "classica/moments.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "classica/double_double.hpp"
#include "classica/level.hpp"
#include "classica/reduce.hpp"
#include "level/moments_block.hpp"

namespace classica {
namespace {

// The statistics of one block of rows, in one allocation.
class BlockMoments {
 public:
  BlockMoments() = default;
  BlockMoments(std::ptrdiff_t groups, std::ptrdiff_t cols, bool squares)
      : values_(static_cast<std::size_t>(groups * (2 + cols * (squares ? 4 : 2)))) {
    double* counts = values_.data();
    double* sums = counts + 2 * groups;
    view_ = {groups, cols, counts, counts + groups, sums, sums + groups * cols, nullptr, nullptr};
    if (!squares) return;
    view_.squares_high = view_.sums_low + groups * cols;
    view_.squares_low = view_.squares_high + groups * cols;
  }
  const Moments& view() const { return view_; }

 private:
  std::vector<double> values_;
  Moments view_;
};

void add_in_place(double* high, double* low, const double* other_high, const double* other_low,
                  std::ptrdiff_t size) {
  for (std::ptrdiff_t k = 0; k < size; ++k) {
    const DoubleDouble sum = add({high[k], low[k]}, {other_high[k], other_low[k]});
    high[k] = sum.high;
    low[k] = sum.low;
  }
}

void combine(const Moments& total, const Moments& block) {
  add_in_place(total.counts_high, total.counts_low, block.counts_high, block.counts_low, total.groups);
  const std::ptrdiff_t size = total.groups * total.cols;
  add_in_place(total.sums_high, total.sums_low, block.sums_high, block.sums_low, size);
  if (total.squares_high)
    add_in_place(total.squares_high, total.squares_low, block.squares_high, block.squares_low, size);
}

std::ptrdiff_t checked_group(Vector<const std::int32_t> group, std::ptrdiff_t i, std::ptrdiff_t groups) {
  const std::ptrdiff_t g = group[i];
  if (g < 0 || g >= groups) throw std::out_of_range("a group code is out of range");
  return g;
}

// Rows of a column-major matrix are gathered first: the arithmetic, and so every bit, is the same.
template <class Level, class T>
void add_row(Matrix<const T> X, std::ptrdiff_t i, std::ptrdiff_t group, const double* weight,
             const Moments& out) {
  if (X.rows_are_contiguous()) {
    MomentsBlock<Level>::add_row(X.row(i), group, weight, out);
    return;
  }
  thread_local std::vector<T> row;
  row.resize(static_cast<std::size_t>(X.cols));
  for (std::ptrdiff_t j = 0; j < X.cols; ++j) row[static_cast<std::size_t>(j)] = X(i, j);
  MomentsBlock<Level>::add_row(row.data(), group, weight, out);
}

template <class Level, class T, class Index>
void add_row(const SparseRows<T, Index>& X, std::ptrdiff_t i, std::ptrdiff_t group, const double* weight,
             const Moments& out) {
  const std::ptrdiff_t begin = X.starts[i], end = X.starts[i + 1];
  MomentsBlock<Level>::add_sparse_row(X.values.data + begin, X.columns.data + begin, end - begin, group,
                                      weight, out);
}

template <class T>
std::ptrdiff_t values_per_row(const Matrix<const T>& X) {
  return std::max<std::ptrdiff_t>(X.cols, 1);
}
template <class T, class Index>
std::ptrdiff_t values_per_row(const SparseRows<T, Index>& X) {
  return X.values.size / std::max<std::ptrdiff_t>(X.rows, 1) + 1;
}

// Both parts: the sum of fractional weights is no double.
DoubleDouble count_of(const Moments& moments, std::ptrdiff_t group) {
  return {moments.counts_high[group], moments.counts_low[group]};
}

}  // namespace

template <class Rows>
void grouped_moments(const Rows& X, Vector<const std::int32_t> group, Vector<const double> weights,
                     int threads, const Moments& out) {
  const bool squares = out.squares_high != nullptr;
  // Short blocks keep the rounding of the low parts small; yet a block does at least as much work on its
  // rows as on clearing and adding its own state.
  constexpr std::ptrdiff_t rows_at_most = 4096;
  const std::ptrdiff_t length = values_per_row(X);
  const std::ptrdiff_t block =
      std::max(std::min(rows_per_block(length), rows_at_most), out.groups * out.cols / length);
  at_active_level([&]<class Level>() {
    blocked_reduce(
        X.rows, block, out.groups * out.cols * (squares ? 4 : 2), threads,
        [&] { return BlockMoments(out.groups, out.cols, squares); },
        [&](BlockMoments& state, std::ptrdiff_t begin, std::ptrdiff_t end) {
          for (std::ptrdiff_t i = begin; i < end; ++i)
            add_row<Level>(X, i, checked_group(group, i, out.groups), weights.size ? &weights[i] : nullptr,
                           state.view());
        },
        [&](const BlockMoments& state) { combine(out, state.view()); });
  });
}

void add_double_doubles(const double* a, const double* b, double sign, std::ptrdiff_t size, double* out) {
  for (std::ptrdiff_t k = 0; k < size; ++k) {
    const DoubleDouble sum = add({a[k], a[size + k]}, {sign * b[k], sign * b[size + k]});
    out[k] = sum.high;
    out[size + k] = sum.low;
  }
}

void mean_pairs(const Moments& moments, double* out) {
  const std::ptrdiff_t size = moments.groups * moments.cols;
  for (std::ptrdiff_t k = 0; k < size; ++k) {
    const DoubleDouble count = count_of(moments, k / moments.cols);
    DoubleDouble mean;
    if (count.high > 0.0) mean = divide<Base>({moments.sums_high[k], moments.sums_low[k]}, count);
    out[k] = mean.high;
    out[size + k] = mean.low;
  }
}

void means_and_variances(const Moments& moments, double* means, double* variances) {
  for (std::ptrdiff_t g = 0; g < moments.groups; ++g) {
    const DoubleDouble count = count_of(moments, g);
    for (std::ptrdiff_t k = g * moments.cols; k < (g + 1) * moments.cols; ++k) {
      means[k] = 0.0;
      if (variances) variances[k] = 0.0;
      if (count.high <= 0.0) continue;
      const DoubleDouble mean = divide<Base>({moments.sums_high[k], moments.sums_low[k]}, count);
      means[k] = mean.high;
      if (!variances) continue;
      const DoubleDouble square = divide<Base>({moments.squares_high[k], moments.squares_low[k]}, count);
      const DoubleDouble variance = add(square, negate(multiply<Base>(mean, mean)));
      // What is left below the resolution of the sums is rounding: the column is constant in its group.
      variances[k] = variance.high > 1e-26 * square.high ? variance.high : 0.0;
    }
  }
}

#define INSTANTIATE(Rows)                                                                           \
  template void grouped_moments(const Rows&, Vector<const std::int32_t>, Vector<const double>, int, \
                                const Moments&);
CLASSICA_FOR_EACH_ROWS_TYPE(INSTANTIATE)

}  // namespace classica
