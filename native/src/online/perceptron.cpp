// The perceptron (Rosenblatt 1958), averaged and voted (Freund and Schapire 1999) or with a pocket (Gallant
// 1990), in one loop that goes from mistake to mistake: until the next one the weights stand still.
//
// Invariant: after presentation t the weights are those of the mistakes so far; `kept_` of the average
// holds the sum of t y x, from which the mean of all weights follows as w - kept / t. Products are summed
// in sixteen parts without fused operations: the same changes at every level. Machines of several classes
// run side by side. Cost: O(stored cells) per epoch.
#include <algorithm>
#include <numeric>

#include "../level/presentation_block.hpp"
#include "classica/level.hpp"
#include "presenter.hpp"

namespace classica {
namespace {

// Scores and changes on dense rows.
template <class Level, class T>
struct DenseRows {
  Matrix<const T> X;

  std::ptrdiff_t stretch() const { return stretch_of(X.cols); }

  std::ptrdiff_t first_mistake(const double* weights, const std::vector<Presentation>& shown,
                               std::ptrdiff_t begin, std::ptrdiff_t end, int zero) const {
    return PresentationBlock<Level>::first_mistake(X.data, X.row_stride, X.cols, weights, shown.data(), begin,
                                                   end, static_cast<std::ptrdiff_t>(shown.size()), zero);
  }
  void add(double factor, std::ptrdiff_t row, double* to) const {
    PresentationBlock<Level>::add_row(factor, X.row(row), X.cols, to);
  }
};

// The same on sparse rows, whose zeros cost nothing.
template <class T, class Index>
struct ListedRows {
  SparseRows<T, Index> X;

  std::ptrdiff_t stretch() const { return stretch_of(X.values.size / std::max<std::ptrdiff_t>(X.rows, 1)); }

  std::ptrdiff_t first_mistake(const double* weights, const std::vector<Presentation>& shown,
                               std::ptrdiff_t begin, std::ptrdiff_t end, int zero) const {
    for (std::ptrdiff_t k = begin; k < end; ++k) {
      const Presentation one = shown[static_cast<std::size_t>(k)];
      double score = weights[X.cols];
      each(row_of(one), [&](std::ptrdiff_t column, double value) { score += weights[column] * value; });
      if (is_mistake(score, is_second(one), zero)) return k;
    }
    return end;
  }
  void add(double factor, std::ptrdiff_t row, double* to) const {
    each(row, [&](std::ptrdiff_t column, double value) { to[column] += factor * value; });
  }
  template <class Body>
  void each(std::ptrdiff_t row, Body body) const {
    for (Index k = X.starts[row]; k < X.starts[row + 1]; ++k)
      body(X.columns[k], static_cast<double>(X.values[k]));
  }
};

// One machine. `Table` is one of the above.
template <class Table>
class Trainer {
 public:
  Trainer(const Table& table, Keep keep, bool intercept, int zero, const PerceptronState& state,
          std::ptrdiff_t machine, Changes* changes)
      : table_(table),
        keep_(keep),
        intercept_(intercept),
        zero_(zero),
        cols_(state.weights.cols - 1),
        weights_(state.weights.row(machine)),
        kept_(state.kept.row(machine)),
        seen_(state.seen[machine]),
        survived_(state.survived[machine]),
        longest_(state.longest[machine]),
        changes_(changes) {}

  // Presents each in turn and returns the number of mistakes.
  std::int64_t present(const std::vector<Presentation>& shown) {
    std::int64_t mistakes = 0;
    const auto count = static_cast<std::ptrdiff_t>(shown.size());
    const std::ptrdiff_t stretch = table_.stretch();
    for (std::ptrdiff_t k = 0; k < count;) {
      const std::ptrdiff_t end = std::min(k + stretch, count);
      poll_interrupt();
      while (k < end) {
        const std::ptrdiff_t found = table_.first_mistake(weights_, shown, k, end, zero_);
        pass(found - k);
        if (found < end) {
          change(shown[static_cast<std::size_t>(found)]);
          ++mistakes;
        }
        k = std::min(found + 1, end);
      }
    }
    return mistakes;
  }

