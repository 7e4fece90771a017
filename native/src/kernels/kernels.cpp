// Kernel matrices and weighted sums of kernel values, in tiles that are used at once: a panel of rows
// against pieces of the others that stay in the first cache.
//
// Invariant: a value depends on its two rows alone and K(a, b) = K(b, a) to the last bit; weighted sums run
// in the order of the second rows. Of known values, places of zero weight are left out without changing the
// sum's four parts. Cost: O(rows * others * columns).
#include "classica/kernels.hpp"

#include <array>
#include <cstring>

#include "blocks.hpp"
#include "classica/parallel.hpp"

namespace classica {
namespace {

double within_range(double value) {
  constexpr double most = 1e307;
  return value > -most ? std::min(value, most) : -most;  // NaN is not above -most
}

// The weights of one machine that are not zero: those of pairs of classes are few. What a place adds goes to
// one of four sums by its remainder, whoever else is left out; shorter lists are filled up with zeros.
struct SparseWeights {
  std::vector<std::array<std::ptrdiff_t, 4>> places;
  std::vector<std::array<double, 4>> values;

  SparseWeights(Matrix<const double> weights, std::ptrdiff_t machine) {
    std::size_t sizes[4] = {};
    for (std::ptrdiff_t j = 0; j < weights.cols; ++j) {
      if (weights(machine, j) == 0.0) continue;
      const std::size_t place = sizes[j % 4]++;
      if (place == places.size()) {
        places.push_back({});
        values.push_back({});
      }
      places[place][static_cast<std::size_t>(j % 4)] = j;
      values[place][static_cast<std::size_t>(j % 4)] = weights(machine, j);
    }
  }

  template <class T>
  double sum(Matrix<const T> K, std::ptrdiff_t row) const {
    double parts[4] = {};
    for (std::size_t k = 0; k < places.size(); ++k)
      for (std::size_t part = 0; part < 4; ++part)
        parts[part] += values[k][part] * static_cast<double>(K(row, places[k][part]));
    return (parts[0] + parts[1]) + (parts[2] + parts[3]);
  }
};

// Queries packed at a time: few enough that a long table takes no second copy of itself.
constexpr std::ptrdiff_t rows_at_once = 96;

}  // namespace

template <class T>
void kernel_matrix(Matrix<const T> A, Matrix<const double> B, const KernelFunction& kernel, int threads,
                   Matrix<double> out) {
  at_widest_level([&]<class Level>() {
    using Block = KernelBlock<Level>;
    const PackedRows panels = pack_rows(B, 0, B.rows, kernel.center, Block::panel_rows);
    parallel_for(A.rows, rows_at_once, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      const PackedRows groups = pack_rows(A, begin, end - begin, kernel.center, Block::group_rows);
      for (std::ptrdiff_t p = 0; p < panels.strips(); ++p) {
        if (p % 256 == 0) poll_interrupt();
        const std::ptrdiff_t first_column = p * Block::panel_rows;
        const std::ptrdiff_t columns = std::min(Block::panel_rows, B.rows - first_column);
        for_each_piece<Level>(
            kernel, panels, p, groups, [&](std::ptrdiff_t first, std::ptrdiff_t count, const double* values) {
              for (std::ptrdiff_t b = 0; b < count; ++b)
                for (std::ptrdiff_t r = 0; r < columns; ++r)
                  out(begin + first + b, first_column + r) = values[b * Block::panel_rows + r];
            });
      }
    });
  });
}

template <class T>
void kernel_scores(Matrix<const T> A, Matrix<const double> B, const KernelFunction& kernel,
                   Matrix<const double> weights, Vector<const double> offsets, int threads,
                   Matrix<double> out) {
  at_widest_level([&]<class Level>() {
    using Block = KernelBlock<Level>;
    constexpr std::ptrdiff_t height = Block::panel_rows;
    const PackedRows groups = pack_rows(B, 0, B.rows, kernel.center, Block::group_rows);
    const std::ptrdiff_t chunk = panels_per_chunk(B.rows, A.cols + weights.rows, height) * height;
    parallel_for(A.rows, chunk, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      const PackedRows panels = pack_rows(A, begin, end - begin, kernel.center, height);
      std::vector<double> sums(static_cast<std::size_t>(weights.rows * height));
      for (std::ptrdiff_t p = 0; p < panels.strips(); ++p) {
        poll_interrupt();
        std::fill(sums.begin(), sums.end(), 0.0);
        for_each_piece<Level>(
            kernel, panels, p, groups, [&](std::ptrdiff_t first, std::ptrdiff_t count, const double* values) {
              for (std::ptrdiff_t m = 0; m < weights.rows; ++m)
                Block::add_weighted(values, weights.row(m) + first, count, sums.data() + m * height);
            });
        for (std::ptrdiff_t r = 0; r < std::min(height, panels.rows - p * height); ++r)
          for (std::ptrdiff_t m = 0; m < weights.rows; ++m)
            out(begin + p * height + r, m) =
                within_range(sums[static_cast<std::size_t>(m * height + r)]) + offsets[m];
      }
    });
  });
}

