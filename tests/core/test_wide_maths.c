// Tests of core/wide_maths.h: each lane has the angle that core/maths.h finds in double.
#include <criterion/criterion.h>

#include "core/wide_maths.h"

static void assert_angles(const float y[8], const float x[8]) {
    float angle[8];
    f8_store(angle, f8_atan2(f8_load(y), f8_load(x)));
    for (int i = 0; i < 8; ++i) {
        double right = tni_maths_atan2((double)y[i], (double)x[i]);
        double off = fabs((double)angle[i] - right);
        cr_assert(off <= 2.5e-7 * fmax(fabs(right), 0.1), "atan2(%g, %g): %.9g, not %.9g",
                  (double)y[i], (double)x[i], (double)angle[i], right);
    }
}

Test(wide_maths, angles_are_those_of_the_double_arctangent) {
    const double step = 0.37;
    for (int i = 0; i < 4000; ++i) {
        float y[8], x[8];
        for (int k = 0; k < 8; ++k) {
            double turn = step * (double)(8 * i + k), size = 1e-3 + 0.01 * (double)(i % 700);
            y[k] = (float)(size * tni_maths_sin(turn));
            x[k] = (float)(size * tni_maths_cos(turn));
        }
        assert_angles(y, x);
    }
}

Test(wide_maths, axes_diagonals_and_the_ends_of_the_series_have_their_angles) {
    const float y[8] = {0.0f, 0.0f, 0.0f, 2.0f, -3.0f, 1.0f, -1.0f, 1.0f};
    const float x[8] = {0.0f, 5.0f, -5.0f, 0.0f, 0.0f, 1.0f, 1.0f, -1.0f};
    const float quarters_y[8] = {0.25f, 0.75f, -0.25f, 0.75f, 1.0f, 1.0f, 4e-30f, 1e-30f};
    const float quarters_x[8] = {1.0f, 1.0f, -1.0f, -1.0f, 0.25f, -0.75f, 4e-30f, 1.0f};
    assert_angles(y, x);
    assert_angles(quarters_y, quarters_x);
}

Test(wide_maths, small_angles_keep_their_digits) {
    float y[8], x[8], angle[8];
    for (int i = 0; i < 8; ++i) {
        y[i] = 1e-4f * (float)(i + 1);
        x[i] = 1.0f;
    }
    f8_store(angle, f8_atan2(f8_load(y), f8_load(x)));
    for (int i = 0; i < 8; ++i) {
        double right = tni_maths_atan2((double)y[i], 1.0);
        cr_assert(fabs((double)angle[i] - right) <= 1.2e-7 * right);
    }
}
