// solver/movers/affine.c: one body whose coordinates are its centre and a 3 x 3 matrix.
//
// A point that is X from the centre of mass at rest stands at c + A X. With the mass m and
// S = sum of mass X X^T = tr(I)/2 1 - I the kinetic energy is
//     T = m |c'|^2 / 2 + tr(A' S A'^T) / 2
// so that M is constant and M u'' = Q without terms of turning. A = R U, where R is the rotation
// nearest to A (core/polar.c) and U is symmetric; in the axes of R
//     R^T A' = [w] U + U',    (tr U 1 - U) w = axl(R^T A' - A'^T R)                         (1)
// in which axl(Y - Y^T) is the vector of an antisymmetric matrix. R w is the angular velocity of
// the frame that joints and readers see. From (1) again, at A'' = 0, with Y = R^T A', Y' = -[w] Y:
//     (tr U 1 - U) w' = axl(Y' - Y'^T) - (tr U' 1 - U') w
//
// The elastic energy is that of the corotated linear solid of volume V, with Lame's mu and lambda:
//     E = V (mu |U - 1|^2 + lambda/2 (tr U - 3)^2)
// It depends on U alone. Viscous stresses are tau times those that U' as a strain would cause. The
// code therefore works with six strains U' and three turns w in place of A': forces are stresses on
// the strains and nothing on the turns, so that the angular momentum is kept to round-off.
//
// The substep is kick, drift, kick. With K the stiffness by strains the mass of a kick is
//     M + (h^2/4 + h tau/4) K
// The first part makes the two kicks about a drift the trapezoidal rule of a linear spring: where
// (M + h^2/4 K) (u+ - 2 u + u-) = -h^2 K u one has M (u+ - 2 u + u-) = -h^2 K (u+ + 2 u + u-)/4,
// stable for every h, without damping; a frequency omega becomes 2/h atan(h omega / 2). The second
// makes the viscous part of a kick the implicit midpoint rule. See solver/movers/affine_motion.c.
//
// A joint's point moves as c + A X, its axes turn as R. Rows take the body for a rigid one whose
// centre is at c + (A - R) X, so that with the arm R X they have their point. With the rows r_i of
// R a row [l, a] over [v, w] is then over c' and A'_ij
//     l,    l_i X_j + (r_i x s)_j,    s = (tr U 1 - U)^-1 R^T (a - R X x l)
// Sources: A. Shabana, "Dynamics of multibody systems", 2005, 6 (absolute coordinates of constant
// mass); M. Mueller, M. Gross, "Interactive virtual materials", 2004 (corotated strain); T. Hughes,
// "The finite element method", 2000, 9.1 (trapezoidal rule); H. Andersen, "RATTLE", Journal of
// Computational Physics 52, 1983. Test: tests/world/movers/test_affine.c
#include "solver/movers/affine.h"

#include <string.h>

#include "core/dmat3.h"
#include "core/polar.h"

// ---- place -------------------------------------------------------------------------------------

static void affine_set_gradient(tni_affine *affine, tni_reduced_body *body, const double *nine) {
    affine->gradient = dmat3_read(nine);
    body->rotation = tni_polar_rotation(&affine->gradient, body->rotation);
    affine->rotation = dmat3_from_quat(body->rotation);
    tni_dmat3 u = dmat3_mul_transposed(&affine->rotation, &affine->gradient);
    affine->stretch = dmat3_symmetric_part(&u);
    tni_dmat3 sum = dmat3_complement(&affine->stretch);
    if (!tni_maths_invert_spd(&sum, &affine->turn)) {
        affine->turn = (tni_dmat3){{{0.0}}}; // a body crushed to a line has no turns
    }
}

