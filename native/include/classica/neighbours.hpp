// Exact nearest neighbours. Every structure holds the same thing, the training rows in tiles of eight, in
// an order of its own; distances are computed by one routine (level/rank_block.hpp), added up in column
// order, so all structures give the same neighbours and ties: by distance, then by training index.
#pragma once

#include <cstdint>
#include <vector>

#include "classica/view.hpp"
#include "classica/words.hpp"

namespace classica {

CLASSICA_WORDS(Metric, minkowski, euclidean, manhattan, chebyshev, hamming, heom, gower);

// How two rows are compared. "Rank" is the distance before its final monotone step (a root, a division).
struct MetricRule {
  Metric metric = Metric::euclidean;
  double power = 2.0;                         // of the Minkowski distance
  const std::uint8_t* categorical = nullptr;  // per column, for HEOM and Gower
};

CLASSICA_WORDS(Structure, brute, partial, kd_tree, ball_tree, annulus);

constexpr std::ptrdiff_t tile_rows = 8;

// The training rows as a structure stores them; see build_index. The structure covers the first tiles; rows
// added later lie in tiles behind them, which every search looks into as well. Removed rows leave a place
// with no row.
template <class T>
struct NeighbourIndex {
  Structure structure = Structure::brute;
  MetricRule rule;
  std::ptrdiff_t cols = 0;
  std::ptrdiff_t tile_count = 0;        // all tiles
  std::ptrdiff_t built_tiles = 0;       // those the structure covers
  std::ptrdiff_t leaf_tiles = 1;        // tiles per leaf of a tree
  const T* tiles = nullptr;             // [tile][column][tile_rows]
  const std::int32_t* order = nullptr;  // [tile_count * tile_rows]: the row in each place, -1 for none
  // Trees: a box or ball per node. Annulus: each built place's distance to the corner, then the corner.
  const double* bounds = nullptr;

  bool is_tree() const { return structure == Structure::kd_tree || structure == Structure::ball_tree; }
  std::ptrdiff_t leaf_count() const { return (built_tiles + leaf_tiles - 1) / leaf_tiles; }
  std::ptrdiff_t node_count() const { return 2 * leaf_count() - 1; }
  std::ptrdiff_t bound_size() const { return structure == Structure::kd_tree ? 2 * cols : cols + 1; }
  std::ptrdiff_t bounds_in_all() const {
    if (structure == Structure::annulus) return built_tiles * tile_rows + cols;
    return is_tree() ? node_count() * bound_size() : 0;
  }
};

// Fills tiles, order and bounds with the rows of X, which make up all built tiles.
template <class T>
void build_index(Matrix<const T> X, const NeighbourIndex<T>& index, int threads, T* tiles,
                 std::int32_t* order, double* bounds);

// What to look for.
struct Search {
  std::int32_t neighbours = 1;
  const std::int32_t* excluded = nullptr;  // per query a training row it must not find, or null for none
  bool backtrack = true;                   // false: approximate, one leaf (or as many as K rows need)
};

// Neighbour lists of all queries: those of query i lie at [starts[i], starts[i + 1]), nearest first. A list
// is longer than asked for when several rows share the last rank.
struct NeighbourLists {
  std::vector<std::int64_t> starts;
  std::vector<double> ranks;
  std::vector<std::int32_t> rows;
};

template <class T>
NeighbourLists find_neighbours(const NeighbourIndex<T>& index, Matrix<const double> queries,
                               const Search& search, int threads);

// The same for given ranks: ranks(i, j) of training row j for query i.
NeighbourLists select_neighbours(Matrix<const double> ranks, const Search& search, int threads);

}  // namespace classica
