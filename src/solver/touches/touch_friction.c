// solver/touches/touch_friction.c: friction of a touch, about the middle of its points.
//
// A touch has up to five rows of friction: along two tangents, whose impulse stays in the cone mu
// N, about the normal, and about the two tangents where there is rolling resistance, whose impulse
// stays in the circle of radius resistance times N; N the sum of the points' impulses. With a grain
// the tangents are of different lengths, and the cone is elliptic: solver/contacts/grain.h.
// Maths and source: solver/touches/touch.h, solver/contacts/slip.h. Test:
// tests/world/mechanisms/test_mechanism_contacts.c
#include "solver/contacts/slip.h"
#include "solver/touches/touch.h"

// Returns how fast the surfaces slide: J v, and how they move along their bodies.
static double friction_get_speed(const tni_touch *touch, const tni_touch_row *row) {
    double speed = tni_touch_get_speed(touch, row);
    return row->drive != 0.0 ? speed + row->drive : speed; // a zero keeps its sign
}

static void friction_shorten(double *x, double cap) {
    double length = sqrt(x[0] * x[0] + x[1] * x[1]);
    double share = length > cap ? cap / length : 1.0;
    x[0] *= share;
    x[1] *= share;
}

void tni_touch_clamp_friction(const tni_touch *touch, double total, double *x) {
    const tni_contact_record *record = touch->record;
    double twist = touch->twist_bound * total;
    friction_shorten(x, (double)record->friction * total);
    x[2] = x[2] > twist ? twist : (x[2] < -twist ? -twist : x[2]);
    if (touch->slide_count == TNI_TOUCH_SLIDES) {
        friction_shorten(x + 3, (double)record->rolling_resistance * total);
    }
}

// Solves two rows at once in a circle, by a step down the energy's slope that is short enough for
// both.
static double friction_slide_pair(tni_solver *solver, tni_touch *touch, uint32_t first,
                                  double cap) {
    double *x = touch->impulse + first, wanted[2] = {0.0, 0.0}, response = 0.0, change = 0.0;
    for (uint32_t k = 0; k < 2; ++k) {
        tni_touch_row *row = &touch->rows[first + k];
        response += tni_touch_ready_row(solver, touch, row) ? 1.0 / row->inverse : 0.0;
    }
    for (uint32_t k = 0; k < 2; ++k) {
        const tni_touch_row *row = &touch->rows[first + k];
        if (row->inverse > 0.0) {
            wanted[k] = x[k] - friction_get_speed(touch, row) / response;
        }
    }
    friction_shorten(wanted, cap);
    for (uint32_t k = 0; k < 2; ++k) {
        if (touch->rows[first + k].inverse > 0.0) {
            change += tni_touch_set_impulse(solver, touch, first + k, wanted[k]);
        }
    }
    return change;
}

// Finds the new impulses of friction on two rows.
static void friction_want_pair(const tni_touch *touch, uint32_t first, double cap,
                               const double *speed, double *wanted) {
    const double *x = touch->impulse + first;
    double mass[3] = {touch->rows[first].inverse, touch->rows[first + 1].inverse, 0.0};
    wanted[0] = x[0] - speed[0] * mass[0];
    wanted[1] = x[1] - speed[1] * mass[1];
    tni_slip_solve_as(touch->has_grain, mass, cap, wanted);
}

double tni_touch_settle_friction(tni_solver *solver, tni_touch *touch, double total) {
    const tni_contact_record *record = touch->record;
    uint32_t n = touch->point_count, count = touch->slide_count;
    double wanted[TNI_TOUCH_SLIDES] = {0.0}, speed[TNI_TOUCH_SLIDES] = {0.0};
    double *x = touch->impulse + n, change = 0.0;
    bool is_idle = total == 0.0;
    for (uint32_t t = 0; t < count; ++t) {
        is_idle &= x[t] == 0.0;
    }
    if (is_idle) {
        return 0.0;
    }
    for (uint32_t t = 0; t < count; ++t) {
        tni_touch_row *row = &touch->rows[n + t];
        bool is_held = !tni_touch_ready_row(solver, touch, row);
        x[t] = is_held ? 0.0 : x[t];
        speed[t] = is_held ? 0.0 : friction_get_speed(touch, row);
    }
    friction_want_pair(touch, n, (double)record->friction * total, speed, wanted);
    wanted[2] = x[2] - speed[2] * touch->rows[n + 2].inverse;
    if (count == TNI_TOUCH_SLIDES) {
        friction_want_pair(touch, n + 3, (double)record->rolling_resistance * total, speed + 3,
                           wanted + 3);
    }
    tni_touch_clamp_friction(touch, total, wanted);
    for (uint32_t t = 0; t < count; ++t) {
        change += tni_touch_set_impulse(solver, touch, n + t, wanted[t]);
    }
    return change;
}

void tni_touch_rub(const tni_solver *solver, tni_touch *touch, double cap, double out[2]) {
    tni_touch_row *rows = &touch->rows[touch->point_count];
    double mass[3] = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < 2; ++k) {
        bool is_ready = tni_touch_ready_row(solver, touch, &rows[k]);
        mass[k] = is_ready ? rows[k].inverse : 0.0;
        out[k] = is_ready ? -friction_get_speed(touch, &rows[k]) * mass[k] : 0.0;
    }
    tni_slip_solve_as(touch->has_grain, mass, cap, out);
}

double tni_touch_slide_capped(tni_solver *solver, tni_touch *touch) {
    const tni_contact_record *record = touch->record;
    uint32_t n = touch->point_count;
    if (touch->load == 0.0) {
        return 0.0;
    }
    double change = friction_slide_pair(solver, touch, n, (double)record->friction * touch->load);
    tni_touch_row *row = &touch->rows[n + 2];
    if (tni_touch_ready_row(solver, touch, row)) {
        double cap = touch->twist_bound * touch->load;
        double x = touch->impulse[n + 2] - friction_get_speed(touch, row) * row->inverse;
        x = x > cap ? cap : (x < -cap ? -cap : x);
        change += tni_touch_set_impulse(solver, touch, n + 2, x);
    }
    if (touch->slide_count == TNI_TOUCH_SLIDES) {
        change += friction_slide_pair(solver, touch, n + 3,
                                      (double)record->rolling_resistance * touch->load);
    }
    return change;
}
