// Tests of solver/bodies/rotate.c: momentum, energy, order, and what is exact.
#include <criterion/criterion.h>

#include "solver/solver.h"

static tni_inertia make_inertia(double ix, double iy, double iz, tni_dquat tilt) {
    tni_dmat3 r = dmat3_from_quat(tilt), m = dmat3_rotate_diagonal(&r, dvec3_make(ix, iy, iz));
    m.m[1][0] = m.m[0][1];
    m.m[2][0] = m.m[0][2];
    m.m[2][1] = m.m[1][2];
    return tni_inertia_make(&m);
}

static tni_body_motion make_motion(double wx, double wy, double wz) {
    tni_body_motion motion = {.rotation = dquat_normalize(dquat_make(0.3, -0.2, 0.5, 0.8)),
                              .angular_velocity = {wx, wy, wz}};
    return motion;
}

static tni_dvec3 get_momentum(const tni_body_motion *motion, const tni_inertia *inertia) {
    tni_dmat3 s = inertia_in_world(inertia, motion->rotation);
    return dmat3_mul_vec(&s, motion->angular_velocity);
}

static double get_energy(const tni_body_motion *motion, const tni_inertia *inertia) {
    return 0.5 * dvec3_dot(get_momentum(motion, inertia), motion->angular_velocity);
}

static void run(tni_body_motion *motion, const tni_inertia *inertia, double time, int steps) {
    for (int i = 0; i < steps; ++i) {
        tni_rotate_freely(motion, inertia, time / steps, 1);
    }
}

