// core/wide_maths.h: the arctangent of eight floats at once.
//
// For t in [0, 1]: t is brought near one of c = 0, 1/2, 1 by
// atan t = atan c + atan((t - c) / (1 + t c)), which leaves |z| <= 1/4 for the Taylor series, whose
// first omitted term is below 2e-9. As everywhere only +, -, *, / are used, which round correctly:
// the bits are the same at every width. It is for kernels on core/wide.h, in files *_wide.c.
// Test: tests/core/test_wide_maths.c
#ifndef TNI_CORE_WIDE_MATHS_H
#define TNI_CORE_WIDE_MATHS_H

#include "core/maths.h"
#include "core/wide.h"

#define WIDE_ATAN_HALF 0.46364761f // atan(1/2)

// Sums the Taylor series for |z| <= 1/4.
TNI_FORCE_INLINE tni_f8 wide_atan_series(tni_f8 z) {
    tni_f8 w = f8_mul(z, z);
    tni_f8 s = f8_splat(-1.0f / 11.0f);
    s = f8_add_product(f8_splat(1.0f / 9.0f), s, w);
    s = f8_add_product(f8_splat(-1.0f / 7.0f), s, w);
    s = f8_add_product(f8_splat(1.0f / 5.0f), s, w);
    s = f8_add_product(f8_splat(-1.0f / 3.0f), s, w);
    return f8_add_product(z, z, f8_mul(w, s));
}

// Returns the arctangent of t in [0, 1].
TNI_FORCE_INLINE tni_f8 wide_atan_unit(tni_f8 t) {
    tni_m8 is_low = f8_less(t, f8_splat(0.25f)), is_middle = f8_less(t, f8_splat(0.75f));
    tni_f8 one = f8_splat(1.0f), zero = f8_zero();
    tni_f8 c = f8_pick(is_low, zero, f8_pick(is_middle, f8_splat(0.5f), one));
    tni_f8 angle = f8_pick(is_middle, f8_splat(WIDE_ATAN_HALF), f8_splat((float)(0.25 * MATHS_PI)));
    tni_f8 z = f8_div(f8_sub(t, c), f8_add_product(one, t, c));
    return f8_add(f8_pick(is_low, zero, angle), wide_atan_series(z));
}

// Returns the angle of (x, y) from the x axis, in [-pi, pi] as floats have it; 0 for the origin.
TNI_FORCE_INLINE tni_f8 f8_atan2(tni_f8 y, tni_f8 x) {
    tni_f8 zero = f8_zero(), across = f8_abs(y), along = f8_abs(x);
    tni_m8 is_steep = f8_less(along, across);
    tni_f8 most = f8_pick(is_steep, across, along), least = f8_pick(is_steep, along, across);
    tni_f8 angle = wide_atan_unit(f8_div(least, f8_max(most, f8_splat(FLT_MIN))));
    angle = f8_pick(is_steep, f8_sub(f8_splat((float)(0.5 * MATHS_PI)), angle), angle);
    angle = f8_pick(f8_less(x, zero), f8_sub(f8_splat((float)MATHS_PI), angle), angle);
    return f8_pick(f8_less(y, zero), f8_sub(zero, angle), angle);
}

#endif
