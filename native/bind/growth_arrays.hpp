// What trees grow from, in: the table of ranks and the rules.
#pragma once

#include "tree_arrays.hpp"
#include "words.hpp"

namespace classica::bind {

inline GrowthRules growth_rules(const nb::dict& given) {
  GrowthRules rules;
  const auto read = [&]<class Field>(const char* name, Field& field) {
    if constexpr (std::is_enum_v<Field>)
      field = from_word<Field>(nb::cast<std::string>(given[name]));
    else
      field = nb::cast<Field>(given[name]);
  };
  rules.criterion = criterion_index(nb::cast<std::string>(given["criterion"]));
  read("categories", rules.categories);
  read("missing", rules.missing);
  read("selection", rules.selection);
  read("max_depth", rules.max_depth);
  read("max_leaves", rules.max_leaves);
  read("max_features", rules.max_features);
  read("top_features", rules.top_features);
  read("seed", rules.seed);
  read("min_cases_split", rules.min_cases_split);
  read("min_cases_leaf", rules.min_cases_leaf);
  read("min_weight_leaf", rules.min_weight_leaf);
  read("min_gain", rules.min_gain);
  read("zero_gain", rules.zero_gain);
  read("zero_up_to", rules.zero_up_to);
  read("wide_branches", rules.wide_branches);
  read("smallest_gap", rules.smallest_gap);
  read("cuts_cost", rules.cuts_cost);
  read("cut_at_data", rules.cut_at_data);
  read("max_surrogates", rules.max_surrogates);
  read("surrogate_dissent", rules.surrogate_dissent);
  read("relief_neighbours", rules.relief_neighbours);
  read("relief_rows", rules.relief_rows);
  return rules;
}

inline bool is_of_classes(const GrowthRules& rules) {
  return criteria()[static_cast<std::size_t>(rules.criterion)].is_of_classes;
}

// A table of ranks: (ranks, levels, categorical, values_at, values, cuts or an empty array).
inline RankTable rank_table(const nb::tuple& given) {
  const auto ranks = nb::cast<Packed2<const std::uint32_t>>(given[0], false);
  const auto levels = nb::cast<Longs>(given[1], false), values_at = nb::cast<Longs>(given[3], false);
  const auto categorical = nb::cast<Bytes>(given[2], false);
  const auto values = nb::cast<Reals>(given[4], false), cuts = nb::cast<Reals>(given[5], false);
  require(size(cuts, 0) == 0 || size(cuts, 0) == size(values, 0), "there is a cut after each value.");
  const RankTable table{
      size(ranks, 1),     size(ranks, 0),   ranks.data(),  levels.data(),
      categorical.data(), values_at.data(), values.data(), size(cuts, 0) ? cuts.data() : nullptr};
  require(
      size(levels, 0) == table.cols && size(categorical, 0) == table.cols && size(values_at, 0) == table.cols,
      "levels, kinds and values must fit the table.");
  for (std::ptrdiff_t j = 0; j < table.cols; ++j) {
    const bool has_values =
        table.values_at[j] >= 0 && table.values_at[j] + table.levels[j] <= size(values, 0);
    require(table.levels[j] >= 0 && (table.categorical[j] || has_values), "values must fit the levels.");
    std::uint32_t above = 0;  // all ranks; that of a missing cell wraps to 0
    for (std::ptrdiff_t i = 0; i < table.rows; ++i) above = std::max(above, table.column(j)[i] + 1);
    require(above <= table.levels[j], "ranks must lie below the levels.");
  }
  return table;
}

}  // namespace classica::bind
