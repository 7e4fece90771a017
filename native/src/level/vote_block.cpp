// The inner loop of a voted perceptron (Freund and Schapire 1999): sixteen rows side by side, whose scores
// advance change by change.
//
// Invariant: each lane adds the same products in the order of the changes, without fused operations: the
// same bits at every level. Columns to come are fetched 24 changes ahead, which trades a few useless loads
// against waiting for memory. Cost: O(changes) per sixteen rows.
#include "vote_block.hpp"

#include "classica/simd.hpp"

namespace classica {
namespace {

[[gnu::always_inline]] inline Double8 load8(const double* from) {
  Double8 values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

[[gnu::always_inline]] inline Double8 vote_of(Double8 scores, Double8 survival, Double8 of_zero) {
  const Double8 zero{};
  return scores > zero ? survival : (scores < zero ? -survival : of_zero);
}

}  // namespace

template <class Level>
void VoteBlock<Level>::votes(const double* tile, const std::int32_t* places, const double* signs,
                             const double* survivals, std::ptrdiff_t count, double of_zero, double* votes) {
  constexpr std::ptrdiff_t ahead = 24;
  Double8 left{}, right{}, left_votes{}, right_votes{};
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    if (k + ahead < count) {
      const double* const later = tile + places[k + ahead] * side_by_side;
      __builtin_prefetch(later);
      __builtin_prefetch(later + 8);
    }
    const double* const values = tile + places[k] * side_by_side;
    left += signs[k] * load8(values);
    right += signs[k] * load8(values + 8);
    const Double8 survival = survivals[k] - Double8{}, undecided = survival * of_zero;
    left_votes += vote_of(left, survival, undecided);
    right_votes += vote_of(right, survival, undecided);
  }
  std::memcpy(votes, &left_votes, sizeof left_votes);
  std::memcpy(votes + 8, &right_votes, sizeof right_votes);
}

template struct VoteBlock<CLASSICA_LEVEL>;

}  // namespace classica
