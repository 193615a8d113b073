// core/cpu.c: asks the CPU, with the compiler's own means: CPUID leaf 7 for AVX2, and XGETBV for a
// system that saves the wide registers. Source: Intel 64 and IA-32 Architectures Software
// Developer's Manual, volume 1, 14.7.1, "Detection of AVX2". Test: tests/core/test_wide.c
#include "core/cpu.h"

#if defined(TNI_HAS_AVX2_KERNELS) && defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define CPU_OSXSAVE_AND_AVX (1 << 27 | 1 << 28) // leaf 1, ECX
#define CPU_AVX2            (1 << 5)            // leaf 7, EBX
#define CPU_WIDE_STATE      0x6                 // XCR0: the system saves both halves

bool tni_cpu_has_avx2(void) {
    int id[4];
    __cpuid(id, 0);
    if (id[0] < 7) {
        return false;
    }
    __cpuid(id, 1);
    if ((id[2] & CPU_OSXSAVE_AND_AVX) != CPU_OSXSAVE_AND_AVX ||
        (_xgetbv(0) & CPU_WIDE_STATE) != CPU_WIDE_STATE) {
        return false;
    }
    __cpuidex(id, 7, 0);
    return (id[1] & CPU_AVX2) != 0;
}
#elif defined(TNI_HAS_AVX2_KERNELS)
// Returns whether there is AVX2. The compiler's library asks the CPU once per process.
bool tni_cpu_has_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0;
}
#else
bool tni_cpu_has_avx2(void) {
    return false;
}
#endif

const char *tni_cpu_get_unit(bool uses_avx2) {
#if defined(__AVX2__)
    (void)uses_avx2;
    return "AVX2";
#elif defined(__SSE2__) || defined(_M_X64)
    return uses_avx2 ? "AVX2" : "SSE2";
#elif defined(__ARM_NEON) && defined(__aarch64__)
    (void)uses_avx2;
    return "NEON";
#elif defined(__wasm_simd128__)
    (void)uses_avx2;
    return "WebAssembly SIMD";
#else
    (void)uses_avx2;
    return "none";
#endif
}
