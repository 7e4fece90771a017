#include "classica/neighbours.hpp"

#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>

#include "classica/votes.hpp"
#include "words.hpp"

namespace classica::bind {
namespace {

using Mask = std::optional<Packed1<const std::uint8_t>>;

// What Python passes about an index, besides its arrays.
template <class T>
NeighbourIndex<T> describe(const std::string& structure, const std::string& metric, double power,
                           const Mask& categorical, std::ptrdiff_t cols, std::ptrdiff_t tiles,
                           std::ptrdiff_t built_tiles, std::ptrdiff_t leaf_tiles) {
  NeighbourIndex<T> index;
  index.structure = from_word<Structure>(structure);
  index.rule = {from_word<Metric>(metric), power, categorical ? categorical->data() : nullptr};
  index.cols = cols;
  index.tile_count = tiles;
  index.built_tiles = built_tiles;
  index.leaf_tiles = leaf_tiles;
  const bool mixed = index.rule.metric == Metric::heom || index.rule.metric == Metric::gower;
  require(!mixed || (categorical && size(*categorical, 0) == cols),
          "categorical must have one entry per column.");
  require(0 < built_tiles && built_tiles <= tiles && leaf_tiles > 0, "an index must have rows.");
  return index;
}

template <class T>
void build(const Array2<const T>& X, const std::string& structure, const std::string& metric, double power,
           const Mask& categorical, std::ptrdiff_t leaf_tiles, int threads, const Packed3<T>& tiles,
           const Packed1<std::int32_t>& order, const Packed1<double>& bounds) {
  const std::ptrdiff_t count = (size(X, 0) + tile_rows - 1) / tile_rows;
  const auto index = describe<T>(structure, metric, power, categorical, size(X, 1), count, count, leaf_tiles);
  require(size(tiles, 0) == count && size(tiles, 1) == index.cols && size(tiles, 2) == tile_rows,
          "tiles must be of shape (tiles, columns, 8).");
  require(size(order, 0) == count * tile_rows && size(bounds, 0) == index.bounds_in_all(),
          "order and bounds must be as long as the structure says.");
  run([&] { build_index(matrix(X), index, threads, tiles.data(), order.data(), bounds.data()); });
}

// The lists as NumPy arrays that own them.
nb::tuple to_arrays(NeighbourLists&& found) {
  auto* lists = new NeighbourLists(std::move(found));
  const nb::capsule owner(lists, [](void* p) noexcept { delete static_cast<NeighbourLists*>(p); });
  return nb::make_tuple(
      nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(lists->starts.data(), {lists->starts.size()}, owner),
      nb::ndarray<nb::numpy, double, nb::ndim<1>>(lists->ranks.data(), {lists->ranks.size()}, owner),
      nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>(lists->rows.data(), {lists->rows.size()}, owner));
}

const std::int32_t* rows_of(const std::optional<Packed1<const std::int32_t>>& excluded,
                            std::ptrdiff_t queries) {
  require(!excluded || size(*excluded, 0) == queries, "excluded must have one row per query.");
  return excluded ? excluded->data() : nullptr;
}

template <class T>
nb::tuple find(const Packed3<const T>& tiles, const Packed1<const std::int32_t>& order,
               const Packed1<const double>& bounds, const std::string& structure, const std::string& metric,
               double power, const Mask& categorical, std::ptrdiff_t built_tiles, std::ptrdiff_t leaf_tiles,
               const Packed2<const double>& queries, std::int32_t neighbours,
               const std::optional<Packed1<const std::int32_t>>& excluded, bool backtrack, int threads) {
  auto index = describe<T>(structure, metric, power, categorical, size(tiles, 1), size(tiles, 0), built_tiles,
                           leaf_tiles);
  require(size(tiles, 2) == tile_rows && size(order, 0) == index.tile_count * tile_rows,
          "order must fit the tiles.");
  require(size(bounds, 0) == index.bounds_in_all(), "bounds must be as long as the structure says.");
  require(size(queries, 1) == index.cols, "queries must have the columns of the training rows.");
  require(neighbours > 0, "neighbours must be positive.");
  index.tiles = tiles.data();
  index.order = order.data();
  index.bounds = bounds.data();
  NeighbourLists found;
  const Search search{neighbours, rows_of(excluded, size(queries, 0)), backtrack};
  run([&] { found = find_neighbours(index, matrix(queries), search, threads); });
  return to_arrays(std::move(found));
}

nb::tuple select(const Packed2<const double>& ranks, std::int32_t neighbours,
                 const std::optional<Packed1<const std::int32_t>>& excluded, int threads) {
  require(neighbours > 0, "neighbours must be positive.");
  NeighbourLists found;
  const Search search{neighbours, rows_of(excluded, size(ranks, 0)), true};
  run([&] { found = select_neighbours(matrix(ranks), search, threads); });
  return to_arrays(std::move(found));
}

using Starts = Packed1<const std::int64_t>;
using Ranks = Packed1<const double>;
using Rows = Packed1<const std::int32_t>;

Lists lists_of(const Starts& starts, const Ranks& ranks, const Rows& rows, const Rows& codes,
               std::ptrdiff_t classes) {
  const Lists lists{vector(starts), vector(ranks), vector(rows)};
  require(lists.starts.size > 0 && lists.starts[0] == 0 && lists.starts[lists.count()] == lists.rows.size,
          "starts must begin at 0 and end at the number of entries.");
  require(lists.ranks.size == lists.rows.size, "ranks and rows must have one entry per neighbour.");
  for (std::ptrdiff_t i = 0; i < lists.count(); ++i)
    require(lists.starts[i] < lists.starts[i + 1], "every list must have a neighbour.");
  // Only the codes that are looked at: a single prediction must not read those of all training rows.
  for (std::ptrdiff_t k = 0; k < lists.rows.size; ++k) {
    const std::int32_t row = lists.rows[k];
    require(row >= 0 && row < size(codes, 0), "rows must be training rows.");
    require(codes.data()[row] >= 0 && codes.data()[row] < classes, "codes must be classes.");
  }
  return lists;
}

void count_votes(const Starts& starts, const Ranks& ranks, const Rows& rows,
                 const std::optional<Ranks>& weights, const Rows& codes, std::int32_t neighbours,
                 const std::string& ties, bool complete, int threads, const Packed2<double>& out,
                 const Packed1<std::int32_t>& used) {
  const Lists lists = lists_of(starts, ranks, rows, codes, size(out, 1));
  require(size(out, 0) == lists.count() && size(used, 0) == lists.count(), "out must have one row per list.");
  require(!weights || size(*weights, 0) == lists.rows.size, "weights must have one entry per neighbour.");
  const Vector<const double> weight_view = weights ? vector(*weights) : Vector<const double>{};
  const Ties rule = from_word<Ties>(ties);
  run([&] {
    vote(lists, weight_view, vector(codes), neighbours, rule, complete, threads, matrix(out), vector(used));
  });
}

void count_errors(const Starts& starts, const Ranks& ranks, const Rows& rows,
                  const std::optional<Ranks>& weights, const Rows& codes, const Rows& truths,
                  std::int32_t classes, bool complete, const Packed2<std::int64_t>& errors,
                  const Packed1<bool>& open) {
  const Lists lists = lists_of(starts, ranks, rows, codes, classes);
  require(size(truths, 0) == lists.count() && size(open, 0) == lists.count(), "truths must be one per list.");
  require(size(errors, 0) == 3, "errors must have a row for each rule.");
  require(!weights || size(*weights, 0) == lists.rows.size, "weights must have one entry per neighbour.");
  const Vector<const double> weight_view = weights ? vector(*weights) : Vector<const double>{};
  run([&] {
    leave_one_out_errors(lists, weight_view, vector(codes), vector(truths), classes, complete, matrix(errors),
                         vector(open));
  });
}

template <class T>
void define(nb::module_& module) {
  const auto exact = [] { return nb::arg().noconvert(); };
  module.def("build_index", build<T>, exact(), nb::arg(), nb::arg(), nb::arg(), exact().none(), nb::arg(),
             nb::arg(), exact(), exact(), exact());
  module.def("find_neighbours", find<T>, exact(), exact(), exact(), nb::arg(), nb::arg(), nb::arg(),
             exact().none(), nb::arg(), nb::arg(), exact(), nb::arg(), exact().none(), nb::arg(), nb::arg());
}

}  // namespace

void bind_neighbours(nb::module_& module) {
  export_words<Structure>(module, "STRUCTURES");
  export_words<Metric>(module, "METRICS");
  export_words<Ties>(module, "TIES");
  define<double>(module);
  define<float>(module);
  const auto exact = [] { return nb::arg().noconvert(); };
  module.def("select_neighbours", select, exact(), nb::arg(), exact().none(), nb::arg());
  module.def("count_votes", count_votes, exact(), exact(), exact(), exact().none(), exact(), nb::arg(),
             nb::arg(), nb::arg(), nb::arg(), exact(), exact());
  module.def("leave_one_out_errors", count_errors, exact(), exact(), exact(), exact().none(), exact(),
             exact(), nb::arg(), nb::arg(), exact(), exact());
}

}  // namespace classica::bind
