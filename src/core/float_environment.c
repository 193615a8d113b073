// core/float_environment.c: reads and writes the control word of the unit that computes floats.
//
// x86: MXCSR has the rounding mode (bits 13 and 14), flush-to-zero (15), denormals-are-zero (6) and
// the masks of traps (7 to 12). Its flags (0 to 5) only say what happened, and control nothing.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 10.2.3, "MXCSR
// Control and Status Register".
// ARM: FPCR is all zero for rounding to nearest, with subnormal numbers and without traps. Source:
// Arm Architecture Reference Manual for A-profile, "FPCR, Floating-point Control Register".
// WebAssembly has one environment only. Elsewhere fenv.h knows the rounding mode, and whether
// subnormal numbers are flushed is left to the host. The functions stand in a file of their own, so
// that no compiler moves a sum across the call. Test: tests/core/test_float_environment.c
#include "core/float_environment.h"

#if defined(__SSE2__) || defined(_M_X64)
#include <immintrin.h>
#define ENVIRONMENT_FLAGS   0x3fu
#define ENVIRONMENT_CONTROL 0x1f80u // all traps masked, to nearest

static uint64_t environment_read(void) {
    return _mm_getcsr();
}
static bool environment_is_ours(uint64_t control) {
    return (control & ~(uint64_t)ENVIRONMENT_FLAGS) == ENVIRONMENT_CONTROL;
}
static void environment_write(uint64_t control) {
    _mm_setcsr((uint32_t)control);
}
#elif defined(__aarch64__) && defined(__GNUC__)
#define ENVIRONMENT_CONTROL 0u

static uint64_t environment_read(void) {
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}
static bool environment_is_ours(uint64_t control) {
    return control == ENVIRONMENT_CONTROL;
}
static void environment_write(uint64_t control) {
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
#elif defined(__wasm__)
#define ENVIRONMENT_CONTROL 0u

static uint64_t environment_read(void) {
    return ENVIRONMENT_CONTROL;
}
static bool environment_is_ours(uint64_t control) {
    return control == ENVIRONMENT_CONTROL;
}
static void environment_write(uint64_t control) {
    (void)control;
}
#else
#include <fenv.h>
#define ENVIRONMENT_CONTROL ((uint64_t)FE_TONEAREST)

static uint64_t environment_read(void) {
    return (uint64_t)fegetround();
}
static bool environment_is_ours(uint64_t control) {
    return control == ENVIRONMENT_CONTROL;
}
static void environment_write(uint64_t control) {
    fesetround((int)control);
}
#endif

tni_float_environment tni_float_environment_enter(void) {
    tni_float_environment host = {environment_read()};
    if (!environment_is_ours(host.control)) {
        environment_write(ENVIRONMENT_CONTROL);
    }
    return host;
}

void tni_float_environment_leave(tni_float_environment host) {
    if (!environment_is_ours(host.control)) {
        environment_write(host.control);
    }
}
