// Loss, gradient and curvature of softmax regression, fused into one sweep: a tile of up to 64 rows is
// packed column by column, scored, turned into residuals and multiplied back while it is in the cache (own;
// docs/decisions/0028).
//
// Invariant: sums run in eight lanes at every level and blocks of rows are added in their order, so that
// neither AVX-512 nor threads change a bit. Lanes beyond the last row hold rows of weight zero. Cost:
// O(rows * columns * classes), and O(rows * columns^2 * pairs of classes) for the curvature.
#include <algorithm>
#include <vector>

#include "../level/softmax_block.hpp"
#include "classica/level.hpp"
#include "classica/logistic.hpp"
#include "classica/reduce.hpp"

namespace classica {
namespace {

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

constexpr std::ptrdiff_t lanes = 8;

std::ptrdiff_t whole_lanes(std::ptrdiff_t rows) { return (rows + lanes - 1) / lanes * lanes; }

// Rows side by side in a tile: as many as a core.s own cache holds, by the shape of the table alone.
std::ptrdiff_t tile_height(std::ptrdiff_t rows, std::ptrdiff_t cols) {
  constexpr std::ptrdiff_t values = 1 << 15, most = 64;
  return std::min(std::clamp<std::ptrdiff_t>(values / (cols + 1) / lanes * lanes, lanes, most),
                  whole_lanes(rows));
}

// Rows of a table as the block kernels read them, with their classes and weights. Lanes beyond the last row
// hold rows of weight zero.
class Tile {
 public:
  Tile(std::ptrdiff_t rows, const SoftmaxTask& task)
      : height_(tile_height(rows, task.coefficients.cols - 1)),
        wide_(task.coefficients.cols),
        task_(task),
        values_(room(height_ * wide_)),
        scores_(room(height_ * task.classes)),
        per_row_(room(height_)),
        weights_(room(height_)),
        codes_(room(height_)) {
    std::fill(values_.end() - height_, values_.end(), 1.0);
  }

  template <class T>
  void fill(Matrix<const T> X, std::ptrdiff_t first, std::ptrdiff_t end) {
    const std::ptrdiff_t rows = std::min(height_, end - first);
    // Eight rows at a time: each line of the tile is written whole.
    std::ptrdiff_t r = 0;
    for (; r + lanes <= rows; r += lanes) copy_rows<lanes>(X, first, r);
    for (; r < rows; ++r) copy_rows<1>(X, first, r);
    for (r = 0; r < height_; ++r) {
      weights_[room(r)] = r >= rows ? 0.0 : task_.weights.data ? task_.weights[first + r] : 1.0;
      codes_[room(r)] = r < rows && task_.codes.data ? task_.codes[first + r] : 0;
    }
  }

  template <class Level>
  void find_scores() {
    const std::ptrdiff_t given = task_.coefficients.rows, fixed = task_.classes - given;
    std::fill(scores_.begin(), scores_.begin() + fixed * height_, 0.0);
    SoftmaxBlock<Level>::scores(values_.data(), height_, wide_, task_.coefficients.data, given,
                                scores_.data() + fixed * height_);
  }

  // Adds the gradient of the tile's rows; returns their loss.
  template <class Level>
  double add_gradient(double* gradient) {
    find_scores<Level>();
    SoftmaxBlock<Level>::residuals(scores_.data(), task_.classes, height_, codes_.data(), weights_.data(),
                                   per_row_.data());
    const std::ptrdiff_t given = task_.coefficients.rows;
    SoftmaxBlock<Level>::add_products(scores_.data() + (task_.classes - given) * height_, given,
                                      values_.data(), wide_, height_, gradient, wide_);
    double loss = 0.0;
    for (const double value : per_row_) loss += value;
    return loss;
  }

  // Adds the products of the tile's rows for every pair of classes.
  template <class Level>
  void add_curvature(double* out) {
    find_scores<Level>();
    SoftmaxBlock<Level>::exponentials(scores_.data(), task_.classes, height_, per_row_.data());
    for (std::ptrdiff_t c = 0; c < task_.classes; ++c)
      for (std::ptrdiff_t r = 0; r < height_; ++r) scores_[room(c * height_ + r)] /= per_row_[room(r)];
    weighted_.resize(values_.size());
    for (std::ptrdiff_t b = 1; b < task_.classes; ++b)
      for (std::ptrdiff_t a = 0; a < b; ++a, out += wide_ * wide_) add_pair<Level>(a, b, out);
  }

 private:
  template <std::ptrdiff_t count, class T>
  void copy_rows(Matrix<const T> X, std::ptrdiff_t first, std::ptrdiff_t r) {
    for (std::ptrdiff_t j = 0; j < wide_ - 1; ++j) {
      double* to = values_.data() + j * height_ + r;
      for (std::ptrdiff_t k = 0; k < count; ++k)
        to[k] = static_cast<double>(X(first + r + k, j)) - task_.center[j];
    }
  }

  template <class Level>
  void add_pair(std::ptrdiff_t a, std::ptrdiff_t b, double* out) {
    const double *first = scores_.data() + a * height_, *second = scores_.data() + b * height_;
    for (std::ptrdiff_t r = 0; r < height_; ++r) per_row_[room(r)] = weights_[room(r)] * first[r] * second[r];
    for (std::ptrdiff_t j = 0; j < wide_; ++j)
      for (std::ptrdiff_t r = 0; r < height_; ++r)
        weighted_[room(j * height_ + r)] = per_row_[room(r)] * values_[room(j * height_ + r)];
    // The lower triangle, in strips of rows that the kernel likes.
    constexpr std::ptrdiff_t strip = 12;
    for (std::ptrdiff_t j = 0; j < wide_; j += strip) {
      const std::ptrdiff_t end = std::min(j + strip, wide_);
      SoftmaxBlock<Level>::add_products(weighted_.data() + j * height_, end - j, values_.data(), end, height_,
                                        out + j * wide_, wide_);
    }
  }

