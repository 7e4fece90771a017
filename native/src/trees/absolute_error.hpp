// The best split by the sum of absolute deviations from the medians of the branches (least absolute
// deviations, Breiman et al. 1984). Medians do not add up over branches, so this criterion has a search of
// its own: a `MedianSet` takes in the groups of a column from the left, then from the right, and the two
// running sums give every cut.
//
// Invariant: `cumulative(...)[k]` is the sum of deviations of the first k groups in that direction. Exact
// for cuts and for a branch per level; two sets of levels are only searched along the order of their
// medians, which need not be best. Cost: O(rows log rows) per column.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "classica/parallel.hpp"
#include "median.hpp"
#include "node_rows.hpp"
#include "node_totals.hpp"

namespace classica {

struct MedianSummary {
  // The group of a node is the sorted list of its different values, its part the deviations it still has.
  template <class Rows>
  static bool sum_up(NodeTotals<Rows>& node, std::vector<double>& summary, const Rows& rows,
                     const Target& target) {
    std::vector<std::pair<double, double>> weighted;
    node.cases = node.weight = 0.0;
    for (const std::uint32_t row : rows.rows(node.place)) {
      weighted.emplace_back(target.values[row], rows.weight(row));
      node.weight += rows.weight(row);
      node.cases += rows.cases(row);
    }
    std::sort(weighted.begin(), weighted.end());
    node.group.clear();
    double below = 0.0, median = 0.0;
    bool found = false;
    for (std::size_t k = 0; k < weighted.size(); ++k) {
      if (node.group.empty() || node.group.back() != weighted[k].first)
        node.group.push_back(weighted[k].first);
      below += weighted[k].second;
      if (found || below < 0.5 * node.weight) continue;
      found = true;  // halfway to the next one if exactly half of the weight lies on either side
      const bool is_even = below == 0.5 * node.weight && k + 1 < weighted.size();
      median = is_even ? (weighted[k].first + weighted[k + 1].first) / 2 : weighted[k].first;
    }
    double deviations = 0.0;
    for (const auto& [value, weight] : weighted) deviations += weight * std::abs(value - median);
    node.part = -deviations;
    node.slack = node.slack_of_gains = gain_slack * deviations;
    summary = {node.weight, median, deviations};
    return node.group.size() < 2;
  }
  template <class Rows>
  static void put_away(NodeTotals<Rows>&, std::vector<double>&) {}
};

template <class Rows>
class AbsoluteErrorSearch {
 public:
  using Totals = NodeTotals<Rows>;

  AbsoluteErrorSearch(const RankTable& table, const Rows& rows, const Target& target,
                      const GrowthRules& rules)
      : table_(table), rows_(rows), target_(target), rules_(rules) {}

  void enter(const Totals& node) { node_ = &node; }
  void fetch(std::span<const std::int32_t>) {}
  const std::uint32_t* fetched(std::ptrdiff_t) const { return nullptr; }

  Split best(std::ptrdiff_t j) {
    read_column(j);
    Split found;
    if (!groups_.empty() && groups_.size() + !missing_.empty() > 1) {
      if (has_own_branch() && !is_enough(missing_size_))
        return found;
      else if (table_.categorical[j] && is_known_or_missing())
        found = known_or_missing(j);
      else if (!table_.categorical[j] || rules_.categories == CategorySplit::subset)
        found = best_cut(j);
      else if (rules_.categories == CategorySplit::multiway)
        found = all_branches(j);
      else
        found = best_level(j);
    }
    if (found.exists()) found.feature = static_cast<std::int32_t>(j);
    return found;
  }

 private:
  struct Member {
    std::uint32_t row;
    std::size_t place;  // of its value among those of the node
  };
  // Rows of one rank or level.
  struct Group {
    std::uint32_t level;
    std::size_t begin, end;
    double cases = 0.0, weight = 0.0, key = 0.0;
  };
  struct Size {
    double cases = 0.0, weight = 0.0;
    Size plus(const Size& other, double sign = 1.0) const {
      return {cases + sign * other.cases, weight + sign * other.weight};
    }
  };
  static Size size_of(const Group& group) { return {group.cases, group.weight}; }
  bool is_enough(const Size& size) const {
    return size.cases >= rules_.min_cases_leaf - case_slack &&
           size.weight >= rules_.min_weight_leaf * (1 - 1e-12);
  }
  // Of all rows that a split divides.
  Size divided() const {
    const Size all{node_->cases, node_->weight};
    return both_sides_tried() ? all : all.plus(missing_size_, -1.0);
  }

