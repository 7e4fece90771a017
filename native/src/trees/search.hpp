// The best split of a node in one column.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "cut.hpp"
#include "node_rows.hpp"
#include "split.hpp"
#include "subsets.hpp"

namespace classica {

// What a node is to its search: the rows, and what they add up to.
struct NodeTotals {
  Range range;
  std::vector<double> counts;  // per class
  double weight = 0.0, cases = 0.0, part = 0.0;
};

struct Labels {
  std::vector<std::uint16_t> codes;
  std::ptrdiff_t classes = 0;
  std::vector<double> weights;  // empty: one each

  double weight(std::uint32_t row) const { return weights.empty() ? 1.0 : weights[row]; }
  double cases(std::uint32_t row) const { return weights.empty() ? 1.0 : std::max(weights[row], 1.0); }
};

template <class Rule>
class ColumnSearch {
 public:
  ColumnSearch(const RankTable& table, const NodeRows& rows, const Labels& labels, const GrowthRules& rules)
      : table_(table), rows_(rows), labels_(labels), rules_(rules), left_(labels.classes),
        right_(labels.classes), missing_(static_cast<std::size_t>(labels.classes)) {}

  Split best(const NodeTotals& node, std::ptrdiff_t j) {
    node_ = &node;
    Split found = rows_.is_sorted(j) ? best_sorted_cut(j) : best_in_table(j);
    if (found.exists()) found.feature = static_cast<std::int32_t>(j);
    return found;
  }

 private:
  std::size_t classes() const { return static_cast<std::size_t>(labels_.classes); }
  const double* level_counts(std::uint32_t level) const { return counts_.data() + level * classes(); }
  bool some_missing() const { return missing_cases_ > 0.0; }

  // ---- Cuts: ranks up to some rank go left. Missing cells are tried on either side.

  // Columns with many values: their rows are at hand in order, missing cells last.
  Split best_sorted_cut(std::ptrdiff_t j) {
    const Entry* entries = rows_.column(j);
    std::ptrdiff_t known = node_->range.end;
    for (; known > node_->range.begin && rank_of(entries[known - 1]) == missing_rank; --known)
      add_missing_row(row_of(entries[known - 1]));
    Split best;
    for (int side = first_side(); side <= 1; ++side) {
      begin_cut(side);
      for (std::ptrdiff_t k = node_->range.begin; k < known; ++k) {
        move_row(row_of(entries[k]));
        const std::uint32_t next = k + 1 < known ? rank_of(entries[k + 1]) : missing_rank;
        if (rank_of(entries[k]) != next && !is_last(side, next)) consider(rank_of(entries[k]), next, side, best);
      }
    }
    clear_missing();
    return best;
  }

  Split best_table_cut() {
    Split best;
    for (int side = first_side(); side <= 1; ++side) {
      begin_cut(side);
      for (std::size_t k = 0; k < present_.size(); ++k) {
        move_level(present_[k]);
        const std::uint32_t next = k + 1 < present_.size() ? present_[k + 1] : missing_rank;
        if (!is_last(side, next)) consider(present_[k], next, side, best);
      }
    }
    return best;
  }

  // Side 1: missing cells on the right (or none at all); side 0: on the left.
  int first_side() const { return some_missing() ? 0 : 1; }
  // Whether nothing would be on the right.
  bool is_last(int side, std::uint32_t next) const {
    return next == missing_rank && (side == 0 || !some_missing());
  }

  void begin_cut(int side) {
    const double* node = node_->counts.data();
    std::vector<double>& known = scratch_;
    known.assign(classes(), 0.0);
    if (side == 1) {
      left_.set(known.data(), 0.0, node);
      right_.set(node, node_->cases, node);
      return;
    }
    for (std::size_t c = 0; c < classes(); ++c) known[c] = node[c] - missing_[c];
    left_.set(missing_.data(), missing_cases_, node);
    right_.set(known.data(), node_->cases - missing_cases_, node);
  }

  void move_row(std::uint32_t row) {
    const std::size_t c = labels_.codes[row];
    const double weight = labels_.weight(row), cases = labels_.cases(row);
    left_.add(c, weight, node_->counts.data());
    right_.add(c, -weight, node_->counts.data());
    left_.cases += cases;
    right_.cases -= cases;
  }

  void move_level(std::uint32_t level) {
    const double* counts = level_counts(level);
    for (std::size_t c = 0; c < classes(); ++c) {
      if (counts[c] == 0.0) continue;
      left_.add(c, counts[c], node_->counts.data());
      right_.add(c, -counts[c], node_->counts.data());
    }
    left_.cases += cases_[level];
    right_.cases -= cases_[level];
  }

  void consider(std::uint32_t last_left, std::uint32_t first_right, int side, Split& best) const {
    if (left_.cases < rules_.min_cases_leaf || right_.cases < rules_.min_cases_leaf) return;
    const double gain = left_.part() + right_.part() - node_->part;
    if (!(gain > best.gain + 1e-12 * node_->weight)) return;
    best.gain = gain;
    best.feature = 0;
    best.last_left = last_left;
    best.first_right = first_right;
    best.missing = some_missing() ? side : -1;
  }

