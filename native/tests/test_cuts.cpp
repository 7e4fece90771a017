#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "../src/level/cut_block.hpp"

using namespace classica;

namespace {

struct Cell {
  std::uint32_t rank;
  std::uint32_t code, count;
};

struct Found {
  std::ptrdiff_t place = -1;
  double score = 0.0;
};

double score_of(const std::vector<std::int64_t>& left, const std::vector<std::int64_t>& all) {
  double squares_left = 0, squares_right = 0, l = 0, r = 0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const auto a = static_cast<double>(left[c]), b = static_cast<double>(all[c] - left[c]);
    squares_left += a * a, squares_right += b * b, l += a, r += b;
  }
  return squares_left / l + squares_right / r;
}

// The first best cut of sorted cells, by trying all of them.
Found best_cut(const std::vector<Cell>& cells, std::size_t classes, double least) {
  std::vector<std::int64_t> left(classes), all(classes);
  std::int64_t size = 0, left_size = 0;
  for (const Cell& cell : cells) all[cell.code] += cell.count, size += cell.count;
  Found best;
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
    left[cells[i].code] += cells[i].count;
    left_size += cells[i].count;
    if (cells[i].rank == cells[i + 1].rank) continue;
    if (static_cast<double>(left_size) < least || static_cast<double>(size - left_size) < least) continue;
    const double score = score_of(left, all);
    if (best.place < 0 || score > best.score * (1 + 1e-13)) best = {static_cast<std::ptrdiff_t>(i), score};
  }
  return best;
}

std::vector<Cell> random_cells(std::mt19937& random, std::size_t count, std::uint32_t ranks,
                               std::uint32_t classes) {
  std::vector<Cell> cells(count);
  for (Cell& cell : cells)
    cell = {static_cast<std::uint32_t>(random() % ranks), static_cast<std::uint32_t>(random() % classes),
            1 + static_cast<std::uint32_t>(random() % 3)};
  return cells;
}

}  // namespace

TEST_CASE("few cells of eight columns are cut as if each column were searched alone") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t cells = 2 + random() % 63;
    const std::uint32_t classes = 1 + static_cast<std::uint32_t>(random() % 8);
    const std::uint32_t ranks = trial % 3 ? 1 + static_cast<std::uint32_t>(random() % 20) : 1u << 19;
    const auto least = static_cast<std::int32_t>(1 + random() % 4);
    // The rows are the same in all columns, only their ranks differ.
    const std::vector<Cell> rows = random_cells(random, cells, 1, classes);
    std::vector<std::int32_t> all(classes), keys(cells * 8);
    for (const Cell& row : rows) all[row.code] += static_cast<std::int32_t>(row.count);
    std::vector<std::vector<Cell>> columns(8, rows);
    for (std::size_t k = 0; k < 8; ++k)
      for (std::size_t i = 0; i < cells; ++i) {
        columns[k][i].rank = static_cast<std::uint32_t>(random() % ranks);
        keys[i * 8 + k] = FewCells::key(columns[k][i].rank, columns[k][i].count << 8 | columns[k][i].code);
      }
    double places[8], scores[8];
    at_active_level([&]<class Level>() {
      CutBlock<Level>::best_of_few(keys.data(), static_cast<std::ptrdiff_t>(cells), all.data(), classes,
                                   least, places, scores);
    });
    for (std::size_t k = 0; k < 8; ++k) {
      std::sort(columns[k].begin(), columns[k].end(),
                [](const Cell& a, const Cell& b) { return a.rank < b.rank; });
      const Found wanted = best_cut(columns[k], classes, least);
      REQUIRE(static_cast<std::ptrdiff_t>(places[k]) == wanted.place);
      if (wanted.place < 0) continue;
      REQUIRE(scores[k] == doctest::Approx(wanted.score).epsilon(1e-12));
      REQUIRE(FewCells::rank_of(keys[static_cast<std::size_t>(wanted.place) * 8 + k]) ==
              columns[k][static_cast<std::size_t>(wanted.place)].rank);
    }
  }
}

TEST_CASE("counted levels are cut where sorted cells would be") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::uint32_t classes = 1 + static_cast<std::uint32_t>(random() % 12);
    const std::uint32_t ranks = 1 + static_cast<std::uint32_t>(random() % 256);
    std::vector<Cell> cells = random_cells(random, 2 + random() % 500, ranks, classes);
    std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.rank < b.rank; });
    const std::ptrdiff_t levels = (ranks + 3) / 4 * 4;
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(levels) * classes);
    std::vector<double> all(classes), nothing(classes), scratch(classes);
    for (const Cell& cell : cells) {
      counts[cell.code * static_cast<std::size_t>(levels) + cell.rank] += cell.count;
      all[cell.code] += cell.count;
    }
    const double least = 1 + static_cast<double>(random() % 3);
    const LevelCut found = at_active_level([&]<class Level>() {
      return CutBlock<Level>::best_of_levels(counts.data(), levels, {cells.front().rank, cells.back().rank},
                                             nothing.data(), all.data(), classes, least, -1.0, 1e-9,
                                             scratch.data());
    });
    const Found wanted = best_cut(cells, classes, least);
    REQUIRE((found.level < 0) == (wanted.place < 0));
    if (wanted.place < 0) continue;
    REQUIRE(found.level == cells[static_cast<std::size_t>(wanted.place)].rank);
    REQUIRE(found.score == doctest::Approx(wanted.score).epsilon(1e-12));
  }
}
