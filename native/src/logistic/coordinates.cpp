// Cyclic coordinate descent on a quadratic function with absolute penalties, given its matrix (as for the
// lasso: Friedman, Hastie and Tibshirani 2010): the inner problem of a proximal Newton step.
//
// Invariant: `slopes` are the derivatives of the quadratic part at the step so far; each visit minimises
// exactly along its coordinate, so that the objective never rises, and a coefficient that ends at zero is
// exactly zero. Cost: O(n) per coordinate that moves.
#include <algorithm>
#include <cmath>
#include <vector>

#include "classica/logistic.hpp"
#include "classica/parallel.hpp"
#include "soft_step.hpp"

namespace classica {
std::ptrdiff_t descend_coordinates(Matrix<const double> curvature, Vector<const double> gradient,
                                   Vector<const double> at, Vector<const double> bounds, double tolerance,
                                   std::ptrdiff_t sweeps, Vector<double> step) {
  const std::ptrdiff_t size = curvature.rows;
  std::vector<double> slopes(static_cast<std::size_t>(size));
  for (std::ptrdiff_t k = 0; k < size; ++k) {
    double slope = gradient[k];
    for (std::ptrdiff_t i = 0; i < size; ++i) slope += curvature(k, i) * step[i];
    slopes[static_cast<std::size_t>(k)] = slope;
  }
  for (std::ptrdiff_t sweep = 1; sweep <= sweeps; ++sweep) {
    double moved = 0.0;
    for (std::ptrdiff_t k = 0; k < size; ++k) {
      poll_interrupt();
      const double bend = curvature(k, k), from = at[k] + step[k];
      if (!(bend > 0.0)) continue;  // a column that says nothing
      const double to = lowest_at(from, slopes[static_cast<std::size_t>(k)], bend, bounds[k]);
      const double change = to - from;
      if (change == 0.0) continue;
      step[k] = to == 0.0 ? -at[k] : step[k] + change;
      const double* row = curvature.row(k);
      for (std::ptrdiff_t i = 0; i < size; ++i) slopes[static_cast<std::size_t>(i)] += change * row[i];
      moved = std::max(moved, std::abs(change) * bend);
    }
    if (moved <= tolerance) return sweep;
  }
  return sweeps;
}

}  // namespace classica
