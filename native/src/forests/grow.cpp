// Random forests (Breiman 2001): tree k grows on sample k of the rows, with columns drawn at each node. A
// sample is known by (seed, number), so that nobody stores it, and a tree grows on the distinct rows of its
// sample with counts.
//
// Invariant: a tree depends on the seed and its number alone. Trees are grown side by side and packed in
// the order of their numbers as soon as it is their turn; few trees are grown one after the other, each by
// all threads. Cost: O(trees * drawn columns * rows log rows).
#include <mutex>
#include <optional>
#include <utility>

#include "builder.hpp"
#include "classica/parallel.hpp"
#include "classica/random.hpp"

namespace classica {
namespace {

// What one tree learns from: the rows of its sample, each as often as it was drawn.
struct TreeSample {
  Target target;
  std::vector<std::uint32_t> rows;
};

std::vector<double> balanced(const Target& target, const std::vector<std::uint32_t>& rows) {
  std::vector<double> of_class(static_cast<std::size_t>(target.classes));
  double total = 0.0, classes = 0.0;
  for (const std::uint32_t row : rows) of_class[target.codes[row]] += target.weight(row);
  for (const double weight : of_class) total += weight, classes += weight > 0.0;
  std::vector<double> weights(target.codes.size());
  for (const std::uint32_t row : rows)
    weights[row] = target.weight(row) * total / (classes * of_class[target.codes[row]]);
  return weights;
}

TreeSample sample_for(const Target& all, const ForestRules& forest, std::ptrdiff_t number,
                      std::ptrdiff_t rows) {
  TreeSample sample{all, {}};
  Target& target = sample.target;
  if (!forest.samples_rows) {
    sample.rows.resize(static_cast<std::size_t>(rows));
    std::iota(sample.rows.begin(), sample.rows.end(), 0u);
  } else {
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(rows));
    draw_sample(forest.samples, static_cast<std::uint64_t>(number), {counts.data(), rows, 1});
    for (std::uint32_t row = 0; row < counts.size(); ++row) {
      if (counts[row] == 0) continue;
      sample.rows.push_back(row);
      if (!target.weights.empty()) target.weights[row] *= counts[row];
      if (!target.cases.empty()) target.cases[row] *= counts[row];
    }
    if (*std::max_element(counts.begin(), counts.end()) > 1) target.counts = std::move(counts);
  }
  if (forest.balances_samples) target.weights = balanced(target, sample.rows);
  // Weights that are not counts need cases of their own.
  if (!target.weights.empty() && target.cases.empty() && !target.counts.empty())
    target.cases.assign(target.counts.begin(), target.counts.end());
  return sample;
}

// Grown trees may come in any order; they go into the forest in theirs.
class InOrder {
 public:
  InOrder(const RankTable& table, const Target& target, const GrowthRules& rules, const ForestRules& forest)
      : width_(target.classes > 0 ? target.classes : 1),
        classes_(target.classes),
        smoothing_(forest.smoothing),
        waiting_(static_cast<std::size_t>(forest.trees)),
        by_column_(static_cast<std::size_t>(table.cols)),
        builder_(width_, target.classes == 0, rules.missing == MissingPolicy::fraction) {}

  void take(std::ptrdiff_t number, GrownTree tree) {
    const std::lock_guard<std::mutex> one_at_a_time(lock_);
    waiting_[static_cast<std::size_t>(number)] = std::move(tree);
    for (; next_ < waiting_.size() && waiting_[next_]; ++next_) {
      builder_.add(*waiting_[next_], values_of(*waiting_[next_]));
      add_gains(*waiting_[next_]);
      waiting_[next_].reset();
    }
  }

  Forest finish() {
    Forest forest = std::move(builder_).finish();
    forest.gains_at = std::move(gains_at_);
    forest.gain_columns = std::move(gain_columns_);
    forest.gains = std::move(gains_);
    return forest;
  }

 private:
  // The share of each class in each node, or the number.
  std::vector<double> values_of(const GrownTree& tree) const {
    if (classes_ == 0) {
      std::vector<double> values;
      for (std::size_t k = 1; k < tree.summary.size(); k += 3) values.push_back(tree.summary[k]);
      return values;
    }
    std::vector<double> shares = tree.summary;
    const auto width = static_cast<std::size_t>(width_);
    for (std::size_t k = 0; k < shares.size(); k += width) {
      double total = 0.0;
      for (std::size_t c = 0; c < width; ++c) total += shares[k + c] += smoothing_;
      for (std::size_t c = 0; c < width; ++c) shares[k + c] /= total;
    }
    return shares;
  }

  void add_gains(const GrownTree& tree) {
    double total = 0.0;
    for (const double gain : tree.gain) total += std::max(gain, 0.0);
    for (std::size_t k = 0; k < tree.gain.size(); ++k)
      if (tree.gain[k] > 0.0) by_column_[static_cast<std::size_t>(tree.feature[k])] += tree.gain[k] / total;
    for (std::size_t j = 0; j < by_column_.size(); ++j) {
      if (by_column_[j] == 0.0) continue;
      gain_columns_.push_back(static_cast<std::int32_t>(j));
      gains_.push_back(std::exchange(by_column_[j], 0.0));
    }
    gains_at_.push_back(static_cast<std::int64_t>(gains_.size()));
  }

  std::ptrdiff_t width_, classes_;
  double smoothing_;
  std::mutex lock_;
  std::size_t next_ = 0;
  std::vector<std::optional<GrownTree>> waiting_;
  std::vector<double> by_column_;  // gains of the tree at hand; zero between trees
  std::vector<std::int64_t> gains_at_{0};
  std::vector<std::int32_t> gain_columns_;
  std::vector<double> gains_;
  ForestBuilder builder_;
};

}  // namespace

Forest grow_forest(const RankTable& given, const Target& target, const GrowthRules& rules,
                   const ForestRules& forest, int threads) {
  std::optional<TableForMany> for_many;
  if (rules.max_features > 0 && forest.trees > 1) for_many.emplace(given, threads);
  const RankTable& table = for_many ? for_many->table() : given;
  // Few trees are grown one after the other, each by all threads.
  const int side_by_side = forest.trees >= threads ? threads : 1;
  InOrder trees(table, target, rules, forest);
  parallel_for(forest.trees, 1, side_by_side, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t t = begin; t < end; ++t) {
      const TreeSample sample = sample_for(target, forest, t, table.rows);
      GrowthRules own = rules;
      own.seed = Philox(rules.seed, static_cast<std::uint64_t>(t)).block({0, 0, 0, 1})[0];
      const auto count = static_cast<std::ptrdiff_t>(sample.rows.size());
      trees.take(t, grow_tree(table, sample.target, {sample.rows.data(), count, 1}, own,
                              side_by_side > 1 ? 1 : threads));
    }
  });
  return trees.finish();
}

}  // namespace classica
