// Kernel values of a panel of rows against groups of others: dot products in registers, then the function
// of the kernel. Squared distances are |x|^2 + |z|^2 - 2 x.z; those below a thousandth of |x|^2 + |z|^2 are
// summed column by column, so that nothing is lost to cancellation (docs/decisions/0027).
//
// Invariant: every lane goes through the same operations in the same order at all levels, and a pair of
// rows gives the same bits either way round. A new kernel is a struct here, its case in the dispatch below
// and its word in `KernelKind`. Cost: O(columns) per value.
#include "kernel_block.hpp"

#include "exponential.hpp"

namespace classica {
namespace {

using Isa = CLASSICA_LEVEL;
using Block = KernelBlock<Isa>;
using Wide = Doubles<Isa>;
constexpr int vectors = static_cast<int>(Block::panel_rows / lanes<Isa>);
constexpr int group_rows = static_cast<int>(Block::group_rows);
constexpr std::ptrdiff_t panel_rows = Block::panel_rows;

[[gnu::always_inline]] inline Wide all(double value) { return all_of<Isa>(value); }
[[gnu::always_inline]] inline Wide fused(Wide a, Wide b, Wide c) { return multiply_add<Isa>(a, b, c); }
[[gnu::always_inline]] inline Wide at_least(Wide x, Wide low) { return x > low ? x : low; }
[[gnu::always_inline]] inline Wide at_most(Wide x, Wide high) { return x < high ? x : high; }

[[gnu::always_inline]] inline bool any_below(Wide a, Wide b) {
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ) != 0;
#elif defined(__AVX2__)
  return _mm256_movemask_pd((__m256d)(a < b)) != 0;
#else
  const Integers<Isa> below = a < b;
  return (below[0] | below[1] | below[2] | below[3]) != 0;
#endif
}

struct Linear {
  [[gnu::always_inline]] static Wide value(const KernelFunction&, Wide dot) { return dot; }
};

struct Poly {
  [[gnu::always_inline]] static Wide value(const KernelFunction& kernel, Wide dot) {
    Wide base = fused(all(kernel.gamma), dot, all(kernel.coef0)), result = all(1);
    for (int left = kernel.degree; left > 0; left /= 2, base *= base)
      if (left % 2) result *= base;
    return at_most(at_least(result, all(-largest_kernel_value)), all(largest_kernel_value));
  }
};

struct Rbf {
  [[gnu::always_inline]] static Wide value(const KernelFunction& kernel, Wide distance) {
    return exponential_or_zero<Isa>(all(-kernel.gamma) * distance);
  }
};

struct Sigmoid {
  [[gnu::always_inline]] static Wide value(const KernelFunction& kernel, Wide dot) {
    const Wide x = fused(all(kernel.gamma), dot, all(kernel.coef0)), zero = all(0);
    const Wide shrunk = exponential_or_zero<Isa>(all(-2) * (x < zero ? -x : x));
    const Wide size = (all(1) - shrunk) / (all(1) + shrunk);
    return x < zero ? -size : size;
  }
};

// Calls body with the struct that a kernel's word stands for.
template <class Body>
[[gnu::always_inline]] inline void with_kernel(KernelKind kind, Body body) {
  switch (kind) {
    case KernelKind::linear:
      return body(Linear{});
    case KernelKind::poly:
      return body(Poly{});
    case KernelKind::rbf:
      return body(Rbf{});
    case KernelKind::sigmoid:
      return body(Sigmoid{});
  }
}

// Dot products of a panel and one group.
[[gnu::always_inline]] inline void dots(const double* panel, const double* group, std::ptrdiff_t cols,
                                        double* out) {
  Wide sums[group_rows][vectors] = {};
  for (std::ptrdiff_t j = 0; j < cols; ++j) {
    Wide x[vectors];
    for (int v = 0; v < vectors; ++v) x[v] = load<Isa>(panel + j * panel_rows + v * lanes<Isa>);
#pragma GCC unroll 12
    for (int b = 0; b < group_rows; ++b) {
      const Wide y = all(group[j * group_rows + b]);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sums[b][v] = fused(x[v], y, sums[b][v]);
    }
  }
#pragma GCC unroll 12
  for (int b = 0; b < group_rows; ++b)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) store<Isa>(out + b * panel_rows + v * lanes<Isa>, sums[b][v]);
}

