#include <memory>

#include "search.hpp"

namespace classica {
namespace {

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

struct Node {
  Range range;
  std::int32_t depth = 0;
  std::int32_t first_child = -1;
  Split split;
  NodeTotals totals;
};
using Nodes = std::vector<Node>;

// Grows one tree. Nodes with many rows are searched and divided by all threads together, column by column; the
// others are left for the end, each with its whole subtree for one thread. No result depends on that.
template <class Rule>
class Grower {
 public:
  Grower(const RankTable& table, Labels labels, const GrowthRules& rules, int threads)
      : table_(table), labels_(std::move(labels)), rules_(rules), threads_(threads), rows_(table, threads) {}

  Nodes grow() {
    Nodes nodes(1);
    nodes[0].range = {0, table_.rows};
    std::vector<std::int32_t> waiting;
    grow_from(nodes, 0, threads_, &waiting);
    std::vector<Nodes> subtrees(waiting.size());
    parallel_for(static_cast<std::ptrdiff_t>(waiting.size()), 1, threads_,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   for (std::ptrdiff_t k = begin; k < end; ++k) {
                     Nodes& subtree = subtrees[room(k)];
                     subtree.push_back(nodes[room(waiting[room(k)])]);
                     grow_from(subtree, 0, 1, nullptr);
                   }
                 });
    for (std::size_t k = 0; k < waiting.size(); ++k) graft(nodes, waiting[k], std::move(subtrees[k]));
    return nodes;
  }

 private:
  static constexpr std::ptrdiff_t rows_for_one_thread = 4096;

  // Grows everything below a node; small nodes go to `waiting` instead, if there is such a list.
  void grow_from(Nodes& nodes, std::int32_t root, int threads, std::vector<std::int32_t>* waiting) {
    std::vector<ColumnSearch<Rule>> searches = searchers(threads);
    std::vector<std::int32_t> open{root};
    while (!open.empty()) {
      const std::int32_t id = open.back();
      open.pop_back();
      if (waiting && nodes[room(id)].range.size() < rows_for_one_thread) {
        waiting->push_back(id);
        continue;
      }
      poll_interrupt();
      sum_up(nodes[room(id)]);
      Split best = choose(nodes[room(id)], searches, threads);
      if (!best.exists()) continue;
      divide(nodes, id, std::move(best), threads);
      for (std::int32_t b = nodes[room(id)].split.count; b-- > 0;)
        open.push_back(nodes[room(id)].first_child + b);
    }
  }

  std::vector<ColumnSearch<Rule>> searchers(int threads) {
    return std::vector<ColumnSearch<Rule>>(room(threads > 1 ? table_.cols : 1),
                                           ColumnSearch<Rule>(table_, rows_, labels_, rules_));
  }

  void sum_up(Node& node) const {
    NodeTotals& totals = node.totals;
    totals.range = node.range;
    totals.counts.assign(room(labels_.classes), 0.0);
    for (std::ptrdiff_t k = node.range.begin; k < node.range.end; ++k) {
      const std::uint32_t row = rows_.rows()[k];
      totals.counts[labels_.codes[row]] += labels_.weight(row);
      totals.cases += labels_.cases(row);
    }
    Side<Rule> all(labels_.classes);
    all.set(totals.counts.data(), totals.cases, totals.counts.data());
    totals.weight = all.weight;
    totals.part = all.part();
  }

