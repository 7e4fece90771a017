// What each rule covers with all its conditions, and with all but one (as C4.5's rules are simplified,
// Quinlan 1993): rows that fail one condition count for leaving that one out, and the sum of the numbers of
// failing conditions tells which it is (own).
//
// Invariant: a row is counted once, under `all` or under the one condition it fails. Cost: O(conditions *
// rows) for all conditions together, instead of once per condition left out.
#include "classica/rule_counts.hpp"

#include <algorithm>

#include "classica/parallel.hpp"

namespace classica {
namespace {

// The two counters of so many rows stay in the first cache (2 KB).
constexpr std::ptrdiff_t rows_at_once = 512;

// One rule. Which condition fails is only asked where a single one does: a sum of places tells it.
class RuleCount {
 public:
  RuleCount(const RuleConditions& rules, std::ptrdiff_t rule, double* cases, double* errors)
      : rules_(rules),
        begin_(rules.starts[rule]),
        parts_(rules.starts[rule + 1] - begin_),
        answer_(rules.answers[rule]),
        cases_(cases),
        errors_(errors) {
    std::fill_n(cases_, parts_ + 1, 0.0);
    std::fill_n(errors_, parts_ + 1, 0.0);
  }

  void add(std::ptrdiff_t first, std::ptrdiff_t count, const std::int32_t* codes, const double* weights) {
    std::uint16_t failing[rows_at_once] = {}, place[rows_at_once] = {};
    for (std::ptrdiff_t k = 0; k < parts_; ++k) {
      if (!rules_.asked[begin_ + k]) continue;
      const std::uint8_t* const fails = rules_.fails.row(begin_ + k) + first;
      const auto number = static_cast<std::uint16_t>(k);
      for (std::ptrdiff_t i = 0; i < count; ++i) {
        failing[i] = static_cast<std::uint16_t>(failing[i] + fails[i]);
        place[i] = static_cast<std::uint16_t>(place[i] + fails[i] * number);
      }
    }
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      if (failing[i] > 1) continue;
      const double weight = weights[first + i];
      const std::ptrdiff_t where = failing[i] == 0 ? parts_ : place[i];
      cases_[where] += weight;
      if (codes[first + i] != answer_) errors_[where] += weight;
    }
  }

  // Rows for which all conditions hold count without any of them, too.
  void finish() {
    for (std::ptrdiff_t k = 0; k < parts_; ++k) {
      cases_[k] += cases_[parts_];
      errors_[k] += errors_[parts_];
    }
  }

 private:
  const RuleConditions& rules_;
  std::ptrdiff_t begin_, parts_;
  std::int32_t answer_;
  double *cases_, *errors_;
};

}  // namespace

void count_rules(const RuleConditions& rules, Vector<const std::int32_t> codes, Vector<const double> weights,
                 int threads, Vector<double> cases, Vector<double> errors) {
  parallel_for(rules.answers.size, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t r = begin; r < end; ++r) {
      const std::ptrdiff_t place = rules.starts[r] + r;
      RuleCount count(rules, r, cases.data + place, errors.data + place);
      for (std::ptrdiff_t first = 0; first < codes.size; first += rows_at_once)
        count.add(first, std::min(rows_at_once, codes.size - first), codes.data, weights.data);
      count.finish();
    }
  });
}

}  // namespace classica
