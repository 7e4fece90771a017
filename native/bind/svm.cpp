#include "classica/svm.hpp"

#include "arrays.hpp"
#include "kernel_arrays.hpp"

namespace classica::bind {
namespace {

// Where each machine's variables start; rows, signs, linear terms, upper bounds, values, slacks of all.
using Variables = std::tuple<Packed1<const std::int64_t>, Packed1<const std::int32_t>, Packed1<const double>,
                             Packed1<const double>, Packed1<const double>, Packed1<double>, Packed1<double>>;

// Tolerance, most steps, most seconds, whether to shrink, bytes for kernel values.
using Rules = std::tuple<double, std::int64_t, double, bool, double>;

std::vector<SvmMachine> machines_of(const Variables& variables, std::ptrdiff_t all_rows) {
  const auto& [starts, rows, signs, linear, upper, alpha, slacks] = variables;
  const std::ptrdiff_t total = size(rows, 0), machines = size(starts, 0) - 1;
  require(size(signs, 0) == total && size(linear, 0) == total && size(upper, 0) == total &&
              size(alpha, 0) == total && size(slacks, 0) == total,
          "variables must agree in number.");
  require(machines >= 0 && starts.data()[0] == 0 && starts.data()[machines] == total,
          "starts must lead from none to all variables.");
  for (std::ptrdiff_t v = 0; v < total; ++v)
    require(rows.data()[v] >= 0 && rows.data()[v] < all_rows, "rows must be those of the table.");
  std::vector<SvmMachine> found;
  for (std::ptrdiff_t k = 0; k < machines; ++k) {
    const std::ptrdiff_t first = starts.data()[k], count = starts.data()[k + 1] - first;
    require(count >= 0 && first + count <= total, "starts must ascend.");
    found.push_back({count, rows.data() + first, signs.data() + first, linear.data() + first,
                     upper.data() + first, alpha.data() + first, slacks.data() + first});
  }
  return found;
}

void solve(const SvmTable& table, std::ptrdiff_t rows, const Variables& variables, const Rules& given,
           int threads, const Packed2<double>& out) {
  const auto& [tol, max_steps, max_seconds, shrinking, cache_bytes] = given;
  const SvmRules rules{tol, max_steps, max_seconds, shrinking, cache_bytes};
  const std::vector<SvmMachine> machines = machines_of(variables, rows);
  require(size(out, 0) == static_cast<std::ptrdiff_t>(machines.size()) && size(out, 1) == 7,
          "out must have seven columns and one row per machine.");
  run([&] {
    const std::vector<SvmOutcome> outcomes = solve_svm(table, machines, rules, threads);
    double* place = out.data();
    for (const SvmOutcome& one : outcomes)
      for (const double value :
           {one.objective, one.gap, one.offset, one.squared_norm, one.violation, one.steps, one.converged})
        *place++ = value;
  });
}

}  // namespace

void bind_svm(nb::module_& module) {
  module.def(
      "solve_svm",
      [](const Packed2<const double>& X, const KernelArrays& arrays, const Variables& variables,
         const Rules& rules, int threads, const Packed2<double>& out) {
        const SvmTable table{matrix(X), kernel_function(arrays, size(X, 1)), {}};
        solve(table, size(X, 0), variables, rules, threads, out);
      },
      nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().noconvert());
  module.def(
      "solve_known_svm",
      [](const Packed2<const double>& K, const Variables& variables, const Rules& rules, int threads,
         const Packed2<double>& out) {
        require(size(K, 0) == size(K, 1), "kernel values must be square.");
        solve({{}, {}, matrix(K)}, size(K, 0), variables, rules, threads, out);
      },
      nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg(), nb::arg().noconvert());
}

}  // namespace classica::bind
