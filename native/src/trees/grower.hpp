// Growing a tree from the root down, by greedy recursive partitioning (Breiman et al. 1984; Quinlan 1986):
// which node is divided next, by which column, and by which thread. Nodes are taken from a list, depth
// first, or best first where the number of leaves is limited.
//
// Invariant: a node's split depends on its rows, the rules and its own random key alone. Nodes of many rows
// are searched by all threads column by column, the others wait and are grown each with its whole subtree
// by one thread; the tree is the same for any number of threads. Cost: O(columns * rows) per level of the
// tree, with columns kept in order.
#pragma once

#include <memory>
#include <numeric>
#include <queue>
#include <utility>

#include "classica/random.hpp"
#include "column_draw.hpp"
#include "judge.hpp"
#include "node.hpp"
#include "surrogates.hpp"

namespace classica {

// `Search` finds the best split of a column; `Summary` adds up the rows of a node.
template <class Search, class Summary, class Rows>
class Grower {
 public:
  using Nodes = std::vector<Node<Rows>>;

  Grower(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
         const GrowthRules& rules, int threads)
      : table_(table),
        target_(target),
        rules_(rules),
        threads_(threads),
        rows_(table, target, rows, rules, threads),
        judge_(table, target, rules, rows) {}

  GrownTree grow() { return in_order(grown_nodes()); }

  // For trees of classes that grow one after the other, when weights or the seed have changed. Writes the
  // class of most weight in the leaf of each row, of equal ones the first.
  void remember_rows() { rows_.remember(rules_.max_depth != 1); }
  GrownTree grow_again(std::vector<std::int32_t>& said) {
    rows_.restore(threads_);
    const Nodes nodes = grown_nodes();
    for (const Node<Rows>& node : nodes) {
      const auto most = std::max_element(node.summary.begin(), node.summary.end()) - node.summary.begin();
      for (const std::uint32_t row : rows_.rows(node.totals.place))
        said[row] = static_cast<std::int32_t>(most);
    }
    return in_order(nodes);
  }

 private:
  using Searches = std::vector<Search>;
  struct Workshop {
    Searches searches;  // one per column, or one for a single thread
    ColumnDraw draw;
  };
  static std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

  Nodes grown_nodes() {
    Nodes nodes(1);
    nodes[0].totals.place = rows_.all();
    nodes[0].key = rules_.seed;
    if (rules_.max_leaves >= 0)
      grow_best_first(nodes);
    else
      grow_all(nodes);
    return nodes;
  }

  void grow_all(Nodes& nodes) {
    std::vector<std::int32_t> waiting;
    grow_from(nodes, threads_, Rows::are_apart ? &waiting : nullptr);
    std::vector<Nodes> subtrees(waiting.size());
    parallel_for(static_cast<std::ptrdiff_t>(waiting.size()), 1, threads_,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   for (std::ptrdiff_t k = begin; k < end; ++k) {
                     Nodes& subtree = subtrees[room(k)];
                     subtree.reserve(room(nodes[room(waiting[room(k)])].totals.place.size()));
                     subtree.push_back(std::move(nodes[room(waiting[room(k)])]));
                     grow_from(subtree, 1, nullptr);
                   }
                 });
    for (std::size_t k = 0; k < waiting.size(); ++k) graft(nodes, waiting[k], std::move(subtrees[k]));
  }

  // Grows everything below the first node; small nodes go to `waiting` instead, if there is such a list.
  void grow_from(Nodes& nodes, int threads, std::vector<std::int32_t>* waiting) {
    Workshop tools = workshop(threads);
    std::vector<std::int32_t> open{0};
    std::size_t looked_at = 0;  // rows since the last poll; most nodes have so few that the clock would cost
    while (!open.empty()) {
      const std::int32_t id = open.back();
      open.pop_back();
      if (waiting && room(nodes[room(id)].totals.place.size()) < rows_for_one_thread) {
        waiting->push_back(id);
        continue;
      }
      looked_at += nodes[room(id)].totals.place.size() + 4;
      if (looked_at >= rows_between_polls) {
        poll_interrupt();
        looked_at = 0;
      }
      Split best = look_at(nodes[room(id)], tools, threads);
      if (!best.exists()) {
        if constexpr (!Rows::are_apart) nodes[room(id)].totals.place = {};
        continue;
      }
      const std::uint32_t* ranks = threads == 1 ? tools.searches[0].fetched(best.feature) : nullptr;
      divide(nodes, id, std::move(best), ranks, threads);
      for (std::int32_t b = nodes[room(id)].split.count; b-- > 0;)
        open.push_back(nodes[room(id)].first_child + b);
    }
  }

