// Winnow, plain and balanced (Littlestone 1988): weights of the columns that are present are multiplied on
// a mistake.
//
// Invariant: weights stay within the bounds of the rules, where an underflow to zero could never grow
// again; balanced weights are subtracted column by column, because of two large sums no digits would be
// left. Cost: O(ones of the rows) per epoch.
#include <algorithm>

#include "presenter.hpp"

namespace classica {
namespace {

template <class Index>
class Winnower {
 public:
  Winnower(const Ones<Index>& X, const WinnowRules& rules, int zero, double* weights, double* opposed)
      : X_(X), rules_(rules), zero_(zero), weights_(weights), opposed_(opposed) {}

  std::int64_t present(const std::vector<Presentation>& shown) {
    std::int64_t mistakes = 0;
    const std::ptrdiff_t rows = std::max<std::ptrdiff_t>(X_.starts.size - 1, 1);
    const auto stretch = static_cast<std::size_t>(stretch_of(X_.columns.size / rows));
    for (std::size_t k = 0; k < shown.size(); ++k) {
      if (k % stretch == 0) poll_interrupt();
      const bool second = is_second(shown[k]);
      if (is_mistake(score(row_of(shown[k])), second, zero_)) {
        change(row_of(shown[k]), second);
        ++mistakes;
      }
    }
    return mistakes;
  }

 private:
  // By how much the weights of a row exceed the threshold.
  double score(std::ptrdiff_t row) const {
    double sum = 0.0;
    // Taken away column by column: of two large sums little would be left.
    each(row, [&](std::ptrdiff_t column) {
      sum += opposed_ == nullptr ? weights_[column] : weights_[column] - opposed_[column];
    });
    return sum - rules_.threshold;
  }

  void change(std::ptrdiff_t row, bool second) {
    const double factor = second ? rules_.demotion : rules_.promotion;
    const double other = second ? rules_.promotion : rules_.demotion;
    each(row, [&](std::ptrdiff_t column) {
      weights_[column] = held(weights_[column] * factor);
      if (opposed_ != nullptr) opposed_[column] = held(opposed_[column] * other);
    });
  }

  double held(double weight) const { return std::clamp(weight, rules_.least, rules_.most); }

  template <class Body>
  void each(std::ptrdiff_t row, Body body) const {
    for (Index k = X_.starts[row]; k < X_.starts[row + 1]; ++k) body(X_.columns[k]);
  }

  const Ones<Index>& X_;
  const WinnowRules& rules_;
  int zero_;
  double *weights_, *opposed_;
};

}  // namespace

template <class Index>
void train_winnow(const Ones<Index>& X, const Sides& sides, const Presentations& how,
                  const WinnowRules& rules, int threads, Matrix<double> weights, Matrix<double> opposed,
                  const Progress& progress) {
  for_each_machine(sides.side.rows, threads, [&](std::ptrdiff_t machine) {
    Presenter presenter(sides, machine, how);
    double* taken_away = opposed.rows > 0 ? opposed.row(machine) : nullptr;
    Winnower<Index> winnower(X, rules, how.zero, weights.row(machine), taken_away);
    presenter.for_each_epoch(progress.mistakes.cols, threads, [&](std::ptrdiff_t epoch, const auto& shown) {
      progress.mistakes(machine, epoch) = winnower.present(shown);
      progress.converged[machine] = progress.mistakes(machine, epoch) == 0;
      return !progress.converged[machine];
    });
  });
}

#define INSTANTIATE(Index)                                                                               \
  template void train_winnow(const Ones<Index>&, const Sides&, const Presentations&, const WinnowRules&, \
                             int, Matrix<double>, Matrix<double>, const Progress&);
INSTANTIATE(std::int32_t)
INSTANTIATE(std::int64_t)

}  // namespace classica
