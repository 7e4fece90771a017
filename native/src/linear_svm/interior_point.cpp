// Mehrotra's predictor and corrector (1992) for the support vector machine. A row has four positive
// numbers: its dual u and what is left to one, v = 1 - u; its slack s and its surplus m, of which s - m = 1
// - y f. At the optimum u m = v s = 0; a step aims at u m = v s = mu for a smaller mu than now. Correctors
// are weighed by how far the predictor goes (Colombo and Gondzio 2008).
//
// Invariant: the four numbers of every row stay positive, steps end 0.995 of the way to the boundary, and u
// + v = 1. Rows enter with their share, so a row of weight 2 is two rows all along the way; sums run over
// panels of fixed size in order. Cost per step: one weighted Gram matrix, O(rows * columns^2), and a
// Cholesky factorisation.
#include <algorithm>
#include <cmath>
#include <vector>

#include "../gram_panel.hpp"
#include "classica/level.hpp"
#include "classica/linear_svm.hpp"
#include "newton_system.hpp"

namespace classica {
namespace {

constexpr double near_end = 1e-2;  // the gap, as a share of the objective

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

// One entry per row of the table.
struct RowState {
  std::vector<double> dual, rest, slack, surplus, score, stiffness;
  // Changes a step would make; dual_step etc. hold products of the predictor's changes first.
  std::vector<double> score_step, dual_step, slack_step, surplus_step;

  explicit RowState(std::ptrdiff_t rows)
      : dual(room(rows)),
        rest(dual),
        slack(dual),
        surplus(dual),
        score(dual),
        stiffness(dual),
        score_step(dual),
        dual_step(dual),
        slack_step(dual),
        surplus_step(dual) {}
};

// Sums of a pass that are no vectors.
enum Scalar { hinge, dual_sum, complement, centering, scalars };

template <class Level, class T>
class InteriorPoint {
  using Block = GramBlock<Level>;

 public:
  InteriorPoint(Matrix<const T> X, const RowFrame& frame, const SvmTask& task)
      : X_(X),
        frame_(frame),
        task_(task),
        strips_(strips_of(frame.width())),
        width_(strips_ * strip_width),
        rows_(X.rows),
        weights_(room(width_)),
        step_(room(width_)),
        system_(frame.width()) {
    for (std::ptrdiff_t i = 0; i < X.rows; ++i) shares_ += task.shares[i];
  }

  SvmReport run(double center, SvmMachine& machine) {
    std::copy_n(machine.weights, frame_.cols, weights_.begin());
    if (frame_.ones) weights_[room(frame_.cols)] = machine.intercept;
    begin_at(center);
    SvmReport report;
    std::ptrdiff_t stalled = 0;  // iterations in which rounding has won, once the end is near
    for (;; ++report.iterations) {
      add_up_system();
      const double objective = primal(), gap = duality_gap(objective);
      const bool better = report.iterations == 0 || gap < report.gap;
      stalled = !better && report.gap < near_end * report.objective ? stalled + 1 : 0;
      if (better) keep(objective, gap, report, machine);
      report.converged = report.gap <= task_.tolerance * report.objective;
      if (report.converged || report.iterations == task_.max_iter || stalled == 5) return report;
      take_step();
    }
  }

 private:
  // Puts every row on the central path of `mu` for the score it has.
  void begin_at(double mu) {
    sum_over_panels<Level>(
        X_, frame_, 1, task_.threads,
        [&](const RowPanel<Level>& panel, std::ptrdiff_t first, std::ptrdiff_t count, double*) {
          double* score = rows_.score.data() + first;
          Block::scores(panel.data(), strips_, count, weights_.data(), score);
          for (std::ptrdiff_t i = first; i < first + count; ++i) center_row(room(i), mu);
        });
    step_length_ = 0.0;
  }

  void center_row(std::size_t i, double mu) {
    const double deficit = 1.0 - task_.signs[static_cast<std::ptrdiff_t>(i)] * rows_.score[i];
    // The larger of u and v is known without cancellation, the other follows from its product with mu.
    const double size = std::fabs(deficit);
    const double larger = 0.5 + 0.5 * size / (std::hypot(size, 2.0 * mu) + 2.0 * mu);
    const double near = mu / larger, far = near + size, smaller = mu / far;
    const bool missed = deficit >= 0.0;
    rows_.dual[i] = missed ? larger : smaller;
    rows_.rest[i] = missed ? smaller : larger;
    rows_.surplus[i] = missed ? near : far;
    rows_.slack[i] = missed ? far : near;
  }

