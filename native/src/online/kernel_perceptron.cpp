// The kernel perceptron (Aizerman, Braverman and Rozonoer 1964; Freund and Schapire 1999). From the first
// mistake on, some rows are presented together: their mistakes depend on the kernel values among themselves
// only, and the scores of all rows are brought up to date once for all of them (own).
//
// Invariant: between two such groups `scores_` has the score of every row under all changes so far, so that
// the mistakes are those of presenting one row after the other. Columns of the kernel matrix are kept as
// long as there is room. Cost: O(rows * columns) of kernel values per mistake.
#include <algorithm>
#include <vector>

#include "../kernels/blocks.hpp"
#include "classica/kernels.hpp"
#include "classica/level.hpp"
#include "presenter.hpp"

namespace classica {
namespace {

// Some rows of a table in the layout of block kernels.
PackedRows packed(Matrix<const double> X, const std::vector<std::ptrdiff_t>& rows, const double* center,
                  std::ptrdiff_t height) {
  PackedRows found(static_cast<std::ptrdiff_t>(rows.size()), X.cols, height);
  for (std::ptrdiff_t i = 0; i < found.rows; ++i) {
    const std::ptrdiff_t row = rows[static_cast<std::size_t>(i)];
    found.set(i, [&](std::ptrdiff_t j) { return X(row, j) - (center ? center[j] : 0.0); });
  }
  return found;
}

// A step of a machine: the kernel of a row, added or taken away.
struct Step {
  std::ptrdiff_t row;
  double sign;
};

// The kernel of single rows with all rows, kept for the machines and epochs that ask again.
template <class Level>
class GramColumns {
  using Block = KernelBlock<Level>;

 public:
  GramColumns(Matrix<const double> X, const KernelFunction& kernel, std::ptrdiff_t room, int threads)
      : X_(X),
        kernel_(kernel),
        room_(static_cast<std::size_t>(room)),
        threads_(threads),
        panels_(pack_rows(X, 0, X.rows, kernel.center, Block::panel_rows)),
        place_(static_cast<std::size_t>(X.rows), -1) {}

  // scores += sign * (K(row, .) + offset), one step after the other.
  void add(const std::vector<Step>& steps, double offset, double* scores) {
    std::vector<std::ptrdiff_t> unknown;                  // rows whose kernel is to be worked out
    std::vector<double*> kept;                            // and where each of these is kept, if it is
    std::vector<const double*> source;                    // of each step, if it is kept
    std::vector<std::ptrdiff_t> among(steps.size(), -1);  // the unknown ones
    for (std::size_t k = 0; k < steps.size(); ++k) {
      std::int32_t& place = place_[static_cast<std::size_t>(steps[k].row)];
      if (place < 0) {
        among[k] = static_cast<std::ptrdiff_t>(unknown.size());
        unknown.push_back(steps[k].row);
        if (columns_.size() < room_) {
          place = static_cast<std::int32_t>(columns_.size());
          columns_.emplace_back(panels_.norms.size());
        }
        kept.push_back(place < 0 ? nullptr : columns_.back().data());
      }
      source.push_back(place < 0 ? nullptr : columns_[static_cast<std::size_t>(place)].data());
    }
    const PackedRows groups = packed(X_, unknown, kernel_.center, Block::group_rows);
    parallel_for(panels_.strips(), strips_at_once, threads_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      poll_interrupt();
      const std::ptrdiff_t first = begin * Block::panel_rows, width = (end - begin) * Block::panel_rows;
      std::vector<double> fresh(unknown.size() * static_cast<std::size_t>(width));
      fill(begin, end, groups, kept, fresh.data());
      const std::ptrdiff_t count = std::min(width, X_.rows - first);
      for (std::size_t k = 0; k < steps.size(); ++k) {
        const double* const values = among[k] < 0 ? source[k] + first : fresh.data() + among[k] * width;
        const double sign = steps[k].sign;
        for (std::ptrdiff_t i = 0; i < count; ++i) scores[first + i] += sign * (values[i] + offset);
      }
    });
  }

  // out(b, r) = the kernel of the rows b and r.
  void among_themselves(const std::vector<std::ptrdiff_t>& rows, Matrix<double> out) const {
    const PackedRows panels = packed(X_, rows, kernel_.center, Block::panel_rows);
    const PackedRows groups = packed(X_, rows, kernel_.center, Block::group_rows);
    for (std::ptrdiff_t p = 0; p < panels.strips(); ++p) {
      const std::ptrdiff_t first = p * Block::panel_rows;
      const std::ptrdiff_t width = std::min(Block::panel_rows, out.cols - first);
      for_each_piece<Level>(
          kernel_, panels, p, groups, [&](std::ptrdiff_t start, std::ptrdiff_t count, const double* values) {
            for (std::ptrdiff_t b = 0; b < count; ++b)
              std::copy_n(values + b * Block::panel_rows, width, out.row(start + b) + first);
          });
    }
  }

 private:
  static constexpr std::ptrdiff_t strips_at_once = 256 / Block::panel_rows;

