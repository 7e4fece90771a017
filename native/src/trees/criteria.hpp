// The criteria a tree grows by. Each is a sum over the branches of a split: the higher, the better.
//
//   gain (summed over the rows) = sum over branches of part(branch) - part(node)
//
// A new criterion is one struct here and its name in `Criteria`, at the end of this file; Python's rules,
// help and documentation read the list. For classes, a part is made of one term per class: part =
// finish(total of term(weight of class), weight of branch), and nothing else needs to be written. The shorter
// loops of `WholeScan` and `RoughScore` may be added for a criterion that is used much.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "classica/tree.hpp"

namespace classica {

// x log2 x, looked up for whole numbers: counts are what it is mostly asked for.
inline double x_log_x(double x) {
  constexpr std::size_t size = 1 << 16;
  static const std::unique_ptr<const std::array<double, size>> table = [] {
    auto filled = std::make_unique<std::array<double, size>>();
    (*filled)[0] = 0.0;
    for (std::size_t i = 1; i < size; ++i) (*filled)[i] = static_cast<double>(i) * std::log2(double(i));
    return filled;
  }();
  if (!(x > 0.0)) return 0.0;
  if (x < static_cast<double>(size)) {
    const auto whole = static_cast<std::size_t>(x);
    if (static_cast<double>(whole) == x) return (*table)[whole];
  }
  return x * std::log2(x);
}

// What a side of a cut, or a branch, holds: per class the weight of its rows and the criterion's term. `base`
// are the weights of the classes in all branches together.
//
// `whole`: all weights are whole numbers, so that a criterion whose total is one can keep it up to date.
template <class Rule, bool whole>
struct ClassSide {
  static constexpr bool keeps_total = whole && Rule::is_whole;

  std::vector<double> counts, terms;
  double total = 0.0, weight = 0.0, cases = 0.0;

  explicit ClassSide(std::ptrdiff_t classes)
      : counts(static_cast<std::size_t>(classes)), terms(counts.size()) {}

  void set(const double* from, double its_cases, const double* base) {
    cases = its_cases;
    weight = 0.0;
    for (std::size_t c = 0; c < counts.size(); ++c) {
      counts[c] = from[c];
      weight += from[c];
      terms[c] = Rule::term(from[c], base[c]);
    }
    total = Rule::total(terms.data(), static_cast<std::ptrdiff_t>(terms.size()));
  }
  void add_row(const Target&, std::uint32_t code, double by, double, const double* base) {
    add(code, by, base);
  }
  void add_group(const double* group, double sign, const double* base) {
    for (std::size_t c = 0; c < counts.size(); ++c)
      if (group[c] != 0.0) add(c, sign * group[c], base);
  }
  double part() const {
    if (!(weight > 0.0)) return 0.0;
    if constexpr (keeps_total) return Rule::finish(total, weight);
    return Rule::finish(Rule::total(terms.data(), static_cast<std::ptrdiff_t>(terms.size())), weight);
  }

