#include "relieff.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "classica/parallel.hpp"

namespace classica {
namespace {

class Comparison {
 public:
  explicit Comparison(const RankTable& table) : table_(table), scale_(static_cast<std::size_t>(table.cols)) {
    for (std::ptrdiff_t j = 0; j < table.cols; ++j) {
      const std::int64_t levels = table.levels[j];
      if (table.categorical[j] || levels < 2) continue;
      const double range = table.value(j, static_cast<std::uint32_t>(levels - 1)) / 2 - table.value(j, 0) / 2;
      scale_[static_cast<std::size_t>(j)] = 0.5 / range;
    }
  }

  double difference(std::ptrdiff_t j, std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t of_a = table_.column(j)[a], of_b = table_.column(j)[b];
    if (of_a == missing_rank || of_b == missing_rank) {
      if (table_.levels[j] == 0) return 0.0;
      return table_.categorical[j] ? 1.0 - 1.0 / static_cast<double>(table_.levels[j]) : 1.0 / 3.0;
    }
    if (table_.categorical[j]) return of_a != of_b;
    const double scale = scale_[static_cast<std::size_t>(j)];
    return std::abs(table_.value(j, of_a) * scale - table_.value(j, of_b) * scale);
  }

  double distance(std::uint32_t a, std::uint32_t b) const {
    double sum = 0.0;
    for (std::ptrdiff_t j = 0; j < table_.cols; ++j) sum += difference(j, a, b);
    return sum;
  }

 private:
  const RankTable& table_;
  std::vector<double> scale_;
};

}  // namespace

std::vector<double> relieff(const RankTable& table, const Target& target, std::span<const std::uint32_t> rows,
                            const GrowthRules& rules) {
  const Comparison comparison(table);
  std::vector<double> merits(static_cast<std::size_t>(table.cols)),
      share(static_cast<std::size_t>(target.classes));
  double all = 0.0;
  for (const std::uint32_t row : rows)
    share[target.codes[row]] += target.weight(row), all += target.weight(row);
  for (double& part : share) part /= all;
  // Rows at equal steps: as good as drawn ones, and the same for any seed.
  const std::size_t wanted =
      rules.relief_rows > 0 ? static_cast<std::size_t>(rules.relief_rows) : rows.size();
  const std::size_t step = std::max<std::size_t>(1, rows.size() / std::max<std::size_t>(1, wanted));
  std::vector<std::vector<std::pair<double, std::uint32_t>>> near(share.size());
  double compared = 0.0;
  for (std::size_t i = 0; i < rows.size(); i += step) {
    poll_interrupt();
    for (auto& list : near) list.clear();
    for (const std::uint32_t other : rows)
      if (other != rows[i])
        near[target.codes[other]].emplace_back(comparison.distance(rows[i], other), other);
    const std::size_t own = target.codes[rows[i]];
    const double weight = target.weight(rows[i]);
    compared += weight;
    for (std::size_t c = 0; c < near.size(); ++c) {
      auto& list = near[c];
      if (list.empty()) continue;
      const std::size_t count = std::min(list.size(), static_cast<std::size_t>(rules.relief_neighbours));
      std::partial_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count), list.end());
      const double factor = c == own ? -1.0 : share[c] / (1.0 - share[own]);
      for (std::size_t k = 0; k < count; ++k)
        for (std::ptrdiff_t j = 0; j < table.cols; ++j)
          merits[static_cast<std::size_t>(j)] += weight * factor *
                                                 comparison.difference(j, rows[i], list[k].second) /
                                                 static_cast<double>(count);
    }
  }
  for (double& merit : merits) merit /= compared;
  return merits;
}

}  // namespace classica
