// The two sides of a cut that moves through rows of whole weight, for criteria that have a form in which
// totals are whole numbers (own). Gini: sums of squares of counts. Entropy: x log2 x in fixed units of
// 2^-40, looked up. Variance: sums of deviations, which are real, but need no terms per class.
//
// Invariant: with whole numbers a running total equals the total added up afresh, after any number of
// moves, so that equal cuts have equal scores and no rounding decides between them. Cost: O(1) per row,
// whatever the number of classes; integers made entropy three times as fast as sums of logarithms
// (docs/decisions/0023).
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
  struct Running {};
};

// With l of class c on the left, n in all, and L of N rows on the left, what is on the right need not be
// kept:
//
//   L R score = N sum(l^2) + L (sum(n^2) - 2 sum(n l)).
//
// All sums are whole numbers, which doubles add up without loss.
template <>
struct WholeScan<Gini> {
  static constexpr bool exists = true, is_by_class = true;
  static bool can_count(double rows) { return rows < 0x1p26; }

  struct Class {
    double left, twice_all;
  };
  struct Running {
    Class* classes;
    double all_size, squares_left = 0.0, rest = 0.0, left_size = 0.0;  // rest: sum(n^2) - 2 sum(n l)

    [[gnu::always_inline]] void move(std::uint32_t code, std::int64_t times) {
      Class& its = classes[code];
      const auto count = static_cast<double>(times);
      squares_left += count * (its.left + its.left + count);
      rest -= count * its.twice_all;
      its.left += count;
      left_size += count;
    }
    double right_size() const { return all_size - left_size; }
    double score() const { return squares_left / left_size + (rest + squares_left) / right_size(); }
    // Whether the score is above a limit; asked for every cut, so without a division.
    bool exceeds(double limit) const {
      return squares_left * all_size + rest * left_size > limit * (left_size * right_size());
    }
  };

  Running start(const double* left, const double* right, std::size_t count, const Target&, double) {
    classes.resize(count);
    Running running{classes.data(), 0.0};
    for (std::size_t c = 0; c < count; ++c) {
      const double all = left[c] + right[c];
      classes[c] = {left[c], 2.0 * all};
      running.all_size += all;
      running.left_size += left[c];
      running.squares_left += left[c] * left[c];
      running.rest += all * all - 2.0 * all * left[c];
    }
    return running;
  }

  std::vector<Class> classes;
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
    std::int64_t total = 0, left_size = 0, of_right = 0;

    [[gnu::always_inline]] void move(std::uint32_t code, std::int64_t count) {
      Counts& both = counts[code];
      total -= logs.value(both.left) + logs.value(both.right);
      both.left += count, both.right -= count;
      total += logs.value(both.left) + logs.value(both.right);
      left_size += count, of_right -= count;
    }
    double right_size() const { return static_cast<double>(of_right); }
    double score() const {
      return static_cast<double>(total - logs.value(left_size) - logs.value(of_right)) * FixedLogs::unit;
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
      running.of_right += counts[c].right;
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
    double center, sum, total, left_size, all_size;

    [[gnu::always_inline]] void move(std::uint32_t row, std::int64_t times) {
      const auto count = static_cast<double>(times);
      sum += count * (values[row] - center);
      left_size += count;
    }
    double right_size() const { return all_size - left_size; }
    double score() const {
      const double rest = total - sum;
      return sum * sum / left_size + rest * rest / right_size();
    }
    bool exceeds(double limit) const {
      const double rest = total - sum, right = right_size();
      return sum * sum * right + rest * rest * left_size > limit * (left_size * right);
    }
  };

  static Running start(const double* left, const double* right, std::size_t, const Target& target,
                       double center) {
    return {target.values.data(), center, left[1], left[1] + right[1], left[0], left[0] + right[0]};
  }
};

}  // namespace classica
