#include <nanobind/stl/optional.h>

#include <optional>

#include "arrays.hpp"
#include "classica/tree.hpp"

namespace classica::bind {
namespace {

// Hands a vector over to NumPy without a copy.
template <class T>
nb::object array_of(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

template <class T>
nb::list ranks(const Array2<const T>& X, int threads, const Packed2<std::uint32_t>& out) {
  require(size(out, 0) == size(X, 1) && size(out, 1) == size(X, 0), "out must have a row per column of X.");
  std::vector<std::vector<double>> values;
  run([&] { rank_columns(matrix(X), threads, out.data(), values); });
  nb::list found;
  for (auto& column : values) found.append(array_of(std::move(column)));
  return found;
}

nb::tuple grow(const Packed2<const std::uint32_t>& table, const Packed1<const std::int64_t>& levels,
               const Packed1<const std::uint8_t>& categorical, const Packed1<const std::int32_t>& codes,
               std::ptrdiff_t classes, const std::optional<Packed1<const double>>& weights, int criterion,
               bool multiway, std::int64_t max_depth, double min_split, double min_leaf, double min_decrease,
               int threads) {
  const RankTable view{size(table, 1), size(table, 0), table.data(), levels.data(), categorical.data()};
  require(size(levels, 0) == view.cols && size(categorical, 0) == view.cols, "levels must fit the table.");
  require(size(codes, 0) == view.rows && classes > 0 && classes < 65536, "codes must fit the table.");
  require(!weights || size(*weights, 0) == view.rows, "weights must have one entry per row.");
  const GrowthRules rules{static_cast<Criterion>(criterion),
                          multiway ? CategorySplit::multiway : CategorySplit::subset,
                          max_depth,
                          min_split,
                          min_leaf,
                          min_decrease};
  GrownTree tree;
  run([&] {
    tree = grow_classification_tree(view, vector(codes), classes,
                                    weights ? vector(*weights) : Vector<const double>{}, rules, threads);
  });
  return nb::make_tuple(array_of(std::move(tree.feature)), array_of(std::move(tree.last_left)),
                        array_of(std::move(tree.first_right)), array_of(std::move(tree.branches_at)),
                        array_of(std::move(tree.branches)), array_of(std::move(tree.missing_child)),
                        array_of(std::move(tree.first_child)), array_of(std::move(tree.child_count)),
                        array_of(std::move(tree.depth)), array_of(std::move(tree.cases)),
                        array_of(std::move(tree.gain)), array_of(std::move(tree.counts)));
}

}  // namespace

void bind_trees(nb::module_& module) {
  module.def("rank_columns", ranks<double>, nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
  module.def("rank_columns", ranks<float>, nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
  module.def("grow_classification_tree", grow, nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg().noconvert().none(), nb::arg(),
             nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg());
}

}  // namespace classica::bind
