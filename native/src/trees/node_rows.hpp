// The rows of the nodes of a growing tree. Each node owns a range of places; in that range lie its rows, and
// for each column with many distinct values the same rows in the order of that column. Dividing a node
// partitions all of them stably, so nothing is ever sorted twice.
#pragma once

#include <cstdint>
#include <vector>

#include "classica/parallel.hpp"
#include "classica/tree.hpp"

namespace classica {

struct Range {
  std::ptrdiff_t begin = 0, end = 0;
  std::ptrdiff_t size() const { return end - begin; }
};

// A cell of a sorted column: its rank and, travelling along, its row. Missing cells come last.
using Entry = std::uint64_t;
inline std::uint32_t rank_of(Entry entry) { return static_cast<std::uint32_t>(entry >> 32); }
inline std::uint32_t row_of(Entry entry) { return static_cast<std::uint32_t>(entry); }

class NodeRows {
 public:
  NodeRows(const RankTable& table, int threads)
      : table_(table), rows_(static_cast<std::size_t>(table.rows)), branch_(rows_.size()) {
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = static_cast<std::uint32_t>(i);
    sorted_.resize(static_cast<std::size_t>(table.cols));
    parallel_for(table.cols, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t j = begin; j < end; ++j)
        if (is_sorted(j)) sort_column(j);
    });
  }

  // Columns with few levels are counted in a table instead.
  bool is_sorted(std::ptrdiff_t j) const { return !table_.categorical[j] && table_.levels[j] > few_levels; }
  const Entry* column(std::ptrdiff_t j) const { return sorted_[static_cast<std::size_t>(j)].data(); }
  const std::uint32_t* rows() const { return rows_.data(); }

  // Where each row of the range being divided goes; set before `divide`.
  std::uint16_t& branch(std::uint32_t row) { return branch_[row]; }

  // Reorders a range so that the rows of branch 0 come first, and so on; returns where each branch begins, and
  // the end.
  std::vector<std::ptrdiff_t> divide(Range range, std::int32_t branches, int threads) {
    std::vector<std::ptrdiff_t> starts(static_cast<std::size_t>(branches) + 1, range.begin);
    for (std::ptrdiff_t k = range.begin; k < range.end; ++k)
      ++starts[static_cast<std::size_t>(branch_[rows_[static_cast<std::size_t>(k)]]) + 1];
    for (std::size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1] - range.begin;
    parallel_for(table_.cols + 1, 1, range.size() * table_.cols > (1 << 16) ? threads : 1,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   for (std::ptrdiff_t j = begin; j < end; ++j) {
                     if (j == table_.cols)
                       partition(rows_.data(), range, starts, [](std::uint32_t row) { return row; });
                     else if (is_sorted(j))
                       partition(sorted_[static_cast<std::size_t>(j)].data(), range, starts, row_of);
                   }
                 });
    return starts;
  }

 private:
  static constexpr std::int64_t few_levels = 256;

  void sort_column(std::ptrdiff_t j) {
    const std::uint32_t* ranks = table_.column(j);
    const auto levels = static_cast<std::size_t>(table_.levels[j]);
    std::vector<std::uint32_t> starts(levels + 2);
    const auto bucket = [&](std::uint32_t rank) { return rank == missing_rank ? levels : std::size_t{rank}; };
    for (std::ptrdiff_t i = 0; i < table_.rows; ++i) ++starts[bucket(ranks[i]) + 1];
    for (std::size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1];
    std::vector<Entry>& out = sorted_[static_cast<std::size_t>(j)];
    out.resize(static_cast<std::size_t>(table_.rows));
    for (std::ptrdiff_t i = 0; i < table_.rows; ++i)
      out[starts[bucket(ranks[i])]++] = Entry{ranks[i]} << 32 | static_cast<std::uint32_t>(i);
  }

  template <class Item, class RowOf>
  void partition(Item* items, Range range, const std::vector<std::ptrdiff_t>& starts, RowOf row_of_item) {
    thread_local std::vector<Item> moved;
    moved.resize(static_cast<std::size_t>(range.size()) + 1);
    if (starts.size() == 3) {  // two branches: without a jump
      Item *first = items + range.begin, *second = moved.data();
      for (std::ptrdiff_t k = range.begin; k < range.end; ++k) {
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
    for (std::ptrdiff_t k = range.begin; k < range.end; ++k)
      moved[static_cast<std::size_t>(next[static_cast<std::size_t>(branch_[row_of_item(items[k])])]++ -
                                     range.begin)] = items[k];
    std::copy(moved.data(), moved.data() + range.size(), items + range.begin);
  }

  const RankTable& table_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint16_t> branch_;
  std::vector<std::vector<Entry>> sorted_;
};

}  // namespace classica
