// Counts, sums and sums of squares per group of rows, as double-double numbers (Dekker 1971; Ogita, Rump
// and Oishi 2005). Means and variances are differences of these, taken before rounding.
//
// Invariant: blocks of rows are cut by the shape alone and added in index order, so that threads change no
// bit; what is added can be taken away again without a trace. Cost: O(stored cells), about ten operations
// each.
#include "classica/moments.hpp"

#include <algorithm>
#include <cmath>
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
  explicit BlockMoments(const Moments& like)
      : values_(static_cast<std::size_t>(2 * like.groups + values_per_cell(like) * like.groups * like.cols)) {
    double* next = values_.data();
    const auto pair = [&](std::ptrdiff_t size, double*& high, double*& low) {
      high = next;
      low = high + size;
      next = low + size;
    };
    const std::ptrdiff_t cells = like.groups * like.cols;
    view_.groups = like.groups;
    view_.cols = like.cols;
    pair(like.groups, view_.counts_high, view_.counts_low);
    pair(cells, view_.sums_high, view_.sums_low);
    if (like.squares_high) pair(cells, view_.squares_high, view_.squares_low);
    if (like.absent_high) pair(cells, view_.absent_high, view_.absent_low);
  }
  static std::ptrdiff_t values_per_cell(const Moments& like) {
    return 2 + (like.squares_high ? 2 : 0) + (like.absent_high ? 2 : 0);
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
  if (total.absent_high)
    add_in_place(total.absent_high, total.absent_low, block.absent_high, block.absent_low, size);
}

std::ptrdiff_t checked_group(Vector<const std::int32_t> group, std::ptrdiff_t i, std::ptrdiff_t groups) {
  const std::ptrdiff_t g = group[i];
  if (g < 0 || g >= groups) throw std::out_of_range("a group code is out of range");
  return g;
}

// Puts a zero, which adds nothing, in place of each missing value, and counts it.
template <class T>
void take_out_missing(std::vector<T>& row, std::ptrdiff_t group, const double* weight, const Moments& out) {
  for (std::ptrdiff_t j = 0; j < out.cols; ++j) {
    T& value = row[static_cast<std::size_t>(j)];
    if (!std::isnan(value)) continue;
    value = 0;
    const std::ptrdiff_t k = group * out.cols + j;
    const double one[2] = {weight ? *weight : 1.0, 0.0};
    add_in_place(out.absent_high + k, out.absent_low + k, &one[0], &one[1], 1);
  }
}

// Rows of a column-major matrix are gathered first: the arithmetic, and so every bit, is the same.
template <class Level, class T>
void add_row(Matrix<const T> X, std::ptrdiff_t i, std::ptrdiff_t group, const double* weight,
             const Moments& out) {
  if (X.rows_are_contiguous() && !out.absent_high) {
    MomentsBlock<Level>::add_row(X.row(i), group, weight, out);
    return;
  }
  thread_local std::vector<T> row;
  row.resize(static_cast<std::size_t>(X.cols));
  for (std::ptrdiff_t j = 0; j < X.cols; ++j) row[static_cast<std::size_t>(j)] = X(i, j);
  if (out.absent_high) take_out_missing(row, group, weight, out);
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
  // Short blocks keep the rounding of the low parts small; yet a block does at least as much work on its
  // rows as on clearing and adding its own state.
  constexpr std::ptrdiff_t rows_at_most = 4096;
  const std::ptrdiff_t length = values_per_row(X);
  const std::ptrdiff_t block =
      std::max(std::min(rows_per_block(length), rows_at_most), out.groups * out.cols / length);
  at_active_level([&]<class Level>() {
    blocked_reduce(
        X.rows, block, out.groups * out.cols * BlockMoments::values_per_cell(out), threads,
        [&] { return BlockMoments(out); },
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

void settle(const Moments& moments, const std::uint8_t* constant) {
  for (std::ptrdiff_t k = 0; k < moments.groups * moments.cols; ++k) {
    const std::ptrdiff_t g = k / moments.cols;
    if (!constant[k] || !(moments.counts_high[g] > 0.0)) continue;
    const DoubleDouble count{moments.counts_high[g], moments.counts_low[g]};
    const double mean = divide<Base>({moments.sums_high[k], moments.sums_low[k]}, count).high;
    const DoubleDouble sum = multiply<Base>(count, {mean, 0.0});
    moments.sums_high[k] = sum.high;
    moments.sums_low[k] = sum.low;
    if (!moments.squares_high) continue;
    const DoubleDouble square = multiply<Base>(sum, {mean, 0.0});
    moments.squares_high[k] = square.high;
    moments.squares_low[k] = square.low;
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
      variances[k] = std::fabs(variance.high) > 1e-26 * square.high ? variance.high : 0.0;
    }
  }
}

#define INSTANTIATE(Rows)                                                                           \
  template void grouped_moments(const Rows&, Vector<const std::int32_t>, Vector<const double>, int, \
                                const Moments&);
CLASSICA_FOR_EACH_ROWS_TYPE(INSTANTIATE)

}  // namespace classica
