// The best cuts by Gini's index for whole counts: of up to eight columns of few cells, one per lane, sorted
// by Batcher's merge exchange (1968; Knuth's algorithm 5.2.2M) and scanned together; or of the levels of a
// histogram, four at a time by running sums (own).
//
// Invariant: the network makes the same comparisons whatever the cells are, hence for all lanes at once.
// Cuts are compared as fractions of whole numbers by cross-multiplication, exactly: 64 cells and 256 rows
// keep the products below 2^53, so that the first of equal cuts stays and both levels choose the same.
// Cost: O(cells log^2 cells), O(levels * classes).
#include "cut_block.hpp"

#include <algorithm>
#include <cstring>

#include "classica/simd.hpp"

namespace classica {
namespace {

using Int4 = std::int32_t __attribute__((vector_size(16)));
using Int8 = std::int32_t __attribute__((vector_size(32)));
using Long4 = std::int64_t __attribute__((vector_size(32)));

Int8* at(std::int32_t* keys, std::ptrdiff_t i) { return reinterpret_cast<Int8*>(keys) + i; }

void exchange(std::int32_t* keys, std::ptrdiff_t low, std::ptrdiff_t high) {
  Int8 a, b;
  std::memcpy(&a, at(keys, low), sizeof a);
  std::memcpy(&b, at(keys, high), sizeof b);
  const Int8 first = a < b ? a : b, second = a < b ? b : a;
  std::memcpy(at(keys, low), &first, sizeof a);
  std::memcpy(at(keys, high), &second, sizeof b);
}

// Batcher's merge exchange: the same comparisons whatever the cells are, hence for all columns at once.
void sort_columns(std::int32_t* keys, std::ptrdiff_t cells) {
  std::ptrdiff_t half = 1;
  while (2 * half < cells) half *= 2;
  for (std::ptrdiff_t p = half; p > 0; p /= 2) {
    std::ptrdiff_t first = 0, apart = p;
    for (std::ptrdiff_t q = half;; q /= 2) {
      for (std::ptrdiff_t block = first; block < cells - apart; block += 2 * p)
        for (std::ptrdiff_t i = block; i < std::min(block + p, cells - apart); ++i)
          exchange(keys, i, i + apart);
      if (q == p) break;
      apart = q - p;
      first = p;
    }
  }
}

// The best cuts of four columns so far, as fractions.
struct BestOfFour {
  Double4 over{-1, -1, -1, -1}, under{1, 1, 1, 1}, place{-1, -1, -1, -1};

  [[gnu::always_inline]] void consider(Int4 numerator, Int4 denominator, Int4 counts, double where) {
    const Double4 n = __builtin_convertvector(numerator, Double4),
                  d = __builtin_convertvector(denominator, Double4);
    const Long4 takes = (n * under > over * d) & __builtin_convertvector(counts, Long4);
    over = takes ? n : over;
    under = takes ? d : under;
    place = takes ? Double4{where, where, where, where} : place;
  }
  void tell(double* places, double* scores) const {
    store4(places, place);
    store4(scores, over / under);
  }
};

[[gnu::always_inline]] inline Int4 lower(Int8 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
[[gnu::always_inline]] inline Int4 upper(Int8 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }

// The sum of the lanes up to each.
[[gnu::always_inline]] inline Double4 running_sum(Double4 v) {
  const Double4 zero{};
  v += __builtin_shufflevector(v, zero, 4, 0, 1, 2);
  v += __builtin_shufflevector(v, zero, 4, 4, 0, 1);
  return v;
}

}  // namespace

template <class Level>
void CutBlock<Level>::best_of_few(std::int32_t* keys, std::ptrdiff_t cells, const std::int32_t* all,
                                  std::ptrdiff_t classes, std::int32_t least, double* places,
                                  double* scores) {
  sort_columns(keys, cells);
  constexpr int rank_shift = FewCells::class_bits + FewCells::count_bits;
  std::int32_t size = 0;
  Int8 left[FewCells::most_classes] = {}, squares{}, rest{}, left_size{};
  for (std::ptrdiff_t c = 0; c < classes; ++c) size += all[c], rest += all[c] * all[c];
  BestOfFour first, second;
  Int8 key, next;
  std::memcpy(&next, keys, sizeof next);
  for (std::ptrdiff_t i = 0; i + 1 < cells; ++i) {
    key = next;
    std::memcpy(&next, at(keys, i + 1), sizeof next);
    const Int8 count = key & ((1 << FewCells::count_bits) - 1),
               code = key >> FewCells::count_bits & ((1 << FewCells::class_bits) - 1);
    Int8 own{}, in_all{};
    for (std::ptrdiff_t c = 0; c < classes; ++c) {
      const Int8 is_it = code == static_cast<std::int32_t>(c);
      own |= is_it & left[c];
      in_all |= is_it & all[c];
      left[c] += is_it & count;
    }
    squares += count * (own + own + count);
    rest -= count * (in_all + in_all);
    left_size += count;
    const Int8 right_size = size - left_size;
    const Int8 is_cut = ((key ^ next) >> rank_shift != 0) & (left_size >= least) & (right_size >= least);
    const Int8 over = squares * size + rest * left_size, under = left_size * right_size;
    first.consider(lower(over), lower(under), lower(is_cut), static_cast<double>(i));
    second.consider(upper(over), upper(under), upper(is_cut), static_cast<double>(i));
  }
  first.tell(places, scores);
  second.tell(places + 4, scores + 4);
}

template <class Level>
LevelCut CutBlock<Level>::best_of_levels(const std::uint32_t* counts, std::ptrdiff_t levels, LevelRange range,
                                         const double* left, const double* all, std::ptrdiff_t classes,
                                         double least, double limit, double slack, double* upto_all) {
  double size = 0.0, squares_of_all = 0.0;
  for (std::ptrdiff_t c = 0; c < classes; ++c) {
    upto_all[c] = left[c];
    size += all[c];
    squares_of_all += all[c] * all[c];
  }
  LevelCut best;
  for (std::ptrdiff_t first = range.lowest / 4 * 4; first < range.highest; first += 4) {
    Double4 squares{}, rest = squares_of_all - Double4{}, left_size{};
    for (std::ptrdiff_t c = 0; c < classes; ++c) {
      Int4 own;
      std::memcpy(&own, counts + c * levels + first, sizeof own);
      const Double4 upto = running_sum(__builtin_convertvector(own, Double4)) + upto_all[c];
      upto_all[c] = upto[3];
      squares += upto * upto;
      rest -= 2.0 * all[c] * upto;
      left_size += upto;
    }
    const Double4 right_size = size - left_size, over = squares * size + rest * left_size;
    const Double4 under = left_size * right_size;
    const Long4 may_be = (over > limit * under) & (left_size >= least) & (right_size >= least);
    if (!(may_be[0] | may_be[1] | may_be[2] | may_be[3])) continue;
    for (int k = 0; k < 4; ++k) {
      // Levels outside the range divide rows that are not at any level from the others.
      if (first + k < range.lowest || first + k >= range.highest) continue;
      if (!may_be[k] || !(over[k] > limit * under[k])) continue;
      best = {first + k, squares[k] / left_size[k] + (rest[k] + squares[k]) / right_size[k]};
      limit = best.score + slack;
    }
  }
  return best;
}

template struct CutBlock<CLASSICA_LEVEL>;

}  // namespace classica
