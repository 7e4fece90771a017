// Splits of other columns that imitate the one a node has taken (Breiman et al. 1984).
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "node.hpp"

namespace classica {

// Finds the best imitation in one column: the one that sends most of the rows known to both the same way.
template <class Rows>
class SurrogateSearch {
 public:
  SurrogateSearch(const RankTable& table, const Rows& rows, const typename Rows::Place& place,
                  const Split& primary, double dissent)
      : table_(table), rows_(rows), place_(place), primary_(primary), dissent_(dissent) {
    for (const std::uint32_t row : rows_.rows(place_)) {
      const std::int32_t branch = primary_branch(row);
      if (branch >= 0) known_[static_cast<std::size_t>(branch)] += rows_.weight(row);
    }
  }

  Surrogate best(std::ptrdiff_t j) const {
    Surrogate found = table_.categorical[j] ? best_levels(j) : best_cut(j);
    if (found.split.exists()) found.split.feature = static_cast<std::int32_t>(j);
    return found;
  }

 private:
  using Pair = std::array<double, 2>;
  // A cut must send at least this many cases each way.
  static constexpr double least_rows = 2.0;

  std::int32_t primary_branch(std::uint32_t row) const {
    const std::uint32_t rank = table_.column(primary_.feature)[row];
    return rank == missing_rank ? -1 : primary_.branch_of(rank);
  }

  // What a surrogate has to beat: every row goes the way of most.
  double majority() const { return std::max(known_[0], known_[1]); }

  Surrogate rated(Surrogate found) const {
    if (!found.split.exists()) return found;
    found.agreement = found.agreeing / (known_[0] + known_[1]);
    found.advantage = (found.agreeing - majority()) / (known_[0] + known_[1] - majority());
    return found;
  }

  Surrogate best_cut(std::ptrdiff_t j) const {
    const std::uint32_t* ranks = table_.column(j);
    std::vector<Entry> entries;
    for (const std::uint32_t row : rows_.rows(place_))
      if (ranks[row] != missing_rank && primary_branch(row) >= 0)
        entries.push_back(entry_of(ranks[row], row));
    std::sort(entries.begin(), entries.end());
    Pair left{}, right{};
    double cases_left = 0.0, cases_right = 0.0;
    for (const Entry entry : entries) {
      right[static_cast<std::size_t>(primary_branch(row_of(entry)))] += rows_.weight(row_of(entry));
      cases_right += rows_.cases(row_of(entry));
    }
    Surrogate best;
    best.agreeing = majority();
    for (std::size_t k = 0; k + 1 < entries.size(); ++k) {
      const std::uint32_t row = row_of(entries[k]);
      const auto branch = static_cast<std::size_t>(primary_branch(row));
      left[branch] += rows_.weight(row);
      right[branch] -= rows_.weight(row);
      cases_left += rows_.cases(row);
      cases_right -= rows_.cases(row);
      if (rank_of(entries[k]) == rank_of(entries[k + 1])) continue;
      if (cases_left < least_rows || cases_right < least_rows) continue;
      const double same = left[0] + right[1], opposite = left[1] + right[0];
      if (!(std::max(same, opposite) > best.agreeing * (1 + 1e-12))) continue;
      best.agreeing = std::max(same, opposite);
      best.flipped = opposite > same;
      best.split.feature = 0;
      best.split.last_left = rank_of(entries[k]);
      best.split.first_right = rank_of(entries[k + 1]);
    }
    return rated(std::move(best));
  }

  // Each level goes the way of most of its rows.
  Surrogate best_levels(std::ptrdiff_t j) const {
    const std::uint32_t* ranks = table_.column(j);
    std::vector<Pair> levels(static_cast<std::size_t>(table_.levels[j]));
    std::vector<double> cases(levels.size());
    for (const std::uint32_t row : rows_.rows(place_)) {
      const std::int32_t branch = primary_branch(row);
      if (ranks[row] == missing_rank || branch < 0) continue;
      levels[ranks[row]][static_cast<std::size_t>(branch)] += rows_.weight(row);
      cases[ranks[row]] += rows_.cases(row);
    }
    Surrogate found;
    found.split.branches.assign(levels.size(), -1);
    double both = 0.0;
    for (std::size_t level = 0; level < levels.size(); ++level) {
      if (cases[level] == 0.0) continue;
      const std::size_t to = levels[level][1] > levels[level][0];
      found.split.branches[level] = static_cast<std::int32_t>(to);
      found.agreeing += levels[level][to];
      both += levels[level][0] + levels[level][1];
    }
    if (!(found.agreeing > majority() * (1 + 1e-12)) || both - found.agreeing < dissent_) return {};
    found.split.feature = 0;
    return rated(std::move(found));
  }

  const RankTable& table_;
  const Rows& rows_;
  const typename Rows::Place& place_;
  const Split& primary_;
  double dissent_;
  Pair known_{};
};

// The best surrogates of a split, best first; of equal ones the first column.
template <class Rows>
std::vector<Surrogate> find_surrogates(const RankTable& table, const Rows& rows,
                                       const typename Rows::Place& place, const Split& primary,
                                       const GrowthRules& rules, int threads) {
  std::vector<Surrogate> found(static_cast<std::size_t>(table.cols));
  if (rules.max_surrogates <= 0) return {};
  const SurrogateSearch<Rows> search(table, rows, place, primary, rules.surrogate_dissent);
  parallel_for(table.cols, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t j = begin; j < end; ++j)
      if (j != primary.feature) found[static_cast<std::size_t>(j)] = search.best(j);
  });
  std::erase_if(found, [](const Surrogate& s) { return !s.split.exists(); });
  std::stable_sort(found.begin(), found.end(), [](const Surrogate& a, const Surrogate& b) {
    return a.agreeing > b.agreeing * (1 + 1e-12);
  });
  if (found.size() > static_cast<std::size_t>(rules.max_surrogates))
    found.resize(static_cast<std::size_t>(rules.max_surrogates));
  return found;
}

}  // namespace classica
