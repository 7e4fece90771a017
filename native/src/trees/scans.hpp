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

// The two sides of a cut that moves through a node; `score` is the sum of their parts. `start` returns what
// changes as the cut moves, to be kept where the compiler likes it best.
template <class Rule>
struct WholeScan {
  static constexpr bool exists = false;
};

// How much of each class is on either side.
class SideCounts {
 public:
  struct Counts {
    std::int64_t left, right;
  };
  Counts* set(const std::vector<double>& left, const std::vector<double>& right) {
    counts_.resize(left.size());
    for (std::size_t c = 0; c < left.size(); ++c)
      counts_[c] = {static_cast<std::int64_t>(left[c]), static_cast<std::int64_t>(right[c])};
    return counts_.data();
  }

 private:
  std::vector<Counts> counts_;
};

template <>
struct WholeScan<Gini> {
  static constexpr bool exists = true;
  static bool can_count(double) { return true; }

  struct Running {
    const std::uint16_t* codes;
    SideCounts::Counts* counts;
    std::int64_t left_total = 0, right_total = 0, left_size = 0, right_size = 0;

    void move(std::uint32_t row, std::int64_t count) {
      SideCounts::Counts& both = counts[codes[row]];
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
  };

  template <class Side>
  Running start(const Side& left, const Side& right, const Target& target, double) {
    Running running{target.codes.data(), counts.set(left.counts, right.counts)};
    for (std::size_t c = 0; c < left.counts.size(); ++c) {
      const SideCounts::Counts both = running.counts[c];
      running.left_total += both.left * both.left;
      running.right_total += both.right * both.right;
      running.left_size += both.left;
      running.right_size += both.right;
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
  static constexpr bool exists = true;
  static bool can_count(double rows) { return rows < static_cast<double>(FixedLogs::size); }

  struct Running {
    const std::uint16_t* codes;
    SideCounts::Counts* counts;
    const FixedLogs& logs;
    std::int64_t total = 0, left_size = 0, right_size = 0;

    void move(std::uint32_t row, std::int64_t count) {
      SideCounts::Counts& both = counts[codes[row]];
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

  template <class Side>
  Running start(const Side& left, const Side& right, const Target& target, double) {
    Running running{target.codes.data(), counts.set(left.counts, right.counts), logs};
    for (std::size_t c = 0; c < left.counts.size(); ++c) {
      const SideCounts::Counts both = running.counts[c];
      running.total += logs.value(both.left) + logs.value(both.right);
      running.left_size += both.left;
      running.right_size += both.right;
    }
    return running;
  }

  const FixedLogs& logs = FixedLogs::get();
  SideCounts counts;
};

// Numbers: what is not on the left is on the right.
template <>
struct WholeScan<Variance> {
  static constexpr bool exists = true;
  static bool can_count(double) { return true; }

  struct Running {
    const double* values;
    double center, sum, total;
    std::int64_t left_size, right_size;

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
  };

  static Running start(const ValueSide& left, const ValueSide& right, const Target& target, double center) {
    return {target.values.data(),
            center,
            left.sum,
            left.sum + right.sum,
            static_cast<std::int64_t>(left.weight),
            static_cast<std::int64_t>(right.weight)};
  }
};

}  // namespace classica