template <class T>
void known_kernel_scores(Matrix<const T> K, Vector<const std::int64_t> rows, Matrix<const double> weights,
                         Vector<const double> offsets, int threads, Matrix<double> out) {
  std::vector<SparseWeights> machines;
  std::ptrdiff_t work = 1;
  for (std::ptrdiff_t m = 0; m < weights.rows; ++m) {
    machines.emplace_back(weights, m);
    work += 4 * static_cast<std::ptrdiff_t>(machines.back().places.size());
  }
  parallel_for(
      out.rows, (std::ptrdiff_t{1} << 20) / work + 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i)
          for (std::ptrdiff_t m = 0; m < weights.rows; ++m)
            out(i, m) = within_range(machines[static_cast<std::size_t>(m)].sum(K, rows.size ? rows[i] : i)) +
                        offsets[m];
      });
}

void kernel_of(Matrix<const double> values, const KernelFunction& kernel, int threads, Matrix<double> out) {
  at_widest_level([&]<class Level>() {
    using Block = KernelBlock<Level>;
    const std::ptrdiff_t padded = (values.cols + 7) / 8 * 8;
    parallel_for(values.rows, (1 << 16) / padded + 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      std::vector<double> row(static_cast<std::size_t>(padded));
      for (std::ptrdiff_t i = begin; i < end; ++i) {
        for (std::ptrdiff_t j = 0; j < values.cols; ++j) row[static_cast<std::size_t>(j)] = values(i, j);
        Block::apply(kernel, row.data(), padded);
        for (std::ptrdiff_t j = 0; j < values.cols; ++j) out(i, j) = row[static_cast<std::size_t>(j)];
      }
    });
  });
}

void squared_distances(Matrix<const double> A, int threads, Matrix<double> out) {
  at_widest_level([&]<class Level>() {
    using Block = KernelBlock<Level>;
    const PackedRows panels = pack_rows(A, 0, A.rows, nullptr, Block::panel_rows);
    const PackedRows groups = pack_rows(A, 0, A.rows, nullptr, Block::group_rows);
    parallel_for(groups.strips(), 8, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      double values[Block::group_rows * Block::panel_rows];
      for (std::ptrdiff_t g = begin; g < end; ++g)
        for (std::ptrdiff_t p = 0; p < panels.strips(); ++p) {
          Block::distances({panels.strip(p), panels.strip_norms(p)}, {groups.strip(g), groups.strip_norms(g)},
                           1, A.cols, values);
          for (std::ptrdiff_t b = 0; b < std::min(Block::group_rows, A.rows - g * Block::group_rows); ++b)
            for (std::ptrdiff_t r = 0; r < std::min(Block::panel_rows, A.rows - p * Block::panel_rows); ++r)
              out(g * Block::group_rows + b, p * Block::panel_rows + r) = values[b * Block::panel_rows + r];
        }
    });
  });
}

void exponentials(Vector<const double> values, Vector<double> out) {
  at_widest_level([&]<class Level>() {
    constexpr std::ptrdiff_t height = KernelBlock<Level>::panel_rows;
    for (std::ptrdiff_t first = 0; first < values.size; first += height) {
      double some[height] = {};
      const std::ptrdiff_t count = std::min(height, values.size - first);
      for (std::ptrdiff_t r = 0; r < count; ++r) some[r] = values[first + r];
      KernelBlock<Level>::exponentials(some, height);
      for (std::ptrdiff_t r = 0; r < count; ++r) out[first + r] = some[r];
    }
  });
}

#define INSTANTIATE(T)                                                                                 \
  template void kernel_matrix(Matrix<const T>, Matrix<const double>, const KernelFunction&, int,       \
                              Matrix<double>);                                                         \
  template void kernel_scores(Matrix<const T>, Matrix<const double>, const KernelFunction&,            \
                              Matrix<const double>, Vector<const double>, int, Matrix<double>);        \
  template void known_kernel_scores(Matrix<const T>, Vector<const std::int64_t>, Matrix<const double>, \
                                    Vector<const double>, int, Matrix<double>);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace classica
