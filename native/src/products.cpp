// Sums of products of every two columns per group of rows, without loss (docs/decisions/0020): panels of at
// most 128 rows in strips of columns, tile by tile through `ProductBlock`, and scatter matrices as
// differences in double-double.
//
// Invariant: the start of a tile's sums is a power of two that their products cannot exceed, so that the
// rounding of each product is caught exactly; panels and blocks are the same at every level and for any
// number of threads. A scatter below 1e-26 of the sum of squares is zero. Cost: O(rows * columns^2), four
// operations a product.
#include "classica/products.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "classica/double_double.hpp"
#include "classica/level.hpp"
#include "classica/reduce.hpp"
#include "level/product_block.hpp"

namespace classica {
namespace {

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

// A power of two that `value` stays below; far from underflow when squared.
double bound_above(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent, -480));
}

// A tile of sums: `width` times `width` highs, then as many lows.
template <class Level>
constexpr std::ptrdiff_t tile_size = 2 * ProductBlock<Level>::width * ProductBlock<Level>::width;

std::ptrdiff_t triangle(std::ptrdiff_t size) { return size * (size + 1) / 2; }

// Some rows of one group, as the kernel wants them: columns in strips of `width`, each strip row by row.
// With weights there are two more copies: the weighted values, and what their rounding left.
template <class Level>
class Panel {
  using Block = ProductBlock<Level>;
  static constexpr std::ptrdiff_t width = Block::width;
  // Strips a power of two apart would compete for the same places of the cache.
  static constexpr std::ptrdiff_t strip_size = (Block::panel_rows + 2) * width;

 public:
  // Columns that `fill` does not set hold ones.
  Panel(std::ptrdiff_t cols, bool weighted) : cols_(cols), strips_((cols + width - 1) / width) {
    const std::size_t size = room(strips_ * strip_size);
    plain_.assign(size, 1.0);
    plain_bounds_.resize(room(strips_ * width));
    if (!weighted) return;
    weighted_.resize(size);
    rest_.resize(size);
    weighted_bounds_ = plain_bounds_;
  }

  template <class T>
  void fill(Matrix<const T> X, const std::int32_t* rows, std::ptrdiff_t count, Vector<const double> weights) {
    rows_ = count;
    constexpr std::ptrdiff_t ahead =
        4;  // rows of a group lie apart, so the machine cannot guess the next one
    for (std::ptrdiff_t r = 0; r < count; ++r) {
      if (r + ahead < count) fetch_row(X, rows[r + ahead]);
      copy_row(X, rows[r], r);
    }
    set_bounds(plain_, plain_bounds_);
    if (weighted_.empty()) return;
    for (std::ptrdiff_t r = 0; r < count; ++r) {
      for (std::ptrdiff_t j = 0; j < cols_; ++j) {
        const DoubleDouble product = two_product<Level>(weights[rows[r]], plain_[at(r, j)]);
        weighted_[at(r, j)] = product.high;
        rest_[at(r, j)] = product.low;
      }
    }
    set_bounds(weighted_, weighted_bounds_);
  }

  // Adds the products of the panel's rows to the tiles of one group.
  void add_to(double* tiles) const {
    const bool weighted = !weighted_.empty();
    for (std::ptrdiff_t i = 0; i < strips_; ++i) {
      for (std::ptrdiff_t j = 0; j <= i; ++j, tiles += tile_size<Level>) {
        Block::add_tile(strip(plain_, i), strip(weighted ? weighted_ : plain_, j), strip(rest_, j), rows_,
                        plain_bounds_.data() + i * width,
                        (weighted ? weighted_bounds_ : plain_bounds_).data() + j * width, tiles,
                        tiles + width * width);
      }
    }
  }

 private:
  std::size_t at(std::ptrdiff_t row, std::ptrdiff_t col) const {
    return room((col / width) * strip_size + row * width + col % width);
  }
  const double* strip(const std::vector<double>& values, std::ptrdiff_t k) const {
    return values.empty() ? nullptr : values.data() + k * strip_size;
  }

  void set_bounds(const std::vector<double>& values, std::vector<double>& bounds) const {
    for (std::ptrdiff_t k = 0; k < strips_; ++k) {
      double largest[width] = {};
      const double* from = strip(values, k);
      for (std::ptrdiff_t r = 0; r < rows_ * width; r += width)
        for (std::ptrdiff_t c = 0; c < width; ++c) largest[c] = std::max(largest[c], std::fabs(from[r + c]));
      for (std::ptrdiff_t c = 0; c < width; ++c) bounds[room(k * width + c)] = bound_above(largest[c]);
    }
  }