  // ---- Tables: columns with few values, and categories.

  Split best_in_table(std::ptrdiff_t j) {
    fill_table(j);
    Split best;
    if (present_.size() + some_missing() >= 2) {
      if (!table_.categorical[j])
        best = best_table_cut();
      else if (rules_.categories == CategorySplit::multiway)
        best = all_branches(j);
      else
        best = best_subset(j);
    }
    clear_table();
    return best;
  }

  void fill_table(std::ptrdiff_t j) {
    const std::uint32_t* ranks = table_.column(j);
    const std::uint32_t* rows = rows_.rows();
    const std::size_t levels = static_cast<std::size_t>(table_.levels[j]);
    if (counts_.size() < levels * classes()) counts_.resize(levels * classes());
    if (cases_.size() < levels) cases_.resize(levels);
    for (std::ptrdiff_t i = node_->range.begin; i < node_->range.end; ++i) {
      const std::uint32_t row = rows[i], level = ranks[row];
      if (level == missing_rank) {
        add_missing_row(row);
        continue;
      }
      if (cases_[level] == 0.0) present_.push_back(level);
      counts_[level * classes() + labels_.codes[row]] += labels_.weight(row);
      cases_[level] += labels_.cases(row);
    }
    std::sort(present_.begin(), present_.end());
  }

  // Only what was used, so that a small node pays nothing for a long list of levels.
  void clear_table() {
    for (const std::uint32_t level : present_) {
      std::fill_n(counts_.data() + level * classes(), classes(), 0.0);
      cases_[level] = 0.0;
    }
    present_.clear();
    clear_missing();
  }

  void add_missing_row(std::uint32_t row) {
    missing_[labels_.codes[row]] += labels_.weight(row);
    missing_cases_ += labels_.cases(row);
  }
  void clear_missing() {
    if (!some_missing()) return;
    std::fill(missing_.begin(), missing_.end(), 0.0);
    missing_cases_ = 0.0;
  }

  // ---- Categories.

  double part_of(const double* counts) {
    left_.set(counts, 0.0, node_->counts.data());
    return left_.part();
  }

  // A branch for each level; missing cells join the branch where they cost least.
  Split all_branches(std::ptrdiff_t j) {
    Split split;
    int large_enough = 0;
    double total = 0.0, best_change = 0.0;
    split.count = 0;
    split.branches.assign(static_cast<std::size_t>(table_.levels[j]), -1);
    for (const std::uint32_t level : present_) {
      const double part = part_of(level_counts(level));
      total += part;
      large_enough += cases_[level] >= rules_.min_cases_leaf;
      if (some_missing()) {
        scratch_.assign(level_counts(level), level_counts(level) + classes());
        for (std::size_t c = 0; c < classes(); ++c) scratch_[c] += missing_[c];
        const double change = part_of(scratch_.data()) - part;
        if (split.missing < 0 || change > best_change) best_change = change, split.missing = split.count;
      }
      split.branches[level] = split.count++;
    }
    if (split.count < 2 || large_enough < 2) return {};
    split.gain = total + best_change - node_->part;
    split.feature = 0;
    return split;
  }

  // Two sets of levels. With two classes the levels are put in the order of the share of the second: one of
  // the cuts of that order is the best of all subsets (Breiman et al. 1984). With more classes every subset is
  // tried up to `most_exact_levels`, beyond that the order is that of the first principal component of the
  // class shares (Coppersmith, Hong and Hosking 1999). Missing cells count as one more level.
  Split best_subset(std::ptrdiff_t j) {
    std::vector<const double*> groups;
    for (const std::uint32_t level : present_) groups.push_back(level_counts(level));
    if (some_missing()) groups.push_back(missing_.data());
    std::vector<double> cases(groups.size(), missing_cases_);
    for (std::size_t k = 0; k < present_.size(); ++k) cases[k] = cases_[present_[k]];
    const SubsetSearch<Rule> search{groups, cases, node_->counts, rules_.min_cases_leaf};
    const auto [score, in_first] = search.best();
    Split split;
    if (in_first.empty()) return split;
    split.gain = score - node_->part;
    split.feature = 0;
    split.branches.assign(static_cast<std::size_t>(table_.levels[j]), -1);
    for (std::size_t k = 0; k < present_.size(); ++k) split.branches[present_[k]] = in_first[k] ? 0 : 1;
    if (some_missing()) split.missing = in_first.back() ? 0 : 1;
    return split;
  }

  const RankTable& table_;
  const NodeRows& rows_;
  const Labels& labels_;
  const GrowthRules& rules_;
  const NodeTotals* node_ = nullptr;
  Side<Rule> left_, right_;
  // Per level of the column at hand; zero between calls, as are the missing ones.
  std::vector<double> counts_, cases_, missing_, scratch_;
  std::vector<std::uint32_t> present_;
  double missing_cases_ = 0.0;
};

}  // namespace classica
