// The rows of the nodes of a growing tree: in place where every row is in one node, with shares where a row
// can be in several (C4.5's fractions, Quinlan 1993).
//
// In place, each node owns a range; the rows, and the rows in the order of each column of many levels, are
// partitioned stably when a node is divided, as SPRINT does with its attribute lists (Shafer, Agrawal and
// Mehta 1996). Invariant: the range of a node holds the same rows in every order, so that nothing is sorted
// twice. Where a node asks few of the columns, only those are sorted, when it asks. Cost of a division:
// O(rows * sorted columns).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "classica/parallel.hpp"
#include "entries.hpp"
#include "split.hpp"

namespace classica {

// How much a row counts: one; as often as it is there; what its weight says.
enum class Weighing { ones, counts, reals };

// In place: see above.
template <Weighing weighing>
class NodeRows {
 public:
  struct Place {
    std::ptrdiff_t begin = 0, end = 0;
    std::ptrdiff_t size() const { return end - begin; }
  };
  // Whether nodes can be grown side by side, whether all weights are whole numbers, and whether all are one.
  static constexpr bool are_apart = true, are_whole = weighing != Weighing::reals,
                        are_single = weighing == Weighing::ones;

  NodeRows(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
           const GrowthRules& rules, int threads)
      : table_(table),
        target_(target),
        sorts_at_nodes_(asks_few_columns(table, rules)),
        labels_(sorts_at_nodes_ && can_label(target)),
        rows_(static_cast<std::size_t>(rows.size)),
        branch_(static_cast<std::size_t>(table.rows)),
        sorted_(static_cast<std::size_t>(table.cols)) {
    for (std::ptrdiff_t i = 0; i < rows.size; ++i) rows_[static_cast<std::size_t>(i)] = rows[i];
    sign_weights();
    if (sorts_at_nodes_) return;
    parallel_for(table.cols, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t j = begin; j < end; ++j)
        if (needs_order(table_, j)) sort_column(j);
    });
  }

  // For trees that grow one after the other on the same rows: keeps their order, and brings it back. That of
  // columns changes only where branches are searched.
  void remember(bool branches_are_searched) {
    all_rows_ = rows_;
    if (branches_are_searched) all_sorted_ = sorted_;
  }
  void restore(int threads) {
    rows_ = all_rows_;
    sign_weights();
    parallel_for(static_cast<std::ptrdiff_t>(all_sorted_.size()), 1, threads,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   std::copy(all_sorted_.begin() + begin, all_sorted_.begin() + end, sorted_.begin() + begin);
                 });
  }

  Place all() const { return {0, static_cast<std::ptrdiff_t>(rows_.size())}; }
  // Makes a node the one that is searched; nodes searched side by side are too small to be marked.
  void enter(const Place& place) {
    if (!is_marked(place)) return;
    marks_.assign(static_cast<std::size_t>(table_.rows), 0);
    for (const std::uint32_t row : rows(place)) marks_[row] = labels_ ? label(row) : 1;
  }
  std::span<const std::uint32_t> rows(const Place& place) const {
    return {rows_.data() + place.begin, static_cast<std::size_t>(place.size())};
  }
  // Whether a column is read in order, or counted level by level.
  bool reads_in_order(const Place&, std::ptrdiff_t j) const {
    if (!sorts_at_nodes_) return needs_order(table_, j);
    return !table_.categorical[j];
  }
  // The labels of the rows of a node, or nothing where entries have their rows with them.
  std::span<const Label> labels(const Place& place, std::vector<Label>& scratch) const {
    if (!labels_) return {};
    const std::span<const std::uint32_t> all = rows(place);
    make_room(scratch, all.size());
    for (std::size_t i = 0; i < all.size(); ++i) scratch[i] = label(all[i]);
    return {scratch.data(), all.size()};
  }
  // Brings the ranks of a node near, if they are to be sorted.
  void fetch(const Place& place, std::span<const std::int32_t> columns, NearRanks& near) const {
    if (sorts_at_nodes_ && table_.by_row && !is_marked(place))
      near.fetch(table_, rows(place), columns);
    else
      near.forget();
  }
  std::span<const Entry> sorted(const Place& place, std::ptrdiff_t j, std::span<const Label> labels,
                                const NearRanks& near, EntrySorter& sorter) const {
    if (!sorts_at_nodes_)
      return {sorted_[static_cast<std::size_t>(j)].data() + place.begin,
              static_cast<std::size_t>(place.size())};
    const std::span<const std::uint32_t> all = rows(place);
    if (is_marked(place) && needs_order(table_, j))
      return labels.empty() ? sorter.picked_rows(marks_, all.size(), table_, j)
                            : sorter.picked_labels(marks_, all.size(), table_, j);
    if (const std::uint32_t* ranks = near.of(j))
      return labels.empty() ? sorter.sorted(all, ranks) : sorter.sorted(labels, ranks);
    const std::uint32_t* column = table_.column(j);
    return labels.empty() ? sorter.sorted(all, all, column) : sorter.sorted(all, labels, column);
  }
  double weight(std::uint32_t row) const {
    if constexpr (weighing == Weighing::reals) return target_.weight(row);
    return static_cast<double>(count(row));
  }
  double cases(std::uint32_t row) const {
    if constexpr (weighing == Weighing::reals) return target_.cases_of(row);
    return static_cast<double>(count(row));
  }
  // Of two classes and real weights, by row: negative for the first class, so that one look tells both.
  const std::vector<double>& signed_weights() const { return signed_weights_; }
  // How often a row is there, where that is all its weight.
  std::int64_t count(std::uint32_t row) const { return are_single ? 1 : target_.counts[row]; }
  std::uint16_t& branch(std::uint32_t row) { return branch_[row]; }
  std::uint16_t branch(std::uint32_t row) const { return branch_[row]; }

  // The places of the branches, once `branch` has been set for every row of the node. The order of columns
  // is kept up only if the branches will be searched.
  void divide(const Place& place, std::int32_t branches, bool to_be_searched, int threads,
              std::vector<Place>& places) {
    thread_local std::vector<std::ptrdiff_t> kept;
    std::vector<std::ptrdiff_t>& starts = kept;  // the one of this thread, for those that help as well
    starts.assign(static_cast<std::size_t>(branches) + 1, 0);
    for (const std::uint32_t row : rows(place)) ++starts[static_cast<std::size_t>(branch_[row]) + 1];
    starts[0] = place.begin;
    for (std::size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1];
    partition(rows_.data(), place, starts, [](std::uint32_t row) { return row; });
    if (to_be_searched && !sorts_at_nodes_)
      parallel_for(table_.cols, 1, place.size() * table_.cols > (1 << 16) ? threads : 1,
                   [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                     for (std::ptrdiff_t j = begin; j < end; ++j)
                       if (needs_order(table_, j))
                         partition(sorted_[static_cast<std::size_t>(j)].data(), place, starts, row_of);
                   });
    places.clear();
    for (std::size_t b = 0; b + 1 < starts.size(); ++b) places.push_back({starts[b], starts[b + 1]});
  }

 private:
  void sign_weights() {
    if (weighing != Weighing::reals || target_.classes != 2) return;
    signed_weights_.resize(branch_.size());
    for (const std::uint32_t row : rows_)
      signed_weights_[row] = target_.codes[row] ? target_.weight(row) : -target_.weight(row);
  }

  // Sorting a column at a node costs several times what keeping it in order does.
  static bool asks_few_columns(const RankTable& table, const GrowthRules& rules) {
    return rules.max_features > 0 && 3 * rules.max_features < table.cols;
  }

  static bool can_label(const Target& target) {
    if (weighing != Weighing::counts || target.codes.empty() || target.classes > most_classes_of_label)
      return false;
    return *std::max_element(target.counts.begin(), target.counts.end()) <= highest_count_of_label;
  }
  Label label(std::uint32_t row) const { return label_of(target_.codes[row], target_.counts[row]); }

  // Whether it is worth while to pick the rows of a node from all rows in order.
  bool is_marked(const Place& place) const {
    // Where all ranks fit in a byte, no column has been put in order.
    return sorts_at_nodes_ && table_.orders && table_.bytes_by_row > 1 &&
           place.size() >= static_cast<std::ptrdiff_t>(rows_for_one_thread) && 4 * place.size() > table_.rows;
  }

  void sort_column(std::ptrdiff_t j) {
    const std::uint32_t* ranks = table_.column(j);
    const auto levels = static_cast<std::size_t>(table_.levels[j]);
    std::vector<std::uint32_t> starts(levels + 2);
    const auto bucket = [&](std::uint32_t rank) { return rank == missing_rank ? levels : std::size_t{rank}; };
    for (const std::uint32_t row : rows_) ++starts[bucket(ranks[row]) + 1];
    for (std::size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1];
    std::vector<Entry>& out = sorted_[static_cast<std::size_t>(j)];
    out.resize(rows_.size());
    for (const std::uint32_t row : rows_) out[starts[bucket(ranks[row])]++] = entry_of(ranks[row], row);
  }

  template <class Item, class RowOf>
  void partition(Item* items, const Place& place, const std::vector<std::ptrdiff_t>& starts,
                 RowOf row_of_item) {
    thread_local std::vector<Item> moved;
    moved.resize(static_cast<std::size_t>(place.size()) + 1);
    if (starts.size() == 3) {  // two branches: without a jump
      Item *first = items + place.begin, *second = moved.data();
      for (std::ptrdiff_t k = place.begin; k < place.end; ++k) {
        const Item item = items[k];
        const std::uint16_t to = branch_[row_of_item(item)];
        *first = item;
        *second = item;
        first += 1 - to;
        second += to;
      }
      std::copy(moved.data(), second, items + starts[1]);
      return;
    }
    thread_local std::vector<std::ptrdiff_t> next;
    next.assign(starts.begin(), starts.end());
    for (std::ptrdiff_t k = place.begin; k < place.end; ++k)
      moved[static_cast<std::size_t>(next[branch_[row_of_item(items[k])]]++ - place.begin)] = items[k];
    std::copy(moved.data(), moved.data() + place.size(), items + place.begin);
  }

  const RankTable& table_;
  const Target& target_;
  bool sorts_at_nodes_, labels_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint16_t> branch_;
  std::vector<std::vector<Entry>> sorted_;
  std::vector<double> signed_weights_;
  std::vector<std::uint32_t> all_rows_;  // as they were, if remembered
  std::vector<std::vector<Entry>> all_sorted_;
  std::vector<Label> marks_;  // of the rows of the node that is searched; 0 for others
};

