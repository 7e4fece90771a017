// The distinct values of columns: small whole numbers have a mark each, the others are kept in a hash set,
// and sets of blocks are joined (own).
//
// Invariant: the result is sorted and does not depend on blocks or threads; missing cells are left out.
// Cost: O(cells), and O(d log d) for d distinct values.
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "classica/coded_columns.hpp"
#include "classica/reduce.hpp"
#include "coder.hpp"

namespace classica {
namespace {

// Small whole numbers have a mark each; the rest are kept in a set.
class ValueSet {
 public:
  void insert(double x) {
    if (is_small_whole(x, marks - 1.0))
      marked_[static_cast<std::size_t>(x)] = true;
    else if (!std::isnan(x))
      others_.insert(x);
  }
  void insert(const ValueSet& other) {
    for (std::size_t x = 0; x < marks; ++x) marked_[x] |= other.marked_[x];
    others_.insert(other.others_.begin(), other.others_.end());
  }
  std::vector<double> ascending() const {
    std::vector<double> values(others_.begin(), others_.end());
    for (std::size_t x = 0; x < marks; ++x)
      if (marked_[x]) values.push_back(static_cast<double>(x));
    std::sort(values.begin(), values.end());
    return values;
  }

 private:
  static constexpr std::size_t marks = 256;
  std::array<bool, marks> marked_{};
  std::unordered_set<double> others_;
};

}  // namespace

template <class T>
std::vector<std::vector<double>> distinct_values(Matrix<const T> X, Vector<const std::int32_t> columns,
                                                 int threads) {
  const auto count = static_cast<std::size_t>(columns.size);
  std::vector<ValueSet> all(count);
  blocked_reduce(
      X.rows, rows_per_block(X.cols) / 8 + 1, columns.size * 256, threads,
      [&] { return std::vector<ValueSet>(count); },
      [&](std::vector<ValueSet>& sets, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::size_t k = 0; k < count; ++k)
          for (std::ptrdiff_t i = begin; i < end; ++i)
            sets[k].insert(static_cast<double>(X(i, columns[static_cast<std::ptrdiff_t>(k)])));
      },
      [&](const std::vector<ValueSet>& sets) {
        for (std::size_t k = 0; k < count; ++k) all[k].insert(sets[k]);
      });
  std::vector<std::vector<double>> values;
  for (const ValueSet& set : all) values.push_back(set.ascending());
  return values;
}

template std::vector<std::vector<double>> distinct_values(DenseFloat, Vector<const std::int32_t>, int);
template std::vector<std::vector<double>> distinct_values(DenseDouble, Vector<const std::int32_t>, int);

}  // namespace classica
