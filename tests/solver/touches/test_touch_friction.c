// Tests of solver/touches/touch_friction.c: the caps of friction.
#include <criterion/criterion.h>
#include <math.h>

#include "solver/touches/touch.h"

// A cone along the tangents, a band about the normal, a circle about the tangents; within them
// nothing changes, and beyond them the direction stays.
Test(touch_friction, impulses_are_cut_to_their_caps_and_keep_their_direction) {
    tni_contact_record record = {.friction = 0.5f, .rolling_resistance = 0.125f};
    tni_touch touch = {.record = &record, .twist_bound = 0.25, .slide_count = TNI_TOUCH_SLIDES};
    const double total = 4.0, caps[3] = {2.0, 1.0, 0.5};
    const double sizes[] = {0.0, 0.5, 0.999, 1.001, 3.0};
    for (int i = 0; i < 5; ++i) {
        for (int k = 0; k < 8; ++k) {
            double c = cos(0.8 * k + 0.1), s = sin(0.8 * k + 0.1), size = sizes[i];
            double side = k % 2 == 0 ? 1.0 : -1.0, left = fmin(size, 1.0);
            double x[5] = {size * caps[0] * c, size * caps[0] * s, side * size * caps[1],
                           size * caps[2] * s, size * caps[2] * c};
            const double cut[5] = {left * caps[0] * c, left * caps[0] * s, side * left * caps[1],
                                   left * caps[2] * s, left * caps[2] * c};
            tni_touch_clamp_friction(&touch, total, x);
            for (int r = 0; r < 5; ++r) {
                cr_assert(fabs(x[r] - cut[r]) < 1e-12, "size %g, row %d: %g", size, r, x[r]);
            }
        }
    }
}

Test(touch_friction, what_does_not_roll_has_three_rows) {
    tni_contact_record record = {.friction = 0.5f, .rolling_resistance = 0.125f};
    tni_touch touch = {.record = &record, .twist_bound = 0.25, .slide_count = 3};
    double x[5] = {1.0, 0.0, 0.5, 7.0, 8.0};
    tni_touch_clamp_friction(&touch, 0.0, x);
    cr_assert(x[0] == 0.0 && x[2] == 0.0 && x[3] == 7.0 && x[4] == 8.0);
}
