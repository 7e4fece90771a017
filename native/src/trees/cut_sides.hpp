// The two sides of a cut that moves through a column from its lowest rank to its highest: ranks up to a cut
// go left. This is the exhaustive search of CART (Breiman et al. 1984) and of C4.5 for numbers, for any
// criterion whose parts add up over branches; the scans differ in where they find the rows in order.
//
// Invariant: left + right = what is divided (`base`), after every move. Each cut between two different ranks
// is considered once, in ascending order, and replaces the best only if it gains more than the slack, so that
// the first of equal cuts stays. Cost of a move: that of adding to a side, O(1) where totals are kept.
#pragma once

#include "classica/parallel.hpp"
#include "missing_values.hpp"

namespace classica {

template <class Rule, class Rows>
class CutSides : public MissingValues<Rule, Rows> {
 public:
  using Base = MissingValues<Rule, Rows>;
  using Side = typename Rule::template Side<Rows::are_whole>;
  using Base::base, Base::both_sides_tried, Base::known, Base::known_cases, Base::missing,
      Base::missing_cases, Base::node, Base::nothing, Base::rules, Base::to_beat;

  CutSides(const RankTable& the_table, const Rows& the_rows, const Target& the_target,
           const GrowthRules& the_rules)
      : Base(the_table, the_rows, the_target, the_rules), left(Rule::width(the_target)), right(left) {}

  double part_of(const double* group) {
    left.set(group, 0.0, base ? base : node->group.data());
    return left.part();
  }
  void count_known() {
    Base::count_known([this](const double* group) { return part_of(group); });
    cuts = 0;
  }

  // Side 1: missing cells on the right, if anywhere; side 0: on the left.
  int first_side() const { return both_sides_tried() ? 0 : 1; }

  struct Before {
    const double *left, *right;
    double left_cases, right_cases;
  };
  // What is on both sides before the first cut.
  Before before_cuts(int side) const {
    if (!both_sides_tried()) return {nothing.data(), known.data(), 0.0, known_cases};
    if (side == 1) return {nothing.data(), node->group.data(), 0.0, node->cases};
    return {missing.data(), known.data(), missing_cases, known_cases};
  }
  void begin(int side) {
    const Before before = before_cuts(side);
    left.set(before.left, before.left_cases, base);
    right.set(before.right, before.right_cases, base);
  }

  void move_entry(Entry entry) {
    if (!this->labels.empty()) {
      const auto count = static_cast<double>(count_of_label(entry));
      return move_row(code_of_label(entry), count, count);
    }
    const std::uint32_t row = row_of(entry);
    move_row(Rule::who(this->target, row), this->rows.weight(row), this->rows.cases(row));
  }
  void move_group(const double* group, double cases) {
    left.add_group(group, 1.0, base);
    right.add_group(group, -1.0, base);
    left.cases += cases;
    right.cases -= cases;
  }

  void consider(std::ptrdiff_t j, std::uint32_t last_left, std::uint32_t first_right, int side, Split& best) {
    const bool is_known_or_not = first_right == missing_rank;
    if (left.cases < this->least_cases || right.cases < this->least_cases) return;
    if (left.weight < this->least_weight ||
        (is_known_or_not ? this->missing_weight() : right.weight) < this->least_weight)
      return;
    if (rules.smallest_gap > 0.0 && !is_known_or_not &&
        !(this->table.value(j, last_left) + rules.smallest_gap < this->table.value(j, first_right)))
      return;
    ++cuts;
    const double gain = left.part() + right.part() - to_beat;
    if (!(gain > best.gain + node->slack)) return;
    take(last_left, first_right, side, gain, best);
    best.bits = bits_of(left.weight, right.weight);
  }
  // The cut that sends every known cell left.
  void consider_known_or_missing(std::ptrdiff_t j, std::uint32_t highest, Split& best) {
    left.set(known.data(), known_cases, base);
    right.set(both_sides_tried() ? missing.data() : nothing.data(), missing_cases, base);
    consider(j, highest, missing_rank, 1, best);
  }
  void take(std::uint32_t last_left, std::uint32_t first_right, int side, double gain, Split& best) const {
    best.gain = gain;
    best.feature = 0;
    best.last_left = last_left;
    best.first_right = first_right;
    best.missing = both_sides_tried() ? side : -1;
  }

  // Part of the split information: only gain ratios ask for it.
  bool asks_for_bits() const { return rules.selection == Selection::gain_ratio; }
  double bits_of(double left_weight, double right_weight) const {
    return asks_for_bits() ? -x_log_x(left_weight) - x_log_x(right_weight) : 0.0;
  }

  // What the scans of a column leave behind becomes the split of a column: gains summed over the rows, C4.5's
  // price of a choice among cuts (Quinlan 1996), and the branch of missing cells.
  void complete(Split& found, std::ptrdiff_t j) const {
    found.feature = static_cast<std::int32_t>(j);
    found.gain = Rule::gain(found.gain, this->counts_missing() ? node->weight : this->known_weight());
    if (this->have_own_branch()) this->add_missing_branch(found);
    if (rules.cuts_cost && !this->table.categorical[j]) {
      found.gain -= std::log2(static_cast<double>(cuts));
      if (!(found.gain > 0.0)) found.feature = -1;
    }
    if (rules.zero_up_to > 0.0 && !(found.gain > rules.zero_up_to * node->weight)) found.feature = -1;
    if (asks_for_bits()) found.bits = this->all_bits(found.bits);
  }

  Side left, right;
  std::ptrdiff_t cuts = 0;  // considered in the column

 private:
  void move_row(std::uint32_t who, double weight, double cases) {
    left.add_row(this->target, who, weight, node->center, base);
    right.add_row(this->target, who, -weight, node->center, base);
    left.cases += cases;
    right.cases -= cases;
  }
};

}  // namespace classica
