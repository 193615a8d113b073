// solver/joints/joint_group_lanes.h: these functions are shared by the kernels over groups of
// joints, eight joints at once.
//
// With the symbols of solver/rows/pin.h, component by component:
//     r = q anchor q*                  C = x_b - x_a + r_b - r_a
//     K = (m_a^-1 + m_b^-1) 1 + K_a + K_b,   of each body  K_ij = (r x e_i) . I^-1 (r x e_j)
// C is found from positions in two floats, of which the difference of the high parts is taken with
// its rounding error: for s = b - a that is (b - (s + t)) + (t - a), t = b - s.
// Source of the exact difference: D. Knuth, "The art of computer programming", vol. 2, 3rd ed.
// 1997, 4.2.2, theorem B. For files *_wide.c. Test: tests/solver/joints/test_joint_group.c
#ifndef TNI_SOLVER_JOINTS_JOINT_GROUP_LANES_H
#define TNI_SOLVER_JOINTS_JOINT_GROUP_LANES_H

#include "solver/bodies/wide_body.h"
#include "solver/joints/joint_group.h"
#include "solver/rows/dense.h"

// ---- vectors ----------------------------------------------------------------------------------

TNI_KERNEL tni_v8 group_load(const tni_group_vectors *numbers) {
    tni_v8 v = {f8_load(numbers->n[0]), f8_load(numbers->n[1]), f8_load(numbers->n[2])};
    return v;
}

TNI_KERNEL void group_store(tni_group_vectors *numbers, tni_v8 v) {
    f8_store(numbers->n[0], v.x);
    f8_store(numbers->n[1], v.y);
    f8_store(numbers->n[2], v.z);
}

// Loads the six numbers of a symmetric matrix in the order of a tni_s8, one row of lanes after the
// other.
TNI_KERNEL tni_s8 group_load_symmetric(const float *n) {
    tni_s8 s = {f8_load(n),
                f8_load(n + WIDE_LANES),
                f8_load(n + 2 * WIDE_LANES),
                f8_load(n + 3 * WIDE_LANES),
                f8_load(n + 4 * WIDE_LANES),
                f8_load(n + 5 * WIDE_LANES)};
    return s;
}

TNI_KERNEL void group_store_symmetric(float *n, const tni_s8 *s) {
    const tni_f8 numbers[6] = {s->xx, s->yy, s->zz, s->xy, s->xz, s->yz};
    for (uint32_t i = 0; i < 6; ++i) {
        f8_store(n + i * WIDE_LANES, numbers[i]);
    }
}

// ---- impulses ---------------------------------------------------------------------------------

// Returns the speed of the points: v_b + w_b x r_b - v_a - w_a x r_a.
TNI_KERNEL tni_v8 group_get_speed(tni_v8 v_a, tni_v8 w_a, tni_v8 r_a, tni_v8 v_b, tni_v8 w_b,
                                  tni_v8 r_b) {
    tni_v8 r = v8_add(v8_sub(v_b, v_a), v8_cross(w_b, r_b));
    return v8_sub(r, v8_cross(w_a, r_a));
}

// Returns the x that is taken off the impulse, from the speed of the points.
TNI_KERNEL tni_v8 group_find_change(tni_joint_group *group, tni_softness soft, bool use_bias,
                                    tni_v8 r) {
    tni_v8 old = group_load(&group->impulse), x;
    tni_s8 inverse = group_load_symmetric(group->inverse[0]);
    if (use_bias) {
        r = v8_scale(f8_splat(soft.mass_scale), v8_add(r, group_load(&group->bias)));
        x = s8_mul(&inverse, r);
        x = v8_add(x, v8_scale(f8_splat(soft.impulse_scale), old));
    } else {
        x = s8_mul(&inverse, r);
    }
    group_store(&group->impulse, v8_sub(old, x));
    return x;
}

// Returns half of the last impulse at the first kick, and the other half at the second.
TNI_KERNEL tni_f8 group_halve(float *impulse, float *warm, bool is_first_half) {
    tni_f8 x = f8_load(impulse), half;
    if (is_first_half) {
        half = f8_flush(f8_mul(f8_splat(0.5f), x), PIN_TINY_IMPULSE);
        f8_store(warm, half);
        f8_store(impulse, half);
    } else {
        half = f8_load(warm);
        f8_store(impulse, f8_add(x, half));
    }
    return half;
}

TNI_KERNEL tni_v8 group_halve_point(tni_joint_group *group, bool is_first_half) {
    float(*impulse)[WIDE_LANES] = group->impulse.n, (*warm)[WIDE_LANES] = group->warm.n;
    tni_v8 half = {group_halve(impulse[0], warm[0], is_first_half),
                   group_halve(impulse[1], warm[1], is_first_half),
                   group_halve(impulse[2], warm[2], is_first_half)};
    return half;
}

