// Squared distances to class means, and the class of the highest score. For sparse rows the zeros' part is
// what the stored cells leave of the sum over all columns, kept as double-double (own), so that the
// subtraction loses nothing that matters.
//
// Invariant: squared distances are compared before priors come in, so that small distances are not lost
// beside large log priors; of equal classes the first wins. Cost: O(stored cells * means).
#include "classica/nearest_mean.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "classica/double_double.hpp"
#include "classica/level.hpp"
#include "classica/parallel.hpp"
#include "classica/posterior.hpp"
#include "level/distance_block.hpp"
#include "tile.hpp"

namespace classica {
namespace {

// Far beyond any meaningful distance, yet -1/2 of it plus a log prior is still a number.
constexpr double largest_squared_distance = 1e308;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::ptrdiff_t rows_per_chunk(const MeanModel& model, std::ptrdiff_t multiple) {
  const std::ptrdiff_t work = std::max<std::ptrdiff_t>(model.means * model.cols, 1);
  return std::max<std::ptrdiff_t>((std::ptrdiff_t{1} << 21) / work / multiple, 1) * multiple;
}

// best[c] = squared distance to the closest mean of class c; to_mean[m * stride] = that to mean m.
void closest_of_each_class(const MeanModel& model, const double* to_mean, std::ptrdiff_t stride,
                           double* best) {
  for (std::ptrdiff_t c = 0; c < model.classes; ++c) {
    best[c] = largest_squared_distance;
    for (std::ptrdiff_t m = model.class_starts[c]; m < model.class_starts[c + 1]; ++m)
      best[c] = std::min(best[c], to_mean[m * stride]);
  }
}

// Calls finish(row, squared distance to each class) for every row.
template <class T, class Finish>
void for_each_row(Matrix<const T> X, const MeanModel& model, int threads, Finish finish) {
  at_active_level([&]<class Level>() {
    parallel_for(X.rows, rows_per_chunk(model, tile_rows), threads,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   TileValues tile(static_cast<std::size_t>(tile_rows * model.cols));
                   std::vector<double> to_mean(static_cast<std::size_t>(tile_rows * model.means));
                   std::vector<double> best(static_cast<std::size_t>(model.classes));
                   for (std::ptrdiff_t first = begin; first < end; first += tile_rows) {
                     pack_tile(X, first, tile.data());
                     DistanceBlock<Level>::squared(tile.data(), model.cols, model.centers,
                                                   model.inverse_spreads, model.means, to_mean.data());
                     for (std::ptrdiff_t i = first; i < std::min(first + tile_rows, end); ++i) {
                       closest_of_each_class(model, to_mean.data() + (i - first), tile_rows, best.data());
                       finish(i, best.data());
                     }
                   }
                 });
  });
}

// For sparse rows: the squared distance is the sum of (x - m)^2 over the non-zeros of the row and of m^2
// over its zeros, each divided by spread^2. The second sum is what the non-zeros leave of the sum over all
// columns; kept as double-double, the subtraction loses nothing that matters. Means lie column by column
// here, so that one non-zero meets all means side by side.
class SparseDistances {
 public:
  explicit SparseDistances(const MeanModel& model)
      : means_(model.means),
        rounding_(1e-31 * static_cast<double>(model.cols)),
        at_zero_(of_size(model.means)),
        squares_(of_size(model.means * model.cols)) {
    centers_.resize(squares_.size());
    inverses_.assign(squares_.size(), 1.0);
    for (std::ptrdiff_t m = 0; m < means_; ++m)
      for (std::ptrdiff_t j = 0; j < model.cols; ++j) add_center(model, m, j);
  }