  bool both_sides_tried() const { return !missing_.empty() && rules_.missing == MissingPolicy::direction; }
  bool has_own_branch() const { return !missing_.empty() && rules_.missing == MissingPolicy::own_branch; }

  // Whether rows with and without a value are all there is to divide.
  bool is_known_or_missing() const { return groups_.size() == 1 && (both_sides_tried() || has_own_branch()); }

  Split known_or_missing(std::ptrdiff_t j) {
    Split split;
    if (!is_enough(size_of(groups_[0])) || !is_enough(missing_size_)) return split;
    split.gain = -node_->part - cumulative(false, false).back() - deviations_of_missing();
    split.feature = 0;
    split.branches.assign(static_cast<std::size_t>(table_.levels[j]), -1);
    split.branches[groups_[0].level] = 0;
    split.missing = 1;
    return split;
  }

  // Puts the known rows in the order of the column, categories in the order of their median values.
  void read_column(std::ptrdiff_t j) {
    const std::uint32_t* ranks = table_.column(j);
    std::vector<Entry> entries;
    missing_.clear();
    members_.clear();
    groups_.clear();
    missing_size_ = {};
    for (const std::uint32_t row : rows_.rows(node_->place)) {
      if (ranks[row] == missing_rank) {
        missing_.push_back(member(row));
        missing_size_ = missing_size_.plus({rows_.cases(row), rows_.weight(row)});
      } else {
        entries.push_back(entry_of(ranks[row], row));
      }
    }
    std::sort(entries.begin(), entries.end());
    for (const Entry entry : entries) {
      if (groups_.empty() || groups_.back().level != rank_of(entry))
        groups_.push_back({rank_of(entry), members_.size(), members_.size()});
      members_.push_back(member(row_of(entry)));
      groups_.back().end = members_.size();
      groups_.back().cases += rows_.cases(row_of(entry));
      groups_.back().weight += rows_.weight(row_of(entry));
    }
    if (table_.categorical[j] && rules_.categories == CategorySplit::subset) order_by_median();
  }

  Member member(std::uint32_t row) const {
    const auto& values = node_->group;
    const auto at = std::lower_bound(values.begin(), values.end(), target_.values[row]);
    return {row, static_cast<std::size_t>(at - values.begin())};
  }

  void order_by_median() {
    for (Group& group : groups_) {
      std::vector<std::pair<double, double>> weighted;
      for (std::size_t k = group.begin; k < group.end; ++k)
        weighted.emplace_back(target_.values[members_[k].row], rows_.weight(members_[k].row));
      std::sort(weighted.begin(), weighted.end());
      double below = 0.0;
      for (const auto& [value, weight] : weighted) {
        below += weight;
        group.key = value;
        if (below > 0.5 * group.weight) break;
      }
    }
    std::stable_sort(groups_.begin(), groups_.end(),
                     [](const Group& a, const Group& b) { return a.key < b.key; });
  }

  void add_group(const Group& group, double sign) {
    for (std::size_t k = group.begin; k < group.end; ++k)
      set_.add(members_[k].place, sign * rows_.weight(members_[k].row));
  }
  void add_missing() {
    for (const Member& one : missing_) set_.add(one.place, rows_.weight(one.row));
  }
  double deviations_of_missing() {
    set_.start(node_->group);
    add_missing();
    return set_.deviations();
  }

  // Deviations of the first groups together, for every number of them; from the other end if `reversed`.
  std::vector<double> cumulative(bool reversed, bool with_missing) {
    set_.start(node_->group);
    if (with_missing) add_missing();
    std::vector<double> found{set_.deviations()};
    for (std::size_t k = 0; k < groups_.size(); ++k) {
      if (k % rows_between_polls == 0) poll_interrupt();
      add_group(reversed ? groups_[groups_.size() - 1 - k] : groups_[k], 1.0);
      found.push_back(set_.deviations());
    }
    return found;
  }

  // What the branches have to beat: the deviations of all rows they divide.
  double to_beat() {
    if (missing_.empty() || both_sides_tried()) return -node_->part;
    if (has_own_branch()) return -node_->part - deviations_of_missing();
    return cumulative(false, false).back();
  }

