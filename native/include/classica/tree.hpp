// Decision trees: a table of ranks, the rules of growing, and the tree that comes out as plain arrays.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "classica/view.hpp"
#include "classica/words.hpp"

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
  // Where the values of each numeric column start; the values, ascending, are read by the rules that ask how
  // far apart they are.
  const std::int64_t* values_at = nullptr;  // [cols]
  const double* values = nullptr;
  // Where values were put together: what lies between each and the next, and the highest of each is its
  // value.
  const double* cuts = nullptr;
  // The rows in the order of each column, missing cells last; may be absent.
  const std::uint32_t* orders = nullptr;  // [cols * rows]
  // The ranks once more, row by row, in one, two or four bytes each (all bits set: missing); may be absent.
  const void* by_row = nullptr;  // [rows * cols]
  int bytes_by_row = 0;

  const std::uint32_t* column(std::ptrdiff_t j) const { return ranks + j * rows; }
  double value(std::ptrdiff_t j, std::uint32_t rank) const { return values[values_at[j] + rank]; }
};

// Writes the rank of every cell among the distinct values of its column, and the distinct values themselves,
// ascending: those of column j are values[j].
template <class T>
void rank_columns(Matrix<const T> X, int threads, std::uint32_t* ranks,
                  std::vector<std::vector<double>>& values);

// What many trees that ask for few columns at a time read of one table: the rows in the order of each column,
// and the ranks row by row, so that the rows of a small node stay near at hand.
class TableForMany {
 public:
  TableForMany(const RankTable& table, int threads);
  const RankTable& table() const { return table_; }

 private:
  template <class Rank>
  void turn(int threads);
  void sort(int threads);

  RankTable table_;
  std::vector<std::uint32_t> orders_;
  std::vector<std::uint8_t> by_row_;
};

// A criterion as people choose it; the list is `Criteria` of src/trees/criteria.hpp.
struct CriterionEntry {
  std::string_view word;
  bool is_of_classes;
};
const std::vector<CriterionEntry>& criteria();
// Where the criterion of a word is in the list; throws std::invalid_argument if there is none.
int criterion_index(std::string_view word);

// A branch for each level, two sets of levels, or one level against the others.
CLASSICA_WORDS(CategorySplit, multiway, subset, one_level);
// Missing cells go where they do best, into a branch of their own, into all branches by fractions of their
// weight, or where the columns that best imitate the split send them.
CLASSICA_WORDS(MissingPolicy, direction, own_branch, fraction, surrogate);
// Which column is taken: the one of highest gain; of highest gain per bit of split information among those of
// at least average gain (C4.5); of highest ReliefF weight.
CLASSICA_WORDS(Selection, gain, gain_ratio, relieff);

struct GrowthRules {
  int criterion = 0;  // its index in `criteria()`
  CategorySplit categories = CategorySplit::subset;
  MissingPolicy missing = MissingPolicy::direction;
  Selection selection = Selection::gain;
  std::int64_t max_depth = -1;    // negative: no limit
  std::int64_t max_leaves = -1;   // not negative: the best split of all leaves comes first
  std::int64_t max_features = 0;  // columns drawn at each node; 0: all
  std::int64_t top_features = 0;  // a split is drawn from as many of the best; 0: the best is taken
  std::uint64_t seed = 0;
  double min_cases_split = 2.0;  // a row counts as max(1, weight) cases
  double min_cases_leaf = 1.0;   // in every branch of a cut, in two branches of a multiway split
  double min_weight_leaf = 0.0;  // likewise
  double min_gain = 0.0;         // of the criterion, summed over the rows of the node
  bool zero_gain = true;         // whether a split may gain nothing
  double zero_up_to = 0.0;       // a column that gains no more than this per weight of the node gains nothing
  // C4.5's rules for numbers: a branch has at least a tenth of a class's share of the node (25 cases are
  // always enough), values closer than `smallest_gap` are one, and choosing among k cuts costs log2(k) bits.
  bool wide_branches = false;
  double smallest_gap = 0.0;
  bool cuts_cost = false;
  bool cut_at_data = false;  // at the largest value of the table up to the middle, not at the middle
  std::int64_t max_surrogates = 0;
  // Surrogates by categories are left out if they send less weight than this another way than the split does:
  // with 2 they are those of rpart, which has no use for perfect ones.
  double surrogate_dissent = 0.0;
  std::int64_t relief_neighbours = 10;
  std::int64_t relief_rows = 0;  // rows drawn to compare with their neighbours; 0: all
};

// What a tree learns from, per row: class codes or numbers. A row is there as often as its count says, weighs
// what its weight says and is as many cases; where one of these is empty, a row is one.
struct Target {
  std::vector<std::uint16_t> codes;
  std::vector<double> values;
  std::vector<std::uint32_t> counts;  // only without weights and cases
  std::vector<double> weights;
  std::vector<double> cases;
  std::ptrdiff_t classes = 0;  // 0 for numbers

  double count(std::uint32_t row) const { return counts.empty() ? 1.0 : counts[row]; }
  double weight(std::uint32_t row) const { return weights.empty() ? count(row) : weights[row]; }
  double cases_of(std::uint32_t row) const { return cases.empty() ? count(row) : cases[row]; }
};

// Splits that imitate others, all arrays alike: surrogates of node k are number starts[k] to starts[k + 1]
// - 1.
struct Surrogates {
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> feature;
  std::vector<double> threshold;        // numeric
  std::vector<std::uint8_t> flipped;    // numeric: low values go to the second child
  std::vector<std::int64_t> levels_at;  // [count + 1]: categorical: the child of each level
  std::vector<std::int32_t> level_child;
  std::vector<double> agreement;  // share of the rows with a known primary split that go the same way
  std::vector<double> advantage;  // over sending every row the way of most
};

// The children of node k are first_child[k] to first_child[k] + child_count[k] - 1; a leaf has none. Children
// lie behind their parents, level by level.
struct GrownTree {
  std::vector<std::int32_t> feature;        // -1 for a leaf
  std::vector<double> threshold;            // numeric: values up to it go to the first child; else NaN
  std::vector<std::int64_t> levels_at;      // [nodes + 1]: categorical: the child of each level
  std::vector<std::int32_t> level_child;    // counted from 0; -1 if the level is not in the node
  std::vector<std::int32_t> missing_child;  // where missing cells go: the largest child if none were seen
  std::vector<std::int32_t> first_child;
  std::vector<std::int32_t> child_count;
  std::vector<double> cases;
  std::vector<double> gain;  // of the criterion, summed over the rows
  // Per class the weight of its rows; for numbers the weight, the mean or median, and the sum of squared or
  // absolute deviations from it.
  std::vector<double> summary;
  Surrogates surrogates;
};

// Grows a tree on some rows of a table.
GrownTree grow_tree(const RankTable& table, const Target& target, Vector<const std::uint32_t> rows,
                    const GrowthRules& rules, int threads);

}  // namespace classica
