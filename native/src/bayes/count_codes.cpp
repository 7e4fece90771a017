// Counts of codes per class: the sufficient statistics of discrete naive Bayes. Sparse rows count their
// stored cells only, each moved from the code of zero to its own, and the code of zero is given the whole
// weight of the class in the end (own).
//
// Invariant: counts are double-double where there are weights, so that merging and forgetting rows leaves
// no trace; blocks of rows are added in index order. Cost: O(stored cells).
#include <cmath>
#include <stdexcept>
#include <vector>

#include "classica/coded_columns.hpp"
#include "classica/double_double.hpp"
#include "classica/reduce.hpp"
#include "coder.hpp"

namespace classica {
namespace {

// The counts of one block of rows; low parts only where there are weights.
struct BlockCounts {
  std::vector<double> high, low;
};

void check_groups(Vector<const std::int32_t> group, std::ptrdiff_t begin, std::ptrdiff_t end,
                  std::ptrdiff_t classes) {
  for (std::ptrdiff_t i = begin; i < end; ++i)
    if (group[i] < 0 || group[i] >= classes) throw std::out_of_range("a group code is out of range");
}

// Adds the weight of row i, or one, to a count.
class Adder {
 public:
  Adder(Vector<const double> weights, BlockCounts& counts) : weights_(weights), counts_(counts) {}

  void operator()(std::ptrdiff_t i, std::ptrdiff_t at, double sign = 1.0) const {
    const auto place = static_cast<std::size_t>(at);
    if (!weights_.size) {
      counts_.high[place] += sign;
      return;
    }
    const DoubleDouble sum = add({counts_.high[place], counts_.low[place]}, {sign * weights_[i], 0.0});
    counts_.high[place] = sum.high;
    counts_.low[place] = sum.low;
  }

 private:
  Vector<const double> weights_;
  BlockCounts& counts_;
};

// Column by column: one coder at a time, and the block stays in the cache.
template <class T>
void add_rows(Matrix<const T> X, const CodedColumns& columns, const std::vector<Coder>& coders,
              Vector<const std::int32_t> group, const Adder& add_to, std::ptrdiff_t begin,
              std::ptrdiff_t end) {
  const std::ptrdiff_t slots = columns.slots();
  for (std::ptrdiff_t k = 0; k < columns.count; ++k) {
    const Coder& coder = coders[static_cast<std::size_t>(k)];
    const std::ptrdiff_t first = columns.first_slot(k);
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      const double x = static_cast<double>(X(i, columns.columns[k]));
      if (!std::isnan(x)) add_to(i, group[i] * slots + first + coder(x));
    }
  }
}

// Stored values only: each leaves the code of zero, which every cell is given in the end, for its own.
template <class T, class Index>
void add_rows(const SparseRows<T, Index>& X, const CodedColumns& columns, const std::vector<Coder>& coders,
              Vector<const std::int32_t> group, const Adder& add_to, std::ptrdiff_t begin,
              std::ptrdiff_t end) {
  const std::ptrdiff_t slots = columns.slots();
  for (std::ptrdiff_t i = begin; i < end; ++i)
    for (std::ptrdiff_t p = X.starts[i]; p < static_cast<std::ptrdiff_t>(X.starts[i + 1]); ++p) {
      const std::ptrdiff_t k = X.columns[p], first = group[i] * slots + columns.first_slot(k);
      const Coder& coder = coders[static_cast<std::size_t>(k)];
      const double x = static_cast<double>(X.values[p]);
      add_to(i, first + coder(0.0), -1.0);
      if (!std::isnan(x)) add_to(i, first + coder(x));
    }
}

template <class T>
void add_zeros(Matrix<const T>, const CodedColumns&, const std::vector<Coder>&, Vector<const std::int32_t>,
               Vector<const double>, std::ptrdiff_t, double*, double*) {}

// Gives the code of zero to every cell: the class's weight in every column.
template <class T, class Index>
void add_zeros(const SparseRows<T, Index>& X, const CodedColumns& columns, const std::vector<Coder>& coders,
               Vector<const std::int32_t> group, Vector<const double> weights, std::ptrdiff_t classes,
               double* high, double* low) {
  std::vector<DoubleDouble> totals(static_cast<std::size_t>(classes));
  for (std::ptrdiff_t i = 0; i < X.rows; ++i) {
    DoubleDouble& total = totals[static_cast<std::size_t>(group[i])];
    total = add(total, {weights.size ? weights[i] : 1.0, 0.0});
  }
  for (std::ptrdiff_t c = 0; c < classes; ++c)
    for (std::ptrdiff_t k = 0; k < columns.count; ++k) {
      const Coder& coder = coders[static_cast<std::size_t>(k)];
      const std::ptrdiff_t at = c * columns.slots() + columns.first_slot(k) + coder(0.0);
      const DoubleDouble sum = add({high[at], low[at]}, totals[static_cast<std::size_t>(c)]);
      high[at] = sum.high;
      low[at] = sum.low;
    }
}

}  // namespace

template <class Rows>
void count_codes(const Rows& X, const CodedColumns& columns, Vector<const std::int32_t> group,
                 Vector<const double> weights, std::ptrdiff_t classes, int threads, double* high,
                 double* low) {
  const std::vector<Coder> coders = coders_of(columns);
  const std::ptrdiff_t size = classes * columns.slots();
  // A block's rows stay in the cache, and outweigh the clearing and adding of its counts.
  const std::ptrdiff_t width = std::max<std::ptrdiff_t>(X.cols, 1);
  const std::ptrdiff_t block = std::max(rows_per_block(width) / 16, size / width) + 1;
  blocked_reduce(
      X.rows, block, 2 * size, threads,
      [&] {
        const auto length = static_cast<std::size_t>(size);
        return BlockCounts{std::vector<double>(length), std::vector<double>(weights.size ? length : 0)};
      },
      [&](BlockCounts& state, std::ptrdiff_t begin, std::ptrdiff_t end) {
        check_groups(group, begin, end, classes);
        add_rows(X, columns, coders, group, Adder(weights, state), begin, end);
      },
      [&](const BlockCounts& state) {
        for (std::ptrdiff_t at = 0; at < size; ++at) {
          const auto place = static_cast<std::size_t>(at);
          const DoubleDouble sum =
              add({high[at], low[at]}, {state.high[place], state.low.empty() ? 0.0 : state.low[place]});
          high[at] = sum.high;
          low[at] = sum.low;
        }
      });
  add_zeros(X, columns, coders, group, weights, classes, high, low);
}

#define INSTANTIATE(Rows)                                                                 \
  template void count_codes(const Rows&, const CodedColumns&, Vector<const std::int32_t>, \
                            Vector<const double>, std::ptrdiff_t, int, double*, double*);
CLASSICA_FOR_EACH_ROWS_TYPE(INSTANTIATE)

}  // namespace classica
