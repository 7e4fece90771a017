// Counter-based random numbers: Philox4x64-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers:
// as easy as 1, 2, 3", 2011). A number depends only on (seed, stream, counter), so any thread can
// compute any of them, in any order, and get the same bits.
#pragma once

#include <array>
#include <cstdint>

namespace classica {

class Philox {
 public:
  using Block = std::array<std::uint64_t, 4>;

  Philox(std::uint64_t seed, std::uint64_t stream) : key_{seed, stream} {}

  // The four numbers of one counter.
  Block block(Block counter) const {
    std::uint64_t key0 = key_[0], key1 = key_[1];
    for (int round = 0; round < 10; ++round) {
      const auto [high0, low0] = multiply(0xD2E7470EE14C6C93, counter[0]);
      const auto [high1, low1] = multiply(0xCA5A826395121157, counter[2]);
      counter = {high1 ^ counter[1] ^ key0, low1, high0 ^ counter[3] ^ key1, low0};
      key0 += 0x9E3779B97F4A7C15;
      key1 += 0xBB67AE8584CAA73B;
    }
    return counter;
  }

  // Uniform on [0, 1), from the first number of the counter.
  double uniform(std::uint64_t counter) const { return to_unit(block({counter, 0, 0, 0})[0]); }

  static double to_unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

 private:
  struct Product {
    std::uint64_t high, low;
  };
  static Product multiply(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
  }

  std::array<std::uint64_t, 2> key_;
};

}  // namespace classica
