// The same coordinate descent without a matrix of all products, column by column (as glmnet does: Friedman,
// Hastie and Tibshirani 2010): slopes follow from how far the step so far has moved the score of each row.
//
// Invariant: `moves_` and `shared_` are those of the step so far. First all coordinates are visited, then
// those that are not zero until they rest, then all again; it ends after a sweep over all that moves
// nothing by more than the tolerance. Cost: O(stored cells of the column) per visit.
#include <algorithm>
#include <vector>

#include "classica/logistic.hpp"
#include "classica/parallel.hpp"
#include "soft_step.hpp"

namespace classica {
namespace {

std::size_t room(std::ptrdiff_t size) { return static_cast<std::size_t>(size); }

std::ptrdiff_t table_columns(const DenseDouble& X) { return X.cols; }
std::ptrdiff_t table_columns(const DenseFloat& X) { return X.cols; }
template <class T, class Index>
std::ptrdiff_t table_columns(const SparseRows<T, Index>& transposed) {
  return transposed.rows;
}

// Calls body(row, value) for the cells of a column.
template <class T, class Body>
void for_each_cell(Matrix<const T> X, std::ptrdiff_t column, Body body) {
  for (std::ptrdiff_t i = 0; i < X.rows; ++i) body(i, static_cast<double>(X(i, column)));
}
template <class T, class Index, class Body>
void for_each_cell(const SparseRows<T, Index>& X, std::ptrdiff_t column, Body body) {
  for (std::ptrdiff_t k = X.starts[column]; k < static_cast<std::ptrdiff_t>(X.starts[column + 1]); ++k)
    body(static_cast<std::ptrdiff_t>(X.columns[k]), static_cast<double>(X.values[k]));
}

// The quadratic model of a table, and how far the step so far has changed the scores.
template <class Columns>
class ColumnDescent {
 public:
  ColumnDescent(const Columns& X, const UsedColumns& used, const RowCurvature& curvature,
                Matrix<const double> gradient, Matrix<const double> at, Vector<const double> ridge,
                Vector<const double> bounds, Matrix<double> step)
      : X_(X),
        used_(used),
        curvature_(curvature),
        gradient_(gradient),
        at_(at),
        ridge_(ridge),
        bounds_(bounds),
        step_(step),
        vectors_(at.rows),
        rows_(curvature.bends.cols),
        moves_(room(vectors_ * rows_)),
        shared_(room(rows_)),
        bends_(room(vectors_ * at.cols)) {
    for (std::ptrdiff_t j = 0; j < at.cols; ++j)
      for (std::ptrdiff_t c = 0; c < vectors_; ++c) bends_[room(c * at.cols + j)] = bend_of(c, j);
  }

  // One coordinate; returns by how much it has changed its slope.
  double visit(std::ptrdiff_t c, std::ptrdiff_t j) {
    const double bend = bends_[room(c * at_.cols + j)], from = at_(c, j) + step_(c, j);
    if (!(bend > 0.0)) return 0.0;  // a column that says nothing
    const double to = lowest_at(from, slope_of(c, j), bend, bounds_[j]);
    const double change = to - from;
    if (change == 0.0) return 0.0;
    step_(c, j) = to == 0.0 ? -at_(c, j) : step_(c, j) + change;
    double* moves = moves_.data() + c * rows_;
    const double* shares = curvature_.shares.row(c);
    for_each_value(j, [&](std::ptrdiff_t i, double z) {
      moves[i] += z * change;
      shared_[room(i)] += shares[i] * z * change;
    });
    return std::abs(change) * bend;
  }

  bool is_zero(std::ptrdiff_t c, std::ptrdiff_t j) const { return at_(c, j) + step_(c, j) == 0.0; }

 private:
  template <class Body>
  void for_each_value(std::ptrdiff_t j, Body body) {
    poll_interrupt();
    const std::ptrdiff_t place = used_.places[j];
    if (place == table_columns(X_)) {
      for (std::ptrdiff_t i = 0; i < rows_; ++i) body(i, 1.0);
      return;
    }
    const double center = used_.center[place], scale = used_.scale[place];
    for_each_cell(X_, place, [&](std::ptrdiff_t i, double x) { body(i, (x - center) / scale); });
  }

  double bend_of(std::ptrdiff_t c, std::ptrdiff_t j) {
    const double *bends = curvature_.bends.row(c), *shares = curvature_.shares.row(c);
    double sum = ridge_[j];
    for_each_value(j, [&](std::ptrdiff_t i, double z) { sum += z * z * bends[i] * (1.0 - shares[i]); });
    return sum;
  }

  double slope_of(std::ptrdiff_t c, std::ptrdiff_t j) {
    const double *bends = curvature_.bends.row(c), *moves = moves_.data() + c * rows_;
    double sum = gradient_(c, j) + ridge_[j] * step_(c, j);
    for_each_value(j,
                   [&](std::ptrdiff_t i, double z) { sum += z * bends[i] * (moves[i] - shared_[room(i)]); });
    return sum;
  }

  const Columns& X_;
  const UsedColumns& used_;
  const RowCurvature& curvature_;
  Matrix<const double> gradient_, at_;
  Vector<const double> ridge_, bounds_;
  Matrix<double> step_;
  std::ptrdiff_t vectors_, rows_;
  std::vector<double> moves_;   // of the scores of each class, [vectors, rows]
  std::vector<double> shared_;  // the mean move of a row by its shares
  std::vector<double> bends_;   // [vectors, columns used]
};

}  // namespace

template <class Columns>
std::ptrdiff_t descend_columns(const Columns& X, const UsedColumns& used, const RowCurvature& curvature,
                               Matrix<const double> gradient, Matrix<const double> at,
                               Vector<const double> ridge, Vector<const double> bounds, double tolerance,
                               std::ptrdiff_t sweeps, Matrix<double> step) {
  ColumnDescent<Columns> descent(X, used, curvature, gradient, at, ridge, bounds, step);
  std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> active;
  bool all = true;  // first all coordinates, then those that are not zero until they rest, then all again
  for (std::ptrdiff_t sweep = 1; sweep <= sweeps; ++sweep) {
    double moved = 0.0;
    if (all) {
      active.clear();
      for (std::ptrdiff_t j = 0; j < at.cols; ++j)
        for (std::ptrdiff_t c = 0; c < at.rows; ++c) {
          moved = std::max(moved, descent.visit(c, j));
          if (!descent.is_zero(c, j)) active.emplace_back(c, j);
        }
    } else {
      for (const auto& [c, j] : active) moved = std::max(moved, descent.visit(c, j));
    }
    if (moved > tolerance)
      all = false;
    else if (all)
      return sweep;
    else
      all = true;
  }
  return sweeps;
}

#define INSTANTIATE(Columns)                                                                                \
  template std::ptrdiff_t descend_columns(const Columns&, const UsedColumns&, const RowCurvature&,          \
                                          Matrix<const double>, Matrix<const double>, Vector<const double>, \
                                          Vector<const double>, double, std::ptrdiff_t, Matrix<double>);
CLASSICA_FOR_EACH_ROWS_TYPE(INSTANTIATE)

}  // namespace classica
