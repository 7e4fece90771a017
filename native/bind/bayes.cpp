// The parts of naive Bayes: coded, Gaussian and kernel-density columns, and how codes are found.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "classica/coded_columns.hpp"
#include "classica/cut_points.hpp"
#include "classica/gaussian_columns.hpp"
#include "classica/kernel_density.hpp"

namespace classica::bind {
namespace {

using Places = Packed1<const std::int32_t>;
using Numbers = Packed1<const double>;
using Numbers2 = Packed2<const double>;
using Numbers3 = Packed3<const double>;
using Flags = Packed1<const std::uint8_t>;
using Flags2 = std::optional<Packed2<const std::uint8_t>>;
using Groups = Array1<const std::int32_t>;
using Weights = std::optional<Array1<const double>>;
using Zeros = std::optional<Packed2<std::int32_t>>;

Vector<const double> view(const Weights& weights) {
  return weights ? vector(*weights) : Vector<const double>{};
}

void check_columns(const Places& columns, std::ptrdiff_t cols) {
  const std::int32_t* end = columns.data() + columns.size();
  require(std::all_of(columns.data(), end, [cols](std::int32_t j) { return 0 <= j && j < cols; }),
          "columns must lie within X.");
}

void check_rows(std::ptrdiff_t rows, const Groups& group, const Weights& weights) {
  require(size(group, 0) == rows, "group must have one entry per row.");
  require(!weights || size(*weights, 0) == rows, "weights must have one entry per row.");
}

void check_codes(const Groups& group, std::ptrdiff_t classes) {
  for (std::ptrdiff_t i = 0; i < size(group, 0); ++i)
    require(0 <= vector(group)[i] && vector(group)[i] < classes, "group must hold codes of classes.");
}

CodedColumns coded(std::ptrdiff_t cols, const Places& columns, const Places& key_starts, const Numbers& keys,
                   const Flags& categories) {
  const CodedColumns made{size(columns, 0), columns.data(), key_starts.data(), keys.data(),
                          categories.data()};
  check_columns(columns, cols);
  require(size(categories, 0) == made.count, "categories must have one entry per coded column.");
  require(size(key_starts, 0) == made.count + 1 && key_starts.data()[0] == 0, "key_starts must begin at 0.");
  for (std::ptrdiff_t k = 0; k < made.count; ++k)
    require(made.key_starts[k] <= made.key_starts[k + 1], "key_starts must not fall.");
  require(made.key_starts[made.count] == size(keys, 0), "key_starts must end at the last key.");
  for (std::ptrdiff_t k = 0; k < made.count; ++k)
    require(std::is_sorted(made.keys + made.key_starts[k], made.keys + made.key_starts[k + 1]),
            "keys must ascend.");
  return made;
}

template <class T>
void check_all_coded(const Matrix<const T>&, const CodedColumns&) {}
template <class T, class Index>
void check_all_coded(const SparseRows<T, Index>& X, const CodedColumns& columns) {
  bool all = columns.count == X.cols;
  for (std::ptrdiff_t k = 0; all && k < columns.count; ++k) all = columns.columns[k] == k;
  require(all, "sparse rows need every column coded, in order.");
}

CodeTable table_view(const CodedColumns& columns, const Numbers2& logs, const Flags2& zeros) {
  const CodeTable table{size(logs, 1), logs.data(), zeros ? zeros->data() : nullptr};
  require(size(logs, 0) == columns.slots(), "the table must have one row per slot.");
  require(!zeros || zeros->size() == logs.size(), "zeros must have the shape of the table.");
  return table;
}

CodeScores scores_view(std::ptrdiff_t rows, std::ptrdiff_t classes, const Packed2<double>& scores,
                       const Zeros& zeros) {
  require(size(scores, 0) == rows && size(scores, 1) == classes, "scores must be of shape (rows, classes).");
  require(!zeros || zeros->size() == scores.size(), "zeros must have the shape of the scores.");
  return {scores.data(), zeros ? zeros->data() : nullptr};
}

void bind_codes(nb::module_& module) {
  define_for_rows<const Places&, const Places&, const Numbers&, const Flags&, const Groups&, const Weights&,
                  int, const Packed3<double>&>(
      module, "count_codes",
      [](const auto& X, const Places& places, const Places& key_starts, const Numbers& keys,
         const Flags& categories, const Groups& group, const Weights& weights, int threads,
         const Packed3<double>& counts) {
        const CodedColumns columns = coded(X.cols, places, key_starts, keys, categories);
        check_all_coded(X, columns);
        check_rows(X.rows, group, weights);
        require(size(counts, 0) == 2 && size(counts, 2) == columns.slots(),
                "counts must be pairs of shape (classes, slots).");
        const std::ptrdiff_t classes = size(counts, 1);
        run([&] {
          count_codes(X, columns, vector(group), view(weights), classes, threads, counts.data(),
                      counts.data() + classes * columns.slots());
        });
      });
  define_for_rows<const Places&, const Places&, const Numbers&, const Flags&, const Numbers2&, const Flags2&,
                  int, const Packed2<double>&, const Zeros&>(
      module, "add_code_scores",
      [](const auto& X, const Places& places, const Places& key_starts, const Numbers& keys,
         const Flags& categories, const Numbers2& logs, const Flags2& zeros, int threads,
         const Packed2<double>& scores, const Zeros& zero_counts) {
        const CodedColumns columns = coded(X.cols, places, key_starts, keys, categories);
        check_all_coded(X, columns);
        const CodeTable table = table_view(columns, logs, zeros);
        const CodeScores out = scores_view(X.rows, table.classes, scores, zero_counts);
        require(!zeros || zero_counts, "a table with zeros needs a place to count them.");
        run([&] { add_code_scores(X, columns, table, threads, out); });
      });
}

template <class T>
void left_out_codes(const Array2<const T>& X, const Places& places, const Places& key_starts,
                    const Numbers& keys, const Flags& categories, const Numbers2& logs, const Flags2& zeros,
                    const Numbers3& counts, const Numbers& cases, const Flags& declared, double alpha,
                    const Groups& group, const Weights& weights, int threads, const Packed2<double>& scores,
                    const Packed2<std::int32_t>& zero_counts) {
  const CodedColumns columns = coded(size(X, 1), places, key_starts, keys, categories);
  const CodeTable table = table_view(columns, logs, zeros);
  const CodeScores out = scores_view(size(X, 0), table.classes, scores, zero_counts);
  check_rows(size(X, 0), group, weights);
  check_codes(group, table.classes);
  const std::ptrdiff_t cells = table.classes * columns.slots();
  require(size(counts, 0) == 2 && static_cast<std::ptrdiff_t>(counts.size()) == 2 * cells,
          "counts must be pairs of shape (classes, slots).");
  require(size(cases, 0) == columns.count && size(declared, 0) == columns.slots(),
          "cases and declared must have one entry per column and slot.");
  const CodeCounts held{counts.data(), counts.data() + cells, cases.data(), declared.data(), alpha};
  run([&] {
    add_left_out_code_scores(matrix(X), columns, table, held, vector(group), view(weights), threads, out);
  });
}

GaussianColumns gaussian(std::ptrdiff_t cols, const Places& columns, const Numbers2& means,
                         const Numbers2& inverse_spreads, const Numbers2& log_norms) {
  check_columns(columns, cols);
  require(size(means, 1) == size(columns, 0), "means must have one column per Gaussian column.");
  require(means.size() == inverse_spreads.size() && means.size() == log_norms.size(),
          "means, spreads and norms must agree in shape.");
  return {size(means, 0), size(means, 1),         columns.data(),
          means.data(),   inverse_spreads.data(), log_norms.data()};
}

template <class T>
void gaussian_scores(const Array2<const T>& X, const Places& columns, const Numbers2& means,
                     const Numbers2& inverse_spreads, const Numbers2& log_norms, int threads,
                     const Packed2<double>& scores) {
  const GaussianColumns model = gaussian(size(X, 1), columns, means, inverse_spreads, log_norms);
  scores_view(size(X, 0), model.classes, scores, {});
  run([&] { add_gaussian_scores(matrix(X), model, threads, scores.data()); });
}

template <class T>
void left_out_gaussian(const Array2<const T>& X, const Places& columns, const Numbers2& means,
                       const Numbers2& inverse_spreads, const Numbers2& log_norms, const Numbers3& known,
                       const Numbers3& sums, const Numbers3& squares, const Numbers& least, double ddof,
                       const Groups& group, const Weights& weights, int threads, const Packed1<double>& out) {
  const GaussianColumns model = gaussian(size(X, 1), columns, means, inverse_spreads, log_norms);
  check_rows(size(X, 0), group, weights);
  check_codes(group, model.classes);
  require(size(out, 0) == size(X, 0) && size(least, 0) == model.count,
          "out and least must have one entry per row and column.");
  const std::ptrdiff_t cells = model.classes * model.count;
  for (const Numbers3* pairs : {&known, &sums, &squares})
    require(size(*pairs, 0) == 2 && static_cast<std::ptrdiff_t>(pairs->size()) == 2 * cells,
            "known, sums and squares must be pairs of the shape of the means.");
  const GaussianSums held{known.data(),   known.data() + cells,   sums.data(),  sums.data() + cells,
                          squares.data(), squares.data() + cells, least.data(), ddof};
  run([&] {
    left_out_gaussian_scores(matrix(X), model, held, vector(group), view(weights), threads, vector(out));
  });
}

template <class T>
void sort_into(const Array2<const T>& X, const Places& columns, const Groups& group, const Weights& weights,
               int threads, const Packed2<double>& values, const Packed2<double>& masses,
               const Packed2<std::int64_t>& starts, const Packed3<double>& quartiles,
               const Packed1<double>& gaps) {
  const std::ptrdiff_t count = size(columns, 0), rows = size(X, 0), classes = size(starts, 1) - 1;
  check_columns(columns, size(X, 1));
  check_rows(rows, group, weights);
  require(size(values, 0) == count && size(values, 1) == rows && values.size() == masses.size(),
          "values and masses must be of shape (columns, rows).");
  require(size(starts, 0) == count && classes > 0 &&
              static_cast<std::ptrdiff_t>(quartiles.size()) == count * classes * 2 && size(gaps, 0) == count,
          "starts, quartiles and gaps must have one row per column.");
  const SortedColumns shape{classes, count, rows, columns.data()};
  const SortedOutput out{values.data(), masses.data(), starts.data(), quartiles.data(), gaps.data()};
  run([&] { sort_columns(matrix(X), shape, vector(group), view(weights), threads, out); });
}

template <class T>
void density_scores(const Array2<const T>& X, const Places& columns, const Numbers2& values,
                    const Numbers2& masses, const Packed2<const std::int64_t>& starts,
                    const Numbers2& bandwidths, int threads, const Packed2<double>& scores) {
  const std::ptrdiff_t count = size(columns, 0), classes = size(bandwidths, 0);
  check_columns(columns, size(X, 1));
  scores_view(size(X, 0), classes, scores, {});
  require(size(values, 0) == count && values.size() == masses.size() && size(bandwidths, 1) == count,
          "values, masses and bandwidths must agree in shape.");
  require(size(starts, 0) == count && size(starts, 1) == classes + 1,
          "starts must tell each class's values.");
  const SortedColumns sorted{classes,       count,         size(values, 1), columns.data(),
                             values.data(), masses.data(), starts.data()};
  for (std::ptrdiff_t j = 0; j < count; ++j)
    for (std::ptrdiff_t c = 0; c <= classes; ++c) {
      const std::int64_t* at = starts.data() + j * (classes + 1) + c;
      require(c ? at[-1] <= at[0] && at[0] <= sorted.rows : at[0] == 0, "starts must rise within the rows.");
    }
  run([&] { add_density_scores(matrix(X), sorted, bandwidths.data(), threads, scores.data()); });
}

// Lists of numbers as one array that owns them, and where each list starts.
nb::tuple to_arrays(const std::vector<std::vector<double>>& lists) {
  auto values = std::make_unique<std::vector<double>>();
  auto starts = std::make_unique<std::vector<std::int64_t>>(1, 0);
  for (const auto& list : lists) {
    values->insert(values->end(), list.begin(), list.end());
    starts->push_back(static_cast<std::int64_t>(values->size()));
  }
  const auto array = []<class T>(std::unique_ptr<std::vector<T>> held) {
    T* data = held->data();
    const std::size_t length = held->size();
    const nb::capsule owner(held.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {length}, owner);
  };
  return nb::make_tuple(array(std::move(starts)), array(std::move(values)));
}

template <class T>
nb::tuple distinct(const Array2<const T>& X, const Places& columns, int threads) {
  check_columns(columns, size(X, 1));
  std::vector<std::vector<double>> found;
  run([&] { found = distinct_values(matrix(X), vector(columns), threads); });
  return to_arrays(found);
}

template <class T>
nb::tuple cuts(const Array2<const T>& X, const Places& columns, const Groups& group, const Weights& weights,
               std::ptrdiff_t classes, int threads) {
  check_columns(columns, size(X, 1));
  check_rows(size(X, 0), group, weights);
  std::vector<std::vector<double>> found;
  run([&] {
    found = cut_points(matrix(X), vector(columns), vector(group), view(weights), classes, threads);
  });
  return to_arrays(found);
}

// Arrays are taken as they are; scalars and None need no such word.
template <class... Arguments>
void define(nb::module_& module, const char* name, void (*kernel)(Arguments...)) {
  module.def(name, kernel,
             (static_cast<void>(sizeof(std::decay_t<Arguments>)), nb::arg().noconvert().none())...);
}
template <class... Arguments>
void define(nb::module_& module, const char* name, nb::tuple (*kernel)(Arguments...)) {
  module.def(name, kernel,
             (static_cast<void>(sizeof(std::decay_t<Arguments>)), nb::arg().noconvert().none())...);
}

template <class T>
void bind_dense(nb::module_& module) {
  define(module, "left_out_codes", left_out_codes<T>);
  define(module, "add_gaussian_scores", gaussian_scores<T>);
  define(module, "left_out_gaussian", left_out_gaussian<T>);
  define(module, "sort_columns", sort_into<T>);
  define(module, "add_density_scores", density_scores<T>);
  define(module, "distinct_values", distinct<T>);
  define(module, "cut_points", cuts<T>);
}

}  // namespace

void bind_bayes(nb::module_& module) {
  bind_codes(module);
  bind_dense<double>(module);
  bind_dense<float>(module);
}

}  // namespace classica::bind
