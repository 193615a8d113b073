// solver/bodies/world_inertia.c: a body's inverse inertia along the axes of the world, as rows read
// it.
//
// It is made from the principal axes (core/inertia.h); locked axes are taken out; and the inertia
// that links under tension have added goes in (solver/bodies/geometric_stiffness.c).
//
// The least moment of a needle counts as a share of the middle one. The rounding errors of a float
// matrix are shares of its largest number, and an inverse inertia with a smaller number across
// would give way against an impulse. A rod thinner than 1/600 of its length turns about itself more
// slowly than it should; the motion between impulses keeps the true moments.
// Test: tests/solver/bodies/test_world_inertia.c
#include "core/simd_double.h"
#include "solver/solver.h"

// This is the least moment, as a share of the middle one: 64 of the smallest shares of a float.
#define INERTIA_LEAST_MOMENT 0x1p-18

// Returns the rate of a moment (core/inertia.h) that is not too small.
static inline double inertia_limit(double rate) {
    return maths_min_d(rate, 1.0 / INERTIA_LEAST_MOMENT);
}

static tni_dmat3 inertia_get_inverse(const tni_inertia *inertia, tni_dquat rotation) {
    return inertia_sum(inertia, rotation, inertia->inverse, inertia_limit(inertia->rate_j),
                       inertia_limit(inertia->rate_k));
}

// Returns the world inverse inertia with locked axes taken out: the inverse of the unlocked part of
// S.
static tni_sym3 inertia_lock(const tni_dmat3 *inv, uint32_t locks) {
    tni_sym3 s = dmat3_to_sym3(inv);
    bool x = (locks & TN_BODY_LOCK_ANGULAR_X) != 0;
    bool y = (locks & TN_BODY_LOCK_ANGULAR_Y) != 0;
    bool z = (locks & TN_BODY_LOCK_ANGULAR_Z) != 0;
    // Holding one axis i subtracts the column's projection: s - s_i s_i^T / s_ii, one axis at a
    // time.
    for (int i = 0; i < 3; ++i) {
        if ((i == 0 && !x) || (i == 1 && !y) || (i == 2 && !z)) {
            continue;
        }
        vec3s column = i == 0   ? maths_vec3(s.xx, s.xy, s.xz)
                       : i == 1 ? maths_vec3(s.xy, s.yy, s.yz)
                                : maths_vec3(s.xz, s.yz, s.zz);
        float inverse = maths_inverse_or_zero(column.raw[i]);
        s.xx -= column.x * column.x * inverse;
        s.yy -= column.y * column.y * inverse;
        s.zz -= column.z * column.z * inverse;
        s.xy -= column.x * column.y * inverse;
        s.xz -= column.x * column.z * inverse;
        s.yz -= column.y * column.z * inverse;
        if (i == 0) {
            s.xx = s.xy = s.xz = 0.0f;
        } else if (i == 1) {
            s.yy = s.xy = s.yz = 0.0f;
        } else {
            s.zz = s.xz = s.yz = 0.0f;
        }
    }
    return s;
}

// Stores the inverse of the world inertia with the added part of geometric stiffness. A force that
// pulls across its arm adds less than nothing about some axes: where the sum has no inverse, the
// body has its own.
static void inertia_stiffen(tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    tni_dquat rotation = solver->bodies.motions[body].rotation;
    double least = INERTIA_LEAST_MOMENT - 1.0;
    tni_dmat3 inverse, s = inertia_sum(mass->inertia, rotation, mass->inertia->moment,
                                       maths_max_d(mass->inertia->ratio_j - 1.0, least),
                                       maths_max_d(mass->inertia->ratio_k - 1.0, least));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            s.m[i][j] += solver->bodies.added_inertia[body].m[i][j];
        }
    }
    if (!tni_maths_invert_spd(&s, &inverse)) {
        inverse = inertia_get_inverse(mass->inertia, rotation);
    }
    solver->bodies.states[body].inv_inertia = inertia_lock(&inverse, mass->locks);
}

// These are the numbers of a symmetric matrix: xx and yy, zz and xy, xz and yz.
typedef struct inertia_numbers {
    tni_d2 xx_yy, zz_xy, xz_yz;
} inertia_numbers;

// Adds rate e e^T.
static inline void inertia_add_square(inertia_numbers *sum, tni_dvec3 e, double rate) {
    tni_d2 xy = d2_make(e.x, e.y), b = d2_splat(rate);
    sum->xx_yy = d2_add_product(sum->xx_yy, b, d2_mul(xy, xy));
    sum->zz_xy = d2_add_product(sum->zz_xy, b, d2_mul(d2_make(e.z, e.x), d2_make(e.z, e.y)));
    sum->xz_yz = d2_add_product(sum->xz_yz, b, d2_mul(xy, d2_splat(e.z)));
}

// Stores S^-1 = 1/I (1 + rate_j e_j e_j^T + rate_k e_k e_k^T): see core/inertia.h. Products of
// inertia that are round-off become 0.
static void inertia_store_inverse(tni_sym3 *out, const tni_inertia *inertia, tni_dquat rotation) {
    tni_dquat q = inertia_turn_to_axes(inertia, rotation);
    double s = inertia->inverse;
    int i = inertia->axis_i;
    inertia_numbers sum = {d2_splat(s), d2_make(s, 0.0), d2_splat(0.0)};
    double rate_j = inertia_limit(inertia->rate_j), rate_k = inertia_limit(inertia->rate_k);
    inertia_add_square(&sum, inertia_axis(q, i == 0 ? 2 : i - 1), s * rate_k);
    if (rate_j != 0.0) {
        inertia_add_square(&sum, inertia_axis(q, i == 2 ? 0 : i + 1), s * rate_j);
    }
    double trace = s * (3.0 + rate_j + rate_k);
    float tiny = INERTIA_TINY_INVERSE * (float)trace;
    f4_store(&out->xx, f4_flush(f4_from_d2(sum.xx_yy, sum.zz_xy), tiny));
    f4_store2(&out->xz, f4_flush(f4_from_d2(sum.xz_yz, sum.xz_yz), tiny));
}

void tni_body_refresh_inertia(tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    tni_body_state *state = &solver->bodies.states[body];
    if (!mass->is_dynamic) {
        return;
    }
    if (solver->bodies.has_added_inertia[body]) {
        inertia_stiffen(solver, body);
        return;
    }
    if (mass->inertia->is_round && mass->locks < TN_BODY_LOCK_ANGULAR_X) {
        float inverse = (float)mass->inertia->inverse;
        state->inv_inertia = (tni_sym3){inverse, inverse, inverse, 0.0f, 0.0f, 0.0f};
        return;
    }
    if (mass->locks >= TN_BODY_LOCK_ANGULAR_X) {
        tni_dmat3 s = inertia_get_inverse(mass->inertia, solver->bodies.motions[body].rotation);
        state->inv_inertia = inertia_lock(&s, mass->locks);
    } else {
        inertia_store_inverse(&state->inv_inertia, mass->inertia,
                              solver->bodies.motions[body].rotation);
    }
}
