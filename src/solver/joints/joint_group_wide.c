// solver/joints/joint_group_wide.c: sweeps over eight joints at once: points, turns and ranges.
//
// With the symbols of solver/rows/pin.h, p the impulse of the point and t_k those of the turns, in
// lanes:
//     r_p = v_b + w_b x r_b - v_a - w_a x r_a      r_k = u_k . (w_b - w_a)
//     x = mass_scale K^-1 (r + bias) + impulse_scale X
//     v_b += m_b^-1 p      w_b += I_b^-1 (r_b x p + T),  T = sum of t_k u_k;   of a, -
// Then the ends of the ranges (solver/joints/joint_bounded.c): an impulse x about u takes -y x of
// the equalities along, in solve A  -mass_scale y x. The two ends have the same u, so that the
// upper one knows what the lower one did from its response alone. Joints of a point alone have no
// angles: null, and no turns.
// Test: tests/solver/joints/test_joint_group.c, tests/solver/joints/test_joint_angles.c
#include "solver/joints/joint_angles_lanes.h"

typedef struct angles_bodies {
    tni_wide_body a, b;
} angles_bodies;

TNI_KERNEL angles_bodies angles_load(const tni_solver *solver, const tni_joint_group *group) {
    angles_bodies bodies = {wide_body_load(solver->bodies.states, group->body_a),
                            wide_body_load(solver->bodies.states, group->body_b)};
    return bodies;
}

TNI_KERNEL void angles_save(const tni_solver *solver, const tni_joint_group *group,
                            const angles_bodies *bodies) {
    wide_body_store_moving(solver->bodies.states, group->body_a, group->moving_a, &bodies->a);
    wide_body_store_moving(solver->bodies.states, group->body_b, group->moving_b, &bodies->b);
}

// Applies an impulse on b at the anchor and one that turns b, and the opposite on a.
TNI_KERNEL void angles_push(const tni_joint_group *group, tni_v8 point, tni_v8 turn,
                            angles_bodies *bodies) {
    tni_wide_body *a = &bodies->a, *b = &bodies->b;
    a->v = v8_sub(a->v, v8_mul(a->inv_mass, point));
    b->v = v8_add(b->v, v8_mul(b->inv_mass, point));
    tni_v8 on_a = v8_add(v8_cross(group_load(&group->r_a), point), turn);
    tni_v8 on_b = v8_add(v8_cross(group_load(&group->r_b), point), turn);
    a->w = v8_sub(a->w, s8_mul(&a->inv_inertia, on_a));
    b->w = v8_add(b->w, s8_mul(&b->inv_inertia, on_b));
}

// ---- solve ------------------------------------------------------------------------------------

// Measures J v, and adds the bias where it is used.
TNI_KERNEL void angles_measure_speed(const tni_joint_group *group, const tni_joint_angles *angles,
                                     uint32_t turns, bool use_bias, const angles_bodies *bodies,
                                     tni_v8 *out_point, tni_f8 out_turn[3]) {
    const tni_wide_body *a = &bodies->a, *b = &bodies->b;
    tni_v8 r_a = group_load(&group->r_a), r_b = group_load(&group->r_b);
    tni_v8 r = group_get_speed(a->v, a->w, r_a, b->v, b->w, r_b);
    *out_point = use_bias ? v8_add(r, group_load(&group->bias)) : r;
    tni_v8 relative = v8_sub(b->w, a->w);
    for (uint32_t k = 0; k < turns; ++k) {
        tni_f8 speed = v8_dot(group_load(&angles->axis[k]), relative);
        out_turn[k] = use_bias ? f8_add(speed, f8_load(angles->bias[k])) : speed;
    }
}

TNI_KERNEL void angles_solve_equalities(tni_joint_group *group, tni_joint_angles *angles,
                                        uint32_t turns, tni_softness soft, bool use_bias,
                                        angles_bodies *bodies) {
    tni_v8 r, turn = v8_zero(), old = group_load(&group->impulse);
    tni_f8 r_turn[3], x_turn[3], scale = f8_splat(soft.mass_scale);
    tni_f8 keep = f8_splat(soft.impulse_scale);
    angles_measure_speed(group, angles, turns, use_bias, bodies, &r, r_turn);
    if (use_bias) {
        r = v8_scale(scale, r);
        for (uint32_t k = 0; k < turns; ++k) {
            r_turn[k] = f8_mul(scale, r_turn[k]);
        }
    }
    tni_s8 inverse = group_load_symmetric(group->inverse[0]);
    tni_v8 x = angles_invert(&inverse, angles, turns, r, r_turn, x_turn);
    if (use_bias) {
        x = v8_add_scaled(x, keep, old);
    }
    group_store(&group->impulse, v8_sub(old, x));
    for (uint32_t k = 0; k < turns; ++k) {
        tni_f8 given = f8_load(angles->impulse[k]);
        x_turn[k] = use_bias ? f8_add_product(x_turn[k], keep, given) : x_turn[k];
        f8_store(angles->impulse[k], f8_sub(given, x_turn[k]));
        turn = v8_add_scaled(turn, x_turn[k], group_load(&angles->axis[k]));
    }
    angles_push(group, v8_sub(v8_zero(), x), v8_sub(v8_zero(), turn), bodies);
}

