// solver/joints/joint_round_lanes.h: eight ball joints between balls, cubes and the like: what the
// kernels of both layouts of velocities share. Symbols and sums: solver/joints/joint_round_wide.c.
#ifndef TNI_SOLVER_JOINTS_JOINT_ROUND_LANES_H
#define TNI_SOLVER_JOINTS_JOINT_ROUND_LANES_H

#include "solver/joints/joint_group_lanes.h"

// The velocities of a group's bodies.
typedef struct round_ends {
    tni_v8 v_a, w_a, v_b, w_b;
} round_ends;

// Impulses -x on b and x on a.
TNI_KERNEL void round_subtract(const tni_joint_round *round, tni_v8 r_a, tni_v8 r_b, tni_v8 x,
                               round_ends *ends) {
    tni_v8 on_a = v8_scale(f8_load(round->inertia_a), v8_cross(r_a, x));
    tni_v8 on_b = v8_scale(f8_load(round->inertia_b), v8_cross(r_b, x));
    ends->v_a = v8_add(ends->v_a, v8_scale(f8_load(round->mass_a), x));
    ends->v_b = v8_sub(ends->v_b, v8_scale(f8_load(round->mass_b), x));
    ends->w_a = v8_add(ends->w_a, on_a);
    ends->w_b = v8_sub(ends->w_b, on_b);
}

// One turn of a sweep.
TNI_KERNEL void round_solve(tni_joint_group *group, tni_softness soft, bool use_bias,
                            round_ends *ends) {
    tni_v8 r_a = group_load(&group->r_a), r_b = group_load(&group->r_b);
    tni_v8 r = group_get_speed(ends->v_a, ends->w_a, r_a, ends->v_b, ends->w_b, r_b);
    round_subtract(&group->round, r_a, r_b, group_find_change(group, soft, use_bias, r), ends);
}

// Half of the last impulse.
TNI_KERNEL void round_push(tni_joint_group *group, bool is_first_half, round_ends *ends) {
    tni_v8 warm = group_halve_point(group, is_first_half);
    round_subtract(&group->round, group_load(&group->r_a), group_load(&group->r_b),
                   v8_sub(v8_zero(), warm), ends);
}

// Notes what a substep leaves, from its last impulse.
TNI_KERNEL void round_note(const tni_joint_group *group, tni_joint_group_rest *rest) {
    tni_v8 x = group_load(&group->impulse);
    rest->may_stiffen = group_note_impulse(rest, x, v8_cross(group_load(&group->r_b), x));
    rest->is_settled = true;
}

// Adds to k the response of one body.
TNI_KERNEL void round_add_response(tni_s8 *k, tni_v8 r, tni_f8 inertia) {
    tni_v8 ir = v8_scale(inertia, r);
    k->xx = f8_add(k->xx, f8_add_product(f8_mul(r.z, ir.z), r.y, ir.y));
    k->yy = f8_add(k->yy, f8_add_product(f8_mul(r.x, ir.x), r.z, ir.z));
    k->zz = f8_add(k->zz, f8_add_product(f8_mul(r.y, ir.y), r.x, ir.x));
    k->xy = f8_sub_product(k->xy, r.y, ir.x);
    k->xz = f8_sub_product(k->xz, r.z, ir.x);
    k->yz = f8_sub_product(k->yz, r.z, ir.y);
}

// K^-1 at the arms of the group; false where it is zero in some lane.
TNI_KERNEL bool round_invert(tni_joint_group *group) {
    const tni_joint_round *round = &group->round;
    tni_f8 mass = f8_add(f8_load(round->mass_a), f8_load(round->mass_b)), zero = f8_zero();
    tni_s8 k = {mass, mass, mass, zero, zero, zero};
    round_add_response(&k, group_load(&group->r_a), f8_load(round->inertia_a));
    round_add_response(&k, group_load(&group->r_b), f8_load(round->inertia_b));
    return group_invert_into(&k, group);
}

#endif
