// The best division of groups of rows into two sets.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "cut.hpp"

namespace classica {

template <class Rule>
struct SubsetSearch {
  static constexpr std::size_t most_exact_groups = 12;

  std::vector<const double*> groups;  // weights per class
  std::vector<double> cases;
  const std::vector<double>& node;  // the sum of all groups
  double min_cases;

  using Found = std::pair<double, std::vector<char>>;  // sum of parts, and which groups are in the first set

  // Nothing if no division leaves enough cases on both sides. The first group is in the first set.
  Found best() const {
    Found found = node.size() <= 2 || groups.size() > most_exact_groups ? best_in_order(order()) : best_of_all();
    if (!found.second.empty() && !found.second[0])
      for (char& side : found.second) side = !side;
    return found;
  }

 private:
  // Every subset that keeps the last group out, each one group away from the one before (Gray's code).
  Found best_of_all() const {
    Sides sides(*this);
    Found best{-std::numeric_limits<double>::infinity(), {}};
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

  Found best_in_order(const std::vector<std::size_t>& in_order) const {
    Sides sides(*this);
    Found best{-std::numeric_limits<double>::infinity(), {}};
    std::vector<char> in_first(groups.size(), 0);
    for (std::size_t k = 0; k + 1 < in_order.size(); ++k) {
      in_first[in_order[k]] = 1;
      sides.move(in_order[k], true);
      sides.consider(in_first, best);
    }
    return best;
  }

  struct Sides {
    explicit Sides(const SubsetSearch& owner)
        : search(owner), first(static_cast<std::ptrdiff_t>(owner.node.size())), second(first) {
      const std::vector<double> nothing(owner.node.size());
      first.set(nothing.data(), 0.0, owner.node.data());
      second.set(owner.node.data(), std::accumulate(owner.cases.begin(), owner.cases.end(), 0.0),
                 owner.node.data());
    }
    void move(std::size_t group, bool to_first) {
      Side<Rule>&to = to_first ? first : second, &from = to_first ? second : first;
      for (std::size_t c = 0; c < search.node.size(); ++c) {
        to.add(c, search.groups[group][c], search.node.data());
        from.add(c, -search.groups[group][c], search.node.data());
      }
      to.cases += search.cases[group];
      from.cases -= search.cases[group];
    }
    void consider(const std::vector<char>& in_first, Found& best) const {
      if (first.cases < search.min_cases || second.cases < search.min_cases) return;
      const double score = first.part() + second.part();
      if (score > best.first + 1e-12 * (first.weight + second.weight)) best = {score, in_first};
    }
    const SubsetSearch& search;
    Side<Rule> first, second;
  };

  std::vector<std::size_t> order() const {
    const std::vector<double> direction = node.size() == 2 ? std::vector<double>{0.0, 1.0} : main_direction();
    std::vector<double> keys(groups.size());
    for (std::size_t k = 0; k < groups.size(); ++k) {
      const double weight = std::accumulate(groups[k], groups[k] + node.size(), 0.0);
      for (std::size_t c = 0; c < node.size(); ++c) keys[k] += direction[c] * groups[k][c] / weight;
    }
    std::vector<std::size_t> places(groups.size());
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
    return places;
  }

  // The first principal component of the class shares of the groups, by repeated multiplication.
  std::vector<double> main_direction() const {
    const std::size_t k = node.size();
    const double all = std::accumulate(node.begin(), node.end(), 0.0);
    std::vector<double> covariance(k * k);
    for (const double* group : groups) {
      const double weight = std::accumulate(group, group + k, 0.0);
      for (std::size_t a = 0; a < k; ++a)
        for (std::size_t b = 0; b < k; ++b)
          covariance[a * k + b] +=
              weight * (group[a] / weight - node[a] / all) * (group[b] / weight - node[b] / all);
    }
    std::size_t widest = 0;
    for (std::size_t a = 1; a < k; ++a)
      if (covariance[a * k + a] > covariance[widest * k + widest]) widest = a;
    std::vector<double> direction(covariance.begin() + static_cast<std::ptrdiff_t>(widest * k),
                                  covariance.begin() + static_cast<std::ptrdiff_t>((widest + 1) * k));
    std::vector<double> next(k);
    for (int step = 0; step < 100; ++step) {
      double length = 0.0;
      for (std::size_t a = 0; a < k; ++a) {
        next[a] = 0.0;
        for (std::size_t b = 0; b < k; ++b) next[a] += covariance[a * k + b] * direction[b];
        length += next[a] * next[a];
      }
      if (!(length > 0.0)) break;
      for (std::size_t a = 0; a < k; ++a) direction[a] = next[a] / std::sqrt(length);
    }
    return direction;
  }
};

}  // namespace classica
