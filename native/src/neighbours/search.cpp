// Finding neighbours: one query through each structure, and many queries at once. Brute force; partial
// distances, given up beyond the bound (Bei and Gray 1985); k-d trees (Friedman, Bentley and Finkel 1977);
// ball trees (Omohundro 1989); and rings around a corner, searched outwards from the query's own (annulus,
// by the triangle inequality).
//
// Invariant: what is passed over has a lower bound above the K-th rank so far, where bounds are lowered by
// more than rounding can have added; distances come from one routine. So all structures give the same
// neighbours and the same ties. Cost: O(rows * columns) per query at worst; trees pass over most rows in
// few dimensions.
#include <algorithm>
#include <utility>

#include "../level/rank_block.hpp"
#include "bounds.hpp"
#include "classica/level.hpp"
#include "classica/neighbours.hpp"
#include "classica/parallel.hpp"
#include "k_best.hpp"
#include "sieve.hpp"

namespace classica {
namespace {

template <class Level, class T>
class Searcher {
 public:
  Searcher(const NeighbourIndex<T>& index, const Search& search)
      : index_(index), search_(search), lower_(index.rule, index.cols) {}

  // Offers to `best` every row that can be among its K.
  void run(const double* query, KBest& best) {
    query_ = query;
    best_ = &best;
    if (index_.structure == Structure::brute) return look_into(0, index_.tile_count);
    if (index_.structure == Structure::partial) return partial();
    // Rows added since the structure was built come first: they may already narrow the search.
    look_into(index_.built_tiles, index_.tile_count);
    if (index_.structure == Structure::annulus) return annulus();
    descend({0, 0, index_.leaf_count()});
  }

  // The leaf a query falls into, going to the nearer child each time.
  std::ptrdiff_t home_leaf(const double* query) {
    query_ = query;
    Node node{0, 0, index_.leaf_count()};
    while (node.last - node.first > 1) {
      const auto [left, right] = children(node);
      node = lower_bound(right) < lower_bound(left) ? right : left;
    }
    return node.first;
  }

  void look_into_tile(std::ptrdiff_t tile, const double* query, KBest& best) {
    query_ = query;
    best_ = &best;
    look_into(tile, tile + 1);
  }

 private:
  struct Node {
    std::ptrdiff_t number, first, last;
  };

  static std::pair<Node, Node> children(const Node& node) {
    const std::ptrdiff_t middle = node.first + (node.last - node.first) / 2;
    return {{node.number + 1, node.first, middle},
            {node.number + 2 * (middle - node.first), middle, node.last}};
  }

  void look_into(std::ptrdiff_t first, std::ptrdiff_t last) {
    constexpr std::ptrdiff_t tiles_at_once = 16;
    double ranks[tiles_at_once * tile_rows];
    std::uint8_t within[tiles_at_once];
    for (std::ptrdiff_t look = 0; first < last; first += tiles_at_once, ++look) {
      if (look % 256 == 255) poll_interrupt();
      const std::ptrdiff_t count = std::min(tiles_at_once, last - first);
      RankBlock<Level>::ranks(index_.rule, index_.tiles + first * index_.cols * tile_rows, count, query_,
                              index_.cols, best_->bound(), ranks, within);
      for (std::ptrdiff_t t = 0; t < count; ++t) offer(first + t, within[t], ranks + t * tile_rows);
    }
  }

  void offer(std::ptrdiff_t tile, std::uint32_t within, const double* ranks) {
    for (; within; within &= within - 1) {
      const int r = __builtin_ctz(within);
      const std::int32_t row = index_.order[tile * tile_rows + r];
      if (row >= 0) best_->offer(ranks[r], row);
    }
  }

  void partial() {
    double ranks[tile_rows];
    for (std::ptrdiff_t t = 0; t < index_.tile_count; ++t) {
      if (t % 4096 == 4095) poll_interrupt();
      const T* tile = index_.tiles + t * index_.cols * tile_rows;
      const double bound = best_->bound();
      offer(t, RankBlock<Level>::ranks_within(index_.rule, tile, query_, index_.cols, bound, ranks), ranks);
    }
  }

  double lower_bound(const Node& node) const {
    const double* bound = index_.bounds + node.number * index_.bound_size();
    if (index_.structure == Structure::kd_tree) {
      if (index_.rule.metric != Metric::euclidean) return lower_.of_box(bound, query_);
      return lower_.lowered(RankBlock<Level>::squared_to_box(bound, query_, index_.cols));
    }
    const double to_center = lower_.distance(query_, bound), radius = bound[index_.cols];
    return to_center > radius ? lower_.of_difference(to_center, radius) : 0.0;
  }

