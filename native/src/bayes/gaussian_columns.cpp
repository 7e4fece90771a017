// Log densities of normal columns, added up over the columns of a row (naive Bayes); left-out densities
// follow from the sums less the row's own, in double-double.
//
// Invariant: a row's columns are added in their order; a row with missing cells is added up again without
// them; a squared distance is bounded, so that no infinities cancel. Where the variance without a row would
// fall below the least allowed, the answer is NaN and the model is fitted anew. Cost: O(rows * columns *
// classes).
#include "classica/gaussian_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "../level/distance_block.hpp"
#include "../tile.hpp"
#include "classica/double_double.hpp"
#include "classica/level.hpp"
#include "classica/parallel.hpp"

namespace classica {
namespace {

// Far beyond any meaningful distance, yet half of it is still a number.
constexpr double largest_squared_distance = 1e308;

std::ptrdiff_t rows_per_chunk(std::ptrdiff_t per_row, std::ptrdiff_t multiple) {
  const std::ptrdiff_t work = std::max<std::ptrdiff_t>(per_row, 1);
  return std::max<std::ptrdiff_t>((std::ptrdiff_t{1} << 20) / work / multiple, 1) * multiple;
}

// One row with missing cells in one class.
template <class T>
double score_known_cells(Matrix<const T> X, const GaussianColumns& model, std::ptrdiff_t i,
                         std::ptrdiff_t c) {
  double squared = 0.0, log_norm = 0.0;
  for (std::ptrdiff_t j = 0; j < model.count; ++j) {
    const double x = static_cast<double>(X(i, model.columns[j]));
    if (std::isnan(x)) continue;
    const std::ptrdiff_t at = c * model.count + j;
    const double difference = (x - model.means[at]) * model.inverse_spreads[at];
    squared += difference * difference;
    log_norm += model.log_norms[at];
  }
  return log_norm - 0.5 * std::min(squared, largest_squared_distance);
}

// One cell of one class as it was without a row: its log density, or NaN.
struct Cell {
  DoubleDouble known, sum, square;
};

double left_out_log_density(double x, double weight, const Cell& with, double least, double ddof) {
  const DoubleDouble left = add(with.known, {-weight, 0.0});
  const double known = left.high;
  if (known <= 1e-25 * with.known.high || known <= ddof) return std::numeric_limits<double>::quiet_NaN();
  const DoubleDouble x_squared = two_product<Base>(x, x);
  const DoubleDouble sum = add(with.sum, negate(two_product<Base>(weight, x)));
  const DoubleDouble squares = add(with.square, negate(multiply<Base>({weight, 0.0}, x_squared)));
  const DoubleDouble mean = divide<Base>(sum, left);
  const DoubleDouble square = divide<Base>(squares, left);
  double variance = add(square, negate(multiply<Base>(mean, mean))).high;
  if (!(variance > 1e-26 * square.high)) variance = 0.0;  // as in means_and_variances
  variance *= known / (known - ddof);
  if (!(variance > least)) return std::numeric_limits<double>::quiet_NaN();
  const double difference = (x - mean.high) / std::sqrt(variance);
  const double squared = std::min(difference * difference, largest_squared_distance);
  return -0.5 * (squared + std::log(variance) + std::log(2.0 * std::numbers::pi));
}

}  // namespace

template <class T>
void add_gaussian_scores(Matrix<const T> X, const GaussianColumns& model, int threads, double* scores) {
  const std::ptrdiff_t classes = model.classes;
  std::vector<double> log_norms(static_cast<std::size_t>(classes));
  for (std::ptrdiff_t c = 0; c < classes; ++c)
    for (std::ptrdiff_t j = 0; j < model.count; ++j)
      log_norms[static_cast<std::size_t>(c)] += model.log_norms[c * model.count + j];
  at_active_level([&]<class Level>() {
    parallel_for(
        X.rows, rows_per_chunk(classes * model.count, tile_rows), threads,
        [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
          TileValues tile(static_cast<std::size_t>(tile_rows * model.count));
          std::vector<double> squared(static_cast<std::size_t>(tile_rows * classes));
          for (std::ptrdiff_t first = begin; first < end; first += tile_rows) {
            pack_tile(X, first, model.count, [&](std::ptrdiff_t j) { return model.columns[j]; }, tile.data());
            DistanceBlock<Level>::squared(tile.data(), model.count, model.means, model.inverse_spreads,
                                          classes, squared.data());
            for (std::ptrdiff_t i = first; i < std::min(first + tile_rows, end); ++i)
              for (std::ptrdiff_t c = 0; c < classes; ++c) {
                const double d = squared[static_cast<std::size_t>(c * tile_rows + i - first)];
                // Only a missing cell makes a distance NaN, and only in its own row.
                scores[i * classes + c] += std::isnan(d) ? score_known_cells(X, model, i, c)
                                                         : log_norms[static_cast<std::size_t>(c)] -
                                                               0.5 * std::min(d, largest_squared_distance);
              }
          }
        });
  });
}

template <class T>
void left_out_gaussian_scores(Matrix<const T> X, const GaussianColumns& model, const GaussianSums& sums,
                              Vector<const std::int32_t> group, Vector<const double> weights, int threads,
                              Vector<double> out) {
  parallel_for(X.rows, rows_per_chunk(16 * model.count, 1), threads,
               [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                 for (std::ptrdiff_t i = begin; i < end; ++i) {
                   const double weight = weights.size ? weights[i] : 1.0;
                   out[i] = 0.0;
                   for (std::ptrdiff_t j = 0; j < model.count; ++j) {
                     const double x = static_cast<double>(X(i, model.columns[j]));
                     if (std::isnan(x) || sums.least[j] < 0.0) continue;
                     const std::ptrdiff_t at = group[i] * model.count + j;
                     const Cell with{{sums.known_high[at], sums.known_low[at]},
                                     {sums.sums_high[at], sums.sums_low[at]},
                                     {sums.squares_high[at], sums.squares_low[at]}};
                     out[i] += left_out_log_density(x, weight, with, sums.least[j], sums.ddof);
                   }
                 }
               });
}

#define INSTANTIATE(T)                                                                                 \
  template void add_gaussian_scores(Matrix<const T>, const GaussianColumns&, int, double*);            \
  template void left_out_gaussian_scores(Matrix<const T>, const GaussianColumns&, const GaussianSums&, \
                                         Vector<const std::int32_t>, Vector<const double>, int,        \
                                         Vector<double>);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
