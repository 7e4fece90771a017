// The sum of absolute deviations from the median of a changing set of numbers: weights and weighted sums
// over the sorted values in a Fenwick tree (Fenwick 1994), which is descended to find the median.
//
// Invariant: node i of the tree holds the sums of the values it covers, so that any prefix is the sum of at
// most log2(n) nodes. Cost: O(log n) to add, to remove and to ask.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace classica {

class MedianSet {
 public:
  // `values` ascending, all different; the set is empty at first.
  void start(const std::vector<double>& values) {
    values_ = &values;
    weights_.assign(values.size() + 1, 0.0);
    sums_.assign(values.size() + 1, 0.0);
    weight_ = sum_ = 0.0;
    top_ = 1;
    while (2 * top_ <= values.size()) top_ *= 2;
  }

  void add(std::size_t place, double weight) {
    const double product = weight * (*values_)[place];
    weight_ += weight;
    sum_ += product;
    for (std::size_t k = place + 1; k < weights_.size(); k += k & (~k + 1)) {
      weights_[k] += weight;
      sums_[k] += product;
    }
  }

  double deviations() const {
    if (!(weight_ > 0.0)) return 0.0;
    // The last place below which lies less than half of the weight.
    std::size_t place = 0;
    double below = 0.0, sum_below = 0.0;
    for (std::size_t step = top_; step > 0; step /= 2) {
      if (place + step >= weights_.size() || !(below + weights_[place + step] < 0.5 * weight_)) continue;
      place += step;
      below += weights_[place];
      sum_below += sums_[place];
    }
    const double median = (*values_)[place < values_->size() ? place : values_->size() - 1];
    return std::fmax(0.0, sum_ - 2.0 * sum_below + median * (2.0 * below - weight_));
  }

 private:
  const std::vector<double>* values_ = nullptr;
  std::vector<double> weights_, sums_;
  double weight_ = 0.0, sum_ = 0.0;
  std::size_t top_ = 1;
};

}  // namespace classica
