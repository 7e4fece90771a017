// The vote of all weights a perceptron ever had, each by how long it survived (Freund and Schapire 1999).
// Scores of all weights are running sums of the products of the row with the rows that changed the machine,
// so that no weights are stored.
//
// Invariant: after change k a lane holds the score of its row under the first k changes; survivals are
// whole numbers, whose sums are exact. Cost: O(changes) per row, sixteen rows side by side.
#include <algorithm>
#include <vector>

#include "../level/vote_block.hpp"
#include "classica/online.hpp"
#include "classica/parallel.hpp"

namespace classica {
namespace {

// The votes on the rows [first, first + count): their scores advance together, one change after the other.
template <class Level>
void tile_votes(Matrix<const double> products, const VotedMachine& machine, const double* survivals,
                double of_zero, std::ptrdiff_t first, std::ptrdiff_t count, std::vector<double>& tile,
                Vector<double> out) {
  constexpr std::ptrdiff_t width = VoteBlock<Level>::side_by_side;
  for (std::ptrdiff_t r = 0; r < count; ++r) {
    const double* const row = products.row(first + r);
    for (std::ptrdiff_t u = 0; u < products.cols; ++u) tile[static_cast<std::size_t>(u * width + r)] = row[u];
  }
  double votes[width];
  VoteBlock<Level>::votes(tile.data(), machine.places.data, machine.signs.data, survivals,
                          machine.places.size, of_zero, votes);
  for (std::ptrdiff_t r = 0; r < count; ++r) out[first + r] = votes[r];
}

}  // namespace

void running_votes(Matrix<const double> products, const VotedMachine& machine, double of_zero, int threads,
                   Vector<double> out) {
  std::vector<double> survivals;  // sums of so many are whole numbers below 2^53, in any order
  for (std::ptrdiff_t k = 0; k < machine.survivals.size; ++k)
    survivals.push_back(static_cast<double>(machine.survivals[k]));
  at_widest_level([&]<class Level>() {
    constexpr std::ptrdiff_t width = VoteBlock<Level>::side_by_side;
    const std::ptrdiff_t work = (machine.places.size + products.cols) * width + 1;
    const std::ptrdiff_t tiles = std::max<std::ptrdiff_t>((std::ptrdiff_t{1} << 20) / work, 1);
    parallel_for(products.rows, tiles * width, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      std::vector<double> tile(static_cast<std::size_t>(products.cols * width));
      for (std::ptrdiff_t i = begin; i < end; i += width) {
        poll_interrupt();
        tile_votes<Level>(products, machine, survivals.data(), of_zero, i, std::min(width, end - i), tile,
                          out);
      }
    });
  });
}

}  // namespace classica
