#include <algorithm>
#include <vector>

#include "classica/online.hpp"
#include "classica/parallel.hpp"

namespace classica {
namespace {

constexpr std::ptrdiff_t side_by_side = 8;

double vote_of(double score, double of_zero) { return score > 0.0 ? 1.0 : score < 0.0 ? -1.0 : of_zero; }

// The votes on the rows [first, first + count): their scores advance together, one change after the other.
void tile_votes(Matrix<const double> products, const VotedMachine& machine, double of_zero,
                std::ptrdiff_t first, std::ptrdiff_t count, std::vector<double>& tile, Vector<double> out) {
  for (std::ptrdiff_t u = 0; u < products.cols; ++u)
    for (std::ptrdiff_t r = 0; r < side_by_side; ++r)
      tile[static_cast<std::size_t>(u * side_by_side + r)] = r < count ? products(first + r, u) : 0.0;
  double scores[side_by_side] = {}, votes[side_by_side] = {};
  for (std::ptrdiff_t k = 0; k < machine.places.size; ++k) {
    const double* of_row = tile.data() + machine.places[k] * side_by_side;
    const double sign = machine.signs[k], survival = static_cast<double>(machine.survivals[k]);
    for (std::ptrdiff_t r = 0; r < side_by_side; ++r) {
      scores[r] += sign * of_row[r];
      votes[r] += survival * vote_of(scores[r], of_zero);
    }
  }
  for (std::ptrdiff_t r = 0; r < count; ++r) out[first + r] = votes[r];
}

}  // namespace

void running_votes(Matrix<const double> products, const VotedMachine& machine, double of_zero, int threads,
                   Vector<double> out) {
  const std::ptrdiff_t work = (machine.places.size + products.cols) * side_by_side + 1;
  const std::ptrdiff_t tiles = std::max<std::ptrdiff_t>((std::ptrdiff_t{1} << 20) / work, 1);
  parallel_for(products.rows, tiles * side_by_side, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    std::vector<double> tile(static_cast<std::size_t>(products.cols * side_by_side));
    for (std::ptrdiff_t i = begin; i < end; i += side_by_side) {
      poll_interrupt();
      tile_votes(products, machine, of_zero, i, std::min(side_by_side, end - i), tile, out);
    }
  });
}

}  // namespace classica
