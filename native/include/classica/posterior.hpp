// From scores to a decision. A score is the logarithm of something proportional to the posterior; minus
// infinity stands for a class that is impossible.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "classica/view.hpp"

namespace classica {

// lead(a, b): by how much the score of class a exceeds that of class b. The first of equals wins.
template <class Lead>
std::ptrdiff_t first_highest(std::ptrdiff_t classes, Lead lead) {
  std::ptrdiff_t winner = 0;
  for (std::ptrdiff_t c = 1; c < classes; ++c)
    if (lead(c, winner) > 0.0) winner = c;
  return winner;
}

// Scores a rounding error apart may give equal probabilities: the winner then gets the next number up, so
// that the largest probability is always the predicted class's.
template <class Lead>
void to_probabilities(std::ptrdiff_t classes, Lead lead, double* out) {
  const std::ptrdiff_t winner = first_highest(classes, lead);
  double total = 0.0;
  bool tied = false;
  for (std::ptrdiff_t c = 0; c < classes; ++c) {
    out[c] = c == winner ? 1.0 : std::exp(lead(c, winner));
    tied |= c < winner && out[c] > 1.0 - 1e-15;
    total += out[c];
  }
  for (std::ptrdiff_t c = 0; c < classes; ++c) out[c] /= total;
  if (tied) out[winner] = std::nextafter(*std::max_element(out, out + classes), 2.0);
}

// out[i]: the first class with the highest score in row i. At least one score of a row is finite.
void highest_scores(Matrix<const double> scores, int threads, Vector<std::int64_t> out);

// out(i, c): the posterior probability of class c; the rows of out must be contiguous.
void scores_to_posteriors(Matrix<const double> scores, int threads, Matrix<double> out);

}  // namespace classica
