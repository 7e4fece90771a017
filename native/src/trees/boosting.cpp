#include "classica/boosting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "../forests/builder.hpp"
#include "../forests/walk.hpp"
#include "classica/parallel.hpp"
#include "classica/reduce.hpp"
#include "regrowth.hpp"

namespace classica {
namespace {

// A member that is better than chance by less knows nothing.
constexpr double least_edge = 1e-6;
constexpr std::ptrdiff_t rows_at_once = 8192;

template <class Sum>
double sum_over_rows(std::ptrdiff_t rows, int threads, Sum sum) {
  double total = 0.0;
  blocked_reduce(
      rows, rows_at_once, 1, threads, [] { return 0.0; },
      [&](double& part, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i) part += sum(i);
      },
      [&](double part) { total += part; });
  return total;
}

double vote_of(const BoostRules& rules, double error) {
  return rules.learning_rate / 2 * (std::log((1 - error) / error) + rules.bonus);
}

// Of the classes with the most votes, but for rounding, the first.
std::ptrdiff_t leader(const double* votes, std::ptrdiff_t classes, double rounding) {
  const double most = *std::max_element(votes, votes + classes);
  return std::find_if(votes, votes + classes, [&](double v) { return v >= most - rounding; }) - votes;
}

// Wrong rows become exp(2 vote) times as heavy. Less for the others is the same, and cannot overflow.
void reweight(const BoostRows& rows, Vector<const std::int32_t> said, double vote, int threads) {
  const double factor = std::exp(-2 * vote);
  const double total = sum_over_rows(said.size, threads, [&](std::ptrdiff_t i) {
    return rows.weights[i] *= said[i] == rows.codes[i] ? factor : 1.0;
  });
  parallel_for(said.size, rows_at_once, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t i = begin; i < end; ++i) rows.weights[i] /= total;
  });
}

}  // namespace

BoostRound take_round(const BoostRules& rules, const BoostRows& rows, Vector<const std::int32_t> said,
                      double votes_before, int threads) {
  BoostRound round;
  round.error = sum_over_rows(
      said.size, threads, [&](std::ptrdiff_t i) { return said[i] == rows.codes[i] ? 0.0 : rows.weights[i]; });
  if (round.error >= rules.chance - least_edge) {
    round.end = RoundEnd::chance;
    if (votes_before > 0.0) return round;
    round.vote = 1.0;
  } else if (round.error > 0.0) {
    round.vote = vote_of(rules, round.error);
    reweight(rows, said, round.vote, threads);
  } else {
    round.end = RoundEnd::perfect;
    round.vote = vote_of(rules, 0.5 / (rules.cases + 1)) + votes_before;
  }
  const double rounding = std::max(1e-14 * (votes_before + round.vote), 1e-15);
  round.training_error = sum_over_rows(said.size, threads, [&](std::ptrdiff_t i) {
    double* votes = rows.votes.row(i);
    votes[said[i]] += round.vote;
    return leader(votes, rows.votes.cols, rounding) == rows.codes[i] ? 0.0 : rows.start[i];
  });
  return round;
}

namespace {

// Rows through a tree as it has just grown, by ranks instead of values.
class RankedTree {
 public:
  RankedTree(const RankTable& table, GrownTree tree) : table_(table) {
    for (std::size_t k = 0; k < tree.feature.size(); ++k)
      if (tree.feature[k] >= 0) tree.threshold[k] = last_rank(tree.feature[k], tree.threshold[k]);
    for (std::size_t s = 0; s < tree.surrogates.feature.size(); ++s)
      tree.surrogates.threshold[s] = last_rank(tree.surrogates.feature[s], tree.surrogates.threshold[s]);
    ForestBuilder builder(1, true, false);
    builder.add(tree, std::vector<double>(tree.feature.size()));
    forest_ = std::move(builder).finish();
  }

