// Tests of solver/rows/softness.c: the coefficients of soft rows.
#include "solver/solver.h"

#include <criterion/criterion.h>

Test(softness, no_frequency_is_a_rigid_row_without_feedback) {
    const float bad[3] = {0.0f, -1.0f, NAN};
    for (int i = 0; i < 3; ++i) {
        tni_softness s = tni_softness_make(bad[i], 1.0f, 0.01f);
        cr_assert(s.rate == 0.0f && s.mass_scale == 1.0f && s.impulse_scale == 0.0f);
    }
}

Test(softness, scales_share_one_between_them) {
    for (int i = 1; i <= 8; ++i) {
        tni_softness s = tni_softness_make((float)(i * i), 0.25f * (float)i, 1.0f / 240.0f);
        cr_assert(fabsf(s.mass_scale + s.impulse_scale - 1.0f) < 1e-6f);
        cr_assert(s.rate > 0.0f);
    }
}

// One body of mass m on a soft row is the implicit Euler step of m x'' + c x' + k x = 0 with
// k = m w^2, c = 2 m z w:  v' = (v - h w^2 x) / (1 + 2 z h w + h^2 w^2).
Test(softness, one_row_is_an_implicit_euler_step_of_a_spring_and_damper) {
    const double h = 1.0 / 60.0, m = 3.0;
    for (int i = 1; i < 6; ++i) {
        double hertz = 2.0 * i, ratio = 0.3 * i;
        double w = 2.0 * MATHS_PI * hertz, v = 0.7, x = -0.2;
        tni_softness s = tni_softness_make((float)hertz, (float)ratio, (float)h);
        // K = 1/m, no accumulated impulse at the start.
        double impulse = -(double)s.mass_scale * m * (v + (double)s.rate * x);
        double wanted = (v - h * w * w * x) / (1.0 + 2.0 * ratio * h * w + h * h * w * w);
        cr_assert(fabs(v + impulse / m - wanted) < 1e-5, "%g, not %g", v + impulse / m, wanted);
    }
}
