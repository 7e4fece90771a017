// From numbers to ranks: a least-significant-digit radix sort of each column, on keys whose unsigned order
// is that of the doubles. Trees ask for the order of values only, so that everything after this works on
// ranks.
//
// Invariant: equal values (both zeros are one) have equal ranks, and missing cells the highest number.
// Digits that all cells share are passed over. Cost: O(rows) per column, at most six passes of eleven bits
// (a table of 2048 counts fits the first cache).
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "classica/parallel.hpp"
#include "classica/tree.hpp"
#include "entries.hpp"

namespace classica {
namespace {

struct Cell {
  std::uint64_t key;
  std::uint32_t row;
};

// Unsigned integers in the order of the numbers; both zeros are one.
std::uint64_t sortable(double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}
double number(std::uint64_t key) {
  return std::bit_cast<double>(key >> 63 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

// Sorts by key, eleven bits at a time from the lowest; digits that all cells share are passed over.
void radix_sort(std::vector<Cell>& cells, std::vector<Cell>& other) {
  constexpr int digit_bits = 11, digits = 6, buckets = 1 << digit_bits;
  const auto digit = [](const Cell& cell, int d) { return (cell.key >> (d * digit_bits)) & (buckets - 1); };
  std::vector<std::array<std::uint32_t, buckets>> counts(digits);
  for (const Cell& cell : cells)
    for (int d = 0; d < digits; ++d) ++counts[static_cast<std::size_t>(d)][digit(cell, d)];
  other.resize(cells.size());
  for (int d = 0; d < digits; ++d) {
    auto& count = counts[static_cast<std::size_t>(d)];
    if (!cells.empty() && count[digit(cells[0], d)] == cells.size()) continue;
    std::uint32_t start = 0;
    for (std::uint32_t& bucket : count) start += std::exchange(bucket, start);
    for (const Cell& cell : cells) other[count[digit(cell, d)]++] = cell;
    cells.swap(other);
  }
}

template <class T>
void rank_column(Matrix<const T> X, std::ptrdiff_t j, std::vector<Cell>& cells, std::vector<Cell>& work,
                 std::uint32_t* ranks, std::vector<double>& values) {
  cells.clear();
  for (std::ptrdiff_t i = 0; i < X.rows; ++i) {
    const double value = static_cast<double>(X(i, j));
    if (std::isnan(value))
      ranks[i] = missing_rank;
    else
      cells.push_back({sortable(value), static_cast<std::uint32_t>(i)});
  }
  radix_sort(cells, work);
  values.clear();
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (k == 0 || cells[k].key != cells[k - 1].key) values.push_back(number(cells[k].key));
    ranks[cells[k].row] = static_cast<std::uint32_t>(values.size() - 1);
  }
}

}  // namespace

template <class T>
void rank_columns(Matrix<const T> X, int threads, std::uint32_t* ranks,
                  std::vector<std::vector<double>>& values) {
  values.resize(static_cast<std::size_t>(X.cols));
  parallel_for(X.cols, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    thread_local std::vector<Cell> cells, work;
    for (std::ptrdiff_t j = begin; j < end; ++j)
      rank_column(X, j, cells, work, ranks + j * X.rows, values[static_cast<std::size_t>(j)]);
  });
}

TableForMany::TableForMany(const RankTable& table, int threads) : table_(table) {
  const std::int64_t most = *std::max_element(table.levels, table.levels + table.cols);
  if (most < 0xFF)
    turn<std::uint8_t>(threads);
  else if (most < 0xFFFF)
    turn<std::uint16_t>(threads);
  else
    turn<std::uint32_t>(threads);
  sort(threads);
}

template <class Rank>
void TableForMany::turn(int threads) {
  by_row_.resize(static_cast<std::size_t>(table_.rows * table_.cols) * sizeof(Rank));
  Rank* turned = reinterpret_cast<Rank*>(by_row_.data());
  parallel_for(table_.rows, 1024, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t j = 0; j < table_.cols; ++j)
      for (std::ptrdiff_t i = begin; i < end; ++i)
        turned[i * table_.cols + j] = static_cast<Rank>(table_.column(j)[i]);
  });
  table_.by_row = by_row_.data();
  table_.bytes_by_row = sizeof(Rank);
}

void TableForMany::sort(int threads) {
  orders_.resize(static_cast<std::size_t>(table_.cols * table_.rows));
  parallel_for(table_.cols, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    std::vector<std::uint32_t> starts;
    for (std::ptrdiff_t j = begin; j < end; ++j) {
      if (!needs_order(table_, j)) continue;
      const auto above = static_cast<std::uint32_t>(table_.levels[j]);
      const std::uint32_t* ranks = table_.column(j);
      starts.assign(above + 2, 0);
      for (std::ptrdiff_t i = 0; i < table_.rows; ++i) ++starts[std::min(ranks[i], above) + 1];
      for (std::size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1];
      std::uint32_t* order = orders_.data() + j * table_.rows;
      for (std::ptrdiff_t i = 0; i < table_.rows; ++i)
        order[starts[std::min(ranks[i], above)]++] = static_cast<std::uint32_t>(i);
    }
  });
  table_.orders = orders_.data();
}

template void rank_columns(Matrix<const float>, int, std::uint32_t*, std::vector<std::vector<double>>&);
template void rank_columns(Matrix<const double>, int, std::uint32_t*, std::vector<std::vector<double>>&);

}  // namespace classica