 private:
  void add(std::size_t c, double by, const double* base) {
    const double before = counts[c];
    counts[c] += by;
    weight += by;
    if constexpr (keeps_total)
      total += by * (2.0 * before + by);
    else
      terms[c] = Rule::term(counts[c], base[c]);
  }
};

template <class Rule>
struct ClassCriterion {
  static constexpr bool is_of_classes = true;
  template <bool whole>
  using Side = ClassSide<Rule, whole>;
  // How many numbers describe a group of rows, and what a side has to know of a row.
  static std::ptrdiff_t width(const Target& target) { return target.classes; }
  static std::uint32_t who(const Target& target, std::uint32_t row) { return target.codes[row]; }
  static void tally(double* group, const Target& target, std::uint32_t row, double weight, double) {
    group[target.codes[row]] += weight;
  }
  static double weight_of(const double* group, std::ptrdiff_t width) {
    double sum = 0.0;
    for (std::ptrdiff_t c = 0; c < width; ++c) sum += group[c];
    return sum;
  }
  static double total(const double* terms, std::ptrdiff_t classes) { return weight_of(terms, classes); }
  // What sums of parts are of the order of: the unit in which they count as equal.
  static double scale(double weight) { return weight; }
  // The gain, summed over the rows of a node, from the difference of parts.
  static double gain(double difference, double) { return difference; }
};

// Gini's index of diversity (Breiman et al. 1984): n (1 - sum of p^2) falls by the sum of n_c^2 / n.
struct Gini : ClassCriterion<Gini> {
  static constexpr std::string_view word = "gini";
  // Whether totals of whole counts are whole numbers, so that they can be kept up to date without error.
  static constexpr bool is_whole = true;
  static double term(double count, double) { return count * count; }
  static double finish(double total, double count) { return total / count; }
};

// Information gain (Quinlan 1986), in bits.
struct Entropy : ClassCriterion<Entropy> {
  static constexpr std::string_view word = "entropy";
  static constexpr bool is_whole = false;
  static double term(double count, double) { return x_log_x(count); }
  static double finish(double total, double count) { return total - x_log_x(count); }
};

// The rows that the most frequent class of their branch gets right.
struct Misclassification : ClassCriterion<Misclassification> {
  static constexpr std::string_view word = "misclassification";
  static constexpr bool is_whole = false;
  static double term(double count, double) { return count; }
  static double total(const double* terms, std::ptrdiff_t classes) {
    return *std::max_element(terms, terms + classes);
  }
  static double finish(double total, double) { return total; }
};

// The statistic of the table of branches and classes: chi^2 = n (sum of parts - 1).
struct ChiSquare : ClassCriterion<ChiSquare> {
  static constexpr std::string_view word = "chi2";
  static constexpr bool is_whole = false;
  static double term(double count, double in_node) { return in_node > 0.0 ? count * count / in_node : 0.0; }
  static double finish(double total, double count) { return total / count; }
  static double scale(double) { return 1.0; }
  static double gain(double difference, double weight) { return weight * difference; }
};

// Numbers, as seen from the mean of the node: a group is its weight and the sum of its deviations.
struct ValueSide {
  double weight = 0.0, sum = 0.0, cases = 0.0;

  explicit ValueSide(std::ptrdiff_t) {}
  void set(const double* from, double its_cases, const double*) {
    weight = from[0];
    sum = from[1];
    cases = its_cases;
  }
  void add_row(const Target& target, std::uint32_t row, double by, double center, const double*) {
    weight += by;
    sum += by * (target.values[row] - center);
  }
  void add_group(const double* group, double sign, const double*) {
    weight += sign * group[0];
    sum += sign * group[1];
  }
  double part() const { return weight > 0.0 ? sum * sum / weight : 0.0; }
};

// The fall of the sum of squared deviations from the means of the branches.
struct Variance {
  static constexpr std::string_view word = "squared_error";
  static constexpr bool is_of_classes = false;
  template <bool>
  using Side = ValueSide;
  static std::ptrdiff_t width(const Target&) { return 2; }
  static std::uint32_t who(const Target&, std::uint32_t row) { return row; }
  static void tally(double* group, const Target& target, std::uint32_t row, double weight, double center) {
    group[0] += weight;
    group[1] += weight * (target.values[row] - center);
  }
  static double weight_of(const double* group, std::ptrdiff_t) { return group[0]; }
  static double gain(double difference, double) { return difference; }
};

// The fall of the sum of absolute deviations from the medians of the branches. Medians do not add up: this
// criterion has a search of its own, in absolute_error.hpp.
struct AbsoluteError {
  static constexpr std::string_view word = "absolute_error";
  static constexpr bool is_of_classes = false;
};

template <class... Rules>
struct CriterionList {};

// All criteria there are; rules of growth name one by its index in this list.
using Criteria = CriterionList<Gini, Entropy, Misclassification, ChiSquare, Variance, AbsoluteError>;

// Calls body.operator()<Rule>() for the criterion of an index.
template <class Body, class First, class... Rest>
auto with_criterion(int index, Body&& body, CriterionList<First, Rest...>) {
  if constexpr (sizeof...(Rest) > 0)
    if (index > 0) return with_criterion(index - 1, body, CriterionList<Rest...>{});
  if (index != 0) throw std::invalid_argument("there is no such criterion");
  return body.template operator()<First>();
}
}  // namespace classica
