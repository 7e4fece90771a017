// AdaBoost (Freund and Schapire 1997) for more classes by SAMME (Zhu, Zou, Rosset and Hastie 2009) or as
// AdaBoost.M1, told apart by `bonus` and `chance` alone. Trees grow on columns that are sorted once for all
// rounds.
//
// Invariant: weights sum to one after every round; rows that were right shrink, in place of wrong ones
// growing, so that nothing overflows. Sums run over blocks of fixed size in index order: the same bits for
// any number of threads. Cost: that of the trees, and O(rows) per round.
#include "classica/boosting.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../forests/builder.hpp"
#include "classica/parallel.hpp"
#include "classica/reduce.hpp"
#include "regrowth.hpp"

namespace classica {
namespace {

// A member that is better than chance by less knows nothing.
constexpr double least_edge = 1e-6;
// Fixed, so that sums are the same for any number of threads; a few microseconds of work.
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
  if (classes == 2) return votes[1] - rounding > votes[0];
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

// A row per node: the vote for the class of most weight.
std::vector<double> votes_of(const GrownTree& tree, std::ptrdiff_t classes, double vote) {
  std::vector<double> votes(tree.summary.size());
  for (auto counts = tree.summary.begin(); counts != tree.summary.end(); counts += classes)
    votes[static_cast<std::size_t>(std::max_element(counts, counts + classes) - tree.summary.begin())] = vote;
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
    GrownTree tree = growth->grow(said);
    const BoostRound round = take_round(boost, state, {said.data(), table.rows, 1}, votes_before, threads);
    found.rounds.push_back(round);
    if (round.vote > 0.0) {
      votes_before += round.vote;
      builder.add(tree, votes_of(tree, target.classes, round.vote));
      found.trees.push_back(std::move(tree));
    }
    if (round.end != RoundEnd::none) break;
  }
  found.forest = std::move(builder).finish();
  return found;
}

}  // namespace classica
