// The inner loop of a vote of all weights a perceptron ever had. Compiled once per instruction level; all
// give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "classica/level.hpp"

namespace classica {

template <class Level>
struct VoteBlock {
  static constexpr std::ptrdiff_t side_by_side = 16;

  // votes[r] = sum over k of survivals[k] * sign(score r after change k), each score being the sum of
  // signs[k] * tile[places[k] * side_by_side + r] so far. A score of zero votes `of_zero`.
  static void votes(const double* tile, const std::int32_t* places, const double* signs,
                    const double* survivals, std::ptrdiff_t count, double of_zero, double* votes);
};

}  // namespace classica
