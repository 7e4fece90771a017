// The rows a machine sees, in the order in which it sees them: a Fisher-Yates shuffle (Durstenfeld 1964) of
// the given order, or draws with replacement, with counter-based numbers.
//
// Invariant: an epoch's order is a function of (seed, epoch) alone, so that machines share it and
// `partial_fit` goes on where a fit ended; the next order is drawn while the present one is shown. Cost:
// O(rows) per epoch.
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

// Puts `drawn`, a copy of `given`, into an order of its own; with `replace`, each is drawn from all.
template <class Item>
void draw(const std::vector<Item>& given, std::uint64_t seed, std::uint64_t epoch, bool replace,
          std::vector<Item>& drawn) {
  // Halves of numbers are enough: an item is at most 2^-32 n likelier to come than another.
  constexpr std::uint64_t draws_per_block = 8;
  const Philox random(seed, epoch);
  const std::uint64_t count = given.size();
  for (std::uint64_t first = 0; first < count; first += draws_per_block) {
    if (first % (1 << 16) == 0) poll_interrupt();
    const Philox::Block block = random.block({first / draws_per_block, 0, 0, 0});
    const std::uint64_t end = std::min(first + draws_per_block, count);
    for (std::uint64_t i = first; i < end; ++i) {
      const std::uint64_t draw = block[(i - first) / 2] >> (32 * (i % 2)) & 0xFFFFFFFF;
      if (replace)
        drawn[i] = given[draw * count >> 32];
      else
        std::swap(drawn[i], drawn[i + (draw * (count - i) >> 32)]);
    }
  }
}

class Presenter {
 public:
  Presenter(const Sides& sides, std::ptrdiff_t machine, const Presentations& how) : how_(how) {
    for (std::ptrdiff_t i = 0; i < sides.codes.size; ++i)
      if (const int side = sides.side(machine, sides.codes[i]); side != 0)
        given_.push_back(static_cast<Presentation>(2 * i + (side < 0)));
  }

  // Every row once, as given.
  const std::vector<Presentation>& given() const { return given_; }

  // Calls show(epoch, presentations), counted from 0, until it says false or there have been so many. The
  // next order is drawn while this one is shown, if there is a second thread.
  template <class Show>
  void for_each_epoch(std::ptrdiff_t epochs, int threads, Show show) {
    if (epochs > 0) prepare(0);
    bool goes_on = true;
    for (std::ptrdiff_t epoch = 0; epoch < epochs && goes_on; ++epoch) {
      shown_.swap(next_);
      const bool has_next = how_.shuffle && epoch + 1 < epochs;
      parallel_for(has_next ? 2 : 1, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
        if (begin == 0) goes_on = show(epoch, how_.shuffle ? shown_ : given_);
        if (end == 2) prepare(epoch + 1);
      });
    }
  }

 private:
  void prepare(std::ptrdiff_t epoch) {
    if (!how_.shuffle) return;
    next_ = given_;
    draw(given_, how_.seed, how_.first_epoch + static_cast<std::uint64_t>(epoch), how_.replace, next_);
  }

  Presentations how_;
  std::vector<Presentation> given_, shown_, next_;
};

// Whether a score is on the wrong side.
inline bool is_mistake(double score, bool second, int zero) {
  const double agreement = second ? -score : score;
  return !(agreement > 0.0) && (agreement != 0.0 || zero != (second ? -1 : 1));
}

// How many presentations of so many values come between two looks at Ctrl-C: a millisecond or so.
inline std::ptrdiff_t stretch_of(std::ptrdiff_t values) {
  return std::max<std::ptrdiff_t>((std::ptrdiff_t{1} << 20) / (values + 16), 1);
}

// A call with the machine for each of them, side by side.
template <class Train>
void for_each_machine(std::ptrdiff_t machines, int threads, Train train) {
  parallel_for(machines, 1, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t machine = begin; machine < end; ++machine) train(machine);
  });
}

}  // namespace classica
