// The cells of a column in order, and the sorting of those of one node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "classica/tree.hpp"

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

// Calls body with what gives the rank of a row in a column, from where the ranks of some rows are nearest.
template <class Body>
decltype(auto) with_ranks(const RankTable& table, std::ptrdiff_t j, Body body) {
  const auto by_row = [&]<class Rank>() {
    const Rank* first = static_cast<const Rank*>(table.by_row) + j;
    return body([first, cols = table.cols](std::uint32_t row) {
      const Rank rank = first[row * cols];
      return rank == static_cast<Rank>(missing_rank) ? missing_rank : std::uint32_t{rank};
    });
  };
  switch (table.bytes_by_row) {
    case 1:
      return by_row.template operator()<std::uint8_t>();
    case 2:
      return by_row.template operator()<std::uint16_t>();
    case 4:
      return by_row.template operator()<std::uint32_t>();
    default:
      return body([ranks = table.column(j)](std::uint32_t row) { return ranks[row]; });
  }
}

// Sorts the cells of some rows by rank; those of equal rank stay in the order of the rows.
//
// Few cells are sorted by counting for each how many come before it, which needs no decision on the way. Many
// are thrown into some more buckets than there are cells, in the order of their ranks, which are spread
// evenly over a table and not much less so over a node; what is left to do is done by insertion.
class EntrySorter {
 public:
  std::span<const Entry> sorted(std::span<const std::uint32_t> rows, const RankTable& table,
                                std::ptrdiff_t j) {
    return with_ranks(table, j, [&](auto rank_of_row) { return sorted(rows, rank_of_row); });
  }

  template <class RankOfRow>
  std::span<const Entry> sorted(std::span<const std::uint32_t> rows, RankOfRow rank_of_row) {
    entries_.resize(rows.size());
    std::uint32_t lowest = missing_rank, highest = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t rank = rank_of_row(rows[i]);
      entries_[i] = entry_of(rank, rows[i]);
      lowest = std::min(lowest, rank);
      // The rank of a missing cell is the highest number; one more makes it the lowest.
      highest = std::max(highest, rank + 1);
    }
    if (entries_.size() <= few && highest < highest_key >> few_bits) {
      count_those_before();
    } else {
      if (highest > lowest + 1) throw_into_buckets(lowest, highest);
      insert_each();
    }
    return entries_;
  }

  // The same for rows that are marked, picked from all rows in order.
  std::span<const Entry> picked(const std::uint32_t* order, std::span<const std::uint8_t> marks,
                                std::size_t count, const std::uint32_t* ranks) {
    entries_.resize(count + 1);  // one place to write what is not wanted
    std::size_t found = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      entries_[found] = order[i];
      found += marks[order[i]];
    }
    entries_.resize(count);
    for (Entry& entry : entries_) entry = entry_of(ranks[entry], static_cast<std::uint32_t>(entry));
    return entries_;
  }

 private:
  static constexpr int few_bits = 6;
  static constexpr std::size_t few = 1 << few_bits;
  static constexpr std::uint32_t highest_key = 0x7FFFFFFF;

  void count_those_before() {
    // Rank and place make a key that no other cell has. Signed numbers are what baseline processors compare.
    std::int32_t keys[few], before[few] = {};
    const std::size_t count = entries_.size();
    for (std::size_t i = 0; i < count; ++i)
      keys[i] =
          static_cast<std::int32_t>(std::min(rank_of(entries_[i]), highest_key >> few_bits) << few_bits | i);
    for (std::size_t j = 0; j < count; ++j) {
      const std::int32_t key = keys[j];
      for (std::size_t i = 0; i < count; ++i) before[i] += key < keys[i];
    }
    other_.resize(count);
    for (std::size_t i = 0; i < count; ++i) other_[static_cast<std::size_t>(before[i])] = entries_[i];
    entries_.swap(other_);
  }

  void throw_into_buckets(std::uint32_t lowest, std::uint32_t highest) {
    const std::size_t buckets = 4 * entries_.size();
    const std::uint64_t scale = (std::uint64_t{buckets} << 32) / (highest - lowest);
    // Missing cells have a bucket behind all others.
    const auto bucket = [&](Entry entry) {
      const std::uint32_t rank = rank_of(entry);
      return rank == missing_rank ? buckets : static_cast<std::size_t>((rank - lowest) * scale >> 32);
    };
    starts_.assign(buckets + 1, 0);
    for (const Entry entry : entries_) ++starts_[bucket(entry)];
    std::uint32_t start = 0;
    for (std::uint32_t& count : starts_) start += std::exchange(count, start);
    other_.resize(entries_.size());
    for (const Entry entry : entries_) other_[starts_[bucket(entry)]++] = entry;
    entries_.swap(other_);
  }

  void insert_each() {
    std::size_t moves = 0;
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      const Entry entry = entries_[i];
      std::size_t k = i;
      for (; k > 0 && rank_of(entries_[k - 1]) > rank_of(entry); --k) entries_[k] = entries_[k - 1];
      entries_[k] = entry;
      moves += i - k;
      // Ranks that crowd together are for a sort that does not mind.
      if (moves > 16 * entries_.size()) {
        std::stable_sort(entries_.begin(), entries_.end(),
                         [](Entry a, Entry b) { return rank_of(a) < rank_of(b); });
        return;
      }
    }
  }

  std::vector<Entry> entries_, other_;
  std::vector<std::uint32_t> starts_;
};

}  // namespace classica
