// The checks every input passes. Values are scanned without branches, in a mask as wide as they are, so
// that the compiler uses vector registers; only if some value is bad its place is searched for. Columns of
// sparse rows are counted where they fall, and compared with the falls between rows (own).
//
// Invariant: the first bad value in row-major order is reported, whatever the order of memory and the
// number of threads. Cost: one pass at the speed of memory.
#include "classica/finite.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "classica/parallel.hpp"
#include "classica/reduce.hpp"

namespace classica {
namespace {

template <class T>
bool is_bad(T value, ValueRule rule) {
  const T magnitude = std::abs(value);
  const T largest = static_cast<T>(rule.largest);
  return rule.allow_nan ? magnitude > largest : !(magnitude <= largest);
}

// Branch-free with a mask as wide as the values, so that the compiler can use vectors: the search for the
// place comes only when needed.
template <bool allow_nan, class T>
bool any_bad(const T* values, std::ptrdiff_t count, T largest) {
  using Mask = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  Mask bad = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const T magnitude = std::abs(values[i]);
    const bool good = allow_nan ? !(magnitude > largest) : magnitude <= largest;
    bad |= good ? Mask{0} : Mask{-1};
  }
  return bad != 0;
}

template <class T>
bool rows_are_bad(Matrix<const T> X, std::ptrdiff_t begin, std::ptrdiff_t end, ValueRule rule) {
  const auto bad = [&](const T* values, std::ptrdiff_t count) {
    const T largest = static_cast<T>(rule.largest);
    return rule.allow_nan ? any_bad<true>(values, count, largest) : any_bad<false>(values, count, largest);
  };
  if (X.rows_are_contiguous() && X.row_stride == X.cols) return bad(X.row(begin), (end - begin) * X.cols);
  for (std::ptrdiff_t i = begin; i < end; ++i) {
    if (X.rows_are_contiguous()) {
      if (bad(X.row(i), X.cols)) return true;
    } else {
      for (std::ptrdiff_t j = 0; j < X.cols; ++j)
        if (is_bad(X(i, j), rule)) return true;
    }
  }
  return false;
}

template <class T>
bool has_bad_value(Matrix<const T> X, ValueRule rule, int threads) {
  std::atomic<bool> found{false};
  const std::ptrdiff_t block = std::max<std::ptrdiff_t>(rows_per_block(X.cols) / 16, 1);
  parallel_for(X.rows, block, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    if (!found.load(std::memory_order_relaxed) && rows_are_bad(X, begin, end, rule)) found = true;
  });
  return found;
}

template <class T>
std::ptrdiff_t search(Matrix<const T> X, ValueRule rule) {
  for (std::ptrdiff_t i = 0; i < X.rows; ++i) {
    for (std::ptrdiff_t j = 0; j < X.cols; ++j)
      if (is_bad(X(i, j), rule)) return i * X.cols + j;
    if (i % 4096 == 0) poll_interrupt();
  }
  return -1;
}

// Entries of a sparse matrix between two looks at the interrupt.
constexpr std::ptrdiff_t entries_per_block = std::ptrdiff_t{1} << 20;

// Branch-free as any_bad; as unsigned numbers, negative columns lie beyond the last.
template <class Index>
bool any_outside(const Index* columns, std::ptrdiff_t count, std::ptrdiff_t cols) {
  using Unsigned = std::make_unsigned_t<Index>;
  // All indices of a type are below the columns of a wider matrix, but for the negative ones.
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Index>::max()) + 1;
  const auto limit = static_cast<Unsigned>(std::min(static_cast<std::uint64_t>(cols), most));
  Unsigned bad = 0;
  for (std::ptrdiff_t k = 0; k < count; ++k) bad |= static_cast<Unsigned>(columns[k]) >= limit ? 1 : 0;
  return bad != 0;
}

template <class Index>
std::ptrdiff_t first_outside(Vector<const Index> columns, std::ptrdiff_t k, std::ptrdiff_t cols) {
  while (columns[k] >= 0 && columns[k] < cols) ++k;
  return k;
}

