// Weighted sums of products of every two columns in plain double precision: the matrices of Newton steps.
// Rows are cut into panels, in strips of four columns, whose tiles of products stay in registers.
//
// Invariant: panels and blocks are cut by the shape alone and added in order: the same bits for any number
// of threads. Cost: O(rows * columns^2 / 2).
#include "classica/gram.hpp"

#include "classica/level.hpp"
#include "gram_panel.hpp"

namespace classica {

template <class T>
void weighted_gram(Matrix<const T> X, const RowFrame& frame, Vector<const double> weights, int threads,
                   Matrix<double> out) {
  at_active_level([&]<class Level>() {
    const auto add = [&](const RowPanel<Level>& panel, std::ptrdiff_t first, std::ptrdiff_t count,
                         double* sums) {
      thread_local std::vector<double> work;
      work.resize(static_cast<std::size_t>(panel.strips() * strip_size));
      double amounts[panel_rows];
      for (std::ptrdiff_t r = 0; r < count; ++r) amounts[r] = weights.size ? weights[first + r] : 1.0;
      GramBlock<Level>::add_products(panel.data(), panel.strips(), count, amounts, work.data(), sums);
    };
    const std::vector<double> tiles =
        sum_over_panels<Level>(X, frame, tiles_size(strips_of(frame.width())), threads, add);
    for (std::ptrdiff_t i = 0; i < frame.width(); ++i)
      for (std::ptrdiff_t j = 0; j <= i; ++j) out(i, j) = out(j, i) = at_tile(tiles.data(), i, j);
  });
}

template <class T>
void weighted_sums(Matrix<const T> X, const RowFrame& frame, Vector<const double> weights, int threads,
                   Vector<double> out) {
  at_active_level([&]<class Level>() {
    const std::vector<double> sums = sum_over_panels<Level>(
        X, frame, strips_of(frame.width()) * strip_width, threads,
        [&](const RowPanel<Level>& panel, std::ptrdiff_t first, std::ptrdiff_t count, double* to) {
          double amounts[panel_rows];
          for (std::ptrdiff_t r = 0; r < count; ++r) amounts[r] = weights[first + r];
          GramBlock<Level>::add_sums(panel.data(), panel.strips(), count, amounts, 1, to);
        });
    for (std::ptrdiff_t j = 0; j < frame.width(); ++j) out[j] = sums[static_cast<std::size_t>(j)];
  });
}

#define INSTANTIATE(T)                                                                                      \
  template void weighted_gram(Matrix<const T>, const RowFrame&, Vector<const double>, int, Matrix<double>); \
  template void weighted_sums(Matrix<const T>, const RowFrame&, Vector<const double>, int, Vector<double>);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
