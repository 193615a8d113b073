// tests/joints/swing_within.h: a swing limit that is even.
#ifndef TESTS_JOINTS_SWING_WITHIN_H
#define TESTS_JOINTS_SWING_WITHIN_H

#include <tenon/machines.h>

static inline tn_limit swing_within(float half) {
    return (tn_limit){.is_enabled = true, .lower = -half, .upper = half};
}

#endif
