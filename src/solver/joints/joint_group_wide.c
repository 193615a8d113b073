// solver/joints/joint_group_wide.c: the phases of eight ball joints at once: see
// solver/joints/joint_group.h.
//
// With the symbols of solver/rows/pin.h, component by component:
//     x = mass_scale K^-1 (v_b + w_b x r_b - v_a - w_a x r_a + bias) + impulse_scale X
// C and K are those of solver/joints/joint_group_lanes.h.
// Test: tests/solver/joints/test_joint_group.c
#include "solver/joints/joint_group_lanes.h"

// ---- sweeps -----------------------------------------------------------------------------------

TNI_KERNEL void group_solve(const tni_solver *solver, tni_joint_group *group, tni_softness soft,
                            bool use_bias) {
    tni_wide_body a = wide_body_load(solver->states, group->body_a);
    tni_wide_body b = wide_body_load(solver->states, group->body_b);
    group_solve_bodies(group, soft, use_bias, &a, &b);
    wide_body_store_moving(solver->states, group->body_a, group->moving_a, &a);
    wide_body_store_moving(solver->states, group->body_b, group->moving_b, &b);
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

TNI_KERNEL void group_warm_start(const tni_solver *solver, tni_joint_group *group,
                                 bool is_first_half) {
    tni_wide_body a = wide_body_load(solver->states, group->body_a);
    tni_wide_body b = wide_body_load(solver->states, group->body_b);
    group_push_bodies(group, is_first_half, &a, &b);
    wide_body_store_moving(solver->states, group->body_a, group->moving_a, &a);
    wide_body_store_moving(solver->states, group->body_b, group->moving_b, &b);
}

void WIDE_NAME(tni_joint_group_warm_start)(const tni_solver *solver, tni_joint_group *groups,
                                           uint32_t count, bool is_first_half) {
    for (uint32_t i = 0; i < count; ++i) {
        group_warm_start(solver, &groups[i], is_first_half);
    }
}

// ---- refresh ----------------------------------------------------------------------------------

bool WIDE_NAME(tni_joint_group_refresh)(const tni_solver *solver, tni_joint_group *group,
                                        tni_joint_group_rest *rest) {
    group_move(solver, group, rest);
    tni_wide_body a = wide_body_load(solver->states, group->body_a);
    tni_wide_body b = wide_body_load(solver->states, group->body_b);
    tni_s8 k = group_matrix(group_load(&group->r_a), group_load(&group->r_b), &a, &b);
    return group_invert_into(&k, group);
}

// ---- what a substep leaves --------------------------------------------------------------------

bool WIDE_NAME(tni_joint_group_store)(const tni_joint_group *group, tni_joint_group_rest *rest) {
    tni_v8 x = group_load(&group->impulse);
    return group_note_impulse(rest, x, v8_cross(group_load(&group->r_b), x));
}

// ---- what a step leaves -----------------------------------------------------------------------

bool WIDE_NAME(tni_joint_group_finish)(tni_joint_group_rest *rest, const tni_joint_limits *limits,
                                       float *worst) {
    tni_v8 error = group_load(&rest->error);
    return group_note_lengths(f8_sqrt(v8_dot(error, error)), limits->tolerance, limits,
                              rest->length, rest->change, worst);
}