  // Whether no row is a mistake; nothing changes.
  bool separates(const std::vector<Presentation>& rows) const {
    const auto count = static_cast<std::ptrdiff_t>(rows.size());
    const std::ptrdiff_t stretch = table_.stretch();
    for (std::ptrdiff_t k = 0; k < count; k += stretch) {
      const std::ptrdiff_t end = std::min(k + stretch, count);
      poll_interrupt();
      if (table_.first_mistake(weights_, rows, k, end, zero_) < end) return false;
    }
    return true;
  }

  void into_pocket() {
    std::copy(weights_, weights_ + cols_ + 1, kept_);
    longest_ = survived_;
  }

 private:
  void pass(std::int64_t presentations) {
    seen_ += presentations;
    survived_ += presentations;
  }

  void change(Presentation one) {
    if (keep_ == Keep::pocket && survived_ > longest_) into_pocket();
    const double side = is_second(one) ? -1.0 : 1.0;
    table_.add(side, row_of(one), weights_);
    if (intercept_) weights_[cols_] += side;
    if (keep_ == Keep::average) {
      const double late = side * static_cast<double>(seen_);
      table_.add(late, row_of(one), kept_);
      if (intercept_) kept_[cols_] += late;
    }
    if (changes_ != nullptr) {
      changes_->rows.push_back(row_of(one));
      changes_->times.push_back(seen_);
    }
    ++seen_;
    survived_ = 1;
  }

  const Table& table_;
  Keep keep_;
  bool intercept_;
  int zero_;
  std::ptrdiff_t cols_;
  double *weights_, *kept_;
  std::int64_t &seen_, &survived_, &longest_;
  Changes* changes_;
};

template <class Table>
void train(const Table& table, const Sides& sides, const Presentations& how, Keep keep, bool intercept,
           int threads, const PerceptronState& state, const Progress& progress,
           std::vector<Changes>& changes) {
  for_each_machine(sides.side.rows, threads, [&](std::ptrdiff_t machine) {
    Presenter presenter(sides, machine, how);
    Changes* own = changes.empty() ? nullptr : &changes[static_cast<std::size_t>(machine)];
    Trainer trainer(table, keep, intercept, how.zero, state, machine, own);
    presenter.for_each_epoch(progress.mistakes.cols, threads, [&](std::ptrdiff_t epoch, const auto& shown) {
      progress.mistakes(machine, epoch) = trainer.present(shown);
      if (progress.mistakes(machine, epoch) > 0) return true;
      // Rows drawn again and again may have left some out.
      if (how.shuffle && how.replace && !trainer.separates(presenter.given())) return true;
      progress.converged[machine] = 1;
      // Some survive long by luck, these have no mistake. But one epoch of new rows says nothing of older
      // ones.
      if (keep == Keep::pocket && epoch > 0) trainer.into_pocket();
      return false;
    });
  });
}

}  // namespace

std::vector<std::int64_t> epoch_order(std::uint64_t seed, std::uint64_t epoch, std::ptrdiff_t count) {
  std::vector<std::int64_t> given(static_cast<std::size_t>(count));
  std::iota(given.begin(), given.end(), std::int64_t{0});
  std::vector<std::int64_t> drawn = given;
  draw(given, seed, epoch, false, drawn);
  return drawn;
}

template <class Rows>
void train_perceptrons(const Rows& X, const Sides& sides, const Presentations& how, Keep keep, bool intercept,
                       int threads, const PerceptronState& state, const Progress& progress,
                       std::vector<Changes>& changes) {
  const auto with = [&](const auto& table) {
    train(table, sides, how, keep, intercept, threads, state, progress, changes);
  };
  if constexpr (requires { X.data; }) {
    at_active_level(
        [&]<class Level>() { with(DenseRows<Level, std::remove_cvref_t<decltype(*X.data)>>{X}); });
  } else {
    with(ListedRows{X});
  }
}

#define INSTANTIATE(Rows)                                                                           \
  template void train_perceptrons(const Rows&, const Sides&, const Presentations&, Keep, bool, int, \
                                  const PerceptronState&, const Progress&, std::vector<Changes>&);
CLASSICA_FOR_EACH_ROWS_TYPE(INSTANTIATE)

}  // namespace classica