  Split choose(const Node& node, std::vector<ColumnSearch<Rule>>& searches, int threads) const {
    const NodeTotals& totals = node.totals;
    if (totals.cases < rules_.min_cases_split || totals.cases < 2 * rules_.min_cases_leaf) return {};
    if (rules_.max_depth >= 0 && node.depth >= rules_.max_depth) return {};
    const auto seen = [](double count) { return count > 0.0; };
    if (std::count_if(totals.counts.begin(), totals.counts.end(), seen) < 2) return {};
    std::vector<Split> found(room(table_.cols));
    parallel_for(table_.cols, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t j = begin; j < end; ++j)
        found[room(j)] = searches[threads > 1 ? room(j) : 0].best(totals, j);
    });
    Split best;
    for (Split& split : found)
      if (split.exists() && split.beats(best, totals.weight)) best = std::move(split);
    if (best.exists() && best.gain < rules_.min_impurity_decrease * static_cast<double>(table_.rows)) return {};
    return best;
  }

  void divide(Nodes& nodes, std::int32_t id, Split split, int threads) {
    const Range range = nodes[room(id)].range;
    const std::uint32_t* ranks = table_.column(split.feature);
    for (std::ptrdiff_t k = range.begin; k < range.end; ++k) {
      const std::uint32_t row = rows_.rows()[k], rank = ranks[row];
      std::int32_t branch = split.missing;
      if (rank != missing_rank)
        branch = split.branches.empty() ? rank > split.last_left : split.branches[rank];
      rows_.branch(row) = static_cast<std::uint16_t>(branch);
    }
    const std::vector<std::ptrdiff_t> starts = rows_.divide(range, split.count, threads);
    nodes[room(id)].first_child = static_cast<std::int32_t>(nodes.size());
    const std::int32_t depth = nodes[room(id)].depth + 1;
    for (std::size_t b = 0; b + 1 < starts.size(); ++b) {
      Node child;
      child.range = {starts[b], starts[b + 1]};
      child.depth = depth;
      nodes.push_back(std::move(child));
    }
    nodes[room(id)].split = std::move(split);
  }

  static void graft(Nodes& nodes, std::int32_t place, Nodes subtree) {
    const auto shift = static_cast<std::int32_t>(nodes.size()) - 1;
    for (Node& node : subtree)
      if (node.first_child >= 0) node.first_child += shift;
    nodes[room(place)] = std::move(subtree[0]);
    std::move(subtree.begin() + 1, subtree.end(), std::back_inserter(nodes));
  }

  const RankTable& table_;
  Labels labels_;
  GrowthRules rules_;
  int threads_;
  NodeRows rows_;
};

void store(GrownTree& tree, const Node& node, std::int32_t first_child) {
  tree.feature.push_back(node.split.feature);
  tree.last_left.push_back(node.split.last_left);
  tree.first_right.push_back(node.split.first_right);
  tree.branches_at.push_back(node.split.branches.empty() ? -1
                                                         : static_cast<std::int64_t>(tree.branches.size()));
  tree.branches.insert(tree.branches.end(), node.split.branches.begin(), node.split.branches.end());
  tree.missing_child.push_back(node.split.missing);
  tree.first_child.push_back(first_child);
  tree.child_count.push_back(node.split.exists() ? node.split.count : 0);
  tree.depth.push_back(node.depth);
  tree.cases.push_back(node.totals.cases);
  tree.gain.push_back(node.split.exists() ? node.split.gain : 0.0);
  tree.counts.insert(tree.counts.end(), node.totals.counts.begin(), node.totals.counts.end());
}

// Level by level, so that children lie side by side behind their parents.
GrownTree in_order(const Nodes& nodes) {
  GrownTree tree;
  std::vector<std::int32_t> queue{0};
  for (std::size_t k = 0; k < queue.size(); ++k) {
    const Node& node = nodes[room(queue[k])];
    const auto next = static_cast<std::int32_t>(queue.size());
    store(tree, node, node.split.exists() ? next : -1);
    if (node.split.exists())
      for (std::int32_t b = 0; b < node.split.count; ++b) queue.push_back(node.first_child + b);
  }
  return tree;
}

}  // namespace

GrownTree grow_classification_tree(const RankTable& table, Vector<const std::int32_t> codes,
                                   std::ptrdiff_t classes, Vector<const double> weights,
                                   const GrowthRules& rules, int threads) {
  Labels labels;
  labels.classes = classes;
  for (std::ptrdiff_t i = 0; i < table.rows; ++i) labels.codes.push_back(static_cast<std::uint16_t>(codes[i]));
  for (std::ptrdiff_t i = 0; i < weights.size; ++i) labels.weights.push_back(weights[i]);
  return with_criterion(rules.criterion, [&]<class Rule>() {
    return in_order(Grower<Rule>(table, std::move(labels), rules, threads).grow());
  });
}

}  // namespace classica
