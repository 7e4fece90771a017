// Which form the kernel values of each machine take, and which machines run side by side. Machines of one
// table share its values where these fit the bytes the caller allows and would be worked out at least four
// times; otherwise each works them out tile by tile.
//
// Invariant: whether values are shared depends on the machines, never on threads, because it decides in
// which order sums are added up. Cost: that of `Machine`.
#include <numeric>

#include "classica/svm.hpp"
#include "machine.hpp"

namespace classica {
namespace {

double bytes_of_square(std::ptrdiff_t rows) {
  return 8.0 * static_cast<double>(rows) * static_cast<double>(rows);
}

// The rows of a machine, each once, and the place of each variable's row among them.
struct MachineRows {
  Places rows, places;

  MachineRows(const SvmMachine& machine, std::ptrdiff_t all) : places(room(machine.count)) {
    Places place_of(room(all), -1);
    for (std::ptrdiff_t v = 0; v < machine.count; ++v) {
      std::int32_t& place = place_of[room(machine.rows[v])];
      if (place < 0) {
        place = static_cast<std::int32_t>(rows.size());
        rows.push_back(machine.rows[v]);
      }
      places[room(v)] = place;
    }
  }
  std::ptrdiff_t count() const { return static_cast<std::ptrdiff_t>(rows.size()); }
  bool is_all(std::ptrdiff_t all) const {
    if (count() != all) return false;
    for (std::ptrdiff_t i = 0; i < all; ++i)
      if (rows[room(i)] != i) return false;
    return true;
  }
};

template <class Level>
std::unique_ptr<Gram> known_part(Matrix<const double> values, const MachineRows& rows, int threads) {
  if (rows.is_all(values.rows)) return std::make_unique<KnownGram<Level>>(values, threads);
  const std::ptrdiff_t count = rows.count();
  // A copy of nearly the whole table takes longer (most of it the first touch of its pages) than the few rows
  // of others that every step adds up for nothing.
  const bool is_most = 5 * count > 4 * values.rows;
  if (is_most || fits_one_block(static_cast<std::ptrdiff_t>(rows.places.size()), true))
    return std::make_unique<KnownPart<Level>>(values, rows.rows, threads);
  std::vector<double> part(room(count * count));
  copy_square(values, rows.rows, count, part.data(), threads);
  return std::make_unique<KnownGram<Level>>(std::move(part), count, threads);
}

template <class Level>
std::unique_ptr<Gram> make_gram(const SvmTable& table, const MachineRows& rows, int threads) {
  if (table.values.rows > 0) return known_part<Level>(table.values, rows, threads);
  return std::make_unique<RowGram<Level>>(table.rows, rows.rows.data(), rows.count(), table.kernel, threads);
}

// Machines of one table share its kernel values where these can be held and would be worked out many times.
// (Whether they do must not depend on threads: it decides in which order sums are added up.)
bool share_values(const std::vector<SvmMachine>& machines, std::ptrdiff_t rows, const SvmRules& rules) {
  double alone = 0;
  for (const SvmMachine& machine : machines) alone += bytes_of_square(machine.count);
  return bytes_of_square(rows) <= rules.cache_bytes && alone >= 4 * bytes_of_square(rows);
}

}  // namespace

std::vector<SvmOutcome> solve_svm(const SvmTable& given, const std::vector<SvmMachine>& machines,
                                  const SvmRules& rules, int threads) {
  const auto count = static_cast<std::ptrdiff_t>(machines.size());
  SvmTable table = given;
  std::vector<double> values;
  const std::ptrdiff_t all = std::max(table.rows.rows, table.values.rows);
  if (table.values.rows == 0 && share_values(machines, all, rules)) {
    values.resize(room(all * all));
    const Matrix<double> square{values.data(), all, all, all, 1};
    kernel_matrix(table.rows, table.rows, table.kernel, threads, square);
    table.values = {values.data(), all, all, all, 1};
  }
  std::vector<SvmOutcome> outcomes(machines.size());
  // Many machines run side by side; few of them one after the other, each on all threads.
  const bool together = count >= 2 * threads || (count > 1 && table.values.rows > 0);
  at_widest_level([&]<class Level>() {
    const auto solve = [&](std::ptrdiff_t k, int own_threads) {
      const MachineRows rows(machines[room(k)], all);
      const std::unique_ptr<Gram> gram = make_gram<Level>(table, rows, own_threads);
      outcomes[room(k)] = Machine<Level>(machines[room(k)], rows.places, rows.count(), *gram, rules).solve();
    };
    if (!together) {
      for (std::ptrdiff_t k = 0; k < count; ++k) solve(k, threads);
      return;
    }
    parallel_for(count, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t k = begin; k < end; ++k) solve(k, 1);
    });
  });
  return outcomes;
}

}  // namespace classica
