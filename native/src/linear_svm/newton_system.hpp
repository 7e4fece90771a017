// The symmetric system of a Newton step: a Cholesky factorisation, row by row, solved for several
// right-hand sides.
//
// Invariant: row i of the factor is final once it is written. A pivot in which rounding has left less than
// 1e-15 of the diagonal becomes huge: that is a direction steps do not take, as interior-point codes treat
// dependent columns. Cost: O(n^3 / 3), and O(n^2) per right-hand side.
#pragma once

#include <cmath>
#include <vector>

#include "../gram_panel.hpp"
#include "classica/parallel.hpp"

namespace classica {

template <class Level>
class NewtonSystem {
 public:
  explicit NewtonSystem(std::ptrdiff_t size) : size_(size), factor_(static_cast<std::size_t>(size * size)) {}

  // Factors the tiles with `ridge` added to the first `cols` entries of the diagonal. A direction in which
  // rounding has left nothing is one that steps do not take.
  void factor(const double* tiles, const double* ridge, std::ptrdiff_t cols) {
    for (std::ptrdiff_t i = 0; i < size_; ++i) {
      poll_interrupt();
      double* row = row_of(i);
      for (std::ptrdiff_t j = 0; j < i; ++j) {
        const double* other = row_of(j);
        row[j] = (at_tile(tiles, i, j) - GramBlock<Level>::dot(row, other, j)) / other[j];
      }
      const double whole = at_tile(tiles, i, i) + (i < cols ? ridge[i] : 0.0);
      const double rest = whole - GramBlock<Level>::dot(row, row, i);
      row[i] = rest > 1e-15 * whole ? std::sqrt(rest) : 1e100 * std::sqrt(whole) + 1e-100;
    }
  }

  // Turns a right-hand side into the solution.
  void solve(double* x) const {
    for (std::ptrdiff_t i = 0; i < size_; ++i)
      x[i] = (x[i] - GramBlock<Level>::dot(row_of(i), x, i)) / row_of(i)[i];
    for (std::ptrdiff_t i = size_; i-- > 0;) {
      x[i] /= row_of(i)[i];
      for (std::ptrdiff_t j = 0; j < i; ++j) x[j] -= row_of(i)[j] * x[i];
    }
  }

 private:
  double* row_of(std::ptrdiff_t i) { return factor_.data() + i * size_; }
  const double* row_of(std::ptrdiff_t i) const { return factor_.data() + i * size_; }

  std::ptrdiff_t size_;
  std::vector<double> factor_;
};

}  // namespace classica
