// The inner loop of growing with whole weights: one row after the other, as often as it is there, goes from
// right to left. Counts are integers, so that running totals stay exact.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "criteria.hpp"

namespace classica {

// Scores of the two sides of a cut that moves through a node; `score` is the sum of their parts.
template <class Rule>
struct WholeScan {
  static constexpr bool exists = false;
};

template <>
struct WholeScan<Gini> {
  static constexpr bool exists = true;
  static bool can_count(double) { return true; }

  template <class Side>
  void start(const Side& left_side, const Side& right_side, const Target& target, double) {
    const std::vector<double>&left = left_side.counts, &right = right_side.counts;
    codes = target.codes.data();
    counts.clear();
    left_total = right_total = left_size = right_size = 0;
    for (std::size_t c = 0; c < left.size(); ++c) {
      counts.push_back({static_cast<std::int64_t>(left[c]), static_cast<std::int64_t>(right[c])});
      left_total += counts[c].left * counts[c].left;
      right_total += counts[c].right * counts[c].right;
      left_size += counts[c].left;
      right_size += counts[c].right;
    }
  }
  void move(std::uint32_t row, std::int64_t count) {
    Counts& both = counts[codes[row]];
    left_total += count * (2 * both.left + count);
    right_total -= count * (2 * both.right - count);
    both.left += count, both.right -= count;
    left_size += count, right_size -= count;
  }
  double score() const {
    return static_cast<double>(left_total) / static_cast<double>(left_size) +
           static_cast<double>(right_total) / static_cast<double>(right_size);
  }
  // Whether the score is above a limit; asked for every cut, so without a division.
  bool exceeds(double limit) const {
    const double left = static_cast<double>(left_size), right = static_cast<double>(right_size);
    return static_cast<double>(left_total) * right + static_cast<double>(right_total) * left >
           limit * left * right;
  }

  struct Counts {
    std::int64_t left, right;
  };
  const std::uint16_t* codes = nullptr;
  std::vector<Counts> counts;
  std::int64_t left_total = 0, right_total = 0, left_size = 0, right_size = 0;
};

// x log2 x in units of 2^-40, which adds up without rounding.
class FixedLogs {
 public:
  // n log2 n of all rows must stay below 2^63 units.
  static constexpr std::size_t size = 1 << 18;
  static constexpr double unit = 0x1p-40;

  static const FixedLogs& get() {
    static const std::unique_ptr<const FixedLogs> table(new FixedLogs);
    return *table;
  }
  std::int64_t value(std::int64_t x) const { return values_[static_cast<std::size_t>(x)]; }

 private:
  FixedLogs() {
    for (std::size_t x = 0; x < size; ++x) values_[x] = std::llround(x_log_x(static_cast<double>(x)) / unit);
  }
  std::array<std::int64_t, size> values_;
};

template <>
struct WholeScan<Entropy> {
  static constexpr bool exists = true;
  static bool can_count(double rows) { return rows < static_cast<double>(FixedLogs::size); }

  template <class Side>
  void start(const Side& left_side, const Side& right_side, const Target& target, double) {
    const std::vector<double>&left = left_side.counts, &right = right_side.counts;
    codes = target.codes.data();
    counts.clear();
    total = left_size = right_size = 0;
    for (std::size_t c = 0; c < left.size(); ++c) {
      counts.push_back({static_cast<std::int64_t>(left[c]), static_cast<std::int64_t>(right[c])});
      total += logs.value(counts[c].left) + logs.value(counts[c].right);
      left_size += counts[c].left;
      right_size += counts[c].right;
    }
  }
  void move(std::uint32_t row, std::int64_t count) {
    Counts& both = counts[codes[row]];
    total -= logs.value(both.left) + logs.value(both.right);
    both.left += count, both.right -= count;
    total += logs.value(both.left) + logs.value(both.right);
    left_size += count, right_size -= count;
  }
  double score() const {
    return static_cast<double>(total - logs.value(left_size) - logs.value(right_size)) * FixedLogs::unit;
  }
  bool exceeds(double limit) const { return score() > limit; }

  struct Counts {
    std::int64_t left, right;
  };
  const std::uint16_t* codes = nullptr;
  const FixedLogs& logs = FixedLogs::get();
  std::vector<Counts> counts;
  std::int64_t total = 0, left_size = 0, right_size = 0;
};

// Numbers: what is not on the left is on the right.
template <>
struct WholeScan<Variance> {
  static constexpr bool exists = true;
  static bool can_count(double) { return true; }

  void start(const ValueSide& left, const ValueSide& right, const Target& target, double node_center) {
    values = target.values.data();
    center = node_center;
    sum = left.sum;
    total = left.sum + right.sum;
    left_size = static_cast<std::int64_t>(left.weight);
    right_size = static_cast<std::int64_t>(right.weight);
  }
  void move(std::uint32_t row, std::int64_t count) {
    sum += static_cast<double>(count) * (values[row] - center);
    left_size += count, right_size -= count;
  }
  double score() const {
    const double rest = total - sum;
    return sum * sum / static_cast<double>(left_size) + rest * rest / static_cast<double>(right_size);
  }
  bool exceeds(double limit) const {
    const double left = static_cast<double>(left_size), right = static_cast<double>(right_size);
    const double rest = total - sum;
    return sum * sum * right + rest * rest * left > limit * left * right;
  }

  const double* values = nullptr;
  double center = 0.0, sum = 0.0, total = 0.0;
  std::int64_t left_size = 0, right_size = 0;
};

}  // namespace classica
