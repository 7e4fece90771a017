// Grown trees, out: their arrays by name.
#pragma once

#include "tree_arrays.hpp"

namespace classica::bind {

inline nb::dict arrays_of(Surrogates&& surrogates) {
  nb::dict found;
  found["starts"] = array_of(std::move(surrogates.starts));
  found["feature"] = array_of(std::move(surrogates.feature));
  found["threshold"] = array_of(std::move(surrogates.threshold));
  found["flipped"] = array_of(std::move(surrogates.flipped));
  found["levels_at"] = array_of(std::move(surrogates.levels_at));
  found["level_child"] = array_of(std::move(surrogates.level_child));
  found["agreement"] = array_of(std::move(surrogates.agreement));
  found["advantage"] = array_of(std::move(surrogates.advantage));
  return found;
}

inline nb::dict arrays_of(GrownTree&& tree) {
  nb::dict found;
  found["feature"] = array_of(std::move(tree.feature));
  found["threshold"] = array_of(std::move(tree.threshold));
  found["levels_at"] = array_of(std::move(tree.levels_at));
  found["level_child"] = array_of(std::move(tree.level_child));
  found["missing_child"] = array_of(std::move(tree.missing_child));
  found["first_child"] = array_of(std::move(tree.first_child));
  found["child_count"] = array_of(std::move(tree.child_count));
  found["cases"] = array_of(std::move(tree.cases));
  found["gain"] = array_of(std::move(tree.gain));
  found["summary"] = array_of(std::move(tree.summary));
  found["surrogates"] = arrays_of(std::move(tree.surrogates));
  return found;
}

}  // namespace classica::bind
