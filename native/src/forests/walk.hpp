// Rows through the trees of a forest: a tree at a time for many rows, eight rows side by side, so that a
// tree is read into the cache once for all of them (own).
//
// Invariant: the values of trees are added in the order of the trees, for any division of the rows. Cost:
// O(depth) per row and tree.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "classica/forest.hpp"

namespace classica {

// Where a list of children starts, and how many levels it has.
struct LevelList {
  std::int64_t at, levels;
};
inline LevelList level_list(const ForestNode& node) {
  const auto halves = std::bit_cast<std::array<std::uint32_t, 2>>(node.limit);
  return {halves[0], halves[1]};
}

// One tree of a forest; cells are read through `cell`: (row, column) -> value.
template <class Cell>
class TreeWalk {
 public:
  TreeWalk(const ForestView& forest, std::ptrdiff_t tree, Cell cell)
      : forest_(forest), start_(forest.starts[tree]), cell_(cell) {}

  // Calls visit(k, node, share) for every node in which a part of rows[k] ends.
  template <class Visit>
  void for_each_end(std::span<const std::int32_t> rows, Visit visit) const {
    if (forest_.weight.size > 0) {
      for (std::size_t k = 0; k < rows.size(); ++k)
        for_each_part(rows[k], [&](std::int32_t id, double share) { visit(k, id, share); });
      return;
    }
    std::int32_t ends[side_by_side];
    for (std::size_t k = 0; k < rows.size(); k += side_by_side) {
      const auto group = rows.subspan(k, std::min(side_by_side, rows.size() - k));
      go_down(group, ends);
      for (std::size_t i = 0; i < group.size(); ++i) visit(k + i, ends[i], 1.0);
    }
  }

  // Several rows go down side by side, so that one waits for memory while the others go on.
  static constexpr std::size_t side_by_side = 8;

  // Writes the node in which each row ends; a missing cell that takes all branches: in the largest.
  void go_down(std::span<const std::int32_t> rows, std::int32_t* ends) const {
    std::fill_n(ends, rows.size(), 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int32_t next = next_node(rows[i], ends[i]);
        moved |= next != ends[i];
        ends[i] = next;
      }
    }
  }

  // Adds a share of the value of a node.
  void add_value(std::int32_t id, double share, const Matrix<const double>& values, double* out) const {
    const ForestNode& at = node(id);
    if (at.is_leaf() && forest_.numbers_in_leaves) {
      *out += share * at.limit;
      return;
    }
    const double* value = values.row(at.is_leaf() ? ~at.first_child : own_value(at));
    for (std::ptrdiff_t c = 0; c < values.cols; ++c) out[c] += share * value[c];
  }

 private:
  const ForestNode& node(std::int32_t id) const { return forest_.nodes[start_ + id]; }
  std::int32_t own_value(const ForestNode& at) const {
    const LevelList list = level_list(at);
    return forest_.level_child[list.at + list.levels + 1];
  }

  // The same node where a row ends.
  std::int32_t next_node(std::int32_t row, std::int32_t id) const {
    const ForestNode& at = node(id);
    if (at.is_leaf()) return id;
    const double value = static_cast<double>(cell_(row, at.feature()));
    const std::int32_t child = std::isnan(value) ? child_without(row, id) : child_of(at, value);
    return child < 0 ? id : at.first_child + child;
  }

  std::int32_t child_of(const ForestNode& at, double value) const {
    if (!at.is_categorical()) return value > at.limit;
    const LevelList list = level_list(at);
    if (!(value >= 0.0 && value < static_cast<double>(list.levels))) return -1;
    return forest_.level_child[list.at + static_cast<std::int64_t>(value)];
  }

  std::int32_t child_without(std::int32_t row, std::int32_t id) const {
    if (forest_.surrogates_at.size > 0) {
      for (std::int64_t s = forest_.surrogates_at[start_ + id]; s < forest_.surrogates_at[start_ + id + 1];
           ++s) {
        const Question& surrogate = forest_.surrogates[s];
        const double value = static_cast<double>(cell_(row, surrogate.feature));
        if (std::isnan(value)) continue;
        const std::int32_t child = classica::child_of(surrogate, forest_.surrogate_level_child, value);
        if (child >= 0) return surrogate.first_child ? 1 - child : child;
      }
    }
    return missing_child(node(id));
  }

  std::int32_t missing_child(const ForestNode& at) const {
    if (!at.is_categorical()) return at.missing_child();
    const LevelList list = level_list(at);
    return forest_.level_child[list.at + list.levels];
  }

  // Calls visit(node, share) for every node in which a part of a row ends.
  template <class Visit>
  void for_each_part(std::int32_t row, Visit visit) const {
    thread_local std::vector<std::pair<std::int32_t, double>> open;
    open.assign(1, {0, 1.0});
    while (!open.empty()) {
      const auto [id, share] = open.back();
      open.pop_back();
      const ForestNode& at = node(id);
      const double value = at.is_leaf() ? 0.0 : static_cast<double>(cell_(row, at.feature()));
      if (!at.is_leaf() && std::isnan(value)) {
        const std::int32_t count = child_count(at);
        double all = 0.0;
        for (std::int32_t b = 0; b < count; ++b) all += weight_of(at.first_child + b);
        for (std::int32_t b = count; b-- > 0;)
          open.emplace_back(at.first_child + b, share * (weight_of(at.first_child + b) / all));
        continue;
      }
      const std::int32_t child = at.is_leaf() ? -1 : child_of(at, value);
      if (child >= 0)
        open.emplace_back(at.first_child + child, share);
      else
        visit(id, share);
    }
  }

  double weight_of(std::int32_t id) const { return forest_.weight[start_ + id]; }
  std::int32_t child_count(const ForestNode& at) const {
    if (!at.is_categorical()) return 2;
    const LevelList list = level_list(at);
    std::int32_t last = 1;
    for (std::int64_t level = 0; level < list.levels; ++level)
      last = std::max(last, forest_.level_child[list.at + level]);
    return last + 1;
  }

  const ForestView& forest_;
  std::int64_t start_;
  Cell cell_;
};

}  // namespace classica
