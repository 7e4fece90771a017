// The best cut by Gini's index of rows that count whole numbers; compiled once per instruction level.
//
// With l rows of a class on the left of a cut, n in all, and L of N rows on the left, a cut is the better the
// higher
//
//   score = (N sum(l^2) + L (sum(n^2) - 2 sum(n l))) / (L (N - L)),
//
// a fraction of whole numbers. All sums are exact, so both levels choose the same cuts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "classica/level.hpp"

namespace classica {

// The cells of up to eight columns side by side: few cells are best searched in all columns at once.
struct FewCells {
  static constexpr std::ptrdiff_t columns = 8, most_cells = 64, most_classes = 8;
  static constexpr int rank_bits = 19, class_bits = 4, count_bits = 8;
  // More rows than that, and the products that are compared could lose their last bits.
  static constexpr double most_rows = 256;

  static std::int32_t key(std::uint32_t rank, std::uint32_t label) {
    return static_cast<std::int32_t>(rank << (class_bits + count_bits) | (label & 0xFF) << count_bits |
                                     label >> 8);
  }
  static std::uint32_t rank_of(std::int32_t key) {
    return static_cast<std::uint32_t>(key) >> (class_bits + count_bits);
  }
};

// From the first level that occurs to the last one.
struct LevelRange {
  std::ptrdiff_t lowest, highest;
};

struct LevelCut {
  std::ptrdiff_t level = -1;  // the last one on the left
  double score = 0.0;
};

template <class Level>
struct CutBlock {
  // keys: `cells` >= 2 rows of FewCells::columns keys. Sorts every column. places[k]: how many cells lie
  // behind the last one on the left in the first best cut of column k less one, that is its place; -1 if
  // there is no cut with `least` rows on both sides. scores[k]: what it is worth. all: the rows of each
  // class.
  static void best_of_few(std::int32_t* keys, std::ptrdiff_t cells, const std::int32_t* all,
                          std::ptrdiff_t classes, std::int32_t least, double* places, double* scores);

  // counts: for each class the rows at each of `levels` levels, a multiple of four; left: rows of each class
  // on the left of all levels; all: those of each class in all. The first cut whose score exceeds `limit`,
  // unless a later one exceeds it by more than `slack`, and so on. scratch: room
  // for one number per class.
  static LevelCut best_of_levels(const std::uint32_t* counts, std::ptrdiff_t levels, LevelRange range,
                                 const double* left, const double* all, std::ptrdiff_t classes, double least,
                                 double limit, double slack, double* scratch);
};

}  // namespace classica
