// Fayyad and Irani's discretisation (1993): recursively the cut of least class entropy, as long as its gain
// pays for describing it (the minimum description length rule in `pays`).
//
// Invariant: `sums_` are running class weights, so that any range is a difference of two of them; of equal
// cuts the first is taken, and rows enter sorted by value and class, whatever their order. Cost: O(n log n)
// to sort, then O(distinct values * classes) per level of cuts.
#include "classica/cut_points.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "classica/parallel.hpp"

namespace classica {
namespace {

struct Case {
  double value;
  std::ptrdiff_t group;
  double weight;
};

// The class weights of a range of values, and what the criterion needs of them.
struct ClassCounts {
  const double* after;   // sums up to the end of the range
  const double* before;  // sums up to its begin
  std::ptrdiff_t classes;

  double count(std::ptrdiff_t c) const { return after[c] - before[c]; }
  double total() const {
    double sum = 0.0;
    for (std::ptrdiff_t c = 0; c < classes; ++c) sum += count(c);
    return sum;
  }
  double present() const {
    double number = 0.0;
    for (std::ptrdiff_t c = 0; c < classes; ++c) number += count(c) > 0.0;
    return number;
  }
  double entropy() const {  // in bits
    const double all = total();
    double sum = 0.0;
    for (std::ptrdiff_t c = 0; c < classes; ++c)
      if (count(c) > 0.0) sum -= count(c) / all * std::log2(count(c) / all);
    return sum;
  }
};

// The distinct values of one column and the class weights up to each.
class SortedColumn {
 public:
  SortedColumn(std::vector<Case> cases, std::ptrdiff_t classes) : classes_(classes) {
    std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
      return a.value != b.value ? a.value < b.value : a.group < b.group;
    });
    sums_.assign(static_cast<std::size_t>(classes), 0.0);
    for (const Case& one : cases) {
      if (values_.empty() || values_.back() != one.value) {
        values_.push_back(one.value);
        sums_.insert(sums_.end(), sums_.end() - classes, sums_.end());
      }
      sums_[sums_.size() - static_cast<std::size_t>(classes - one.group)] += one.weight;
    }
  }

  std::vector<double> cuts() const {
    std::vector<double> found;
    cut(0, static_cast<std::ptrdiff_t>(values_.size()), found);
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  const double* sums_before(std::ptrdiff_t p) const { return sums_.data() + p * classes_; }
  ClassCounts within(std::ptrdiff_t begin, std::ptrdiff_t end) const {
    return {sums_before(end), sums_before(begin), classes_};
  }

  // The first cut with the least class entropy: values before p against values from p on.
  std::ptrdiff_t best_cut(std::ptrdiff_t begin, std::ptrdiff_t end) const {
    std::ptrdiff_t best = begin;
    double least = 0.0;
    for (std::ptrdiff_t p = begin + 1; p < end; ++p) {
      if ((p & 1023) == 0) poll_interrupt();
      const ClassCounts left = within(begin, p), right = within(p, end);
      const double mixed = left.total() * left.entropy() + right.total() * right.entropy();
      if (best == begin || mixed < least) {
        best = p;
        least = mixed;
      }
    }
    return best;
  }

  // Whether the gain exceeds (log2(N - 1) + log2(3^k - 2) - k Ent(S) + k1 Ent(S1) + k2 Ent(S2)) / N.
  bool pays(std::ptrdiff_t begin, std::ptrdiff_t p, std::ptrdiff_t end) const {
    const ClassCounts all = within(begin, end), left = within(begin, p), right = within(p, end);
    const double total = all.total(), entropy = all.entropy();
    if (!(total > 1.0)) return false;
    const double gain = entropy - (left.total() * left.entropy() + right.total() * right.entropy()) / total;
    const double k = all.present();
    // 3^k - 2, without overflow for hundreds of classes.
    const double labels = k * std::log2(3.0) + std::log2(1.0 - 2.0 * std::pow(3.0, -k));
    const double delta =
        labels - k * entropy + left.present() * left.entropy() + right.present() * right.entropy();
    return gain > (std::log2(total - 1.0) + delta) / total;
  }

  void cut(std::ptrdiff_t begin, std::ptrdiff_t end, std::vector<double>& found) const {
    if (end - begin < 2 || within(begin, end).present() < 2.0) return;
    const std::ptrdiff_t p = best_cut(begin, end);
    if (!pays(begin, p, end)) return;
    const double below = values_[static_cast<std::size_t>(p - 1)],
                 above = values_[static_cast<std::size_t>(p)];
    const double middle = below + (above - below) / 2.0;
    found.push_back(middle < above ? middle : below);
    cut(begin, p, found);
    cut(p, end, found);
  }

  std::ptrdiff_t classes_;
  std::vector<double> values_;
  std::vector<double> sums_;  // [values + 1][classes]
};

}  // namespace

template <class T>
std::vector<std::vector<double>> cut_points(Matrix<const T> X, Vector<const std::int32_t> columns,
                                            Vector<const std::int32_t> group, Vector<const double> weights,
                                            std::ptrdiff_t classes, int threads) {
  std::vector<std::vector<double>> found(static_cast<std::size_t>(columns.size));
  parallel_for(columns.size, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t j = begin; j < end; ++j) {
      std::vector<Case> cases;
      for (std::ptrdiff_t i = 0; i < X.rows; ++i) {
        if (group[i] < 0 || group[i] >= classes) throw std::out_of_range("a group code is out of range");
        const double x = static_cast<double>(X(i, columns[j]));
        if (!std::isnan(x)) cases.push_back({x + 0.0, group[i], weights.size ? weights[i] : 1.0});
      }
      found[static_cast<std::size_t>(j)] = SortedColumn(std::move(cases), classes).cuts();
    }
  });
  return found;
}

#define INSTANTIATE(T)                                                                                   \
  template std::vector<std::vector<double>> cut_points(Matrix<const T>, Vector<const std::int32_t>,      \
                                                       Vector<const std::int32_t>, Vector<const double>, \
                                                       std::ptrdiff_t, int);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
