// The arrays of trees, in and out.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "classica/tree.hpp"
#include "classica/tree_apply.hpp"

namespace classica::bind {

using Ints = Packed1<const std::int32_t>;
using Longs = Packed1<const std::int64_t>;
using Reals = Packed1<const double>;
using Bytes = Packed1<const std::uint8_t>;

// Hands a vector over to NumPy without a copy.
template <class T>
nb::object array_of(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

inline std::vector<double> copied(const std::optional<Reals>& array, std::ptrdiff_t rows) {
  if (!array) return {};
  require(size(*array, 0) == rows, "weights, cases and targets must have one entry per row.");
  return {array->data(), array->data() + rows};
}

inline Target target_of(std::ptrdiff_t rows, const std::optional<Ints>& codes, std::ptrdiff_t classes,
                        const std::optional<Reals>& values, const std::optional<Reals>& weights,
                        const std::optional<Reals>& cases) {
  require(codes.has_value() != values.has_value(), "a tree learns from class codes or from numbers.");
  require(classes >= 0 && classes < 65536, "there may be at most 65535 classes.");
  Target target;
  target.classes = classes;
  if (codes) {
    require(size(*codes, 0) == rows, "codes must have one entry per row.");
    for (std::ptrdiff_t i = 0; i < rows; ++i)
      require(codes->data()[i] >= 0 && codes->data()[i] < classes,
              "codes must lie below the number of classes.");
    target.codes.assign(codes->data(), codes->data() + rows);
  }
  target.values = copied(values, rows);
  target.weights = copied(weights, rows);
  target.cases = copied(cases, rows);
  return target;
}

// Questions packed side by side, 32 bytes each.
inline Vector<const Question> questions(const nb::handle& array) {
  const auto bytes = nb::cast<Packed2<const std::uint8_t>>(array, false);
  require(size(bytes, 1) == sizeof(Question), "a question takes 32 bytes.");
  require(reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Question) == 0,
          "questions must be aligned.");
  return {reinterpret_cast<const Question*>(bytes.data()), size(bytes, 0), 1};
}

// A tree: (questions, level_child) and, if it has surrogates, (questions, level_child, starts).
inline TreeView tree_view(const nb::tuple& arrays) {
  TreeView tree;
  tree.nodes = questions(arrays[0]);
  tree.level_child = vector(nb::cast<Ints>(arrays[1], false));
  if (arrays.size() > 2) {
    tree.surrogates = questions(arrays[2]);
    tree.surrogate_level_child = vector(nb::cast<Ints>(arrays[3], false));
    tree.surrogates_at = vector(nb::cast<Longs>(arrays[4], false));
  }
  return tree;
}

}  // namespace classica::bind
