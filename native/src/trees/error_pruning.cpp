// C4.5's error-based pruning (Quinlan 1993), from the leaves up: a node becomes a leaf, or is replaced by
// its largest branch, where the estimated errors do not rise by more than a tenth of a case. Errors of a
// leaf are estimated by the upper limit of a confidence interval.
//
// Invariant: when a node is judged, everything below it has its final form; a raised branch is counted anew
// with the rows of the node and judged again. Nodes are visited from a list, not by recursion. Cost:
// O(nodes) without raising; with it O(rows) per level, and the work of each raised branch again.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "classica/parallel.hpp"
#include "classica/tree_pruning.hpp"
#include "route.hpp"

namespace classica {
namespace {

// A node is replaced when that adds no more estimated errors than this.
constexpr double tolerated = 0.1;
constexpr std::int32_t every_child = -2;
constexpr std::int32_t new_level = -1;

std::size_t at(std::ptrdiff_t place) { return static_cast<std::size_t>(place); }

// The errors to expect among n cases of which some are errors already: the upper limit of the confidence
// interval, by the normal approximation with its correction for continuity; exact for no errors, and a line
// up to one error.
double upper_limit(double n, double errors, const ErrorRules& rules) {
  if (!(n > 0.0)) return 0.0;
  if (errors < 1.0) {
    const double of_none = n * (1.0 - std::pow(rules.confidence, 1.0 / n));
    return errors <= 0.0 ? of_none : of_none + errors * (upper_limit(n, 1.0, rules) - of_none);
  }
  if (errors + 0.5 >= n) return std::max(n, errors);
  const double z = rules.deviate, share = (errors + 0.5) / n;
  const double spread = z * std::sqrt(share / n * (1.0 - share) + z * z / (4.0 * n * n));
  return n * (share + z * z / (2.0 * n) + spread) / (1.0 + z * z / n);
}

// The part of a row that has come to a node.
struct Part {
  std::uint32_t row;
  double share;
};

// The rows of a node: those that are in it whole, in a range of the one list of rows, and parts of others.
struct NodeRows {
  std::ptrdiff_t begin = 0, end = 0;
  std::vector<Part> parts;
};

struct Node {
  std::int32_t origin = -1;            // the node of the grown tree whose question it asks
  std::vector<std::int32_t> children;  // none: a leaf
  std::vector<std::int32_t> level_child;
  std::vector<double> counts;
  double cases = 0.0;
  double errors = 0.0;  // estimated, in all leaves below

  bool is_leaf() const { return children.empty(); }
  double weight() const { return std::accumulate(counts.begin(), counts.end(), 0.0); }
};

template <class T>
class ErrorPruner {
 public:
  ErrorPruner(Matrix<const T> X, const Target& target, Vector<const std::uint32_t> rows, const TreeView& tree,
              const ErrorRules& rules)
      : X_(X),
        target_(target),
        tree_(tree),
        rules_(rules),
        rows_(at(rows.size)),
        moved_(rows_.size()),
        branch_(at(X.rows)) {
    for (std::ptrdiff_t i = 0; i < rows.size; ++i) rows_[at(i)] = rows[i];
    divides_rows_ = rules.divides_rows && some_missing();
  }

  PrunedTree prune(Matrix<const double> counts, Vector<const double> cases) {
    read(counts, cases);
    prune_all();
    return in_order();
  }

 private:
  // A node whose children are being pruned, one after the other.
  struct Visit {
    std::int32_t id;
    NodeRows rows;
    std::vector<NodeRows> below = {};
    std::size_t next = 0;
  };

  void read(Matrix<const double> counts, Vector<const double> cases) {
    nodes_.resize(at(cases.size));
    for (std::ptrdiff_t k = 0; k < cases.size; ++k) {
      Node& node = nodes_[at(k)];
      node.origin = static_cast<std::int32_t>(k);
      node.counts.resize(at(counts.cols));
      for (std::ptrdiff_t c = 0; c < counts.cols; ++c) node.counts[at(c)] = counts(k, c);
      node.cases = cases[k];
      const Question& asked = tree_.nodes[k];
      for (std::int32_t b = 0; b < asked.child_count; ++b) node.children.push_back(asked.first_child + b);
      const std::int64_t levels = asked.levels_at < 0 ? 0 : static_cast<std::int64_t>(asked.limit);
      for (std::int64_t l = 0; l < levels; ++l)
        node.level_child.push_back(tree_.level_child[asked.levels_at + l]);
    }
  }

