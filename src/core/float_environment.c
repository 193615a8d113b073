// core/float_environment.c: reads and writes the control word of the unit that computes floats.
//
// x86: MXCSR has the rounding mode (bits 13 and 14), flush-to-zero (15), denormals-are-zero (6) and
// the masks of traps (7 to 12). Its flags (0 to 5) only say what happened, and control nothing. On
// 32-bit x86 the older unit still hands over numbers that functions return; its control word has
// masks (0 to 5) and a rounding mode (10 and 11), and its flags are cleared before the host's masks
// come back, because a flag that is up sets off a trap later on. Source: Intel 64 and IA-32
// Architectures Software Developer's Manual, volume 1, 8.1.5, "x87 FPU Control Word", and 10.2.3,
// "MXCSR Control and Status Register".
// ARM: FPCR is all zero for rounding to nearest, with subnormal numbers and without traps. Source:
// Arm Architecture Reference Manual for A-profile, "FPCR, Floating-point Control Register".
// WebAssembly has one environment only. Elsewhere fenv.h sets the rounding mode and masks the
// traps, and whether subnormal numbers are flushed is left to the host. The functions stand in a
// file of their own, so that no compiler moves a sum across the call. Test:
// tests/core/test_float_environment.c
#include "core/float_environment.h"

#if defined(TNI_FLOAT_ENVIRONMENT_FENV)

tni_float_environment tni_float_environment_enter(void) {
    tni_float_environment host;
    feholdexcept(&host.all);
    fesetround(FE_TONEAREST);
    return host;
}

void tni_float_environment_leave(tni_float_environment host) {
    fesetenv(&host.all);
}

#else

#if defined(TNI_FLOAT_ENVIRONMENT_SSE)
#include <immintrin.h>
#define ENVIRONMENT_MXCSR 0x1f80u // all traps masked, to nearest
#define ENVIRONMENT_FLAGS 0x3fu

#if defined(__i386__) && (defined(__GNUC__) || defined(__clang__))
#define ENVIRONMENT_WORD     0x037fu // all traps masked, to nearest
#define ENVIRONMENT_WORD_OWN 0x0c3fu // what of it matters: numbers only pass through
#define ENVIRONMENT_CONTROL  ((uint64_t)ENVIRONMENT_WORD << 32 | ENVIRONMENT_MXCSR)
#define ENVIRONMENT_MATTERS  ((uint64_t)ENVIRONMENT_WORD_OWN << 32 | (0xffffu & ~ENVIRONMENT_FLAGS))

static uint64_t environment_read(void) {
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return (uint64_t)word << 32 | _mm_getcsr();
}
static void environment_write(uint64_t control) {
    uint16_t word = (uint16_t)(control >> 32);
    _mm_setcsr((uint32_t)control);
    __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(word));
}
#else
#define ENVIRONMENT_CONTROL ((uint64_t)ENVIRONMENT_MXCSR)
#define ENVIRONMENT_MATTERS (~(uint64_t)ENVIRONMENT_FLAGS)

static uint64_t environment_read(void) {
    return _mm_getcsr();
}
static void environment_write(uint64_t control) {
    _mm_setcsr((uint32_t)control);
}
#endif

#elif defined(TNI_FLOAT_ENVIRONMENT_FPCR)
#define ENVIRONMENT_CONTROL 0u
#define ENVIRONMENT_MATTERS UINT64_MAX

static uint64_t environment_read(void) {
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}
static void environment_write(uint64_t control) {
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
#else
#define ENVIRONMENT_CONTROL 0u
#define ENVIRONMENT_MATTERS UINT64_MAX

static uint64_t environment_read(void) {
    return ENVIRONMENT_CONTROL;
}
static void environment_write(uint64_t control) {
    (void)control;
}
#endif

static bool environment_is_ours(uint64_t control) {
    return ((control ^ ENVIRONMENT_CONTROL) & ENVIRONMENT_MATTERS) == 0;
}

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

#endif