  // Takes the step decided on, then adds up the Gram matrix and all right-hand sides but the corrector's.
  void add_up_system() {
    const std::ptrdiff_t tiles = tiles_size(strips_);
    totals_ = sum_over_panels<Level>(
        X_, frame_, tiles + 4 * width_ + scalars, task_.threads,
        [&](const RowPanel<Level>& panel, std::ptrdiff_t first, std::ptrdiff_t count, double* sums) {
          thread_local std::vector<double> work;
          work.resize(room(strips_ * strip_size));
          double amounts[panel_rows], vectors[4 * panel_rows];
          for (std::ptrdiff_t r = 0; r < count; ++r)
            amounts[r] = move_row(first + r, vectors + r, sums + tiles + 4 * width_);
          Block::add_products(panel.data(), strips_, count, amounts, work.data(), sums);
          Block::add_sums(panel.data(), strips_, count, vectors, 4, sums + tiles);
        });
    duals_ = totals_.data() + tiles;
    if (task_.pull)
      for (std::ptrdiff_t j = 0; j < frame_.width(); ++j) totals_[room(tiles + j)] += task_.pull[j];
    plus_duals_ = duals_ + width_;
    pull_ = plus_duals_ + width_;
    barrier_ = pull_ + width_;
    scalars_ = barrier_ + width_;
  }

  // Returns what the row weighs in the Gram matrix; vectors: its part in the sums of duals, of duals of the
  // first side, of the pull towards the margin, and of the push of the barrier.
  double move_row(std::ptrdiff_t row, double* vectors, double* sums) {
    const std::size_t i = room(row);
    const double u = rows_.dual[i] += step_length_ * rows_.dual_step[i];
    const double v = rows_.rest[i] -= step_length_ * rows_.dual_step[i];
    const double s = rows_.slack[i] += step_length_ * rows_.slack_step[i];
    const double m = rows_.surplus[i] += step_length_ * rows_.surplus_step[i];
    const double f = rows_.score[i] += step_length_ * rows_.score_step[i];
    const double share = task_.shares[row], sign = task_.signs[row];
    const double deficit = 1.0 - sign * f;
    const double t = (u * v) / (u * s + v * m);
    rows_.stiffness[i] = t;
    vectors[0] = share * sign * u;
    vectors[panel_rows] = sign > 0.0 ? share * u : 0.0;
    vectors[2 * panel_rows] = share * sign * t * deficit;
    vectors[3 * panel_rows] = share * sign * ((v - u) / (u * s + v * m));
    sums[hinge] += share * std::max(deficit, 0.0);
    sums[dual_sum] += share * u;
    sums[complement] += share * (deficit > 0.0 ? v * deficit : -u * deficit);
    sums[centering] += share * (u * m + v * s);
    return share * t;
  }

  double primal() const {
    double norm = 0.0;
    for (std::ptrdiff_t j = 0; j < frame_.cols; ++j)
      norm += task_.ridge[j] * weights_[room(j)] * weights_[room(j)];
    double settled = task_.settled;
    if (task_.pull)
      for (std::ptrdiff_t j = 0; j < frame_.width(); ++j) settled -= task_.pull[j] * weights_[room(j)];
    return scalars_[hinge] + settled + 0.5 * norm;
  }

