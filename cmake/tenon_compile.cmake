# How every C target of the project is compiled: the language, the floats, the warnings.

if(TENON_IS_TOP_LEVEL)
    get_property(is_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(NOT is_multi_config AND NOT CMAKE_BUILD_TYPE)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
    endif()
    # RelWithDebInfo is what the tests run: optimised, with assertions.
    string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_C_FLAGS_RELWITHDEBINFO}")
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# A second clean build then takes seconds. A project's own launcher stays.
find_program(TENON_CCACHE_PROGRAM ccache)
mark_as_advanced(TENON_CCACHE_PROGRAM)
if(TENON_CCACHE AND TENON_CCACHE_PROGRAM AND NOT CMAKE_C_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER ${TENON_CCACHE_PROGRAM})
endif()

foreach(sanitizer IN LISTS TENON_SANITIZE)
    add_compile_options(-fsanitize=${sanitizer} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${sanitizer})
endforeach()

# Whether sums of pointers wrap around is an eighth of building and running; what they then reach the
# address sanitizer tells.
if("undefined" IN_LIST TENON_SANITIZE)
    add_compile_options(-fno-sanitize=pointer-overflow)
endif()

set(TENON_GNU_WARNINGS
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
    -Wmissing-prototypes -Wdouble-promotion)
if(MINGW)
    # Its isfinite and isnan cast to float in a branch that is not taken.
    list(APPEND TENON_GNU_WARNINGS -Wno-float-conversion)
endif()

include(CheckCSourceCompiles)
check_c_source_compiles("
#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
#error no fused multiply-add
#endif
int main(void) { return 0; }" TENON_CPU_FUSES)

# The older unit of x86 keeps more digits than a float or a double has for as long as the compiler
# leaves a number there: the bits would depend on it. 16 is 0 with halves of a float beside.
check_c_source_compiles("
#include <float.h>
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error sums are not rounded to their type
#endif
int main(void) { return 0; }" TENON_ROUNDS_TO_TYPE)
if(NOT TENON_ROUNDS_TO_TYPE)
    message(FATAL_ERROR "tenon needs a CPU and a compiler that round every sum to the type that it has "
                        "(FLT_EVAL_METHOD of 0). 32-bit x86 does so with SSE2: set CMAKE_C_FLAGS to "
                        "\"-msse2 -mfpmath=sse\" (MSVC: /arch:SSE2).")
endif()

# MSVC has C11's atomics behind a flag, since Visual Studio 2022 17.5. Without them the library makes no
# threads, and its queries must not run on several.
if(MSVC AND CMAKE_C_COMPILER_ID STREQUAL "MSVC")
    set(CMAKE_REQUIRED_FLAGS "/std:c17 /experimental:c11atomics")
    check_c_source_compiles("
#include <stdatomic.h>
int main(void) { _Atomic unsigned count = 0; return (int)atomic_fetch_add(&count, 1); }" TENON_MSVC_HAS_ATOMICS)
    unset(CMAKE_REQUIRED_FLAGS)
endif()

function(tenon_use_house_flags target)
    target_compile_features(${target} PRIVATE c_std_17)
    set_target_properties(${target} PROPERTIES C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
    if(MSVC)
        # What clang takes /fp:precise for fuses multiplications and additions.
        target_compile_options(${target} PRIVATE /W4 /fp:precise /utf-8 $<$<BOOL:${TENON_WERROR}>:/WX>
                               $<$<BOOL:${TENON_MSVC_HAS_ATOMICS}>:/experimental:c11atomics>
                               $<$<C_COMPILER_ID:Clang>:/clang:-ffp-contract=off>)
        target_compile_definitions(${target} PRIVATE
                                   $<$<BOOL:${TENON_MSVC_HAS_ATOMICS}>:TNI_HAS_C11_ATOMICS>)
    else()
        # A fused multiply-add rounds once where two operations round twice: other bits on each CPU.
        # gcc 12's vectoriser of straight-line code fuses them all the same where the CPU can; where
        # it cannot, the code is 4 to 14 % faster with it.
        #
        # gcc 12 may write an address in a loop as null and an offset. It takes writes there for
        # invalid, calls the function pure, and drops calls of it, unless null may be an address. No
        # scene takes more instructions for it.
        target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno
                               $<$<C_COMPILER_ID:GNU>:-fno-delete-null-pointer-checks>
                               $<$<AND:$<C_COMPILER_ID:GNU>,$<BOOL:${TENON_CPU_FUSES}>>:-fno-tree-slp-vectorize>
                               "$<$<COMPILE_LANGUAGE:C>:${TENON_GNU_WARNINGS}>"
                               $<$<BOOL:${TENON_WERROR}>:-Werror>)
    endif()
endfunction()

get_property(TENON_HAS_LEVEL GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(CMAKE_BUILD_TYPE OR CMAKE_C_FLAGS MATCHES "-O[0-9sg]")
    set(TENON_HAS_LEVEL TRUE)
endif()

# The library of a project that says no build type, or TENON_OPTIMISE, is a fast one: without
# optimisation it takes twenty times as long.
function(tenon_optimise target)
    if(MSVC)
        return() # /O2 cannot stand beside the /RTC1 of its Debug
    endif()
    if(NOT TENON_HAS_LEVEL)
        target_compile_options(${target} PRIVATE -O3 -DNDEBUG)
    elseif(TENON_OPTIMISE)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O3>)
    endif()
endfunction()

# libm is a library of its own on some systems only. A compiler finds it where find_library does not: for
# 32-bit programs on a 64-bit system.
include(CheckLibraryExists)
check_library_exists(m fmod "" TENON_HAS_LIBM)

function(tenon_link_libm target)
    if(TENON_HAS_LIBM)
        target_link_libraries(${target} PRIVATE m)
    endif()
endfunction()
