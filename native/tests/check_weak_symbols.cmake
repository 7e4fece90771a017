# A weak symbol from a shared header, compiled with AVX2, may be the copy that the linker keeps for
# everyone, and then the baseline code crashes on older machines. So every weak symbol of these objects
# must carry the level in its name.

if(NOT NM OR NOT OBJECTS)
  message(FATAL_ERROR "NM and OBJECTS must be given, got '${NM}' and '${OBJECTS}'.")
endif()

set(leaks "")
foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND ${NM} --defined-only -C ${object} OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
  if(failed OR NOT symbols MATCHES "Avx2")
    message(FATAL_ERROR "${object} must define symbols of the level Avx2, got none.")
  endif()
  # Demangled names hold brackets and may hold semicolons, which would upset CMake's lists.
  string(REGEX REPLACE "[][;]" "_" symbols "${symbols}")
  string(REPLACE "\n" ";" symbols "${symbols}")
  foreach(symbol IN LISTS symbols)
    if(symbol MATCHES "^[0-9a-f]+ [WwVvu] " AND NOT symbol MATCHES "Avx2")
      string(APPEND leaks "\n  ${symbol}")
    endif()
  endforeach()
endforeach()

if(leaks)
  message(FATAL_ERROR "Weak symbols compiled with AVX2 must name the level, got:${leaks}")
endif()