  // The objective less the dual one, for which the duals of the heavier side are scaled down until both sides
  // balance. Where the ridge is so small that the rounding of sums alone would make the dual objective
  // useless, what the rows have left to gain stands for it.
  double duality_gap(double objective) const {
    constexpr double rounding = 1e-15;
    const double excess = frame_.ones ? duals_[frame_.cols] : 0.0;
    const double side = excess > 0.0   ? plus_duals_[frame_.cols]
                        : excess < 0.0 ? minus_duals(frame_.cols)
                                       : 1.0;
    if (side < std::fabs(excess)) return objective;  // nothing to scale; no dual objective is below zero
    const double scale = excess / side;
    double dual = task_.settled + scalars_[dual_sum] - std::fabs(excess);
    double noise = 0.0, off = std::fabs(excess * bias());
    for (std::ptrdiff_t j = 0; j < frame_.cols; ++j) {
      const double sum = duals_[j] - scale * (excess > 0.0 ? plus_duals_[j] : minus_duals(j));
      dual -= 0.5 * sum * (sum / task_.ridge[j]);
      noise += rounding * std::fabs(weights_[room(j)]) + rounding * (rounding / task_.ridge[j]);
      off += std::fabs((duals_[j] - task_.ridge[j] * weights_[room(j)]) * weights_[room(j)]);
    }
    const double rows_gap = scalars_[complement] + off;
    return noise <= 0.1 * task_.tolerance * objective ? std::max(objective - dual, 0.0) : rows_gap;
  }

  // The same sum over the rows of the second side as plus_duals_ of the first.
  double minus_duals(std::ptrdiff_t j) const {
    return plus_duals_[j] - duals_[j] + (task_.pull ? task_.pull[j] : 0.0);
  }

  double bias() const { return frame_.ones ? weights_[room(frame_.cols)] : 0.0; }

  void keep(double objective, double gap, SvmReport& report, SvmMachine& machine) const {
    report.objective = objective;
    report.gap = gap;
    std::copy_n(weights_.begin(), frame_.cols, machine.weights);
    machine.intercept = bias();
    if (gap < near_end * objective || report.iterations == task_.max_iter) settle_duals(machine);
  }

  // On the central path no dual is quite zero or one: says which ones will be.
  void settle_duals(SvmMachine& machine) const {
    const double largest = *std::max_element(rows_.dual.begin(), rows_.dual.end());
    for (std::size_t i = 0; i < rows_.dual.size(); ++i) {
      const bool none = rows_.dual[i] < largest * rows_.surplus[i], all = rows_.rest[i] < rows_.slack[i];
      machine.duals[i] = none ? 0.0 : all ? 1.0 : rows_.dual[i];
    }
  }

  void take_step() {
    const double mu = 0.5 * scalars_[centering] / shares_;
    system_.factor(totals_.data(), task_.ridge, frame_.cols);
    double aim = 0.5 * mu;
    // After a short step rows are far from the central path: head for it, rather than ahead.
    if (step_length_ > 0.0 && step_length_ < 0.1) {
      trust_ = 0.0;
      solve(aim, nullptr);
    } else {
      solve(0.0, nullptr);
      const std::vector<double> corrector = predict(mu, aim);
      solve(aim, corrector.data());
    }
    const double longest = find_step(aim);
    step_length_ = std::min(1.0, 0.995 * longest);
    for (std::ptrdiff_t j = 0; j < frame_.width(); ++j) weights_[room(j)] += step_length_ * step_[room(j)];
  }

  void solve(double aim, const double* corrector) {
    for (std::ptrdiff_t j = 0; j < frame_.width(); ++j) {
      const double ridge = j < frame_.cols ? task_.ridge[j] : 0.0;
      step_[room(j)] = duals_[j] - ridge * weights_[room(j)] + pull_[j] + aim * barrier_[j] +
                       (corrector ? corrector[j] : 0.0);
    }
    system_.solve(step_.data());
  }

  // Follows the predictor as far as it goes to see how much centering is due; returns the sums of what its
  // second-order terms ask for.
  std::vector<double> predict(double mu, double& aim) {
    std::vector<double> ratio(room((X_.rows + panel_rows - 1) / panel_rows));
    std::vector<double> sums = sum_over_panels<Level>(
        X_, frame_, width_ + 1, task_.threads,
        [&](const RowPanel<Level>& panel, std::ptrdiff_t first, std::ptrdiff_t count, double* out) {
          double amounts[panel_rows];
          Block::scores(panel.data(), strips_, count, step_.data(), rows_.score_step.data() + first);
          double& most = ratio[room(first / panel_rows)];
          for (std::ptrdiff_t r = 0; r < count; ++r) amounts[r] = predict_row(first + r, most, out[width_]);
          Block::add_sums(panel.data(), strips_, count, amounts, 1, out);
        });
    const double longest = std::min(1.0, 1.0 / *std::max_element(ratio.begin(), ratio.end()));
    const double now = 2.0 * mu * shares_;
    const double reached = now * (1.0 - longest) + longest * longest * sums[room(width_)];
    const double share = std::clamp(reached / now, 0.0, 1.0);
    aim = mu * share * share * share;
    // Where the predictor cannot go far, what it says of second order counts for little (Colombo and
    // Gondzio).
    trust_ = longest * longest;
    for (double& sum : sums) sum *= trust_;
    return sums;
  }