// Notes what a substep leaves. Returns true if an impulse may stiffen the bodies.
TNI_KERNEL bool group_note_impulse(tni_joint_group_rest *rest, tni_v8 x, tni_v8 torque) {
    group_store(&rest->force, v8_add(group_load(&rest->force), x));
    group_store(&rest->torque, v8_add(group_load(&rest->torque), torque));
    return m8_any(f8_less(f8_load(rest->threshold), v8_dot(x, x)));
}

// Subtracts: v -= W J^T x.
TNI_KERNEL void group_subtract(const tni_joint_group *group, tni_v8 x, tni_wide_body *a,
                               tni_wide_body *b) {
    a->v = v8_add(a->v, v8_mul(a->inv_mass, x));
    b->v = v8_sub(b->v, v8_mul(b->inv_mass, x));
    tni_v8 on_a = v8_cross(group_load(&group->r_a), x);
    tni_v8 on_b = v8_cross(group_load(&group->r_b), x);
    a->w = v8_add(a->w, s8_mul(&a->inv_inertia, on_a));
    b->w = v8_sub(b->w, s8_mul(&b->inv_inertia, on_b));
}

// ---- poses ------------------------------------------------------------------------------------

#define GROUP_PLACE_FLOATS (uint32_t)(sizeof(tni_body_place) / sizeof(float))

typedef struct group_places {
    tni_v8 u, high, low, w; // u: of the rotation, as real
    tni_f8 real;
} group_places;

TNI_KERNEL group_places group_get_places(const tni_body_place *places,
                                         const uint32_t body[WIDE_LANES]) {
    tni_f8 p[4], q[4], r[4], s[4];
    f8_gather4(places->rotation, GROUP_PLACE_FLOATS, body, p);
    f8_gather4(places->high, GROUP_PLACE_FLOATS, body, q);
    f8_gather4(places->low, GROUP_PLACE_FLOATS, body, r);
    f8_gather4(places->w, GROUP_PLACE_FLOATS, body, s);
    group_places all = {.u = {p[0], p[1], p[2]},
                        .real = p[3],
                        .high = {q[0], q[1], q[2]},
                        .low = {r[0], r[1], r[2]},
                        .w = {s[0], s[1], s[2]}};
    return all;
}

// Rotates as dquat_rotate does: v + 2 u x (u x v + real v).
TNI_KERNEL tni_v8 group_turn(const group_places *place, tni_v8 v) {
    tni_v8 t = v8_add(v8_cross(place->u, v), v8_scale(place->real, v));
    tni_v8 c = v8_cross(place->u, t);
    return v8_flush(v8_add(v, v8_add(c, c)), MATHS_TINY);
}

// Returns b - a, and its rounding error.
TNI_KERNEL tni_f8 group_exact_sub(tni_f8 b, tni_f8 a, tni_f8 *out_error) {
    tni_f8 s = f8_sub(b, a), t = f8_sub(b, s);
    *out_error = f8_add(f8_sub(b, f8_add(s, t)), f8_sub(t, a));
    return s;
}

TNI_KERNEL tni_v8 group_measure(const group_places *a, const group_places *b, tni_v8 r_a,
                                tni_v8 r_b) {
    tni_v8 error, between = {group_exact_sub(b->high.x, a->high.x, &error.x),
                             group_exact_sub(b->high.y, a->high.y, &error.y),
                             group_exact_sub(b->high.z, a->high.z, &error.z)};
    error = v8_add(error, v8_sub(b->low, a->low));
    return v8_flush(v8_add(v8_add(between, v8_sub(r_b, r_a)), error), MATHS_TINY);
}

TNI_KERNEL tni_f8 group_clamp(tni_f8 x, float most) {
    return f8_max(f8_min(x, f8_splat(most)), f8_splat(-most));
}

// Returns a bias as joint_bias in solver/joints/joint_block.c does.
TNI_KERNEL tni_f8 group_bias(const tni_solver *solver, tni_f8 rate, tni_f8 error, tni_f8 prediction,
                             tni_f8 velocity_term) {
    error = f8_sub(error, group_clamp(error, solver->settings.joint_bias.slop));
    tni_f8 speed = f8_mul(error, rate);
    speed = group_clamp(speed, solver->settings.joint_bias.max_speed);
    return f8_add_product(speed, prediction, velocity_term);
}