  Split best_cut(std::ptrdiff_t j) {
    const double before = to_beat();
    Split best;
    const std::size_t count = groups_.size();
    for (int side = both_sides_tried() ? 0 : 1; side <= 1; ++side) {
      const bool on_left = both_sides_tried() && side == 0, on_right = both_sides_tried() && side == 1;
      const std::vector<double> left = cumulative(false, on_left), right = cumulative(true, on_right);
      Size size = on_left ? missing_size_ : Size{};
      for (std::size_t k = 1; k <= count; ++k) {
        size = size.plus(size_of(groups_[k - 1]));
        const bool is_last = k == count;
        const bool ends_here = on_right || (has_own_branch() && !table_.categorical[j]);
        if (is_last && !ends_here) break;
        if (!is_enough(size) || !is_enough(is_last ? missing_size_ : divided().plus(size, -1.0))) continue;
        const double gain = before - left[k] - right[count - k];
        if (!(gain > best.gain + node_->slack)) continue;
        set_cut(best, j, k, gain);
        best.missing = both_sides_tried() ? side : -1;
      }
    }
    if (best.exists() && has_own_branch()) add_missing_branch(best);
    return best;
  }

  void set_cut(Split& split, std::ptrdiff_t j, std::size_t left, double gain) const {
    split.gain = gain;
    split.feature = 0;
    const bool is_last = left == groups_.size();
    if (!table_.categorical[j]) {
      split.last_left = groups_[left - 1].level;
      split.first_right = is_last ? missing_rank : groups_[left].level;
      return;
    }
    split.branches.assign(static_cast<std::size_t>(table_.levels[j]), -1);
    for (std::size_t k = 0; k < groups_.size(); ++k) split.branches[groups_[k].level] = k < left ? 0 : 1;
  }

  static void add_missing_branch(Split& split) {
    const bool is_known_or_not = split.branches.empty() && split.first_right == missing_rank;
    split.missing = is_known_or_not ? 1 : split.count++;
  }

  Split all_branches(std::ptrdiff_t j) {
    Split split;
    double total = 0.0, best_change = 0.0;
    int large_enough = has_own_branch() && is_enough(missing_size_);
    const double before = to_beat();
    split.count = 0;
    split.branches.assign(static_cast<std::size_t>(table_.levels[j]), -1);
    for (const Group& group : groups_) {
      set_.start(node_->group);
      add_group(group, 1.0);
      const double alone = set_.deviations();
      total += alone;
      large_enough += is_enough(size_of(group));
      if (both_sides_tried()) {
        add_missing();
        const double change = alone - set_.deviations();
        if (split.missing < 0 || change > best_change + node_->slack)
          best_change = change, split.missing = split.count;
      }
      split.branches[group.level] = split.count++;
    }
    if (split.count + has_own_branch() < 2 || large_enough < 2) return {};
    split.gain = before - total + best_change;
    split.feature = 0;
    if (has_own_branch()) split.missing = split.count++;
    return split;
  }

  Split best_level(std::ptrdiff_t j) {
    const double before = to_beat();
    Split best;
    for (const Group& group : groups_) {
      poll_interrupt();
      for (int side = both_sides_tried() ? 0 : 1; side <= 1 && groups_.size() > 1; ++side) {
        const bool on_left = both_sides_tried() && side == 0, on_right = both_sides_tried() && side == 1;
        const Size size = size_of(group).plus(on_left ? missing_size_ : Size{});
        if (!is_enough(size) || !is_enough(divided().plus(size, -1.0))) continue;
        set_.start(node_->group);
        if (on_left) add_missing();
        add_group(group, 1.0);
        double after = set_.deviations();
        set_.start(node_->group);
        if (on_right) add_missing();
        for (const Group& other : groups_)
          if (other.level != group.level) add_group(other, 1.0);
        after += set_.deviations();
        if (!(before - after > best.gain + node_->slack)) continue;
        best = {};
        best.gain = before - after;
        best.feature = 0;
        best.missing = both_sides_tried() ? side : -1;
        best.branches.assign(static_cast<std::size_t>(table_.levels[j]), -1);
        for (const Group& other : groups_) best.branches[other.level] = other.level == group.level ? 0 : 1;
      }
    }
    if (best.exists() && has_own_branch()) add_missing_branch(best);
    return best;
  }

  const RankTable& table_;
  const Rows& rows_;
  const Target& target_;
  const GrowthRules& rules_;
  const Totals* node_ = nullptr;
  MedianSet set_;
  std::vector<Member> members_, missing_;
  std::vector<Group> groups_;
  Size missing_size_;
};

}  // namespace classica