  template <class T>
  static void fetch_row(Matrix<const T> X, std::ptrdiff_t row) {
    if (!X.rows_are_contiguous()) return;
    const char* from = reinterpret_cast<const char*>(X.row(row));
    for (std::ptrdiff_t at = 0; at < X.cols * static_cast<std::ptrdiff_t>(sizeof(T)); at += 64)
      __builtin_prefetch(from + at);
  }

  template <class T>
  void copy_row(Matrix<const T> X, std::ptrdiff_t from, std::ptrdiff_t to) {
    double* out = plain_.data() + to * width;
    std::ptrdiff_t j = 0;
    if (X.rows_are_contiguous()) {
      const T* row = X.row(from);
      for (; j + width <= X.cols; j += width, out += strip_size)
        for (std::ptrdiff_t c = 0; c < width; ++c) out[c] = static_cast<double>(row[j + c]);
    }
    for (; j < X.cols; ++j) plain_[at(to, j)] = static_cast<double>(X(from, j));
  }

  std::ptrdiff_t cols_, strips_, rows_ = 0;
  std::vector<double> plain_, weighted_, rest_, plain_bounds_, weighted_bounds_;
};

// The rows of a block, sorted by group: rows[starts[g]] to rows[starts[g + 1]].
struct RowsByGroup {
  std::vector<std::int32_t> rows;
  std::vector<std::ptrdiff_t> starts;

  RowsByGroup(Vector<const std::int32_t> group, std::ptrdiff_t groups, std::ptrdiff_t begin,
              std::ptrdiff_t end)
      : rows(room(end - begin)), starts(room(groups + 1)) {
    const auto group_of = [&](std::ptrdiff_t i) { return group.size ? std::ptrdiff_t{group[i]} : 0; };
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      if (group_of(i) < 0 || group_of(i) >= groups) throw std::out_of_range("a group code is out of range");
      ++starts[room(group_of(i) + 1)];
    }
    for (std::ptrdiff_t g = 0; g < groups; ++g) starts[room(g + 1)] += starts[room(g)];
    std::vector<std::ptrdiff_t> next(starts.begin(), starts.end() - 1);
    for (std::ptrdiff_t i = begin; i < end; ++i)
      rows[room(next[room(group_of(i))]++)] = static_cast<std::int32_t>(i - begin);
  }
};

// The sums of one block of rows: for each group the lower triangle of tiles, row by row.
template <class Level>
struct BlockProducts {
  static constexpr std::ptrdiff_t width = ProductBlock<Level>::width;

  std::ptrdiff_t groups = 0, cols = 0;
  std::vector<double> values;

  BlockProducts() = default;
  BlockProducts(std::ptrdiff_t groups, std::ptrdiff_t cols)
      : groups(groups), cols(cols), values(room(groups * size())) {}

  std::ptrdiff_t size() const { return triangle((cols + width - 1) / width) * tile_size<Level>; }
  double* of_group(std::ptrdiff_t g) { return values.data() + g * size(); }

  void add_to(const Products& out) const {
    for (std::ptrdiff_t g = 0; g < groups; ++g) {
      for (std::ptrdiff_t i = 0; i < cols; ++i) {
        for (std::ptrdiff_t j = 0; j <= i; ++j) {
          const double* tile =
              values.data() + g * size() + (triangle(i / width) + j / width) * tile_size<Level>;
          const std::ptrdiff_t place = (i % width) * width + j % width;
          const std::ptrdiff_t pair = g * out.pairs() + triangle(i) + j;
          const DoubleDouble sum =
              add({out.high[pair], out.low[pair]}, {tile[place], tile[width * width + place]});
          out.high[pair] = sum.high;
          out.low[pair] = sum.low;
        }
      }
    }
  }
};