// The angle between two rotations, rad, for small ones.
static double get_angle(tni_dquat a, tni_dquat b) {
    tni_dquat d = dquat_mul(a, dquat_conjugate(b));
    return 2.0 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

static const tni_dquat untilted = {0.0, 0.0, 0.0, 1.0};
static const tni_dquat tilted = {0.5, -0.1, 0.7, 0.5};

Test(rotate, momentum_is_kept_to_round_off_and_energy_within_a_bound) {
    const double moments[][3] = {{1.0, 2.0, 2.5}, {2.5, 1.0, 2.0}, {2.0, 2.5, 1.0},
                                 {1.0, 1.0, 0.2}, {0.2, 1.0, 1.0}, {1.0, 1.9, 1.0}};
    for (int k = 0; k < 12; ++k) {
        const double *m = moments[k / 2];
        tni_inertia inertia =
            make_inertia(m[0], m[1], m[2], k % 2 == 0 ? untilted : dquat_normalize(tilted));
        tni_body_motion motion = make_motion(4.0, 9.0, -3.0);
        tni_dvec3 momentum = get_momentum(&motion, &inertia);
        double energy = get_energy(&motion, &inertia), worst = 0.0;
        for (int i = 0; i < 10000; ++i) {
            run(&motion, &inertia, 1.0 / 240.0, 1);
            worst = fmax(worst, fabs(get_energy(&motion, &inertia) / energy - 1.0));
        }
        tni_dvec3 change = dvec3_sub(get_momentum(&motion, &inertia), momentum);
        double off = dvec3_length(change) / dvec3_length(momentum);
        // 10000 substeps of about 1e-16 each; (h w)^2 = 0.002 times a small number.
        cr_assert(off < 5e-12, "case %d: momentum is off by %g of itself", k, off);
        cr_assert(worst < 2e-4, "case %d: energy is off by %g of itself", k, worst);
    }
}

Test(rotate, the_error_of_unequal_moments_is_of_second_order) {
    tni_inertia inertia = make_inertia(1.0, 2.0, 2.7, dquat_normalize(tilted));
    tni_body_motion fine = make_motion(4.0, 9.0, -3.0);
    run(&fine, &inertia, 1.0, 100000);
    double errors[2];
    for (int k = 0; k < 2; ++k) {
        tni_body_motion motion = make_motion(4.0, 9.0, -3.0);
        run(&motion, &inertia, 1.0, k == 0 ? 240 : 480);
        errors[k] = get_angle(motion.rotation, fine.rotation);
    }
    double ratio = errors[0] / errors[1];
    cr_assert(ratio > 3.9 && ratio < 4.1, "halving the step divides the error by %g", ratio);
}

Test(rotate, two_equal_moments_turn_exactly_whatever_the_step) {
    const double moments[][3] = {{1.0, 1.0, 0.2}, {0.2, 1.0, 1.0}, {1.0, 1.9, 1.0}};
    for (int k = 0; k < 6; ++k) {
        const double *m = moments[k / 2];
        tni_inertia inertia =
            make_inertia(m[0], m[1], m[2], k % 2 == 0 ? untilted : dquat_normalize(tilted));
        tni_body_motion one = make_motion(2.0, 1.0, -3.0), many = one;
        run(&one, &inertia, 1.0, 1);
        run(&many, &inertia, 1.0, 1000);
        cr_assert(get_angle(one.rotation, many.rotation) < 5e-12, "case %d", k);
        tni_dvec3 off = dvec3_sub(one.angular_velocity, many.angular_velocity);
        cr_assert(dvec3_length(off) < 5e-12, "case %d: %g", k, dvec3_length(off));
    }
}

Test(rotate, many_substeps_at_once_are_the_same_as_one_after_the_other) {
    for (int k = 0; k < 3; ++k) {
        tni_inertia inertia = make_inertia(1.0, 2.0, k == 0 ? 2.0 : 2.7, untilted);
        double speed = k == 2 ? 400.0 : 9.0;
        tni_body_motion one = make_motion(4.0, speed, -3.0), many = one;
        run(&many, &inertia, 0.1, 24);
        tni_rotate_freely(&one, &inertia, 0.1 / 24.0, 24);
        cr_assert(get_angle(one.rotation, many.rotation) < 1e-12, "case %d", k);
        tni_dvec3 off = dvec3_sub(one.angular_velocity, many.angular_velocity);
        cr_assert(dvec3_length(off) < 1e-12 * speed, "case %d: %g", k, dvec3_length(off));
    }
}

Test(rotate, backwards_in_time_it_comes_back) {
    tni_inertia inertia = make_inertia(1.0, 2.0, 2.7, untilted);
    tni_body_motion start = make_motion(4.0, 9.0, -3.0), motion = start;
    run(&motion, &inertia, 1.0, 240);
    run(&motion, &inertia, -1.0, 240);
    cr_assert(get_angle(motion.rotation, start.rotation) < 1e-11);
}

Test(rotate, a_turn_of_more_than_a_radian_in_a_substep_keeps_its_energy) {
    tni_inertia inertia = make_inertia(1.0, 2.0, 2.7, untilted);
    for (int k = 0; k < 3; ++k) {
        tni_body_motion motion =
            make_motion(k == 0 ? 300.0 : 20.0, k == 1 ? 300.0 : 20.0, k == 2 ? 300.0 : 20.0);
        double energy = get_energy(&motion, &inertia);
        for (int i = 0; i < 10000; ++i) {
            run(&motion, &inertia, 1.0 / 240.0, 1);
            double change = fabs(get_energy(&motion, &inertia) / energy - 1.0);
            cr_assert(change < 0.005, "axis %d: energy is off by %g of itself", k, change);
        }
    }
}

Test(rotate, a_turn_in_a_plane_keeps_its_speed) {
    tni_inertia inertia = make_inertia(0.2, 1.0, 1.0, untilted);
    tni_body_motion motion = {.rotation = {0.0, 0.0, 0.6, 0.8},
                              .angular_velocity = {0.0, 0.0, 3.0}};
    run(&motion, &inertia, 1.0, 240);
    cr_assert(motion.angular_velocity.x == 0.0 && motion.angular_velocity.y == 0.0 &&
              motion.angular_velocity.z == 3.0);
    cr_assert(motion.rotation.x == 0.0 && motion.rotation.y == 0.0);
}
