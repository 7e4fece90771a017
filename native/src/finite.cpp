#include "classica/finite.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

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

// Branch-free, so that the compiler can use vectors: the search for the place comes only when needed.
template <bool allow_nan, class T>
bool any_bad(const T* values, std::ptrdiff_t count, T largest) {
  std::int32_t bad = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const T magnitude = std::abs(values[i]);
    bad |= allow_nan ? magnitude > largest : !(magnitude <= largest);
  }
  return bad != 0;
}

template <class T>
bool row_is_bad(Matrix<const T> X, std::ptrdiff_t i, ValueRule rule, T largest) {
  if (!X.rows_are_contiguous()) {
    for (std::ptrdiff_t j = 0; j < X.cols; ++j)
      if (is_bad(X(i, j), rule)) return true;
    return false;
  }
  return rule.allow_nan ? any_bad<true>(X.row(i), X.cols, largest)
                        : any_bad<false>(X.row(i), X.cols, largest);
}

// A column-major matrix is searched through its transpose: fast when all is well, and when not, the
// row-major search that names the place is worth its time.
template <class T>
bool has_bad_value(Matrix<const T> X, ValueRule rule, int threads) {
  const T largest = static_cast<T>(rule.largest);
  std::atomic<bool> found{false};
  parallel_for(X.rows, rows_per_block(X.cols), threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t i = begin; i < end && !found.load(std::memory_order_relaxed); ++i)
      if (row_is_bad(X, i, rule, largest)) found = true;
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
  require(X.starts.size == X.rows + 1 && X.columns.size == X.values.size);
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
