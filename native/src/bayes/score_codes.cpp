// Scores of discrete naive Bayes: a table entry per cell and class, added up; for sparse rows the score of
// a row of zeros, corrected cell by cell. Left-out scores are those of the counts less the row's own (own).
//
// Invariant: probabilities of zero are counted, not added as infinities, so that the limit of the smoothing
// decides where every class is impossible. The sum over zeros is double-double, so that corrections lose no
// digits. Cost: O(stored cells * classes).
#include <cmath>
#include <stdexcept>
#include <vector>

#include "classica/coded_columns.hpp"
#include "classica/double_double.hpp"
#include "classica/parallel.hpp"
#include "coder.hpp"

namespace classica {
namespace {

std::ptrdiff_t rows_per_chunk(std::ptrdiff_t per_row) {
  return std::max<std::ptrdiff_t>((std::ptrdiff_t{1} << 18) / std::max<std::ptrdiff_t>(per_row, 1), 1);
}

// Adds one table row to the scores of row i.
void add_entry(const CodeTable& table, std::ptrdiff_t slot, std::ptrdiff_t i, const CodeScores& out) {
  const std::ptrdiff_t classes = table.classes;
  const double* logs = table.logs + slot * classes;
  double* scores = out.logs + i * classes;
  for (std::ptrdiff_t c = 0; c < classes; ++c) scores[c] += logs[c];
  if (!table.zeros) return;
  for (std::ptrdiff_t c = 0; c < classes; ++c) out.zeros[i * classes + c] += table.zeros[slot * classes + c];
}

template <class T>
void score_rows(Matrix<const T> X, const CodedColumns& columns, const std::vector<Coder>& coders,
                const CodeTable& table, int threads, const CodeScores& out) {
  parallel_for(X.rows, rows_per_chunk(columns.count * table.classes), threads,
               [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                 for (std::ptrdiff_t k = 0; k < columns.count; ++k) {
                   const Coder& coder = coders[static_cast<std::size_t>(k)];
                   for (std::ptrdiff_t i = begin; i < end; ++i) {
                     const double x = static_cast<double>(X(i, columns.columns[k]));
                     if (!std::isnan(x)) add_entry(table, columns.first_slot(k) + coder(x), i, out);
                   }
                 }
               });
}

// The scores of a row of zeros, and for each cell what a stored value changes.
class SparseScores {
 public:
  SparseScores(const CodedColumns& columns, const std::vector<Coder>& coders, const CodeTable& table)
      : columns_(columns), coders_(coders), table_(table) {
    const auto classes = static_cast<std::size_t>(table.classes);
    std::vector<DoubleDouble> sums(classes);
    zeros_.assign(classes, 0);
    for (std::ptrdiff_t k = 0; k < columns.count; ++k) {
      const std::ptrdiff_t slot = columns.first_slot(k) + coders[static_cast<std::size_t>(k)](0.0);
      at_zero_.push_back(slot);
      for (std::size_t c = 0; c < classes; ++c) {
        const std::size_t place = static_cast<std::size_t>(slot) * classes + c;
        sums[c] = add(sums[c], {table.logs[place], 0.0});
        zeros_[c] += table.zeros ? table.zeros[place] : 0;
      }
    }
    for (const DoubleDouble& sum : sums) logs_.push_back(sum.high);
  }

  template <class T, class Index>
  void add_row(const SparseRows<T, Index>& X, std::ptrdiff_t i, const CodeScores& out) const {
    const auto classes = static_cast<std::size_t>(table_.classes);
    double* logs = out.logs + i * table_.classes;
    std::int32_t* zeros = table_.zeros ? out.zeros + i * table_.classes : nullptr;
    for (std::size_t c = 0; c < classes; ++c) logs[c] += logs_[c];
    if (zeros)
      for (std::size_t c = 0; c < classes; ++c) zeros[c] += zeros_[c];
    for (std::ptrdiff_t p = X.starts[i]; p < static_cast<std::ptrdiff_t>(X.starts[i + 1]); ++p) {
      const std::ptrdiff_t k = X.columns[p];
      const std::size_t old = static_cast<std::size_t>(at_zero_[static_cast<std::size_t>(k)]) * classes;
      const double x = static_cast<double>(X.values[p]);
      for (std::size_t c = 0; c < classes; ++c) logs[c] -= table_.logs[old + c];
      if (zeros)
        for (std::size_t c = 0; c < classes; ++c) zeros[c] -= table_.zeros[old + c];
      if (!std::isnan(x))
        add_entry(table_, columns_.first_slot(k) + coders_[static_cast<std::size_t>(k)](x), i, out);
    }
  }

