// Linear support vector machines: minimise sum_i share_i max(0, 1 - y_i f(x_i)) + 1/2 sum_j ridge_j a_j^2
// with f(x) = a . x + b, the intercept b free (or absent). The dual variable u_i of a row lies between 0 and
// 1: ridge_j a_j = sum_i share_i u_i y_i x_ij, and sum_i share_i u_i y_i = 0.
#pragma once

#include <cstdint>

#include "classica/gram.hpp"
#include "classica/view.hpp"

namespace classica {

struct SvmTask {
  Vector<const double> signs;   // 1 or -1 for each row
  Vector<const double> shares;  // how much each row counts; with `settled` they sum to one
  const double* ridge = nullptr;
  double tolerance = 0.0;  // of the duality gap, as a share of the objective
  std::ptrdiff_t max_iter = 0;
  int threads = 1;
  // Further rows, known to count in full: their share, and the sum of share * sign * row (the intercept's
  // column last). Null: there are none.
  double settled = 0.0;
  const double* pull = nullptr;
};

struct SvmMachine {
  double* weights = nullptr;  // [cols]; where to start, and what was found
  double* duals = nullptr;    // [rows]
  double intercept = 0.0;
};

struct SvmReport {
  double objective = 0.0;
  double gap = 0.0;
  std::ptrdiff_t iterations = 0;
  bool converged = false;
};

// An interior-point method; each iteration adds up one weighted Gram matrix of the columns. `center` is how
// far from the optimum the start may be, in units of the objective: 1 if nothing is known.
template <class T>
SvmReport svm_interior_point(Matrix<const T> X, const RowFrame& frame, const SvmTask& task, double center,
                             SvmMachine& machine);

// Coordinate descent on the dual, for rows that are sparse or wide; `ridge` is the same for all columns.
// Rows are seen as they are.
template <class Rows>
SvmReport svm_coordinate_descent(const Rows& X, bool intercept, const SvmTask& task, std::uint64_t seed,
                                 SvmMachine& machine);

// Stochastic gradient descent, a row at a time. `order`: what rows are drawn from; `up_to`: the weight of all
// of these up to each, or empty if all weigh the same.
struct SgdTask {
  Vector<const double> signs;
  Vector<const std::uint32_t> order;
  Vector<const double> up_to;
  double alpha = 0.0;
  double eta = 0.0;  // in season s = 0, 1, ... a step has the length eta / (1 + s)
  std::ptrdiff_t seasons = 0;
  bool intercept = true;
  std::uint64_t seed = 0, stream = 0;
};

template <class Rows>
void svm_gradient_descent(const Rows& X, const SgdTask& task, SvmMachine& machine);

}  // namespace classica