// Returns the share of the drift that is predicted: see joint_prediction_share in
// solver/joints/joint_block.c.
TNI_KERNEL tni_f8 group_predict(tni_f8 turn_squared) {
    const float begin = JOINT_PREDICTION_END - 1.0f;
    tni_f8 faded = f8_sub(f8_splat(JOINT_PREDICTION_END), f8_sqrt(turn_squared));
    return f8_pick(f8_less(f8_splat(begin * begin), turn_squared), f8_max(faded, f8_zero()),
                   f8_splat(1.0f));
}

// Sets the bias of the points, from the bodies' angular velocities. `prediction` is that of the
// drift, s.
TNI_KERNEL void group_set_bias(const tni_solver *solver, tni_joint_group *group,
                               const tni_joint_group_rest *rest, tni_v8 w_a, tni_v8 w_b,
                               tni_v8 error, tni_f8 prediction) {
    tni_v8 r_a = group_load(&group->r_a), r_b = group_load(&group->r_b);
    tni_v8 term = v8_sub(v8_cross(w_b, v8_cross(w_b, r_b)), v8_cross(w_a, v8_cross(w_a, r_a)));
    tni_f8 rate = f8_splat(rest->rate);
    tni_v8 bias = {group_bias(solver, rate, error.x, prediction, term.x),
                   group_bias(solver, rate, error.y, prediction, term.y),
                   group_bias(solver, rate, error.z, prediction, term.z)};
    group_store(&group->bias, bias);
}

// Refreshes the arms, the error and the bias of the points.
TNI_KERNEL void group_refresh_point(const tni_solver *solver, tni_joint_group *group,
                                    tni_joint_group_rest *rest, const group_places *a,
                                    const group_places *b, tni_f8 prediction) {
    tni_v8 r_a = group_turn(a, group_load(&rest->anchor_a));
    tni_v8 r_b = group_turn(b, group_load(&rest->anchor_b));
    tni_v8 error = group_measure(a, b, r_a, r_b);
    group_store(&group->r_a, r_a);
    group_store(&group->r_b, r_b);
    group_store(&rest->error, error);
    group_set_bias(solver, group, rest, a->w, b->w, error, prediction);
}

// Returns half a substep, faded out for fast rotation.
TNI_KERNEL tni_f8 group_find_prediction(const tni_solver *solver, tni_v8 w_a, tni_v8 w_b) {
    tni_f8 turn = f8_max(v8_dot(w_a, w_a), v8_dot(w_b, w_b));
    tni_f8 share = group_predict(f8_mul(turn, f8_splat(solver->h * solver->h)));
    return f8_mul(f8_splat(0.5f * solver->h), share);
}

// ---- K and its inverse -------------------------------------------------------------------------

// Adds K of one body to s.
TNI_KERNEL void group_add_response(tni_s8 *s, tni_v8 r, const tni_wide_body *body) {
    const tni_s8 *m = &body->inv_inertia;
    // These are the columns I^-1 (r x e_j).
    tni_v8 of_x = {f8_sub_product(f8_mul(r.z, m->xy), r.y, m->xz),
                   f8_sub_product(f8_mul(r.z, m->yy), r.y, m->yz),
                   f8_sub_product(f8_mul(r.z, m->yz), r.y, m->zz)};
    tni_v8 of_y = {f8_sub_product(f8_mul(r.x, m->xz), r.z, m->xx),
                   f8_sub_product(f8_mul(r.x, m->yz), r.z, m->xy),
                   f8_sub_product(f8_mul(r.x, m->zz), r.z, m->xz)};
    tni_v8 of_z = {f8_sub_product(f8_mul(r.y, m->xx), r.x, m->xy),
                   f8_sub_product(f8_mul(r.y, m->xy), r.x, m->yy),
                   f8_sub_product(f8_mul(r.y, m->xz), r.x, m->yz)};
    s->xx = f8_add(s->xx, f8_sub_product(f8_mul(r.z, of_x.y), r.y, of_x.z));
    s->xy = f8_add(s->xy, f8_sub_product(f8_mul(r.z, of_y.y), r.y, of_y.z));
    s->xz = f8_add(s->xz, f8_sub_product(f8_mul(r.z, of_z.y), r.y, of_z.z));
    s->yy = f8_add(s->yy, f8_sub_product(f8_mul(r.x, of_y.z), r.z, of_y.x));
    s->yz = f8_add(s->yz, f8_sub_product(f8_mul(r.x, of_z.z), r.z, of_z.x));
    s->zz = f8_add(s->zz, f8_sub_product(f8_mul(r.y, of_z.x), r.x, of_z.y));
}

