// Which instruction level runs: decided once per process, by the processor and CLASSICA_ISA (docs/decisions/
// 0005, 0019, 0022).
#include "classica/level.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace classica {
namespace {

bool machine_has_avx2() {
#ifdef CLASSICA_HAS_AVX2
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

std::string wanted_level() {
  const char* variable = std::getenv("CLASSICA_ISA");
  return variable ? variable : "";
}

Level choose_level() {
  const std::string wanted = wanted_level();
  if (wanted == "base") return Level::base;
  if (wanted.empty()) return machine_has_avx2() ? Level::avx2 : Level::base;
  if (wanted == "avx2" && machine_has_avx2()) return Level::avx2;
  throw std::invalid_argument(
      "The environment variable CLASSICA_ISA must be 'base' or, on a machine that has it, 'avx2', got '" +
      wanted + "'.");
}

}  // namespace

Level active_level() {
  static const Level level = choose_level();
  return level;
}

bool may_use_avx512() {
#ifdef CLASSICA_HAS_AVX2
  static const bool may =
      wanted_level().empty() && active_level() == Level::avx2 && __builtin_cpu_supports("avx512f");
  return may;
#else
  return false;
#endif
}

const char* level_name(Level level) { return level == Level::avx2 ? "avx2" : "base"; }

}  // namespace classica
