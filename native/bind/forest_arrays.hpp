// Grown forests, out: their arrays by name.
#pragma once

#include "classica/forest.hpp"
#include "tree_arrays.hpp"

namespace classica::bind {

template <class Item>
nb::object bytes_of(std::vector<Item>&& items) {
  auto* kept = new std::vector<Item>(std::move(items));
  nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<Item>*>(pointer); });
  return nb::cast(
      nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>>(kept->data(), {kept->size(), sizeof(Item)}, owner));
}

inline nb::dict arrays_of(Forest&& forest) {
  nb::dict found;
  found["nodes"] = bytes_of(std::move(forest.nodes));
  found["starts"] = array_of(std::move(forest.starts));
  found["level_child"] = array_of(std::move(forest.level_child));
  found["weight"] = array_of(std::move(forest.weight));
  found["surrogates"] = bytes_of(std::move(forest.surrogates));
  found["surrogate_level_child"] = array_of(std::move(forest.surrogate_level_child));
  found["surrogates_at"] = array_of(std::move(forest.surrogates_at));
  found["values"] = array_of(std::move(forest.values));
  found["gains_at"] = array_of(std::move(forest.gains_at));
  found["gain_columns"] = array_of(std::move(forest.gain_columns));
  found["gains"] = array_of(std::move(forest.gains));
  return found;
}

}  // namespace classica::bind