  // The leaf whose split gains most is divided first; of equal ones the older.
  void grow_best_first(Nodes& nodes) {
    Workshop tools = workshop(threads_);
    struct Candidate {
      double gain;
      std::int32_t id;
      bool operator<(const Candidate& other) const {
        return gain != other.gain ? gain < other.gain : id > other.id;
      }
    };
    std::priority_queue<Candidate> open;
    std::vector<Split> found;
    std::int64_t leaves = 1;
    const auto look = [&](std::int32_t id) {
      found.resize(nodes.size());
      found[room(id)] = look_at(nodes[room(id)], tools, threads_);
      if (found[room(id)].exists()) open.push({found[room(id)].gain, id});
    };
    look(0);
    while (!open.empty()) {
      poll_interrupt();
      const std::int32_t id = open.top().id;
      open.pop();
      const std::int64_t more = found[room(id)].count - 1;
      if (leaves + more > rules_.max_leaves) continue;
      leaves += more;
      rows_.enter(nodes[room(id)].totals.place);
      divide(nodes, id, std::move(found[room(id)]), nullptr, threads_);
      for (std::int32_t b = 0; b < nodes[room(id)].split.count; ++b) look(nodes[room(id)].first_child + b);
    }
  }

  Workshop workshop(int threads) {
    return {Searches(room(threads > 1 ? table_.cols : 1), Search(table_, rows_, target_, rules_)),
            ColumnDraw(table_.cols)};
  }

  // Adds a node up and finds its split.
  Split look_at(Node<Rows>& node, Workshop& tools, int threads) {
    NodeTotals<Rows>& totals = node.totals;
    rows_.enter(totals.place);
    const bool is_pure = Summary::sum_up(totals, node.summary, rows_, target_);
    Split best;
    if (!is_pure && may_be_divided(node)) best = judge_.admit(search_columns(node, tools, threads), totals);
    Summary::put_away(totals, node.summary);
    return best;
  }

  bool may_be_divided(const Node<Rows>& node) const {
    const double cases = node.totals.cases;
    return cases >= rules_.min_cases_split - case_slack &&
           cases >= 2 * (rules_.min_cases_leaf - case_slack) && !is_last_level(node.depth);
  }

  bool is_last_level(std::int32_t depth) const { return rules_.max_depth >= 0 && depth >= rules_.max_depth; }

  Split search_columns(const Node<Rows>& node, Workshop& tools, int threads) {
    if (threads == 1) tools.searches[0].enter(node.totals);
    const bool takes_the_best = rules_.selection == Selection::gain && rules_.top_features == 0;
    if (rules_.max_features > 0 && rules_.max_features < table_.cols) {
      tools.draw.start(node.key);
      Split best =
          takes_the_best && threads == 1 ? best_drawn(node, tools) : choose_drawn(node, tools, threads);
      tools.draw.put_back();
      return best;
    }
    if (threads == 1 && takes_the_best) return first_best(node, tools.searches[0]);
    std::vector<std::int32_t> columns(room(table_.cols));
    std::iota(columns.begin(), columns.end(), 0);
    std::vector<Split> found(columns.size());
    search(node, columns, tools.searches, threads, found);
    return judge_.choose(found, node.totals, rows_, node.key);
  }

