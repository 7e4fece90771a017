// The kernel values of one machine's rows: all of them known, or worked out whenever they are needed, tile
// by tile, and thrown away. For a few dozen columns working a tile out takes no longer than fetching it
// from memory (docs/decisions/0027).
//
// Invariant: a value depends on its two rows alone, to the last bit, so that neither tiles nor threads
// change a sum. Cost of bringing sums up to date: O(kept rows * changed rows * columns).
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
  // sums[r] += sum over b of weights[b] K(r, chosen[b]) for every row r that is kept up to date.
  virtual void add(const Places& chosen, const std::vector<double>& weights, double* sums) = 0;
  virtual bool is_known() const { return true; }
  // All values as they lie in memory, if the place of each row among them is worth knowing.
  virtual Matrix<const double> held() const { return {}; }
  virtual std::int32_t held_place(std::int32_t row) const { return row; }
  // Keep only these rows up to date from now on; false where all of them are anyway.
  virtual bool keep(const Places& rows) = 0;
};

// to[k] = from[places[k]]; runs of neighbours, which are most of what there is, are copied at once.
inline void gather(const double* from, const Places& places, double* to) {
  const std::size_t count = places.size();
  for (std::size_t k = 0; k < count;) {
    std::size_t end = k + 1;
    while (end < count && places[end] == places[end - 1] + 1) ++end;
    std::copy_n(from + places[k], end - k, to + k);
    k = end;
  }
}

// Copies rows and columns of a table of values, `width` to a row.
inline void copy_square(Matrix<const double> values, const Places& places, std::ptrdiff_t width, double* out,
                        int threads) {
  parallel_for(static_cast<std::ptrdiff_t>(places.size()), 64, threads,
               [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                 for (std::ptrdiff_t a = begin; a < end; ++a)
                   gather(values.row(places[room(a)]), places, out + a * width);
               });
}

// All values are held; every row is always kept up to date.
template <class Level>
class KnownGram final : public Gram {
 public:
  KnownGram(Matrix<const double> values, int threads) : values_(values), threads_(threads) {}
  KnownGram(std::vector<double> values, std::ptrdiff_t rows, int threads)
      : own_(std::move(values)), values_{own_.data(), rows, rows, rows, 1}, threads_(threads) {}

  void square(const Places& chosen, std::ptrdiff_t width, double* out) override {
    copy_square(values_, chosen, width, out, threads_);
  }

  void add(const Places& chosen, const std::vector<double>& weights, double* sums) override {
    std::vector<const double*> rows(chosen.size());
    for (std::size_t b = 0; b < chosen.size(); ++b) rows[b] = values_.row(chosen[b]);
    const auto count = static_cast<std::ptrdiff_t>(chosen.size());
    parallel_for(values_.rows, 1024, threads_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      SmoBlock<Level>::add_rows(rows.data(), weights.data(), count, begin, end, sums);
    });
  }
  bool keep(const Places&) override { return false; }
  Matrix<const double> held() const override { return values_; }

 private:
  std::vector<double> own_;
  Matrix<const double> values_;
  int threads_;
};

// A part of a larger table of values, for machines that copy it once and work on the copy.
template <class Level>
class KnownPart final : public Gram {
 public:
  KnownPart(Matrix<const double> values, const Places& rows, int threads)
      : values_(values), rows_(rows), threads_(threads) {}

  void square(const Places& chosen, std::ptrdiff_t width, double* out) override {
    copy_square(values_, in_table(chosen), width, out, threads_);
  }

  void add(const Places& chosen, const std::vector<double>& weights, double* sums) override {
    const Places others = in_table(chosen);
    std::vector<const double*> rows(chosen.size());
    for (std::size_t b = 0; b < chosen.size(); ++b) rows[b] = values_.row(others[b]);
    std::vector<double> all(room(values_.rows));
    const auto count = static_cast<std::ptrdiff_t>(chosen.size());
    parallel_for(values_.rows, 1024, threads_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      SmoBlock<Level>::add_rows(rows.data(), weights.data(), count, begin, end, all.data());
    });
    for (std::size_t r = 0; r < rows_.size(); ++r) sums[r] += all[room(rows_[r])];
  }
  bool keep(const Places&) override { return false; }
  // Rows of others cost time in every step, copying those of the machine once.
  Matrix<const double> held() const override {
    return 3 * static_cast<std::ptrdiff_t>(rows_.size()) > 2 * values_.rows ? values_
                                                                            : Matrix<const double>{};
  }
  std::int32_t held_place(std::int32_t row) const override { return rows_[room(row)]; }

 private:
  Places in_table(const Places& chosen) const {
    Places found(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) found[k] = rows_[room(chosen[k])];
    return found;
  }

  Matrix<const double> values_;
  const Places& rows_;
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

  bool is_known() const override { return false; }

  bool keep(const Places& rows) override {
    kept_ = rows;
    panels_ = pack(kept_, Block::panel_rows);
    return true;
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
