// Kernel densities of columns (Parzen 1962; in naive Bayes: John and Langley 1995). The bells of the sorted
// values are added from the nearest outwards, up to where they are below 1e-21 of the nearest or cannot
// change the sum any more.
//
// Invariant: the log of the sum is taken relative to the nearest bell, so that far-off rows have finite
// scores; every distinct value of the query is worked out once, and rows look it up. Cost: O(distinct
// values of the query * bells within reach) per column and class.
#include "classica/kernel_density.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

#include "classica/parallel.hpp"

namespace classica {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_square = 1e300;

using Weighted = std::vector<std::pair<double, double>>;  // value, weight

// Joins equal values; returns how many are left.
std::ptrdiff_t write_distinct(const Weighted& cells, double* values, double* masses) {
  std::ptrdiff_t count = 0;
  for (const auto& [value, weight] : cells) {
    if (count && values[count - 1] == value) {
      masses[count - 1] += weight;
      continue;
    }
    values[count] = value;
    masses[count++] = weight;
  }
  return count;
}

double quantile(const double* values, const double* masses, std::ptrdiff_t count, double share) {
  double total = 0.0, below = 0.0;
  for (std::ptrdiff_t p = 0; p < count; ++p) total += masses[p];
  for (std::ptrdiff_t p = 0; p < count; ++p)
    if ((below += masses[p]) >= share * total) return values[p];
  return count ? values[count - 1] : 0.0;
}

double mean_gap(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto distinct = std::unique(values.begin(), values.end()) - values.begin();
  if (distinct < 2) return 0.0;
  return (values[static_cast<std::size_t>(distinct - 1)] - values[0]) / static_cast<double>(distinct - 1);
}

template <class T>
void sort_column(Matrix<const T> X, const SortedColumns& sorted, Vector<const std::int32_t> group,
                 Vector<const double> weights, std::ptrdiff_t j, const SortedOutput& out) {
  std::vector<Weighted> cells(static_cast<std::size_t>(sorted.classes));
  for (std::ptrdiff_t i = 0; i < X.rows; ++i) {
    const double x = static_cast<double>(X(i, sorted.columns[j]));
    if (group[i] < 0 || group[i] >= sorted.classes) throw std::out_of_range("a group code is out of range");
    if (!std::isnan(x))
      cells[static_cast<std::size_t>(group[i])].emplace_back(x + 0.0, weights.size ? weights[i] : 1.0);
  }
  double* values = out.values + j * sorted.rows;
  double* masses = out.masses + j * sorted.rows;
  std::int64_t* starts = out.starts + j * (sorted.classes + 1);
  starts[0] = 0;
  for (std::ptrdiff_t c = 0; c < sorted.classes; ++c) {
    Weighted& own = cells[static_cast<std::size_t>(c)];
    std::sort(own.begin(), own.end());
    const std::ptrdiff_t count = write_distinct(own, values + starts[c], masses + starts[c]);
    starts[c + 1] = starts[c] + count;
    for (int side = 0; side < 2; ++side)
      out.quartiles[(j * sorted.classes + c) * 2 + side] =
          quantile(values + starts[c], masses + starts[c], count, side ? 0.75 : 0.25);
  }
  out.gaps[j] = mean_gap({values, values + starts[sorted.classes]});
}

// One class's values in one column.
struct Bells {
  const double* values;
  const double* masses;
  std::ptrdiff_t count;
  double bandwidth;
  double largest_mass = 0.0;
};

double squared_distance(const Bells& bells, std::ptrdiff_t p, double x) {
  const double z = (x - bells.values[p]) / bells.bandwidth;
  return std::min(z * z, largest_square);
}

// The log of the sum of the bells at x, times bandwidth and sqrt(2 pi). From the nearest value outwards, up
// to where bells are below 1e-21 of the nearest, or so small that the sum would be rounded to what it is.
double log_bells(const Bells& bells, double x) {
  constexpr double reach = 100.0, lost = 0x1p-55;
  std::ptrdiff_t right = std::lower_bound(bells.values, bells.values + bells.count, x) - bells.values;
  std::ptrdiff_t left = right - 1;
  const double nearest = std::min(left >= 0 ? squared_distance(bells, left, x) : infinity,
                                  right < bells.count ? squared_distance(bells, right, x) : infinity);
  double sum = 0.0;
  const auto take = [&](std::ptrdiff_t p) {
    const double further = squared_distance(bells, p, x) - nearest;
    if (further > reach) return false;
    const double height = std::exp(-0.5 * further);
    sum += bells.masses[p] * height;
    return bells.largest_mass * height >= sum * lost;
  };
  while (right < bells.count && take(right)) ++right;
  while (left >= 0 && take(left)) --left;
  return std::log(sum) - 0.5 * nearest;
}

// The densities of one column in all classes.
class ColumnDensity {
 public:
  ColumnDensity(const SortedColumns& sorted, const double* bandwidths, std::ptrdiff_t j) {
    const std::int64_t* starts = sorted.starts + j * (sorted.classes + 1);
    const double half_log_2_pi = 0.5 * std::log(2.0 * std::numbers::pi);
    for (std::ptrdiff_t c = 0; c < sorted.classes; ++c) {
      const std::ptrdiff_t begin = j * sorted.rows + starts[c];
      Bells own{sorted.values + begin, sorted.masses + begin, starts[c + 1] - starts[c],
                bandwidths[c * sorted.count + j]};
      double mass = 0.0;
      for (std::ptrdiff_t p = 0; p < own.count; ++p) {
        mass += own.masses[p];
        own.largest_mass = std::max(own.largest_mass, own.masses[p]);
      }
      classes_.push_back(own);
      log_scales_.push_back(std::log(own.bandwidth) + half_log_2_pi);
      log_masses_.push_back(std::log(mass));
      total_ += mass;
      is_used_ |= own.bandwidth > 0.0;
    }
  }

