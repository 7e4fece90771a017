// The best cuts by Gini's index of a node with few rows, in eight drawn columns at once, one per lane of a
// register (own; the sorting network in cut_block.cpp is Batcher's). Most nodes of a tree that grows to the
// end are small.
//
// Invariant: all sums are whole numbers below 2^53, so that it finds the cut that the plain scan would
// find. Columns with missing cells, or with more levels than a key has bits for, are left to the other
// strategies. With the counting of levels it took 30 % off an exact forest (docs/decisions/0024).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "../level/cut_block.hpp"
#include "entries.hpp"

namespace classica {

class FewCellsSearch {
 public:
  struct Cut {
    std::uint32_t last_left = 0, first_right = 0;
    double score = 0.0;
    bool exists = false;
  };

  static bool can_search(std::size_t cells, double rows, std::ptrdiff_t classes) {
    return cells >= 2 && cells <= room(FewCells::most_cells) && rows <= FewCells::most_rows &&
           classes <= FewCells::most_classes;
  }

  // Searches those of the columns whose cells are numbers that fit; `group` has the rows of each class.
  void search(const RankTable& table, std::span<const std::int32_t> columns, const NearRanks& near,
              std::span<const Label> labels, std::span<const double> group, double least) {
    columns_.clear();
    cuts_.clear();
    for (const std::int32_t j : columns) {
      if (table.categorical[j] || table.levels[j] > most_levels || !add_column(near.of(j), labels)) continue;
      columns_.push_back(j);
      if (columns_.size() % room(FewCells::columns) == 0) cut_columns(labels.size(), group, least);
    }
    if (cuts_.size() < columns_.size()) cut_columns(labels.size(), group, least);
  }
  void forget() { columns_.clear(); }
  // What was found in a column, or nothing if it was not searched.
  const Cut* of(std::ptrdiff_t j) const {
    const auto place = std::find(columns_.begin(), columns_.end(), static_cast<std::int32_t>(j));
    return place == columns_.end() ? nullptr : &cuts_[static_cast<std::size_t>(place - columns_.begin())];
  }

 private:
  static constexpr std::int64_t most_levels = std::int64_t{1} << FewCells::rank_bits;
  static std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

  // Puts the cells of a column in the next lane, unless one is missing.
  bool add_column(const std::uint32_t* ranks, std::span<const Label> labels) {
    std::int32_t* lane = keys_ + columns_.size() % room(FewCells::columns);
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      highest = std::max(highest, ranks[i]);
      lane[i * room(FewCells::columns)] = FewCells::key(ranks[i], labels[i]);
    }
    return highest != missing_rank;
  }

  void cut_columns(std::size_t cells, std::span<const double> group, double least) {
    std::int32_t all[FewCells::most_classes] = {};
    double places[FewCells::columns], scores[FewCells::columns];
    std::copy(group.begin(), group.end(), all);
    at_active_level([&]<class Level>() {
      CutBlock<Level>::best_of_few(keys_, static_cast<std::ptrdiff_t>(cells), all,
                                   static_cast<std::ptrdiff_t>(group.size()),
                                   static_cast<std::int32_t>(least), places, scores);
    });
    const std::size_t columns = columns_.size() - cuts_.size();
    for (std::size_t k = 0; k < columns; ++k) {
      const auto place = static_cast<std::ptrdiff_t>(places[k]);
      if (place < 0) {
        cuts_.push_back({});
        continue;
      }
      const std::int32_t* last = keys_ + place * FewCells::columns + static_cast<std::ptrdiff_t>(k);
      cuts_.push_back(
          {FewCells::rank_of(last[0]), FewCells::rank_of(last[FewCells::columns]), scores[k], true});
    }
  }

  std::int32_t keys_[FewCells::most_cells * FewCells::columns] = {};
  std::vector<std::int32_t> columns_;
  std::vector<Cut> cuts_;
};

}  // namespace classica
