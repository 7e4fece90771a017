#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "classica/double_double.hpp"
#include "tables.hpp"

using namespace classica;
using classica::testing::RandomValues;

namespace {

using Exact = __int128;

// Whole numbers of 53 bits: sums and products of them fit 128 bits, where arithmetic is exact.
double random_integer(RandomValues& random) { return random() * 0x1p52; }

Exact exact(DoubleDouble value) { return static_cast<Exact>(value.high) + static_cast<Exact>(value.low); }

bool is_normalised(DoubleDouble value) { return value.high + value.low == value.high; }

double distance(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble difference = add(a, negate(b));
  return std::abs(difference.high + difference.low);
}

}  // namespace

TEST_CASE("two_sum is exact") {
  RandomValues random(1);
  int wrong = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double a = random_integer(random);
    const double b = std::ldexp(random_integer(random), trial % 60);
    const Exact expected = static_cast<Exact>(a) + static_cast<Exact>(b);
    for (const DoubleDouble sum : {two_sum(a, b), two_sum(b, a)})
      wrong += exact(sum) != expected || !is_normalised(sum);
  }
  CHECK(wrong == 0);
}

TEST_CASE("quick_two_sum is exact when its first number is the larger, or zero") {
  RandomValues random(7);
  int wrong = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double b = random_integer(random);
    const double a = std::ldexp(random_integer(random), trial % 60);
    if (std::abs(a) < std::abs(b)) continue;
    const DoubleDouble sum = quick_two_sum(a, b), alone = quick_two_sum(0.0, b);
    wrong += exact(sum) != static_cast<Exact>(a) + static_cast<Exact>(b) || !is_normalised(sum);
    wrong += alone.high != b || alone.low != 0.0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("split gives two halves short enough to be multiplied exactly") {
  RandomValues random(2);
  int wrong = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double a = random_integer(random);
    const DoubleDouble halves = split(a);
    const Exact square_of_high = static_cast<Exact>(halves.high) * static_cast<Exact>(halves.high);
    wrong += halves.high + halves.low != a || std::abs(halves.low) > 0x1p26 ||
             static_cast<Exact>(halves.high * halves.high) != square_of_high;
  }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("two_product is exact", Level, Base, Avx2) {
  RandomValues random(3);
  int wrong = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double a = random_integer(random), b = random_integer(random);
    const DoubleDouble product = two_product<Level>(a, b);
    wrong += exact(product) != static_cast<Exact>(a) * static_cast<Exact>(b) || !is_normalised(product);
  }
  CHECK(wrong == 0);
}

TEST_CASE("two_product without fused operations gives the bits of the fused one at every scale") {
  RandomValues random(4);
  int wrong = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double a = std::ldexp(random(), trial % 900 - 400), b = std::ldexp(random(), trial % 70 - 35);
    const DoubleDouble product = two_product<Base>(a, b);
    wrong += product.high != a * b || product.low != __builtin_fma(a, b, -product.high);
  }
  CHECK(wrong == 0);
}

TEST_CASE("sums keep what a double would lose") {
  const auto sum = [](const std::vector<double>& terms) {
    DoubleDouble total;
    for (const double term : terms) total = add(total, {term, 0.0});
    return total.high + total.low;
  };
  CHECK(sum({1e16, 1.0, -1e16}) == 1.0);
  CHECK(sum({1.0, 1e16, 1.0, -1e16}) == 2.0);
  CHECK(sum({1e30, 1.0, 1e15, -1e30, -1e15}) == 1.0);
  CHECK(sum({0x1p53, 0x1p-50, -0x1p53, -0x1p-50}) == 0.0);
  // The doubles nearest to 0.1, 0.2 and 0.3 do not cancel; this is what is left of them.
  CHECK(sum({0.1, 0.2, -0.3}) == 0x1p-55);
}

TEST_CASE("adding many values and taking them away in another order returns to the start") {
  RandomValues random(5);
  const DoubleDouble start = two_product<Base>(random(), random());
  std::vector<DoubleDouble> terms(100000);
  for (DoubleDouble& term : terms) term = two_product<Base>(1e6 * random(), random());
  DoubleDouble total = start;
  double largest = 0.0;
  for (const DoubleDouble term : terms) {
    total = add(total, term);
    largest = std::max(largest, std::abs(total.high));
  }
  for (std::size_t k = 0; k < terms.size(); ++k)
    total = add(total, negate(terms[(k * 7919 + 13) % terms.size()]));  // 7919 is prime to the size
  CHECK(distance(total, start) <= 1e-25 * largest);
}

TEST_CASE_TEMPLATE("multiply and divide carry about 100 bits", Level, Base, Avx2) {
  RandomValues random(6);
  double worst = 0.0;
  for (int trial = 0; trial < 20000; ++trial) {
    const DoubleDouble a = two_sum(1.5 + 0.5 * random(), 0x1p-54 * random());
    const DoubleDouble b = two_sum(1.5 + 0.5 * random(), 0x1p-54 * random());
    worst = std::max(worst, distance(multiply<Level>(divide<Level>(a, b), b), a));
    worst = std::max(worst, distance(divide<Level>(multiply<Level>(a, b), b), a));
  }
  CHECK(worst < 1e-30);
  const DoubleDouble third = divide<Level>({1.0, 0.0}, {3.0, 0.0});
  CHECK(distance(add(third, add(third, third)), {1.0, 0.0}) < 1e-31);
}
