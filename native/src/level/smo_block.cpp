// Sequential minimal optimisation (Platt 1998) of a small problem in the cache, with second-order choice of
// the pair (Fan, Chen and Lin 2005): the variable of the highest score, and the one with which it promises
// the largest gain.
//
// Invariant: scores are those of the variables after every step; a step keeps the equality constraint and
// ends exactly on a bound where it meets one. Curvature is floored at 1e-14 of the diagonal, which keeps
// steps finite for duplicates and indefinite kernels (docs/decisions/0027). Sixteen lanes at all levels, so
// that the best of equals is the same one. Cost: two passes over the variables per step.
#include "smo_block.hpp"

#include <algorithm>
#include <limits>

#include "classica/simd.hpp"

namespace classica {
namespace {

using Isa = CLASSICA_LEVEL;
using Wide = Doubles<Isa>;
constexpr int width = static_cast<int>(lanes<Isa>);
constexpr int vectors = static_cast<int>(smo_lanes) / width;
alignas(64) constexpr double numbers[smo_lanes] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
constexpr double infinity = std::numeric_limits<double>::infinity();

[[gnu::always_inline]] inline Wide all(double value) { return all_of<Isa>(value); }
[[gnu::always_inline]] inline Wide fused(Wide a, Wide b, Wide c) { return multiply_add<Isa>(a, b, c); }

struct Best {
  std::ptrdiff_t place = -1;
  double value = -infinity;
};

// The first of the lanes with the largest value; a lane's place is in `places`.
[[gnu::always_inline]] inline Best best_of(const Wide* values, const Wide* places) {
  Best best;
  for (int v = 0; v < vectors; ++v)
    for (int r = 0; r < width; ++r)
      if (values[v][r] > best.value ||
          (values[v][r] == best.value && places[v][r] < static_cast<double>(best.place)))
        best = {static_cast<std::ptrdiff_t>(places[v][r]), values[v][r]};
  return best;
}

// Takes t * (row i - row j) from all scores and returns the variable that would go up first.
[[gnu::always_inline]] inline Best move_scores(const SmallProblem& p, const double* row_i,
                                               const double* row_j, double t) {
  Wide best[vectors], places[vectors], place[vectors];
  for (int v = 0; v < vectors; ++v) {
    best[v] = all(-infinity);
    places[v] = all(0);
    place[v] = load<Isa>(numbers + v * width);
  }
  const Wide by = all(-t), next = all(static_cast<double>(smo_lanes));
  for (std::ptrdiff_t k = 0; k < p.count; k += smo_lanes)
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      const std::ptrdiff_t at = k + v * width;
      const Wide score = fused(by, load<Isa>(row_i + at) - load<Isa>(row_j + at), load<Isa>(p.scores + at));
      store<Isa>(p.scores + at, score);
      const Wide value = score + load<Isa>(p.up_limit + at);
      const auto better = value > best[v];
      best[v] = better ? value : best[v];
      places[v] = better ? place[v] : places[v];
      place[v] += next;
    }
  return best_of(best, places);
}

struct Partner {
  std::ptrdiff_t place = -1;
  double lowest = infinity;  // the lowest score of one that can go down
};

// The variable with which `first` gains most: the largest of difference^2 / curvature.
[[gnu::always_inline]] inline Partner best_partner(const SmallProblem& p, Best first) {
  const double* const row = p.rows[first.place];
  const double own = p.diagonal[first.place];
  Wide gain[vectors], curve[vectors], places[vectors], place[vectors], lowest[vectors];
  for (int v = 0; v < vectors; ++v) {
    gain[v] = all(0);
    curve[v] = all(1);
    places[v] = all(-1);
    place[v] = load<Isa>(numbers + v * width);
    lowest[v] = all(infinity);
  }
  const Wide top = all(first.value), mine = all(own), next = all(static_cast<double>(smo_lanes));
  for (std::ptrdiff_t k = 0; k < p.count; k += smo_lanes)
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      const std::ptrdiff_t at = k + v * width;
      const Wide score = load<Isa>(p.scores + at) + load<Isa>(p.down_limit + at);
      lowest[v] = score < lowest[v] ? score : lowest[v];
      const Wide sum = mine + load<Isa>(p.diagonal + at);
      Wide curvature = fused(all(-2), load<Isa>(row + at), sum);
      const Wide least = fused(all(1e-14), sum > all(0) ? sum : -sum, all(1e-290));
      curvature = curvature > least ? curvature : least;
      Wide difference = top - score;
      difference = difference > all(0) ? difference : all(0);
      const Wide square = difference * difference;
      const auto better = square * curve[v] > gain[v] * curvature;
      gain[v] = better ? square : gain[v];
      curve[v] = better ? curvature : curve[v];
      places[v] = better ? place[v] : places[v];
      place[v] += next;
    }
  Partner found;
  double best_gain = 0, best_curve = 1;
  for (int v = 0; v < vectors; ++v)
    for (int r = 0; r < width; ++r) {
      found.lowest = std::min(found.lowest, lowest[v][r]);
      if (places[v][r] >= 0 && gain[v][r] * best_curve > best_gain * curve[v][r]) {
        found.place = static_cast<std::ptrdiff_t>(places[v][r]);
        best_gain = gain[v][r], best_curve = curve[v][r];
      }
    }
  return found;
}

