#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <type_traits>

#include "classica/level.hpp"

using namespace classica;

TEST_CASE("CLASSICA_ISA=base is obeyed, and kernels are called at the level in use") {
  const char* wanted = std::getenv("CLASSICA_ISA");
  if (wanted && std::string(wanted) == "base") CHECK(active_level() == Level::base);
  const bool called_avx2 = at_active_level([]<class Tag>() { return std::is_same_v<Tag, Avx2>; });
  CHECK(called_avx2 == (active_level() == Level::avx2));
  MESSAGE("instruction level: " << std::string(level_name(active_level())));
}
