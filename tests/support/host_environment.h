// Floating-point environments that a host may have: how it rounds, flushes subnormal numbers,
// traps.
#ifndef HOST_ENVIRONMENT_H
#define HOST_ENVIRONMENT_H

#include <stdint.h>

typedef struct host_environment {
    const char *name;
    uint64_t control;
} host_environment;

#if defined(__SSE2__) || defined(_M_X64)
#include <immintrin.h>
// MXCSR. The first is the library's own.
static const host_environment host_environments[] = {{"the default", 0x1f80},
                                                     {"down", 0x1f80 | 0x2000},
                                                     {"up", 0x1f80 | 0x4000},
                                                     {"toward zero", 0x1f80 | 0x6000},
                                                     {"flush to zero", 0x1f80 | 0x8000},
                                                     {"subnormal numbers are zero", 0x1f80 | 0x40},
                                                     {"both", 0x1f80 | 0x8040},
                                                     {"a trap for everything", 0x0000}};
static inline void host_set(uint64_t control) {
    _mm_setcsr((uint32_t)control);
}
static inline uint64_t host_get(void) {
    return _mm_getcsr() & ~(uint64_t)0x3f; // the lowest bits say what happened
}
#elif defined(__aarch64__) && defined(__GNUC__)
// FPCR: bits 22 and 23 round, bit 24 flushes.
static const host_environment host_environments[] = {{"the default", 0},
                                                     {"up", 1u << 22},
                                                     {"down", 1u << 23},
                                                     {"toward zero", 3u << 22},
                                                     {"flush to zero", 1u << 24}};
static inline void host_set(uint64_t control) {
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
static inline uint64_t host_get(void) {
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}
#else
// Elsewhere nothing but the default can be relied on.
static const host_environment host_environments[] = {{"the default", 0}};
static inline void host_set(uint64_t control) {
    (void)control;
}
static inline uint64_t host_get(void) {
    return 0;
}
#endif

#define HOST_ENVIRONMENTS ((int)(sizeof host_environments / sizeof *host_environments))

#endif
