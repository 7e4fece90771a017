// ReliefF (Kononenko 1994): for rows at equal steps through the node, the nearest neighbours of each class
// are found by the sum of differences over all columns; a column loses by differing from neighbours of the
// row's own class and gains by differing from those of others, weighed by the share of their class.
//
// Invariant: neighbours at the last distance share what is left of the wanted number, so that the order of
// rows changes nothing, and a row of weight two counts as two rows. Cost: O(compared rows * rows *
// columns).
#include "classica/relieff.hpp"

#include <algorithm>
#include <cmath>

#include "classica/parallel.hpp"

namespace classica {
namespace {

class Comparison {
 public:
  explicit Comparison(const RankTable& table)
      : table_(table), half_range_(static_cast<std::size_t>(table.cols)) {
    for (std::ptrdiff_t j = 0; j < table.cols; ++j) {
      const std::int64_t levels = table.levels[j];
      if (table.categorical[j] || levels < 2) continue;
      half_range_[static_cast<std::size_t>(j)] =
          table.value(j, static_cast<std::uint32_t>(levels - 1)) / 2 - table.value(j, 0) / 2;
    }
  }

  double difference(std::ptrdiff_t j, std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t of_a = table_.column(j)[a], of_b = table_.column(j)[b];
    if (of_a == missing_rank || of_b == missing_rank) {
      if (table_.levels[j] == 0) return 0.0;
      return table_.categorical[j] ? 1.0 - 1.0 / static_cast<double>(table_.levels[j]) : 1.0 / 3.0;
    }
    if (table_.categorical[j]) return of_a != of_b;
    // Halves, so that neither the difference nor the range overflows.
    const double half_range = half_range_[static_cast<std::size_t>(j)];
    if (!(half_range > 0.0)) return of_a != of_b;
    return std::abs(table_.value(j, of_a) / 2 - table_.value(j, of_b) / 2) / half_range;
  }

  double distance(std::uint32_t a, std::uint32_t b) const {
    double sum = 0.0;
    for (std::ptrdiff_t j = 0; j < table_.cols; ++j) sum += difference(j, a, b);
    return sum;
  }

 private:
  const RankTable& table_;
  std::vector<double> half_range_;
};

struct Neighbour {
  double distance;
  std::uint32_t row;
  double weight;
};

// Keeps the nearest up to a total weight, which it returns; those at the last distance share what is left of
// it.
double take_nearest(std::vector<Neighbour>& list, double wanted) {
  std::sort(list.begin(), list.end(),
            [](const Neighbour& a, const Neighbour& b) { return a.distance < b.distance; });
  double taken = 0.0;
  for (std::size_t begin = 0; begin < list.size();) {
    std::size_t end = begin + 1;
    double equal = list[begin].weight;
    for (; end < list.size() && list[end].distance == list[begin].distance; ++end) equal += list[end].weight;
    const double part = std::min(1.0, (wanted - taken) / equal);
    for (std::size_t k = begin; k < end; ++k) list[k].weight *= part;
    taken += part * equal;
    begin = end;
    if (part < 1.0 || taken >= wanted) {
      list.resize(end);
      break;
    }
  }
  return taken;
}

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
  std::vector<std::vector<Neighbour>> near(share.size());
  double compared = 0.0;
  for (std::size_t i = 0; i < rows.size(); i += step) {
    poll_interrupt();
    for (auto& list : near) list.clear();
    for (const std::uint32_t other : rows) {
      // A row of weight two has itself as a neighbour once.
      const double weight = target.weight(other) - (other == rows[i]);
      if (weight > 0.0)
        near[target.codes[other]].push_back({comparison.distance(rows[i], other), other, weight});
    }
    const std::size_t own = target.codes[rows[i]];
    const double weight = target.weight(rows[i]);
    compared += weight;
    for (std::size_t c = 0; c < near.size(); ++c) {
      const double factor = weight * (c == own ? -1.0 : share[c] / (1.0 - share[own]));
      const double taken = take_nearest(near[c], static_cast<double>(rules.relief_neighbours));
      for (const Neighbour& one : near[c])
        for (std::ptrdiff_t j = 0; j < table.cols; ++j)
          merits[static_cast<std::size_t>(j)] +=
              factor * one.weight / taken * comparison.difference(j, rows[i], one.row);
    }
  }
  for (double& merit : merits) merit /= compared;
  return merits;
}

}  // namespace classica
