# What is built beside the library, and the packages that it needs: ON fails without them, AUTO leaves
# out what has none, and says so.

if(TENON_IS_TOP_LEVEL)
    set(tenon_parts_default AUTO)
else()
    set(tenon_parts_default OFF)
endif()

find_path(TENON_CJSON_INCLUDE_DIR cjson/cJSON.h)
find_library(TENON_CJSON_LIBRARY cjson)
find_path(TENON_CRITERION_INCLUDE_DIR criterion/criterion.h)
find_library(TENON_CRITERION_LIBRARY criterion)
find_program(TENON_PYTHON python3)
mark_as_advanced(TENON_CJSON_INCLUDE_DIR TENON_CJSON_LIBRARY TENON_CRITERION_INCLUDE_DIR
                 TENON_CRITERION_LIBRARY TENON_PYTHON)

# tenon_choose_part(NAME WHAT PACKAGE VARIABLE...): it can be built where all the variables are true.
macro(tenon_choose_part name what package)
    set(TENON_BUILD_${name} ${tenon_parts_default} CACHE STRING
        "Build the ${what} (needs ${package}): ON, OFF or AUTO")
    set_property(CACHE TENON_BUILD_${name} PROPERTY STRINGS AUTO ON OFF)
    set(tenon_parts_missing FALSE)
    foreach(variable IN ITEMS ${ARGN})
        if(NOT ${variable})
            set(tenon_parts_missing TRUE)
        endif()
    endforeach()
    if(TENON_BUILD_${name} STREQUAL "AUTO")
        if(tenon_parts_missing)
            message(STATUS "tenon: the ${what} is left out, for ${package} is missing")
            set(TENON_BUILD_${name} OFF)
        else()
            set(TENON_BUILD_${name} ON)
        endif()
    elseif(TENON_BUILD_${name} AND tenon_parts_missing)
        message(FATAL_ERROR "The ${what} needs ${package}, or TENON_BUILD_${name}=OFF.")
    endif()
endmacro()

tenon_choose_part(TOOL "command-line tool" "cJSON (Debian: libcjson-dev)"
                  TENON_CJSON_INCLUDE_DIR TENON_CJSON_LIBRARY)
tenon_choose_part(BENCH "benchmark" "cJSON (Debian: libcjson-dev)"
                  TENON_CJSON_INCLUDE_DIR TENON_CJSON_LIBRARY)
# Their generated calls are written by Python; a shared library hides what they reach.
if(BUILD_SHARED_LIBS)
    set(tenon_is_static FALSE)
else()
    set(tenon_is_static TRUE)
endif()
tenon_choose_part(TESTS "test program"
                  "Criterion and Python (Debian: libcriterion-dev python3) or a static library"
                  TENON_CRITERION_INCLUDE_DIR TENON_CRITERION_LIBRARY TENON_PYTHON tenon_is_static)
