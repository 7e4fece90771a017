// From scores to the class of the highest, and to posteriors: the softmax of the differences to the leader,
// so that no exponential overflows.
//
// Invariant: two impossible classes (minus infinity) count as equal; of equal scores the first class wins,
// in both functions alike. Cost: O(rows * classes).
#include "classica/posterior.hpp"

#include <limits>

#include "classica/parallel.hpp"

namespace classica {
namespace {

std::ptrdiff_t rows_per_chunk(std::ptrdiff_t classes) {
  return std::max<std::ptrdiff_t>((std::ptrdiff_t{1} << 18) / std::max<std::ptrdiff_t>(classes, 1), 1);
}

// The difference of two scores; two impossible classes are equal.
auto lead_in(Matrix<const double> scores, std::ptrdiff_t i) {
  return [scores, i](std::ptrdiff_t a, std::ptrdiff_t b) {
    const double first = scores(i, a), second = scores(i, b);
    return first == second ? 0.0 : first - second;
  };
}

}  // namespace

void highest_scores(Matrix<const double> scores, int threads, Vector<std::int64_t> out) {
  parallel_for(scores.rows, rows_per_chunk(scores.cols), threads,
               [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                 for (std::ptrdiff_t i = begin; i < end; ++i)
                   out[i] = first_highest(scores.cols, lead_in(scores, i));
               });
}

void scores_to_posteriors(Matrix<const double> scores, int threads, Matrix<double> out) {
  parallel_for(scores.rows, rows_per_chunk(scores.cols), threads,
               [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                 for (std::ptrdiff_t i = begin; i < end; ++i)
                   to_probabilities(scores.cols, lead_in(scores, i), out.row(i));
               });
}

}  // namespace classica
