// The cells of a column in order, and the sorting of those of one node. Up to 32 cells are sorted by
// counting for each how many come before it, which needs no decision on the way; more are thrown into about
// twice as many buckets by rank (a bucket sort by interpolation) and finished by insertion, or by a merge
// sort where ranks crowd together.
//
// Invariant: the sort is stable, so that rows of equal rank stay in the order of the node; missing cells
// come last. Cost: O(n) where ranks are spread evenly, O(n log n) at worst.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "classica/tree.hpp"

namespace classica {

// A cell of a sorted column: its rank and, travelling along, its row, or the label of its row. Missing cells
// come last.
using Entry = std::uint64_t;
inline std::uint32_t rank_of(Entry entry) { return static_cast<std::uint32_t>(entry >> 32); }
inline std::uint32_t row_of(Entry entry) { return static_cast<std::uint32_t>(entry); }
inline Entry entry_of(std::uint32_t rank, std::uint32_t tag) { return Entry{rank} << 32 | tag; }

// All that a search by classes has to know of a row: its class and how often it is there (never zero).
using Label = std::uint16_t;
constexpr std::uint32_t most_classes_of_label = 256, highest_count_of_label = 255;
inline Label label_of(std::uint16_t code, std::uint32_t count) {
  return static_cast<Label>(count << 8 | code);
}
inline std::uint32_t code_of_label(Entry entry) { return entry & 0xFF; }
inline std::int64_t count_of_label(Entry entry) { return entry >> 8 & 0xFF; }

// Columns with few levels are counted in a table instead of being sorted: so many that the table of a few
// classes stays in the first cache.
constexpr std::int64_t few_levels = 256;
inline bool needs_order(const RankTable& table, std::ptrdiff_t j) {
  return !table.categorical[j] && table.levels[j] > few_levels;
}

// Nodes with fewer rows are grown by one thread each, side by side: fewer, and threads would wait for each
// other; more, and the last subtrees would keep one thread busy while the others are done.
constexpr std::size_t rows_for_one_thread = 4096;

// Calls body with the ranks row by row, in the type they have.
template <class Body>
void with_ranks_by_row(const RankTable& table, Body body) {
  switch (table.bytes_by_row) {
    case 1:
      return body(static_cast<const std::uint8_t*>(table.by_row));
    case 2:
      return body(static_cast<const std::uint16_t*>(table.by_row));
    case 4:
      return body(static_cast<const std::uint32_t*>(table.by_row));
    default:
      return;
  }
}

// Lets a buffer grow; what is in it does not matter, so that it is never shrunk and filled again.
template <class Item>
void make_room(std::vector<Item>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer.resize(size);
}

template <class Rank>
std::uint32_t widened(Rank rank) {
  return rank == static_cast<Rank>(missing_rank) ? missing_rank : std::uint32_t{rank};
}

// The ranks of the rows of a node in some columns, fetched row by row: one column after the other would fetch
// every row as often.
class NearRanks {
 public:
  void fetch(const RankTable& table, std::span<const std::uint32_t> rows,
             std::span<const std::int32_t> columns) {
    columns_.assign(columns.begin(), columns.end());
    count_ = rows.size();
    make_room(ranks_, count_ * columns_.size());
    with_ranks_by_row(table, [&](const auto* by_row) {
      for (std::size_t i = 0; i < count_; ++i) {
        const auto* record = by_row + rows[i] * static_cast<std::size_t>(table.cols);
        for (std::size_t k = 0; k < columns_.size(); ++k)
          ranks_[k * count_ + i] = widened(record[columns_[k]]);
      }
    });
  }
  void forget() { columns_.clear(); }
  bool has_some() const { return !columns_.empty(); }
  // Those of a column, or none if it was not fetched.
  const std::uint32_t* of(std::ptrdiff_t j) const {
    const auto place = std::find(columns_.begin(), columns_.end(), static_cast<std::int32_t>(j));
    return place == columns_.end()
               ? nullptr
               : ranks_.data() + static_cast<std::size_t>(place - columns_.begin()) * count_;
  }

 private:
  std::vector<std::int32_t> columns_;
  std::vector<std::uint32_t> ranks_;
  std::size_t count_ = 0;
};

// Sorts the cells of some rows by rank; those of equal rank stay in the order of the rows.
class EntrySorter {
 public:
  // `tags` travel along; `ranks` are those of the rows, in the same order.
  template <class Tag>
  std::span<const Entry> sorted(std::span<const Tag> tags, const std::uint32_t* ranks) {
    count_ = tags.size();
    make_room(entries_, count_);
    std::uint32_t lowest = missing_rank, highest = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      lowest = std::min(lowest, ranks[i]);
      // The rank of a missing cell is the highest number; one more makes it the lowest.
      highest = std::max(highest, ranks[i] + 1);
    }
    if (count_ <= few && highest < highest_key >> few_bits) {
      count_those_before(tags, ranks);
    } else {
      throw_into_buckets(tags, ranks, lowest, std::max(highest, lowest + 1));
      insert_each();
    }
    return {entries_.data(), count_};
  }

