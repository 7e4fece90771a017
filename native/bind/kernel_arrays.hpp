// A kernel function as Python passes it.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "classica/kernels.hpp"
#include "words.hpp"

namespace classica::bind {

// Kind, gamma, coef0, degree, center.
using KernelArrays = std::tuple<std::string, double, double, int, std::optional<Packed1<const double>>>;

// cols < 0 where no rows are seen.
inline KernelFunction kernel_function(const KernelArrays& arrays, std::ptrdiff_t cols) {
  const auto& [kind, gamma, coef0, degree, center] = arrays;
  require(!center || cols < 0 || size(*center, 0) == cols, "center must have one value per column.");
  return {from_word<KernelKind>(kind), gamma, coef0, degree, center ? center->data() : nullptr};
}

}  // namespace classica::bind
