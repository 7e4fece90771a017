// The check every input passes: each value finite and of bounded magnitude.
#pragma once

#include <cstddef>

#include "classica/view.hpp"

namespace classica {

struct ValueRule {
  double largest;  // |value| must not exceed it
  bool allow_nan;
};

// The index of the first value (in row-major order) that breaks the rule, or -1.
template <class T>
std::ptrdiff_t first_bad_value(Matrix<const T> X, ValueRule rule, int threads);

// Throws std::invalid_argument unless starts and columns describe rows x cols.
template <class T, class Index>
void check_sparse_structure(const SparseRows<T, Index>& X);

}  // namespace classica