  void descend(Node node) {
    if (++visits_ % 1024 == 0) poll_interrupt();
    if (node.last - node.first == 1)
      return look_into(node.first * index_.leaf_tiles,
                       std::min(node.last * index_.leaf_tiles, index_.built_tiles));
    auto [nearer, farther] = children(node);
    double near_bound = lower_bound(nearer), far_bound = lower_bound(farther);
    if (far_bound < near_bound) {
      std::swap(nearer, farther);
      std::swap(near_bound, far_bound);
    }
    if (near_bound <= best_->bound()) descend(nearer);
    if ((search_.backtrack || !best_->is_full()) && far_bound <= best_->bound()) descend(farther);
  }

  // Outward from the ring the query lies on, until the rings on both sides are too far away.
  void annulus() {
    const double* rings = index_.bounds;
    const double ring = lower_.distance(query_, rings + index_.built_tiles * tile_rows);
    std::ptrdiff_t up =
        (std::lower_bound(rings, rings + index_.built_tiles * tile_rows, ring) - rings) / tile_rows;
    std::ptrdiff_t down = up - 1;
    const std::ptrdiff_t tiles = index_.built_tiles;
    for (;;) {
      const bool up_open = up < tiles && ring_bound(rings[up * tile_rows], ring, 1.0) <= best_->bound();
      const bool down_open =
          down >= 0 && ring_bound(rings[down * tile_rows + tile_rows - 1], ring, -1.0) <= best_->bound();
      if (!up_open && !down_open) return;
      if (up_open) look_into(up, up + 1), ++up;
      if (down_open) look_into(down, down + 1), --down;
    }
  }

  double ring_bound(double edge, double ring, double side) const {
    return side * (edge - ring) > 0.0 ? lower_.of_difference(edge, ring) : 0.0;
  }

  const NeighbourIndex<T>& index_;
  const Search& search_;
  LowerBounds lower_;
  const double* query_ = nullptr;
  KBest* best_ = nullptr;
  std::uint64_t visits_ = 0;
};

// Lists found by one chunk of queries, to be joined in order.
struct Part {
  std::vector<std::int64_t> lengths;
  std::vector<double> ranks;
  std::vector<std::int32_t> rows;

  void add(const std::vector<Neighbour>& list) {
    lengths.push_back(static_cast<std::int64_t>(list.size()));
    for (const Neighbour& neighbour : list) {
      ranks.push_back(neighbour.rank);
      rows.push_back(neighbour.row);
    }
  }
};

NeighbourLists join(const std::vector<Part>& parts) {
  NeighbourLists all;
  all.starts.push_back(0);
  for (const Part& part : parts) {
    for (const std::int64_t length : part.lengths) all.starts.push_back(all.starts.back() + length);
    all.ranks.insert(all.ranks.end(), part.ranks.begin(), part.ranks.end());
    all.rows.insert(all.rows.end(), part.rows.begin(), part.rows.end());
  }
  return all;
}

// find(first, last, part) answers the queries [first, last).
template <class Find>
NeighbourLists in_parts(std::ptrdiff_t queries, std::ptrdiff_t chunk, int threads, Find find) {
  std::vector<Part> parts(static_cast<std::size_t>((queries + chunk - 1) / chunk));
  parallel_for(queries, chunk, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    find(begin, end, parts[static_cast<std::size_t>(begin / chunk)]);
  });
  return join(parts);
}

std::int32_t excluded(const Search& search, std::ptrdiff_t query) {
  return search.excluded ? search.excluded[query] : -1;
}

// The queries in the order of the leaves they fall into: neighbours in time then share what is in the cache.
template <class Level, class T>
std::vector<std::ptrdiff_t> by_leaf(const NeighbourIndex<T>& index, Matrix<const double> queries,
                                    const Search& search, int threads) {
  std::vector<std::ptrdiff_t> leaves(static_cast<std::size_t>(queries.rows));
  parallel_for(queries.rows, 1024, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    Searcher<Level, T> searcher(index, search);
    for (std::ptrdiff_t i = begin; i < end; ++i)
      leaves[static_cast<std::size_t>(i)] = searcher.home_leaf(queries.row(i));
  });
  // Sorted by counting.
  std::vector<std::ptrdiff_t> next(static_cast<std::size_t>(index.leaf_count()) + 1), sequence(leaves.size());
  for (const std::ptrdiff_t leaf : leaves) ++next[static_cast<std::size_t>(leaf) + 1];
  for (std::size_t leaf = 1; leaf < next.size(); ++leaf) next[leaf] += next[leaf - 1];
  for (std::size_t i = 0; i < leaves.size(); ++i)
    sequence[static_cast<std::size_t>(next[static_cast<std::size_t>(leaves[i])]++)] =
        static_cast<std::ptrdiff_t>(i);
  return sequence;
}

