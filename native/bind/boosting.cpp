#include "classica/boosting.hpp"

#include "forest_arrays.hpp"
#include "grown_arrays.hpp"
#include "growth_arrays.hpp"

namespace classica::bind {
namespace {

// (learning rate, bonus, chance, cases)
BoostRules boost_rules(const nb::tuple& given) {
  return {nb::cast<double>(given[0]), nb::cast<double>(given[1]), nb::cast<double>(given[2]),
          nb::cast<double>(given[3])};
}

nb::tuple round_of(const BoostRound& round) {
  return nb::make_tuple(round.error, round.vote, round.training_error, to_word(round.end));
}

void check_codes(const Ints& codes, std::ptrdiff_t rows, std::ptrdiff_t classes) {
  require(size(codes, 0) == rows, "codes must have one entry per row.");
  for (std::ptrdiff_t i = 0; i < rows; ++i)
    require(codes.data()[i] >= 0 && codes.data()[i] < classes, "codes must lie below the number of classes.");
}

nb::tuple one_round(const nb::tuple& rules, const Ints& codes, const Reals& start,
                    const Packed1<double>& weights, const Packed2<double>& votes, const Ints& said,
                    double votes_before, int threads) {
  const std::ptrdiff_t rows = size(votes, 0), classes = size(votes, 1);
  require(size(start, 0) == rows && size(weights, 0) == rows, "weights must have one entry per row.");
  check_codes(codes, rows, classes);
  check_codes(said, rows, classes);
  const BoostRows state{vector(codes), vector(start), vector(weights), matrix(votes)};
  const BoostRules boost = boost_rules(rules);
  BoostRound round;
  run([&] { round = take_round(boost, state, vector(said), votes_before, threads); });
  return round_of(round);
}

nb::tuple boost(const nb::tuple& given, const Ints& codes, std::ptrdiff_t classes, const Reals& start,
                double total, const std::optional<Reals>& cases, const nb::dict& rules,
                const nb::tuple& boosting, const Packed1<const std::uint64_t>& seeds, int threads) {
  const RankTable table = rank_table(given);
  const Target target = target_of(table.rows, codes, classes, {}, {}, cases);
  require(size(start, 0) == table.rows, "weights must have one entry per row.");
  const GrowthRules growth = growth_rules(rules);
  require(is_of_classes(growth), "the criterion must be one of classes.");
  require(growth.missing != MissingPolicy::fraction, "missing cells must not divide rows.");
  require(table.rows > 0 && size(seeds, 0) > 0, "there is at least one row and one round.");
  const BoostRules boost = boost_rules(boosting);
  BoostedTrees found;
  run([&] {
    found = boost_trees(table, target, vector(start), total, growth, boost, vector(seeds), threads);
  });
  nb::list trees, rounds;
  for (GrownTree& tree : found.trees) trees.append(arrays_of(std::move(tree)));
  for (const BoostRound& round : found.rounds) rounds.append(round_of(round));
  return nb::make_tuple(trees, arrays_of(std::move(found.forest)), rounds);
}

}  // namespace

void bind_boosting(nb::module_& module) {
  export_words<RoundEnd>(module, "ROUND_ENDS");
  module.def("take_round", one_round, nb::arg(), nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg());
  module.def("boost_trees", boost, nb::arg(), nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(),
             nb::arg(), nb::arg().noconvert().none(), nb::arg(), nb::arg(), nb::arg().noconvert(), nb::arg());
}

}  // namespace classica::bind