 private:
  const CodedColumns& columns_;
  const std::vector<Coder>& coders_;
  const CodeTable& table_;
  std::vector<std::ptrdiff_t> at_zero_;
  std::vector<double> logs_;
  std::vector<std::int32_t> zeros_;
};

template <class T, class Index>
void score_rows(const SparseRows<T, Index>& X, const CodedColumns& columns, const std::vector<Coder>& coders,
                const CodeTable& table, int threads, const CodeScores& out) {
  const SparseScores scores(columns, coders, table);
  const std::ptrdiff_t stored = X.values.size / std::max<std::ptrdiff_t>(X.rows, 1) + 1;
  parallel_for(X.rows, rows_per_chunk(stored * table.classes), threads,
               [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                 for (std::ptrdiff_t i = begin; i < end; ++i) scores.add_row(X, i, out);
               });
}

// What one cell adds, from its count, the known cells of the class and the possible codes.
struct Entry {
  double log = 0.0;
  bool zero = false;
};

Entry entry_of(double count, double known, double cases, double alpha) {
  if (cases <= 0.0) return {};
  if (known <= 0.0) return {-std::log(cases), false};
  const double numerator = count + alpha;
  if (numerator > 0.0) return {std::log(numerator) - std::log(known + alpha * cases), false};
  return {-std::log(known), true};
}

// The counts of all rows, ready to lose one.
class LeftOut {
 public:
  LeftOut(const CodedColumns& columns, std::ptrdiff_t classes, const CodeCounts& counts)
      : columns_(columns), classes_(classes), counts_(counts), slots_(columns.slots()) {
    known_.resize(static_cast<std::size_t>(classes * columns.count));
    totals_.resize(static_cast<std::size_t>(slots_));
    for (std::ptrdiff_t c = 0; c < classes; ++c)
      for (std::ptrdiff_t k = 0; k < columns.count; ++k)
        for (std::ptrdiff_t s = columns.first_slot(k); s < columns.first_slot(k + 1); ++s) {
          DoubleDouble& known = known_[static_cast<std::size_t>(c * columns.count + k)];
          DoubleDouble& total = totals_[static_cast<std::size_t>(s)];
          known = add(known, count(c, s));
          total = add(total, count(c, s));
        }
  }

  // Whether no other row has this code, so that the code is not even possible without the row.
  bool vanishes(std::ptrdiff_t slot, double weight) const {
    return !counts_.declared[slot] && rest(totals_[static_cast<std::size_t>(slot)], weight) <= 0.0;
  }

  Entry entry(std::ptrdiff_t c, std::ptrdiff_t k, std::ptrdiff_t slot, double weight, bool vanishes) const {
    const double found = vanishes ? 0.0 : rest(count(c, slot), weight);
    const double known = rest(known_[static_cast<std::size_t>(c * columns_.count + k)], weight);
    return entry_of(found, known, counts_.cases[k] - (vanishes ? 1.0 : 0.0), counts_.alpha);
  }

 private:
  DoubleDouble count(std::ptrdiff_t c, std::ptrdiff_t slot) const {
    return {counts_.high[c * slots_ + slot], counts_.low[c * slots_ + slot]};
  }
  // What fractional weights leave by rounding is nothing.
  static double rest(DoubleDouble all, double weight) {
    const double left = add(all, {-weight, 0.0}).high;
    return left > 1e-25 * all.high ? left : 0.0;
  }

  const CodedColumns& columns_;
  std::ptrdiff_t classes_;
  const CodeCounts& counts_;
  std::ptrdiff_t slots_;
  std::vector<DoubleDouble> known_, totals_;
};

}  // namespace

template <class Rows>
void add_code_scores(const Rows& X, const CodedColumns& columns, const CodeTable& table, int threads,
                     const CodeScores& out) {
  score_rows(X, columns, coders_of(columns), table, threads, out);
}

template <class T>
void add_left_out_code_scores(Matrix<const T> X, const CodedColumns& columns, const CodeTable& table,
                              const CodeCounts& counts, Vector<const std::int32_t> group,
                              Vector<const double> weights, int threads, const CodeScores& out) {
  const std::vector<Coder> coders = coders_of(columns);
  const LeftOut without(columns, table.classes, counts);
  const auto score_cell = [&](std::ptrdiff_t i, std::ptrdiff_t k, std::ptrdiff_t slot) {
    const double weight = weights.size ? weights[i] : 1.0;
    const bool vanishes = without.vanishes(slot, weight);
    for (std::ptrdiff_t c = 0; c < table.classes; ++c) {
      const std::ptrdiff_t at = slot * table.classes + c;
      Entry entry{table.logs[at], table.zeros && table.zeros[at]};
      if (vanishes || c == group[i])
        entry = without.entry(c, k, slot, c == group[i] ? weight : 0.0, vanishes);
      out.logs[i * table.classes + c] += entry.log;
      out.zeros[i * table.classes + c] += entry.zero;
    }
  };
  parallel_for(X.rows, rows_per_chunk(columns.count * table.classes), threads,
               [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                 for (std::ptrdiff_t k = 0; k < columns.count; ++k)
                   for (std::ptrdiff_t i = begin; i < end; ++i) {
                     const double x = static_cast<double>(X(i, columns.columns[k]));
                     const Coder& coder = coders[static_cast<std::size_t>(k)];
                     if (!std::isnan(x)) score_cell(i, k, columns.first_slot(k) + coder(x));
                   }
               });
}

#define INSTANTIATE(Rows) \
  template void add_code_scores(const Rows&, const CodedColumns&, const CodeTable&, int, const CodeScores&);
CLASSICA_FOR_EACH_ROWS_TYPE(INSTANTIATE)
template void add_left_out_code_scores(DenseFloat, const CodedColumns&, const CodeTable&, const CodeCounts&,
                                       Vector<const std::int32_t>, Vector<const double>, int,
                                       const CodeScores&);
template void add_left_out_code_scores(DenseDouble, const CodedColumns&, const CodeTable&, const CodeCounts&,
                                       Vector<const std::int32_t>, Vector<const double>, int,
                                       const CodeScores&);

}  // namespace classica
