// The inner loop of growing with whole weights: one row after the other, as often as it is there, goes from
// right to left. Counts are whole numbers, so that running totals stay exact.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "criteria.hpp"

namespace classica {

// The two sides of a cut that moves through a node; `score` is the sum of their parts. `start` returns what
// changes as the cut moves, to be kept where the compiler likes it best.
template <class Rule>
struct WholeScan {
  static constexpr bool exists = false;
};

// How much of each class is on either side; whole numbers all of them, also as double.
class SideCounts {
 public:
  struct Counts {
    double left, right;
  };
  Counts* set(const double* left, const double* right, std::size_t classes) {
    counts_.resize(classes);
    for (std::size_t c = 0; c < classes; ++c) counts_[c] = {left[c], right[c]};
    return counts_.data();
  }

 private:
  std::vector<Counts> counts_;
};

// Squares of whole numbers and their sums are whole numbers too: doubles add them up without loss.
template <>
struct WholeScan<Gini> {
  static constexpr bool exists = true, is_by_class = true;
  static bool can_count(double rows) { return rows < 0x1p26; }

  struct Running {
    SideCounts::Counts* counts;
    double left_total = 0.0, right_total = 0.0, left_size = 0.0, right_size = 0.0;

    [[gnu::always_inline]] void move(std::uint32_t code, std::int64_t times) {
      SideCounts::Counts& both = counts[code];
      const auto count = static_cast<double>(times);
      left_total += count * (both.left + both.left + count);
      right_total -= count * (both.right + both.right - count);
      both.left += count, both.right -= count;
      left_size += count, right_size -= count;
    }
    double score() const { return left_total / left_size + right_total / right_size; }
    // Whether the score is above a limit; asked for every cut, so without a division.
    bool exceeds(double limit) const {
      return left_total * right_size + right_total * left_size > limit * left_size * right_size;
    }
  };

  Running start(const double* left, const double* right, std::size_t classes, const Target&, double) {
    Running running{counts.set(left, right, classes)};
    for (std::size_t c = 0; c < classes; ++c) {
      running.left_total += left[c] * left[c];
      running.right_total += right[c] * right[c];
      running.left_size += left[c];
      running.right_size += right[c];
    }
    return running;
  }

  SideCounts counts;
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
  static constexpr bool exists = true, is_by_class = true;
  static bool can_count(double rows) { return rows < static_cast<double>(FixedLogs::size); }

  struct Counts {
    std::int64_t left, right;
  };
  struct Running {
    Counts* counts;
    const FixedLogs& logs;
    std::int64_t total = 0, left_size = 0, right_size = 0;

    [[gnu::always_inline]] void move(std::uint32_t code, std::int64_t count) {
      Counts& both = counts[code];
      total -= logs.value(both.left) + logs.value(both.right);
      both.left += count, both.right -= count;
      total += logs.value(both.left) + logs.value(both.right);
      left_size += count, right_size -= count;
    }
    double score() const {
      return static_cast<double>(total - logs.value(left_size) - logs.value(right_size)) * FixedLogs::unit;
    }
    bool exceeds(double limit) const { return score() > limit; }
  };

  Running start(const double* left, const double* right, std::size_t classes, const Target&, double) {
    counts.resize(classes);
    Running running{counts.data(), logs};
    for (std::size_t c = 0; c < classes; ++c) {
      counts[c] = {static_cast<std::int64_t>(left[c]), static_cast<std::int64_t>(right[c])};
      running.total += logs.value(counts[c].left) + logs.value(counts[c].right);
      running.left_size += counts[c].left;
      running.right_size += counts[c].right;
    }
    return running;
  }

  const FixedLogs& logs = FixedLogs::get();
  std::vector<Counts> counts;
};

// Numbers: what is not on the left is on the right.
template <>
struct WholeScan<Variance> {
  static constexpr bool exists = true, is_by_class = false;
  static bool can_count(double) { return true; }

  struct Running {
    const double* values;
    double center, sum, total, left_size, right_size;

    [[gnu::always_inline]] void move(std::uint32_t row, std::int64_t times) {
      const auto count = static_cast<double>(times);
      sum += count * (values[row] - center);
      left_size += count, right_size -= count;
    }
    double score() const {
      const double rest = total - sum;
      return sum * sum / left_size + rest * rest / right_size;
    }
    bool exceeds(double limit) const {
      const double rest = total - sum;
      return sum * sum * right_size + rest * rest * left_size > limit * left_size * right_size;
    }
  };

  static Running start(const double* left, const double* right, std::size_t, const Target& target,
                       double center) {
    return {target.values.data(), center, left[1], left[1] + right[1], left[0], right[0]};
  }
};

}  // namespace classica