template <class Level, class T>
void add_rows(Matrix<const T> X, Vector<const std::int32_t> group, Vector<const double> weights,
              std::ptrdiff_t begin, std::ptrdiff_t end, BlockProducts<Level>& out) {
  const RowsByGroup sorted(group, out.groups, begin, end);
  const Matrix<const T> block{X.data + begin * X.row_stride, end - begin, X.cols, X.row_stride, X.col_stride};
  const Vector<const double> block_weights{weights.data + begin * weights.stride,
                                           weights.size ? end - begin : 0, weights.stride};
  Panel<Level> panel(out.cols, weights.size > 0);
  for (std::ptrdiff_t g = 0; g < out.groups; ++g) {
    for (std::ptrdiff_t at = sorted.starts[room(g)]; at < sorted.starts[room(g + 1)];
         at += ProductBlock<Level>::panel_rows) {
      poll_interrupt();
      const std::ptrdiff_t count = std::min(ProductBlock<Level>::panel_rows, sorted.starts[room(g + 1)] - at);
      panel.fill(block, sorted.rows.data() + at, count, block_weights);
      panel.add_to(out.of_group(g));
    }
  }
}

// sum_i * sum_j / count of one group.
DoubleDouble mean_product(const Moments& moments, std::ptrdiff_t group, std::ptrdiff_t i, std::ptrdiff_t j) {
  const auto sum = [&](std::ptrdiff_t col) {
    const std::ptrdiff_t at = group * moments.cols + col;
    return DoubleDouble{moments.sums_high[at], moments.sums_low[at]};
  };
  const DoubleDouble count{moments.counts_high[group], moments.counts_low[group]};
  // Dividing first keeps large sums from overflowing.
  return multiply<Base>(divide<Base>(sum(i), count), sum(j));
}

void mirror_and_clear(const Products& products, std::ptrdiff_t group, double* matrix) {
  const std::ptrdiff_t d = products.cols;
  const double* about_zero = products.high + group * products.pairs();
  std::vector<char> constant(room(d));
  for (std::ptrdiff_t i = 0; i < d; ++i)
    constant[room(i)] = std::fabs(matrix[i * d + i]) <= 1e-26 * about_zero[i * (i + 1) / 2 + i];
  for (std::ptrdiff_t i = 0; i < d; ++i) {
    for (std::ptrdiff_t j = 0; j <= i; ++j) {
      if (constant[room(i)] || constant[room(j)]) matrix[i * d + j] = 0.0;
      matrix[j * d + i] = matrix[i * d + j];
    }
  }
}

}  // namespace

template <class T>
void grouped_products(Matrix<const T> X, Vector<const std::int32_t> group, Vector<const double> weights,
                      int threads, const Products& out) {
  // A block does many times the work on its rows that it does on adding up its triangles.
  const std::ptrdiff_t block =
      std::max(std::min<std::ptrdiff_t>(rows_per_block(X.cols), 16384), 64 * out.groups);
  at_widest_level([&]<class Level>() {
    using State = BlockProducts<Level>;
    blocked_reduce(
        X.rows, block, out.groups * State(0, out.cols).size(), threads,
        [&] { return State(out.groups, out.cols); },
        [&](State& state, std::ptrdiff_t begin, std::ptrdiff_t end) {
          add_rows<Level>(X, group, weights, begin, end, state);
        },
        [&](const State& state) { state.add_to(out); });
  });
}

void scatter_matrices(const Moments& moments, const Products& products, double* out) {
  const std::ptrdiff_t d = products.cols, each = moments.groups / products.groups;
  for (std::ptrdiff_t p = 0; p < products.groups; ++p) {
    double* matrix = out + p * d * d;
    for (std::ptrdiff_t i = 0; i < d; ++i) {
      poll_interrupt();
      for (std::ptrdiff_t j = 0; j <= i; ++j) {
        const std::ptrdiff_t pair = p * products.pairs() + i * (i + 1) / 2 + j;
        DoubleDouble scatter{products.high[pair], products.low[pair]};
        for (std::ptrdiff_t g = p * each; g < (p + 1) * each; ++g)
          if (moments.counts_high[g] > 0.0) scatter = add(scatter, negate(mean_product(moments, g, i, j)));
        matrix[i * d + j] = scatter.high;
      }
    }
    mirror_and_clear(products, p, matrix);
  }
}

template void grouped_products(Matrix<const float>, Vector<const std::int32_t>, Vector<const double>, int,
                               const Products&);
template void grouped_products(Matrix<const double>, Vector<const std::int32_t>, Vector<const double>, int,
                               const Products&);

}  // namespace classica