  void prune_all() {
    std::vector<Visit> open;
    open.push_back({0, {0, static_cast<std::ptrdiff_t>(rows_.size()), {}}});
    while (!open.empty()) {
      Visit& visit = open.back();
      Node& node = nodes_[at(visit.id)];
      if (visit.below.empty() && !node.is_leaf()) {
        poll_interrupt();
        visit.below = rules_.raising ? divide(node, visit.rows) : std::vector<NodeRows>(node.children.size());
      }
      if (visit.next < node.children.size()) {
        const std::size_t b = visit.next++;
        open.push_back({node.children[b], std::move(visit.below[b])});
        continue;
      }
      if (!replace(visit)) open.pop_back();
    }
  }

  // Makes the best of a node whose children are pruned; true if it has to be pruned again.
  bool replace(Visit& visit) {
    const double as_leaf = errors_of(nodes_[at(visit.id)].counts);
    if (nodes_[at(visit.id)].is_leaf()) {
      nodes_[at(visit.id)].errors = as_leaf;
      return false;
    }
    const double as_tree = errors_below(nodes_[at(visit.id)]);
    const std::size_t largest = largest_child(nodes_[at(visit.id)]);
    const double as_branch = errors_as_branch(visit, largest, as_leaf);
    Node& node = nodes_[at(visit.id)];
    node.errors = as_tree;
    if (as_leaf <= as_tree + tolerated && as_leaf <= as_branch + tolerated) {
      node.children.clear();
      node.level_child.clear();
      node.errors = as_leaf;
      return false;
    }
    if (!(as_branch <= as_tree + tolerated)) return false;
    Node branch = std::move(nodes_[at(node.children[largest])]);
    node = std::move(branch);
    count_anew(visit.id, visit.rows);
    visit.below.clear();
    visit.next = 0;
    return true;
  }

  double errors_below(const Node& node) const {
    double errors = 0.0;
    for (const std::int32_t child : node.children) errors += nodes_[at(child)].errors;
    return errors;
  }

  std::size_t largest_child(const Node& node) const {
    std::size_t largest = 0;
    double most = -1.0;
    for (std::size_t b = 0; b < node.children.size(); ++b) {
      const double weight = nodes_[at(node.children[b])].weight();
      if (weight > most) most = weight, largest = b;
    }
    return largest;
  }

  double errors_of(const std::vector<double>& counts) const {
    const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
    return upper_limit(n, n - *std::max_element(counts.begin(), counts.end()), rules_);
  }

  // ---- Rows.

  bool some_missing() const {
    std::vector<char> asked_for(at(X_.cols));
    for (std::ptrdiff_t k = 0; k < tree_.nodes.size; ++k)
      if (tree_.nodes[k].feature >= 0) asked_for[at(tree_.nodes[k].feature)] = 1;
    for (const std::uint32_t row : rows_)
      for (std::ptrdiff_t j = 0; j < X_.cols; ++j)
        if (asked_for[at(j)] && std::isnan(X_(row, j))) return true;
    return false;
  }

  // The child a row goes to; `every_child` or `new_level` if that is not one.
  std::int32_t child_of(const Node& node, std::uint32_t row) const {
    const double value = static_cast<double>(X_(row, tree_.nodes[node.origin].feature));
    if (std::isnan(value)) return divides_rows_ ? every_child : child_without(X_, row, tree_, node.origin);
    if (node.level_child.empty()) return value > tree_.nodes[node.origin].limit;
    return node.level_child[at(level_of(node, row))];
  }

  std::ptrdiff_t level_of(const Node& node, std::uint32_t row) const {
    return static_cast<std::ptrdiff_t>(X_(row, tree_.nodes[node.origin].feature));
  }

  template <class Take>
  void for_each(const NodeRows& rows, Take take) const {
    for (std::ptrdiff_t i = rows.begin; i < rows.end; ++i) take(Part{rows_[at(i)], 1.0});
    for (const Part& part : rows.parts) take(part);
  }

  // The rows of each child. Those that go to every child do so in proportion to the weight of the others.
  std::vector<NodeRows> divide(const Node& node, const NodeRows& rows) {
    const std::size_t children = node.children.size();  // also the place of rows that go to all of them
    std::vector<double> known(children);
    for_each(rows, [&](const Part& part) {
      const std::int32_t b = child_of(node, part.row);
      branch_[part.row] = b >= 0 ? at(b) : children;
      if (b >= 0) known[at(b)] += part.share * target_.weight(part.row);
    });
    std::vector<NodeRows> below = divide_whole_rows(rows, children);
    const double all = std::accumulate(known.begin(), known.end(), 0.0);
    const auto to_every_child = [&](const Part& part) {
      for (std::size_t b = 0; b < children; ++b)
        below[b].parts.push_back({part.row, part.share * known[b] / all});
    };
    for (std::ptrdiff_t i = below.back().end; i < rows.end; ++i) to_every_child({rows_[at(i)], 1.0});
    for (const Part& part : rows.parts) {
      if (branch_[part.row] < children)
        below[branch_[part.row]].parts.push_back(part);
      else
        to_every_child(part);
    }
    return below;
  }

