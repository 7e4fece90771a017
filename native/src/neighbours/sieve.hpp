// The coarse sieve of the brute-force Euclidean search (own; docs/decisions/0018). |x - y|^2 = |x|^2 +
// |y|^2 - 2 x.y is computed in single precision on centred rows, far faster than it can be done exactly;
// with a bound for its error it tells which rows can possibly be among the K nearest, and only those are
// compared exactly.
//
// Invariant: `uppers_` are upper limits of the K smallest distances so far; a row is dropped only if its
// lower limit is above the largest of these, so that no neighbour and no tie is lost. Cost: O(queries *
// rows * columns) in single precision, and few exact comparisons, unless rows lie in tight clusters far
// apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../level/dot_block.hpp"
#include "classica/neighbours.hpp"
#include "classica/parallel.hpp"

namespace classica {

// Training rows as the sieve wants them: centred, in single precision, in groups of as many rows as its
// kernel takes at once. The places of the rows are those of the index.
class SieveRows {
 public:
  template <class T>
  SieveRows(const NeighbourIndex<T>& index, std::ptrdiff_t rows_at_once, int threads)
      : cols_(index.cols),
        rows_at_once_(rows_at_once),
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
  const float* group(std::ptrdiff_t g) const { return tiles_.data() + g * rows_at_once_ * cols_; }
  const float* halves(std::ptrdiff_t g) const { return halves_.data() + g * rows_at_once_; }
  double norm(std::ptrdiff_t place) const { return norms_[static_cast<std::size_t>(place)]; }
  double error() const { return error_; }
  // What products too small for single precision may have lost, at most; and what ranks so small that their
  // rounding is absolute may have.
  double underflow() const {
    const double terms = static_cast<double>(cols_ + 1);
    return terms * 0x1p-140 + std::min(terms * 0x1p-1072 * scale_ * scale_, 1e30);
  }

  // Whether a squared norm leaves single precision enough room for products and sums.
  static bool in_range(double norm) { return norm < 1e24; }

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
  // Any center and scale are right; good ones keep the errors small. Judged on an even sample of the rows, so
  // that a few far-off rows do no harm: the center is the median of each column, and the scale, a power of
  // two, brings the median row to a length of about one.
  template <class T>
  void center_and_scale(const NeighbourIndex<T>& index) {
    const std::vector<std::ptrdiff_t> places = sampled_places(index);
    const auto value = [&](std::ptrdiff_t place, std::ptrdiff_t j) {
      return double(index.tiles[((place / tile_rows) * cols_ + j) * tile_rows + place % tile_rows]);
    };
    std::vector<double> squares(places.size()), column(places.size());
    for (std::ptrdiff_t j = 0; j < cols_; ++j) {
      for (std::size_t i = 0; i < places.size(); ++i) column[i] = value(places[i], j);
      const double center = center_[static_cast<std::size_t>(j)] = median(column);
      for (std::size_t i = 0; i < places.size(); ++i) {
        const double centred = value(places[i], j) - center;
        squares[i] += centred * centred;
      }
    }
    const double largest = *std::max_element(squares.begin(), squares.end());
    const double middle = median(squares);
    int exponent = 0;
    std::frexp(std::sqrt(middle > 0.0 ? middle : largest), &exponent);
    scale_ = std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
  }

  template <class T>
  static std::vector<std::ptrdiff_t> sampled_places(const NeighbourIndex<T>& index) {
    constexpr std::ptrdiff_t wanted = 255;
    const std::ptrdiff_t all = index.tile_count * tile_rows;
    std::vector<std::ptrdiff_t> places;
    for (std::ptrdiff_t place = 0; place < all; place += std::max<std::ptrdiff_t>(all / wanted, 1))
      if (index.order[place] >= 0) places.push_back(place);
    if (places.empty()) places.push_back(std::find_if(index.order, index.order + all, is_row) - index.order);
    return places;
  }
  static bool is_row(std::int32_t row) { return row >= 0; }

  static double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

  template <class T>
  void take_tile(const NeighbourIndex<T>& index, std::ptrdiff_t t) {
    double norms[tile_rows] = {};
    for (std::ptrdiff_t j = 0; j < cols_; ++j)
      for (std::ptrdiff_t r = 0; r < tile_rows; ++r) {
        const std::ptrdiff_t at = (t * cols_ + j) * tile_rows + r;
        const double centred = double(index.tiles[at]) - center_[static_cast<std::size_t>(j)];
        const float value = static_cast<float>(centred * scale_);
        single(t * tile_rows + r, j) = value;
        norms[r] += double(value) * double(value);
      }
    for (std::ptrdiff_t r = 0; r < tile_rows; ++r) {
      const std::size_t place = static_cast<std::size_t>(t * tile_rows + r);
      if (index.order[place] < 0) continue;
      norms_[place] = norms[r];
      halves_[place] = static_cast<float>(0.5 * (1.0 - error_) * norms[r]);
      if (!in_range(norms[r])) always_pass(t, r);
    }
  }

  // A row too far off for single precision goes through the sieve whatever the query.
  void always_pass(std::ptrdiff_t t, std::ptrdiff_t r) {
    halves_[static_cast<std::size_t>(t * tile_rows + r)] = -std::numeric_limits<float>::infinity();
    for (std::ptrdiff_t j = 0; j < cols_; ++j) single(t * tile_rows + r, j) = 0.0f;
  }

  float& single(std::ptrdiff_t place, std::ptrdiff_t j) {
    const std::ptrdiff_t group = place / rows_at_once_, row = place % rows_at_once_;
    return tiles_[static_cast<std::size_t>((group * cols_ + j) * rows_at_once_ + row)];
  }

  std::ptrdiff_t cols_, rows_at_once_, groups_;
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
    if (!SieveRows::in_range(row_norm)) {
      candidates_.push_back({-std::numeric_limits<double>::infinity(), place});
      return;
    }
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
