// Coordinate descent on the dual (Hsieh, Chang, Lin, Keerthi and Sundararajan 2008), with their shrinking.
// The intercept is free, so the duals of both sides must balance. That constraint is kept by an augmented
// Lagrangian: the intercept is its multiplier, moved after every sweep by what the duals are out of balance
// (Hestenes; Powell 1969).
//
// Invariant: weights and imbalance are those of the duals, rebuilt from them at every check so that
// rounding does not add up; the objective is judged with the best intercept and the dual with balanced
// sides, so that the gap is a bound. Orders are drawn by (seed, sweep). Cost per sweep: O(stored cells of
// the active rows).
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "classica/linear_svm.hpp"
#include "classica/parallel.hpp"
#include "classica/random.hpp"
#include "row_access.hpp"

namespace classica {
namespace {

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

template <class Rows>
class CoordinateDescent {
 public:
  CoordinateDescent(const Rows& X, bool intercept, const SvmTask& task, std::uint64_t seed,
                    SvmMachine& machine)
      : X_(X),
        task_(task),
        seed_(seed),
        machine_(machine),
        lengths_(room(X.rows)),
        all_(room(X.rows)),
        weights_(machine.weights, machine.weights + X.cols) {
    for (std::ptrdiff_t i = 0; i < X.rows; ++i) lengths_[room(i)] = squared_length(X, i);
    for (std::ptrdiff_t i = 0; i < X.rows; ++i) stiffness_ += task.shares[i] * lengths_[room(i)];
    stiffness_ = !intercept ? 0.0 : stiffness_ > 0.0 ? stiffness_ : 1.0;
    std::iota(all_.begin(), all_.end(), std::ptrdiff_t{0});
  }

  SvmReport run() {
    SvmReport report;
    rebuild();
    report.objective = std::numeric_limits<double>::infinity();
    std::vector<std::ptrdiff_t> active = all_;
    double before = std::numeric_limits<double>::infinity();  // the worst violation of the last sweep
    std::ptrdiff_t next_check = 8;
    while (report.iterations < task_.max_iter) {
      before = sweep(active, before, report.iterations++);
      multiplier_ += stiffness_ * imbalance_;
      const bool settled = before <= 1e-3 * task_.tolerance;
      if (report.iterations < next_check && !settled && report.iterations < task_.max_iter) continue;
      next_check = report.iterations + std::max<std::ptrdiff_t>(8, report.iterations / 4);
      judge(report);
      if (report.converged) return report;
      active = all_;
      before = std::numeric_limits<double>::infinity();
    }
    return report;
  }

 private:
  double pull_of(std::ptrdiff_t i) const { return task_.shares[i] / task_.ridge[0]; }

  // Weights and imbalance from the duals: what rounding added up on the way goes.
  void rebuild() {
    std::fill(weights_.begin(), weights_.end(), 0.0);
    imbalance_ = 0.0;
    for (std::ptrdiff_t i = 0; i < X_.rows; ++i) add(i, machine_.duals[i]);
  }

  void add(std::ptrdiff_t i, double change) {
    const double amount = change * pull_of(i) * task_.signs[i];
    if (amount == 0.0) return;
    imbalance_ += amount;
    add_row(X_, i, amount, weights_.data());
  }

  // Visits the active rows in random order; rows at a bound that push against it harder than the worst
  // violation of the last sweep are left out from then on.
  double sweep(std::vector<std::ptrdiff_t>& active, double before, std::ptrdiff_t number) {
    const Philox random(seed_, static_cast<std::uint64_t>(number));
    double worst = 0.0;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < active.size(); ++k) {
      if (k % 64 == 0) poll_interrupt();
      const auto left = static_cast<double>(active.size() - k);
      std::swap(active[k], active[k + static_cast<std::size_t>(random.uniform(k) * left)]);
      const std::ptrdiff_t i = active[k];
      double violation = 0.0;
      if (visit(i, before, violation)) active[kept++] = i;
      worst = std::max(worst, violation);
    }
    active.resize(kept);
    return worst;
  }

  bool visit(std::ptrdiff_t i, double before, double& violation) {
    const double score = row_dot(X_, i, weights_.data()) + multiplier_ + stiffness_ * imbalance_;
    const double slope = task_.signs[i] * score - 1.0, dual = machine_.duals[i];
    if ((dual == 0.0 && slope > before) || (dual == 1.0 && slope < -before)) return false;
    const double curvature = pull_of(i) * (lengths_[room(i)] + stiffness_);
    const double aim = curvature > 0.0 ? dual - slope / curvature : slope < 0.0 ? 1.0 : 0.0;
    const double next = std::clamp(aim, 0.0, 1.0);
    violation = dual == 0.0 ? std::max(-slope, 0.0) : dual == 1.0 ? std::max(slope, 0.0) : std::fabs(slope);
    if (next == dual) return true;
    add(i, next - dual);
    machine_.duals[i] = next;
    return true;
  }

