// The variables that are worked on, copied side by side with the kernel values between them, so that pair
// steps stay in the cache (Joachims 1999).
//
// Invariant: places that hold no variable have an upper bound of zero and can never move; whole lanes are
// read. Cost: O(width^2) values of memory, unless values that lie in memory already are used where they
// are.
#pragma once

#include <numeric>
#include <vector>

#include "gram.hpp"

namespace classica {

template <class Level>
class Block {
 public:
  bool is_arranged() const { return !rows_.empty(); }
  std::ptrdiff_t width() const { return width_; }

  // Uses values where they lie, each variable in its place among others that never move.
  void use(Matrix<const double> values, Places places) {
    places_ = std::move(places);
    resize(values.rows);
    for (std::ptrdiff_t r = 0; r < values.rows; ++r) rows_[room(r)] = values.row(r);
    // Whole lanes are read, and after the last row there is nothing to read.
    own_.assign(room(width_), 0.0);
    std::copy_n(values.row(values.rows - 1), values.rows, own_.data());
    rows_[room(values.rows - 1)] = own_.data();
  }

  // Makes room for the values of so many variables, width() to a row, and returns it.
  double* make_room(std::ptrdiff_t count) {
    places_.resize(room(count));
    std::iota(places_.begin(), places_.end(), 0);
    resize(count);
    own_.resize(room(width_ * width_));
    for (std::ptrdiff_t k = 0; k < width_; ++k) rows_[room(k)] = own_.data() + k * width_;
    return own_.data();
  }

  // Copies the values of some variables of another block; `chosen` are their numbers there.
  void copy(const Block& other, const Places& chosen) {
    double* to = make_room(static_cast<std::ptrdiff_t>(chosen.size()));
    Places places(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) places[k] = other.places_[room(chosen[k])];
    for (std::size_t k = 0; k < chosen.size(); ++k, to += width_)
      gather(other.rows_[room(places[k])], places, to);
  }

  // Begins with no variables; those not put into the block cannot move.
  void clear() {
    for (auto* array : {&diagonal_, &signs_, &upper_, &alpha_, &scores_, &up_limit_, &down_limit_})
      array->assign(room(width_), 0.0);
    const SmallProblem small = problem();
    for (std::ptrdiff_t k = 0; k < width_; ++k) SmoBlock<Level>::limit(small, k);
  }

  void put(std::size_t k, double sign, double upper, double alpha, double score) {
    const std::int32_t place = places_[k];
    diagonal_[room(place)] = rows_[room(place)][place];
    signs_[room(place)] = sign;
    upper_[room(place)] = upper;
    alpha_[room(place)] = alpha;
    scores_[room(place)] = score;
    SmoBlock<Level>::limit(problem(), place);
  }

  double alpha(std::size_t k) const { return alpha_[room(places_[k])]; }

  SmallProblem problem() {
    return {width_,        rows_.data(),   diagonal_.data(), signs_.data(),     upper_.data(),
            alpha_.data(), scores_.data(), up_limit_.data(), down_limit_.data()};
  }

 private:
  void resize(std::ptrdiff_t count) {
    width_ = (count + smo_lanes - 1) / smo_lanes * smo_lanes;
    rows_.assign(room(width_), nullptr);
  }

  std::ptrdiff_t width_ = 0;
  Places places_;                    // of the variables
  std::vector<const double*> rows_;  // of kernel values
  std::vector<double> own_, diagonal_, signs_, upper_, alpha_, scores_, up_limit_, down_limit_;
};

}  // namespace classica
