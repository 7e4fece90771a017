// The rows of the nodes of a growing tree: in place where every row is in one node, with shares where a row
// can be in several.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "classica/parallel.hpp"
#include "split.hpp"

namespace classica {

// A cell of a sorted column: its rank and, travelling along, its row. Missing cells come last.
using Entry = std::uint64_t;
inline std::uint32_t rank_of(Entry entry) { return static_cast<std::uint32_t>(entry >> 32); }
inline std::uint32_t row_of(Entry entry) { return static_cast<std::uint32_t>(entry); }
inline Entry entry_of(std::uint32_t rank, std::uint32_t row) { return Entry{rank} << 32 | row; }

// Columns with few levels are counted in a table instead of being sorted.
constexpr std::int64_t few_levels = 256;
inline bool needs_order(const RankTable& table, std::ptrdiff_t j) {
  return !table.categorical[j] && table.levels[j] > few_levels;
}

// Each node owns a range of places; in that range lie its rows, and for each column with many distinct values
// the same rows in the order of that column. Dividing a node partitions all of them stably, so nothing is
// ever sorted twice.
//
// Without weights every row counts as one, which the compiler then knows.
template <bool weighted>
class PresortedRows {
 public:
  struct Place {
    std::ptrdiff_t begin = 0, end = 0;
    std::ptrdiff_t size() const { return end - begin; }
  };
  // Whether nodes can be grown side by side, and whether all weights are one.
  static constexpr bool are_apart = true, are_whole = !weighted;

  PresortedRows(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows, int threads)
      : table_(table),
        target_(target),
        rows_(static_cast<std::size_t>(rows.size)),
        branch_(static_cast<std::size_t>(table.rows)),
        sorted_(static_cast<std::size_t>(table.cols)) {
    for (std::ptrdiff_t i = 0; i < rows.size; ++i) rows_[static_cast<std::size_t>(i)] = rows[i];
    parallel_for(table.cols, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t j = begin; j < end; ++j)
        if (needs_order(table_, j)) sort_column(j);
    });
  }

  Place all() const { return {0, static_cast<std::ptrdiff_t>(rows_.size())}; }
  void enter(const Place&) {}
  std::span<const std::uint32_t> rows(const Place& place) const {
    return {rows_.data() + place.begin, static_cast<std::size_t>(place.size())};
  }
  std::span<const Entry> sorted(const Place& place, std::ptrdiff_t j, std::vector<Entry>&) const {
    return {sorted_[static_cast<std::size_t>(j)].data() + place.begin,
            static_cast<std::size_t>(place.size())};
  }
  double weight(std::uint32_t row) const { return weighted ? target_.weight(row) : 1.0; }
  double cases(std::uint32_t row) const { return weighted ? target_.cases_of(row) : 1.0; }
  std::uint16_t& branch(std::uint32_t row) { return branch_[row]; }
  std::uint16_t branch(std::uint32_t row) const { return branch_[row]; }

  // The places of the branches, once `branch` has been set for every row of the node.
  std::vector<Place> divide(const Place& place, std::int32_t branches, int threads) {
    std::vector<std::ptrdiff_t> starts(static_cast<std::size_t>(branches) + 1);
    for (const std::uint32_t row : rows(place)) ++starts[static_cast<std::size_t>(branch_[row]) + 1];
    starts[0] = place.begin;
    for (std::size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1];
    parallel_for(table_.cols + 1, 1, place.size() * table_.cols > (1 << 16) ? threads : 1,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   for (std::ptrdiff_t j = begin; j < end; ++j) {
                     if (j == table_.cols)
                       partition(rows_.data(), place, starts, [](std::uint32_t row) { return row; });
                     else if (needs_order(table_, j))
                       partition(sorted_[static_cast<std::size_t>(j)].data(), place, starts, row_of);
                   }
                 });
    std::vector<Place> places;
    for (std::size_t b = 0; b + 1 < starts.size(); ++b) places.push_back({starts[b], starts[b + 1]});
    return places;
  }

 private:
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
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint16_t> branch_;
  std::vector<std::vector<Entry>> sorted_;
};

// A node owns a list of rows and the share of each that is in it; columns are sorted at every node.
class SharedRows {
 public:
  struct Place {
    std::vector<std::uint32_t> rows;
    std::vector<double> shares;
    std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(rows.size()); }
  };
  static constexpr bool are_apart = false, are_whole = false;

  SharedRows(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows, int)
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
  std::span<const Entry> sorted(const Place& place, std::ptrdiff_t j, std::vector<Entry>& entries) const {
    const std::uint32_t* ranks = table_.column(j);
    entries.clear();
    for (const std::uint32_t row : place.rows) entries.push_back(entry_of(ranks[row], row));
    std::sort(entries.begin(), entries.end());
    return entries;
  }
  double weight(std::uint32_t row) const { return share_[row] * target_.weight(row); }
  double cases(std::uint32_t row) const { return share_[row] * target_.cases_of(row); }
  std::uint16_t& branch(std::uint32_t row) { return branch_[row]; }
  std::uint16_t branch(std::uint32_t row) const { return branch_[row]; }

  // Rows that take every branch do so in proportion to the weights of the others.
  std::vector<Place> divide(const Place& place, std::int32_t branches, int) {
    std::vector<double> weights(static_cast<std::size_t>(branches));
    double known = 0.0;
    for (const std::uint32_t row : place.rows)
      if (branch_[row] != every_branch) weights[branch_[row]] += weight(row), known += weight(row);
    std::vector<Place> places(weights.size());
    for (std::size_t i = 0; i < place.rows.size(); ++i) {
      const std::uint32_t row = place.rows[i];
      for (std::size_t b = 0; b < weights.size(); ++b) {
        const bool everywhere = branch_[row] == every_branch;
        if (!everywhere && branch_[row] != b) continue;
        places[b].rows.push_back(row);
        places[b].shares.push_back(place.shares[i] * (everywhere ? weights[b] / known : 1.0));
      }
    }
    return places;
  }

 private:
  const RankTable& table_;
  const Target& target_;
  Place all_;
  std::vector<double> share_;
  std::vector<std::uint16_t> branch_;
};

}  // namespace classica
