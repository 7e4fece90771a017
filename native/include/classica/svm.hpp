// Support vector machines: the dual problem of one machine after the other, or several side by side.
//
//   minimise 1/2 sum_uv s_u s_v a_u a_v K(row_u, row_v) + sum_v linear_v a_v
//   with 0 <= a_v <= upper_v and sum_v s_v a_v = 0
//
// A classifier has one variable per row (linear = -1), a regressor two.
#pragma once

#include <cstdint>
#include <vector>

#include "classica/kernels.hpp"

namespace classica {

struct SvmMachine {
  std::ptrdiff_t count = 0;            // variables
  const std::int32_t* rows = nullptr;  // the row of each
  const double* signs = nullptr;
  const double* linear = nullptr;
  const double* upper = nullptr;
  double* alpha = nullptr;   // where to start; becomes the solution
  double* slacks = nullptr;  // by how much each one's margin is missed
};

struct SvmRules {
  double tol = 1e-3;  // the highest violation of a pair
  std::int64_t max_steps = 0;
  double max_seconds = 0;
  bool shrinking = true;
  double cache_bytes = 0;  // machines share a table of kernel values up to here
};

struct SvmOutcome {
  double objective = 0;  // the dual one, minimised
  double gap = 0;        // between the primal objective and the dual one
  double offset = 0;     // b of sum s a K + b
  double squared_norm = 0;
  double violation = 0;
  double steps = 0;
  double converged = 0;
};

// Where K(i, j) comes from: rows and a function, or known values.
struct SvmTable {
  Matrix<const double> rows{};
  KernelFunction kernel{};
  Matrix<const double> values{};  // with values.rows > 0 the others are not used
};

std::vector<SvmOutcome> solve_svm(const SvmTable& table, const std::vector<SvmMachine>& machines,
                                  const SvmRules& rules, int threads);

}  // namespace classica
