// The checks every input passes: each value finite and of bounded magnitude, and each index of a sparse
// matrix within the matrix.
#pragma once

#include <cstddef>

#include "classica/view.hpp"
#include "classica/words.hpp"

namespace classica {

struct ValueRule {
  double largest;  // |value| must not exceed it
  bool allow_nan;
};

// The index of the first value (in row-major order) that breaks the rule, or -1.
template <class T>
std::ptrdiff_t first_bad_value(Matrix<const T> X, ValueRule rule, int threads);

// What the structure of sparse rows is like. The first two can be worked with.
//   canonical:  columns strictly ascending in each row
//   unordered:  within bounds, but columns out of order or twice in a row
//   bad_start:  rows do not start at 0, fall, or end beyond the entries
//   bad_column: a column below 0 or beyond the last
//   bad_length: not one start for each row and one more
CLASSICA_WORDS(SparseForm, canonical, unordered, bad_start, bad_column, bad_length);

// A form, and the row (bad_start) or entry (bad_column) that has it first.
struct SparseCheck {
  SparseForm form;
  std::ptrdiff_t position;
};

// Looks at the structure alone, of which nothing is taken for granted.
template <class Index>
SparseCheck sparse_form(Vector<const Index> columns, Vector<const Index> starts, std::ptrdiff_t rows,
                        std::ptrdiff_t cols);

// Throws std::invalid_argument unless starts and columns describe rows x cols.
template <class T, class Index>
void check_sparse_structure(const SparseRows<T, Index>& X);

}  // namespace classica
