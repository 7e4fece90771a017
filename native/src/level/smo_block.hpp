// Sequential minimal optimisation of a small problem that lies in the cache; compiled once per instruction
// level. Sixteen lanes at all of them, so that the best of equals is the same one.
#pragma once

#include <cstddef>

#include "classica/level.hpp"

namespace classica {

constexpr std::ptrdiff_t smo_lanes = 16;

// Variables a_v in [0, upper_v] with signs s_v, of which sum s_v a_v stays what it is. A step moves s_i a_i
// up and s_j a_j down by as much; score_v is how much the first unit of moving s_v a_v up gains. All arrays
// are filled up to a multiple of smo_lanes by variables with upper = 0.
struct SmallProblem {
  std::ptrdiff_t count = 0;             // a multiple of smo_lanes
  const double* const* rows = nullptr;  // of kernel values, `count` to a row
  const double* diagonal = nullptr;     // [count]
  const double* signs = nullptr;
  const double* upper = nullptr;
  double* alpha = nullptr;
  double* scores = nullptr;
  double* up_limit = nullptr;    // 0 for variables that can go up, minus infinity for others
  double* down_limit = nullptr;  // 0 for variables that can go down, infinity for others
};

struct SmoSteps {
  std::ptrdiff_t steps = 0;
  double violation = 0;   // the highest score of one that can go up, less the lowest of one that can go down
  bool finished = false;  // within the tolerance, or no step changes anything any more
};

template <class Level>
struct SmoBlock {
  // Sets the limits of a variable by its value.
  static void limit(const SmallProblem& problem, std::ptrdiff_t v);

  // Takes at most `most` steps, until the violation is within tol. The first of a pair is the variable of
  // the highest score, the second promises the largest gain with it (Fan, Chen and Lin 2005).
  static SmoSteps run(const SmallProblem& problem, double tol, std::ptrdiff_t most);

  // sums[r] += sum over b of weights[b] * rows[b][r] for r from begin to end, in the order of b.
  static void add_rows(const double* const* rows, const double* weights, std::ptrdiff_t count,
                       std::ptrdiff_t begin, std::ptrdiff_t end, double* sums);
};

}  // namespace classica
