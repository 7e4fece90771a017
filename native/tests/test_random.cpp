#include <doctest/doctest.h>

#include <cstdint>

#include "classica/random.hpp"

using namespace classica;

TEST_CASE("Philox gives the known answers of Random123") {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  CHECK(Philox(0, 0).block({0, 0, 0, 0}) ==
        Philox::Block{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b});
  CHECK(Philox(ones, ones).block({ones, ones, ones, ones}) ==
        Philox::Block{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0});
  CHECK(Philox(0x452821e638d01377, 0xbe5466cf34e90c6c)
            .block({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}) ==
        Philox::Block{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6});
}

TEST_CASE("Philox agrees with NumPy, whose counter is raised before the first block") {
  // numpy.random.Philox(key=42 | 7 << 64, counter=2).random_raw(4), and .random() of its Generator
  const Philox random(42, 7);
  CHECK(random.block({3, 0, 0, 0}) ==
        Philox::Block{0x38054e68eaff7c8a, 0x90569b868bcaa6a1, 0x4fdbc934ea181f3d, 0x4788be1902403fa4});
  CHECK(random.uniform(3) == 0.2188309675357213);
}

TEST_CASE("the unit interval is half open") {
  CHECK(Philox::to_unit(0) == 0.0);
  CHECK(Philox::to_unit(~std::uint64_t{0}) == 1.0 - 0x1p-53);
}

TEST_CASE("uniform numbers fill the unit interval evenly, in every stream") {
  constexpr int draws = 40000, bins = 20;
  for (std::uint64_t stream = 0; stream < 3; ++stream) {
    const Philox random(5, stream);
    int counts[bins] = {};
    for (std::uint64_t counter = 0; counter < draws; ++counter)
      ++counts[static_cast<int>(random.uniform(counter) * bins)];
    double chi_square = 0.0;
    for (const int count : counts) {
      const double difference = count - double{draws} / bins;
      chi_square += difference * difference / (double{draws} / bins);
    }
    CAPTURE(stream);
    CHECK(chi_square < 50.0);  // 19 degrees of freedom: exceeded with probability 1e-4
    CHECK(chi_square > 3.0);   // too even is not random either
  }
}

TEST_CASE("seed, stream and counter each change the number") {
  const double number = Philox(1, 2).uniform(3);
  CHECK(Philox(2, 2).uniform(3) != number);
  CHECK(Philox(1, 3).uniform(3) != number);
  CHECK(Philox(1, 2).uniform(4) != number);
}
