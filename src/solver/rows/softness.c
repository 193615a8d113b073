// solver/rows/softness.c: soft constraints by frequency and damping ratio.
//
// A row with error C behaves like a spring and damper of angular frequency w and damping ratio z on
// the row's own effective mass m, integrated by implicit Euler over h:
//     J v + rate C + (gamma / m) x = 0        rate = w / (2 z + h w),  gamma = 1 / (h w (2 z + h
//     w))
// x the accumulated impulse. With K = J W J^T = 1/m this is one update
//     dx = -mass_scale m (J v + rate C) - impulse_scale x,   mass_scale = 1/(1+gamma),
//     impulse_scale = gamma/(1+gamma)
// Source: E. Catto, "Soft constraints", GDC 2011; notation of Solver2D, 2024.
#include "solver/solver.h"

tni_softness tni_softness_make(float hertz, float damping_ratio, float h) {
    tni_softness rigid = {0.0f, 1.0f, 0.0f};
    if (!(hertz > 0.0f) || !(h > 0.0f)) {
        return rigid;
    }
    float omega = 2.0f * (float)MATHS_PI * hertz;
    float a1 = 2.0f * damping_ratio + h * omega;
    float a2 = h * omega * a1;
    float a3 = 1.0f / (1.0f + a2);
    tni_softness softness = {omega / a1, a2 * a3, a3};
    return softness;
}