// Returns the impulse that an end adds, where its row's speed is `speed`.
TNI_KERNEL tni_f8 angles_solve_end(tni_angle_end *end, bool use_bias, tni_f8 speed) {
    tni_f8 old = f8_load(end->impulse), drive = f8_add(speed, f8_load(end->bias[use_bias]));
    tni_f8 kept = use_bias ? f8_mul(f8_load(end->keep), old) : old;
    tni_f8 x = f8_sub(kept, f8_mul(f8_load(end->mass[use_bias]), drive));
    x = f8_max(x, f8_zero());
    f8_store(end->impulse, x);
    return f8_sub(x, old);
}

TNI_KERNEL void angles_solve_range(tni_joint_group *group, tni_joint_angles *angles, uint32_t turns,
                                   tni_softness soft, bool use_bias, tni_angle_range *range,
                                   angles_bodies *bodies) {
    tni_v8 u = group_load(&range->axis), through = group_load(&range->through);
    tni_f8 speed = v8_dot(u, v8_sub(bodies->b.w, bodies->a.w));
    tni_f8 x = angles_solve_end(&range->end[0], use_bias, speed);
    speed = f8_add_product(speed, f8_load(range->response[use_bias]), x);
    x = f8_sub(x, angles_solve_end(&range->end[1], use_bias, f8_sub(f8_zero(), speed)));
    tni_f8 back = use_bias ? f8_mul(f8_splat(soft.mass_scale), x) : x;
    tni_v8 point = v8_scale(f8_sub(f8_zero(), back), through);
    tni_v8 turn = v8_scale(x, u);
    group_store(&group->impulse, v8_add(group_load(&group->impulse), point));
    if (turns > 0) {
        turn = v8_sub(turn, v8_scale(back, group_load(&range->through_turns)));
    }
    for (uint32_t k = 0; k < turns; ++k) {
        tni_f8 part = f8_mul(back, f8_load(range->through_turn[k]));
        f8_store(angles->impulse[k], f8_sub(f8_load(angles->impulse[k]), part));
    }
    angles_push(group, point, turn, bodies);
}

// Solves with a constant number of turns, and with or without bias, so that no case does work for
// another.
TNI_KERNEL void angles_solve(const tni_solver *solver, tni_joint_group *group,
                             tni_joint_angles *angles, uint32_t turns, tni_softness soft,
                             bool use_bias) {
    angles_bodies bodies = angles_load(solver, group);
    angles_solve_equalities(group, angles, turns, soft, use_bias, &bodies);
    if (angles != NULL && angles->swing.is_awake) {
        angles_solve_range(group, angles, turns, soft, use_bias, &angles->swing, &bodies);
    }
    if (angles != NULL && angles->twist.is_awake) {
        angles_solve_range(group, angles, turns, soft, use_bias, &angles->twist, &bodies);
    }
    angles_save(solver, group, &bodies);
}

TNI_KERNEL void angles_solve_either(const tni_solver *solver, tni_joint_group *group,
                                    tni_joint_angles *angles, uint32_t turns, tni_softness soft,
                                    bool use_bias) {
    if (use_bias) {
        angles_solve(solver, group, angles, turns, soft, true);
    } else {
        angles_solve(solver, group, angles, turns, soft, false);
    }
}

void WIDE_NAME(tni_joint_group_solve)(const tni_solver *solver, tni_joint_group *group,
                                      tni_joint_angles *angles, tni_softness soft, bool use_bias) {
    if (angles == NULL) {
        angles_solve_either(solver, group, NULL, 0, soft, use_bias);
        return;
    }
    switch (angles->turns) {
    case 0:
        angles_solve_either(solver, group, angles, 0, soft, use_bias);
        break;
    case 2:
        angles_solve_either(solver, group, angles, 2, soft, use_bias);
        break;
    default:
        angles_solve_either(solver, group, angles, 3, soft, use_bias);
        break;
    }
}