// How far s a can go up (or down, with the other sign).
double room(const SmallProblem& p, std::ptrdiff_t v, double direction) {
  return p.signs[v] * direction > 0 ? p.upper[v] - p.alpha[v] : p.alpha[v];
}

// Moves s a by t * direction; at the end of its room exactly to the bound. Returns whether it moved.
bool move(const SmallProblem& p, std::ptrdiff_t v, double direction, double t, double most) {
  const bool grows = p.signs[v] * direction > 0;
  const double before = p.alpha[v];
  p.alpha[v] =
      t >= most ? (grows ? p.upper[v] : 0.0) : std::min(std::max(before + (grows ? t : -t), 0.0), p.upper[v]);
  SmoBlock<Isa>::limit(p, v);
  return p.alpha[v] != before;
}

}  // namespace

template <class L>
void SmoBlock<L>::limit(const SmallProblem& p, std::ptrdiff_t v) {
  const bool can_grow = p.alpha[v] < p.upper[v], can_shrink = p.alpha[v] > 0;
  p.up_limit[v] = (p.signs[v] > 0 ? can_grow : can_shrink) ? 0.0 : -infinity;
  p.down_limit[v] = (p.signs[v] > 0 ? can_shrink : can_grow) ? 0.0 : infinity;
}

template <class L>
SmoSteps SmoBlock<L>::run(const SmallProblem& p, double tol, std::ptrdiff_t most) {
  SmoSteps done;
  if (p.count == 0) return {0, 0.0, true};
  Best first = move_scores(p, p.rows[0], p.rows[0], 0.0);
  for (;; ++done.steps) {
    done.finished = true;
    if (first.place < 0 || first.value == -infinity) return done;
    const Partner second = best_partner(p, first);
    done.violation = first.value - second.lowest;
    if (!(done.violation > tol) || second.place < 0) return done;
    done.finished = false;
    if (done.steps >= most) return done;
    const std::ptrdiff_t i = first.place, j = second.place;
    const double *const row_i = p.rows[i], *const row_j = p.rows[j];
    const double sum = p.diagonal[i] + p.diagonal[j], least = 1e-14 * std::max(sum, -sum) + 1e-290;
    const double room_i = room(p, i, 1), room_j = room(p, j, -1);
    double t = (first.value - p.scores[j]) / std::max(sum - 2 * row_i[j], least);
    t = std::min(t, std::min(room_i, room_j));
    const bool moved_i = move(p, i, 1, t, room_i), moved_j = move(p, j, -1, t, room_j);
    done.finished = true;
    if (!moved_i && !moved_j) return done;
    first = move_scores(p, row_i, row_j, t);
  }
}

template <class L>
void SmoBlock<L>::add_rows(const double* const* rows, const double* weights, std::ptrdiff_t count,
                           std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
  constexpr std::ptrdiff_t strip = 4 * width;
  std::ptrdiff_t r = begin;
  for (; r + strip <= end; r += strip) {
    Wide sum[4];
    for (int v = 0; v < 4; ++v) sum[v] = load<Isa>(sums + r + v * width);
    for (std::ptrdiff_t b = 0; b < count; ++b)
      for (int v = 0; v < 4; ++v) sum[v] = fused(all(weights[b]), load<Isa>(rows[b] + r + v * width), sum[v]);
    for (int v = 0; v < 4; ++v) store<Isa>(sums + r + v * width, sum[v]);
  }
  for (; r < end; ++r) {
    Wide sum = all(sums[r]);
    for (std::ptrdiff_t b = 0; b < count; ++b) sum = fused(all(weights[b]), all(rows[b][r]), sum);
    sums[r] = sum[0];
  }
}

template struct SmoBlock<CLASSICA_LEVEL>;

}  // namespace classica
