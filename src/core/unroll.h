// core/unroll.h: steps of a short loop written out one by one.
//
// A compiler unrolls a loop whose count it knows, but not one whose count is that of a loop around
// it, as in triangles of small dense blocks. Written out, each step has a known number, and with it
// known counts of its own loops. A count beyond six, or an unknown one, stays a loop.
#ifndef TNI_CORE_UNROLL_H
#define TNI_CORE_UNROLL_H

#include <stdint.h>

// Makes step(0), step(1) ... step(n - 1), with n at least 1, which the analyzer of clang cannot
// know.
#ifdef __clang_analyzer__
#define TNI_UNROLL(n, step)                                                                        \
    for (uint32_t at = 0; at < (n); ++at) {                                                        \
        step(at);                                                                                  \
    }
#else
#define TNI_UNROLL(n, step)                                                                        \
    step(0);                                                                                       \
    if ((n) > 1) {                                                                                 \
        step(1);                                                                                   \
    }                                                                                              \
    if ((n) > 2) {                                                                                 \
        step(2);                                                                                   \
    }                                                                                              \
    if ((n) > 3) {                                                                                 \
        step(3);                                                                                   \
    }                                                                                              \
    if ((n) > 4) {                                                                                 \
        step(4);                                                                                   \
    }                                                                                              \
    if ((n) > 5) {                                                                                 \
        step(5);                                                                                   \
    }                                                                                              \
    for (uint32_t at = 6; at < (n); ++at) {                                                        \
        step(at);                                                                                  \
    }
#endif

// Makes call(n) with a number known to the compiler, for the counts of rows that most joints have.
#define TNI_BY_SIZE(n, call)                                                                       \
    switch (n) {                                                                                   \
    case 1:                                                                                        \
        call(1);                                                                                   \
        break;                                                                                     \
    case 3:                                                                                        \
        call(3);                                                                                   \
        break;                                                                                     \
    case 5:                                                                                        \
        call(5);                                                                                   \
        break;                                                                                     \
    case 6:                                                                                        \
        call(6);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        call(n);                                                                                   \
        break;                                                                                     \
    }

#endif