// A node owns a list of rows and the share of each that is in it; columns are sorted at every node.
class SharedRows {
 public:
  struct Place {
    std::vector<std::uint32_t> rows;
    std::vector<double> shares;
    std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(rows.size()); }
  };
  static constexpr bool are_apart = false, are_whole = false, are_single = false;

  SharedRows(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
             const GrowthRules&, int)
      : table_(table), target_(target), share_(static_cast<std::size_t>(table.rows)), branch_(share_.size()) {
    for (std::ptrdiff_t i = 0; i < rows.size; ++i) all_.rows.push_back(rows[i]);
    all_.shares.assign(all_.rows.size(), 1.0);
  }

  Place all() const { return all_; }
  // Makes the shares of a node those that `weight` and `cases` speak of.
  void enter(const Place& place) {
    for (std::size_t i = 0; i < place.rows.size(); ++i) share_[place.rows[i]] = place.shares[i];
  }
  std::span<const std::uint32_t> rows(const Place& place) const { return place.rows; }
  bool reads_in_order(const Place&, std::ptrdiff_t j) const { return needs_order(table_, j); }
  std::span<const Label> labels(const Place&, std::vector<Label>&) const { return {}; }
  void fetch(const Place&, std::span<const std::int32_t>, NearRanks&) const {}
  std::span<const Entry> sorted(const Place& place, std::ptrdiff_t j, std::span<const Label>,
                                const NearRanks&, EntrySorter& sorter) const {
    const std::span<const std::uint32_t> all = rows(place);
    return sorter.sorted(all, all, table_.column(j));
  }
  std::int64_t count(std::uint32_t) const { return 1; }
  double weight(std::uint32_t row) const { return share_[row] * target_.weight(row); }
  double cases(std::uint32_t row) const { return share_[row] * target_.cases_of(row); }
  std::uint16_t& branch(std::uint32_t row) { return branch_[row]; }
  std::uint16_t branch(std::uint32_t row) const { return branch_[row]; }

  // Rows that take every branch do so in proportion to the weights of the others.
  void divide(const Place& place, std::int32_t branches, bool, int, std::vector<Place>& places) {
    std::vector<double> weights(static_cast<std::size_t>(branches));
    double known = 0.0;
    for (const std::uint32_t row : place.rows)
      if (branch_[row] != every_branch) weights[branch_[row]] += weight(row), known += weight(row);
    places.assign(weights.size(), {});
    for (std::size_t i = 0; i < place.rows.size(); ++i) {
      const std::uint32_t row = place.rows[i];
      for (std::size_t b = 0; b < weights.size(); ++b) {
        const bool everywhere = branch_[row] == every_branch;
        if (!everywhere && branch_[row] != b) continue;
        places[b].rows.push_back(row);
        places[b].shares.push_back(place.shares[i] * (everywhere ? weights[b] / known : 1.0));
      }
    }
  }

 private:
  const RankTable& table_;
  const Target& target_;
  Place all_;
  std::vector<double> share_;
  std::vector<std::uint16_t> branch_;
};

}  // namespace classica