// How many columns are not above the one before.
template <class Index>
std::ptrdiff_t count_falls(const Index* columns, std::ptrdiff_t count) {
  std::make_unsigned_t<Index> falls = 0;  // as wide as the columns, so that vectors hold both
  for (std::ptrdiff_t k = 1; k < count; ++k) falls += columns[k] <= columns[k - 1] ? 1 : 0;
  return static_cast<std::ptrdiff_t>(falls);
}

// The same between the last entry of a row and the first of the next: where rows may fall.
template <class Index>
std::ptrdiff_t falls_between_rows(Vector<const Index> columns, Vector<const Index> starts,
                                  std::ptrdiff_t rows) {
  std::ptrdiff_t falls = 0;
  const auto entries = static_cast<std::ptrdiff_t>(starts[rows]);
  for (std::ptrdiff_t i = 1; i < rows; ++i) {
    const auto start = static_cast<std::ptrdiff_t>(starts[i]);
    const bool is_border = start > 0 && start < entries && starts[i] != starts[i - 1];
    if (is_border && columns[start] <= columns[start - 1]) ++falls;
  }
  return falls;
}

}  // namespace

template <class T>
std::ptrdiff_t first_bad_value(Matrix<const T> X, ValueRule rule, int threads) {
  // Infinity is never allowed; in float32 the bound itself may lie beyond the largest number.
  constexpr double largest_finite = std::numeric_limits<T>::max();
  rule.largest = std::min(rule.largest, largest_finite);
  // A column-major matrix is scanned through its transpose; only the search for the place is row by row.
  const bool transpose = !X.rows_are_contiguous() && X.row_stride == 1;
  const Matrix<const T> order =
      transpose ? Matrix<const T>{X.data, X.cols, X.rows, X.col_stride, X.row_stride} : X;
  return has_bad_value(order, rule, threads) ? search(X, rule) : -1;
}

template <class Index>
SparseCheck sparse_form(Vector<const Index> columns, Vector<const Index> starts, std::ptrdiff_t rows,
                        std::ptrdiff_t cols) {
  if (rows < 0 || starts.size != rows + 1) return {SparseForm::bad_length, 0};
  if (starts[0] != 0) return {SparseForm::bad_start, 0};
  for (std::ptrdiff_t i = 0; i < rows; ++i)
    if (starts[i] > starts[i + 1] || starts[i + 1] > columns.size) return {SparseForm::bad_start, i};
  const auto entries = static_cast<std::ptrdiff_t>(starts[rows]);
  std::ptrdiff_t falls = 0;
  for (std::ptrdiff_t begin = 0; begin < entries; begin += entries_per_block) {
    const std::ptrdiff_t end = std::min(begin + entries_per_block, entries);
    if (any_outside(columns.data + begin, end - begin, cols))
      return {SparseForm::bad_column, first_outside(columns, begin, cols)};
    falls += count_falls(columns.data + begin, std::min(end + 1, entries) - begin);
    poll_interrupt();
  }
  return {falls == falls_between_rows(columns, starts, rows) ? SparseForm::canonical : SparseForm::unordered,
          0};
}

template <class T, class Index>
void check_sparse_structure(const SparseRows<T, Index>& X) {
  const bool sound = X.columns.size == X.values.size &&
                     sparse_form(X.columns, X.starts, X.rows, X.cols).form <= SparseForm::unordered;
  if (!sound) throw std::invalid_argument("X must be a well-formed sparse matrix, got indices out of range.");
}

template std::ptrdiff_t first_bad_value(Matrix<const float>, ValueRule, int);
template std::ptrdiff_t first_bad_value(Matrix<const double>, ValueRule, int);
template SparseCheck sparse_form(Vector<const std::int32_t>, Vector<const std::int32_t>, std::ptrdiff_t,
                                 std::ptrdiff_t);
template SparseCheck sparse_form(Vector<const std::int64_t>, Vector<const std::int64_t>, std::ptrdiff_t,
                                 std::ptrdiff_t);
template void check_sparse_structure(const SparseRows<float, std::int32_t>&);
template void check_sparse_structure(const SparseRows<float, std::int64_t>&);
template void check_sparse_structure(const SparseRows<double, std::int32_t>&);
template void check_sparse_structure(const SparseRows<double, std::int64_t>&);

}  // namespace classica
