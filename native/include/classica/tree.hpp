// Decision trees: a table of ranks, the rules of growing, and the tree that comes out as plain arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "classica/view.hpp"

namespace classica {

// The rank of a missing cell.
constexpr std::uint32_t missing_rank = 0xFFFFFFFFu;

// A table in which every cell is the rank of its value among the distinct values of its column, or a category
// code, column by column. Trees only ever ask for the order of values, so this is all they need.
struct RankTable {
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t cols = 0;
  const std::uint32_t* ranks = nullptr;       // [cols * rows]
  const std::int64_t* levels = nullptr;       // [cols]: ranks lie below it
  const std::uint8_t* categorical = nullptr;  // [cols]

  const std::uint32_t* column(std::ptrdiff_t j) const { return ranks + j * rows; }
};

// Writes the rank of every cell among the distinct values of its column, and the distinct values themselves,
// ascending: those of column j are values[j].
template <class T>
void rank_columns(Matrix<const T> X, int threads, std::uint32_t* ranks,
                  std::vector<std::vector<double>>& values);

enum class Criterion { gini, entropy, misclassification, chi_square };
enum class CategorySplit { multiway, subset };

struct GrowthRules {
  Criterion criterion = Criterion::gini;
  CategorySplit categories = CategorySplit::subset;
  std::int64_t max_depth = -1;       // negative: no limit
  double min_cases_split = 2.0;      // a row counts as max(1, weight) cases
  double min_cases_leaf = 1.0;       // in every branch of a cut, in two branches of a multiway split
  double min_impurity_decrease = 0;  // of the criterion, times the share of all rows in the node
};

// The children of node k are first_child[k] to first_child[k] + child_count[k] - 1; a leaf has none.
struct GrownTree {
  std::vector<std::int32_t> feature;        // -1 for a leaf
  std::vector<std::uint32_t> last_left;     // numeric: the largest rank in the node that goes to the first child
  std::vector<std::uint32_t> first_right;   // and the smallest that goes to the second
  std::vector<std::int64_t> branches_at;    // categorical: where the branches of its levels start, else -1
  std::vector<std::int32_t> branches;       // the child of each level, counted from 0; -1 if not in the node
  std::vector<std::int32_t> missing_child;  // where missing cells go; -1 if there were none to learn from
  std::vector<std::int32_t> first_child;
  std::vector<std::int32_t> child_count;
  std::vector<std::int32_t> depth;
  std::vector<double> cases;
  std::vector<double> gain;    // of the criterion
  std::vector<double> counts;  // [nodes * classes]: weights of the rows of each class
};

// Grows a tree on class codes; weights.size == 0 means a weight of one each.
GrownTree grow_classification_tree(const RankTable& table, Vector<const std::int32_t> codes,
                                   std::ptrdiff_t classes, Vector<const double> weights,
                                   const GrowthRules& rules, int threads);

}  // namespace classica
