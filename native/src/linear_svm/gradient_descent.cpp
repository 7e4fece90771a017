// The lecture's stochastic gradient descent on the hinge loss: a random row k, then
//   a <- a - eta (lambda a - y_k x_k [y_k f(x_k) < 1]),  b <- b + eta y_k [y_k f(x_k) < 1].
//
// Invariant: weights are scale * values, so that shrinking all of them is one multiplication; eta never
// exceeds 1 / lambda, beyond which weights would swing. Draw number k of a stream is the same for everyone.
// Cost: O(stored cells of a row) per step.
#include <algorithm>
#include <vector>

#include "classica/linear_svm.hpp"
#include "classica/parallel.hpp"
#include "classica/random.hpp"
#include "row_access.hpp"

namespace classica {
namespace {

// Rows drawn by weight; draw number `step` of a stream is the same for everyone.
class RowDraws {
 public:
  explicit RowDraws(const SgdTask& task) : task_(task), random_(task.seed, task.stream) {}

  std::ptrdiff_t row(std::uint64_t step) {
    if (step % 4 == 0) block_ = random_.block({step / 4, 0, 0, 0});
    const std::uint64_t bits = block_[step % 4];
    return task_.order[task_.up_to.size ? by_weight(bits) : evenly(bits)];
  }

 private:
  std::ptrdiff_t evenly(std::uint64_t bits) const {
    const auto count = static_cast<unsigned __int128>(task_.order.size);
    return static_cast<std::ptrdiff_t>((count * bits) >> 64);
  }
  std::ptrdiff_t by_weight(std::uint64_t bits) const {
    const double* first = task_.up_to.data;
    const double* last = first + task_.up_to.size - 1;
    return std::upper_bound(first, last, Philox::to_unit(bits) * *last) - first;
  }

  const SgdTask& task_;
  Philox random_;
  Philox::Block block_{};
};

// Weights kept as scale * values, so that shrinking all of them is one multiplication.
struct ScaledWeights {
  std::vector<double> values;
  double scale = 1.0;

  void shrink(double factor) {
    scale *= factor;
    if (scale > 1e-50) return;
    for (double& value : values) value *= scale;
    scale = 1.0;
  }
};

}  // namespace

template <class Rows>
void svm_gradient_descent(const Rows& X, const SgdTask& task, SvmMachine& machine) {
  ScaledWeights weights{std::vector<double>(machine.weights, machine.weights + X.cols)};
  RowDraws draws(task);
  const std::ptrdiff_t steps = task.order.size;
  for (std::ptrdiff_t season = 0; season < task.seasons; ++season) {
    const double eta = std::min(task.eta / static_cast<double>(1 + season), 1.0 / task.alpha);
    for (std::ptrdiff_t step = 0; step < steps; ++step) {
      if (step % 64 == 0) poll_interrupt();
      const std::ptrdiff_t row = draws.row(static_cast<std::uint64_t>(season * steps + step));
      const double score = weights.scale * row_dot(X, row, weights.values.data()) + machine.intercept;
      weights.shrink(1.0 - eta * task.alpha);
      if (task.signs[row] * score >= 1.0) continue;
      add_row(X, row, eta * task.signs[row] / weights.scale, weights.values.data());
      if (task.intercept) machine.intercept += eta * task.signs[row];
    }
  }
  for (std::ptrdiff_t j = 0; j < X.cols; ++j)
    machine.weights[j] = weights.scale * weights.values[static_cast<std::size_t>(j)];
}

#define INSTANTIATE(Rows) template void svm_gradient_descent(const Rows&, const SgdTask&, SvmMachine&);
CLASSICA_FOR_EACH_ROWS_TYPE(INSTANTIATE)

}  // namespace classica
