// The criteria of classification trees. Each is a sum over the branches of a split: the higher, the better.
//
//   gain * n = sum over branches of part(branch) - part(node)
//
// and a part is made of one term per class: part = finish(total of term(count of class), count of branch).
// A new criterion is one struct here and one word in `with_criterion`.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "classica/tree.hpp"

namespace classica {

inline double x_log_x(double x) { return x > 0.0 ? x * std::log2(x) : 0.0; }

struct Gini {
  // Whether totals of whole counts are whole numbers, so that they can be kept up to date without error.
  static constexpr bool is_whole = true;
  static double term(double count, double) { return count * count; }
  static double total(const double* terms, std::ptrdiff_t classes) {
    double sum = 0.0;
    for (std::ptrdiff_t c = 0; c < classes; ++c) sum += terms[c];
    return sum;
  }
  static double finish(double total, double count) { return total / count; }
};

struct Entropy : Gini {
  static constexpr bool is_whole = false;
  static double term(double count, double) { return x_log_x(count); }
  static double finish(double total, double count) { return total - x_log_x(count); }
};

struct Misclassification {
  static constexpr bool is_whole = false;
  static double term(double count, double) { return count; }
  static double total(const double* terms, std::ptrdiff_t classes) {
    return *std::max_element(terms, terms + classes);
  }
  static double finish(double total, double) { return total; }
};

// The statistic of the table of branches and classes: chi^2 = n (sum of parts - 1).
struct ChiSquare : Gini {
  static constexpr bool is_whole = false;
  static double term(double count, double in_node) { return in_node > 0.0 ? count * count / in_node : 0.0; }
};

template <class Body>
decltype(auto) with_criterion(Criterion criterion, Body&& body) {
  switch (criterion) {
    case Criterion::gini:
      return body.template operator()<Gini>();
    case Criterion::entropy:
      return body.template operator()<Entropy>();
    case Criterion::misclassification:
      return body.template operator()<Misclassification>();
    case Criterion::chi_square:
      return body.template operator()<ChiSquare>();
  }
  throw std::invalid_argument("there is no such criterion");
}

}  // namespace classica