  // The objective with the best intercept for these weights, and how far it can be from the optimum.
  void judge(SvmReport& report) {
    rebuild();
    std::vector<double> scores(room(X_.rows));
    for (std::ptrdiff_t i = 0; i < X_.rows; ++i) {
      if (i % 64 == 0) poll_interrupt();
      scores[room(i)] = row_dot(X_, i, weights_.data());
    }
    const double intercept = stiffness_ > 0.0 ? best_intercept(scores) : 0.0;
    double objective = 0.5 * task_.ridge[0] * squared(weights_);
    for (std::ptrdiff_t i = 0; i < X_.rows; ++i)
      objective += task_.shares[i] * std::max(0.0, 1.0 - task_.signs[i] * (scores[room(i)] + intercept));
    const double bound = dual_objective();
    best_bound_ = std::max(best_bound_, bound);
    if (objective < report.objective) {
      report.objective = objective;
      std::copy(weights_.begin(), weights_.end(), machine_.weights);
      machine_.intercept = intercept;
    }
    report.gap = std::max(report.objective - best_bound_, 0.0);
    report.converged = report.gap <= task_.tolerance * report.objective;
  }

  // The dual objective once the duals of the heavier side are scaled down until both sides balance.
  double dual_objective() const {
    double side[2] = {0.0, 0.0};  // of the duals, by sign
    for (std::ptrdiff_t i = 0; i < X_.rows; ++i)
      side[task_.signs[i] > 0.0] += task_.shares[i] * machine_.duals[i];
    if (stiffness_ == 0.0) return side[0] + side[1] - 0.5 * task_.ridge[0] * squared(weights_);
    const bool heavier = side[1] > side[0];
    const double less = side[heavier] > 0.0 ? 1.0 - side[!heavier] / side[heavier] : 0.0;
    std::vector<double> balanced = weights_;
    for (std::ptrdiff_t i = 0; i < X_.rows; ++i)
      if ((task_.signs[i] > 0.0) == heavier)
        add_row(X_, i, -less * machine_.duals[i] * pull_of(i) * task_.signs[i], balanced.data());
    return 2.0 * side[!heavier] - 0.5 * task_.ridge[0] * squared(balanced);
  }

  static double squared(const std::vector<double>& values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  }

  // As a function of the intercept the hinges are a convex chain of lines that bends where a row meets its
  // margin; between two equally good bends, the middle.
  double best_intercept(const std::vector<double>& scores) const {
    std::vector<std::ptrdiff_t> order = all_;
    const auto bend = [&](std::ptrdiff_t i) { return task_.signs[i] - scores[room(i)]; };
    std::sort(order.begin(), order.end(), [&](std::ptrdiff_t a, std::ptrdiff_t b) {
      return bend(a) < bend(b) || (bend(a) == bend(b) && a < b);
    });
    double slope = 0.0;
    for (std::ptrdiff_t i = 0; i < X_.rows; ++i) slope -= task_.signs[i] > 0.0 ? task_.shares[i] : 0.0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      slope += task_.shares[order[k]];
      if (slope < -1e-15) continue;
      const bool flat = slope <= 1e-15 && k + 1 < order.size();
      return flat ? 0.5 * (bend(order[k]) + bend(order[k + 1])) : bend(order[k]);
    }
    return bend(order.back());
  }

  const Rows& X_;
  const SvmTask& task_;
  std::uint64_t seed_;
  SvmMachine& machine_;
  std::vector<double> lengths_;
  std::vector<std::ptrdiff_t> all_;
  std::vector<double> weights_;
  double stiffness_ = 0.0;  // of the constraint that duals balance; 0: there is none
  double imbalance_ = 0.0, multiplier_ = 0.0;
  double best_bound_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

template <class Rows>
SvmReport svm_coordinate_descent(const Rows& X, bool intercept, const SvmTask& task, std::uint64_t seed,
                                 SvmMachine& machine) {
  return CoordinateDescent<Rows>(X, intercept, task, seed, machine).run();
}

#define INSTANTIATE(Rows) \
  template SvmReport svm_coordinate_descent(const Rows&, bool, const SvmTask&, std::uint64_t, SvmMachine&);
CLASSICA_FOR_EACH_ROWS_TYPE(INSTANTIATE)

}  // namespace classica
