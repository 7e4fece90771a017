// The inner loop of growing with real weights. What is left of a cut is summed from the first row on; what is
// right of it is the rest of all, so that no rounding is carried along.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria.hpp"
#include "entries.hpp"

namespace classica {

template <class Rule>
struct WeightScore {
  static constexpr bool exists = false;
};

template <>
struct WeightScore<Gini> {
  static constexpr bool exists = true;
  // Whether the score of any of some cuts may be above a limit; without a division.
  static bool any_exceeds(const double* zeros, const double* ones, std::size_t count, const double* all,
                          double, double limit) {
    std::int64_t signs = 0;  // of the differences: a test for each would keep the loop from vector registers
    for (std::size_t k = 0; k < count; ++k) {
      const double l0 = zeros[k], l1 = ones[k], r0 = all[0] - l0, r1 = all[1] - l1;
      const double left = l0 + l1, right = r0 + r1;
      const double score = (l0 * l0 + l1 * l1) * right + (r0 * r0 + r1 * r1) * left;
      signs |= std::bit_cast<std::int64_t>(limit * left * right - score);
    }
    return signs < 0;
  }
};

template <>
struct WeightScore<Entropy> {
  static constexpr bool exists = true;
  static bool any_exceeds(const double*, const double*, std::size_t, const double*, double, double) {
    return true;
  }
};

// The cuts of one column of a node: `left` and `all` hold the weight of each class left of the first cut, and
// in all. Every row must be a case at least, so that any cut leaves enough of them.
template <class Rule>
class WeightScan {
 public:
  static constexpr bool exists = WeightScore<Rule>::exists;

  // `signed_weights`: of two classes, negative for the first.
  WeightScan(const std::vector<double>& left, const std::vector<double>& right, const Target& target,
             const std::vector<double>& signed_weights)
      : left_(left), all_(left), target_(target), signed_weights_(signed_weights) {
    for (std::size_t c = 0; c < all_.size(); ++c) all_[c] += right[c];
    weight_ = Rule::weight_of(all_.data(), static_cast<std::ptrdiff_t>(all_.size()));
  }

  // Calls take(last row left, score, weight left, weight right) for cuts whose score exceeds a limit; it
  // returns the next limit.
  template <class Poll, class Take>
  void run(std::span<const Entry> entries, double limit, Poll poll, Take take) {
    for (std::size_t begin = 0; begin + 1 < entries.size(); begin += block) {
      poll();
      const std::size_t count = std::min(block, entries.size() - 1 - begin);
      if (all_.size() == 2)
        limit = scan_two(entries.subspan(begin, count + 1), begin, limit, take);
      else
        limit = scan_many(entries.subspan(begin, count + 1), begin, limit, take);
    }
  }

 private:
  static constexpr std::size_t block = 256;

  template <class Take>
  double scan_two(std::span<const Entry> entries, std::size_t first, double limit, Take take) {
    double zeros[block], ones[block];
    double zero = left_[0], one = left_[1];
    const std::size_t count = entries.size() - 1;
    for (std::size_t k = 0; k < count; ++k) {
      const double weight = signed_weights_[row_of(entries[k])];
      const double size = std::abs(weight);  // exact, and without a jump that is wrong every other time
      zeros[k] = zero += 0.5 * (size - weight);
      ones[k] = one += 0.5 * (size + weight);
    }
    left_[0] = zero, left_[1] = one;
    if (!WeightScore<Rule>::any_exceeds(zeros, ones, count, all_.data(), weight_, limit)) return limit;
    for (std::size_t k = 0; k < count; ++k) {
      if (rank_of(entries[k]) == rank_of(entries[k + 1])) continue;
      const double left[2] = {zeros[k], ones[k]};
      limit = consider(left, first + k, limit, take);
    }
    return limit;
  }

  template <class Take>
  double scan_many(std::span<const Entry> entries, std::size_t first, double limit, Take take) {
    for (std::size_t k = 0; k + 1 < entries.size(); ++k) {
      const std::uint32_t row = row_of(entries[k]);
      left_[target_.codes[row]] += target_.weights[row];
      if (rank_of(entries[k]) != rank_of(entries[k + 1]))
        limit = consider(left_.data(), first + k, limit, take);
    }
    return limit;
  }

  template <class Take>
  double consider(const double* left, std::size_t place, double limit, Take take) const {
    double left_weight = 0.0, right_weight = 0.0, left_total = 0.0, right_total = 0.0;
    for (std::size_t c = 0; c < all_.size(); ++c) {
      const double right = all_[c] - left[c];
      left_weight += left[c];
      right_weight += right;
      left_total += Rule::term(left[c], all_[c]);
      right_total += Rule::term(right, all_[c]);
    }
    const double score = (left_weight > 0.0 ? Rule::finish(left_total, left_weight) : 0.0) +
                         (right_weight > 0.0 ? Rule::finish(right_total, right_weight) : 0.0);
    return score > limit ? take(place, score, left_weight, right_weight) : limit;
  }

  std::vector<double> left_, all_;
  const Target& target_;
  const std::vector<double>& signed_weights_;
  double weight_ = 0.0;
};

}  // namespace classica
