// The columns and drifts of an affine body's points against differences.
#include <criterion/criterion.h>
#include <string.h>

#include "core/dmat3.h"
#include "solver/movers/affine.h"

static const double place[TN_AFFINE_FREEDOMS] = {0.3,  -0.2, 0.5,  1.2, 0.3, -0.1,
                                                 -0.2, 0.8,  0.25, 0.1, 0.2, 1.1};
static const double speeds[TN_AFFINE_FREEDOMS] = {0.4, 0.7, -0.6, 0.3, -1.1, 0.4,
                                                  0.9, 0.2, -0.7, 0.5, 0.6,  -0.3};
static const tni_dvec3 arm = {0.3, -0.4, 0.7};

typedef struct model {
    tni_reduced reduced;
    tni_affine affine;
    tni_reduced_body body;
    tni_inertia inertia;
} model;

static void model_make(model *it) {
    const tni_dmat3 inertia = {{{0.5, 0.1, 0.0}, {0.1, 0.4, 0.05}, {0.0, 0.05, 0.6}}};
    memset(it, 0, sizeof *it);
    it->inertia = tni_inertia_make(&inertia);
    it->body.mass = 2.0;
    it->body.inertia = &it->inertia;
    it->body.rotation = dquat_identity();
    it->affine.material =
        (tn_affine_def){.youngs_modulus = 1e3, .poisson_ratio = 0.3, .volume = 0.1};
    it->reduced.freedoms = TN_AFFINE_FREEDOMS;
    it->reduced.body_count = 1;
    it->reduced.bodies = &it->body;
    it->reduced.affine = &it->affine;
    memcpy(it->reduced.speeds, speeds, sizeof speeds);
}

// At place + x along coordinate k, or along the speeds where k is none.
static tni_reduced_body look(model *it, uint32_t k, double x) {
    double u[TN_AFFINE_FREEDOMS];
    for (uint32_t i = 0; i < TN_AFFINE_FREEDOMS; ++i) {
        u[i] = place[i] + x * (k == i ? 1.0 : k == TN_AFFINE_FREEDOMS ? speeds[i] : 0.0);
    }
    tni_affine_place(&it->reduced, u, speeds);
    return tni_affine_look(&it->reduced, arm);
}

static void check_near(tni_dvec3 got, tni_dvec3 expected, double tolerance, const char *what) {
    double off = dvec3_length(dvec3_sub(got, expected));
    cr_assert(off < tolerance, "%s: %g", what, off);
}

// A difference of two rotations as a small turn about the world's axes.
static tni_dvec3 get_turn(tni_dquat from, tni_dquat to) {
    tni_dquat q = dquat_mul(to, dquat_conjugate(from));
    return dvec3_scale(dvec3_make(q.x, q.y, q.z), q.w < 0.0 ? -2.0 : 2.0);
}

Test(affine_columns, are_what_poses_change_by) {
    model it;
    model_make(&it);
    double step = 1e-5;
    tni_reduced_body here = look(&it, 0, 0.0);
    for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
        tni_reduced_body before = look(&it, k, -step), after = look(&it, k, step);
        tni_dvec3 moved = dvec3_scale(dvec3_sub(after.position, before.position), 0.5 / step);
        tni_dvec3 turned = dvec3_scale(get_turn(before.rotation, after.rotation), 0.5 / step);
        check_near(here.linear[k], moved, 1e-9, "linear");
        check_near(here.angular[k], turned, 1e-9, "angular");
    }
}

