// Random samples by number: bootstrap (Efron 1979), by weight through binary search in running sums;
// without repetition by a Fisher-Yates shuffle (Durstenfeld 1964), or by weight with exponential keys
// (Efraimidis and Spirakis 2006).
//
// Invariant: sample k of a seed is the same for everyone who asks, because its random numbers are those of
// stream k. Cost: O(size), O(size log n) by weight with repetition, O(n) by weight without.
#include "classica/samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "classica/random.hpp"

namespace classica {
namespace {

// Uniform numbers one after the other, four from each block.
class Uniforms {
 public:
  Uniforms(std::uint64_t seed, std::uint64_t stream) : random_(seed, stream) {}
  double next() {
    if (used_ == block_.size()) {
      block_ = random_.block({counter_++, 0, 0, 0});
      used_ = 0;
    }
    return Philox::to_unit(block_[used_++]);
  }
  std::ptrdiff_t below(std::ptrdiff_t limit) {
    return static_cast<std::ptrdiff_t>(next() * static_cast<double>(limit));
  }

 private:
  Philox random_;
  Philox::Block block_{};
  std::size_t used_ = 4;
  std::uint64_t counter_ = 0;
};

void draw_again_and_again(const SampleRules& rules, Uniforms& uniforms, Vector<std::uint32_t> counts) {
  const bool weighted = rules.up_to.size > 0;
  const double total = weighted ? rules.up_to[rules.up_to.size - 1] : 0.0;
  for (std::ptrdiff_t k = 0; k < rules.size; ++k) {
    std::ptrdiff_t place = 0;
    if (weighted) {
      const double *begin = rules.up_to.data, *end = begin + rules.up_to.size;
      place = std::min(std::upper_bound(begin, end, uniforms.next() * total) - begin, end - begin - 1);
    } else {
      place = uniforms.below(rules.order.size);
    }
    ++counts[rules.order[place]];
  }
}

void draw_once_each(const SampleRules& rules, Uniforms& uniforms, Vector<std::uint32_t> counts) {
  std::vector<std::uint32_t> left(rules.order.data, rules.order.data + rules.order.size);
  for (std::size_t k = 0; k < static_cast<std::size_t>(rules.size); ++k) {
    const std::ptrdiff_t other = uniforms.below(rules.order.size - static_cast<std::ptrdiff_t>(k));
    std::swap(left[k], left[k + static_cast<std::size_t>(other)]);
    ++counts[left[k]];
  }
}

// The rows with the largest u^(1/w): as if drawn one after the other by weight (Efraimidis and Spirakis,
// 2006).
void draw_once_by_weight(const SampleRules& rules, Uniforms& uniforms, Vector<std::uint32_t> counts) {
  std::vector<std::pair<double, std::ptrdiff_t>> keys;
  double before = 0.0;
  for (std::ptrdiff_t i = 0; i < rules.order.size; ++i) {
    const double weight = rules.up_to[i] - std::exchange(before, rules.up_to[i]);
    keys.emplace_back(-std::log1p(-uniforms.next()) / weight, i);
  }
  std::nth_element(keys.begin(), keys.begin() + rules.size, keys.end());
  for (std::ptrdiff_t k = 0; k < rules.size; ++k)
    ++counts[rules.order[keys[static_cast<std::size_t>(k)].second]];
}

}  // namespace

void draw_sample(const SampleRules& rules, std::uint64_t number, Vector<std::uint32_t> counts) {
  Uniforms uniforms(rules.seed, number);
  if (rules.replace)
    draw_again_and_again(rules, uniforms, counts);
  else if (rules.up_to.size > 0 && rules.size < rules.order.size)
    draw_once_by_weight(rules, uniforms, counts);
  else
    draw_once_each(rules, uniforms, counts);
}

}  // namespace classica
