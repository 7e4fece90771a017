// Building the structures: an order of the training rows, tiles in that order, and bounds. Trees are cut at
// the median of the column that spreads most (Friedman, Bentley and Finkel 1977), rounded to whole leaves;
// balls are centred at the mean; rings are ordered by the distance to the corner of the smallest values.
//
// Invariant: a node of m leaves has 2 m - 1 nodes in preorder, so that no links are stored; every row of a
// node is within its bound. Keys end with the row's number, so that the order does not depend on threads.
// Cost: O(n log n) selections for trees.
#include <algorithm>
#include <limits>
#include <numeric>

#include "bounds.hpp"
#include "classica/neighbours.hpp"
#include "classica/parallel.hpp"

namespace classica {
namespace {

// A node of a tree: leaves [first, last), numbered in preorder: the left child follows its parent, and a
// subtree of m leaves has 2 m - 1 nodes.
struct Node {
  std::ptrdiff_t number, first, last;

  bool is_leaf() const { return last - first == 1; }
  std::ptrdiff_t middle() const { return first + (last - first) / 2; }
  Node left() const { return {number + 1, first, middle()}; }
  Node right() const { return {number + 2 * (middle() - first), middle(), last}; }
};

template <class T>
class Builder {
 public:
  Builder(Matrix<const T> X, const NeighbourIndex<T>& index, int threads, std::int32_t* order, double* bounds)
      : X_(X),
        index_(index),
        threads_(threads),
        order_(order),
        bounds_(bounds),
        lower_(index.rule, index.cols) {}

  void order_rows() {
    std::iota(order_, order_ + X_.rows, 0);
    std::fill(order_ + X_.rows, order_ + index_.built_tiles * tile_rows, -1);
    if (index_.structure == Structure::annulus) order_by_corner();
    if (index_.is_tree()) grow();
  }

  void fill_tiles(T* tiles) {
    parallel_for(index_.built_tiles, 256, threads_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t place = begin * tile_rows; place < end * tile_rows; ++place) {
        T* tile = tiles + (place / tile_rows) * index_.cols * tile_rows + place % tile_rows;
        const std::int32_t row = order_[place];
        for (std::ptrdiff_t j = 0; j < index_.cols; ++j) tile[j * tile_rows] = row < 0 ? T(0) : X_(row, j);
      }
    });
  }

 private:
  using Key = std::pair<T, std::int32_t>;

  std::ptrdiff_t rows_before(std::ptrdiff_t leaf) const {
    return std::min(leaf * index_.leaf_tiles * tile_rows, X_.rows);
  }

