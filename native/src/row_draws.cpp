// A uniform number per row, keyed by its content: cells are hashed with their column by the finaliser of
// SplitMix64 (Steele, Lea and Flood 2014) and summed, and Philox turns seed and sum into the number.
//
// Invariant: zeros add nothing and values are rounded to float32, so that dense and sparse rows, and both
// precisions, draw the same; a sum does not depend on the order of cells. Cost: O(stored cells).
#include "classica/row_draws.hpp"

#include <bit>
#include <cmath>

#include "classica/parallel.hpp"
#include "classica/random.hpp"
#include "classica/reduce.hpp"

namespace classica {
namespace {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every input bit moves every output bit.
std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return bits ^ (bits >> 31);
}

// Rounded to float32, so that both precisions agree; zero adds nothing, so that sparse rows agree.
template <class T>
std::uint64_t value_key(std::ptrdiff_t column, T value) {
  const float rounded = static_cast<float>(value);
  if (rounded == 0.0f) return 0;
  const std::uint64_t content = std::isnan(rounded) ? 0x7FC00000u : std::bit_cast<std::uint32_t>(rounded);
  return mix(mix(static_cast<std::uint64_t>(column) + 0x9E3779B97F4A7C15) ^ content);
}

template <class T>
std::uint64_t row_key(const Matrix<const T>& X, std::ptrdiff_t i) {
  std::uint64_t key = 0;
  for (std::ptrdiff_t j = 0; j < X.cols; ++j) key += value_key(j, X(i, j));
  return key;
}

template <class T, class Index>
std::uint64_t row_key(const SparseRows<T, Index>& X, std::ptrdiff_t i) {
  std::uint64_t key = 0;
  for (std::ptrdiff_t k = X.starts[i]; k < static_cast<std::ptrdiff_t>(X.starts[i + 1]); ++k)
    key += value_key(X.columns[k], X.values[k]);
  return key;
}

constexpr std::uint64_t stream = 1;

}  // namespace

template <class Rows>
void row_draws(const Rows& X, std::uint64_t seed, int threads, Vector<double> out) {
  const Philox random(seed, stream);
  parallel_for(X.rows, rows_per_block(X.cols), threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t i = begin; i < end; ++i) out[i] = random.uniform(row_key(X, i));
  });
}

#define INSTANTIATE(Rows) template void row_draws(const Rows&, std::uint64_t, int, Vector<double>);
CLASSICA_FOR_EACH_ROWS_TYPE(INSTANTIATE)

}  // namespace classica
