// solver/joint_round_wide.c: the phases of eight ball joints between balls, cubes and the like.
//
// Where both bodies of all joints of a group are round (equal moments of inertia, nothing locked),
// or do not move, an inverse mass m and an inverse moment i is all there is to them. These stay
// what they are and stand in the group's lanes, so that of a body only its velocities are gathered:
//     K_ij = (m_a + m_b) d_ij + i_a (|r_a|^2 d_ij - r_a,i r_a,j) + the same of b
//     v_b += m_b x      w_b += i_b r_b x x      and less of that for a
// Each number comes of the same operations as in solver/joint_group_wide.c without those whose
// factor is zero, so the bits are the same. Added inertia (solver/geometric_stiffness.c) is not
// round: while there is some, groups go the general way.
// Besides, what follows on each other there is one pass here: a new pose and the second half of the
// warm start, and the last sweep with what a substep leaves. Test: tests/solver/test_joint_group.c
#include "solver/joint_group_lanes.h"

// Velocities as they stand in two rows of four: what is behind them goes back as it came.
typedef struct round_body {
    tni_f8 v[4], w[4];
} round_body;

TNI_FORCE_INLINE round_body round_load(const tni_solver *solver, const uint32_t body[WIDE_LANES]) {
    round_body lanes;
    f8_gather4(solver->states->numbers, WIDE_BODY_FLOATS, body, lanes.v);
    f8_gather4(solver->states->numbers + TNI_STATE_W, WIDE_BODY_FLOATS, body, lanes.w);
    return lanes;
}

TNI_FORCE_INLINE void round_store(const tni_solver *solver, const uint32_t body[WIDE_LANES],
                                  round_body *lanes) {
    f8_transpose(&lanes->v[0], &lanes->v[1], &lanes->v[2], &lanes->v[3]);
    f8_transpose(&lanes->w[0], &lanes->w[1], &lanes->w[2], &lanes->w[3]);
    for (uint32_t i = 0; i < 4; ++i) {
        float *low = solver->states[body[i]].numbers, *high = solver->states[body[i + 4]].numbers;
        f8_store_halves(low, high, lanes->v[i]);
        f8_store_halves(low + TNI_STATE_W, high + TNI_STATE_W, lanes->w[i]);
    }
}

TNI_FORCE_INLINE tni_v8 round_get_v(const round_body *lanes) {
    return v8_make(lanes->v[0], lanes->v[1], lanes->v[2]);
}

TNI_FORCE_INLINE tni_v8 round_get_w(const round_body *lanes) {
    return v8_make(lanes->w[0], lanes->w[1], lanes->w[2]);
}

TNI_FORCE_INLINE void round_set(round_body *lanes, tni_v8 v, tni_v8 w) {
    lanes->v[0] = v.x;
    lanes->v[1] = v.y;
    lanes->v[2] = v.z;
    lanes->w[0] = w.x;
    lanes->w[1] = w.y;
    lanes->w[2] = w.z;
}

// ---- sweeps -----------------------------------------------------------------------------------

// Impulses -x on b and x on a.
TNI_FORCE_INLINE void round_subtract(const tni_joint_group *group, tni_v8 r_a, tni_v8 r_b, tni_v8 x,
                                     round_body *a, round_body *b) {
    const tni_joint_round *round = &group->round;
    tni_v8 v_a = v8_add(round_get_v(a), v8_scale(f8_load(round->mass_a), x));
    tni_v8 v_b = v8_sub(round_get_v(b), v8_scale(f8_load(round->mass_b), x));
    tni_v8 on_a = v8_scale(f8_load(round->inertia_a), v8_cross(r_a, x));
    tni_v8 on_b = v8_scale(f8_load(round->inertia_b), v8_cross(r_b, x));
    round_set(a, v_a, v8_add(round_get_w(a), on_a));
    round_set(b, v_b, v8_sub(round_get_w(b), on_b));
}