  // By distance to the corner of the smallest values, then by row.
  void order_by_corner() {
    std::vector<double> corner(static_cast<std::size_t>(X_.cols), std::numeric_limits<double>::infinity());
    for (std::ptrdiff_t i = 0; i < X_.rows; ++i)
      for (std::ptrdiff_t j = 0; j < X_.cols; ++j)
        corner[static_cast<std::size_t>(j)] = std::min(corner[static_cast<std::size_t>(j)], double(X_(i, j)));
    std::vector<std::pair<double, std::int32_t>> keys(static_cast<std::size_t>(X_.rows));
    parallel_for(X_.rows, 1024, threads_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      std::vector<double> row(corner.size());
      for (std::ptrdiff_t i = begin; i < end; ++i) {
        for (std::ptrdiff_t j = 0; j < X_.cols; ++j) row[static_cast<std::size_t>(j)] = double(X_(i, j));
        keys[static_cast<std::size_t>(i)] = {lower_.distance(row.data(), corner.data()), std::int32_t(i)};
      }
    });
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      bounds_[i] = keys[i].first;
      order_[i] = keys[i].second;
    }
    double* const end = bounds_ + index_.built_tiles * tile_rows;
    std::fill(bounds_ + X_.rows, end, keys.back().first);  // places without a row close the last ring
    std::copy(corner.begin(), corner.end(), end);
  }

  // Level by level: the nodes of a level are independent of each other.
  void grow() {
    keys_.resize(static_cast<std::size_t>(X_.rows));
    std::vector<Node> level{{0, 0, index_.leaf_count()}}, all;
    while (!level.empty()) {
      parallel_for(static_cast<std::ptrdiff_t>(level.size()), 1, threads_,
                   [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                     for (std::ptrdiff_t k = begin; k < end; ++k) split(level[static_cast<std::size_t>(k)]);
                   });
      all.insert(all.end(), level.begin(), level.end());
      std::vector<Node> next;
      for (const Node& node : level)
        if (!node.is_leaf()) next.insert(next.end(), {node.left(), node.right()});
      level = std::move(next);
    }
    if (index_.structure == Structure::kd_tree) return bound_by_boxes(all);
    parallel_for(static_cast<std::ptrdiff_t>(all.size()), 1, threads_,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   for (std::ptrdiff_t k = begin; k < end; ++k)
                     bound_by_ball(all[static_cast<std::size_t>(k)]);
                 });
  }

  // At the median of the column that spreads most, rounded to whole leaves.
  void split(const Node& node) {
    if (node.is_leaf()) return;
    const std::ptrdiff_t begin = rows_before(node.first), end = rows_before(node.last);
    const std::ptrdiff_t column = widest_column(begin, end);
    for (std::ptrdiff_t k = begin; k < end; ++k)
      keys_[static_cast<std::size_t>(k)] = {X_(order_[k], column), order_[k]};
    const auto first = keys_.begin() + begin, last = keys_.begin() + end;
    std::nth_element(first, keys_.begin() + rows_before(node.middle()), last);
    for (std::ptrdiff_t k = begin; k < end; ++k) order_[k] = keys_[static_cast<std::size_t>(k)].second;
  }

  // Judged on an even sample of the rows: where to cut does not change what is found.
  std::ptrdiff_t widest_column(std::ptrdiff_t begin, std::ptrdiff_t end) const {
    constexpr std::ptrdiff_t sample = 256;
    const std::ptrdiff_t step = std::max<std::ptrdiff_t>((end - begin) / sample, 1);
    std::ptrdiff_t widest = 0;
    double most = -1.0;
    for (std::ptrdiff_t j = 0; j < X_.cols; ++j) {
      double low = X_(order_[begin], j), high = low;
      for (std::ptrdiff_t k = begin; k < end; k += step) {
        low = std::min(low, double(X_(order_[k], j)));
        high = std::max(high, double(X_(order_[k], j)));
      }
      if (high - low > most) {
        most = high - low;
        widest = j;
      }
    }
    return widest;
  }

  // Leaves first, then parents from the last to the first: children have higher numbers.
  void bound_by_boxes(std::vector<Node>& nodes) {
    parallel_for(static_cast<std::ptrdiff_t>(nodes.size()), 256, threads_,
                 [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                   for (std::ptrdiff_t k = begin; k < end; ++k)
                     if (nodes[static_cast<std::size_t>(k)].is_leaf())
                       box_of_leaf(nodes[static_cast<std::size_t>(k)]);
                 });
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
      if (!node->is_leaf()) box_of_parent(*node);
  }

  void box_of_leaf(const Node& node) {
    double* low = bounds_ + node.number * 2 * X_.cols;
    double* high = low + X_.cols;
    std::fill(low, high, std::numeric_limits<double>::infinity());
    std::fill(high, high + X_.cols, -std::numeric_limits<double>::infinity());
    for (std::ptrdiff_t k = rows_before(node.first); k < rows_before(node.last); ++k)
      for (std::ptrdiff_t j = 0; j < X_.cols; ++j) {
        low[j] = std::min(low[j], double(X_(order_[k], j)));
        high[j] = std::max(high[j], double(X_(order_[k], j)));
      }
  }

  void box_of_parent(const Node& node) {
    double* box = bounds_ + node.number * 2 * X_.cols;
    const double* left = bounds_ + node.left().number * 2 * X_.cols;
    const double* right = bounds_ + node.right().number * 2 * X_.cols;
    for (std::ptrdiff_t j = 0; j < X_.cols; ++j) {
      box[j] = std::min(left[j], right[j]);
      box[X_.cols + j] = std::max(left[X_.cols + j], right[X_.cols + j]);
    }
  }

  void bound_by_ball(const Node& node) {
    const std::ptrdiff_t begin = rows_before(node.first), end = rows_before(node.last);
    double* center = bounds_ + node.number * (X_.cols + 1);
    std::fill(center, center + X_.cols + 1, 0.0);
    for (std::ptrdiff_t k = begin; k < end; ++k)
      for (std::ptrdiff_t j = 0; j < X_.cols; ++j)
        center[j] += double(X_(order_[k], j)) / double(end - begin);
    std::vector<double> row(static_cast<std::size_t>(X_.cols));
    for (std::ptrdiff_t k = begin; k < end; ++k) {
      for (std::ptrdiff_t j = 0; j < X_.cols; ++j)
        row[static_cast<std::size_t>(j)] = double(X_(order_[k], j));
      center[X_.cols] = std::max(center[X_.cols], lower_.distance(row.data(), center));
    }
  }

  Matrix<const T> X_;
  const NeighbourIndex<T>& index_;
  int threads_;
  std::int32_t* order_;
  double* bounds_;
  LowerBounds lower_;
  std::vector<Key> keys_;
};

}  // namespace

template <class T>
void build_index(Matrix<const T> X, const NeighbourIndex<T>& index, int threads, T* tiles,
                 std::int32_t* order, double* bounds) {
  Builder<T> builder(X, index, threads, order, bounds);
  builder.order_rows();
  builder.fill_tiles(tiles);
}

template void build_index(Matrix<const float>, const NeighbourIndex<float>&, int, float*, std::int32_t*,
                          double*);
template void build_index(Matrix<const double>, const NeighbourIndex<double>&, int, double*, std::int32_t*,
                          double*);

}  // namespace classica
