// One uniform number per row, keyed by the seed and the row's content: the same row draws the same
// number in any batch, in any order, dense or sparse, in float32 or float64.
#pragma once

#include <cstdint>

#include "classica/view.hpp"

namespace classica {

// Rows is Matrix<const T> or SparseRows<T, Index>.
template <class Rows>
void row_draws(const Rows& X, std::uint64_t seed, int threads, Vector<double> out);

}  // namespace classica