  // Puts the whole rows of each child side by side, and those of none behind them.
  std::vector<NodeRows> divide_whole_rows(const NodeRows& rows, std::size_t children) {
    std::vector<std::ptrdiff_t> next(children + 2);
    for (std::ptrdiff_t i = rows.begin; i < rows.end; ++i) ++next[branch_[rows_[at(i)]] + 1];
    next[0] = rows.begin;
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<NodeRows> below(children);
    for (std::size_t b = 0; b < children; ++b) below[b].begin = next[b], below[b].end = next[b + 1];
    for (std::ptrdiff_t i = rows.begin; i < rows.end; ++i) {
      const std::uint32_t row = rows_[at(i)];
      moved_[at(next[branch_[row]]++)] = row;
    }
    std::copy(moved_.begin() + rows.begin, moved_.begin() + rows.end, rows_.begin() + rows.begin);
    return below;
  }

  // ---- Raising.

  // The errors to expect if all rows of a node go to its largest branch.
  double errors_as_branch(const Visit& visit, std::size_t largest, double as_leaf) {
    if (!rules_.raising) return std::numeric_limits<double>::infinity();
    const Node& node = nodes_[at(visit.id)];
    const std::int32_t branch = node.children[largest];
    if (nodes_[at(branch)].is_leaf()) return as_leaf;
    if (divides_rows_) {
      const std::size_t size = nodes_.size();
      const double errors = count_anew(copy_of(branch), visit.rows);
      nodes_.resize(size);
      return errors;
    }
    std::vector<std::uint32_t> others;  // whole rows are still where they were put, if in another order
    for (std::size_t b = 0; b < visit.below.size(); ++b)
      if (b != largest)
        others.insert(others.end(), rows_.begin() + visit.below[b].begin, rows_.begin() + visit.below[b].end);
    return errors_with(branch, std::move(others));
  }

  // The errors of a branch to which others join its rows. Where rows are whole, nothing changes but what the
  // others come by: with many levels below, that is much less than all of it.
  double errors_with(std::int32_t branch, std::vector<std::uint32_t> others) const {
    double errors = nodes_[at(branch)].errors;
    std::vector<std::pair<std::int32_t, std::vector<std::uint32_t>>> open;
    open.emplace_back(branch, std::move(others));
    while (!open.empty()) {
      const auto [id, rows] = std::move(open.back());
      open.pop_back();
      const Node& node = nodes_[at(id)];
      if (node.is_leaf()) {
        errors += errors_of(with(node.counts, rows)) - node.errors;
        continue;
      }
      std::vector<std::vector<std::uint32_t>> below(node.children.size());
      std::map<std::ptrdiff_t, std::vector<std::uint32_t>> of_new_level;
      for (const std::uint32_t row : rows) {
        const std::int32_t b = child_of(node, row);
        if (b == new_level && new_levels_are_leaves())
          of_new_level[level_of(node, row)].push_back(row);
        else
          below[b == new_level ? home_of_new_levels(node) : at(b)].push_back(row);
      }
      for (const auto& [level, alone] : of_new_level)
        errors += errors_of(with(std::vector<double>(node.counts.size()), alone));
      for (std::size_t b = 0; b < below.size(); ++b)
        if (!below[b].empty()) open.emplace_back(node.children[b], std::move(below[b]));
    }
    return errors;
  }

  std::vector<double> with(std::vector<double> counts, const std::vector<std::uint32_t>& rows) const {
    for (const std::uint32_t row : rows) counts[target_.codes[row]] += target_.weight(row);
    return counts;
  }

  bool new_levels_are_leaves() const { return rules_.categories == CategorySplit::multiway; }
  std::size_t home_of_new_levels(const Node& node) const {
    return rules_.categories == CategorySplit::one_level ? 1 : largest_child(node);
  }

