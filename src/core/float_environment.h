// core/float_environment.h: how this thread's processor rounds and treats subnormal numbers.
//
// A host may round upward, or flush subnormal numbers to zero: a game that was linked with
// -ffast-math does so from its first line on. Or it may end with a signal where a result is not a
// number, which the library's own tests for infinities and NaN must not set off. The library
// computes in one environment: to nearest, with subnormal numbers, and without traps. It enters
// that where it begins to compute, and leaves for the host's where it ends. The flags of exceptions
// only say what happened; the library does not keep them.
#ifndef TNI_CORE_FLOAT_ENVIRONMENT_H
#define TNI_CORE_FLOAT_ENVIRONMENT_H

#include "core/base.h"

#if defined(__SSE2__) || defined(_M_X64)
#define TNI_FLOAT_ENVIRONMENT_SSE 1
#elif defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
#define TNI_FLOAT_ENVIRONMENT_FPCR 1
#elif defined(__wasm__)
#define TNI_FLOAT_ENVIRONMENT_FIXED 1
#else
#include <fenv.h>
#define TNI_FLOAT_ENVIRONMENT_FENV 1
#endif

typedef struct tni_float_environment {
#if defined(TNI_FLOAT_ENVIRONMENT_FENV)
    fenv_t all;
#else
    uint64_t control; // MXCSR and, on 32-bit x86, the older unit's word above it; or FPCR
#endif
} tni_float_environment;

// Sets the library's environment and returns the host's. Calls nest. If the host's is the same,
// nothing is written: then a call takes some nanoseconds. (With fenv.h it is always written.)
tni_float_environment tni_float_environment_enter(void);
void tni_float_environment_leave(tni_float_environment host);

#endif
