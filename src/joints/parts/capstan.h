// joints/parts/capstan.h: Euler's law for a rope wound about something round: over the wrap a
// tension grows at most by exp(friction wrap).
//
// exp is a sum for x / 1024 to the eighth power, squared ten times, so that it is the same
// everywhere.
// Source: L. Euler, "Remarques sur l'effet du frottement dans l'équilibre", Mémoires de l'académie
// de Berlin 18, 1769.
// Test: tests/joints/functions/test_rope_shape.c
#ifndef TNI_JOINTS_PARTS_CAPSTAN_H
#define TNI_JOINTS_PARTS_CAPSTAN_H

#include "core/maths.h"

// A ratio above e^30 is as good as a knot.
#define TNI_CAPSTAN_MOST_EXPONENT 30.0

// Returns exp(friction wrap). `wrap` is in rad; both are >= 0.
static inline double tni_capstan_get_ratio(double friction, double wrap) {
    double exponent = friction > 0.0 ? friction * wrap : 0.0;
    double small = maths_min_d(exponent, TNI_CAPSTAN_MOST_EXPONENT) * (1.0 / 1024.0), sum = 1.0;
    for (int n = 8; n >= 1; --n) {
        sum = 1.0 + sum * small / n;
    }
    for (int i = 0; i < 10; ++i) {
        sum *= sum;
    }
    return sum;
}

#endif
