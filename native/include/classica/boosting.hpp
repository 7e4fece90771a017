// AdaBoost: rounds of learning from rows that become heavier where members are wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "classica/forest.hpp"
#include "classica/tree.hpp"

namespace classica {

// A member whose errors weigh e votes with learning_rate / 2 * (ln((1 - e) / e) + bonus). One that errs as
// much as chance does is left out, but the first one stays and votes with 1. One without errors votes as if
// it had made half an error in one case more than there are, and with all votes before it.
struct BoostRules {
  double learning_rate = 1.0, bonus = 0.0, chance = 0.5, cases = 1.0;
};

// Why there is no further round.
CLASSICA_WORDS(RoundEnd, none, chance, perfect);

struct BoostRound {
  double error = 0.0;           // the weight of the rows the member gets wrong
  double vote = 0.0;            // 0: it is left out
  double training_error = 0.0;  // of all members so far, by the weights at the start
  RoundEnd end = RoundEnd::none;
};

// The rows as members come in: weights sum to one, votes have a column per class.
struct BoostRows {
  Vector<const std::int32_t> codes;
  Vector<const double> start;
  Vector<double> weights;
  Matrix<double> votes;
};

// Counts what a new member says of each row, after members that vote with `votes_before` altogether.
BoostRound take_round(const BoostRules& rules, const BoostRows& rows, Vector<const std::int32_t> said,
                      double votes_before, int threads);

struct BoostedTrees {
  std::vector<GrownTree> trees;  // those that stay
  Forest forest;                 // the same; values are votes for each class
  std::vector<BoostRound> rounds;
};

// Grows a tree per seed, from rows whose weights sum to one at the `start`; trees see them `total` times as
// heavy. Missing cells must not divide rows.
BoostedTrees boost_trees(const RankTable& table, Target target, Vector<const double> start, double total,
                         GrowthRules rules, const BoostRules& boost, Vector<const std::uint64_t> seeds,
                         int threads);

}  // namespace classica