// Lists found for the queries of a sequence, back in the order of the queries.
NeighbourLists in_query_order(const NeighbourLists& found, const std::vector<std::ptrdiff_t>& sequence) {
  NeighbourLists ordered{found.starts, found.ranks, found.rows};
  for (std::size_t k = 0; k < sequence.size(); ++k)
    ordered.starts[static_cast<std::size_t>(sequence[k]) + 1] = found.starts[k + 1] - found.starts[k];
  for (std::size_t i = 1; i < ordered.starts.size(); ++i) ordered.starts[i] += ordered.starts[i - 1];
  for (std::size_t k = 0; k < sequence.size(); ++k) {
    const std::int64_t to = ordered.starts[static_cast<std::size_t>(sequence[k])];
    std::copy(found.ranks.begin() + found.starts[k], found.ranks.begin() + found.starts[k + 1],
              ordered.ranks.begin() + to);
    std::copy(found.rows.begin() + found.starts[k], found.rows.begin() + found.starts[k + 1],
              ordered.rows.begin() + to);
  }
  return ordered;
}

template <class Level, class T>
NeighbourLists one_by_one(const NeighbourIndex<T>& index, Matrix<const double> queries, const Search& search,
                          int threads) {
  const std::ptrdiff_t work = index.is_tree() ? 4096 : index.tile_count * tile_rows * index.cols;
  const std::ptrdiff_t chunk = std::clamp<std::ptrdiff_t>((1 << 22) / work, 1, 512);
  const bool sorted = index.is_tree() && queries.rows >= 2048;
  const auto sequence =
      sorted ? by_leaf<Level>(index, queries, search, threads) : std::vector<std::ptrdiff_t>{};
  const auto lists =
      in_parts(queries.rows, chunk, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end, Part& part) {
        Searcher<Level, T> searcher(index, search);
        KBest best;
        for (std::ptrdiff_t k = begin; k < end; ++k) {
          const std::ptrdiff_t i = sorted ? sequence[static_cast<std::size_t>(k)] : k;
          best.reset(search.neighbours, excluded(search, i));
          searcher.run(queries.row(i), best);
          part.add(best.finish());
        }
      });
  return sorted ? in_query_order(lists, sequence) : lists;
}

// Some queries through the sieve, at its own instruction level, and then exactly.
template <class Level, class DotLevel, class T>
class SievedSearch {
 public:
  static constexpr std::ptrdiff_t queries_at_once = 96;

  SievedSearch(const NeighbourIndex<T>& index, const SieveRows& rows, Matrix<const double> queries,
               const Search& search)
      : index_(index), rows_(rows), queries_(queries), search_(search) {}