// ---- warm start -------------------------------------------------------------------------------

TNI_KERNEL tni_v8 angles_warm_range(tni_angle_range *range, bool is_first_half, tni_v8 turn) {
    if (!range->is_awake) {
        return turn;
    }
    tni_angle_end *lower = &range->end[0], *upper = &range->end[1];
    tni_f8 x = group_halve(lower->impulse, lower->warm, is_first_half);
    x = f8_sub(x, group_halve(upper->impulse, upper->warm, is_first_half));
    return v8_add_scaled(turn, x, group_load(&range->axis));
}

TNI_KERNEL tni_v8 angles_warm_turns(tni_joint_angles *angles, bool is_first_half) {
    tni_v8 turn = v8_zero();
    for (uint32_t k = 0; k < angles->turns; ++k) {
        tni_f8 x = group_halve(angles->impulse[k], angles->warm[k], is_first_half);
        turn = v8_add_scaled(turn, x, group_load(&angles->axis[k]));
    }
    turn = angles_warm_range(&angles->swing, is_first_half, turn);
    return angles_warm_range(&angles->twist, is_first_half, turn);
}

void WIDE_NAME(tni_joint_group_warm_start)(const tni_solver *solver, tni_joint_group *group,
                                           tni_joint_angles *angles, bool is_first_half) {
    angles_bodies bodies = angles_load(solver, group);
    tni_v8 point = group_halve_point(group, is_first_half);
    tni_v8 turn = angles != NULL ? angles_warm_turns(angles, is_first_half) : v8_zero();
    angles_push(group, point, turn, &bodies);
    angles_save(solver, group, &bodies);
}

// ---- what a substep leaves --------------------------------------------------------------------

TNI_KERNEL tni_v8 angles_add_range(const tni_angle_range *range, tni_v8 turn) {
    if (!range->is_awake) {
        return turn;
    }
    tni_f8 x = f8_sub(f8_load(range->end[0].impulse), f8_load(range->end[1].impulse));
    return v8_add_scaled(turn, x, group_load(&range->axis));
}

TNI_KERNEL tni_v8 angles_add_torques(const tni_joint_angles *angles, tni_v8 torque) {
    for (uint32_t k = 0; k < angles->turns; ++k) {
        tni_f8 of_turn = f8_load(angles->impulse[k]);
        torque = v8_add_scaled(torque, of_turn, group_load(&angles->axis[k]));
    }
    torque = angles_add_range(&angles->swing, torque);
    return angles_add_range(&angles->twist, torque);
}

bool WIDE_NAME(tni_joint_group_store)(const tni_joint_group *group, tni_joint_group_rest *rest) {
    tni_v8 x = group_load(&group->impulse);
    tni_v8 torque = v8_cross(group_load(&group->r_b), x);
    torque = rest->angles != NULL ? angles_add_torques(rest->angles, torque) : torque;
    return group_note_impulse(rest, x, torque);
}

// ---- what a step leaves -----------------------------------------------------------------------

bool WIDE_NAME(tni_joint_group_finish)(tni_joint_group_rest *rest, const tni_joint_limits *limits,
                                       float *worst) {
    tni_v8 error = group_load(&rest->error);
    return group_note_lengths(f8_sqrt(v8_dot(error, error)), limits->tolerance, limits,
                              rest->length, rest->change, worst);
}

TNI_KERNEL tni_f8 angles_add_square(const float *error, tni_f8 sum) {
    tni_f8 e = f8_load(error);
    return f8_add_product(sum, e, e);
}

// Adds the numbers of an end that is passed.
TNI_KERNEL tni_f8 angles_add_passed(const tni_angle_range *range, tni_f8 sum) {
    for (uint32_t i = 0; i < 2 && range->is_used; ++i) {
        tni_f8 e = f8_load(range->end[i].error);
        e = f8_pick(f8_less(e, f8_zero()), e, f8_zero());
        sum = f8_add_product(sum, e, e);
    }
    return sum;
}

bool WIDE_NAME(tni_joint_angles_finish)(tni_joint_angles *angles, const tni_joint_limits *limits,
                                        float *worst) {
    tni_f8 sum = f8_zero();
    for (uint32_t k = 0; k < angles->turns; ++k) {
        sum = angles_add_square(angles->error[k], sum);
    }
    sum = angles_add_passed(&angles->twist, angles_add_passed(&angles->swing, sum));
    return group_note_lengths(f8_sqrt(sum), limits->angular_tolerance, limits, angles->length,
                              angles->change, worst);
}
