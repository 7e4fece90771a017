// The best division of the groups of a column into two sets. With two classes, or numbers, the groups are
// put in the order of the share of the second class, or of their means: one of the cuts of that order is
// the best of all subsets (Breiman et al. 1984, Fisher 1958). With more classes every subset is tried, by
// Gray's code, up to `most_exact_groups`. Beyond that a local search starts from the best cut of several
// orders: that of the first principal component of the class shares (Coppersmith, Hong and Hosking 1999)
// and those of the shares of the largest classes; and from the best group on its own.
//
// Invariant of the local search: it moves single groups to the other side, or exchanges two, only where
// that gains, so that what it finds is never worse than any of its starts, and it ends. Cost: O(2^g)
// exactly, O(g^2) per round of exchanges.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "classica/parallel.hpp"
#include "criteria.hpp"

namespace classica {

template <class Rule, bool whole>
class SubsetSearch {
  struct Sides;

 public:
  // At most 2^11 divisions; each further group would double the work.
  static constexpr std::size_t most_exact_groups = 12;

  std::vector<const double*> groups;  // as the criterion describes them
  std::vector<double> cases;
  const double* base;  // the sum of all groups
  std::size_t width;
  double min_cases, min_weight;
  double slack;  // of scores that are equal but for rounding

  struct Found {
    double score = -std::numeric_limits<double>::infinity();  // sum of the parts
    double bits = 0.0;                                        // less the split information
    std::vector<char> in_first;                               // which groups are in the first set
  };

  // Nothing if no division leaves enough cases on both sides. The first group is in the first set.
  Found best() const {
    const bool is_few = groups.size() <= most_exact_groups;
    Found found = width <= 2 ? best_in_order(order({0.0, 1.0})) : is_few ? best_of_all() : best_found();
    // An order promises the best division, but not that its cuts leave enough cases.
    if (found.in_first.empty() && is_few) found = best_of_all();
    if (!found.in_first.empty() && !found.in_first[0])
      for (char& side : found.in_first) side = !side;
    return found;
  }

  // Every subset that keeps the last group out, each one group away from the one before (Gray's code).
  Found best_of_all() const {
    Sides sides(*this);
    Found best;
    const std::size_t last = groups.size() - 1;
    std::vector<char> in_first(groups.size(), 0);
    for (std::uint32_t step = 1; step < (1u << last); ++step) {
      const std::size_t k = static_cast<std::size_t>(std::countr_zero(step));
      in_first[k] = !in_first[k];
      sides.move(k, in_first[k]);
      sides.consider(in_first, best);
    }
    return best;
  }

  // What the local search finds; public, like all subsets, for the tests that compare them.
  Found best_found() const {
    Found best = best_in_order(order(main_direction()));
    try_single_groups(best);
    Found top = improved(best, false);
    for (const std::size_t c : largest_classes()) {
      std::vector<double> direction(width);
      direction[c] = 1.0;
      Found other = improved(best_in_order(order(direction)), false);
      if (other.score > top.score + slack) top = std::move(other);
    }
    return improved(std::move(top), true);
  }

 private:
  // Orders by more classes than this cost more than they find: measured on random groups of 3 to 20 classes.
  static constexpr std::size_t most_orders = 8;
  // Exchanges are as many as pairs of groups.
  static constexpr std::size_t most_exchanged_groups = 64;

  std::vector<std::size_t> largest_classes() const {
    std::vector<std::size_t> classes(width);
    std::iota(classes.begin(), classes.end(), 0);
    std::stable_sort(classes.begin(), classes.end(), [&](auto a, auto b) { return base[a] > base[b]; });
    classes.resize(std::min(width, most_orders));
    return classes;
  }

  // The division after all moves that gain, and where none is left exchanges, one after the other.
  Found improved(Found best, bool by_exchange) const {
    if (best.in_first.empty()) return best;
    Sides sides(*this);
    for (std::size_t k = 0; k < groups.size(); ++k)
      if (best.in_first[k]) sides.move(k, true);
    std::vector<char> in_first = best.in_first;
    while (moves(sides, in_first, best) || (by_exchange && exchanges(sides, in_first, best)))
      poll_interrupt();
    return best;
  }

  // Tries to turn a group over; keeps it if that gains.
  bool turns(std::size_t k, Sides& sides, std::vector<char>& in_first, Found& best) const {
    const double before = best.score;
    turn(k, sides, in_first);
    sides.consider(in_first, best);
    return best.score > before;
  }

  static void turn(std::size_t k, Sides& sides, std::vector<char>& in_first) {
    in_first[k] = !in_first[k];
    sides.move(k, in_first[k]);
  }

  bool moves(Sides& sides, std::vector<char>& in_first, Found& best) const {
    bool any = false;
    for (std::size_t k = 0; k < groups.size(); ++k) {
      if (turns(k, sides, in_first, best))
        any = true;
      else
        turn(k, sides, in_first);
    }
    return any;
  }

