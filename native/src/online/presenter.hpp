// The rows a machine sees, in the order in which it sees them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "classica/online.hpp"
#include "classica/parallel.hpp"
#include "classica/random.hpp"

namespace classica {

// A presentation is the number of a row, and in the lowest bit whether it is on the second side.
using Presentation = std::uint32_t;
inline std::ptrdiff_t row_of(Presentation one) { return static_cast<std::ptrdiff_t>(one >> 1); }
inline bool is_second(Presentation one) { return one & 1; }

class Presenter {
 public:
  Presenter(const Sides& sides, std::ptrdiff_t machine, const Presentations& how) : how_(how) {
    for (std::ptrdiff_t i = 0; i < sides.codes.size; ++i)
      if (const int side = sides.side(machine, sides.codes[i]); side != 0)
        given_.push_back(static_cast<Presentation>(2 * i + (side < 0)));
  }

  // Every row once, as given.
  const std::vector<Presentation>& given() const { return given_; }

  // The presentations of an epoch, counted from 0.
  const std::vector<Presentation>& epoch(std::int64_t number) {
    if (!how_.shuffle || given_.empty()) return given_;
    drawn_ = given_;
    const Philox random(how_.seed, how_.first_epoch + static_cast<std::uint64_t>(number));
    Philox::Block draws{};
    const std::size_t count = given_.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 4 == 0) draws = random.block({i / 4, 0, 0, 0});
      if (how_.replace)
        drawn_[i] = given_[below(draws[i % 4], count)];
      else
        std::swap(drawn_[i], drawn_[i + below(draws[i % 4], count - i)]);
    }
    return drawn_;
  }

 private:
  static std::size_t below(std::uint64_t draw, std::size_t limit) {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(draw) * limit) >> 64);
  }

  Presentations how_;
  std::vector<Presentation> given_, drawn_;
};

// Whether a score is on the wrong side.
inline bool is_mistake(double score, bool second, bool zero_is_mistake) {
  const double agreement = second ? -score : score;
  return !(agreement > 0.0) && (agreement != 0.0 || zero_is_mistake || second);
}

// A call with the machine for each of them, side by side.
template <class Train>
void for_each_machine(std::ptrdiff_t machines, int threads, Train train) {
  parallel_for(machines, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t machine = begin; machine < end; ++machine) train(machine);
  });
}

}  // namespace classica