  std::int32_t copy_of(std::int32_t branch) {
    const std::size_t first = nodes_.size();
    nodes_.push_back(Node(nodes_[at(branch)]));
    for (std::size_t k = first; k < nodes_.size(); ++k)
      for (std::size_t b = 0; b < nodes_[k].children.size(); ++b) {
        Node child = nodes_[at(nodes_[k].children[b])];
        nodes_[k].children[b] = static_cast<std::int32_t>(nodes_.size());
        nodes_.push_back(std::move(child));
      }
    return static_cast<std::int32_t>(first);
  }

  // Counts a node and all below it by the rows of the node; returns the errors to expect in the leaves.
  double count_anew(std::int32_t root, const NodeRows& all) {
    double errors = 0.0;
    std::vector<std::pair<std::int32_t, NodeRows>> open;
    open.emplace_back(root, all);
    while (!open.empty()) {
      const auto [id, rows] = std::move(open.back());
      open.pop_back();
      count(nodes_[at(id)], rows);
      if (nodes_[at(id)].is_leaf()) {
        errors += errors_of(nodes_[at(id)].counts);
        continue;
      }
      learn_new_levels(id, rows);
      std::vector<NodeRows> below = divide(nodes_[at(id)], rows);
      for (std::size_t b = 0; b < below.size(); ++b)
        open.emplace_back(nodes_[at(id)].children[b], std::move(below[b]));
    }
    return errors;
  }

  void count(Node& node, const NodeRows& rows) const {
    node.counts.assign(at(target_.classes), 0.0);
    node.cases = 0.0;
    for_each(rows, [&](const Part& part) {
      node.counts[target_.codes[part.row]] += part.share * target_.weight(part.row);
      node.cases += part.share * target_.cases_of(part.row);
    });
  }

  // Finds a child for levels that did not occur before.
  void learn_new_levels(std::int32_t id, const NodeRows& rows) {
    for_each(rows, [&](const Part& part) {
      if (child_of(nodes_[at(id)], part.row) != new_level) return;
      const std::size_t child = new_levels_are_leaves() ? add_leaf(id) : home_of_new_levels(nodes_[at(id)]);
      Node& node = nodes_[at(id)];
      node.level_child[at(level_of(node, part.row))] = static_cast<std::int32_t>(child);
    });
  }

  std::size_t add_leaf(std::int32_t parent) {
    nodes_.emplace_back();
    std::vector<std::int32_t>& children = nodes_[at(parent)].children;
    children.push_back(static_cast<std::int32_t>(nodes_.size() - 1));
    return children.size() - 1;
  }

  // ---- The outcome.

  PrunedTree in_order() const {
    PrunedTree pruned;
    pruned.levels_at.push_back(0);
    std::vector<std::int32_t> queue{0};
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const Node& node = nodes_[at(queue[k])];
      pruned.origin.push_back(node.origin);
      pruned.first_child.push_back(node.is_leaf() ? -1 : static_cast<std::int32_t>(queue.size()));
      pruned.child_count.push_back(static_cast<std::int32_t>(node.children.size()));
      pruned.level_child.insert(pruned.level_child.end(), node.level_child.begin(), node.level_child.end());
      pruned.levels_at.push_back(static_cast<std::int64_t>(pruned.level_child.size()));
      pruned.cases.push_back(node.cases);
      pruned.counts.insert(pruned.counts.end(), node.counts.begin(), node.counts.end());
      queue.insert(queue.end(), node.children.begin(), node.children.end());
    }
    return pruned;
  }

  Matrix<const T> X_;
  const Target& target_;
  const TreeView& tree_;
  const ErrorRules& rules_;
  bool divides_rows_ = false;
  std::vector<std::uint32_t> rows_, moved_;
  std::vector<std::size_t> branch_;  // of each row of the node that is being divided
  std::vector<Node> nodes_;
};

}  // namespace

template <class T>
PrunedTree prune_by_errors(Matrix<const T> X, const Target& target, Vector<const std::uint32_t> rows,
                           const TreeView& tree, Matrix<const double> counts, Vector<const double> cases,
                           const ErrorRules& rules) {
  return ErrorPruner<T>(X, target, rows, tree, rules).prune(counts, cases);
}

template PrunedTree prune_by_errors(Matrix<const float>, const Target&, Vector<const std::uint32_t>,
                                    const TreeView&, Matrix<const double>, Vector<const double>,
                                    const ErrorRules&);
template PrunedTree prune_by_errors(Matrix<const double>, const Target&, Vector<const std::uint32_t>,
                                    const TreeView&, Matrix<const double>, Vector<const double>,
                                    const ErrorRules&);

}  // namespace classica