TNI_KERNEL tni_s8 group_matrix(tni_v8 r_a, tni_v8 r_b, const tni_wide_body *a,
                               const tni_wide_body *b) {
    tni_f8 zero = f8_zero();
    tni_v8 mass = v8_add(a->inv_mass, b->inv_mass);
    tni_s8 k = {mass.x, mass.y, mass.z, zero, zero, zero};
    group_add_response(&k, r_a, a);
    group_add_response(&k, r_b, b);
    return k;
}

// Returns the matrix where the mask is set, else zero.
TNI_KERNEL tni_s8 group_pick_matrix(tni_m8 m, const tni_s8 *s) {
    tni_f8 zero = f8_zero();
    tni_s8 picked = {f8_pick(m, s->xx, zero), f8_pick(m, s->yy, zero), f8_pick(m, s->zz, zero),
                     f8_pick(m, s->xy, zero), f8_pick(m, s->xz, zero), f8_pick(m, s->yz, zero)};
    return picked;
}

// Inverts by cofactors. The result is zero where floats are not good enough: solver/rows/pin.c then
// does it joint by joint. Returns 1 / det, or zero there.
TNI_KERNEL tni_f8 group_invert(const tni_s8 *k, tni_v8 diagonal, tni_s8 *out) {
    tni_f8 zero = f8_zero();
    tni_f8 xx = f8_sub_product(f8_mul(k->yy, k->zz), k->yz, k->yz);
    tni_f8 xy = f8_sub_product(f8_mul(k->xz, k->yz), k->xy, k->zz);
    tni_f8 xz = f8_sub_product(f8_mul(k->xy, k->yz), k->xz, k->yy);
    tni_f8 yy = f8_sub_product(f8_mul(k->xx, k->zz), k->xz, k->xz);
    tni_f8 yz = f8_sub_product(f8_mul(k->xy, k->xz), k->xx, k->yz);
    tni_f8 zz = f8_sub_product(f8_mul(k->xx, k->yy), k->xy, k->xy);
    tni_f8 det = f8_add_product(f8_add_product(f8_mul(k->xx, xx), k->xy, xy), k->xz, xz);
    tni_f8 whole = f8_mul(f8_mul(diagonal.x, diagonal.y), diagonal.z);
    tni_f8 floor = f8_max(f8_mul(f8_splat(TNI_PIN_FLOAT_SHARE), whole), f8_splat(FLT_MIN));
    tni_m8 sound = m8_and(f8_less(zero, k->xx), m8_and(f8_less(zero, zz), f8_less(floor, det)));
    tni_f8 scale = f8_pick(sound, f8_div(f8_splat(1.0f), det), zero);
    tni_s8 inverse = {f8_mul(scale, xx), f8_mul(scale, yy), f8_mul(scale, zz),
                      f8_mul(scale, xy), f8_mul(scale, xz), f8_mul(scale, yz)};
    *out = group_pick_matrix(sound, &inverse);
    return scale;
}

// ---- what a step leaves -----------------------------------------------------------------------

// Takes the errors' lengths. Returns true where some are beyond the limits, or greater than
// `worst`, which is then set to the worst of all. It is written so that a NaN is beyond the
// tolerance.
TNI_KERNEL bool group_note_lengths(tni_f8 length, float tolerance, const tni_joint_limits *limits,
                                   float *lengths, float *changes, float *worst) {
    tni_f8 change = f8_abs(f8_sub(length, f8_load(lengths)));
    f8_store(lengths, length);
    f8_store(changes, change);
    tni_m8 is_open = f8_less(f8_splat(limits->open), length);
    tni_m8 is_closing = f8_less(f8_mul(f8_splat(limits->closing_share), length), change);
    tni_m8 is_within = f8_less(length, f8_splat(tolerance));
    tni_f8 beyond = f8_pick(is_within, f8_zero(), f8_splat(1.0f));
    tni_m8 is_worse = f8_less(f8_splat(*worst), length);
    bool has_worse = m8_any(is_worse);
    for (uint32_t lane = 0; lane < WIDE_LANES && has_worse; ++lane) {
        *worst = maths_max(lengths[lane], *worst);
    }
    return has_worse || m8_any(m8_or(m8_and(is_open, is_closing), f8_less(f8_zero(), beyond)));
}

// Sets K^-1 of the group; returns false where it is zero in some lane.
TNI_KERNEL bool group_invert_into(const tni_s8 *k, tni_joint_group *group) {
    tni_s8 inverse;
    tni_f8 scale = group_invert(k, v8_make(k->xx, k->yy, k->zz), &inverse);
    group_store_symmetric(group->inverse[0], &inverse);
    return !m8_any(f8_less(scale, f8_splat(FLT_MIN)));
}

#endif
