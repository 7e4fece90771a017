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

// Sorts the cells of some rows by rank; those of equal rank stay in the order of the rows.
class EntrySorter {
 public:
  std::span<const Entry> sorted(std::span<const std::uint32_t> rows, const std::uint32_t* ranks,
                                std::int64_t levels) {
    entries_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) entries_[i] = entry_of(ranks[rows[i]], rows[i]);
    if (entries_.size() <= few)
      insert_each();
    else
      sort_by_digits(levels);
    return entries_;
  }

 private:
  static constexpr std::size_t few = 24;
  static constexpr int digit_bits = 8;
  static constexpr std::size_t buckets = 1 << digit_bits;

  void insert_each() {
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      const Entry entry = entries_[i];
      std::size_t k = i;
      for (; k > 0 && rank_of(entries_[k - 1]) > rank_of(entry); --k) entries_[k] = entries_[k - 1];
      entries_[k] = entry;
    }
  }

  // From the lowest digit on; the rank of a missing cell is taken as the one above all others.
  void sort_by_digits(std::int64_t levels) {
    other_.resize(entries_.size());
    const auto above = static_cast<std::uint32_t>(levels);
    for (int shift = 0; above >> shift; shift += digit_bits) {
      std::uint32_t starts[buckets] = {};
      const auto digit = [&](Entry entry) {
        return (std::min(rank_of(entry), above) >> shift) & (buckets - 1);
      };
      for (const Entry entry : entries_) ++starts[digit(entry)];
      std::uint32_t start = 0;
      for (std::uint32_t& bucket : starts) start += std::exchange(bucket, start);
      for (const Entry entry : entries_) other_[starts[digit(entry)]++] = entry;
      entries_.swap(other_);
    }
  }

  std::vector<Entry> entries_, other_;
};

}  // namespace classica
