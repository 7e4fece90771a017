// The coarse sieve of the brute-force Euclidean search. |x - y|^2 = |x|^2 + |y|^2 - 2 x.y is computed in
// single precision on centred rows, far faster than it can be done exactly; with a bound for its error it
// tells which rows can possibly be among the K nearest, and only those are compared exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../level/dot_block.hpp"
#include "classica/neighbours.hpp"
#include "classica/parallel.hpp"

namespace classica {

// Training rows as the sieve wants them: centred, in single precision, in the tiles of the index.
class SieveRows {
 public:
  static constexpr std::ptrdiff_t rows_at_once = 16;

  template <class T>
  SieveRows(const NeighbourIndex<T>& index, int threads)
      : cols_(index.cols),
        groups_((index.tile_count * tile_rows + rows_at_once - 1) / rows_at_once),
        // Rounding to single precision, cols products and sums, and the last few operations: each at most
        // 2^-24 of |x|^2 + |y|^2, and some to spare.
        error_(static_cast<double>(index.cols + 32) * 0x1p-24),
        center_(static_cast<std::size_t>(cols_)),
        tiles_(static_cast<std::size_t>(groups_ * rows_at_once * cols_)),
        halves_(static_cast<std::size_t>(groups_ * rows_at_once), std::numeric_limits<float>::infinity()),
        norms_(halves_.size()) {
    center_and_scale(index);
    parallel_for(index.tile_count, 64, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t t = begin; t < end; ++t) take_tile(index, t);
    });
  }

  std::ptrdiff_t groups() const { return groups_; }
  const float* group(std::ptrdiff_t g) const { return tiles_.data() + g * rows_at_once * cols_; }
  const float* halves(std::ptrdiff_t g) const { return halves_.data() + g * rows_at_once; }
  double norm(std::ptrdiff_t place) const { return norms_[static_cast<std::size_t>(place)]; }
  double error() const { return error_; }
  // What products too small for single precision may have lost, at most.
  double underflow() const { return static_cast<double>(cols_ + 1) * 0x1p-140; }

  // Centres and scales one query into out[j * stride] and returns its squared norm.
  double take_query(const double* query, float* out, std::ptrdiff_t stride) const {
    double norm = 0.0;
    for (std::ptrdiff_t j = 0; j < cols_; ++j) {
      const float value = static_cast<float>((query[j] - center_[static_cast<std::size_t>(j)]) * scale_);
      out[j * stride] = value;
      norm += double(value) * double(value);
    }
    return norm;
  }

 private:
  // body(column, value) for every training value, column by column within a tile.
  template <class T, class Body>
  void for_each_value(const NeighbourIndex<T>& index, Body body) const {
    for (std::ptrdiff_t t = 0; t < index.tile_count; ++t)
      for (std::ptrdiff_t j = 0; j < cols_; ++j)
        for (std::ptrdiff_t r = 0; r < tile_rows; ++r)
          if (index.order[t * tile_rows + r] >= 0)
            body(static_cast<std::size_t>(j), double(index.tiles[(t * cols_ + j) * tile_rows + r]));
  }

  // Any point will do: the mean of the smallest and the largest value of each column is near all rows, and
  // the power of two brings the largest centred value to about one.
  template <class T>
  void center_and_scale(const NeighbourIndex<T>& index) {
    std::vector<double> low(center_.size(), std::numeric_limits<double>::infinity()), high(low);
    for (double& value : high) value = -value;
    for_each_value(index, [&](std::size_t j, double value) {
      low[j] = std::min(low[j], value);
      high[j] = std::max(high[j], value);
    });
    double largest = 0.0;
    for (std::size_t j = 0; j < center_.size(); ++j) {
      center_[j] = 0.5 * low[j] + 0.5 * high[j];
      largest = std::max(largest, high[j] - center_[j]);
    }
    int exponent = 0;
    std::frexp(largest, &exponent);
    scale_ = largest > 0.0 ? std::ldexp(1.0, std::clamp(-exponent, -1000, 1000)) : 1.0;
  }

  template <class T>
  void take_tile(const NeighbourIndex<T>& index, std::ptrdiff_t t) {
    double norms[tile_rows] = {};
    for (std::ptrdiff_t j = 0; j < cols_; ++j)
      for (std::ptrdiff_t r = 0; r < tile_rows; ++r) {
        const std::ptrdiff_t at = (t * cols_ + j) * tile_rows + r;
        const double centred = double(index.tiles[at]) - center_[static_cast<std::size_t>(j)];
        const float value = static_cast<float>(centred * scale_);
        tiles_[static_cast<std::size_t>(at)] = value;
        norms[r] += double(value) * double(value);
      }
    for (std::ptrdiff_t r = 0; r < tile_rows; ++r) {
      const std::size_t place = static_cast<std::size_t>(t * tile_rows + r);
      if (index.order[place] < 0) continue;
      norms_[place] = norms[r];
      halves_[place] = static_cast<float>(0.5 * (1.0 - error_) * norms[r]);
    }
  }

  std::ptrdiff_t cols_, groups_;
  double error_;
  double scale_ = 1.0;
  std::vector<double> center_;
  std::vector<float> tiles_, halves_;
  std::vector<double> norms_;
};

// What the sieve knows of one query: rows that may be near, and how near the K-th must be at worst.
class SieveQuery {
 public:
  void reset(std::int32_t neighbours, double norm, const SieveRows& rows) {
    norm_ = norm;
    error_ = rows.error();
    underflow_ = rows.underflow();
    count_ = static_cast<std::size_t>(neighbours);
    uppers_.clear();
    candidates_.clear();
  }

  // A row can matter only if its dot product minus half its norm plus this is not negative.
  float reach() const {
    if (uppers_.size() < count_) return std::numeric_limits<float>::infinity();
    const double reach = 0.5 * (uppers_.back() - (1.0 - error_) * norm_) + underflow_;
    return static_cast<float>(reach + 1e-6 * std::abs(reach));
  }

  void take(std::int32_t place, double dot, double row_norm) {
    const double lower = (1.0 - error_) * (norm_ + row_norm) - 2.0 * dot - underflow_;
    candidates_.push_back({lower, place});
    const double upper = lower + 2.0 * (error_ * (norm_ + row_norm) + underflow_);
    if (uppers_.size() == count_) {
      if (upper >= uppers_.back()) return;
      uppers_.pop_back();
    }
    uppers_.insert(std::upper_bound(uppers_.begin(), uppers_.end(), upper), upper);
  }

  // The tiles that hold a row which may be among the K nearest, each once.
  const std::vector<std::int32_t>& tiles() {
    tiles_.clear();
    const double limit = uppers_.size() < count_ ? std::numeric_limits<double>::infinity() : uppers_.back();
    for (const auto& [lower, place] : candidates_)
      if (lower <= limit) tiles_.push_back(place / std::int32_t(tile_rows));
    std::sort(tiles_.begin(), tiles_.end());
    tiles_.erase(std::unique(tiles_.begin(), tiles_.end()), tiles_.end());
    return tiles_;
  }

 private:
  struct Candidate {
    double lower;
    std::int32_t place;
  };
  double norm_ = 0.0, error_ = 0.0, underflow_ = 0.0;
  std::size_t count_ = 0;
  std::vector<double> uppers_;
  std::vector<Candidate> candidates_;
  std::vector<std::int32_t> tiles_;
};

}  // namespace classica