// Returns the new impulse.
TNI_FORCE_INLINE tni_v8 round_solve(const tni_solver *solver, tni_joint_group *group,
                                    tni_softness soft, bool use_bias) {
    round_body a = round_load(solver, group->body_a), b = round_load(solver, group->body_b);
    tni_v8 r_a = group_load(&group->r_a), r_b = group_load(&group->r_b);
    tni_v8 r = group_get_speed(round_get_v(&a), round_get_w(&a), r_a, round_get_v(&b),
                               round_get_w(&b), r_b);
    round_subtract(group, r_a, r_b, group_find_change(group, soft, use_bias, r), &a, &b);
    round_store(solver, group->body_a, &a);
    round_store(solver, group->body_b, &b);
    return group_load(&group->impulse);
}

void WIDE_NAME(tni_joint_round_solve)(const tni_solver *solver, tni_joint_group *groups,
                                      uint32_t count, tni_softness soft, bool use_bias) {
    for (uint32_t i = 0; i < count && use_bias; ++i) {
        round_solve(solver, &groups[i], soft, true);
    }
    for (uint32_t i = 0; i < count && !use_bias; ++i) {
        round_solve(solver, &groups[i], soft, false);
    }
}

void WIDE_NAME(tni_joint_round_settle)(const tni_solver *solver, tni_joint_group *groups,
                                       tni_joint_group_rest *rests, uint32_t count) {
    const tni_softness none = {0.0f, 1.0f, 0.0f};
    for (uint32_t i = 0; i < count; ++i) {
        tni_joint_group_rest *rest = &rests[i];
        tni_v8 x = round_solve(solver, &groups[i], none, false);
        rest->may_stiffen = group_note_impulse(rest, x, v8_cross(group_load(&groups[i].r_b), x));
        rest->is_settled = true;
    }
}

// ---- warm start -------------------------------------------------------------------------------

TNI_FORCE_INLINE void round_push(const tni_solver *solver, const tni_joint_group *group, tni_v8 r_a,
                                 tni_v8 r_b, tni_v8 warm) {
    round_body a = round_load(solver, group->body_a), b = round_load(solver, group->body_b);
    round_subtract(group, r_a, r_b, v8_sub(v8_zero(), warm), &a, &b);
    round_store(solver, group->body_a, &a);
    round_store(solver, group->body_b, &b);
}

// The first half.
void WIDE_NAME(tni_joint_round_warm_start)(const tni_solver *solver, tni_joint_group *groups,
                                           uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        tni_joint_group *group = &groups[i];
        tni_v8 warm = group_halve_point(group, true);
        round_push(solver, group, group_load(&group->r_a), group_load(&group->r_b), warm);
    }
}

// ---- a new pose -------------------------------------------------------------------------------

// To k that of one body.
TNI_FORCE_INLINE void round_add_response(tni_s8 *k, tni_v8 r, tni_f8 inertia) {
    tni_v8 ir = v8_scale(inertia, r);
    k->xx = f8_add(k->xx, f8_add_product(f8_mul(r.z, ir.z), r.y, ir.y));
    k->yy = f8_add(k->yy, f8_add_product(f8_mul(r.x, ir.x), r.z, ir.z));
    k->zz = f8_add(k->zz, f8_add_product(f8_mul(r.y, ir.y), r.x, ir.x));
    k->xy = f8_sub_product(k->xy, r.y, ir.x);
    k->xz = f8_sub_product(k->xz, r.z, ir.x);
    k->yz = f8_sub_product(k->yz, r.z, ir.y);
}

bool WIDE_NAME(tni_joint_round_renew)(const tni_solver *solver, tni_joint_group *group,
                                      tni_joint_group_rest *rest) {
    const tni_joint_round *round = &group->round;
    group_move(solver, group, rest);
    tni_v8 r_a = group_load(&group->r_a), r_b = group_load(&group->r_b);
    tni_f8 mass = f8_add(f8_load(round->mass_a), f8_load(round->mass_b)), zero = f8_zero();
    tni_s8 k = {mass, mass, mass, zero, zero, zero};
    round_add_response(&k, r_a, f8_load(round->inertia_a));
    round_add_response(&k, r_b, f8_load(round->inertia_b));
    round_push(solver, group, r_a, r_b, group_halve_point(group, false));
    return group_invert_into(&k, group);
}
