// One coordinate of a quadratic function with a kink at zero: soft thresholding (Donoho 1995). Exact:
// within the kink's slope the minimum is exactly zero.
#pragma once

#include <cmath>

namespace classica {

// Where slope * (x - from) + bend * (x - from)^2 / 2 + bound * |x| is lowest.
inline double lowest_at(double from, double slope, double bend, double bound) {
  const double target = bend * from - slope;
  if (std::abs(target) <= bound) return 0.0;
  return (target > 0.0 ? target - bound : target + bound) / bend;
}

}  // namespace classica
