// The K best rows seen so far, by rank and then by row, and every further row that shares the last rank:
// insertion into a short sorted list, from the back.
//
// Invariant: `best_` is sorted and `bound_` is its last rank once it is full; `ties_` are the rows of that
// rank that did not get in. What is kept does not depend on the order of the offers. Cost: O(K) per row
// that gets in, O(1) per row that does not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace classica {

struct Neighbour {
  double rank;
  std::int32_t row;

  bool operator<(const Neighbour& other) const {
    return rank < other.rank || (rank == other.rank && row < other.row);
  }
};

class KBest {
 public:
  // excluded: a row that is never taken, or -1.
  void reset(std::int32_t count, std::int32_t excluded) {
    count_ = static_cast<std::size_t>(count);
    excluded_ = excluded;
    bound_ = std::numeric_limits<double>::infinity();
    best_.clear();
    ties_.clear();
  }

  bool is_full() const { return best_.size() == count_; }

  // A row beyond this rank is of no interest any more.
  double bound() const { return bound_; }

  void offer(double rank, std::int32_t row) {
    if (rank > bound() || row == excluded_) return;
    const Neighbour candidate{rank, row};
    if (best_.size() < count_) return insert(candidate);
    const Neighbour last = best_.back();
    if (last < candidate) {
      ties_.push_back(candidate);
      return;
    }
    best_.pop_back();
    insert(candidate);
    if (best_.back().rank == last.rank)
      ties_.push_back(last);
    else
      ties_.clear();
  }

  // All of them, nearest first.
  const std::vector<Neighbour>& finish() {
    std::sort(ties_.begin(), ties_.end());
    best_.insert(best_.end(), ties_.begin(), ties_.end());
    ties_.clear();
    return best_;
  }

 private:
  void insert(Neighbour candidate) {
    // From the back: most rows that get in at all belong near the end.
    best_.push_back(candidate);
    std::size_t place = best_.size() - 1;
    for (; place > 0 && candidate < best_[place - 1]; --place) best_[place] = best_[place - 1];
    best_[place] = candidate;
    if (is_full()) bound_ = best_.back().rank;
  }

  std::size_t count_ = 0;
  std::int32_t excluded_ = -1;
  double bound_ = std::numeric_limits<double>::infinity();
  std::vector<Neighbour> best_, ties_;
};

}  // namespace classica
