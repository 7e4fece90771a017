#include "classica/online.hpp"

#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "kernel_arrays.hpp"
#include "tree_arrays.hpp"

namespace classica::bind {
namespace {

using Signs = Packed2<const std::int8_t>;
using Counts = Packed1<std::int64_t>;
using Weights = Packed2<double>;
using Mistakes = Packed2<std::int64_t>;
using Flags = Packed1<std::uint8_t>;

Sides sides_of(const Ints& codes, const Signs& side, std::ptrdiff_t rows) {
  require(size(codes, 0) == rows, "codes must have one entry per row.");
  require(rows < (std::ptrdiff_t{1} << 31), "X must have fewer than 2^31 rows.");
  for (std::ptrdiff_t i = 0; i < rows; ++i)
    require(codes.data()[i] >= 0 && codes.data()[i] < size(side, 1), "codes must be those of a class.");
  return {vector(codes), matrix(side)};
}

// shuffle, replace, seed, first epoch, what a score of zero speaks for
using How = std::tuple<bool, bool, std::uint64_t, std::uint64_t, int>;

Presentations presentations(const How& how) {
  const auto& [shuffle, replace, seed, first_epoch, zero] = how;
  return {shuffle, replace, seed, first_epoch, zero};
}

Progress progress_of(const Mistakes& mistakes, const Flags& converged, std::ptrdiff_t machines) {
  require(size(mistakes, 0) == machines && size(converged, 0) == machines,
          "mistakes and converged must have one row per machine.");
  return {matrix(mistakes), vector(converged)};
}

PerceptronState state_of(const Weights& weights, const Weights& kept, const Counts& seen,
                         const Counts& survived, const Counts& longest, std::ptrdiff_t machines,
                         std::ptrdiff_t cols) {
  for (const Weights& array : {weights, kept})
    require(size(array, 0) == machines && size(array, 1) == cols + 1,
            "weights must have one row per machine, with the intercept last.");
  for (const Counts& array : {seen, survived, longest})
    require(size(array, 0) == machines, "counts must have one entry per machine.");
  return {matrix(weights), matrix(kept), vector(seen), vector(survived), vector(longest)};
}

template <class Rows>
void perceptrons(const Rows& X, const Ints& codes, const Signs& side, const How& how, const std::string& keep,
                 bool intercept, int threads, const Weights& weights, const Weights& kept, const Counts& seen,
                 const Counts& survived, const Counts& longest, const Mistakes& mistakes,
                 const Flags& converged, std::optional<nb::list> record) {
  const Sides sides = sides_of(codes, side, X.rows);
  const std::ptrdiff_t machines = sides.side.rows;
  if constexpr (requires { X.data; })
    require(X.rows_are_contiguous(), "X must have its rows in one piece each.");
  const PerceptronState state = state_of(weights, kept, seen, survived, longest, machines, X.cols);
  const Progress progress = progress_of(mistakes, converged, machines);
  const Keep kept_weights = from_word<Keep>(keep);
  std::vector<Changes> changes(record ? static_cast<std::size_t>(machines) : 0);
  run([&] {
    train_perceptrons(X, sides, presentations(how), kept_weights, intercept, threads, state, progress,
                      changes);
  });
  for (Changes& own : changes)
    record->append(nb::make_tuple(array_of(std::move(own.rows)), array_of(std::move(own.times))));
}

void kernel_perceptrons(const Packed2<const double>& X, const KernelArrays& arrays, const Ints& codes,
                        const Signs& side, const How& how, double offset, std::int64_t room, int threads,
                        const Weights& scores, const Counts& seen, const Mistakes& mistakes,
                        const Flags& converged, nb::list record) {
  const Sides sides = sides_of(codes, side, size(X, 0));
  const std::ptrdiff_t machines = sides.side.rows;
  const KernelFunction kernel = kernel_function(arrays, size(X, 1));
  require(size(scores, 0) == machines && size(scores, 1) == size(X, 0),
          "scores must have one row per machine and one column per row.");
  require(size(seen, 0) == machines, "seen must have one entry per machine.");
  require(room >= 0, "room must not be negative.");
  const Progress progress = progress_of(mistakes, converged, machines);
  std::vector<Changes> changes(static_cast<std::size_t>(machines));
  run([&] {
    train_kernel_perceptrons(matrix(X), kernel, sides, presentations(how), offset, room, threads,
                             matrix(scores), vector(seen), progress, changes);
  });
  for (Changes& own : changes)
    record.append(nb::make_tuple(array_of(std::move(own.rows)), array_of(std::move(own.times))));
}

// threshold, promotion, demotion, least and most
using Factors = std::tuple<double, double, double, double, double>;

template <class Index>
void winnow(const Packed1<const Index>& columns, const Packed1<const Index>& starts, const Ints& codes,
            const Signs& side, const How& how, const Factors& factors, int threads, const Weights& weights,
            const std::optional<Weights>& opposed, const Mistakes& mistakes, const Flags& converged) {
  const Ones<Index> X{vector(columns), vector(starts)};
  const Sides sides = sides_of(codes, side, size(starts, 0) - 1);
  const Index* places = columns.data();
  for (std::ptrdiff_t k = 0; k < size(columns, 0); ++k)
    require(places[k] >= 0 && places[k] < size(weights, 1), "columns must be those of a weight.");
  for (std::ptrdiff_t i = 0; i + 1 < size(starts, 0); ++i)
    require(starts.data()[i] >= 0 && starts.data()[i] <= starts.data()[i + 1], "starts must not fall.");
  require(starts.data()[size(starts, 0) - 1] <= size(columns, 0), "starts must end within the columns.");
  require(size(weights, 0) == sides.side.rows, "weights must have one row per machine.");
  require(!opposed || (size(*opposed, 0) == size(weights, 0) && size(*opposed, 1) == size(weights, 1)),
          "weights and opposed must agree in shape.");
  const Progress progress = progress_of(mistakes, converged, sides.side.rows);
  const auto& [threshold, promotion, demotion, least, most] = factors;
  const WinnowRules rules{threshold, promotion, demotion, least, most};
  run([&] {
    train_winnow(X, sides, presentations(how), rules, threads, matrix(weights),
                 opposed ? matrix(*opposed) : Matrix<double>{}, progress);
  });
}

void votes(const Packed2<const double>& products, const Ints& places, const Reals& signs,
           const Longs& survivals, double of_zero, int threads, const Packed1<double>& out) {
  require(size(places, 0) == size(signs, 0) && size(places, 0) == size(survivals, 0),
          "places, signs and survivals must agree in length.");
  for (std::ptrdiff_t k = 0; k < size(places, 0); ++k)
    require(places.data()[k] >= 0 && places.data()[k] < size(products, 1), "places must be columns.");
  require(size(out, 0) == size(products, 0), "out must have one entry per row.");
  const VotedMachine machine{vector(places), vector(signs), vector(survivals)};
  run([&] { running_votes(matrix(products), machine, of_zero, threads, vector(out)); });
}

template <class Index>
void define_winnow(nb::module_& module) {
  module.def("train_winnow", winnow<Index>, nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg().noconvert(), nb::arg().noconvert().none(), nb::arg().noconvert(),
             nb::arg().noconvert());
}

}  // namespace

void bind_online(nb::module_& module) {
  export_words<Keep>(module, "KEPT_WEIGHTS");
  define_for_rows<const Ints&, const Signs&, const How&, const std::string&, bool, int, const Weights&,
                  const Weights&, const Counts&, const Counts&, const Counts&, const Mistakes&, const Flags&,
                  std::optional<nb::list>>(
      module, "train_perceptrons", [](const auto& X, auto&&... arguments) { perceptrons(X, arguments...); });
  module.def("train_kernel_perceptrons", kernel_perceptrons, nb::arg().noconvert(), nb::arg(),
             nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg());
  module.def("epoch_order", [](std::uint64_t seed, std::uint64_t epoch, std::ptrdiff_t count) {
    return array_of(epoch_order(seed, epoch, count));
  });
  define_winnow<std::int32_t>(module);
  define_winnow<std::int64_t>(module);
  module.def("running_votes", votes, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg().noconvert());
}

}  // namespace classica::bind
