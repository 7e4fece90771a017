// Views of arrays somebody else owns. Strides count elements, so row-major, column-major and sliced
// arrays are one type; with CLASSICA_CHECKED every index is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace classica {

inline void check_index([[maybe_unused]] std::ptrdiff_t index, [[maybe_unused]] std::ptrdiff_t size) {
#ifdef CLASSICA_CHECKED
  if (index < 0 || index >= size) throw std::out_of_range("a native array index is out of range");
#endif
}

template <class T>
struct Vector {
  T* data = nullptr;
  std::ptrdiff_t size = 0;
  std::ptrdiff_t stride = 1;

  T& operator[](std::ptrdiff_t i) const {
    check_index(i, size);
    return data[i * stride];
  }
};

template <class T>
struct Matrix {
  T* data = nullptr;
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t cols = 0;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t col_stride = 1;

  T& operator()(std::ptrdiff_t i, std::ptrdiff_t j) const {
    check_index(i, rows);
    check_index(j, cols);
    return data[i * row_stride + j * col_stride];
  }
  // A pointer to the start of row i; valid for cols elements when rows_are_contiguous().
  T* row(std::ptrdiff_t i) const {
    check_index(i, rows);
    return data + i * row_stride;
  }
  bool rows_are_contiguous() const { return col_stride == 1 || cols <= 1; }
};

// Compressed sparse rows. Index is int32 or int64, as SciPy chooses.
template <class T, class Index>
struct SparseRows {
  Vector<const T> values;
  Vector<const Index> columns;
  Vector<const Index> starts;  // rows + 1 entries
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t cols = 0;
};

// Every kind of rows a kernel is compiled for: DO(type) for each of them.
#define CLASSICA_FOR_EACH_ROWS_TYPE(DO) \
  DO(DenseFloat) DO(DenseDouble) DO(SparseFloat32) DO(SparseFloat64) DO(SparseDouble32) DO(SparseDouble64)

using DenseFloat = Matrix<const float>;
using DenseDouble = Matrix<const double>;
using SparseFloat32 = SparseRows<float, std::int32_t>;
using SparseFloat64 = SparseRows<float, std::int64_t>;
using SparseDouble32 = SparseRows<double, std::int32_t>;
using SparseDouble64 = SparseRows<double, std::int64_t>;

}  // namespace classica
