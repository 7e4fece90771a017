// Out-of-bag errors and importances (Breiman 2001): samples are drawn again to learn which rows each tree
// has not seen; errors are those of the votes so far, for every size of the forest; an importance is what
// trees err more once a column is shuffled among the rows they have not seen.
//
// Invariant: pieces of 2048 rows are summed by themselves and added in order, so that sums are the same for
// any number of threads. Cost: about a third of predicting all rows, and as much again for each column of
// the importances.
#include <numeric>

#include "classica/parallel.hpp"
#include "classica/random.hpp"
#include "walk.hpp"

namespace classica {
namespace {

constexpr std::ptrdiff_t rows_at_once = 2048;  // fixed, so that sums are the same for any number of threads

// Which rows each tree has learned from.
class InBag {
 public:
  InBag(const SampleRules& samples, std::ptrdiff_t trees, std::ptrdiff_t rows, int threads)
      : words_(static_cast<std::size_t>((rows + 63) / 64)), bits_(words_ * static_cast<std::size_t>(trees)) {
    parallel_for(trees, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      std::vector<std::uint32_t> counts(static_cast<std::size_t>(rows));
      for (std::ptrdiff_t t = begin; t < end; ++t) {
        std::fill(counts.begin(), counts.end(), 0u);
        draw_sample(samples, static_cast<std::uint64_t>(t), {counts.data(), rows, 1});
        std::uint64_t* bits = bits_.data() + static_cast<std::size_t>(t) * words_;
        for (std::size_t i = 0; i < counts.size(); ++i)
          if (counts[i] > 0) bits[i / 64] |= std::uint64_t{1} << (i % 64);
      }
    });
  }

  // The rows between two that a tree has not learned from.
  void others(std::ptrdiff_t tree, std::ptrdiff_t begin, std::ptrdiff_t end,
              std::vector<std::int32_t>& out) const {
    const std::uint64_t* bits = bits_.data() + static_cast<std::size_t>(tree) * words_;
    out.clear();
    for (std::ptrdiff_t i = begin; i < end; ++i)
      if (!(bits[i / 64] >> (i % 64) & 1)) out.push_back(static_cast<std::int32_t>(i));
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// How wrong a value is: 1 for another class than the right one, or the squared difference.
double error_of(const Target& target, std::int32_t row, const double* value, std::ptrdiff_t width,
                double scale) {
  if (target.classes > 0)
    return std::max_element(value, value + width) - value != target.codes[std::size_t(row)];
  const double difference = *value * scale - target.values[static_cast<std::size_t>(row)];
  return difference * difference;
}

}  // namespace

template <class T>
OutOfBag out_of_bag(Matrix<const T> X, const ForestView& forest, Matrix<const double> values,
                    const SampleRules& samples, const Target& target, int threads) {
  const std::ptrdiff_t width = values.cols, trees = forest.trees();
  const InBag bag(samples, trees, X.rows, threads);
  OutOfBag found;
  found.sums.resize(static_cast<std::size_t>(X.rows * width));
  found.trees.resize(static_cast<std::size_t>(X.rows));
  const std::ptrdiff_t pieces = (X.rows + rows_at_once - 1) / rows_at_once;
  std::vector<double> errors(static_cast<std::size_t>(pieces * trees)), judged(errors.size());
  parallel_for(pieces, 1, threads, [&](std::ptrdiff_t first, std::ptrdiff_t last) {
    std::vector<std::int32_t> rows;
    for (std::ptrdiff_t piece = first; piece < last; ++piece) {
      const std::ptrdiff_t begin = piece * rows_at_once, end = std::min(begin + rows_at_once, X.rows);
      std::vector<double> error(static_cast<std::size_t>(end - begin)), weight(error.size());
      for (std::ptrdiff_t t = 0; t < trees; ++t) {
        poll_interrupt();
        bag.others(t, begin, end, rows);
        const TreeWalk walk(forest, t, [&X](std::ptrdiff_t i, std::ptrdiff_t j) { return X(i, j); });
        walk.for_each_end(rows, [&](std::size_t k, std::int32_t id, double share) {
          walk.add_value(id, share, values, found.sums.data() + rows[k] * width);
        });
        for (const std::int32_t row : rows) {
          const std::uint32_t count = ++found.trees[static_cast<std::size_t>(row)];
          const auto at = static_cast<std::size_t>(row - begin);
          weight[at] = target.weight(static_cast<std::uint32_t>(row));
          error[at] = weight[at] * error_of(target, row, found.sums.data() + row * width, width, 1.0 / count);
        }
        const auto place = static_cast<std::size_t>(piece * trees + t);
        errors[place] = std::accumulate(error.begin(), error.end(), 0.0);
        judged[place] = std::accumulate(weight.begin(), weight.end(), 0.0);
      }
    }
  });
  found.errors.resize(static_cast<std::size_t>(trees));
  found.judged.resize(static_cast<std::size_t>(trees));
  for (std::size_t k = 0; k < errors.size(); ++k) {
    found.errors[k % static_cast<std::size_t>(trees)] += errors[k];
    found.judged[k % static_cast<std::size_t>(trees)] += judged[k];
  }
  return found;
}

namespace {

// What one tree loses on the rows it has not seen by each column that it asks for.
template <class T>
class TreeLosses {
 public:
  TreeLosses(Matrix<const T> X, const ForestView& forest, Matrix<const double> values, const Target& target,
             std::ptrdiff_t tree, std::span<const std::int32_t> rows)
      : X_(X), forest_(forest), values_(values), target_(target), tree_(tree), rows_(rows) {}

