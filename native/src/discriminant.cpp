// Linear scores and quadratic forms of rows, a tile of rows at a time: what Gaussian classifiers (Fisher
// 1936) score classes by. Rows are seen from the mean of all, so that an offset costs no digit.
//
// Invariant: every row is a lane of its own and is added up in column order, so that tiles, batches and
// threads change no bit; results beyond 1e307 are cut off, so that no infinities cancel. Cost: O(rows *
// scores * columns), O(rows * classes * columns^2 / 2) for the forms.
#include "classica/discriminant.hpp"

#include <vector>

#include "classica/level.hpp"
#include "classica/parallel.hpp"
#include "level/linear_block.hpp"
#include "level/quadratic_block.hpp"
#include "tile.hpp"

namespace classica {
namespace {

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

// Calls body(tile, values) for every tile of `height` rows and writes values[c * height + r] to out.
template <std::ptrdiff_t height, class T, class Body>
void for_each_tile(Matrix<const T> X, std::ptrdiff_t work_per_row, int threads, Matrix<double> out,
                   Body body) {
  const std::ptrdiff_t work = std::max<std::ptrdiff_t>(work_per_row * height, 1);
  const std::ptrdiff_t chunk = std::max<std::ptrdiff_t>((std::ptrdiff_t{1} << 22) / work, 1) * height;
  parallel_for(X.rows, chunk, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    TileValues tile(room(X.cols * height)), values(room(out.cols * height));
    for (std::ptrdiff_t first = begin; first < end; first += height) {
      pack_tile<height>(X, first, tile.data());
      body(tile, values);
      for (std::ptrdiff_t i = first; i < std::min(first + height, end); ++i)
        for (std::ptrdiff_t c = 0; c < out.cols; ++c) out(i, c) = values[room(c * height + (i - first))];
    }
  });
}

// Rows absurdly far away must not turn into infinities that cancel to NaN.
double within_range(double value) {
  constexpr double most = 1e307;
  return value > -most ? std::min(value, most) : -most;  // NaN is not above -most
}

void subtract_center(TileValues& tile, const double* center, std::ptrdiff_t height) {
  for (std::size_t k = 0; k < tile.size(); ++k) tile[k] -= center[k / room(height)];
}

}  // namespace

template <class T>
void linear_scores(Matrix<const T> X, const LinearModel& model, int threads, Matrix<double> out) {
  at_active_level([&]<class Level>() {
    for_each_tile<tile_rows>(
        X, model.scores * model.cols, threads, out, [&](TileValues& tile, TileValues& values) {
          subtract_center(tile, model.center, tile_rows);
          LinearBlock<Level>::scores(tile.data(), model.cols, model.weights, model.scores, values.data());
          for (std::ptrdiff_t c = 0; c < model.scores; ++c)
            for (std::ptrdiff_t r = 0; r < tile_rows; ++r)
              values[room(c * tile_rows + r)] =
                  within_range(values[room(c * tile_rows + r)]) + model.offsets[c];
        });
  });
}

template <class T>
void quadratic_forms(Matrix<const T> X, const QuadraticModel& model, int threads, Matrix<double> out) {
  const std::ptrdiff_t factor = (model.cols + 3) / 4 * 4 * model.cols;
  at_widest_level([&]<class Level>() {
    constexpr std::ptrdiff_t height = QuadraticBlock<Level>::tile_rows;
    for_each_tile<height>(X, model.forms * model.cols * (model.cols + 3) / 2, threads, out,
                          [&](TileValues& tile, TileValues& values) {
                            thread_local TileValues work;
                            work.resize(tile.size());
                            subtract_center(tile, model.center, height);
                            for (std::ptrdiff_t c = 0; c < model.forms; ++c)
                              QuadraticBlock<Level>::squared_lengths(
                                  tile.data(), model.cols, model.centers + c * model.cols,
                                  model.factors + c * factor, work.data(), values.data() + c * height);
                            for (double& value : values) value = -within_range(-value);
                          });
  });
}

#define INSTANTIATE(T)                                                                   \
  template void linear_scores(Matrix<const T>, const LinearModel&, int, Matrix<double>); \
  template void quadratic_forms(Matrix<const T>, const QuadraticModel&, int, Matrix<double>);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
