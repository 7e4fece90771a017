// From neighbour lists to classes: the vote, and its two kinds of ties.
//
// A list is cut into groups of equal rank. All rows at the K-th rank take part. When several classes lead,
// `decrease` drops the farthest group until one leads (within the nearest group the first class wins), and
// `increase` adds groups until one leads; `lowest` takes exactly K rows and the first of the leaders.
#pragma once

#include <cstdint>

#include "classica/view.hpp"
#include "classica/words.hpp"

namespace classica {

CLASSICA_WORDS(Ties, decrease, increase, lowest);

struct Lists {
  Vector<const std::int64_t> starts;
  Vector<const double> ranks;
  Vector<const std::int32_t> rows;

  std::ptrdiff_t count() const { return starts.size - 1; }
};

// weights: one per list entry, or empty for one each. out(i, c): the share of class c; used[i]: how many
// neighbours took part, or -1 when `increase` needs a longer list than it was given (complete: it has none).
void vote(const Lists& lists, Vector<const double> weights, Vector<const std::int32_t> codes,
          std::int32_t neighbours, Ties ties, bool complete, int threads, Matrix<double> out,
          Vector<std::int32_t> used);

// For each K up to errors.cols, how many lists (of left-out rows, truths[i] each) are voted wrongly by
// `decrease` (row 0), `increase` (row 1) and `lowest` (row 2). open[i] is set where `increase` needs a longer
// list; such a list does not count for `increase`.
void leave_one_out_errors(const Lists& lists, Vector<const double> weights, Vector<const std::int32_t> codes,
                          Vector<const std::int32_t> truths, std::int32_t classes, bool complete,
                          Matrix<std::int64_t> errors, Vector<bool> open);

}  // namespace classica