  template <class T, class Index>
  void of_row(const SparseRows<T, Index>& X, std::ptrdiff_t i, double* to_mean, DoubleDouble* rest) const {
    std::copy(at_zero_.begin(), at_zero_.end(), rest);
    std::fill(to_mean, to_mean + means_, 0.0);
    for (std::ptrdiff_t k = X.starts[i]; k < static_cast<std::ptrdiff_t>(X.starts[i + 1]); ++k) {
      const double x = static_cast<double>(X.values[k]);
      const std::ptrdiff_t at = X.columns[k] * means_;
      for (std::ptrdiff_t m = 0; m < means_; ++m) {
        const std::size_t place = static_cast<std::size_t>(at + m);
        const double difference = (x - centers_[place]) * inverses_[place];
        to_mean[m] += difference * difference;
        rest[m] = add(rest[m], negate(squares_[place]));
      }
    }
    // What rounding leaves when nothing is left must not count.
    for (std::ptrdiff_t m = 0; m < means_; ++m)
      if (rest[m].high > rounding_ * at_zero_[static_cast<std::size_t>(m)].high) to_mean[m] += rest[m].high;
  }

 private:
  static std::vector<DoubleDouble> of_size(std::ptrdiff_t size) {
    return std::vector<DoubleDouble>(static_cast<std::size_t>(size));
  }

  void add_center(const MeanModel& model, std::ptrdiff_t m, std::ptrdiff_t j) {
    const double center = model.centers[m * model.cols + j];
    const double inverse = model.inverse_spreads ? model.inverse_spreads[m * model.cols + j] : 1.0;
    const std::size_t place = static_cast<std::size_t>(j * means_ + m);
    centers_[place] = center;
    inverses_[place] = inverse;
    squares_[place] = two_product<Base>(center * inverse, center * inverse);
    DoubleDouble& total = at_zero_[static_cast<std::size_t>(m)];
    total = add(total, squares_[place]);
  }

  std::ptrdiff_t means_;
  double rounding_;  // a bound for the relative rounding of double-double sums over all columns
  std::vector<DoubleDouble> at_zero_, squares_;
  std::vector<double> centers_, inverses_;
};

template <class T, class Index, class Finish>
void for_each_row(const SparseRows<T, Index>& X, const MeanModel& model, int threads, Finish finish) {
  const SparseDistances distances(model);
  parallel_for(X.rows, rows_per_chunk(model, 1), threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    std::vector<double> to_mean(static_cast<std::size_t>(model.means));
    std::vector<DoubleDouble> rest(to_mean.size());
    std::vector<double> best(static_cast<std::size_t>(model.classes));
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      distances.of_row(X, i, to_mean.data(), rest.data());
      closest_of_each_class(model, to_mean.data(), 1, best.data());
      finish(i, best.data());
    }
  });
}

// By how much class a's score exceeds class b's. Squared distances are compared before the priors come in,
// so that small distances are not lost beside large log priors.
auto lead_in(const MeanModel& model, const double* squared) {
  return [&model, squared](std::ptrdiff_t a, std::ptrdiff_t b) {
    return (model.log_priors[a] - model.log_priors[b]) - 0.5 * (squared[a] - squared[b]);
  };
}

}  // namespace

template <class Rows>
void predict(const Rows& X, const MeanModel& model, int threads, Vector<std::int64_t> out) {
  for_each_row(X, model, threads, [&](std::ptrdiff_t i, const double* squared) {
    out[i] = first_highest(model.classes, lead_in(model, squared));
  });
}

template <class Rows>
void posteriors(const Rows& X, const MeanModel& model, int threads, Matrix<double> out) {
  for_each_row(X, model, threads, [&](std::ptrdiff_t i, const double* squared) {
    to_probabilities(model.classes, lead_in(model, squared), out.row(i));
  });
}

template <class Rows>
void class_distances(const Rows& X, const MeanModel& model, int threads, Matrix<double> out) {
  for_each_row(X, model, threads, [&](std::ptrdiff_t i, const double* squared) {
    for (std::ptrdiff_t c = 0; c < model.classes; ++c)
      out(i, c) = model.class_starts[c] < model.class_starts[c + 1] ? std::sqrt(squared[c]) : infinity;
  });
}

#define INSTANTIATE(Rows)                                                          \
  template void predict(const Rows&, const MeanModel&, int, Vector<std::int64_t>); \
  template void posteriors(const Rows&, const MeanModel&, int, Matrix<double>);    \
  template void class_distances(const Rows&, const MeanModel&, int, Matrix<double>);
CLASSICA_FOR_EACH_ROWS_TYPE(INSTANTIATE)

}  // namespace classica
