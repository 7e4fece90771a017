// What belongs to no single estimator: configuration, input checks, random numbers, the thread pool.
#include <nanobind/stl/pair.h>
#include <unistd.h>

#include <utility>

#include "classica/level.hpp"
#include "classica/random.hpp"
#include "classica/row_draws.hpp"
#include "words.hpp"

namespace classica::bind {
namespace {

nb::dict configuration() {
  nb::dict facts;
  facts["compiler"] = CLASSICA_COMPILER;
  facts["build"] = CLASSICA_BUILD_TYPE;
  facts["sanitizers"] = CLASSICA_SANITIZE;
#ifdef CLASSICA_CHECKED
  facts["checked"] = true;
#else
  facts["checked"] = false;
#endif
  facts["level"] = level_name(active_level());
  facts["pool_threads"] = pool_size();
  return facts;
}

template <class T>
std::ptrdiff_t first_bad(const Array2<const T>& X, double largest, bool allow_nan, int threads) {
  std::ptrdiff_t place = -1;
  run([&] { place = first_bad_value(matrix(X), {largest, allow_nan}, threads); });
  return place;
}

// The form of sparse rows, and where a malformed one is so first.
template <class Index>
std::pair<std::string, std::ptrdiff_t> sparse_form_of(const Packed1<const Index>& columns,
                                                      const Packed1<const Index>& starts, std::ptrdiff_t rows,
                                                      std::ptrdiff_t cols) {
  SparseCheck found{};
  run([&] { found = sparse_form(vector(columns), vector(starts), rows, cols); });
  return {to_word(found.form), found.position};
}

// Fills out with Philox numbers of consecutive counters, four each.
void philox(std::uint64_t seed, std::uint64_t stream, std::uint64_t counter,
            const Packed2<std::uint64_t>& out) {
  const Philox random(seed, stream);
  const Matrix<std::uint64_t> numbers = matrix(out);
  require(numbers.cols == 4, "out must have 4 columns.");
  for (std::ptrdiff_t i = 0; i < numbers.rows; ++i) {
    const auto block = random.block({counter + static_cast<std::uint64_t>(i), 0, 0, 0});
    for (std::ptrdiff_t j = 0; j < 4; ++j) numbers(i, j) = block[static_cast<std::size_t>(j)];
  }
}

// A parallel loop that only sleeps: what the tests of Ctrl-C, fork and exceptions run. The chunk with
// index fail_at throws.
void sleep_loop(int chunks, int milliseconds, int threads, int fail_at) {
  run([&] {
    parallel_for(chunks, 1, threads, [&](std::ptrdiff_t i, std::ptrdiff_t) {
      if (i == fail_at) throw std::runtime_error("chunk " + std::to_string(i) + " failed");
      usleep(static_cast<useconds_t>(milliseconds) * 1000);
    });
  });
}

}  // namespace

void bind_core(nb::module_& module) {
  export_words<SparseForm>(module, "SPARSE_FORMS");
  module.def("configuration", configuration);
  module.def("first_bad", first_bad<double>, nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg());
  module.def("first_bad", first_bad<float>, nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg());
  module.def("sparse_form", sparse_form_of<std::int32_t>, nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg(), nb::arg());
  module.def("sparse_form", sparse_form_of<std::int64_t>, nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg(), nb::arg());
  module.def("philox", philox, nb::arg(), nb::arg(), nb::arg(), nb::arg().noconvert());
  module.def("sleep_loop", sleep_loop);
  define_for_rows<std::uint64_t, int, const Packed1<double>&>(
      module, "row_draws", [](const auto& X, std::uint64_t seed, int threads, const Packed1<double>& out) {
        require(size(out, 0) == X.rows, "out must have one entry per row.");
        run([&] { row_draws(X, seed, threads, vector(out)); });
      });
}

}  // namespace classica::bind
