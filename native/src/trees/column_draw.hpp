// Columns in random order, without repetition: the beginning of a Fisher-Yates shuffle (Durstenfeld 1964)
// with counter-based random numbers.
//
// Invariant: what is drawn depends on the key of the node alone; the swaps are undone afterwards, so that
// every node starts from the same order and threads change nothing. Cost: O(drawn columns).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "classica/random.hpp"

namespace classica {

// Draws columns without repetition; what comes depends on the key alone.
class ColumnDraw {
 public:
  explicit ColumnDraw(std::ptrdiff_t cols) : order_(static_cast<std::size_t>(cols)) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  void start(std::uint64_t key) { key_ = key; }

  // The next columns, ascending.
  std::span<const std::int32_t> next(std::ptrdiff_t count) {
    const std::size_t from = swapped_.size();
    for (std::size_t k = from; k < from + static_cast<std::size_t>(count); ++k) {
      if (k % 4 == 0) block_ = Philox(key_, 0).block({k / 4, 0, 0, 0});
      const double place = Philox::to_unit(block_[k % 4]) * static_cast<double>(order_.size() - k);
      swapped_.push_back(k + static_cast<std::size_t>(place));
      std::swap(order_[k], order_[swapped_[k]]);
    }
    drawn_.assign(order_.begin() + static_cast<std::ptrdiff_t>(from),
                  order_.begin() + static_cast<std::ptrdiff_t>(swapped_.size()));
    std::sort(drawn_.begin(), drawn_.end());
    return drawn_;
  }

  // Undoes what was drawn, so that the next node starts from the same order.
  void put_back() {
    for (std::size_t k = swapped_.size(); k-- > 0;) std::swap(order_[k], order_[swapped_[k]]);
    swapped_.clear();
  }

 private:
  std::vector<std::int32_t> order_, drawn_;
  std::vector<std::size_t> swapped_;
  std::uint64_t key_ = 0;
  Philox::Block block_{};
};

}  // namespace classica
