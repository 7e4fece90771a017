// Which variables are worked on next: those that violate the optimality conditions most, as many able to
// rise as to fall (Joachims 1999), and the latest of those worked on before, which keeps the solver from
// swinging between two sets.
//
// Invariant: the pair that violates most is always in the set, so that every block gains; ties go to the
// lower number. Cost: a partial selection, O(violators).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "gram.hpp"

namespace classica {

class WorkingSet {
 public:
  explicit WorkingSet(std::ptrdiff_t size) : size_(room(size)) {}

  const Places& chosen() const { return chosen_; }

  // up and down: the variables that can go each way and violate, with their scores. Half of the set is new,
  // more where the old ones do not fill it.
  void choose(Places& up, Places& down, const std::vector<double>& scores) {
    const std::size_t half = size_ / 4;
    const auto higher = [&](std::int32_t a, std::int32_t b) {
      const double x = scores[room(a)], y = scores[room(b)];
      return x > y || (x == y && a < b);
    };
    const auto lower = [&](std::int32_t a, std::int32_t b) {
      const double x = scores[room(a)], y = scores[room(b)];
      return x < y || (x == y && a < b);
    };
    const std::size_t room_left = size_ - std::min(size_, chosen_.size());
    first_of(up, std::max(half, room_left / 2), higher);
    first_of(down, std::max(half, room_left / 2), lower);
    Places next;
    next.reserve(size_);
    is_new_.resize(scores.size());
    for (std::size_t k = 0; k < std::max(up.size(), down.size()); ++k) {
      if (k < up.size()) enter(up[k], next);
      if (k < down.size()) enter(down[k], next);
    }
    for (std::size_t k = 0; k < chosen_.size() && next.size() < size_; ++k) enter(chosen_[k], next);
    for (const std::int32_t v : next) is_new_[room(v)] = 0;
    chosen_ = std::move(next);
  }

  // Forget variables that are no longer looked at.
  template <class Keep>
  void filter(Keep keep) {
    std::erase_if(chosen_, [&](std::int32_t v) { return !keep(v); });
  }

 private:
  template <class Order>
  static void first_of(Places& places, std::size_t count, Order order) {
    if (places.size() > count) {
      std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count), places.end(),
                       order);
      places.resize(count);
    }
    std::sort(places.begin(), places.end(), order);
  }

  void enter(std::int32_t v, Places& next) {
    if (is_new_[room(v)] || next.size() >= size_) return;
    is_new_[room(v)] = 1;
    next.push_back(v);
  }

  std::size_t size_;
  Places chosen_;  // the latest first
  std::vector<char> is_new_;
};

}  // namespace classica
