// How often each class occurs at each level of a column: a histogram per class, padded to four levels, and
// the best cut between levels by Gini's index over running sums of it (see cut_block.cpp).
//
// Invariant: counts of a class lie side by side, and levels that do not occur are passed over, so that a
// cut always lies between two levels of the node. Cost: O(rows) to count, O(levels * classes) to search.
#pragma once

#include <cstdint>
#include <vector>

#include "../level/cut_block.hpp"

namespace classica {

class LevelCounts {
 public:
  void start(std::int64_t levels, std::size_t classes) {
    levels_ = (static_cast<std::size_t>(levels) + 3) / 4 * 4;  // they are looked at four at a time
    classes_ = classes;
    counts_.assign(levels_ * classes_, 0);
  }
  void add(std::uint32_t code, std::uint32_t level, std::int64_t count) {
    counts_[code * levels_ + level] += static_cast<std::uint32_t>(count);
  }

  // Those that occur, in order: the first one from a given level on; nothing lies behind `end`.
  std::uint32_t end() const { return static_cast<std::uint32_t>(levels_); }
  std::uint32_t next(std::uint32_t level) const {
    while (level < levels_ && !occurs(level)) ++level;
    return level;
  }
  // The last one; there must be one.
  std::uint32_t last() const {
    std::uint32_t level = end() - 1;
    while (!occurs(level)) --level;
    return level;
  }
  // Calls body(class, count) for what is at a level.
  template <class Body>
  void for_each_class(std::uint32_t level, Body body) const {
    for (std::size_t c = 0; c < classes_; ++c)
      if (const std::uint32_t count = counts_[c * levels_ + level])
        body(static_cast<std::uint32_t>(c), count);
  }

  // The best cut by Gini's index, with what is on both sides of all levels; see `CutBlock`.
  LevelCut best_gini(const double* left, const double* right, double least, double to_exceed, double slack) {
    scratch_.resize(2 * classes_);
    double* const all = scratch_.data();
    for (std::size_t c = 0; c < classes_; ++c) all[c] = left[c] + right[c];
    const LevelRange range{next(0), last()};
    return at_active_level([&]<class Level>() {
      return CutBlock<Level>::best_of_levels(counts_.data(), static_cast<std::ptrdiff_t>(levels_), range,
                                             left, all, static_cast<std::ptrdiff_t>(classes_), least,
                                             to_exceed, slack, all + classes_);
    });
  }

 private:
  bool occurs(std::uint32_t level) const {
    for (std::size_t c = 0; c < classes_; ++c)
      if (counts_[c * levels_ + level] > 0) return true;
    return false;
  }

  std::size_t levels_ = 0, classes_ = 0;
  std::vector<std::uint32_t> counts_;  // class by class
  std::vector<double> scratch_;
};

}  // namespace classica
