# A weak symbol from a shared header, compiled for a higher level, may be the copy that the linker keeps for
# everyone, and then the baseline code crashes on older machines. So every weak symbol of these objects
# must carry the level in its name.

if(NOT NM OR NOT OBJECTS OR NOT LEVEL)
  message(FATAL_ERROR "NM, OBJECTS and LEVEL must be given, got '${NM}', '${OBJECTS}' and '${LEVEL}'.")
endif()

set(leaks "")
foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND ${NM} --defined-only -C ${object} OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
  if(failed OR NOT symbols MATCHES "${LEVEL}")
    message(FATAL_ERROR "${object} must define symbols of the level ${LEVEL}, got none.")
  endif()
  # Demangled names hold brackets and may hold semicolons, which would upset CMake's lists.
  string(REGEX REPLACE "[][;]" "_" symbols "${symbols}")
  string(REPLACE "\n" ";" symbols "${symbols}")
  foreach(symbol IN LISTS symbols)
    if(symbol MATCHES "^[0-9a-f]+ [WwVvu] " AND NOT symbol MATCHES "${LEVEL}")
      string(APPEND leaks "\n  ${symbol}")
    endif()
  endforeach()
endforeach()

if(leaks)
  message(FATAL_ERROR "Weak symbols compiled for ${LEVEL} must name the level, got:${leaks}")
endif()