  // The same for rows of a column.
  template <class Tag>
  std::span<const Entry> sorted(std::span<const std::uint32_t> rows, std::span<const Tag> tags,
                                const std::uint32_t* column) {
    make_room(ranks_, rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) ranks_[i] = column[rows[i]];
    return sorted(tags, ranks_.data());
  }

  // The same for rows that are marked by their labels, picked from all rows in order.
  std::span<const Entry> picked_labels(std::span<const Label> marks, std::size_t count,
                                       const RankTable& table, std::ptrdiff_t j) {
    // Where all values differ, the place of a row is its rank.
    if (table.levels[j] == table.rows)
      return picked(marks, count, table, j,
                    [](std::uint32_t place, std::uint32_t, Label label) { return entry_of(place, label); });
    return picked(marks, count, table, j,
                  [ranks = table.column(j)](std::uint32_t, std::uint32_t row, Label label) {
                    return entry_of(ranks[row], label);
                  });
  }
  std::span<const Entry> picked_rows(std::span<const Label> marks, std::size_t count, const RankTable& table,
                                     std::ptrdiff_t j) {
    return picked(marks, count, table, j, [ranks = table.column(j)](std::uint32_t, std::uint32_t row, Label) {
      return entry_of(ranks[row], row);
    });
  }

 private:
  static constexpr int few_bits = 5;
  static constexpr std::size_t few = 1 << few_bits;
  static constexpr std::uint32_t highest_key = 0x7FFFFFFF;

  template <class Make>
  std::span<const Entry> picked(std::span<const Label> marks, std::size_t count, const RankTable& table,
                                std::ptrdiff_t j, Make make) {
    make_room(entries_, count + 1);  // one place to write what is not wanted
    const std::uint32_t* order = table.orders + j * table.rows;
    std::size_t found = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const Label mark = marks[order[i]];
      entries_[found] = make(static_cast<std::uint32_t>(i), order[i], mark);
      found += mark != 0;
    }
    return {entries_.data(), count};
  }

  template <class Tag>
  void count_those_before(std::span<const Tag> tags, const std::uint32_t* ranks) {
    // Rank and place make a key that no other cell has. Signed numbers are what baseline processors compare.
    std::int32_t keys[few], before[few] = {};
    for (std::size_t i = 0; i < count_; ++i)
      keys[i] = static_cast<std::int32_t>(std::min(ranks[i], highest_key >> few_bits) << few_bits | i);
    for (std::size_t j = 0; j < count_; ++j) {
      const std::int32_t key = keys[j];
      for (std::size_t i = 0; i < count_; ++i) before[i] += key < keys[i];
    }
    for (std::size_t i = 0; i < count_; ++i)
      entries_[static_cast<std::size_t>(before[i])] = entry_of(ranks[i], tags[i]);
  }

  template <class Tag>
  void throw_into_buckets(std::span<const Tag> tags, const std::uint32_t* ranks, std::uint32_t lowest,
                          std::uint32_t highest) {
    // Never more than there are ranks: then each bucket is one of them.
    const auto buckets = static_cast<std::uint32_t>(std::min<std::size_t>(2 * count_, highest - lowest));
    const std::uint64_t scale = (std::uint64_t{buckets} << 32) / (highest - lowest);
    starts_.assign(buckets + 1, 0);
    make_room(bucket_of_, count_);
    for (std::size_t i = 0; i < count_; ++i) {
      // Missing cells have a bucket behind all others.
      const auto bucket = static_cast<std::uint32_t>((ranks[i] - lowest) * scale >> 32);
      bucket_of_[i] = ranks[i] == missing_rank ? buckets : bucket;
      ++starts_[bucket_of_[i]];
    }
    std::uint32_t start = 0;
    for (std::uint32_t& count : starts_) start += std::exchange(count, start);
    for (std::size_t i = 0; i < count_; ++i) entries_[starts_[bucket_of_[i]]++] = entry_of(ranks[i], tags[i]);
  }

  void insert_each() {
    std::size_t moves = 0;
    for (std::size_t i = 1; i < count_; ++i) {
      const Entry entry = entries_[i];
      if (rank_of(entries_[i - 1]) <= rank_of(entry)) continue;
      std::size_t k = i;
      for (; k > 0 && rank_of(entries_[k - 1]) > rank_of(entry); --k) entries_[k] = entries_[k - 1];
      entries_[k] = entry;
      moves += i - k;
      // Ranks that crowd together are for a sort that does not mind.
      if (moves > 16 * count_) {
        std::stable_sort(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(count_),
                         [](Entry a, Entry b) { return rank_of(a) < rank_of(b); });
        return;
      }
    }
  }

  std::size_t count_ = 0;
  std::vector<Entry> entries_;  // of which so many are in use
  std::vector<std::uint32_t> starts_, bucket_of_, ranks_;
};

}  // namespace classica
