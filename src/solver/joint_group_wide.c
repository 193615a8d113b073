// solver/joint_group_wide.c: the phases of eight ball joints at once: see solver/joint_group.h.
//
// With the symbols of solver/pin.h, component by component:
//     r = q anchor q*                  C = x_b - x_a + r_b - r_a
//     K = (m_a^-1 + m_b^-1) 1 + K_a + K_b,   of each body  K_ij = (r x e_i) . I^-1 (r x e_j)
//     x = mass_scale K^-1 (v_b + w_b x r_b - v_a - w_a x r_a + bias) + impulse_scale X
// C is found from positions in two floats, of which the difference of the high parts is taken with
// its rounding error: for s = b - a that is (b - (s + t)) + (t - a), t = b - s. K is inverted by
// cofactors; where a pivot falls to round-off of its diagonal the caller does it one by one.
// Source of the exact difference: D. Knuth, "The art of computer programming", vol. 2, 3rd ed.
// 1997, 4.2.2, theorem B. Test: tests/solver/test_joint_group.c
#include "solver/dense.h"
#include "solver/joint_group.h"

typedef struct group_vector {
    tni_f8 x, y, z;
} group_vector;

typedef struct group_sym3 {
    tni_f8 xx, yy, zz, xy, xz, yz;
} group_sym3;

// The states of eight bodies, whole.
typedef struct group_bodies {
    group_vector v, w, inv_mass;
    tni_f8 unused;
    group_sym3 inertia;
} group_bodies;

// ---- vectors ----------------------------------------------------------------------------------

TNI_FORCE_INLINE group_vector group_load(const tni_group_vectors *numbers) {
    group_vector v = {f8_load(numbers->n[0]), f8_load(numbers->n[1]), f8_load(numbers->n[2])};
    return v;
}

TNI_FORCE_INLINE void group_store(tni_group_vectors *numbers, group_vector v) {
    f8_store(numbers->n[0], v.x);
    f8_store(numbers->n[1], v.y);
    f8_store(numbers->n[2], v.z);
}

