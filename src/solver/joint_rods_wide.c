// solver/joint_rods_wide.c: eight rods at a new pose: see solver/joint_rods.c.
//
// With d from point to point, u its rate, n = d / |d|:
//     C = |d| - length        Jdot v = n . (w_b x (w_b x r_b) - w_a x (w_a x r_a))
//                                      + (|u|^2 - (n . u)^2) / |d|
// as in joints/distance_joint.c.
#include "solver/joint_group_lanes.h"
#include "solver/joint_rods.h"

// n . K n
TNI_FORCE_INLINE tni_f8 rods_get_response(tni_v8 n, tni_v8 r, const tni_wide_body *body) {
    tni_v8 turn = v8_cross(r, n);
    return f8_add(v8_dot(n, v8_mul(body->inv_mass, n)),
                  v8_dot(turn, s8_mul(&body->inv_inertia, turn)));
}

// m n n^T
TNI_FORCE_INLINE void rods_store_inverse(tni_joint_group *group, tni_v8 n, tni_f8 response) {
    tni_m8 is_sound = f8_less(f8_splat(FLT_MIN), response);
    tni_f8 m = f8_pick(is_sound, f8_div(f8_splat(1.0f), response), f8_zero());
    tni_v8 mn = v8_scale(m, n);
    tni_s8 inverse = {f8_mul(mn.x, n.x), f8_mul(mn.y, n.y), f8_mul(mn.z, n.z),
                      f8_mul(mn.x, n.y), f8_mul(mn.x, n.z), f8_mul(mn.y, n.z)};
    group_store_symmetric(group->inverse[0], &inverse);
}

// What was along the old direction, along the new one.
TNI_FORCE_INLINE void rods_follow(tni_group_vectors *x, tni_v8 old, tni_v8 n) {
    group_store(x, v8_scale(v8_dot(old, group_load(x)), n));
}

void WIDE_NAME(tni_joint_rods_refresh)(const tni_solver *solver, tni_joint_group *group,
                                       tni_joint_group_rest *rest) {
    tni_joint_rods *rods = rest->rods;
    group_places at_a = group_get_places(solver->places, group->body_a);
    group_places at_b = group_get_places(solver->places, group->body_b);
    tni_wide_body a = wide_body_load(solver->states, group->body_a);
    tni_wide_body b = wide_body_load(solver->states, group->body_b);
    tni_v8 r_a = group_turn(&at_a, group_load(&rest->anchor_a));
    tni_v8 r_b = group_turn(&at_b, group_load(&rest->anchor_b));
    tni_v8 d = group_measure(&at_a, &at_b, r_a, r_b);
    tni_f8 zero = f8_zero(), length = f8_sqrt(v8_dot(d, d));
    tni_m8 is_line = f8_less(f8_splat(JOINT_RODS_COINCIDENT), length);
    tni_f8 per_length = f8_pick(is_line, f8_div(f8_splat(1.0f), length), zero);
    tni_v8 n = v8_pick(is_line, v8_scale(per_length, d), v8_make(f8_splat(1.0f), zero, zero));
    tni_v8 u = group_get_speed(a.v, at_a.w, r_a, b.v, at_b.w, r_b);
    tni_f8 along = v8_dot(n, u);
    tni_v8 turn =
        v8_sub(v8_cross(at_b.w, v8_cross(at_b.w, r_b)), v8_cross(at_a.w, v8_cross(at_a.w, r_a)));
    tni_f8 across = f8_sub_product(v8_dot(u, u), along, along);
    tni_f8 term = f8_add_product(v8_dot(n, turn), across, per_length);
    tni_f8 error = f8_sub(length, f8_load(rods->length));
    tni_f8 bias = group_bias(solver, f8_splat(rest->rate), error,
                             group_find_prediction(solver, at_a.w, at_b.w), term);
    tni_v8 old = group_load(&rods->along);
    rods_follow(&group->impulse, old, n);
    rods_follow(&group->warm, old, n);
    rods_store_inverse(group, n,
                       f8_add(rods_get_response(n, r_a, &a), rods_get_response(n, r_b, &b)));
    group_store(&rods->along, n);
    group_store(&group->r_a, r_a);
    group_store(&group->r_b, r_b);
    group_store(&group->bias, v8_scale(bias, n));
    group_store(&rest->error, v8_scale(error, n));
}