  std::ptrdiff_t height_, wide_;
  const SoftmaxTask& task_;
  std::vector<double> values_, scores_, per_row_, weights_, weighted_;
  std::vector<std::int32_t> codes_;
};

// A block takes about a millisecond and holds whole tiles.
std::ptrdiff_t rows_of_block(std::ptrdiff_t work_per_row, std::ptrdiff_t fewest) {
  constexpr std::ptrdiff_t work = 1 << 21, tiles = 64;
  return std::max(work / std::max<std::ptrdiff_t>(work_per_row, 1) / tiles * tiles, fewest);
}

// add(tile, sums): adds what a filled tile has to the sums of its block. Blocks are added in their order.
template <class T, class Add>
void sum_over_tiles(Matrix<const T> X, const SoftmaxTask& task, std::ptrdiff_t block, std::ptrdiff_t size,
                    int threads, Add add, double* out) {
  blocked_reduce(
      X.rows, block, size, threads, [&] { return std::vector<double>(room(size)); },
      [&](std::vector<double>& sums, std::ptrdiff_t begin, std::ptrdiff_t end) {
        Tile tile(X.rows, task);
        const std::ptrdiff_t height = tile_height(X.rows, X.cols);
        for (std::ptrdiff_t first = begin; first < end; first += height) {
          poll_interrupt();
          tile.fill(X, first, end);
          add(tile, sums);
        }
      },
      [&](const std::vector<double>& sums) {
        for (std::ptrdiff_t k = 0; k < size; ++k) out[k] += sums[room(k)];
      });
}

// Turns the scores of up to eight rows into residuals; returns their loss.
template <class Level>
double residuals_of_some(Matrix<double> scores, Vector<const std::int32_t> codes,
                         Vector<const double> weights, std::ptrdiff_t first, std::ptrdiff_t end,
                         std::vector<double>& tile) {
  double own_weights[lanes] = {}, losses[lanes];
  std::int32_t own_codes[lanes] = {};
  for (std::ptrdiff_t i = first; i < end; ++i) {
    own_weights[i - first] = weights.data ? weights[i] : 1.0;
    own_codes[i - first] = codes[i];
    for (std::ptrdiff_t c = 0; c < scores.cols; ++c) tile[room(c * lanes + i - first)] = scores(i, c);
  }
  SoftmaxBlock<Level>::residuals(tile.data(), scores.cols, lanes, own_codes, own_weights, losses);
  double loss = 0.0;
  for (std::ptrdiff_t i = first; i < end; ++i) {
    for (std::ptrdiff_t c = 0; c < scores.cols; ++c) scores(i, c) = tile[room(c * lanes + i - first)];
    loss += losses[i - first];
  }
  return loss;
}

}  // namespace

template <class T>
double softmax_gradient(Matrix<const T> X, const SoftmaxTask& task, int threads, Matrix<double> gradient) {
  const std::ptrdiff_t size = task.coefficients.rows * task.coefficients.cols;
  std::vector<double> sums(room(size + 1));  // the loss last
  at_widest_level([&]<class Level>() {
    sum_over_tiles(
        X, task, rows_of_block(size, 64), size + 1, threads,
        [&](Tile& tile, std::vector<double>& found) {
          found.back() += tile.template add_gradient<Level>(found.data());
        },
        sums.data());
  });
  std::copy(sums.begin(), sums.end() - 1, gradient.data);
  return sums.back();
}

template <class T>
void softmax_curvature(Matrix<const T> X, const SoftmaxTask& task, int threads, double* out) {
  const std::ptrdiff_t wide = task.coefficients.cols, pairs = task.classes * (task.classes - 1) / 2;
  const std::ptrdiff_t size = pairs * wide * wide;
  std::fill(out, out + size, 0.0);
  at_widest_level([&]<class Level>() {
    sum_over_tiles(
        X, task, rows_of_block(size / 2, 256), size, threads,
        [&](Tile& tile, std::vector<double>& found) { tile.template add_curvature<Level>(found.data()); },
        out);
  });
}

double softmax_residuals(Matrix<double> scores, Vector<const std::int32_t> codes,
                         Vector<const double> weights, int threads) {
  double loss = 0.0;
  at_active_level([&]<class Level>() {
    blocked_reduce(
        scores.rows, rows_of_block(20 * scores.cols, 64), 1, threads, [] { return 0.0; },
        [&](double& sum, std::ptrdiff_t begin, std::ptrdiff_t end) {
          std::vector<double> tile(room(lanes * scores.cols));
          for (std::ptrdiff_t first = begin; first < end; first += lanes)
            sum +=
                residuals_of_some<Level>(scores, codes, weights, first, std::min(first + lanes, end), tile);
        },
        [&](double sum) { loss += sum; });
  });
  return loss;
}

#define INSTANTIATE(T)                                                                        \
  template double softmax_gradient(Matrix<const T>, const SoftmaxTask&, int, Matrix<double>); \
  template void softmax_curvature(Matrix<const T>, const SoftmaxTask&, int, double*);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
