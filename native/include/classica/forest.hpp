// Forests: many trees in one set of arrays, small enough to be read fast and stored whole.
#pragma once

#include <cstdint>
#include <vector>

#include "classica/samples.hpp"
#include "classica/tree.hpp"
#include "classica/tree_apply.hpp"

namespace classica {

// A node in sixteen bytes. Its children lie side by side, counted from the start of its tree.
//
// A question about a number: values up to `limit` go to the first child. About a category: the two halves of
// `limit` say where its list in `level_child` starts and how many levels there are; the list has the child of
// each level (-1: not in the node), that of missing cells and the row of the node's own value. A leaf has the
// row of its value, or the value itself in `limit` where values are single numbers.
struct ForestNode {
  static constexpr std::uint32_t feature_bits = 29, category_bit = 1u << feature_bits;
  static constexpr std::uint32_t missing_shift = 30, feature_mask = category_bit - 1;

  double limit = 0.0;
  std::int32_t first_child = -1;  // negative: a leaf; ~ it is the row of its value
  std::uint32_t question = 0;     // feature, whether that is a category, and the child of missing numbers

  bool is_leaf() const { return first_child < 0; }
  bool is_categorical() const { return question & category_bit; }
  std::uint32_t feature() const { return question & feature_mask; }
  std::int32_t missing_child() const { return static_cast<std::int32_t>(question >> missing_shift); }
};
static_assert(sizeof(ForestNode) == 16);

struct Forest {
  std::vector<ForestNode> nodes;
  std::vector<std::int64_t> starts{0};  // [trees + 1]
  std::vector<std::int32_t> level_child;
  std::ptrdiff_t width = 0;    // of a value: classes, or 1 for a number
  std::vector<double> values;  // the different ones, a row each
  // What each tree gains by each column it asks for, as a share of all its gains: those of tree t are number
  // gains_at[t] to gains_at[t + 1] - 1. Trees may be added without.
  std::vector<std::int64_t> gains_at;
  std::vector<std::int32_t> gain_columns;
  std::vector<double> gains;
  std::vector<double> weight;  // of each node, where missing cells divide rows; else empty
  std::vector<Question> surrogates;
  std::vector<std::int32_t> surrogate_level_child;
  std::vector<std::int64_t> surrogates_at;  // [nodes + 1], or empty where there are none
};

struct ForestView {
  Vector<const ForestNode> nodes;
  Vector<const std::int64_t> starts;
  LevelChildren level_child;
  Vector<const double> weight;
  Vector<const Question> surrogates;
  LevelChildren surrogate_level_child;
  Vector<const std::int64_t> surrogates_at;
  bool numbers_in_leaves = false;

  std::ptrdiff_t trees() const { return starts.size - 1; }
};

// How the trees of a forest differ.
struct ForestRules {
  std::ptrdiff_t trees = 0;
  bool samples_rows = true;       // else every tree learns from all rows
  bool balances_samples = false;  // whether all classes weigh the same in each sample
  double smoothing = 0.0;         // added to the weight of each class in each leaf
  SampleRules samples;
};

// Grows trees on random samples. The k-th tree learns from the k-th sample; `rules.seed` is that of the
// forest.
Forest grow_forest(const RankTable& table, const Target& target, const GrowthRules& rules,
                   const ForestRules& forest, int threads);

// Writes the mean over the trees of the value where each row ends; `values` has a row per row of the
// forest's own (and none is read where leaves have theirs in `limit`).
template <class T>
void forest_means(Matrix<const T> X, const ForestView& forest, Matrix<const double> values, int threads,
                  Matrix<double> out);

// Writes the node of each tree (a column each) in which each row ends.
template <class T>
void apply_forest(Matrix<const T> X, const ForestView& forest, int threads, Matrix<std::int32_t> out);

// What the trees say of rows they have not learned from.
struct OutOfBag {
  std::vector<double> sums;          // [rows * width]: of the values
  std::vector<std::uint32_t> trees;  // per row: how many trees have not seen it
  std::vector<double> errors;        // per number of trees: of the rows that some of them have not seen, the
  std::vector<double> judged;  // weight of the wrong ones (or the sum of squares), and the weight of all
};

// `target` holds what is right and how much rows weigh.
template <class T>
OutOfBag out_of_bag(Matrix<const T> X, const ForestView& forest, Matrix<const double> values,
                    const SampleRules& samples, const Target& target, int threads);

// Writes by how much the error of a tree on the rows it has not seen grows when the cells of one column are
// exchanged among them: the mean over the trees, per column.
template <class T>
void out_of_bag_importances(Matrix<const T> X, const ForestView& forest, Matrix<const double> values,
                            const SampleRules& samples, const Target& target, std::uint64_t seed, int threads,
                            Vector<double> out);

}  // namespace classica
