#include "classica/moments.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "arrays.hpp"

namespace classica::bind {
namespace {

using Pairs = Packed3<double>;  // [2, groups, columns]: the high parts, then the low parts

// Number is double, or const double where a kernel only reads: what a fitted model shows is read-only.
template <class Number>
Moments view(const Packed2<Number>& counts, const Packed3<Number>& sums,
             const std::optional<Packed3<Number>>& squares) {
  const auto start = [](const auto& array) { return const_cast<double*>(array.data()); };
  Moments moments;
  moments.groups = size(sums, 1);
  moments.cols = size(sums, 2);
  moments.counts_high = start(counts);
  moments.sums_high = start(sums);
  const std::ptrdiff_t pairs = moments.groups * moments.cols;
  require(size(sums, 0) == 2 && size(counts, 0) == 2, "counts and sums must be pairs.");
  require(size(counts, 1) == moments.groups, "counts and sums must agree in shape.");
  moments.counts_low = moments.counts_high + moments.groups;
  moments.sums_low = moments.sums_high + pairs;
  if (!squares) return moments;
  require(static_cast<std::ptrdiff_t>(squares->size()) == 2 * pairs, "sums and squares must agree in shape.");
  moments.squares_high = start(*squares);
  moments.squares_low = moments.squares_high + pairs;
  return moments;
}

using ReadPairs = Packed3<const double>;

void finish(const Packed2<const double>& counts, const ReadPairs& sums,
            const std::optional<ReadPairs>& squares, const Packed2<double>& means,
            const std::optional<Packed2<double>>& variances) {
  const Moments moments = view<const double>(counts, sums, squares);
  const auto pairs = static_cast<std::size_t>(moments.groups * moments.cols);
  require(means.size() == pairs, "means must have one row per group.");
  require(!variances || (squares && variances->size() == pairs), "variances need squares of the same shape.");
  run([&] { means_and_variances(moments, means.data(), variances ? variances->data() : nullptr); });
}

void settle_sums(const Packed2<double>& counts, const Pairs& sums, const std::optional<Pairs>& squares,
                 const Packed2<const std::uint8_t>& constant) {
  const Moments moments = view<double>(counts, sums, squares);
  require(2 * constant.size() == sums.size(), "constant must have one flag per sum.");
  run([&] { settle(moments, constant.data()); });
}

void divide_sums(const Packed2<const double>& counts, const ReadPairs& sums, const Pairs& out) {
  const Moments moments = view<const double>(counts, sums, std::nullopt);
  require(out.size() == sums.size(), "out must have the shape of sums.");
  run([&] { mean_pairs(moments, out.data()); });
}

template <class T>
bool is_dense(const Matrix<const T>&) {
  return true;
}
template <class T, class Index>
bool is_dense(const SparseRows<T, Index>&) {
  return false;
}

using AnyPairs = nb::ndarray<double, nb::c_contig, nb::device::cpu>;

using AnyReadPairs = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

void add_pairs(const AnyReadPairs& a, const AnyReadPairs& b, double sign, const AnyPairs& out) {
  require(a.size() == b.size() && a.size() == out.size() && a.size() % 2 == 0,
          "a, b and out must agree in shape.");
  const auto pairs = static_cast<std::ptrdiff_t>(a.size() / 2);
  run([&] { add_double_doubles(a.data(), b.data(), sign, pairs, out.data()); });
}

}  // namespace

void bind_moments(nb::module_& module) {
  module.def("means_and_variances", finish, nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert().none(), nb::arg().noconvert(), nb::arg().noconvert().none());
  module.def("settle", settle_sums, nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert().none(), nb::arg().noconvert());
  module.def("mean_pairs", divide_sums, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert());
  module.def("add_pairs", add_pairs, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(),
             nb::arg().noconvert());
  define_for_rows<const Array1<const std::int32_t>&, const std::optional<Array1<const double>>&, int,
                  const Packed2<double>&, const Pairs&, const std::optional<Pairs>&,
                  const std::optional<Pairs>&>(
      module, "grouped_moments",
      [](const auto& X, const Array1<const std::int32_t>& group,
         const std::optional<Array1<const double>>& weights, int threads, const Packed2<double>& counts,
         const Pairs& sums, const std::optional<Pairs>& squares, const std::optional<Pairs>& absent) {
        Moments out = view<double>(counts, sums, squares);
        if (absent) {
          require(absent->size() == sums.size(), "sums and absent must agree in shape.");
          require(is_dense(X), "rows with missing values must be dense.");
          out.absent_high = absent->data();
          out.absent_low = out.absent_high + out.groups * out.cols;
        }
        require(size(group, 0) == X.rows && out.cols == X.cols, "X, group and sums must agree in shape.");
        require(!weights || size(*weights, 0) == X.rows, "weights must have one entry per row.");
        const Vector<const double> weight_view = weights ? vector(*weights) : Vector<const double>{};
        run([&] { grouped_moments(X, vector(group), weight_view, threads, out); });
      });
}

}  // namespace classica::bind
