#include "classica/finite.hpp"

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

template <class T, class Index>
void check_sparse_structure(const SparseRows<T, Index>& X) {
  const auto require = [](bool holds) {
    if (!holds)
      throw std::invalid_argument("X must be a well-formed sparse matrix, got indices out of range.");
  };
  require(X.rows >= 0 && X.starts.size == X.rows + 1 && X.columns.size == X.values.size);
  require(X.starts[0] == 0 && static_cast<std::ptrdiff_t>(X.starts[X.rows]) <= X.values.size);
  for (std::ptrdiff_t i = 0; i < X.rows; ++i) require(X.starts[i] <= X.starts[i + 1]);
  for (std::ptrdiff_t k = 0; k < X.columns.size; ++k) require(X.columns[k] >= 0 && X.columns[k] < X.cols);
}

template std::ptrdiff_t first_bad_value(Matrix<const float>, ValueRule, int);
template std::ptrdiff_t first_bad_value(Matrix<const double>, ValueRule, int);
template void check_sparse_structure(const SparseRows<float, std::int32_t>&);
template void check_sparse_structure(const SparseRows<float, std::int64_t>&);
template void check_sparse_structure(const SparseRows<double, std::int32_t>&);
template void check_sparse_structure(const SparseRows<double, std::int64_t>&);

}  // namespace classica