  // Writes the node in which each row ends.
  void go_down(int threads, std::vector<std::int32_t>& ends) const {
    const ForestView view{vector_of(forest_.nodes),         vector_of(forest_.starts),
                          vector_of(forest_.level_child),   {},
                          vector_of(forest_.surrogates),    vector_of(forest_.surrogate_level_child),
                          vector_of(forest_.surrogates_at), true};
    const auto cell = [this](std::ptrdiff_t row, std::ptrdiff_t column) {
      const std::uint32_t rank = table_.column(column)[row];
      return rank == missing_rank ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(rank);
    };
    const TreeWalk walk(view, 0, cell);
    parallel_for(table_.rows, rows_at_once, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      std::int32_t rows[walk.side_by_side];
      for (std::ptrdiff_t i = begin; i < end; i += static_cast<std::ptrdiff_t>(walk.side_by_side)) {
        const auto count = std::min(walk.side_by_side, static_cast<std::size_t>(end - i));
        std::iota(rows, rows + count, static_cast<std::int32_t>(i));
        walk.go_down({rows, count}, ends.data() + i);
      }
    });
  }

 private:
  template <class Item>
  static Vector<const Item> vector_of(const std::vector<Item>& items) {
    return {items.data(), static_cast<std::ptrdiff_t>(items.size()), 1};
  }

  // The rank of the largest value up to a threshold.
  double last_rank(std::int32_t column, double threshold) const {
    if (table_.categorical[column]) return threshold;
    const double* values = table_.values + table_.values_at[column];
    return static_cast<double>(std::upper_bound(values, values + table_.levels[column], threshold) - values) -
           1.0;
  }

  const RankTable& table_;
  Forest forest_;
};

// The class of most weight in each node, of equal ones the first.
std::vector<std::int32_t> classes_of(const GrownTree& tree, std::ptrdiff_t classes) {
  std::vector<std::int32_t> found;
  for (auto counts = tree.summary.begin(); counts != tree.summary.end(); counts += classes)
    found.push_back(static_cast<std::int32_t>(std::max_element(counts, counts + classes) - counts));
  return found;
}

// A row per node: the vote for its class.
std::vector<double> votes_of(const std::vector<std::int32_t>& classes, std::ptrdiff_t width, double vote) {
  std::vector<double> votes(classes.size() * static_cast<std::size_t>(width));
  for (std::size_t k = 0; k < classes.size(); ++k)
    votes[k * static_cast<std::size_t>(width) + static_cast<std::size_t>(classes[k])] = vote;
  return votes;
}

}  // namespace

BoostedTrees boost_trees(const RankTable& table, Target target, Vector<const double> start, double total,
                         GrowthRules rules, const BoostRules& boost, Vector<const std::uint64_t> seeds,
                         int threads) {
  const auto rows = static_cast<std::size_t>(table.rows);
  std::vector<double> weights(rows), votes(rows * static_cast<std::size_t>(target.classes));
  for (std::ptrdiff_t i = 0; i < table.rows; ++i) weights[static_cast<std::size_t>(i)] = start[i];
  std::vector<std::int32_t> codes(target.codes.begin(), target.codes.end()), said(rows);
  const BoostRows state{{codes.data(), table.rows, 1},
                        start,
                        {weights.data(), table.rows, 1},
                        {votes.data(), table.rows, target.classes, target.classes, 1}};
  std::vector<std::uint32_t> every(rows);
  std::iota(every.begin(), every.end(), 0u);
  target.weights.resize(rows);
  const auto growth = repeated_growth(table, target, {every.data(), table.rows, 1}, rules, threads);

  BoostedTrees found;
  ForestBuilder builder(target.classes, false, false);
  double votes_before = 0.0;
  for (std::ptrdiff_t t = 0; t < seeds.size; ++t) {
    rules.seed = seeds[t];
    for (std::size_t i = 0; i < rows; ++i) target.weights[i] = weights[i] * total;
    GrownTree tree = growth->grow();
    const std::vector<std::int32_t> classes = classes_of(tree, target.classes);
    RankedTree(table, tree).go_down(threads, said);
    for (std::int32_t& node : said) node = classes[static_cast<std::size_t>(node)];
    const BoostRound round = take_round(boost, state, {said.data(), table.rows, 1}, votes_before, threads);
    found.rounds.push_back(round);
    if (round.vote > 0.0) {
      votes_before += round.vote;
      builder.add(tree, votes_of(classes, target.classes, round.vote));
      found.trees.push_back(std::move(tree));
    }
    if (round.end != RoundEnd::none) break;
  }
  found.forest = std::move(builder).finish();
  return found;
}

}  // namespace classica
