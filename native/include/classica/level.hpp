// The two instruction levels. Block kernels are class templates over a level tag, compiled once per
// level and instantiated there; everything else is compiled for the baseline and picks one here.
#pragma once

#include <utility>

namespace classica {

struct Base {};
struct Avx2 {};
struct Avx512 {};  // for kernels that give the same bits as for Avx2, or only preselect; see may_use_avx512

enum class Level { base, avx2 };

// The level in use: the best this machine has, or what CLASSICA_ISA asks for. Decided once.
Level active_level();
const char* level_name(Level level);

// Whether some kernels may use AVX-512: the machine has it and CLASSICA_ISA asks for nothing.
bool may_use_avx512();

// Calls body.template operator()<Base or Avx2>() for the level in use.
template <class Body>
decltype(auto) at_active_level(Body&& body) {
#ifdef CLASSICA_HAS_AVX2
  if (active_level() == Level::avx2) return body.template operator()<Avx2>();
#endif
  return body.template operator()<Base>();
}

// The same with Avx512 where it may be used: for kernels in which every lane goes through the same operations
// in the same order at both levels, so that only their number at a time differs.
template <class Body>
decltype(auto) at_widest_level(Body&& body) {
#ifdef CLASSICA_HAS_AVX2
  if (may_use_avx512()) return body.template operator()<Avx512>();
#endif
  return at_active_level(std::forward<Body>(body));
}

}  // namespace classica
