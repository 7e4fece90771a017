// A sparse matrix in compressed rows times a dense one. Each row is added up by itself in the order of its
// cells, so that batches and threads change no bit. Cost: O(stored cells * columns of the result).
#include <algorithm>

#include "classica/logistic.hpp"
#include "classica/parallel.hpp"

namespace classica {

template <class T, class Index>
void sparse_product(const SparseRows<T, Index>& X, Matrix<const double> M, int threads, Matrix<double> out) {
  const std::ptrdiff_t cells = static_cast<std::ptrdiff_t>(X.rows > 0 ? X.starts[X.rows] : 0);
  const std::ptrdiff_t per_row =
      std::max<std::ptrdiff_t>(cells * M.cols / std::max<std::ptrdiff_t>(X.rows, 1), 1);
  const std::ptrdiff_t chunk = std::max<std::ptrdiff_t>((std::ptrdiff_t{1} << 20) / per_row, 1);
  parallel_for(X.rows, chunk, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      double* sums = out.row(i);
      std::fill(sums, sums + M.cols, 0.0);
      for (std::ptrdiff_t k = X.starts[i]; k < static_cast<std::ptrdiff_t>(X.starts[i + 1]); ++k) {
        if (k % 4096 == 0) poll_interrupt();
        const double x = static_cast<double>(X.values[k]);
        const double* row = M.row(X.columns[k]);
        for (std::ptrdiff_t c = 0; c < M.cols; ++c) sums[c] += x * row[c];
      }
    }
  });
}

#define INSTANTIATE(T, Index) \
  template void sparse_product(const SparseRows<T, Index>&, Matrix<const double>, int, Matrix<double>);
INSTANTIATE(float, std::int32_t)
INSTANTIATE(float, std::int64_t)
INSTANTIATE(double, std::int32_t)
INSTANTIATE(double, std::int64_t)

}  // namespace classica
