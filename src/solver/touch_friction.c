// solver/touch_friction.c: friction of a touch, about the middle of its points.
//
// Five rows: along two tangents, whose impulse stays in the cone mu N, about the normal, and about
// the two tangents where there is rolling resistance, whose impulse stays in the circle of radius
// resistance times N; N the sum of the points' impulses.
// Maths and source: solver/touch.h. Test: tests/world/test_mechanism_contacts.c
#include "solver/touch.h"

static void friction_shorten(double *x, double cap) {
    double length = sqrt(x[0] * x[0] + x[1] * x[1]);
    double share = length > cap ? cap / length : 1.0;
    x[0] *= share;
    x[1] *= share;
}

void tni_touch_clamp_friction(const tni_solver *solver, const tni_touch *touch, double total,
                              double *x) {
    const tni_contact_record *record = &solver->contact_records[touch->contact];
    double twist = touch->twist_bound * total;
    friction_shorten(x, (double)record->friction * total);
    x[2] = x[2] > twist ? twist : (x[2] < -twist ? -twist : x[2]);
    if (touch->slide_count == TNI_TOUCH_SLIDES) {
        friction_shorten(x + 3, (double)record->rolling_resistance * total);
    }
}
