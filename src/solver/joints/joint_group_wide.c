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
    tni_wide_body a = wide_body_load(solver->bodies.states, group->body_a);
    tni_wide_body b = wide_body_load(solver->bodies.states, group->body_b);
    tni_v8 r_a = group_load(&group->r_a), r_b = group_load(&group->r_b);
    tni_v8 r = group_get_speed(a.v, a.w, r_a, b.v, b.w, r_b);
    group_subtract(group, group_find_change(group, soft, use_bias, r), &a, &b);
    wide_body_store_moving(solver->bodies.states, group->body_a, group->moving_a, &a);
    wide_body_store_moving(solver->bodies.states, group->body_b, group->moving_b, &b);
}

// Solves in two copies, so that solve B does no work for bias.
void WIDE_NAME(tni_joint_group_solve)(const tni_solver *solver, tni_joint_group *group,
                                      tni_softness soft, bool use_bias) {
    if (use_bias) {
        group_solve(solver, group, soft, true);
    } else {
        group_solve(solver, group, soft, false);
    }
}

void WIDE_NAME(tni_joint_group_warm_start)(const tni_solver *solver, tni_joint_group *group,
                                           bool is_first_half) {
    tni_wide_body a = wide_body_load(solver->bodies.states, group->body_a);
    tni_wide_body b = wide_body_load(solver->bodies.states, group->body_b);
    group_subtract(group, v8_sub(v8_zero(), group_halve_point(group, is_first_half)), &a, &b);
    wide_body_store_moving(solver->bodies.states, group->body_a, group->moving_a, &a);
    wide_body_store_moving(solver->bodies.states, group->body_b, group->moving_b, &b);
}

// ---- refresh ----------------------------------------------------------------------------------

bool WIDE_NAME(tni_joint_group_refresh)(const tni_solver *solver, tni_joint_group *group,
                                        tni_joint_group_rest *rest) {
    group_places at_a = group_get_places(solver->lanes.places, group->body_a);
    group_places at_b = group_get_places(solver->lanes.places, group->body_b);
    tni_f8 prediction = group_find_prediction(solver, at_a.w, at_b.w);
    group_refresh_point(solver, group, rest, &at_a, &at_b, prediction);
    tni_wide_body a = wide_body_load(solver->bodies.states, group->body_a);
    tni_wide_body b = wide_body_load(solver->bodies.states, group->body_b);
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
