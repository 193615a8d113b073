# Inner loops on eight floats, in files *_wide.c: see src/core/wide.h. For any x86-64 they are
# compiled twice, and the CPU decides at run time. Everywhere else, and where the compiler's own
# flags allow AVX2 everywhere, there is one of each.

option(TENON_AVX2 "For any x86-64: build the inner loops for AVX2 too, chosen at run time" ON)

check_c_source_compiles("
#if !defined(__x86_64__) && !defined(_M_X64) || defined(__AVX2__)
#error no choice
#endif
int main(void) { return 0; }" TENON_AVX2_IS_A_CHOICE)

if(TENON_AVX2 AND TENON_AVX2_IS_A_CHOICE)
    set(TENON_HAS_AVX2_TWINS TRUE)
else()
    set(TENON_HAS_AVX2_TWINS FALSE)
endif()

# Fused multiply-adds are left out because they round otherwise. On Windows gcc aligns the stack to 16
# bytes, and yet moves 32 bytes to and from it as if it were aligned to 32 (its bug 54412): the
# assembler makes these moves that need no alignment. Debian's gcc does so by itself.
if(MSVC)
    set(TENON_AVX2_OPTIONS /arch:AVX2)
else()
    set(TENON_AVX2_OPTIONS -mavx2 -mno-fma)
endif()
if(MINGW AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    include(CheckCCompilerFlag)
    check_c_compiler_flag(-Wa,-muse-unaligned-vector-move TENON_ASSEMBLES_UNALIGNED)
    if(TENON_ASSEMBLES_UNALIGNED)
        list(APPEND TENON_AVX2_OPTIONS -Wa,-muse-unaligned-vector-move)
    else()
        set(TENON_HAS_AVX2_TWINS FALSE)
    endif()
endif()

# The sources once more, for AVX2, in a target that has them already.
function(tenon_add_avx2 target)
    if(NOT TENON_HAS_AVX2_TWINS)
        return()
    endif()
    target_compile_definitions(${target} PRIVATE TNI_HAS_AVX2_KERNELS)
    if(NOT ARGN)
        return()
    endif()
    add_library(${target}_avx2 OBJECT ${ARGN})
    tenon_use_house_flags(${target}_avx2)
    tenon_optimise(${target}_avx2)
    target_compile_options(${target}_avx2 PRIVATE ${TENON_AVX2_OPTIONS})
    target_compile_definitions(${target}_avx2 PRIVATE TNI_WIDE_AVX2)
    target_include_directories(${target}_avx2 PRIVATE ${PROJECT_SOURCE_DIR}/include
                               ${PROJECT_SOURCE_DIR}/src)
    target_include_directories(${target}_avx2 SYSTEM PRIVATE ${TENON_CGLM_INCLUDE_DIR})
    set_target_properties(${target}_avx2 PROPERTIES POSITION_INDEPENDENT_CODE ON
                          UNITY_BUILD OFF TENON_IS_AVX2 ON)
    if(BUILD_SHARED_LIBS)
        target_compile_definitions(${target}_avx2 PRIVATE TN_SHARED TN_BUILD)
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_avx2>)
endfunction()