  bool exchanges(Sides& sides, std::vector<char>& in_first, Found& best) const {
    if (groups.size() > most_exchanged_groups) return false;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      turn(a, sides, in_first);
      for (std::size_t b = a + 1; b < groups.size(); ++b) {
        if (in_first[a] != in_first[b]) continue;  // it was on the same side before
        if (turns(b, sides, in_first, best)) return true;
        turn(b, sides, in_first);
      }
      turn(a, sides, in_first);
    }
    return false;
  }

  Found best_in_order(const std::vector<std::size_t>& in_order) const {
    Sides sides(*this);
    Found best;
    std::vector<char> in_first(groups.size(), 0);
    for (std::size_t k = 0; k + 1 < in_order.size(); ++k) {
      in_first[in_order[k]] = 1;
      sides.move(in_order[k], true);
      sides.consider(in_first, best);
    }
    return best;
  }

  // One group against the others, which no order may have side by side.
  void try_single_groups(Found& best) const {
    Sides sides(*this);
    std::vector<char> in_first(groups.size(), 0);
    for (std::size_t k = 0; k < groups.size(); ++k) {
      in_first[k] = 1;
      sides.move(k, true);
      sides.consider(in_first, best);
      sides.move(k, false);
      in_first[k] = 0;
    }
  }

  struct Sides {
    explicit Sides(const SubsetSearch& owner)
        : search(owner), first(static_cast<std::ptrdiff_t>(owner.width)), second(first) {
      const std::vector<double> nothing(owner.width);
      first.set(nothing.data(), 0.0, owner.base);
      second.set(nothing.data(), 0.0, owner.base);
      for (std::size_t k = 0; k < owner.groups.size(); ++k) {
        second.add_group(owner.groups[k], 1.0, owner.base);
        second.cases += owner.cases[k];
      }
    }
    void move(std::size_t group, bool to_first) {
      auto &to = to_first ? first : second, &from = to_first ? second : first;
      to.add_group(search.groups[group], 1.0, search.base);
      from.add_group(search.groups[group], -1.0, search.base);
      to.cases += search.cases[group];
      from.cases -= search.cases[group];
    }
    void consider(const std::vector<char>& in_first, Found& best) const {
      if (first.cases < search.min_cases || second.cases < search.min_cases) return;
      if (first.weight < search.min_weight || second.weight < search.min_weight) return;
      const double score = first.part() + second.part();
      if (!(score > best.score + search.slack)) return;
      best = {score, -x_log_x(first.weight) - x_log_x(second.weight), in_first};
    }
    const SubsetSearch& search;
    typename Rule::template Side<whole> first, second;
  };

  double weight_of(const double* group) const {
    return Rule::weight_of(group, static_cast<std::ptrdiff_t>(width));
  }

  // Both a pair of classes and a sum of numbers have in their second place what is to be ordered.
  std::vector<std::size_t> order(const std::vector<double>& direction) const {
    std::vector<double> keys(groups.size());
    for (std::size_t k = 0; k < groups.size(); ++k)
      for (std::size_t c = 0; c < width; ++c) keys[k] += direction[c] * groups[k][c] / weight_of(groups[k]);
    round_off(keys);
    std::vector<std::size_t> places(groups.size());
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
    return places;
  }

  // Keys that are equal but for rounding become equal, so that their groups keep the order of the levels.
  static void round_off(std::vector<double>& keys) {
    double largest = 0.0;
    for (const double key : keys) largest = std::max(largest, std::abs(key));
    if (!(largest > 0.0)) return;
    for (double& key : keys) key = std::round(key / largest * 0x1p40);
  }

  // The first principal component of the class shares of the groups, by repeated multiplication.
  std::vector<double> main_direction() const {
    const double all = weight_of(base);
    std::vector<double> covariance(width * width);
    for (const double* group : groups) {
      const double weight = weight_of(group);
      for (std::size_t a = 0; a < width; ++a)
        for (std::size_t b = 0; b < width; ++b)
          covariance[a * width + b] +=
              weight * (group[a] / weight - base[a] / all) * (group[b] / weight - base[b] / all);
    }
    std::size_t widest = 0;
    for (std::size_t a = 1; a < width; ++a)
      if (covariance[a * width + a] > covariance[widest * width + widest] * (1 + 1e-9)) widest = a;
    const double* start = covariance.data() + widest * width;
    std::vector<double> direction(start, start + width), next(width);
    for (int step = 0; step < 100; ++step) {
      double length = 0.0;
      for (std::size_t a = 0; a < width; ++a) {
        next[a] = 0.0;
        for (std::size_t b = 0; b < width; ++b) next[a] += covariance[a * width + b] * direction[b];
        length += next[a] * next[a];
      }
      if (!(length > 0.0)) break;
      for (std::size_t a = 0; a < width; ++a) direction[a] = next[a] / std::sqrt(length);
    }
    return direction;
  }
};

}  // namespace classica
