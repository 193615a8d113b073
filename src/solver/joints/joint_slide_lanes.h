// solver/joints/joint_slide_lanes.h: the sliding points of eight joints at a new pose.
//
// Symbols: n the two vectors across the slide, y_a and z_a of frame a, N = [n_0 n_1]; d from the
// anchor of a to that of b; e = N^T d the errors of the rows. Impulses and biases of the rows stand
// as vectors in the world's axes, N times their numbers, and turn with N; the arm of a is r_a + d.
//     P = N (N^T K N)^-1 N^T                                  (solver/rows/pin.h)
//     e'' = N^T g,  g = w_b x of_b + w_a x (w_a x d - of_a - 2 d'),  of = w x r,  d' = v_b - v_a +
//     of_b - of_a                                             (joints/parts/point.c)
// For files *_wide.c. Test: tests/solver/joints/test_joint_angles.c
#ifndef TNI_SOLVER_JOINTS_JOINT_SLIDE_LANES_H
#define TNI_SOLVER_JOINTS_JOINT_SLIDE_LANES_H

#include "solver/joints/joint_angles_lanes.h"

// Turns the part of a vector across the slide from the old plane into the new one.
TNI_KERNEL void slide_turn(const tni_group_vectors before[2], const tni_v8 now[2],
                           tni_group_vectors *v) {
    tni_v8 old = group_load(v);
    tni_v8 first = v8_scale(v8_dot(group_load(&before[0]), old), now[0]);
    group_store(v, v8_add_scaled(first, v8_dot(group_load(&before[1]), old), now[1]));
}

TNI_KERNEL tni_v8 slide_get_drift(const group_places *a, const group_places *b, tni_v8 rate,
                                  tni_v8 r_a, tni_v8 r_b, tni_v8 d) {
    tni_v8 of_a = v8_cross(a->w, r_a), of_b = v8_cross(b->w, r_b);
    rate = v8_add(rate, v8_sub(of_b, of_a));
    tni_v8 with_a = v8_sub(v8_cross(a->w, d), of_a);
    with_a = v8_sub(with_a, v8_add(rate, rate));
    return v8_add(v8_cross(b->w, of_b), v8_cross(a->w, with_a));
}

// Does what group_refresh_point does. `rate` is v_b - v_a.
TNI_KERNEL void slide_refresh_point(const tni_solver *solver, tni_joint_group *group,
                                    tni_joint_group_rest *rest, const group_places *a,
                                    const group_places *b, const tni_v8 plane[2], tni_v8 rate,
                                    tni_f8 prediction) {
    tni_joint_angles *angles = rest->angles;
    tni_v8 r_a = group_turn(a, group_load(&rest->anchor_a));
    tni_v8 r_b = group_turn(b, group_load(&rest->anchor_b));
    tni_v8 d = group_measure(a, b, r_a, r_b), bias = v8_zero();
    tni_v8 drift = slide_get_drift(a, b, rate, r_a, r_b, d);
    tni_f8 errors[2];
    for (uint32_t i = 0; i < 2; ++i) {
        errors[i] = f8_flush(v8_dot(plane[i], d), MATHS_TINY);
        tni_f8 speed = group_bias(solver, f8_splat(rest->rate), errors[i], prediction,
                                  v8_dot(plane[i], drift));
        bias = v8_add_scaled(bias, speed, plane[i]);
    }
    slide_turn(angles->plane, plane, &group->impulse);
    slide_turn(angles->plane, plane, &group->warm);
    group_store(&angles->plane[0], plane[0]);
    group_store(&angles->plane[1], plane[1]);
    group_store(&group->r_a, v8_add(r_a, d));
    group_store(&group->r_b, r_b);
    group_store(&group->bias, bias);
    group_store(&rest->error, v8_make(errors[0], errors[1], f8_zero()));
}

// Makes P from K. Returns 1 / det, or zero where it is not sound: see group_invert.
TNI_KERNEL tni_f8 slide_invert(const tni_s8 *k, const tni_v8 plane[2], tni_s8 *out) {
    tni_v8 first = s8_mul(k, plane[0]), second = s8_mul(k, plane[1]);
    tni_f8 zero = f8_zero(), one = f8_splat(1.0f);
    tni_s8 rows = {v8_dot(plane[0], first),
                   v8_dot(plane[1], second),
                   one,
                   v8_dot(plane[0], second),
                   zero,
                   zero};
    tni_s8 s;
    tni_f8 scale = group_invert(&rows, v8_make(rows.xx, rows.yy, one), &s);
    tni_v8 p = v8_add_scaled(v8_scale(s.xx, plane[0]), s.xy, plane[1]);
    tni_v8 q = v8_add_scaled(v8_scale(s.xy, plane[0]), s.yy, plane[1]);
    const tni_v8 *m = &plane[0], *n = &plane[1];
    tni_s8 product = {
        f8_add_product(f8_mul(p.x, m->x), q.x, n->x), f8_add_product(f8_mul(p.y, m->y), q.y, n->y),
        f8_add_product(f8_mul(p.z, m->z), q.z, n->z), f8_add_product(f8_mul(p.x, m->y), q.x, n->y),
        f8_add_product(f8_mul(p.x, m->z), q.x, n->z), f8_add_product(f8_mul(p.y, m->z), q.y, n->z)};
    *out = product;
    return scale;
}

#endif
