// The inner loop of growing with real weights (own). What is left of a cut is summed from the first row on;
// what is right of it is the rest of all, so that no rounding is carried along.
//
// A block of cuts is first scored roughly, in loops that fit vector registers. Only cuts that may be the
// best of their block, and beat what was found before, are scored exactly. Invariant: a rough score is off
// by less than `error` times the weight of the node, so that the cut chosen does not depend on the rough
// scores. Cost: O(rows * classes), most of it in vector registers.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "criteria.hpp"
#include "entries.hpp"

namespace classica {

// Rough scores: those of a criterion, off by less than `error` times the weight of the node, which is also
// more than the slack within which scores are equal.
template <class Rule>
struct RoughScore {
  static constexpr bool exists = false;
};

// Added where one must divide or take a logarithm; without a decision, which would keep loops out of vector
// registers.
constexpr double next_to_nothing = 1e-300;

template <>
struct RoughScore<Gini> {
  static constexpr bool exists = true;
  static constexpr double error = 1e-11;
  static double term(double x) { return x * x; }
  static double finish(double total, double weight) { return total / (weight + next_to_nothing); }
  // Whether any of some cuts between two classes scores above a limit: without a division.
  static bool any_exceeds(const double* zeros, const double* ones, std::size_t count, const double* all,
                          double limit) {
    std::int64_t signs = 0;  // of differences, in place of decisions
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
struct RoughScore<Entropy> {
  static constexpr bool exists = true;
  static constexpr double error = 2e-7;
  // x log2 x. With x = 2^e m, 1 <= m < 2, and s = (m - r) / (m + r), r the root of 2:
  // log2 m = 1/2 + 2 / ln 2 (s + s^3 / 3 + s^5 / 5 + ...), in which s^9 is below 2e-8.
  static double term(double x) {
    x = std::abs(x) + next_to_nothing;  // what is left of nothing may be a little less than nothing
    const auto bits = std::bit_cast<std::uint64_t>(x);
    // An integer below 2^52 in the low bits of 2^52 is that much more.
    const double exponent = std::bit_cast<double>(bits >> 52 | 0x4330000000000000u) - (0x1p52 + 1023.0);
    const double m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u);
    constexpr double root = 1.4142135623730951, two_over_ln2 = 2.8853900817779268;
    const double s = (m - root) / (m + root), s2 = s * s;
    const double series = s * (1.0 + s2 * (1.0 / 3 + s2 * (1.0 / 5 + s2 * (1.0 / 7))));
    return x * (exponent + 0.5 + two_over_ln2 * series);
  }
  static double finish(double total, double weight) { return total - term(weight); }
  static bool any_exceeds(const double*, const double*, std::size_t, const double*, double) { return true; }
};

// The cuts of one column of a node: `left` and `right` hold the weight of each class before and behind the
// first cut. Every row must be a case at least, so that any cut leaves enough of them.
template <class Rule>
class WeightScan {
 public:
  // `signed_weights`: of two classes, negative for the first.
  WeightScan(const double* left, const double* right, std::size_t classes, const Target& target,
             const std::vector<double>& signed_weights)
      : left_(left, left + classes), all_(left_), target_(target), signed_weights_(signed_weights) {
    for (std::size_t c = 0; c < all_.size(); ++c) all_[c] += right[c];
    const double weight = Rule::weight_of(all_.data(), static_cast<std::ptrdiff_t>(all_.size()));
    error_ = Rough::error * weight;
    is_moderate_ = weight > 1e-90 && weight < 1e90;
  }

  // Calls take(last place left, score, weight left, weight right) for cuts whose score exceeds a limit; it
  // returns the next limit.
  template <class Poll, class Take>
  void run(std::span<const Entry> entries, double limit, Poll poll, Take take) {
    for (std::size_t begin = 0; begin + 1 < entries.size(); begin += block) {
      poll();
      const std::size_t count = std::min(block, entries.size() - 1 - begin);
      if (all_.size() <= few_classes && count >= worth_a_block)
        limit = scan_block(entries.subspan(begin, count + 1), begin, limit, take);
      else
        limit = scan_each(entries.subspan(begin, count + 1), begin, limit, take);
    }
  }

 private:
  using Rough = RoughScore<Rule>;
  // The sums of a block of 16 classes fill half of the first cache (16 KB); shorter rests are scored one by
  // one.
  static constexpr std::size_t block = 128, worth_a_block = 16, few_classes = 16;
  using Block = double[block];

  template <class Take>
  double scan_block(std::span<const Entry> entries, std::size_t first, double limit, Take take) {
    Block sums[few_classes], scores;
    const std::size_t count = entries.size() - 1;
    if (all_.size() == 2) {
      sum_two(entries, sums);
      if (is_moderate_ && !Rough::any_exceeds(sums[0], sums[1], count, all_.data(), limit - error_))
        return limit;
    } else {
      sum_many(entries, sums);
    }
    score_roughly(sums, count, scores);
    std::int64_t signs = 0;
    for (std::size_t k = 0; k < count; ++k) signs |= std::bit_cast<std::int64_t>(limit - error_ - scores[k]);
    if (signs >= 0) return limit;
    double least = limit - error_;
    for (std::size_t k = 0; k < count; ++k) {
      if (rank_of(entries[k]) == rank_of(entries[k + 1]))
        scores[k] = -std::numeric_limits<double>::infinity();
      least = std::max(least, scores[k] - 3 * error_);
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (!(scores[k] > least)) continue;
      for (std::size_t c = 0; c < all_.size(); ++c) at_cut_[c] = sums[c][k];
      limit = consider(at_cut_, first + k, limit, take);
    }
    return limit;
  }

  void sum_two(std::span<const Entry> entries, Block* sums) {
    double zero = left_[0], one = left_[1];
    for (std::size_t k = 0; k + 1 < entries.size(); ++k) {
      const double weight = signed_weights_[row_of(entries[k])];
      const double size = std::abs(weight);  // exact, and without a jump that is wrong every other time
      sums[0][k] = zero += 0.5 * (size - weight);
      sums[1][k] = one += 0.5 * (size + weight);
    }
    left_[0] = zero, left_[1] = one;
  }

  void sum_many(std::span<const Entry> entries, Block* sums) {
    for (std::size_t k = 0; k + 1 < entries.size(); ++k) {
      const std::uint32_t row = row_of(entries[k]);
      left_[target_.codes[row]] += target_.weights[row];
      for (std::size_t c = 0; c < left_.size(); ++c) sums[c][k] = left_[c];
    }
  }

  void score_roughly(const Block* sums, std::size_t count, double* scores) const {
    Block left_weight = {}, right_weight = {}, left_total = {}, right_total = {};
    for (std::size_t c = 0; c < all_.size(); ++c) {
      const double all = all_[c];
      for (std::size_t k = 0; k < count; ++k) {
        const double left = sums[c][k], right = all - left;
        left_weight[k] += left;
        right_weight[k] += right;
        left_total[k] += Rough::term(left);
        right_total[k] += Rough::term(right);
      }
    }
    for (std::size_t k = 0; k < count; ++k)
      scores[k] =
          Rough::finish(left_total[k], left_weight[k]) + Rough::finish(right_total[k], right_weight[k]);
  }

  template <class Take>
  double scan_each(std::span<const Entry> entries, std::size_t first, double limit, Take take) {
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
  double error_ = 0.0;
  bool is_moderate_ = true;  // whether products of three weights can be told apart
  double at_cut_[few_classes];
};

}  // namespace classica
