// The kernel values of one machine's rows: all of them known, or worked out whenever they are needed.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "../kernels/blocks.hpp"
#include "../level/smo_block.hpp"
#include "classica/parallel.hpp"
#include "classica/svm.hpp"

namespace classica {

using Places = std::vector<std::int32_t>;

inline std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

// Rows are known by their place among those of the machine.
class Gram {
 public:
  virtual ~Gram() = default;
  // out[a * width + b] = K(rows a, b of `chosen`).
  virtual void square(const Places& chosen, std::ptrdiff_t width, double* out) = 0;
  virtual double diagonal(std::int32_t row) const = 0;
  // sums[r] += sum over b of weights[b] K(r, chosen[b]) for every row r that is kept up to date.
  virtual void add(const Places& chosen, const std::vector<double>& weights, double* sums) = 0;
  // Keep only these rows up to date from now on.
  virtual void keep(const Places& rows) = 0;
};

// All values are held; every row is always kept up to date.
template <class Level>
class KnownGram final : public Gram {
 public:
  KnownGram(Matrix<const double> values, int threads) : values_(values), threads_(threads) {}
  KnownGram(std::vector<double> values, std::ptrdiff_t rows, int threads)
      : own_(std::move(values)), values_{own_.data(), rows, rows, rows, 1}, threads_(threads) {}

  void square(const Places& chosen, std::ptrdiff_t width, double* out) override {
    for (std::size_t a = 0; a < chosen.size(); ++a) {
      const double* const row = values_.row(chosen[a]);
      double* const to = out + static_cast<std::ptrdiff_t>(a) * width;
      for (std::size_t b = 0; b < chosen.size(); ++b) to[b] = row[chosen[b]];
    }
  }
  double diagonal(std::int32_t row) const override { return values_(row, row); }

  void add(const Places& chosen, const std::vector<double>& weights, double* sums) override {
    std::vector<const double*> rows(chosen.size());
    for (std::size_t b = 0; b < chosen.size(); ++b) rows[b] = values_.row(chosen[b]);
    const auto count = static_cast<std::ptrdiff_t>(chosen.size());
    parallel_for(values_.rows, 1024, threads_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      SmoBlock<Level>::add_rows(rows.data(), weights.data(), count, begin, end, sums);
    });
  }
  void keep(const Places&) override {}

 private:
  std::vector<double> own_;
  Matrix<const double> values_;
  int threads_;
};

// Values are worked out from the rows, tile by tile, and used at once: for few columns that is faster than
// fetching them from memory.
template <class Level>
class RowGram final : public Gram {
 public:
  using Block = KernelBlock<Level>;

  RowGram(Matrix<const double> X, const std::int32_t* rows, std::ptrdiff_t count,
          const KernelFunction& kernel, int threads)
      : X_(X), rows_(rows), kernel_(kernel), threads_(threads), panels_(0, X.cols, Block::panel_rows) {
    kept_.resize(room(count));
    for (std::ptrdiff_t i = 0; i < count; ++i) kept_[room(i)] = static_cast<std::int32_t>(i);
    panels_ = pack(kept_, Block::panel_rows);
  }

  void square(const Places& chosen, std::ptrdiff_t width, double* out) override {
    const PackedRows panels = pack(chosen, Block::panel_rows), groups = pack(chosen, Block::group_rows);
    parallel_for(panels.strips(), 4, threads_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t p = begin; p < end; ++p) {
        const std::ptrdiff_t first_column = p * Block::panel_rows;
        const std::ptrdiff_t columns = std::min(Block::panel_rows, panels.rows - first_column);
        for_each_piece<Level>(kernel_, panels, p, groups,
                              [&](std::ptrdiff_t first, std::ptrdiff_t count, const double* values) {
                                for (std::ptrdiff_t b = 0; b < count; ++b)
                                  std::copy_n(values + b * Block::panel_rows, columns,
                                              out + (first + b) * width + first_column);
                              });
      }
    });
  }

  double diagonal(std::int32_t row) const override {
    const PackedRows panel = pack({row}, Block::panel_rows), group = pack({row}, Block::group_rows);
    double values[Block::panel_rows * Block::group_rows];
    Block::values(kernel_, {panel.strip(0), panel.strip_norms(0)}, {group.strip(0), group.strip_norms(0)}, 1,
                  X_.cols, values);
    return values[0];
  }

  void add(const Places& chosen, const std::vector<double>& weights, double* sums) override {
    const PackedRows groups = pack(chosen, Block::group_rows);
    const std::ptrdiff_t chunk = panels_per_chunk(groups.rows, X_.cols, Block::panel_rows);
    parallel_for(panels_.strips(), chunk, threads_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t p = begin; p < end; ++p) {
        double found[Block::panel_rows] = {};
        for_each_piece<Level>(kernel_, panels_, p, groups,
                              [&](std::ptrdiff_t first, std::ptrdiff_t count, const double* values) {
                                Block::add_weighted(values, weights.data() + first, count, found);
                              });
        const std::ptrdiff_t first = p * Block::panel_rows;
        for (std::ptrdiff_t r = 0; r < std::min(Block::panel_rows, panels_.rows - first); ++r)
          sums[kept_[room(first + r)]] += found[r];
      }
    });
  }

  void keep(const Places& rows) override {
    kept_ = rows;
    panels_ = pack(kept_, Block::panel_rows);
  }

 private:
  PackedRows pack(const Places& chosen, std::ptrdiff_t height) const {
    PackedRows packed(static_cast<std::ptrdiff_t>(chosen.size()), X_.cols, height);
    for (std::ptrdiff_t i = 0; i < packed.rows; ++i) {
      const double* const row = X_.row(rows_[chosen[room(i)]]);
      packed.set(i, [&](std::ptrdiff_t j) { return row[j] - (kernel_.center ? kernel_.center[j] : 0.0); });
    }
    return packed;
  }

  Matrix<const double> X_;
  const std::int32_t* rows_;
  KernelFunction kernel_;
  int threads_;
  Places kept_;
  PackedRows panels_;
};

}  // namespace classica
