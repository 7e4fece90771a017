// Intervals of a numeric column that tell the classes apart (Fayyad and Irani, "Multi-interval discretization
// of continuous-valued attributes for classification learning", 1993): cut where the class entropy falls
// most, as long as the gain pays for describing the cut, and go on in both parts.
#pragma once

#include <cstdint>
#include <vector>

#include "classica/view.hpp"

namespace classica {

// The cut points of chosen columns, ascending. A value equal to a cut belongs below it. NaN is left out.
template <class T>
std::vector<std::vector<double>> cut_points(Matrix<const T> X, Vector<const std::int32_t> columns,
                                            Vector<const std::int32_t> group, Vector<const double> weights,
                                            std::ptrdiff_t classes, int threads);

}  // namespace classica
