// Columns whose cells fall into numbered cases: categories, or intervals between cut points. Counted per
// class and scored by a table look-up: the discrete part of naive Bayes. NaN is a missing cell and has no
// code.
#pragma once

#include <cstdint>
#include <vector>

#include "classica/view.hpp"

namespace classica {

// A column of k keys has k + 1 codes. Categories: the place of the equal key, k if there is none. Intervals:
// how many keys lie below the value. The codes of all columns, side by side, are the slots of a table.
struct CodedColumns {
  std::ptrdiff_t count = 0;
  const std::int32_t* columns = nullptr;     // [count]: where they are in X
  const std::int32_t* key_starts = nullptr;  // [count + 1]
  const double* keys = nullptr;              // ascending in each column
  const std::uint8_t* categories = nullptr;  // [count]: 1 for categories, 0 for intervals

  std::ptrdiff_t slots() const { return key_starts[count] + count; }
  std::ptrdiff_t first_slot(std::ptrdiff_t k) const { return key_starts[k] + k; }
  std::ptrdiff_t codes(std::ptrdiff_t k) const { return key_starts[k + 1] - key_starts[k] + 1; }
};

// What a cell adds to the score of each class: logs [slots * classes]. A probability of zero is counted in
// `zeros` (same shape, or null if there is none) and adds its limit's finite factor to the logs.
struct CodeTable {
  std::ptrdiff_t classes = 0;
  const double* logs = nullptr;
  const std::uint8_t* zeros = nullptr;
};

// Scores of rows [rows * classes], and how many zeros each holds (null if there are none).
struct CodeScores {
  double* logs = nullptr;
  std::int32_t* zeros = nullptr;
};

// Adds the weight of each class's cells with each code to double-double counts [classes * slots]. Rows is
// Matrix<const T> or SparseRows<T, Index>; sparse rows need every column coded, in order.
template <class Rows>
void count_codes(const Rows& X, const CodedColumns& columns, Vector<const std::int32_t> group,
                 Vector<const double> weights, std::ptrdiff_t classes, int threads, double* high,
                 double* low);

// Adds each row's table entries to its scores.
template <class Rows>
void add_code_scores(const Rows& X, const CodedColumns& columns, const CodeTable& table, int threads,
                     const CodeScores& out);

// The counts behind a table, for the scores of rows it should not have counted.
struct CodeCounts {
  const double* high = nullptr;            // [classes * slots]
  const double* low = nullptr;             // the same
  const double* cases = nullptr;           // [count]: the possible codes of each column
  const std::uint8_t* declared = nullptr;  // [slots]: codes that stay possible without any row
  double alpha = 0.0;
};

// Adds to each row's scores the entries of the table without that row.
template <class T>
void add_left_out_code_scores(Matrix<const T> X, const CodedColumns& columns, const CodeTable& table,
                              const CodeCounts& counts, Vector<const std::int32_t> group,
                              Vector<const double> weights, int threads, const CodeScores& out);

// The distinct values (no NaN, no negative zero) of chosen columns, ascending.
template <class T>
std::vector<std::vector<double>> distinct_values(Matrix<const T> X, Vector<const std::int32_t> columns,
                                                 int threads);

}  // namespace classica