  // The predictor's change of a row; keeps the products of changes that a linear step leaves out.
  double predict_row(std::ptrdiff_t row, double& most, double& second_order) {
    const std::size_t i = room(row);
    const double u = rows_.dual[i], v = rows_.rest[i], s = rows_.slack[i], m = rows_.surplus[i];
    const double sign = task_.signs[row], share = task_.shares[row], t = rows_.stiffness[i];
    const double du = t * (1.0 - sign * (rows_.score[i] + rows_.score_step[i]));
    const double dm = -m * (1.0 + du / u), ds = -s * (1.0 - du / v);
    most = std::max({most, -du / u, du / v, -dm / m, -ds / s});
    rows_.surplus_step[i] = du * dm;
    rows_.slack_step[i] = -du * ds;
    second_order += share * (du * dm - du * ds);
    return share * sign * t * (rows_.slack_step[i] / v - rows_.surplus_step[i] / u);
  }

  // Works out the change of every row; returns how long the step may be.
  double find_step(double aim) {
    std::vector<double> ratio(room((X_.rows + panel_rows - 1) / panel_rows));
    sum_over_panels<Level>(
        X_, frame_, 1, task_.threads,
        [&](const RowPanel<Level>& panel, std::ptrdiff_t first, std::ptrdiff_t count, double*) {
          Block::scores(panel.data(), strips_, count, step_.data(), rows_.score_step.data() + first);
          double& most = ratio[room(first / panel_rows)];
          for (std::ptrdiff_t i = first; i < first + count; ++i) most = std::max(most, find_row_step(i, aim));
        });
    return 1.0 / *std::max_element(ratio.begin(), ratio.end());
  }

  double find_row_step(std::ptrdiff_t row, double aim) {
    const std::size_t i = room(row);
    const double u = rows_.dual[i], v = rows_.rest[i], s = rows_.slack[i], m = rows_.surplus[i];
    const double sign = task_.signs[row], t = rows_.stiffness[i];
    const double for_surplus = (aim - trust_ * rows_.surplus_step[i]) / u;
    const double for_slack = (aim - trust_ * rows_.slack_step[i]) / v;
    const double du = t * (1.0 - sign * (rows_.score[i] + rows_.score_step[i]) + for_surplus - for_slack);
    const double dm = for_surplus - m * (1.0 + du / u), ds = for_slack - s * (1.0 - du / v);
    rows_.dual_step[i] = du;
    rows_.surplus_step[i] = dm;
    rows_.slack_step[i] = ds;
    return std::max({-du / u, du / v, -dm / m, -ds / s});
  }

  Matrix<const T> X_;
  RowFrame frame_;
  SvmTask task_;
  std::ptrdiff_t strips_, width_;
  RowState rows_;
  std::vector<double> weights_, step_, totals_;  // weights: the intercept comes last
  const double *duals_ = nullptr, *plus_duals_ = nullptr, *pull_ = nullptr, *barrier_ = nullptr;
  const double* scalars_ = nullptr;
  NewtonSystem<Level> system_;
  double step_length_ = 0.0, trust_ = 0.0, shares_ = 0.0;
};

}  // namespace

template <class T>
SvmReport svm_interior_point(Matrix<const T> X, const RowFrame& frame, const SvmTask& task, double center,
                             SvmMachine& machine) {
  return at_active_level(
      [&]<class Level>() { return InteriorPoint<Level, T>(X, frame, task).run(center, machine); });
}

#define INSTANTIATE(T)                                                                            \
  template SvmReport svm_interior_point(Matrix<const T>, const RowFrame&, const SvmTask&, double, \
                                        SvmMachine&);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