TNI_FORCE_INLINE group_vector group_add(group_vector a, group_vector b) {
    group_vector c = {f8_add(a.x, b.x), f8_add(a.y, b.y), f8_add(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE group_vector group_sub(group_vector a, group_vector b) {
    group_vector c = {f8_sub(a.x, b.x), f8_sub(a.y, b.y), f8_sub(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE group_vector group_mul(group_vector a, group_vector b) {
    group_vector c = {f8_mul(a.x, b.x), f8_mul(a.y, b.y), f8_mul(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE group_vector group_scale(tni_f8 s, group_vector v) {
    group_vector c = {f8_mul(s, v.x), f8_mul(s, v.y), f8_mul(s, v.z)};
    return c;
}

TNI_FORCE_INLINE tni_f8 group_dot(group_vector a, group_vector b) {
    return f8_add_product(f8_add_product(f8_mul(a.x, b.x), a.y, b.y), a.z, b.z);
}

TNI_FORCE_INLINE group_vector group_cross(group_vector a, group_vector b) {
    group_vector c = {f8_sub_product(f8_mul(a.y, b.z), a.z, b.y),
                      f8_sub_product(f8_mul(a.z, b.x), a.x, b.z),
                      f8_sub_product(f8_mul(a.x, b.y), a.y, b.x)};
    return c;
}

TNI_FORCE_INLINE group_vector group_flush(group_vector v, float limit) {
    group_vector c = {f8_flush(v.x, limit), f8_flush(v.y, limit), f8_flush(v.z, limit)};
    return c;
}

TNI_FORCE_INLINE group_vector group_mul_sym3(const group_sym3 *m, group_vector v) {
    group_vector c = {f8_add_product(f8_add_product(f8_mul(m->xx, v.x), m->xy, v.y), m->xz, v.z),
                      f8_add_product(f8_add_product(f8_mul(m->xy, v.x), m->yy, v.y), m->yz, v.z),
                      f8_add_product(f8_add_product(f8_mul(m->xz, v.x), m->yz, v.y), m->zz, v.z)};
    return c;
}

// ---- bodies into lanes and back ---------------------------------------------------------------

// Four numbers of eight bodies, `stride` floats from body to body.
TNI_FORCE_INLINE void group_gather(const float *numbers, uint32_t stride,
                                   const uint32_t body[WIDE_LANES], tni_f8 out[4]) {
    for (uint32_t i = 0; i < 4; ++i) {
        out[i] = f8_load_halves(numbers + (size_t)stride * body[i],
                                numbers + (size_t)stride * body[i + 4]);
    }
    f8_transpose(&out[0], &out[1], &out[2], &out[3]);
}

#define GROUP_STATE_FLOATS (uint32_t)(sizeof(tni_body_state) / sizeof(float))
#define GROUP_PLACE_FLOATS (uint32_t)(sizeof(tni_body_place) / sizeof(float))

TNI_FORCE_INLINE group_bodies group_get_bodies(const tni_body_state *states,
                                               const uint32_t body[WIDE_LANES]) {
    tni_f8 p[4], q[4], r[4], s[4];
    group_gather(states->numbers, GROUP_STATE_FLOATS, body, p);
    group_gather(states->numbers + 4, GROUP_STATE_FLOATS, body, q);
    group_gather(states->numbers + 8, GROUP_STATE_FLOATS, body, r);
    group_gather(states->numbers + 12, GROUP_STATE_FLOATS, body, s);
    group_bodies bodies = {.v = {p[0], p[1], p[2]},
                           .unused = p[3],
                           .w = {q[0], q[1], q[2]},
                           .inv_mass = {q[3], r[0], r[1]},
                           .inertia = {r[2], r[3], s[0], s[1], s[2], s[3]}};
    return bodies;
}

// Their velocities; what lies behind goes back as it came.
TNI_FORCE_INLINE void group_set_velocities(tni_body_state *states, const uint32_t body[WIDE_LANES],
                                           const group_bodies *bodies) {
    tni_f8 v[4] = {bodies->v.x, bodies->v.y, bodies->v.z, bodies->unused};
    tni_f8 w[4] = {bodies->w.x, bodies->w.y, bodies->w.z, bodies->inv_mass.x};
    f8_transpose(&v[0], &v[1], &v[2], &v[3]);
    f8_transpose(&w[0], &w[1], &w[2], &w[3]);
    for (uint32_t i = 0; i < 4; ++i) {
        float *p = states[body[i]].numbers, *q = states[body[i + 4]].numbers;
        f8_store_halves(p, q, v[i]);
        f8_store_halves(p + TNI_STATE_W, q + TNI_STATE_W, w[i]);
    }
}

// ---- sweeps -----------------------------------------------------------------------------------

// v -= W J^T x
TNI_FORCE_INLINE void group_subtract(const tni_joint_group *group, group_vector x, group_bodies *a,
                                     group_bodies *b) {
    a->v = group_add(a->v, group_mul(a->inv_mass, x));
    b->v = group_sub(b->v, group_mul(b->inv_mass, x));
    group_vector on_a = group_cross(group_load(&group->r_a), x);
    group_vector on_b = group_cross(group_load(&group->r_b), x);
    a->w = group_add(a->w, group_mul_sym3(&a->inertia, on_a));
    b->w = group_sub(b->w, group_mul_sym3(&b->inertia, on_b));
}

TNI_FORCE_INLINE group_sym3 group_load_inverse(const tni_joint_group *group) {
    group_sym3 inverse = {f8_load(group->inverse[0]), f8_load(group->inverse[1]),
                          f8_load(group->inverse[2]), f8_load(group->inverse[3]),
                          f8_load(group->inverse[4]), f8_load(group->inverse[5])};
    return inverse;
}

TNI_FORCE_INLINE void group_solve(const tni_solver *solver, tni_joint_group *group,
                                  tni_softness soft, bool use_bias) {
    group_bodies a = group_get_bodies(solver->states, group->body_a);
    group_bodies b = group_get_bodies(solver->states, group->body_b);
    group_vector r = group_sub(b.v, a.v);
    r = group_add(r, group_cross(b.w, group_load(&group->r_b)));
    r = group_sub(r, group_cross(a.w, group_load(&group->r_a)));
    group_vector old = group_load(&group->impulse);
    group_sym3 inverse = group_load_inverse(group);
    group_vector x;
    if (use_bias) {
        r = group_scale(f8_splat(soft.mass_scale), group_add(r, group_load(&group->bias)));
        x = group_mul_sym3(&inverse, r);
        x = group_add(x, group_scale(f8_splat(soft.impulse_scale), old));
    } else {
        x = group_mul_sym3(&inverse, r);
    }
    group_store(&group->impulse, group_sub(old, x));
    group_subtract(group, x, &a, &b);
    group_set_velocities(solver->states, group->body_a, &a);
    group_set_velocities(solver->states, group->body_b, &b);
}

// Written twice, so that solve B does nothing about bias.
void WIDE_NAME(tni_joint_group_solve)(const tni_solver *solver, tni_joint_group *groups,
                                      uint32_t count, tni_softness soft, bool use_bias) {
    if (use_bias) {
        for (uint32_t i = 0; i < count; ++i) {
            group_solve(solver, &groups[i], soft, true);
        }
    } else {
        for (uint32_t i = 0; i < count; ++i) {
            group_solve(solver, &groups[i], soft, false);
        }
    }
}

TNI_FORCE_INLINE void group_warm_start(const tni_solver *solver, tni_joint_group *group,
                                       bool is_first_half) {
    group_vector impulse = group_load(&group->impulse), warm;
    if (is_first_half) {
        warm = group_flush(group_scale(f8_splat(0.5f), impulse), PIN_TINY_IMPULSE);
        impulse = warm;
        group_store(&group->warm, warm);
    } else {
        warm = group_load(&group->warm);
        impulse = group_add(impulse, warm);
    }
    group_store(&group->impulse, impulse);
    group_bodies a = group_get_bodies(solver->states, group->body_a);
    group_bodies b = group_get_bodies(solver->states, group->body_b);
    tni_f8 zero = f8_zero();
    group_vector none = {zero, zero, zero};
    group_subtract(group, group_sub(none, warm), &a, &b);
    group_set_velocities(solver->states, group->body_a, &a);
    group_set_velocities(solver->states, group->body_b, &b);
}

void WIDE_NAME(tni_joint_group_warm_start)(const tni_solver *solver, tni_joint_group *groups,
                                           uint32_t count, bool is_first_half) {
    for (uint32_t i = 0; i < count; ++i) {
        group_warm_start(solver, &groups[i], is_first_half);
    }
}

// ---- refresh ----------------------------------------------------------------------------------

typedef struct group_places {
    group_vector u, high, low, w; // u: of the rotation, as real
    tni_f8 real;
} group_places;

TNI_FORCE_INLINE group_places group_get_places(const tni_body_place *places,
                                               const uint32_t body[WIDE_LANES]) {
    tni_f8 p[4], q[4], r[4], s[4];
    group_gather(places->rotation, GROUP_PLACE_FLOATS, body, p);
    group_gather(places->high, GROUP_PLACE_FLOATS, body, q);
    group_gather(places->low, GROUP_PLACE_FLOATS, body, r);
    group_gather(places->w, GROUP_PLACE_FLOATS, body, s);
    group_places all = {.u = {p[0], p[1], p[2]},
                        .real = p[3],
                        .high = {q[0], q[1], q[2]},
                        .low = {r[0], r[1], r[2]},
                        .w = {s[0], s[1], s[2]}};
    return all;
}

// As dquat_rotate: v + 2 u x (u x v + real v)
TNI_FORCE_INLINE group_vector group_turn(const group_places *place, group_vector v) {
    group_vector t = group_add(group_cross(place->u, v), group_scale(place->real, v));
    group_vector c = group_cross(place->u, t);
    return group_flush(group_add(v, group_add(c, c)), MATHS_TINY);
}

// b - a and the rounding error of that.
TNI_FORCE_INLINE tni_f8 group_exact_sub(tni_f8 b, tni_f8 a, tni_f8 *out_error) {
    tni_f8 s = f8_sub(b, a), t = f8_sub(b, s);
    *out_error = f8_add(f8_sub(b, f8_add(s, t)), f8_sub(t, a));
    return s;
}

TNI_FORCE_INLINE group_vector group_measure(const group_places *a, const group_places *b,
                                            group_vector r_a, group_vector r_b) {
    group_vector error, between = {group_exact_sub(b->high.x, a->high.x, &error.x),
                                   group_exact_sub(b->high.y, a->high.y, &error.y),
                                   group_exact_sub(b->high.z, a->high.z, &error.z)};
    error = group_add(error, group_sub(b->low, a->low));
    return group_flush(group_add(group_add(between, group_sub(r_b, r_a)), error), MATHS_TINY);
}

TNI_FORCE_INLINE tni_f8 group_clamp(tni_f8 x, float most) {
    return f8_max(f8_min(x, f8_splat(most)), f8_splat(-most));
}

// See joint_bias in solver/joint_block.c.
TNI_FORCE_INLINE tni_f8 group_bias(const tni_solver *solver, float rate, tni_f8 error,
                                   tni_f8 prediction, tni_f8 velocity_term) {
    error = f8_sub(error, group_clamp(error, solver->joint_bias.slop));
    tni_f8 speed = f8_mul(error, f8_splat(rate));
    speed = group_clamp(speed, solver->joint_bias.max_speed);
    return f8_add_product(speed, prediction, velocity_term);
}

// The share of the drift that is predicted: see joint_prediction_share in solver/joint_block.c.
TNI_FORCE_INLINE tni_f8 group_predict(tni_f8 turn_squared) {
    const float begin = JOINT_PREDICTION_END - 1.0f;
    tni_f8 faded = f8_sub(f8_splat(JOINT_PREDICTION_END), f8_sqrt(turn_squared));
    return f8_pick(f8_less(f8_splat(begin * begin), turn_squared), f8_max(faded, f8_zero()),
                   f8_splat(1.0f));
}

// s, to which K of one body is added.
TNI_FORCE_INLINE void group_add_response(group_sym3 *s, group_vector r, const group_bodies *body) {
    const group_sym3 *m = &body->inertia;
    // I^-1 (r x e_j)
    group_vector of_x = {f8_sub_product(f8_mul(r.z, m->xy), r.y, m->xz),
                         f8_sub_product(f8_mul(r.z, m->yy), r.y, m->yz),
                         f8_sub_product(f8_mul(r.z, m->yz), r.y, m->zz)};
    group_vector of_y = {f8_sub_product(f8_mul(r.x, m->xz), r.z, m->xx),
                         f8_sub_product(f8_mul(r.x, m->yz), r.z, m->xy),
                         f8_sub_product(f8_mul(r.x, m->zz), r.z, m->xz)};
    group_vector of_z = {f8_sub_product(f8_mul(r.y, m->xx), r.x, m->xy),
                         f8_sub_product(f8_mul(r.y, m->xy), r.x, m->yy),
                         f8_sub_product(f8_mul(r.y, m->xz), r.x, m->yz)};
    s->xx = f8_add(s->xx, f8_sub_product(f8_mul(r.z, of_x.y), r.y, of_x.z));
    s->xy = f8_add(s->xy, f8_sub_product(f8_mul(r.z, of_y.y), r.y, of_y.z));
    s->xz = f8_add(s->xz, f8_sub_product(f8_mul(r.z, of_z.y), r.y, of_z.z));
    s->yy = f8_add(s->yy, f8_sub_product(f8_mul(r.x, of_y.z), r.z, of_y.x));
    s->yz = f8_add(s->yz, f8_sub_product(f8_mul(r.x, of_z.z), r.z, of_z.x));
    s->zz = f8_add(s->zz, f8_sub_product(f8_mul(r.y, of_z.x), r.x, of_z.y));
}

TNI_FORCE_INLINE group_sym3 group_matrix(group_vector r_a, group_vector r_b, const group_bodies *a,
                                         const group_bodies *b) {
    tni_f8 zero = f8_zero();
    group_vector mass = group_add(a->inv_mass, b->inv_mass);
    group_sym3 k = {mass.x, mass.y, mass.z, zero, zero, zero};
    group_add_response(&k, r_a, a);
    group_add_response(&k, r_b, b);
    return k;
}

// Zero where a pivot is not sound. False where there is such a lane.
TNI_FORCE_INLINE bool group_invert(const group_sym3 *k, float out[6][WIDE_LANES]) {
    tni_f8 floor = f8_splat(DENSE_PIVOT_FLOOR), least = f8_splat(FLT_MIN), zero = f8_zero();
    tni_f8 xx = f8_sub_product(f8_mul(k->yy, k->zz), k->yz, k->yz);
    tni_f8 xy = f8_sub_product(f8_mul(k->xz, k->yz), k->xy, k->zz);
    tni_f8 xz = f8_sub_product(f8_mul(k->xy, k->yz), k->xz, k->yy);
    tni_f8 yy = f8_sub_product(f8_mul(k->xx, k->zz), k->xz, k->xz);
    tni_f8 yz = f8_sub_product(f8_mul(k->xy, k->xz), k->xx, k->yz);
    tni_f8 zz = f8_sub_product(f8_mul(k->xx, k->yy), k->xy, k->xy);
    tni_f8 det = f8_add_product(f8_add_product(f8_mul(k->xx, xx), k->xy, xy), k->xz, xz);
    tni_f8 second_floor = f8_max(f8_mul(floor, f8_mul(k->xx, k->yy)), least);
    tni_f8 det_floor = f8_max(f8_mul(floor, f8_mul(zz, k->zz)), least);
    tni_m8 sound =
        m8_and(f8_less(least, k->xx), m8_and(f8_less(second_floor, zz), f8_less(det_floor, det)));
    tni_f8 scale = f8_pick(sound, f8_div(f8_splat(1.0f), det), zero);
    const tni_f8 inverse[6] = {xx, yy, zz, xy, xz, yz};
    for (uint32_t i = 0; i < 6; ++i) {
        f8_store(out[i], f8_pick(sound, f8_mul(scale, inverse[i]), zero));
    }
    return !m8_any(f8_less(scale, least));
}

bool WIDE_NAME(tni_joint_group_refresh)(const tni_solver *solver, tni_joint_group *group,
                                        tni_joint_group_rest *rest) {
    group_places at_a = group_get_places(solver->places, group->body_a);
    group_places at_b = group_get_places(solver->places, group->body_b);
    group_vector r_a = group_turn(&at_a, group_load(&rest->anchor_a));
    group_vector r_b = group_turn(&at_b, group_load(&rest->anchor_b));
    group_vector error = group_measure(&at_a, &at_b, r_a, r_b);
    group_vector term = group_sub(group_cross(at_b.w, group_cross(at_b.w, r_b)),
                                  group_cross(at_a.w, group_cross(at_a.w, r_a)));
    tni_f8 turn = f8_max(group_dot(at_a.w, at_a.w), group_dot(at_b.w, at_b.w));
    tni_f8 prediction = group_predict(f8_mul(turn, f8_splat(solver->h * solver->h)));
    prediction = f8_mul(f8_splat(0.5f * solver->h), prediction);
    group_vector bias = {group_bias(solver, rest->rate, error.x, prediction, term.x),
                         group_bias(solver, rest->rate, error.y, prediction, term.y),
                         group_bias(solver, rest->rate, error.z, prediction, term.z)};
    group_store(&group->r_a, r_a);
    group_store(&group->r_b, r_b);
    group_store(&group->bias, bias);
    group_store(&rest->error, error);
    group_bodies a = group_get_bodies(solver->states, group->body_a);
    group_bodies b = group_get_bodies(solver->states, group->body_b);
    group_sym3 k = group_matrix(r_a, r_b, &a, &b);
    return group_invert(&k, group->inverse);
}

// ---- what a substep leaves --------------------------------------------------------------------

bool WIDE_NAME(tni_joint_group_store)(const tni_joint_group *group, tni_joint_group_rest *rest) {
    group_vector x = group_load(&group->impulse);
    group_store(&rest->force, group_add(group_load(&rest->force), x));
    group_vector torque = group_cross(group_load(&group->r_b), x);
    group_store(&rest->torque, group_add(group_load(&rest->torque), torque));
    return m8_any(f8_less(f8_load(rest->threshold), group_dot(x, x)));
}
