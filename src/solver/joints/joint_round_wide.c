// solver/joints/joint_round_wide.c: the phases of eight ball joints between balls, cubes and the
// like.
//
// Where both bodies of all joints of a group are round (equal moments of inertia, nothing locked),
// or do not move, an inverse mass m and an inverse moment i is all there is to them. These stay
// what they are and stand in the group's lanes, so that of a body only its velocities are gathered:
//     K_ij = (m_a + m_b) d_ij + i_a (|r_a|^2 d_ij - r_a,i r_a,j) + the same of b
//     v_b += m_b x      w_b += i_b r_b x x      and less of that for a
// Each number comes of the same operations as in solver/joints/joint_group_wide.c without those
// whose factor is zero, so the bits are the same. Added inertia
// (solver/bodies/geometric_stiffness.c) is not round: while one of its bodies has some, a group
// goes the general way. Besides, what follows on each other there is one pass here: a new pose and
// the second half of the warm start, and the last sweep with what a substep leaves. Test:
// tests/solver/joints/test_joint_group.c
#include "solver/joints/joint_round_lanes.h"

// Velocities as they stand in two rows of four: what is behind them goes back as it came.
typedef struct round_body {
    tni_f8 v[4], w[4];
} round_body;

TNI_KERNEL round_body round_load(const tni_solver *solver, const uint32_t body[WIDE_LANES]) {
    round_body lanes;
    f8_gather4(solver->states->numbers, WIDE_BODY_FLOATS, body, lanes.v);
    f8_gather4(solver->states->numbers + TNI_STATE_W, WIDE_BODY_FLOATS, body, lanes.w);
    return lanes;
}

TNI_KERNEL void round_store(const tni_solver *solver, const uint32_t body[WIDE_LANES],
                            round_body *lanes) {
    f8_transpose(&lanes->v[0], &lanes->v[1], &lanes->v[2], &lanes->v[3]);
    f8_transpose(&lanes->w[0], &lanes->w[1], &lanes->w[2], &lanes->w[3]);
    for (uint32_t i = 0; i < 4; ++i) {
        float *low = solver->states[body[i]].numbers, *high = solver->states[body[i + 4]].numbers;
        f8_store_halves(low, high, lanes->v[i]);
        f8_store_halves(low + TNI_STATE_W, high + TNI_STATE_W, lanes->w[i]);
    }
}

TNI_KERNEL round_ends round_get_ends(const round_body *a, const round_body *b) {
    round_ends ends = {v8_make(a->v[0], a->v[1], a->v[2]), v8_make(a->w[0], a->w[1], a->w[2]),
                       v8_make(b->v[0], b->v[1], b->v[2]), v8_make(b->w[0], b->w[1], b->w[2])};
    return ends;
}

TNI_KERNEL void round_set(round_body *lanes, tni_v8 v, tni_v8 w) {
    lanes->v[0] = v.x;
    lanes->v[1] = v.y;
    lanes->v[2] = v.z;
    lanes->w[0] = w.x;
    lanes->w[1] = w.y;
    lanes->w[2] = w.z;
}

TNI_KERNEL void round_set_ends(const tni_solver *solver, const tni_joint_group *group,
                               round_body *a, round_body *b, const round_ends *ends) {
    round_set(a, ends->v_a, ends->w_a);
    round_set(b, ends->v_b, ends->w_b);
    round_store(solver, group->body_a, a);
    round_store(solver, group->body_b, b);
}

// ---- sweeps -----------------------------------------------------------------------------------

TNI_KERNEL void round_sweep(const tni_solver *solver, tni_joint_group *group, tni_softness soft,
                            bool use_bias) {
    round_body a = round_load(solver, group->body_a), b = round_load(solver, group->body_b);
    round_ends ends = round_get_ends(&a, &b);
    round_solve(group, soft, use_bias, &ends);
    round_set_ends(solver, group, &a, &b, &ends);
}

void WIDE_NAME(tni_joint_round_solve)(const tni_solver *solver, tni_joint_group *groups,
                                      uint32_t count, tni_softness soft, bool use_bias) {
    for (uint32_t i = 0; i < count && use_bias; ++i) {
        round_sweep(solver, &groups[i], soft, true);
    }
    for (uint32_t i = 0; i < count && !use_bias; ++i) {
        round_sweep(solver, &groups[i], soft, false);
    }
}

void WIDE_NAME(tni_joint_round_settle)(const tni_solver *solver, tni_joint_group *groups,
                                       tni_joint_group_rest *rests, uint32_t count) {
    const tni_softness none = {0.0f, 1.0f, 0.0f};
    for (uint32_t i = 0; i < count; ++i) {
        round_sweep(solver, &groups[i], none, false);
        round_note(&groups[i], &rests[i]);
    }
}

// ---- warm start -------------------------------------------------------------------------------

TNI_KERNEL void round_start(const tni_solver *solver, tni_joint_group *group, bool is_first_half) {
    round_body a = round_load(solver, group->body_a), b = round_load(solver, group->body_b);
    round_ends ends = round_get_ends(&a, &b);
    round_push(group, is_first_half, &ends);
    round_set_ends(solver, group, &a, &b, &ends);
}

// The first half.
void WIDE_NAME(tni_joint_round_warm_start)(const tni_solver *solver, tni_joint_group *groups,
                                           uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        round_start(solver, &groups[i], true);
    }
}

// ---- a new pose -------------------------------------------------------------------------------

bool WIDE_NAME(tni_joint_round_renew)(const tni_solver *solver, tni_joint_group *group,
                                      tni_joint_group_rest *rest) {
    group_move(solver, group, rest);
    round_start(solver, group, false);
    return round_invert(group);
}