static void affine_set_columns(const tni_affine *affine, tni_reduced_body *body) {
    for (int k = 0; k < 3; ++k) {
        body->linear[k] = dvec3_make(k == 0, k == 1, k == 2);
        body->angular[k] = dvec3_make(0.0, 0.0, 0.0);
    }
    for (int i = 0; i < 3; ++i) {
        const double *r = affine->rotation.m[i];
        tni_dvec3 row = dvec3_make(r[0], r[1], r[2]);
        for (int j = 0; j < 3; ++j) {
            tni_dvec3 axis = dvec3_make(j == 0, j == 1, j == 2);
            tni_dvec3 w = dmat3_mul_vec(&affine->turn, dvec3_cross(axis, row));
            body->linear[3 + 3 * i + j] = dvec3_make(0.0, 0.0, 0.0);
            body->angular[3 + 3 * i + j] = dmat3_mul_vec(&affine->rotation, w);
        }
    }
}

void tni_affine_set_speeds(tni_reduced *reduced, const double *speeds) {
    tni_affine *affine = reduced->affine;
    tni_reduced_body *body = &reduced->bodies[0];
    tni_dmat3 rate, change = dmat3_read(speeds + 3);
    tni_dmat3 y = dmat3_mul_transposed(&affine->rotation, &change);
    tni_dvec3 w = tni_affine_split(affine, &y, &rate);
    tni_dmat3 turned = dmat3_cross(w, &y), sum = dmat3_complement(&rate);
    tni_dvec3 asked = dvec3_sub(dvec3_scale(dmat3_axial(&turned), -1.0), dmat3_mul_vec(&sum, w));
    body->drift = dvec3_make(0.0, 0.0, 0.0);
    body->angular_drift = dmat3_mul_vec(&affine->rotation, dmat3_mul_vec(&affine->turn, asked));
    affine->spin = dmat3_mul_vec(&affine->rotation, w);
}

void tni_affine_place(tni_reduced *reduced, const double *coordinates, const double *speeds) {
    tni_affine *affine = reduced->affine;
    tni_reduced_body *body = &reduced->bodies[0];
    tni_dmat3 inertia = inertia_in_world(body->inertia, dquat_identity());
    affine->moment = dmat3_complement(&inertia);
    for (int i = 0; i < 3; ++i) { // tr(I)/2 1 - I
        affine->moment.m[i][i] -= 0.5 * dmat3_trace(&inertia);
    }
    body->position = dvec3_make(coordinates[0], coordinates[1], coordinates[2]);
    affine_set_gradient(affine, body, coordinates + 3);
    body->world_inertia = inertia_in_world(body->inertia, body->rotation);
    affine_set_columns(affine, body);
    tni_affine_set_speeds(reduced, speeds);
}

tni_dvec3 tni_affine_get_point(const tni_reduced *reduced, tni_dvec3 arm) {
    return dvec3_add(reduced->bodies[0].position, dmat3_mul_vec(&reduced->affine->gradient, arm));
}

tni_affine_motion tni_affine_get_motion(const tni_reduced *reduced, bool moves) {
    tni_affine_motion motion = {.gradient = reduced->affine->gradient};
    if (moves) {
        motion.rate = dmat3_read(reduced->speeds + 3);
    }
    return motion;
}

tni_dvec3 tni_affine_find_arm(const tni_reduced *reduced, tni_dvec3 point) {
    const tni_dmat3 *a = &reduced->affine->gradient;
    tni_dvec3 from = dvec3_sub(point, reduced->bodies[0].position);
    tni_dmat3 cofactor = dmat3_cofactor(a), adjugate = dmat3_transpose(&cofactor);
    // A body turned inside out has a negative determinant; a flat one is taken as it is at rest.
    double volume = dmat3_determinant(a);
    double share = copysign(maths_inverse_or_zero_d(fabs(volume)), volume);
    return share == 0.0 ? dquat_rotate_inverse(reduced->bodies[0].rotation, from)
                        : dvec3_scale(dmat3_mul_vec(&adjugate, from), share);
}

