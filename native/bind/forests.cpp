#include "forest_arrays.hpp"
#include "growth_arrays.hpp"
#include "sample_arrays.hpp"

namespace classica::bind {
namespace {

template <class Item>
Vector<const Item> items_of(const nb::handle& array) {
  const auto bytes = nb::cast<Packed2<const std::uint8_t>>(array, false);
  require(size(bytes, 1) == sizeof(Item), "packed items must have their size.");
  require(reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Item) == 0,
          "packed items must be aligned.");
  return {reinterpret_cast<const Item*>(bytes.data()), size(bytes, 0), 1};
}

// (nodes, starts, level_child, weight, surrogates, their level_child and starts, whether leaves hold numbers)
ForestView forest_view(const nb::tuple& arrays) {
  ForestView forest;
  forest.nodes = items_of<ForestNode>(arrays[0]);
  forest.starts = vector(nb::cast<Longs>(arrays[1], false));
  forest.level_child = vector(nb::cast<Ints>(arrays[2], false));
  forest.weight = vector(nb::cast<Reals>(arrays[3], false));
  forest.surrogates = items_of<Question>(arrays[4]);
  forest.surrogate_level_child = vector(nb::cast<Ints>(arrays[5], false));
  forest.surrogates_at = vector(nb::cast<Longs>(arrays[6], false));
  forest.numbers_in_leaves = nb::cast<bool>(arrays[7]);
  require(forest.starts.size > 1 && forest.starts[forest.starts.size - 1] == forest.nodes.size,
          "the trees of a forest must be all its nodes.");
  return forest;
}

nb::dict grow(const nb::tuple& given, const std::optional<Ints>& codes, std::ptrdiff_t classes,
              const std::optional<Reals>& values, const std::optional<Reals>& weights,
              const std::optional<Reals>& cases, const nb::dict& rules, std::ptrdiff_t trees,
              const std::optional<nb::tuple>& samples, bool balances_samples, double smoothing, int threads) {
  const RankTable table = rank_table(given);
  const Target target = target_of(table.rows, codes, classes, values, weights, cases);
  const GrowthRules growth = growth_rules(rules);
  require(is_of_classes(growth) != values.has_value(), "the criterion must fit what is learned.");
  require(trees > 0, "a forest has at least one tree.");
  require(!balances_samples || classes > 0, "only classes can be balanced.");
  ForestRules forest{trees, samples.has_value(), balances_samples, smoothing, {}};
  if (samples) forest.samples = sample_rules(*samples, table.rows);
  Forest grown;
  run([&] { grown = grow_forest(table, target, growth, forest, threads); });
  return arrays_of(std::move(grown));
}

template <class T>
void means(const Array2<const T>& X, const nb::tuple& arrays, const Packed2<const double>& values,
           int threads, const Packed2<double>& out) {
  require(size(out, 0) == size(X, 0) && size(out, 1) == size(values, 1), "out must fit X and values.");
  const ForestView forest = forest_view(arrays);
  run([&] { forest_means(matrix(X), forest, matrix(values), threads, matrix(out)); });
}

template <class T>
void apply(const Array2<const T>& X, const nb::tuple& arrays, int threads, const Packed2<std::int32_t>& out) {
  const ForestView forest = forest_view(arrays);
  require(size(out, 0) == size(X, 0) && size(out, 1) == forest.trees(), "out must fit X and the forest.");
  run([&] { apply_forest(matrix(X), forest, threads, matrix(out)); });
}

template <class T>
nb::tuple judged_out_of_bag(const Array2<const T>& X, const nb::tuple& arrays,
                            const Packed2<const double>& values, const nb::tuple& samples,
                            const std::optional<Ints>& codes, std::ptrdiff_t classes,
                            const std::optional<Reals>& numbers, const std::optional<Reals>& weights,
                            int threads) {
  const ForestView forest = forest_view(arrays);
  const SampleRules rules = sample_rules(samples, size(X, 0));
  const Target target = target_of(size(X, 0), codes, classes, numbers, weights, {});
  OutOfBag found;
  run([&] { found = out_of_bag(matrix(X), forest, matrix(values), rules, target, threads); });
  return nb::make_tuple(array_of(std::move(found.sums)), array_of(std::move(found.trees)),
                        array_of(std::move(found.errors)), array_of(std::move(found.judged)));
}

template <class T>
void importances(const Array2<const T>& X, const nb::tuple& arrays, const Packed2<const double>& values,
                 const nb::tuple& samples, const std::optional<Ints>& codes, std::ptrdiff_t classes,
                 const std::optional<Reals>& numbers, const std::optional<Reals>& weights, std::uint64_t seed,
                 int threads, const Packed1<double>& out) {
  const ForestView forest = forest_view(arrays);
  const SampleRules rules = sample_rules(samples, size(X, 0));
  const Target target = target_of(size(X, 0), codes, classes, numbers, weights, {});
  require(size(out, 0) == size(X, 1), "out must have one entry per column.");
  run([&] {
    out_of_bag_importances(matrix(X), forest, matrix(values), rules, target, seed, threads, vector(out));
  });
}

}  // namespace

void bind_forests(nb::module_& module) {
  const auto for_type = [&]<class T>() {
    module.def("forest_means", means<T>, nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(), nb::arg(),
               nb::arg().noconvert());
    module.def("apply_forest", apply<T>, nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg().noconvert());
    module.def("out_of_bag", judged_out_of_bag<T>, nb::arg().noconvert(), nb::arg(), nb::arg().noconvert(),
               nb::arg(), nb::arg().noconvert().none(), nb::arg(), nb::arg().noconvert().none(),
               nb::arg().noconvert().none(), nb::arg());
    module.def("out_of_bag_importances", importances<T>, nb::arg().noconvert(), nb::arg(),
               nb::arg().noconvert(), nb::arg(), nb::arg().noconvert().none(), nb::arg(),
               nb::arg().noconvert().none(), nb::arg().noconvert().none(), nb::arg(), nb::arg(),
               nb::arg().noconvert());
  };
  for_type.operator()<double>();
  for_type.operator()<float>();
  module.def("grow_forest", grow, nb::arg(), nb::arg().noconvert().none(), nb::arg(),
             nb::arg().noconvert().none(), nb::arg().noconvert().none(), nb::arg().noconvert().none(),
             nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg());
}

}  // namespace classica::bind
