// Lower bounds for ranks, by the distance to a box or the triangle inequality, used to pass over parts of a
// structure.
//
// Invariant: a bound is computed in another order than the ranks it bounds, so it is lowered by more than
// both can have been rounded (4 columns + 32 roundings of 2^-52): what is passed over can neither be nearer
// nor tie. Cost: O(columns).
#pragma once

#include <algorithm>
#include <cmath>

#include "classica/neighbours.hpp"

namespace classica {

class LowerBounds {
 public:
  LowerBounds(const MetricRule& rule, std::ptrdiff_t cols)
      : rule_(rule),
        cols_(cols),
        slack_(static_cast<double>(4 * cols + 32) * 0x1p-52),
        tiny_(static_cast<double>(4 * cols + 32) * 0x1p-1074) {}

  // From a box [low, high], given as cols lows and then cols highs.
  double of_box(const double* box, const double* query) const {
    switch (rule_.metric) {
      case Metric::euclidean:
        return lowered(box_sum(box, query, [](double gap) { return gap * gap; }));
      case Metric::manhattan:
        return lowered(box_sum(box, query, [](double gap) { return gap; }));
      case Metric::minkowski:
        return lowered(box_sum(box, query, [this](double gap) { return std::pow(gap, rule_.power); }));
      default:
        return lowered(box_largest(box, query));
    }
  }

  // From two distances a and b to one point: by the triangle inequality no less than |a - b| apart.
  double of_difference(double a, double b) const {
    const double least = std::abs(a - b) - slack_ * (a + b) - 4.0 * std::sqrt(tiny_);
    return least > 0.0 ? lowered(to_rank(least)) : 0.0;
  }

  // A computed bound, lowered by what rounding can have added.
  double lowered(double rank) const { return rank * (1.0 - slack_) - tiny_; }

  double distance(const double* a, const double* b) const {
    double total = 0.0;
    for (std::ptrdiff_t j = 0; j < cols_; ++j) {
      const double gap = std::abs(a[j] - b[j]);
      switch (rule_.metric) {
        case Metric::euclidean:
          total += gap * gap;
          break;
        case Metric::minkowski:
          total += std::pow(gap, rule_.power);
          break;
        case Metric::chebyshev:
          total = std::max(total, gap);
          break;
        case Metric::hamming:
          total += gap != 0.0;
          break;
        default:
          total += gap;
      }
    }
    return to_distance(total);
  }

 private:
  double to_rank(double distance) const {
    if (rule_.metric == Metric::euclidean) return distance * distance;
    return rule_.metric == Metric::minkowski ? std::pow(distance, rule_.power) : distance;
  }
  double to_distance(double rank) const {
    if (rule_.metric == Metric::euclidean) return std::sqrt(rank);
    return rule_.metric == Metric::minkowski ? std::pow(rank, 1.0 / rule_.power) : rank;
  }

  double gap(const double* box, const double* query, std::ptrdiff_t j) const {
    return std::max(std::max(box[j] - query[j], query[j] - box[cols_ + j]), 0.0);
  }
  template <class Term>
  double box_sum(const double* box, const double* query, Term term) const {
    double total = 0.0;
    for (std::ptrdiff_t j = 0; j < cols_; ++j) total += term(gap(box, query, j));
    return total;
  }
  double box_largest(const double* box, const double* query) const {
    double largest = 0.0;
    for (std::ptrdiff_t j = 0; j < cols_; ++j) largest = std::max(largest, gap(box, query, j));
    return largest;
  }

  MetricRule rule_;
  std::ptrdiff_t cols_;
  double slack_;
  double tiny_;  // the same where numbers are so small that their rounding is absolute
};

}  // namespace classica