tni_affine_point tni_affine_see(const tni_reduced *reduced, tni_dvec3 arm) {
    const tni_affine *affine = reduced->affine;
    const double *speeds = reduced->speeds;
    tni_dvec3 turned = dmat3_mul_vec(&affine->rotation, arm), w = affine->spin;
    tni_dvec3 moved = dvec3_cross(w, turned);
    tni_dmat3 rate = dmat3_read(speeds + 3);
    tni_dvec3 velocity = dvec3_make(speeds[0], speeds[1], speeds[2]);
    velocity = dvec3_add(velocity, dvec3_sub(dmat3_mul_vec(&rate, arm), moved));
    tni_dvec3 drift = dvec3_cross(reduced->bodies[0].angular_drift, turned);
    drift = dvec3_scale(dvec3_add(drift, dvec3_cross(w, moved)), -1.0);
    tni_dvec3 position = dvec3_sub(tni_affine_get_point(reduced, arm), turned);
    return (tni_affine_point){arm, turned, position, velocity, drift};
}

void tni_affine_project(const tni_reduced *reduced, const tni_affine_point *point, tni_dvec3 linear,
                        tni_dvec3 angular, double *out_row) {
    const tni_affine *affine = reduced->affine;
    const double l[3] = {linear.x, linear.y, linear.z};
    tni_dvec3 moment = dvec3_sub(angular, dvec3_cross(point->turned, linear));
    tni_dvec3 s = dmat3_mul_vec(&affine->turn, dmat3_mul_transposed_vec(&affine->rotation, moment));
    memcpy(out_row, l, sizeof l);
    for (int i = 0; i < 3; ++i) {
        const double *r = affine->rotation.m[i];
        tni_dvec3 turn = dvec3_cross(dvec3_make(r[0], r[1], r[2]), s);
        out_row[3 + 3 * i] = l[i] * point->arm.x + turn.x;
        out_row[4 + 3 * i] = l[i] * point->arm.y + turn.y;
        out_row[5 + 3 * i] = l[i] * point->arm.z + turn.z;
    }
}

tni_reduced_body tni_affine_look(const tni_reduced *reduced, tni_dvec3 arm) {
    tni_reduced_body seen = reduced->bodies[0];
    const double x[3] = {arm.x, arm.y, arm.z};
    tni_affine_point point = tni_affine_see(reduced, arm);
    seen.position = point.position;
    seen.drift = point.drift;
    for (int k = 0; k < 9; ++k) {
        int i = k / 3, j = k % 3;
        tni_dvec3 along = dvec3_make(i == 0 ? x[j] : 0.0, i == 1 ? x[j] : 0.0, i == 2 ? x[j] : 0.0);
        seen.linear[3 + k] = dvec3_sub(along, dvec3_cross(seen.angular[3 + k], point.turned));
    }
    return seen;
}

// ---- energy and momentum -----------------------------------------------------------------------

double tni_affine_get_kinetic_energy(const tni_reduced *reduced) {
    const double *v = reduced->speeds;
    tni_dmat3 rate = dmat3_read(v + 3), moved = dmat3_mul(&rate, &reduced->affine->moment);
    double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return 0.5 * (reduced->bodies[0].mass * square + dmat3_dot(&moved, &rate));
}

double tni_affine_get_elastic_energy(const tni_reduced *reduced) {
    tni_dmat3 strain = tni_affine_get_strain(reduced->affine);
    double stress[TNI_AFFINE_STRAINS];
    tni_affine_stress(reduced->affine, &strain, stress);
    return 0.5 * tni_affine_work(stress, &strain);
}

// Returns the sum of mass x times x', both from the centre: the antisymmetric part of A S A'^T.
tni_dvec3 tni_affine_get_spin(const tni_reduced *reduced) {
    const tni_affine *affine = reduced->affine;
    tni_dmat3 rate = dmat3_read(reduced->speeds + 3), moved = dmat3_mul(&rate, &affine->moment);
    tni_dmat3 back = dmat3_transpose(&affine->gradient), sum = dmat3_mul(&moved, &back);
    return dmat3_axial(&sum);
}

double tni_affine_get_strain_rate(const tni_reduced *reduced) {
    tni_dmat3 rate;
    tni_affine_split_speeds(reduced->affine, reduced->speeds, &rate);
    return sqrt(dmat3_dot(&rate, &rate));
}
