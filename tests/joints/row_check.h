// tests/joints/row_check.h: compares a row with finite differences of the error that it is the row
// of (the errors are those of joint_case.h).
#ifndef TESTS_JOINTS_ROW_CHECK_H
#define TESTS_JOINTS_ROW_CHECK_H

#include "joint_case.h"
#include "joints/parts/angle.h"

// s: step of the differences. The second difference then errs by h^2 C'''' / 12 (about 1e-5) and by
// rounding, 1e-15 / h^2.
#define DIFFERENCE_STEP 2e-4

// C = sign * scalar + constant.
static inline void check_row(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, const tni_row *row, test_scalar scalar,
                             uint32_t i, double sign, double constant, bool has_velocity_term) {
    double c[3];
    for (int k = 0; k < 3; ++k) {
        double t = (k - 1) * DIFFERENCE_STEP;
        tni_body_motion a_at = motion_after(a, t), b_at = motion_after(b, t);
        c[k] = sign * measure_scalar(joint, &a_at, &b_at, scalar, i) + constant;
    }
    double rate = (c[2] - c[0]) / (2.0 * DIFFERENCE_STEP);
    double acceleration = (c[2] - 2.0 * c[1] + c[0]) / (DIFFERENCE_STEP * DIFFERENCE_STEP);
    // Floats of numbers up to 10 (rates) and 100 (accelerations), and the differences' own error.
    cr_assert_float_eq((double)row->error, c[1], 2e-6, "error, scalar %d.%u: %g for %g",
                       (int)scalar, i, (double)row->error, c[1]);
    double speed = row_speed(row, a, b);
    cr_assert_float_eq(speed, rate, 2e-5 * (1.0 + fabs(rate)), "J v, scalar %d.%u: %g for %g",
                       (int)scalar, i, speed, rate);
    if (has_velocity_term) {
        cr_assert_float_eq((double)row->velocity_term, acceleration,
                           2e-4 * (1.0 + fabs(acceleration)), "Jdot v, scalar %d.%u: %g for %g",
                           (int)scalar, i, (double)row->velocity_term, acceleration);
    }
}

static inline void check(const test_case *test, uint32_t row, test_scalar scalar, uint32_t i,
                         double sign, double constant, bool has_velocity_term) {
    check_row(&test->joint, &test->a, &test->b, &test->rows[row], scalar, i, sign, constant,
              has_velocity_term);
}

// A turn as the angles of a cross make it: first about y, then about the turned z.
static inline tni_dvec3 cross_turn(double first, double second) {
    tni_dquat q = dquat_mul(rotation_by(dvec3_make(0.0, first, 0.0)),
                            rotation_by(dvec3_make(0.0, 0.0, second)));
    return tni_angle_get_rotation_vector(q.w < 0.0 ? dquat_make(-q.x, -q.y, -q.z, -q.w) : q);
}

#endif