  // The kernel of the unknown rows with those of some strips, also into the columns that are kept.
  void fill(std::ptrdiff_t begin, std::ptrdiff_t end, const PackedRows& groups,
            const std::vector<double*>& kept, double* fresh) const {
    const std::ptrdiff_t width = (end - begin) * Block::panel_rows;
    for (std::ptrdiff_t p = begin; p < end; ++p)
      for_each_piece<Level>(kernel_, panels_, p, groups,
                            [&](std::ptrdiff_t start, std::ptrdiff_t count, const double* values) {
                              for (std::ptrdiff_t b = 0; b < count; ++b) {
                                const double* const found = values + b * Block::panel_rows;
                                std::copy_n(found, Block::panel_rows,
                                            fresh + (start + b) * width + (p - begin) * Block::panel_rows);
                                if (double* const column = kept[static_cast<std::size_t>(start + b)])
                                  std::copy_n(found, Block::panel_rows, column + p * Block::panel_rows);
                              }
                            });
  }

  Matrix<const double> X_;
  const KernelFunction& kernel_;
  std::size_t room_;
  int threads_;
  PackedRows panels_;
  std::vector<std::int32_t> place_;  // of the column of each row, or -1
  std::vector<std::vector<double>> columns_;
};

// One machine.
template <class Level>
class DualTrainer {
 public:
  DualTrainer(GramColumns<Level>& columns, std::ptrdiff_t rows, int zero, double offset, double* scores,
              std::int64_t& seen, Changes& changes)
      : columns_(columns),
        at_once_(std::clamp<std::ptrdiff_t>(rows / 64, 32, 256)),
        zero_(zero),
        offset_(offset),
        scores_(scores),
        seen_(seen),
        changes_(changes) {}

  // Presents each in turn and returns the number of mistakes.
  std::int64_t present(const std::vector<Presentation>& shown) {
    const std::size_t before = changes_.rows.size();
    const auto count = static_cast<std::ptrdiff_t>(shown.size());
    for (std::ptrdiff_t k = next_mistake(shown, 0); k < count;) {
      const std::ptrdiff_t end = std::min(k + at_once_, count);
      present_together(shown, k, end);
      k = next_mistake(shown, end);
    }
    seen_ += count;
    return static_cast<std::int64_t>(changes_.rows.size() - before);
  }

 private:
  std::ptrdiff_t next_mistake(const std::vector<Presentation>& shown, std::ptrdiff_t k) const {
    const auto count = static_cast<std::ptrdiff_t>(shown.size());
    for (; k < count; ++k) {
      const Presentation one = shown[static_cast<std::size_t>(k)];
      if (is_mistake(scores_[row_of(one)], is_second(one), zero_)) break;
    }
    return k;
  }

  // What happens among a few rows needs their own kernel values only; the scores of all rows come after.
  void present_together(const std::vector<Presentation>& shown, std::ptrdiff_t begin, std::ptrdiff_t end) {
    const std::ptrdiff_t count = end - begin;
    std::vector<std::ptrdiff_t> rows;
    std::vector<double> scores;
    for (std::ptrdiff_t k = begin; k < end; ++k) {
      rows.push_back(row_of(shown[static_cast<std::size_t>(k)]));
      scores.push_back(scores_[rows.back()]);
    }
    values_.resize(static_cast<std::size_t>(count * count));
    const Matrix<double> values{values_.data(), count, count, count, 1};
    columns_.among_themselves(rows, values);
    std::vector<Step> steps;
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      const bool second = is_second(shown[static_cast<std::size_t>(begin + k)]);
      if (!is_mistake(scores[static_cast<std::size_t>(k)], second, zero_)) continue;
      steps.push_back({rows[static_cast<std::size_t>(k)], second ? -1.0 : 1.0});
      changes_.rows.push_back(steps.back().row);
      changes_.times.push_back(seen_ + begin + k);
      const double sign = steps.back().sign;
      for (std::ptrdiff_t r = k + 1; r < count; ++r)
        scores[static_cast<std::size_t>(r)] += sign * (values(k, r) + offset_);
    }
    columns_.add(steps, offset_, scores_);
  }

  GramColumns<Level>& columns_;
  std::ptrdiff_t at_once_;
  int zero_;
  double offset_;
  double* scores_;
  std::int64_t& seen_;
  Changes& changes_;
  std::vector<double> values_;
};

}  // namespace

void train_kernel_perceptrons(Matrix<const double> X, const KernelFunction& kernel, const Sides& sides,
                              const Presentations& how, double offset, std::ptrdiff_t room, int threads,
                              Matrix<double> scores, Vector<std::int64_t> seen, const Progress& progress,
                              std::vector<Changes>& changes) {
  at_widest_level([&]<class Level>() {
    GramColumns<Level> columns(X, kernel, room, threads);
    for (std::ptrdiff_t machine = 0; machine < sides.side.rows; ++machine) {
      Presenter presenter(sides, machine, how);
      DualTrainer<Level> trainer(columns, X.rows, how.zero, offset, scores.row(machine), seen[machine],
                                 changes[static_cast<std::size_t>(machine)]);
      presenter.for_each_epoch(progress.mistakes.cols, 1, [&](std::ptrdiff_t epoch, const auto& shown) {
        progress.mistakes(machine, epoch) = trainer.present(shown);
        progress.converged[machine] = progress.mistakes(machine, epoch) == 0;
        return !progress.converged[machine];
      });
    }
  });
}

}  // namespace classica