// Squared distances of one vector of a panel and one row of a group, column by column.
Wide direct_distances(const double* panel, const double* group, std::ptrdiff_t cols) {
  Wide sum = all(0);
  for (std::ptrdiff_t j = 0; j < cols; ++j) {
    const Wide difference = load<Isa>(panel + j * panel_rows) - all(group[j * group_rows]);
    sum = fused(difference, difference, sum);
  }
  return sum;
}

// From dot products to squared distances. Where a distance is small for the lengths of the rows, most digits
// of |x|^2 + |y|^2 - 2 xy are lost: those are worked out column by column.
[[gnu::always_inline]] inline void to_distances(Block::Rows panel, Block::Rows group, std::ptrdiff_t cols,
                                                double* values) {
  for (int b = 0; b < group_rows; ++b)
    for (int v = 0; v < vectors; ++v) {
      double* const place = values + b * panel_rows + v * lanes<Isa>;
      const Wide sums = load<Isa>(panel.norms + v * lanes<Isa>) + all(group.norms[b]);
      Wide found = fused(all(-2), load<Isa>(place), sums);
      const Wide least = all(1e-3) * sums;
      if (any_below(found, least)) [[unlikely]] {
        const Wide exact = direct_distances(panel.values + v * lanes<Isa>, group.values + b, cols);
        found = found < least ? exact : found;
      }
      store<Isa>(place, found);
    }
}

}  // namespace

template <class L>
void KernelBlock<L>::distances(Rows panel, Rows groups, std::ptrdiff_t count, std::ptrdiff_t cols,
                               double* values) {
  for (std::ptrdiff_t g = 0; g < count; ++g) {
    const Rows group{groups.values + g * group_rows * cols, groups.norms + g * group_rows};
    dots(panel.values, group.values, cols, values + g * group_rows * panel_rows);
    to_distances({panel.values, panel.norms}, {group.values, group.norms}, cols,
                 values + g * group_rows * panel_rows);
  }
}

template <class L>
void KernelBlock<L>::values(const KernelFunction& kernel, Rows panel, Rows groups, std::ptrdiff_t count,
                            std::ptrdiff_t cols, double* values) {
  if (kernel.kind == KernelKind::rbf)
    distances(panel, groups, count, cols, values);
  else
    for (std::ptrdiff_t g = 0; g < count; ++g)
      dots(panel.values, groups.values + g * group_rows * cols, cols, values + g * group_rows * panel_rows);
  apply(kernel, values, count * group_rows * panel_rows);
}

template <class L>
void KernelBlock<L>::apply(const KernelFunction& kernel, double* values, std::ptrdiff_t count) {
  if (kernel.kind == KernelKind::linear) return;
  with_kernel(kernel.kind, [&]<class Kernel>(Kernel) {
    for (std::ptrdiff_t i = 0; i < count; i += lanes<Isa>)
      store<Isa>(values + i, Kernel::value(kernel, load<Isa>(values + i)));
  });
}

template <class L>
void KernelBlock<L>::add_weighted(const double* values, const double* weights, std::ptrdiff_t count,
                                  double* sums) {
  Wide sum[vectors];
  for (int v = 0; v < vectors; ++v) sum[v] = load<Isa>(sums + v * lanes<Isa>);
  for (std::ptrdiff_t b = 0; b < count; ++b)
    for (int v = 0; v < vectors; ++v)
      sum[v] = fused(all(weights[b]), load<Isa>(values + b * panel_rows + v * lanes<Isa>), sum[v]);
  for (int v = 0; v < vectors; ++v) store<Isa>(sums + v * lanes<Isa>, sum[v]);
}

template <class L>
void KernelBlock<L>::exponentials(double* values, std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; i += lanes<Isa>)
    store<Isa>(values + i, exponential<Isa>(load<Isa>(values + i)));
}

template struct KernelBlock<CLASSICA_LEVEL>;

}  // namespace classica