  bool is_used() const { return is_used_; }

  // What x adds to the score of each class.
  void terms(double x, double* added, std::vector<double>& logs) const {
    bool is_partial = false;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      logs[c] = classes_[c].count ? log_bells(classes_[c], x) - log_scales_[c] : -infinity;
      is_partial |= classes_[c].count == 0;
    }
    const double of_all = is_partial ? log_mixture(logs) : 0.0;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      added[c] = classes_[c].count ? logs[c] - log_masses_[c] : of_all;
  }

 private:
  double log_mixture(const std::vector<double>& logs) const {
    const double top = *std::max_element(logs.begin(), logs.end());
    double sum = 0.0;
    for (const double log : logs) sum += std::exp(log - top);
    return top + std::log(sum) - std::log(total_);
  }

  std::vector<Bells> classes_;
  std::vector<double> log_scales_, log_masses_;
  double total_ = 0.0;
  bool is_used_ = false;
};

// Every distinct value is worked out once: cells of few values, as whole numbers are, come again and again.
template <class T>
void add_column_scores(Matrix<const T> X, const SortedColumns& sorted, const ColumnDensity& density,
                       std::ptrdiff_t j, int threads, double* scores) {
  const auto cell = [&](std::ptrdiff_t i) { return static_cast<double>(X(i, sorted.columns[j])); };
  std::vector<double> values;
  for (std::ptrdiff_t i = 0; i < X.rows; ++i)
    if (!std::isnan(cell(i))) values.push_back(cell(i));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<double> added(values.size() * static_cast<std::size_t>(sorted.classes));
  const std::ptrdiff_t work = 8 * (sorted.classes + sorted.rows / 8) + 1;
  parallel_for(static_cast<std::ptrdiff_t>(values.size()), (std::ptrdiff_t{1} << 20) / work + 1, threads,
               [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                 std::vector<double> logs(static_cast<std::size_t>(sorted.classes));
                 for (std::ptrdiff_t k = begin; k < end; ++k)
                   density.terms(values[static_cast<std::size_t>(k)], added.data() + k * sorted.classes,
                                 logs);
               });
  for (std::ptrdiff_t i = 0; i < X.rows; ++i) {
    if (std::isnan(cell(i))) continue;
    const std::ptrdiff_t k = std::lower_bound(values.begin(), values.end(), cell(i)) - values.begin();
    for (std::ptrdiff_t c = 0; c < sorted.classes; ++c)
      scores[i * sorted.classes + c] += added[static_cast<std::size_t>(k * sorted.classes + c)];
  }
}

}  // namespace

template <class T>
void sort_columns(Matrix<const T> X, const SortedColumns& shape, Vector<const std::int32_t> group,
                  Vector<const double> weights, int threads, const SortedOutput& out) {
  parallel_for(shape.count, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t j = begin; j < end; ++j) sort_column(X, shape, group, weights, j, out);
  });
}

template <class T>
void add_density_scores(Matrix<const T> X, const SortedColumns& sorted, const double* bandwidths, int threads,
                        double* scores) {
  for (std::ptrdiff_t j = 0; j < sorted.count; ++j) {
    const ColumnDensity density(sorted, bandwidths, j);
    if (density.is_used()) add_column_scores(X, sorted, density, j, threads, scores);
  }
}

#define INSTANTIATE(T)                                                                          \
  template void sort_columns(Matrix<const T>, const SortedColumns&, Vector<const std::int32_t>, \
                             Vector<const double>, int, const SortedOutput&);                   \
  template void add_density_scores(Matrix<const T>, const SortedColumns&, const double*, int, double*);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
