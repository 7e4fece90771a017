// Missing values in a split of one column, by the four policies of `MissingPolicy`: `direction` tries them on
// both sides of every cut; `own_branch` gives them a branch, whose part is the same for every cut of the
// column; `fraction` (Quinlan 1993) and `surrogate` (Breiman et al. 1984) leave them out of the gain.
//
// Invariant, once `count_known` has run: known + missing = node, per class or sum; `to_beat` is the part of
// all rows that the branches of a split divide, so that gain = sum of parts - to_beat under every policy; and
// `base` holds the class weights of those rows. Cost: one pass over the missing cells of the column.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "criteria.hpp"
#include "entries.hpp"
#include "node_totals.hpp"
#include "split.hpp"

namespace classica {

template <class Rule, class Rows>
class MissingValues {
 public:
  using Totals = NodeTotals<Rows>;

  MissingValues(const RankTable& the_table, const Rows& the_rows, const Target& the_target,
                const GrowthRules& the_rules)
      : table(the_table),
        rows(the_rows),
        target(the_target),
        rules(the_rules),
        width(static_cast<std::size_t>(Rule::width(the_target))),
        missing(width),
        known(width),
        nothing(width) {}

  bool some_missing() const { return missing_cases > 0.0; }
  bool both_sides_tried() const { return some_missing() && rules.missing == MissingPolicy::direction; }
  bool have_own_branch() const { return some_missing() && rules.missing == MissingPolicy::own_branch; }
  // Whether missing cells take part in what a split gains.
  bool counts_missing() const {
    return rules.missing == MissingPolicy::direction || rules.missing == MissingPolicy::own_branch;
  }
  // Whether all known cells may go left, because missing ones remain for the right.
  bool divides_missing() const { return some_missing() && counts_missing(); }
  double known_weight() const { return Rule::weight_of(known.data(), static_cast<std::ptrdiff_t>(width)); }
  double missing_weight() const { return node->weight - known_weight(); }

  void add_missing_row(std::uint32_t row) {
    Rule::tally(missing.data(), target, row, rows.weight(row), node->center);
    missing_cases += rows.cases(row);
  }
  void add_missing_entry(Entry entry) {
    if (labels.empty()) return add_missing_row(row_of(entry));
    missing[code_of_label(entry)] += static_cast<double>(count_of_label(entry));
    missing_cases += static_cast<double>(count_of_label(entry));
  }
  void forget_missing() {
    std::fill(missing.begin(), missing.end(), 0.0);
    missing_cases = 0.0;
  }

  // Once the missing cells are counted: what a split divides; the limits of its branches, which C4.5 makes
  // depend on the known cases. `part_of` gives the part of a group.
  template <class PartOf>
  void count_known(PartOf part_of) {
    for (std::size_t c = 0; c < width; ++c) known[c] = node->group[c] - missing[c];
    known_cases = node->cases - missing_cases;
    base = some_missing() && !both_sides_tried() ? known.data() : node->group.data();
    to_beat = node->part;
    if (some_missing() && !both_sides_tried()) {
      to_beat = part_of(known.data());
      if (have_own_branch()) {
        base = node->group.data();
        to_beat = node->part - part_of(missing.data());
      }
    }
    set_limits();
  }

  bool is_enough(double cases, double weight) const {
    return cases >= rules.min_cases_leaf - case_slack && weight >= least_weight;
  }

  // Split information from the part of the branches: rows that take every branch are one more, those that
  // follow surrogates none.
  double all_bits(double bits) const {
    if (!some_missing()) return bits + x_log_x(node->weight);
    if (rules.missing == MissingPolicy::surrogate) return bits + x_log_x(known_weight());
    if (rules.missing == MissingPolicy::fraction) bits -= x_log_x(missing_weight());
    return bits + x_log_x(node->weight);
  }

  void add_missing_branch(Split& split) const {
    if (split.missing >= 0) return;  // it has one: known or not is all that is asked
    split.bits -= x_log_x(missing_weight());
    const bool is_known_or_not = split.branches.empty() && split.first_right == missing_rank;
    split.missing = is_known_or_not ? 1 : split.count++;
  }

  const RankTable& table;
  const Rows& rows;
  const Target& target;
  const GrowthRules& rules;
  const Totals* node = nullptr;
  std::span<const Label> labels;  // of the rows of the node, where entries carry labels
  std::size_t width;
  std::vector<double> missing, known, nothing;
  double missing_cases = 0.0, known_cases = 0.0;
  const double* base = nullptr;
  double to_beat = 0.0, least_cases = 0.0, least_weight = 0.0;
  bool allowed = true;  // own branch: whether missing cells are enough for one

 private:
  void set_limits() {
    least_cases = rules.min_cases_leaf;
    if (rules.wide_branches) {
      const double share = 0.1 * known_cases / static_cast<double>(target.classes);
      least_cases = std::min(25.0, std::max(rules.min_cases_leaf, share));
    }
    least_cases -= case_slack;
    least_weight = rules.min_weight_leaf * (1 - 1e-12);
    allowed = !have_own_branch() || is_enough(missing_cases, missing_weight());
  }
};

}  // namespace classica