  void run(std::ptrdiff_t begin, std::ptrdiff_t end, Part& part) {
    prepare(begin, end);
    for (std::ptrdiff_t g = 0; g < rows_.groups(); ++g) {
      for (std::ptrdiff_t block = 0; block * in_block < end - begin; ++block) sift(begin, end, g, block);
      if (g % 64 == 0) poll_interrupt();
    }
    Searcher<Level, T> exact(index_, search_);
    KBest best;
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      best.reset(search_.neighbours, excluded(search_, i));
      if (out_of_range_[static_cast<std::size_t>(i - begin)])
        exact.run(queries_.row(i), best);
      else
        for (const std::int32_t tile : sieves_[static_cast<std::size_t>(i - begin)].tiles())
          exact.look_into_tile(tile, queries_.row(i), best);
      part.add(best.finish());
    }
  }

 private:
  static constexpr std::ptrdiff_t in_block = DotBlock<DotLevel>::queries;
  static constexpr std::ptrdiff_t in_group = DotBlock<DotLevel>::rows;

  void prepare(std::ptrdiff_t begin, std::ptrdiff_t end) {
    const std::ptrdiff_t blocks = (end - begin + in_block - 1) / in_block;
    packed_.assign(static_cast<std::size_t>(blocks * in_block * index_.cols), 0.0f);
    sieves_.resize(static_cast<std::size_t>(blocks * in_block));
    reach_.assign(sieves_.size(), -std::numeric_limits<float>::infinity());
    out_of_range_.assign(sieves_.size(), 0);
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      const std::ptrdiff_t q = i - begin;
      float* place = packed_.data() + (q / in_block) * in_block * index_.cols + q % in_block;
      const double norm = rows_.take_query(queries_.row(i), place, in_block);
      sieves_[static_cast<std::size_t>(q)].reset(search_.neighbours, norm, rows_);
      // A query far beyond all training rows leaves the range of single precision.
      out_of_range_[static_cast<std::size_t>(q)] = !SieveRows::in_range(norm);
      if (SieveRows::in_range(norm))
        reach_[static_cast<std::size_t>(q)] = std::numeric_limits<float>::infinity();
    }
  }

  void sift(std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t g, std::ptrdiff_t block) {
    float dots[in_block * in_group];
    std::uint32_t masks[in_block];
    float* reach = reach_.data() + block * in_block;
    if (!DotBlock<DotLevel>::sift(packed_.data() + block * in_block * index_.cols, rows_.group(g),
                                  index_.cols, rows_.halves(g), reach, dots, masks))
      return;
    for (std::ptrdiff_t q = 0; q < in_block && begin + block * in_block + q < end; ++q) {
      if (!masks[q]) continue;
      SieveQuery& sieve = sieves_[static_cast<std::size_t>(block * in_block + q)];
      for (std::uint32_t mask = masks[q]; mask; mask &= mask - 1) {
        const int r = __builtin_ctz(mask);
        const std::ptrdiff_t place = g * in_group + r;
        if (index_.order[place] == excluded(search_, begin + block * in_block + q)) continue;
        sieve.take(static_cast<std::int32_t>(place), dots[q * in_group + r], rows_.norm(place));
      }
      reach[q] = sieve.reach();
    }
  }

  const NeighbourIndex<T>& index_;
  const SieveRows& rows_;
  Matrix<const double> queries_;
  const Search& search_;
  std::vector<float> packed_, reach_;
  std::vector<char> out_of_range_;
  std::vector<SieveQuery> sieves_;
};

template <class Level, class DotLevel, class T>
NeighbourLists through_the_sieve(const NeighbourIndex<T>& index, Matrix<const double> queries,
                                 const Search& search, int threads) {
  const SieveRows rows(index, DotBlock<DotLevel>::rows, threads);
  const std::ptrdiff_t chunk = SievedSearch<Level, DotLevel, T>::queries_at_once;
  return in_parts(queries.rows, chunk, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end, Part& part) {
    SievedSearch<Level, DotLevel, T>(index, rows, queries, search).run(begin, end, part);
  });
}

// Preparing the sieve costs as much as comparing some queries directly.
template <class T>
bool sieve_pays(const NeighbourIndex<T>& index, Matrix<const double> queries) {
  return index.structure == Structure::brute && index.rule.metric == Metric::euclidean &&
         queries.rows >= 16 && index.tile_count >= 32 && index.cols >= 4;
}

}  // namespace

template <class T>
NeighbourLists find_neighbours(const NeighbourIndex<T>& index, Matrix<const double> queries,
                               const Search& search, int threads) {
  return at_active_level([&]<class Level>() {
    if (!sieve_pays(index, queries)) return one_by_one<Level>(index, queries, search, threads);
#ifdef CLASSICA_HAS_AVX2
    if (may_use_avx512()) return through_the_sieve<Level, Avx512>(index, queries, search, threads);
#endif
    return through_the_sieve<Level, Level>(index, queries, search, threads);
  });
}

NeighbourLists select_neighbours(Matrix<const double> ranks, const Search& search, int threads) {
  return in_parts(ranks.rows, 64, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end, Part& part) {
    KBest best;
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      best.reset(search.neighbours, excluded(search, i));
      for (std::ptrdiff_t j = 0; j < ranks.cols; ++j) best.offer(ranks(i, j), static_cast<std::int32_t>(j));
      part.add(best.finish());
    }
  });
}

template NeighbourLists find_neighbours(const NeighbourIndex<float>&, Matrix<const double>, const Search&,
                                        int);
template NeighbourLists find_neighbours(const NeighbourIndex<double>&, Matrix<const double>, const Search&,
                                        int);

}  // namespace classica
