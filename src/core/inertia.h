// core/inertia.h: a rigid body's inertia by its principal axes, as free rotation reads it.
//
// The three principal axes stand in cyclic order (i, j, k), where i has the middle moment, which is
// the measure of the other two:
//     S      = I_i (1 + (ratio_j - 1) e_j e_j^T + (ratio_k - 1) e_k e_k^T),   ratio_j = I_j / I_i
//     S^-1   = 1/I_i (1 + rate_j e_j e_j^T + rate_k e_k e_k^T),               rate_j = I_i / I_j -
//     1
// with e_j, e_k the axes in the world. When two moments are equal they are those of i and j, so
// that rate_j is 0 and k is the axis of symmetry; when all three are, rate_k is 0 too.
// Test: tests/core/test_inertia.c
#ifndef TNI_CORE_INERTIA_H
#define TNI_CORE_INERTIA_H

#include "core/maths.h"

// A product in S^-1 under this share of its trace is round-off: see MATHS_TINY.
#define INERTIA_TINY_INVERSE 1e-16f

typedef struct tni_inertia {
    double moment, inverse; // I_i, kg·m², and 1/I_i, 0 where the inertia is infinite
    uint8_t axis_i;         // which of x, y, z of the principal axes is i; j and k follow, z
                            // before x
    bool is_turned;         // the principal axes are not those of the body
    bool is_round;          // all moments are equal
    double ratio_j, ratio_k;
    double rate_j, rate_k;
    tni_dquat axes; // principal axes to body axes
} tni_inertia;

// Takes a symmetric positive definite matrix in body axes.
tni_inertia tni_inertia_make(const tni_dmat3 *matrix);
// Returns the inertia of a body that nothing turns.
tni_inertia tni_inertia_infinite(void);

static inline double inertia_trace(const tni_inertia *inertia) {
    return inertia->moment * (1.0 + inertia->ratio_j + inertia->ratio_k);
}

// Returns the rotation of the principal axes in the world, from the body's.
static inline tni_dquat inertia_turn_to_axes(const tni_inertia *inertia, tni_dquat rotation) {
    return inertia->is_turned ? dquat_mul(rotation, inertia->axes) : rotation;
}

// Returns column `axis` of the rotation matrix.
static inline tni_dvec3 inertia_axis(tni_dquat rotation, int axis) {
    return axis == 0   ? dquat_axis_x(rotation)
           : axis == 1 ? dquat_axis_y(rotation)
                       : dquat_axis_z(rotation);
}

// Returns s (1 + a e_j e_j^T + b e_k e_k^T).
static inline tni_dmat3 inertia_sum(const tni_inertia *inertia, tni_dquat rotation, double s,
                                    double a, double b) {
    tni_dquat q = inertia_turn_to_axes(inertia, rotation);
    int i = inertia->axis_i;
    tni_dvec3 k = inertia_axis(q, i == 0 ? 2 : i - 1), bk = dvec3_scale(k, s * b);
    double xx = s + bk.x * k.x, yy = s + bk.y * k.y, zz = s + bk.z * k.z;
    double xy = bk.x * k.y, xz = bk.x * k.z, yz = bk.y * k.z;
    if (a != 0.0) {
        tni_dvec3 j = inertia_axis(q, i == 2 ? 0 : i + 1), aj = dvec3_scale(j, s * a);
        xx += aj.x * j.x;
        yy += aj.y * j.y;
        zz += aj.z * j.z;
        xy += aj.x * j.y;
        xz += aj.x * j.z;
        yz += aj.y * j.z;
    }
    tni_dmat3 m = {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
    return m;
}

// Returns S^-1 in the world.
static inline tni_dmat3 inertia_inverse_in_world(const tni_inertia *inertia, tni_dquat rotation) {
    return inertia_sum(inertia, rotation, inertia->inverse, inertia->rate_j, inertia->rate_k);
}

// Returns S in the world.
static inline tni_dmat3 inertia_in_world(const tni_inertia *inertia, tni_dquat rotation) {
    return inertia_sum(inertia, rotation, inertia->moment, inertia->ratio_j - 1.0,
                       inertia->ratio_k - 1.0);
}

// Returns the energy w . S w / 2, J.
static inline double inertia_get_energy(const tni_inertia *inertia, tni_dquat rotation,
                                        tni_dvec3 w) {
    tni_dmat3 matrix = inertia_in_world(inertia, rotation);
    return 0.5 * dvec3_dot(w, dmat3_mul_vec(&matrix, w));
}

#endif
