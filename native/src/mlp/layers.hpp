// The layers of a network at work on a block of rows: forward to the scores, back to the derivatives
// (backpropagation, Rumelhart, Hinton and Williams 1986).
//
// Invariant: `outputs_[l]` is what comes into layer l; going back, `slopes_` are the derivatives of the
// loss by what the layer gives. Products run in tiles that stay in the caches; each sum is of one tile
// alone and goes on in one order. Cost: three matrix products per layer.
#pragma once

#include <algorithm>
#include <vector>

#include "../level/mlp_block.hpp"
#include "classica/mlp.hpp"
#include "classica/parallel.hpp"

namespace classica {

// Rows that go through the layers together: their numbers stay in the second cache.
inline constexpr std::ptrdiff_t block_rows = 256;

inline std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

template <class Level>
class Layers {
 public:
  Layers(const Network& network, const double* parameters, int threads)
      : network_(network), threads_(threads) {
    outputs_.resize(room(network.layers() + 1));
    for (std::ptrdiff_t layer = 0; layer < network.layers(); ++layer) {
      starts_.push_back(parameters);
      parameters += network.parameters_of(layer);
    }
  }

  // Takes in `rows` rows; row(i) is the number of the i-th.
  template <class T, class Row>
  void read(Matrix<const T> X, std::ptrdiff_t rows, Row row) {
    rows_ = rows;
    outputs_[0].resize(room(rows * X.cols));
    double* to = outputs_[0].data();
    for (std::ptrdiff_t i = 0; i < rows; ++i, to += X.cols) {
      const std::ptrdiff_t from = row(i);
      if (X.rows_are_contiguous()) {
        const T* values = X.row(from);
        if (i + rows_ahead < rows) prefetch(X.row(row(i + rows_ahead)), X.cols);
        for (std::ptrdiff_t j = 0; j < X.cols; ++j) to[j] = standard(values[j], j);
      } else {
        for (std::ptrdiff_t j = 0; j < X.cols; ++j) to[j] = standard(X(from, j), j);
      }
    }
  }

  // Returns the scores, one row of width(last layer) numbers per row.
  double* forward() {
    for (std::ptrdiff_t layer = 0; layer < network_.layers(); ++layer) {
      const std::ptrdiff_t in = network_.size(layer), width = network_.width(layer);
      const double* weights = starts_[room(layer)];
      std::vector<double>& to = outputs_[room(layer + 1)];
      to.resize(room(rows_ * width));
      for (std::ptrdiff_t i = 0; i < rows_; ++i)
        std::copy_n(weights + in * width, width, to.data() + i * width);
      multiply(rows_, width, in, outputs(layer), row_stride(layer), false, weights, width, to.data(), width);
      const bool last = layer + 1 == network_.layers();
      MlpBlock<Level>::activate(last ? Activation::identity : network_.activation, to.data(), rows_ * width);
    }
    return outputs_.back().data();
  }

  // Adds the derivatives of the loss to `gradient`, from those by the scores, which replace the scores.
  void backward(double* gradient) {
    slopes_ = outputs_.back();
    for (std::ptrdiff_t layer = network_.layers(); layer-- > 0;) {
      const std::ptrdiff_t in = network_.size(layer), width = network_.width(layer);
      double* own = gradient + (starts_[room(layer)] - starts_[0]);
      multiply(in, width, rows_, outputs(layer), row_stride(layer), true, slopes_.data(), width, own, width);
      for (std::ptrdiff_t i = 0; i < rows_; ++i)
        for (std::ptrdiff_t j = 0; j < width; ++j) own[in * width + j] += slopes_[room(i * width + j)];
      if (layer > 0) pass_back(layer);
    }
  }

 private:
  // Rows come in random order: the next ones are fetched while one is at work.
  static constexpr std::ptrdiff_t rows_ahead = 8;
  template <class T>
  static void prefetch(const T* values, std::ptrdiff_t cols) {
    for (std::ptrdiff_t j = 0; j < std::min<std::ptrdiff_t>(cols, 64); j += 8) __builtin_prefetch(values + j);
  }

  double standard(double value, std::ptrdiff_t column) const {
    return (value - network_.center[column]) * network_.scale[column];
  }

  const double* outputs(std::ptrdiff_t layer) const { return outputs_[room(layer)].data(); }
  std::ptrdiff_t row_stride(std::ptrdiff_t layer) const {
    return layer == 0 ? network_.size(0) : network_.width(layer - 1);
  }

  // From the derivatives by what a layer gives to those by what the layer before it got.
  void pass_back(std::ptrdiff_t layer) {
    const std::ptrdiff_t in = network_.size(layer), out = network_.size(layer + 1);
    const std::ptrdiff_t width = network_.width(layer), before = network_.width(layer - 1);
    turned_.assign(room(out * before), 0.0);
    for (std::ptrdiff_t i = 0; i < in; ++i)
      for (std::ptrdiff_t j = 0; j < out; ++j)
        turned_[room(j * before + i)] = starts_[room(layer)][i * width + j];
    further_.assign(room(rows_ * before), 0.0);
    multiply(rows_, before, out, slopes_.data(), width, false, turned_.data(), before, further_.data(),
             before);
    MlpBlock<Level>::chain(network_.activation, outputs(layer), further_.data(), rows_ * before);
    slopes_.swap(further_);
  }

  // In tiles that stay in the caches, end soon enough for Ctrl-C and may run beside each other. Each sum is
  // of one tile alone and goes on in one order, so neither tiles nor threads change a bit.
  void multiply(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k, const double* A,
                std::ptrdiff_t a_stride, bool turned, const double* B, std::ptrdiff_t b_row, double* C,
                std::ptrdiff_t c_row) const {
    constexpr std::ptrdiff_t worth_threads = 1 << 22;  // a tenth of a millisecond
    const bool alone = threads_ == 1 || m * n * k < worth_threads;
    const std::ptrdiff_t high = alone ? 256 : 96, wide = alone ? 256 : 64,
                         deep = MlpBlock<Level>::most_summed;
    const std::ptrdiff_t down = (m + high - 1) / high, across = (n + wide - 1) / wide;
    const auto some_tiles = [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t tile = begin; tile < end; ++tile) {
        const std::ptrdiff_t i = tile / across * high, j = tile % across * wide;
        for (std::ptrdiff_t l = 0; l < k; l += deep) {
          poll_interrupt();
          const double* part = turned ? A + l * a_stride + i : A + i * a_stride + l;
          MlpBlock<Level>::multiply(std::min(high, m - i), std::min(wide, n - j), std::min(deep, k - l), part,
                                    a_stride, turned, B + l * b_row + j, b_row, C + i * c_row + j, c_row);
        }
      }
    };
    if (alone) return some_tiles(0, down * across);
    parallel_for(down * across, 1, threads_, some_tiles);
  }

  const Network& network_;
  const int threads_;
  std::vector<const double*> starts_;         // where the parameters of each layer lie
  std::vector<std::vector<double>> outputs_;  // what comes into each layer; the last: the scores
  std::vector<double> slopes_, further_, turned_;
  std::ptrdiff_t rows_ = 0;
};

}  // namespace classica
