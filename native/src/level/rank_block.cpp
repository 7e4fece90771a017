// The one routine that compares rows: a tile of eight training rows with one query, by the step of a
// metric. Differences are taken directly, not as |x|^2 + |y|^2 - 2 x.y, which loses all digits on shifted
// data (docs/decisions/0018).
//
// Invariant: a rank is added up in column order, so that a pair of rows has one rank, whichever structure
// asks. Every metric but Gower's adds terms that are not negative, so that a partial sum beyond the bound
// stays beyond it. A new metric is a step, its line in `with_step` and its word in `Metric`. Cost:
// O(columns) per tile; the bound is looked at every sixteen columns.
#include "rank_block.hpp"

#include <cmath>
#include <cstdint>

#include "classica/simd.hpp"

namespace classica {
namespace {

struct Two {
  Double4 left, right;
};

[[gnu::always_inline]] inline Two load_row(const double* from) { return {load4(from), load4(from + 4)}; }
[[gnu::always_inline]] inline Two load_row(const float* from) {
  Float8 single;
  __builtin_memcpy(&single, from, sizeof single);
  const auto wide = __builtin_convertvector(single, Double8);
  Two two;
  __builtin_memcpy(&two, &wide, sizeof two);
  return two;
}

using Long4 = long long __attribute__((vector_size(32)));

[[gnu::always_inline]] inline Double4 magnitude(Double4 x) {
  return (Double4)((Long4)x & 0x7FFFFFFFFFFFFFFFLL);
}
[[gnu::always_inline]] inline Double4 choose(Long4 mask, Double4 yes, Double4 no) { return mask ? yes : no; }
[[gnu::always_inline]] inline Double4 all_of(double x) { return Double4{x, x, x, x}; }

// A step takes in one column: x are the values of four rows, q that of the query.
struct EuclideanStep {
  template <class Level>
  [[gnu::always_inline]] static Double4 add(Double4 total, Double4 x, double q, const MetricRule&,
                                            std::ptrdiff_t) {
    const Double4 difference = x - q;
    return multiply_add<Level>(difference, difference, total);
  }
};

struct ManhattanStep {
  template <class Level>
  [[gnu::always_inline]] static Double4 add(Double4 total, Double4 x, double q, const MetricRule&,
                                            std::ptrdiff_t) {
    return total + magnitude(x - q);
  }
};

struct ChebyshevStep {
  template <class Level>
  [[gnu::always_inline]] static Double4 add(Double4 total, Double4 x, double q, const MetricRule&,
                                            std::ptrdiff_t) {
    const Double4 difference = magnitude(x - q);
    return choose(difference > total, difference, total);
  }
};

struct MinkowskiStep {
  template <class Level>
  [[gnu::always_inline]] static Double4 add(Double4 total, Double4 x, double q, const MetricRule& rule,
                                            std::ptrdiff_t) {
    const Double4 difference = magnitude(x - q);
    for (int r = 0; r < 4; ++r) total[r] += std::pow(difference[r], rule.power);
    return total;
  }
};

struct HammingStep {
  template <class Level>
  [[gnu::always_inline]] static Double4 add(Double4 total, Double4 x, double q, const MetricRule&,
                                            std::ptrdiff_t) {
    return total + choose(x != q, all_of(1.0), all_of(0.0));
  }
};

// Heterogeneous Euclidean-overlap metric (Wilson and Martinez 1997): a missing value is as far as can be.
struct HeomStep {
  template <class Level>
  [[gnu::always_inline]] static Double4 add(Double4 total, Double4 x, double q, const MetricRule& rule,
                                            std::ptrdiff_t column) {
    const Double4 difference = x - q;
    const Double4 apart = choose(difference == 0.0, all_of(0.0), all_of(1.0));
    if (rule.categorical[column]) return total + apart;
    const Double4 square = multiply_add<Base>(difference, difference, all_of(0.0));
    return total + choose(difference == difference, square, all_of(1.0));
  }
};

[[gnu::always_inline]] inline std::uint8_t bits_within(Double4 left, Double4 right, double bound) {
  const Long4 low = left <= bound, high = right <= bound;
#if defined(__AVX2__)
  return static_cast<std::uint8_t>(_mm256_movemask_pd((__m256d)low) | _mm256_movemask_pd((__m256d)high) << 4);
#else
  int found = 0;
  for (int r = 0; r < 4; ++r)
    found |= static_cast<int>(low[r] & 1) << r | static_cast<int>(high[r] & 1) << (r + 4);
  return static_cast<std::uint8_t>(found);
#endif
}

template <class Level, class Step, class T>
void all_ranks(const MetricRule& rule, const T* tiles, std::ptrdiff_t tile_count, const double* query,
               std::ptrdiff_t cols, double bound, double* out, std::uint8_t* within) {
  for (std::ptrdiff_t t = 0; t < tile_count; ++t, tiles += cols * tile_rows, out += tile_rows) {
    Double4 left = all_of(0.0), right = all_of(0.0);
    for (std::ptrdiff_t j = 0; j < cols; ++j) {
      const Two x = load_row(tiles + j * tile_rows);
      left = Step::template add<Level>(left, x.left, query[j], rule, j);
      right = Step::template add<Level>(right, x.right, query[j], rule, j);
    }
    store4(out, left);
    store4(out + 4, right);
    within[t] = bits_within(left, right, bound);
  }
}

// Gower (1971): the mean difference over the columns both rows know; 1 where they share none.
template <class T>
void gower_ranks(const MetricRule& rule, const T* tiles, std::ptrdiff_t tile_count, const double* query,
                 std::ptrdiff_t cols, double bound, double* out, std::uint8_t* within) {
  for (std::ptrdiff_t t = 0; t < tile_count; ++t, tiles += cols * tile_rows, out += tile_rows) {
    within[t] = 0;
    for (std::ptrdiff_t r = 0; r < tile_rows; ++r) {
      double total = 0.0, known = 0.0;
      for (std::ptrdiff_t j = 0; j < cols; ++j) {
        const double difference = static_cast<double>(tiles[j * tile_rows + r]) - query[j];
        if (difference != difference) continue;
        total += rule.categorical[j] ? (difference == 0.0 ? 0.0 : 1.0) : std::abs(difference);
        known += 1.0;
      }
      out[r] = known > 0.0 ? total / known : 1.0;
      within[t] |= static_cast<std::uint8_t>((out[r] <= bound) << r);
    }
  }
}

template <class Level, class Step, class T>
std::uint8_t ranks_until(const MetricRule& rule, const T* tile, const double* query, std::ptrdiff_t cols,
                         double bound, double* out) {
  constexpr std::ptrdiff_t stretch = 16;  // columns between two looks at the bound
  Double4 left = all_of(0.0), right = all_of(0.0);
  for (std::ptrdiff_t start = 0; start < cols; start += stretch) {
    const std::ptrdiff_t end = start + stretch < cols ? start + stretch : cols;
    for (std::ptrdiff_t j = start; j < end; ++j) {
      const Two x = load_row(tile + j * tile_rows);
      left = Step::template add<Level>(left, x.left, query[j], rule, j);
      right = Step::template add<Level>(right, x.right, query[j], rule, j);
    }
    if (!bits_within(left, right, bound)) return 0;
  }
  store4(out, left);
  store4(out + 4, right);
  return bits_within(left, right, bound);
}

// Calls run with the step of a metric: a new metric is one step above and one line here.
template <class Run>
auto with_step(Metric metric, Run run) {
  switch (metric) {
    case Metric::manhattan:
      return run.template operator()<ManhattanStep>();
    case Metric::chebyshev:
      return run.template operator()<ChebyshevStep>();
    case Metric::minkowski:
      return run.template operator()<MinkowskiStep>();
    case Metric::hamming:
      return run.template operator()<HammingStep>();
    case Metric::heom:
      return run.template operator()<HeomStep>();
    case Metric::euclidean:
    case Metric::gower:  // has no steps: see gower_ranks
      break;
  }
  return run.template operator()<EuclideanStep>();
}

}  // namespace

template <class Level>
template <class T>
void RankBlock<Level>::ranks(const MetricRule& rule, const T* tiles, std::ptrdiff_t tile_count,
                             const double* query, std::ptrdiff_t cols, double bound, double* out,
                             std::uint8_t* within) {
  if (rule.metric == Metric::gower)
    return gower_ranks(rule, tiles, tile_count, query, cols, bound, out, within);
  with_step(rule.metric, [&]<class Step>() {
    all_ranks<Level, Step>(rule, tiles, tile_count, query, cols, bound, out, within);
  });
}

// Every metric but Gower's adds non-negative terms, so a partial sum beyond the bound stays beyond it.
template <class Level>
template <class T>
std::uint8_t RankBlock<Level>::ranks_within(const MetricRule& rule, const T* tile, const double* query,
                                            std::ptrdiff_t cols, double bound, double* out) {
  if (rule.metric != Metric::gower)
    return with_step(rule.metric, [&]<class Step>() {
      return ranks_until<Level, Step>(rule, tile, query, cols, bound, out);
    });
  std::uint8_t within = 0;
  gower_ranks(rule, tile, 1, query, cols, bound, out, &within);
  return within;
}

template <class Level>
double RankBlock<Level>::squared_to_box(const double* box, const double* query, std::ptrdiff_t cols) {
  Double4 total = all_of(0.0);
  std::ptrdiff_t j = 0;
  for (; j + 4 <= cols; j += 4) {
    const Double4 q = load4(query + j);
    const Double4 below = load4(box + j) - q, above = q - load4(box + cols + j);
    const Double4 nearer = choose(below > above, below, above);
    const Double4 gap = choose(nearer > 0.0, nearer, all_of(0.0));
    total = multiply_add<Level>(gap, gap, total);
  }
  double sum = (total[0] + total[1]) + (total[2] + total[3]);
  for (; j < cols; ++j) {
    const double below = box[j] - query[j], above = query[j] - box[cols + j];
    const double nearer = below > above ? below : above;
    const double gap = nearer > 0.0 ? nearer : 0.0;
    sum += gap * gap;
  }
  return sum;
}

using Block = RankBlock<CLASSICA_LEVEL>;
template void Block::ranks(const MetricRule&, const float*, std::ptrdiff_t, const double*, std::ptrdiff_t,
                           double, double*, std::uint8_t*);
template void Block::ranks(const MetricRule&, const double*, std::ptrdiff_t, const double*, std::ptrdiff_t,
                           double, double*, std::uint8_t*);
template std::uint8_t Block::ranks_within(const MetricRule&, const float*, const double*, std::ptrdiff_t,
                                          double, double*);
template std::uint8_t Block::ranks_within(const MetricRule&, const double*, const double*, std::ptrdiff_t,
                                          double, double*);
template double Block::squared_to_box(const double*, const double*, std::ptrdiff_t);

}  // namespace classica