  std::vector<double> of_columns(std::uint64_t seed) {
    std::vector<double> losses(static_cast<std::size_t>(X_.cols));
    std::vector<std::uint8_t> is_asked(losses.size());
    for (std::int64_t k = forest_.starts[tree_]; k < forest_.starts[tree_ + 1]; ++k)
      if (!forest_.nodes[k].is_leaf()) is_asked[forest_.nodes[k].feature()] = 1;
    for (std::int64_t s = first_surrogate(tree_); s < first_surrogate(tree_ + 1); ++s)
      is_asked[static_cast<std::size_t>(forest_.surrogates[s].feature)] = 1;
    const double before = error([this](std::ptrdiff_t i, std::ptrdiff_t j) { return X_(i, j); });
    std::vector<std::int32_t> from(static_cast<std::size_t>(X_.rows));
    for (std::size_t j = 0; j < losses.size(); ++j) {
      if (!is_asked[j]) continue;
      poll_interrupt();
      shuffle(from, Philox(seed, static_cast<std::uint64_t>(tree_) << 32 | j));
      const auto exchanged = static_cast<std::ptrdiff_t>(j);
      losses[j] = error([&](std::ptrdiff_t i, std::ptrdiff_t column) {
                    return X_(column == exchanged ? from[static_cast<std::size_t>(i)] : i, column);
                  }) -
                  before;
    }
    return losses;
  }

 private:
  std::int64_t first_surrogate(std::ptrdiff_t tree) const {
    return forest_.surrogates_at.size > 0 ? forest_.surrogates_at[forest_.starts[tree]] : 0;
  }

  // Sets from where each row takes its cell.
  void shuffle(std::vector<std::int32_t>& from, const Philox& random) const {
    std::vector<std::int32_t> order(rows_.begin(), rows_.end());
    for (std::size_t k = order.size(); k > 1; --k)
      std::swap(order[k - 1], order[static_cast<std::size_t>(random.uniform(k) * static_cast<double>(k))]);
    for (std::size_t k = 0; k < order.size(); ++k) from[static_cast<std::size_t>(rows_[k])] = order[k];
  }

  template <class Cell>
  double error(Cell cell) {
    const auto width = static_cast<std::size_t>(values_.cols);
    said_.assign(rows_.size() * width, 0.0);
    const TreeWalk walk(forest_, tree_, cell);
    walk.for_each_end(rows_, [&](std::size_t k, std::int32_t id, double share) {
      walk.add_value(id, share, values_, said_.data() + k * width);
    });
    double wrong = 0.0, all = 0.0;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const double weight = target_.weight(static_cast<std::uint32_t>(rows_[k]));
      wrong += weight * error_of(target_, rows_[k], said_.data() + k * width, values_.cols, 1.0);
      all += weight;
    }
    return all > 0.0 ? wrong / all : 0.0;
  }

  Matrix<const T> X_;
  const ForestView& forest_;
  Matrix<const double> values_;
  const Target& target_;
  std::ptrdiff_t tree_;
  std::span<const std::int32_t> rows_;
  std::vector<double> said_;
};

}  // namespace

template <class T>
void out_of_bag_importances(Matrix<const T> X, const ForestView& forest, Matrix<const double> values,
                            const SampleRules& samples, const Target& target, std::uint64_t seed, int threads,
                            Vector<double> out) {
  const std::ptrdiff_t trees = forest.trees();
  const InBag bag(samples, trees, X.rows, threads);
  std::vector<std::vector<double>> losses(static_cast<std::size_t>(trees));
  parallel_for(trees, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    std::vector<std::int32_t> rows;
    for (std::ptrdiff_t t = begin; t < end; ++t) {
      bag.others(t, 0, X.rows, rows);
      if (!rows.empty())
        losses[static_cast<std::size_t>(t)] =
            TreeLosses<T>(X, forest, values, target, t, rows).of_columns(seed);
    }
  });
  double judged = 0.0;
  for (std::ptrdiff_t j = 0; j < out.size; ++j) out[j] = 0.0;
  for (const std::vector<double>& of_tree : losses) {
    judged += !of_tree.empty();
    for (std::size_t j = 0; j < of_tree.size(); ++j) out[static_cast<std::ptrdiff_t>(j)] += of_tree[j];
  }
  for (std::ptrdiff_t j = 0; j < out.size && judged > 0.0; ++j) out[j] /= judged;
}

template OutOfBag out_of_bag(Matrix<const float>, const ForestView&, Matrix<const double>, const SampleRules&,
                             const Target&, int);
template OutOfBag out_of_bag(Matrix<const double>, const ForestView&, Matrix<const double>,
                             const SampleRules&, const Target&, int);
template void out_of_bag_importances(Matrix<const float>, const ForestView&, Matrix<const double>,
                                     const SampleRules&, const Target&, std::uint64_t, int, Vector<double>);
template void out_of_bag_importances(Matrix<const double>, const ForestView&, Matrix<const double>,
                                     const SampleRules&, const Target&, std::uint64_t, int, Vector<double>);

}  // namespace classica
