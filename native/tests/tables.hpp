// Tables that tests own, in every memory order a caller may hand over, and the sparse form of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "classica/view.hpp"

namespace classica::testing {

enum class Order { by_rows, by_columns, every_other, reversed };
inline constexpr Order all_orders[] = {Order::by_rows, Order::by_columns, Order::every_other,
                                       Order::reversed};

template <class T>
class Table {
 public:
  Table(std::ptrdiff_t rows, std::ptrdiff_t cols, Order order = Order::by_rows)
      : rows_(rows), cols_(cols), row_stride_(cols), col_stride_(1) {
    if (order == Order::by_columns) row_stride_ = 1, col_stride_ = rows;
    if (order == Order::every_other) row_stride_ = 4 * cols, col_stride_ = 2;
    if (order == Order::reversed) row_stride_ = -cols, col_stride_ = -1, start_ = rows * cols - 1;
    const std::ptrdiff_t room = order == Order::every_other ? 4 * rows * cols : rows * cols;
    // Gaps hold NaN: whoever reads one spoils its result.
    values_.assign(static_cast<std::size_t>(room), std::numeric_limits<T>::quiet_NaN());
  }

  T& operator()(std::ptrdiff_t i, std::ptrdiff_t j) { return values_[place(i, j)]; }
  T operator()(std::ptrdiff_t i, std::ptrdiff_t j) const { return values_[place(i, j)]; }
  std::ptrdiff_t rows() const { return rows_; }
  std::ptrdiff_t cols() const { return cols_; }

  Matrix<const T> view() const { return {values_.data() + start_, rows_, cols_, row_stride_, col_stride_}; }
  Matrix<T> view() { return {values_.data() + start_, rows_, cols_, row_stride_, col_stride_}; }

  template <class U = T>
  Table<U> copy(Order order) const {
    Table<U> made(rows_, cols_, order);
    for (std::ptrdiff_t i = 0; i < rows_; ++i)
      for (std::ptrdiff_t j = 0; j < cols_; ++j) made(i, j) = static_cast<U>((*this)(i, j));
    return made;
  }

 private:
  std::size_t place(std::ptrdiff_t i, std::ptrdiff_t j) const {
    return static_cast<std::size_t>(start_ + i * row_stride_ + j * col_stride_);
  }

  std::ptrdiff_t rows_, cols_, row_stride_, col_stride_, start_ = 0;
  std::vector<T> values_;
};

// The view a kernel takes.
template <class T>
Matrix<const T> rows_of(const Table<T>& table) {
  return table.view();
}

template <class T, class Index>
class SparseTable {
 public:
  explicit SparseTable(const Table<T>& table) : rows_(table.rows()), cols_(table.cols()) {
    for (std::ptrdiff_t i = 0; i < rows_; ++i) {
      for (std::ptrdiff_t j = 0; j < cols_; ++j) {
        if (table(i, j) == T{0}) continue;
        values_.push_back(table(i, j));
        columns_.push_back(static_cast<Index>(j));
      }
      starts_.push_back(static_cast<Index>(values_.size()));
    }
  }

  SparseRows<T, Index> view() const {
    return {whole(values_), whole(columns_), whole(starts_), rows_, cols_};
  }

 private:
  template <class U>
  static Vector<const U> whole(const std::vector<U>& values) {
    return {values.data(), static_cast<std::ptrdiff_t>(values.size())};
  }

  std::ptrdiff_t rows_, cols_;
  std::vector<T> values_;
  std::vector<Index> columns_, starts_{0};
};

// Uniform on [-1, 1), a multiple of 2^-52.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : bits_(seed) {}
  double operator()() { return static_cast<double>(static_cast<std::int64_t>(bits_()) >> 11) * 0x1p-52; }
  std::uint64_t bits() { return bits_(); }

 private:
  std::mt19937_64 bits_;
};

// Values that float32 holds exactly, so that both precisions can be compared bit by bit; about a third of
// them are zero, so that the sparse form is sparse.
inline Table<double> random_table(std::ptrdiff_t rows, std::ptrdiff_t cols, std::uint64_t seed) {
  RandomValues random(seed);
  Table<double> table(rows, cols);
  for (std::ptrdiff_t i = 0; i < rows; ++i)
    for (std::ptrdiff_t j = 0; j < cols; ++j)
      table(i, j) = random.bits() % 3 == 0 ? 0.0 : static_cast<float>(10.0 * random());
  return table;
}

}  // namespace classica::testing
