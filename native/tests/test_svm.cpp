#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "classica/svm.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::random_table;
using classica::testing::Table;

namespace {

// Two classes of rows, apart by less than their spread.
struct TwoClasses {
  explicit TwoClasses(std::ptrdiff_t rows)
      : table(random_table(rows, 3, 81)),
        places(static_cast<std::size_t>(rows)),
        signs(places.size()),
        linear(places.size(), -1.0),
        upper(places.size(), 1.0),
        alpha(places.size()),
        slacks(places.size()) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = static_cast<std::int32_t>(i);
      signs[i] = i % 2 ? 1.0 : -1.0;
      for (std::ptrdiff_t j = 0; j < 3; ++j) table(static_cast<std::ptrdiff_t>(i), j) += 0.3 * signs[i];
    }
  }

  SvmOutcome solve(SvmRules rules, int threads) {
    std::fill(alpha.begin(), alpha.end(), 0.0);
    const SvmMachine machine{table.rows(), places.data(), signs.data(), linear.data(),
                             upper.data(), alpha.data(),  slacks.data()};
    const Table<double>& rows = table;
    return solve_svm({rows.view(), {KernelKind::rbf, 0.5, 0, 3, nullptr}, {}}, {machine}, rules, threads)[0];
  }

  Table<double> table;
  std::vector<std::int32_t> places;
  std::vector<double> signs, linear, upper, alpha, slacks;
};

SvmRules rules(double cache_bytes, bool shrinking = true) {
  return {1e-5, std::numeric_limits<std::int64_t>::max(), 1e10, shrinking, cache_bytes};
}

}  // namespace

TEST_CASE("solutions keep their bounds and close the gap") {
  for (const std::ptrdiff_t rows : {2, 3, 15, 16, 17, 100}) {
    TwoClasses data(rows);
    const SvmOutcome found = data.solve(rules(0), 2);
    CHECK(found.converged == 1);
    double sum = 0;
    for (std::size_t i = 0; i < data.alpha.size(); ++i) {
      sum += data.signs[i] * data.alpha[i];
      CHECK(data.alpha[i] >= 0);
      CHECK(data.alpha[i] <= 1);
    }
    CHECK(std::abs(sum) <= 1e-12);
    CHECK(found.gap >= -1e-9);
    CHECK(found.gap <= 1e-4 * static_cast<double>(rows));
  }
}

TEST_CASE("whole problems, blocks, tiles and shrinking reach one objective") {
  TwoClasses data(1400);
  const Table<double>& rows = data.table;
  const KernelFunction kernel{KernelKind::rbf, 0.5, 0, 3, nullptr};
  std::vector<double> values(1400 * 1400);
  const Matrix<double> square{values.data(), 1400, 1400, 1400, 1};
  kernel_matrix(rows.view(), rows.view(), kernel, 2, square);
  const SvmMachine whole{1400,
                         data.places.data(),
                         data.signs.data(),
                         data.linear.data(),
                         data.upper.data(),
                         data.alpha.data(),
                         data.slacks.data()};
  const SvmTable known{{}, {}, {values.data(), 1400, 1400, 1400, 1}};
  const double wanted = solve_svm(known, {whole}, rules(0), 1)[0].objective;  // all variables at once
  for (const bool shrinking : {false, true})
    CHECK(data.solve(rules(0, shrinking), 2).objective == doctest::Approx(wanted).epsilon(1e-6));
}

TEST_CASE("threads change no bit of a solution") {
  TwoClasses data(1400);
  data.solve(rules(0), 1);
  const std::vector<double> alone = data.alpha;
  data.solve(rules(0), 4);
  CHECK(data.alpha == alone);
}

TEST_CASE("machines work on parts of a table of values") {
  TwoClasses data(101);
  const Table<double>& rows = data.table;
  const KernelFunction kernel{KernelKind::rbf, 0.5, 0, 3, nullptr};
  std::vector<double> values(101 * 101);
  kernel_matrix(rows.view(), rows.view(), kernel, 1, Matrix<double>{values.data(), 101, 101, 101, 1});
  for (const std::ptrdiff_t count : {101, 90, 20}) {  // where they lie, among others, copied
    const SvmMachine machine{count,
                             data.places.data() + 101 - count,
                             data.signs.data() + 101 - count,
                             data.linear.data(),
                             data.upper.data(),
                             data.alpha.data(),
                             data.slacks.data()};
    std::vector<double> objectives;
    for (const SvmTable& table :
         {SvmTable{rows.view(), kernel, {}}, SvmTable{{}, {}, {values.data(), 101, 101, 101, 1}}}) {
      std::fill(data.alpha.begin(), data.alpha.end(), 0.0);
      objectives.push_back(solve_svm(table, {machine}, rules(0), 2)[0].objective);
    }
    CHECK(objectives[0] == doctest::Approx(objectives[1]).epsilon(1e-9));
  }
}
