#include "classica/relieff.hpp"
#include "grown_arrays.hpp"
#include "growth_arrays.hpp"

namespace classica::bind {
namespace {

template <class T>
nb::list ranks(const Array2<const T>& X, int threads, const Packed2<std::uint32_t>& out) {
  require(size(out, 0) == size(X, 1) && size(out, 1) == size(X, 0), "out must have a row per column of X.");
  std::vector<std::vector<double>> values;
  run([&] { rank_columns(matrix(X), threads, out.data(), values); });
  nb::list found;
  for (auto& column : values) found.append(array_of(std::move(column)));
  return found;
}

void check_rows(const RankTable& table, const Packed1<const std::uint32_t>& rows) {
  require(size(rows, 0) > 0, "a tree grows on at least one row.");
  for (std::ptrdiff_t i = 0; i < size(rows, 0); ++i)
    require(rows.data()[i] < table.rows, "rows must be numbers of rows of the table.");
}

nb::dict grow(const nb::tuple& given, const std::optional<Ints>& codes, std::ptrdiff_t classes,
              const std::optional<Reals>& values, const std::optional<Reals>& weights,
              const std::optional<Reals>& cases, const Packed1<const std::uint32_t>& rows,
              const std::optional<Packed1<const std::uint32_t>>& counts, const nb::dict& rules, int threads) {
  const RankTable table = rank_table(given);
  Target target = target_of(table.rows, codes, classes, values, weights, cases);
  if (counts) {
    require(size(*counts, 0) == table.rows && !weights && !cases, "counts are all the weight of a row.");
    target.counts.assign(counts->data(), counts->data() + table.rows);
    for (std::ptrdiff_t i = 0; i < size(rows, 0); ++i)
      require(rows.data()[i] < table.rows && counts->data()[rows.data()[i]] > 0,
              "rows that grow must count.");
  }
  const GrowthRules growth = growth_rules(rules);
  require(is_of_classes(growth) != values.has_value(), "the criterion must fit what is learned.");
  check_rows(table, rows);
  GrownTree tree;
  run([&] { tree = grow_tree(table, target, vector(rows), growth, threads); });
  return arrays_of(std::move(tree));
}

nb::object relieff_weights(const nb::tuple& given, const Ints& codes, std::ptrdiff_t classes,
                           const std::optional<Reals>& weights, const Packed1<const std::uint32_t>& rows,
                           const nb::dict& rules) {
  const RankTable table = rank_table(given);
  const Target target = target_of(table.rows, codes, classes, std::nullopt, weights, std::nullopt);
  const GrowthRules growth = growth_rules(rules);
  check_rows(table, rows);
  std::vector<double> found;
  const std::span<const std::uint32_t> chosen(rows.data(), static_cast<std::size_t>(size(rows, 0)));
  run([&] { found = relieff(table, target, chosen, growth); });
  return nb::cast(array_of(std::move(found)));
}

template <class T>
void apply(const Array2<const T>& X, const nb::tuple& arrays, int threads, const Packed1<std::int32_t>& out) {
  require(size(out, 0) == size(X, 0), "out must have one entry per row.");
  const TreeView tree = tree_view(arrays);
  run([&] { apply_tree(matrix(X), tree, threads, out.data()); });
}

template <class T>
void spread(const Array2<const T>& X, const nb::tuple& arrays, const Reals& weight,
            const Packed2<const double>& values, int threads, const Packed2<double>& out) {
  require(size(out, 0) == size(X, 0) && size(out, 1) == size(values, 1), "out must fit X and values.");
  const TreeView tree = tree_view(arrays);
  require(size(weight, 0) == tree.nodes.size && size(values, 0) == tree.nodes.size,
          "weight and values must have one entry per node.");
  run([&] { spread_over_tree(matrix(X), tree, vector(weight), matrix(values), threads, matrix(out)); });
}

}  // namespace

void bind_trees(nb::module_& module) {
  std::vector<std::string_view> all, of_classes;
  for (const CriterionEntry& entry : criteria()) {
    all.push_back(entry.word);
    if (entry.is_of_classes) of_classes.push_back(entry.word);
  }
  module.attr("CRITERIA") = tuple_of(all);
  module.attr("CLASS_CRITERIA") = tuple_of(of_classes);
  export_words<CategorySplit>(module, "CATEGORY_SPLITS");
  export_words<MissingPolicy>(module, "MISSING_POLICIES");
  export_words<Selection>(module, "SELECTIONS");
  const auto for_type = [&]<class T>() {
    module.def("rank_columns", ranks<T>, nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
    module.def("apply_tree", apply<T>, nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg().noconvert());
    module.def("spread_over_tree", spread<T>, nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(),
               nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
  };
  for_type.operator()<double>();
  for_type.operator()<float>();
  module.def("relieff_weights", relieff_weights, nb::arg(), nb::arg().noconvert(), nb::arg(),
             nb::arg().noconvert().none(), nb::arg().noconvert(), nb::arg());
  module.def("grow_tree", grow, nb::arg(), nb::arg().noconvert().none(), nb::arg(),
             nb::arg().noconvert().none(), nb::arg().noconvert().none(), nb::arg().noconvert().none(),
             nb::arg().noconvert(), nb::arg().noconvert().none(), nb::arg(), nb::arg());
}

}  // namespace classica::bind
