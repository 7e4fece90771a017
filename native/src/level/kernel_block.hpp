// Kernel values of a panel of rows against groups of others; compiled once per instruction level. Every lane
// goes through the same operations in the same order at all levels, fused or not.
#pragma once

#include <cstddef>
#include <type_traits>

#include "classica/kernels.hpp"
#include "classica/level.hpp"

namespace classica {

// How many rows of each side fill the registers of a level.
template <class Level>
struct KernelShape {
  static constexpr std::ptrdiff_t panel = std::is_same_v<Level, Avx512> ? 16 : 8;
  static constexpr std::ptrdiff_t group = std::is_same_v<Level, Avx512> ? 12
                                          : std::is_same_v<Level, Avx2> ? 6
                                                                        : 2;
};

template <class Level>
struct KernelBlock {
  static constexpr std::ptrdiff_t panel_rows = KernelShape<Level>::panel;
  static constexpr std::ptrdiff_t group_rows = KernelShape<Level>::group;

  // Rows side by side, column by column, and their squared lengths.
  struct Rows {
    const double* values;
    const double* norms;
  };

  // values[b * panel_rows + r] = K(row r of the panel, row b of the groups) for `count` groups.
  static void values(const KernelFunction& kernel, Rows panel, Rows groups, std::ptrdiff_t count,
                     std::ptrdiff_t cols, double* values);

  // The same for squared distances.
  static void distances(Rows panel, Rows groups, std::ptrdiff_t count, std::ptrdiff_t cols, double* values);

  // values[i] = K as a function of values[i], a dot product or (rbf) squared distance.
  static void apply(const KernelFunction& kernel, double* values, std::ptrdiff_t count);

  // sums[r] += sum over b of weights[b] * values[b * panel_rows + r], in the order of b.
  static void add_weighted(const double* values, const double* weights, std::ptrdiff_t count, double* sums);

  // values[i] = e^values[i]; count is a multiple of panel_rows.
  static void exponentials(double* values, std::ptrdiff_t count);
};

}  // namespace classica
