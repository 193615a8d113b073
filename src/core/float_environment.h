// core/float_environment.h: how this thread's processor rounds and treats subnormal numbers.
//
// A host may round upward, or flush subnormal numbers to zero: a game that was linked with
// -ffast-math does so from its first line on. The library computes in one environment: to nearest,
// with subnormal numbers, and without traps. It enters that where it begins to compute, and leaves
// for the host's where it ends.
#ifndef TNI_CORE_FLOAT_ENVIRONMENT_H
#define TNI_CORE_FLOAT_ENVIRONMENT_H

#include "core/base.h"

// The control word of x86's SSE unit, of ARM's FPCR, or else the rounding mode of fenv.h.
typedef struct tni_float_environment {
    uint64_t control;
} tni_float_environment;

// Sets the library's environment and returns the host's. Calls nest. If the host's is the same,
// nothing is written: then a call takes some nanoseconds.
tni_float_environment tni_float_environment_enter(void);
void tni_float_environment_leave(tni_float_environment host);

#endif
