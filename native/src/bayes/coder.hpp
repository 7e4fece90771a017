// From a value to its code in one column: a binary search among the keys, or a look-up where all keys are
// small whole numbers, as codes of categories mostly are.
//
// Invariant: an interval is closed above, and a category that was not counted gets the code behind the
// last. The table of the look-up has at most 4096 entries, which trades memory against the search. Cost:
// O(log keys), or O(1).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "classica/coded_columns.hpp"

namespace classica {

// Whether x is a small whole number, as codes of categories mostly are: a table then knows it by place.
inline bool is_small_whole(double x, double largest) {
  return x >= 0.0 && x <= largest && x == static_cast<double>(static_cast<std::int64_t>(x));
}

class Coder {
 public:
  Coder(const CodedColumns& columns, std::ptrdiff_t k)
      : begin_(columns.keys + columns.key_starts[k]),
        count_(columns.codes(k) - 1),
        categories_(columns.categories[k] != 0) {
    constexpr double largest = 4095.0;
    const double* end = begin_ + count_;
    if (!categories_ || !std::all_of(begin_, end, [](double x) { return is_small_whole(x, largest); }))
      return;
    places_.assign(count_ ? static_cast<std::size_t>(end[-1]) + 1 : 1, static_cast<std::int32_t>(count_));
    for (std::ptrdiff_t place = 0; place < count_; ++place)
      places_[static_cast<std::size_t>(begin_[place])] = static_cast<std::int32_t>(place);
  }

  // x must not be NaN.
  std::ptrdiff_t operator()(double x) const {
    if (!places_.empty()) {
      const bool known = is_small_whole(x, static_cast<double>(places_.size() - 1));
      return known ? places_[static_cast<std::size_t>(x)] : count_;
    }
    const std::ptrdiff_t below =
        count_ == 1 ? x > *begin_ : std::lower_bound(begin_, begin_ + count_, x) - begin_;
    return !categories_ || (below < count_ && begin_[below] == x) ? below : count_;
  }

 private:
  const double* begin_;
  std::ptrdiff_t count_;
  bool categories_;
  std::vector<std::int32_t> places_;  // by value, where all keys are small whole numbers
};

inline std::vector<Coder> coders_of(const CodedColumns& columns) {
  std::vector<Coder> coders;
  coders.reserve(static_cast<std::size_t>(columns.count));
  for (std::ptrdiff_t k = 0; k < columns.count; ++k) coders.emplace_back(columns, k);
  return coders;
}

}  // namespace classica