// Along a straight line of coordinates what the velocity changes by is the drift.
Test(affine_columns, drifts_are_what_velocities_change_by) {
    model it;
    model_make(&it);
    double step = 1e-5;
    tni_reduced_body here = look(&it, 0, 0.0);
    tni_reduced_body before = look(&it, TN_AFFINE_FREEDOMS, -step);
    tni_reduced_body after = look(&it, TN_AFFINE_FREEDOMS, step);
    tni_dvec3 v = tni_reduced_get_velocity(&it.reduced, after.linear);
    tni_dvec3 w = tni_reduced_get_velocity(&it.reduced, after.angular);
    tni_dvec3 v0 = tni_reduced_get_velocity(&it.reduced, before.linear);
    tni_dvec3 w0 = tni_reduced_get_velocity(&it.reduced, before.angular);
    cr_assert(dvec3_length(here.drift) > 0.1 && dvec3_length(here.angular_drift) > 0.1);
    check_near(here.drift, dvec3_scale(dvec3_sub(v, v0), 0.5 / step), 1e-8, "drift");
    check_near(here.angular_drift, dvec3_scale(dvec3_sub(w, w0), 0.5 / step), 1e-8, "turn");
}

// J P of rows along and about each axis, and the velocity, as the columns give them.
Test(affine_columns, a_points_rows_are_those_of_its_columns) {
    model it;
    model_make(&it);
    tni_reduced_body here = look(&it, 0, 0.0);
    tni_affine_point point = tni_affine_see(&it.reduced, arm);
    check_near(point.velocity, tni_reduced_get_velocity(&it.reduced, here.linear), 1e-14, "speed");
    for (int r = 0; r < 6; ++r) {
        double unit[6] = {0.0}, row[TN_AFFINE_FREEDOMS];
        unit[r] = 1.0;
        tni_dvec3 linear = dvec3_make(unit[0], unit[1], unit[2]);
        tni_dvec3 angular = dvec3_make(unit[3], unit[4], unit[5]);
        tni_affine_project(&it.reduced, &point, linear, angular, row);
        for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
            double expected =
                dvec3_dot(linear, here.linear[k]) + dvec3_dot(angular, here.angular[k]);
            cr_assert(fabs(row[k] - expected) < 1e-14, "%d %u: %g", r, k, row[k] - expected);
        }
    }
}

// With R X as its arm it is the point of the material.
Test(affine_columns, point_is_at_its_arm) {
    model it;
    model_make(&it);
    tni_reduced_body here = look(&it, 0, 0.0);
    tni_dmat3 a = dmat3_read(place + 3);
    tni_dvec3 point = dvec3_add(here.position, dquat_rotate(here.rotation, arm));
    tni_dvec3 expected =
        dvec3_add(dvec3_make(place[0], place[1], place[2]), dmat3_mul_vec(&a, arm));
    check_near(point, expected, 1e-14, "point");
    check_near(tni_affine_find_arm(&it.reduced, expected), arm, 1e-14, "arm");
}

// M^-1 times M = blocks of m and S, for any stiffness none: h is 0.
Test(affine_columns, inverse_is_that_of_the_mass) {
    model it;
    model_make(&it);
    look(&it, 0, 0.0);
    cr_assert(tni_reduced_begin(&it.reduced, 0.0));
    for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
        double force[TN_AFFINE_FREEDOMS] = {0.0};
        for (uint32_t l = 0; l < TN_AFFINE_FREEDOMS; ++l) {
            const double *row = &it.reduced.inverse[l * TN_AFFINE_FREEDOMS];
            double unit = 0.0; // row l of M^-1 times column k of M
            for (uint32_t i = 0; i < TN_AFFINE_FREEDOMS; ++i) {
                bool same_row = i >= 3 && k >= 3 && i / 3 == k / 3;
                double m = i < 3 && i == k ? 2.0 : 0.0;
                m = same_row ? it.affine.moment.m[i % 3][k % 3] : m;
                unit += row[i] * m;
            }
            force[l] = unit;
        }
        for (uint32_t l = 0; l < TN_AFFINE_FREEDOMS; ++l) {
            cr_assert(fabs(force[l] - (l == k ? 1.0 : 0.0)) < 1e-12, "%u %u: %g", k, l, force[l]);
        }
    }
}