  void search(const Node<Rows>& node, std::span<const std::int32_t> columns, Searches& searches, int threads,
              std::vector<Split>& found) {
    parallel_for(static_cast<std::ptrdiff_t>(columns.size()), 1, threads,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   for (std::ptrdiff_t k = begin; k < end; ++k) {
                     const std::int32_t j = columns[room(k)];
                     Search& search = searches[threads > 1 ? room(j) : 0];
                     if (threads > 1) search.enter(node.totals);
                     found[room(j)] = search.best(j);
                   }
                 });
  }

  // Where none of the drawn columns divides the node, the others get their turn one by one.
  Split choose_drawn(const Node<Rows>& node, Workshop& tools, int threads) {
    std::vector<Split> found(room(table_.cols));
    search(node, tools.draw.next(rules_.max_features), tools.searches, threads, found);
    Split best = judge_.choose(found, node.totals, rows_, node.key);
    for (std::ptrdiff_t k = rules_.max_features; k < table_.cols && !best.exists(); ++k) {
      search(node, tools.draw.next(1), tools.searches, threads, found);
      best = judge_.choose(found, node.totals, rows_, node.key);
    }
    return best;
  }

  // The same and the next without keeping the splits of all columns: most nodes are small.
  Split best_drawn(const Node<Rows>& node, Workshop& tools) {
    Split best;
    Search& search = tools.searches[0];
    const auto columns = tools.draw.next(rules_.max_features);
    search.fetch(columns);
    for (const std::int32_t j : columns) take_better(node, j, search, best);
    for (std::ptrdiff_t k = rules_.max_features; k < table_.cols && !best.exists(); ++k)
      take_better(node, tools.draw.next(1)[0], search, best);
    return best;
  }

  Split first_best(const Node<Rows>& node, Search& search) {
    Split best;
    for (std::ptrdiff_t j = 0; j < table_.cols; ++j) take_better(node, j, search, best);
    return best;
  }

  static void take_better(const Node<Rows>& node, std::ptrdiff_t j, Search& search, Split& best) {
    Split found = search.best(j);
    if (found.exists() && found.beats(best, node.totals.slack_of_gains)) best = std::move(found);
  }

  // `ranks` are those of the rows of the node in the column of the split, if they are at hand.
  void divide(Nodes& nodes, std::int32_t id, Split split, const std::uint32_t* ranks, int threads) {
    Node<Rows>& node = nodes[room(id)];
    if (split.branches.empty()) fetch_cut(table_, split.feature, split.last_left, split.first_right);
    assign_rows(node, split, ranks, threads);
    const std::int32_t depth = node.depth + 1;
    thread_local std::vector<typename Rows::Place> places;
    rows_.divide(node.totals.place, split.count, !is_last_level(depth), threads, places);
    if (split.branches.empty())
      split.threshold =
          cut_between(table_, split.feature, split.last_left, split.first_right, rules_.cut_at_data);
    node.totals.place = {};
    node.split = std::move(split);
    node.first_child = static_cast<std::int32_t>(nodes.size());
    const std::uint64_t key = node.key;
    for (std::size_t b = 0; b < places.size(); ++b) {
      Node<Rows>& child = nodes.emplace_back();
      child.totals.place = std::move(places[b]);
      child.depth = depth;
      if (rules_.max_features > 0 || rules_.top_features > 0)
        child.key = Philox(key, b + 1).block({0, 0, 0, 0})[0];
    }
  }

  // Sets the branch of every row, and which child is largest.
  void assign_rows(Node<Rows>& node, const Split& split, const std::uint32_t* ranks, int threads) {
    const auto rows = rows_.rows(node.totals.place);
    bool some_missing = false;
    if (ranks)
      some_missing = assign_known(node, split, [ranks](std::size_t i) { return ranks[i]; });
    else
      some_missing = assign_known(node, split, [rows, of_row = table_.column(split.feature)](std::size_t i) {
        return of_row[rows[i]];
      });
    if (rules_.missing == MissingPolicy::surrogate && rules_.max_surrogates > 0)
      node.surrogates = find_surrogates(table_, rows_, node.totals.place, split.feature, rules_, threads);
    if (!some_missing || rules_.missing == MissingPolicy::fraction) return;
    for (const std::uint32_t row : rows)
      if (rows_.branch(row) == every_branch) rows_.branch(row) = branch_without(node, split, row);
  }

  // Rows without a value are left for later; whether there are any.
  template <class RankAt>
  bool assign_known(Node<Rows>& node, const Split& split, RankAt rank_at) {
    const auto rows = rows_.rows(node.totals.place);
    thread_local std::vector<double> weights;
    weights.assign(room(split.count), 0.0);
    bool some_missing = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t rank = rank_at(i);
      if (rank == missing_rank) {
        rows_.branch(rows[i]) = every_branch;
        some_missing = true;
        continue;
      }
      const std::int32_t branch = split.branch_of(rank);
      rows_.branch(rows[i]) = static_cast<std::uint16_t>(branch);
      weights[room(branch)] += rows_.weight(rows[i]);
    }
    node.largest_child =
        static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    return some_missing;
  }

  // The branch of a row in which the column of the split is missing.
  std::uint16_t branch_without(const Node<Rows>& node, const Split& split, std::uint32_t row) const {
    for (const Surrogate& surrogate : node.surrogates) {
      const std::int32_t branch = surrogate.branch_of(table_, row);
      if (branch >= 0) return static_cast<std::uint16_t>(branch);
    }
    return static_cast<std::uint16_t>(split.missing >= 0 ? split.missing : node.largest_child);
  }

  static void graft(Nodes& nodes, std::int32_t place, Nodes subtree) {
    const auto shift = static_cast<std::int32_t>(nodes.size()) - 1;
    for (Node<Rows>& node : subtree)
      if (node.first_child >= 0) node.first_child += shift;
    nodes[room(place)] = std::move(subtree[0]);
    std::move(subtree.begin() + 1, subtree.end(), std::back_inserter(nodes));
  }

  const RankTable& table_;
  const Target& target_;
  const GrowthRules& rules_;
  int threads_;
  Rows rows_;
  Judge<Rows> judge_;
};

}  // namespace classica
