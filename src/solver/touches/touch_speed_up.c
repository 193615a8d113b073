// solver/touches/touch_speed_up.c: sweeps over touches that see conjugate directions.
//
// Under a ram of m times its mass a wedged body needs some m sweeps: in each it gives way to the
// ram, and then the ground stops it, and the ram has lost the m-th part of its speed. One sweep
// takes the impulses x to x' = P(x), and d = x' - x is the remaining preconditioned, projected
// gradient. The Fletcher-Reeves rule makes conjugate directions p of it, with D the rows' own
// responses:
//     beta = d.D d / (d.D d before)
//     beta > 1:  p = d, and go on from x'
//     else:      x = x' + beta p,    p = beta p + d
// so that a few sweeps do. The next sweep brings back impulses that this puts beyond a bound, and a
// sweep comes last. Joints follow the same rule in solver/gradients/nonsmooth_gradients.c.
// Source: M. Silcowitz-Hansen, S. Niebe, K. Erleben, "A nonsmooth nonlinear conjugate gradient
// method for interactive contact force problems", The Visual Computer 26, 2010, algorithm 2.
// Test: tests/world/mechanisms/test_press.c
#include "solver/touches/touch.h"

static const double *speed_up_get(const tni_touch *touch, bool is_of_poses) {
    return is_of_poses ? touch->moved : touch->impulse;
}

static uint32_t speed_up_count(const tni_touch *touch, bool is_of_poses) {
    return is_of_poses ? touch->point_count : touch_get_row_count(touch);
}

void tni_touches_begin_sweep(const tni_solver *solver, tni_touch_set *set, bool is_of_poses) {
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        if (!tni_touch_takes_part(solver, set, touch)) {
            continue;
        }
        const double *x = speed_up_get(touch, is_of_poses);
        for (uint32_t r = 0; r < speed_up_count(touch, is_of_poses); ++r) {
            touch->start[r] = x[r];
        }
    }
}

// Returns d.D d of the last sweep.
static double speed_up_get_square(const tni_solver *solver, const tni_touch_set *set,
                                  bool is_of_poses) {
    double square = 0.0;
    for (uint32_t i = 0; i < set->count; ++i) {
        const tni_touch *touch = &set->touches[i];
        if (!tni_touch_takes_part(solver, set, touch)) {
            continue;
        }
        const double *x = speed_up_get(touch, is_of_poses);
        for (uint32_t r = 0; r < speed_up_count(touch, is_of_poses); ++r) {
            double d = x[r] - touch->start[r];
            square +=
                d != 0.0 && touch->rows[r].inverse > 0.0 ? d * d / touch->rows[r].inverse : 0.0;
        }
    }
    return square;
}

static void speed_up_move(tni_solver *solver, tni_touch *touch, uint32_t r, bool is_of_poses,
                          double x) {
    if (is_of_poses) {
        touch->moved[r] += x;
        tni_touch_shift(touch, &touch->rows[r], x);
    } else {
        tni_touch_set_impulse(solver, touch, r, touch->impulse[r] + x);
    }
}

double tni_touches_end_sweep(tni_solver *solver, tni_touch_set *set, bool is_of_poses,
                             double before) {
    double square = speed_up_get_square(solver, set, is_of_poses);
    double beta = square <= before ? square * maths_inverse_or_zero_d(before) : 0.0;
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        if (!tni_touch_takes_part(solver, set, touch)) {
            continue;
        }
        for (uint32_t r = 0; r < speed_up_count(touch, is_of_poses); ++r) {
            double d = speed_up_get(touch, is_of_poses)[r] - touch->start[r];
            double more = beta > 0.0 ? beta * touch->direction[r] : 0.0;
            touch->direction[r] = more + d;
            if (more != 0.0 && touch->rows[r].is_made && touch->rows[r].inverse > 0.0) {
                speed_up_move(solver, touch, r, is_of_poses, more);
            }
        }
    }
    return square;
}
