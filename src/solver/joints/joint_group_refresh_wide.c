// solver/joints/joint_group_refresh_wide.c: points, turns and ranges of eight joints at a new pose.
//
// Symbols: A, B rotations of the frames in the world, their axes x_a .. z_b; D = w_b - w_a; u_k the
// turns' axes; s_a = I_a^-1 u, s_b = I_b^-1 u. The equalities are those of joints/parts/axis.c (a
// hinge) and angle.c (a fixed joint), the angles those of axis.c, in float. With P = K_pp^-1, Y = P
// K_pt and S = K_tt - K_pt^T Y, the columns of K^-1 are  -Y S^-1  for the point and  S^-1  for the
// turns, and the point's own block is  P + Y S^-1 Y^T  (solver/rows/pin.h).
// A range is measured first, and only where one of its ends is awake prepared: by
// solver/joints/joint_bounded.c
//     r = J_E W J_b^T:  at the point  s_b x r_b + s_a x r_a,  of turn k  u_k . (s_a + s_b)
//     y = K^-1 r,  response  u . (s_a + s_b) - share r . y,  share 1, in solve A mass_scale
// Test: tests/solver/joints/test_joint_group.c, tests/solver/joints/test_joint_angles.c
#include "core/wide_maths.h"
#include "solver/joints/joint_bounded.h"
#include "solver/joints/joint_slide_lanes.h"

// A sine below this has no direction that a float could represent.
#define ANGLES_DEGENERATE 1e-6f
// The twist direction is no longer than this: see joints/parts/axis.c.
#define ANGLES_LONGEST_TWIST 2.0f
// Below this sine the way of a swing is taken as straight.
#define ANGLES_LEAST_BEND 0.05f
// This share of a matrix or a unit vector is far below its rounding. Smaller numbers become zero,
// because their products would be denormal, which is slow.
#define ANGLES_ROUND_OFF 1e-10f
// Fixed joints take the shortest way from an angle on whose half has this cosine: see
// joints/parts/angle.c.
#define ANGLES_FAR_COSINE 0.5f

typedef struct angles_quats {
    tni_v8 u;
    tni_f8 real;
} angles_quats;

typedef struct angles_axes {
    tni_v8 x, y, z;
} angles_axes;

// A refresh works on these data.
typedef struct angles_pose {
    group_places at_a, at_b;
    tni_wide_body a, b;
    angles_quats turned_a, turned_b;
    angles_axes axes_a, axes_b;
    tni_v8 relative;          // D
    tni_f8 prediction, share; // of the drift, s; of the bias of turns
} angles_pose;

// ---- poses ------------------------------------------------------------------------------------

TNI_KERNEL tni_v8 angles_negate(tni_v8 v) {
    return v8_sub(v8_zero(), v);
}

// Returns p q, where p = (u, real).
TNI_KERNEL angles_quats angles_multiply(tni_v8 u, tni_f8 real, const angles_quats *q) {
    tni_v8 v = v8_add(v8_scale(real, q->u), v8_scale(q->real, u));
    angles_quats product = {v8_add(v, v8_cross(u, q->u)),
                            f8_sub(f8_mul(real, q->real), v8_dot(u, q->u))};
    return product;
}

TNI_KERNEL angles_quats angles_turn(const group_places *at, const tni_angle_lanes frame[4]) {
    angles_quats own = {v8_make(f8_load(frame[0]), f8_load(frame[1]), f8_load(frame[2])),
                        f8_load(frame[3])};
    return angles_multiply(at->u, at->real, &own);
}

// Returns the columns of the rotation's matrix.
TNI_KERNEL angles_axes angles_get_axes(const angles_quats *q) {
    tni_f8 one = f8_splat(1.0f);
    tni_v8 u = q->u, twice = v8_add(u, u);
    tni_f8 xx = f8_mul(u.x, twice.x), yy = f8_mul(u.y, twice.y), zz = f8_mul(u.z, twice.z);
    tni_f8 xy = f8_mul(u.x, twice.y), xz = f8_mul(u.x, twice.z), yz = f8_mul(u.y, twice.z);
    tni_v8 w = v8_scale(q->real, twice);
    angles_axes axes = {v8_make(f8_sub(one, f8_add(yy, zz)), f8_add(xy, w.z), f8_sub(xz, w.y)),
                        v8_make(f8_sub(xy, w.z), f8_sub(one, f8_add(xx, zz)), f8_add(yz, w.x)),
                        v8_make(f8_add(xz, w.y), f8_sub(yz, w.x), f8_sub(one, f8_add(xx, yy)))};
    axes.x = v8_flush(axes.x, ANGLES_ROUND_OFF);
    axes.y = v8_flush(axes.y, ANGLES_ROUND_OFF);
    axes.z = v8_flush(axes.z, ANGLES_ROUND_OFF);
    return axes;
}

TNI_KERNEL void angles_get_pose(const tni_solver *solver, const tni_joint_group *group,
                                const tni_joint_angles *angles, angles_pose *out) {
    out->at_a = group_get_places(solver->lanes.places, group->body_a);
    out->at_b = group_get_places(solver->lanes.places, group->body_b);
    out->at_a.high = v8_add(out->at_a.high, group_load(&angles->world_high));
    out->at_a.low = v8_add(out->at_a.low, group_load(&angles->world_low));
    out->a = wide_body_load(solver->bodies.states, group->body_a);
    out->b = wide_body_load(solver->bodies.states, group->body_b);
    out->turned_a = angles_turn(&out->at_a, angles->frame_a);
    out->turned_b = angles_turn(&out->at_b, angles->frame_b);
    out->axes_a = angles_get_axes(&out->turned_a);
    out->axes_b = angles_get_axes(&out->turned_b);
    tni_v8 w_a = out->at_a.w, w_b = out->at_b.w;
    out->relative = v8_sub(w_b, w_a);
    tni_f8 square = f8_max(v8_dot(w_a, w_a), v8_dot(w_b, w_b));
    square = f8_mul(square, f8_splat(solver->h * solver->h));
    out->prediction = f8_mul(f8_splat(0.5f * solver->h), group_predict(square));
    tni_f8 fade = f8_mul(square, f8_splat(1.0f / (JOINT_BIAS_TURN * JOINT_BIAS_TURN)));
    out->share = f8_max(f8_sub(f8_splat(1.0f), fade), f8_zero());
}

// ---- angles -----------------------------------------------------------------------------------

// Returns the angle between the x axes, and the axis about which turning b makes it grow.
TNI_KERNEL tni_f8 angles_measure_swing(const angles_pose *pose, tni_v8 *out_axis) {
    tni_v8 x_a = pose->axes_a.x, x_b = pose->axes_b.x, across = v8_cross(x_a, x_b);
    tni_f8 sine = f8_sqrt(v8_dot(across, across)), least = f8_splat(ANGLES_DEGENERATE);
    tni_v8 axis = v8_scale(f8_div(f8_splat(1.0f), f8_max(sine, least)), across);
    *out_axis = v8_pick(f8_less(least, sine), axis, pose->axes_a.y);
    return f8_atan2(sine, v8_dot(x_a, x_b));
}

// Measures the twist about t = 2 (x_a + x_b) / |x_a + x_b|^2, which is held to the longest length,
// and is x_a where the sum vanishes.
TNI_KERNEL tni_f8 angles_measure_twist(const angles_pose *pose, tni_v8 *out_axis) {
    const angles_axes *a = &pose->axes_a, *b = &pose->axes_b;
    tni_v8 sum = v8_add(a->x, b->x);
    tni_f8 square = v8_dot(sum, sum), least = f8_splat(ANGLES_DEGENERATE);
    tni_f8 guarded = f8_max(square, least), longest = f8_splat(ANGLES_LONGEST_TWIST);
    tni_f8 scale = f8_min(f8_div(f8_splat(2.0f), guarded), f8_div(longest, f8_sqrt(guarded)));
    *out_axis = v8_pick(f8_less(least, square), v8_scale(scale, sum), a->x);
    tni_f8 sine = f8_sub(v8_dot(b->y, a->z), v8_dot(b->z, a->y));
    return f8_atan2(sine, f8_add(v8_dot(b->y, a->y), v8_dot(b->z, a->z)));
}

// Return Jdot v of the twist and of the swing: see joints/parts/axis.c.
TNI_KERNEL tni_f8 angles_get_twist_term(const angles_pose *pose) {
    tni_v8 x_a = pose->axes_a.x, x_b = pose->axes_b.x, both = v8_add(x_a, x_b);
    tni_f8 sum = f8_add(f8_splat(1.0f), v8_dot(x_a, x_b)), longest = f8_splat(ANGLES_LONGEST_TWIST);
    tni_m8 is_short = f8_less(f8_mul(sum, f8_mul(longest, longest)), f8_splat(2.0f));
    tni_f8 inverse = f8_div(f8_splat(1.0f), f8_max(sum, f8_splat(ANGLES_DEGENERATE)));
    tni_f8 bend = v8_dot(both, v8_cross(pose->at_b.w, pose->at_a.w));
    tni_f8 rate = f8_mul(v8_dot(both, pose->relative), inverse);
    bend = f8_add_product(bend, rate, v8_dot(pose->relative, v8_cross(x_a, x_b)));
    return f8_pick(is_short, f8_zero(), f8_mul(bend, inverse));
}

TNI_KERNEL tni_f8 angles_get_swing_term(const angles_pose *pose) {
    tni_v8 x_a = pose->axes_a.x, x_b = pose->axes_b.x, d = pose->relative;
    tni_v8 cross = v8_cross(x_a, x_b);
    tni_f8 sine = f8_sqrt(v8_dot(cross, cross)), least = f8_splat(ANGLES_LEAST_BEND);
    tni_f8 inverse = f8_div(f8_splat(1.0f), f8_max(sine, least));
    tni_f8 rate = f8_mul(v8_dot(cross, d), inverse);
    tni_f8 square = f8_sub_product(v8_dot(d, d), rate, rate);
    tni_f8 term = f8_mul(v8_dot(x_a, d), v8_dot(x_b, pose->at_a.w));
    term = f8_sub_product(term, v8_dot(x_b, d), v8_dot(x_a, pose->at_b.w));
    term = f8_add_product(term, v8_dot(x_a, x_b), square);
    return f8_pick(f8_less(sine, least), f8_zero(), f8_mul(term, inverse));
}

// ---- turns ------------------------------------------------------------------------------------

typedef struct angles_rows {
    tni_v8 axis[3];
    tni_f8 error[3], term[3]; // C and Jdot v
} angles_rows;

// Measures hinges whose axes are more than 90 degrees apart.
TNI_KERNEL void angles_measure_far_hinge(const angles_pose *pose, tni_m8 is_far,
                                         angles_rows *rows) {
    tni_v8 n, y = angles_negate(pose->axes_a.y), z = pose->axes_a.z;
    tni_f8 angle = angles_measure_swing(pose, &n);
    rows->axis[0] = v8_pick(is_far, z, rows->axis[0]);
    rows->axis[1] = v8_pick(is_far, y, rows->axis[1]);
    rows->error[0] = f8_pick(is_far, f8_mul(angle, v8_dot(n, z)), rows->error[0]);
    rows->error[1] = f8_pick(is_far, f8_mul(angle, v8_dot(n, y)), rows->error[1]);
    rows->term[0] = f8_pick(is_far, f8_zero(), rows->term[0]);
    rows->term[1] = f8_pick(is_far, f8_zero(), rows->term[1]);
}

TNI_KERNEL void angles_measure_hinge(const angles_pose *pose, angles_rows *rows) {
    const tni_v8 across[2] = {pose->axes_a.y, pose->axes_a.z};
    tni_v8 x_b = pose->axes_b.x, d = pose->relative, w_b = pose->at_b.w;
    tni_f8 along = v8_dot(x_b, d), along_a = v8_dot(x_b, pose->at_a.w), square = v8_dot(d, d);
    for (uint32_t k = 0; k < 2; ++k) {
        tni_f8 error = f8_flush(v8_dot(across[k], x_b), MATHS_TINY);
        tni_f8 term = f8_mul(v8_dot(across[k], w_b), along);
        term = f8_sub_product(term, along_a, v8_dot(across[k], d));
        rows->axis[k] = v8_cross(x_b, across[k]);
        rows->error[k] = error;
        rows->term[k] = f8_sub_product(term, error, square);
    }
    tni_m8 is_far = f8_less(v8_dot(pose->axes_a.x, x_b), f8_zero());
    if (m8_any(is_far)) {
        angles_measure_far_hinge(pose, is_far, rows);
    }
}

// Measures fixed joints more than 120 degrees apart, by the rotation vector about the axes of frame
// a.
TNI_KERNEL void angles_measure_far_weld(const angles_pose *pose, const angles_quats *q,
                                        tni_m8 is_far, angles_rows *rows) {
    tni_f8 length = f8_sqrt(v8_dot(q->u, q->u)), angle = f8_atan2(length, q->real);
    tni_f8 guarded = f8_max(length, f8_splat(ANGLES_DEGENERATE));
    tni_v8 vector = v8_scale(f8_div(f8_add(angle, angle), guarded), q->u);
    const tni_v8 axes[3] = {pose->axes_a.x, pose->axes_a.y, pose->axes_a.z};
    const tni_f8 errors[3] = {vector.x, vector.y, vector.z};
    for (uint32_t k = 0; k < 3; ++k) {
        rows->axis[k] = v8_pick(is_far, axes[k], rows->axis[k]);
        rows->error[k] = f8_pick(is_far, errors[k], rows->error[k]);
        rows->term[k] = f8_pick(is_far, f8_zero(), rows->term[k]);
    }
}

TNI_KERNEL void angles_measure_weld(const angles_pose *pose, angles_rows *rows) {
    angles_quats q =
        angles_multiply(angles_negate(pose->turned_a.u), pose->turned_a.real, &pose->turned_b);
    tni_m8 is_negative = f8_less(q.real, f8_zero());
    q.u = v8_flush(v8_pick(is_negative, angles_negate(q.u), q.u), MATHS_TINY);
    q.real = f8_abs(q.real);
    const tni_v8 axes[3] = {pose->axes_a.x, pose->axes_a.y, pose->axes_a.z};
    const tni_f8 parts[3] = {q.u.x, q.u.y, q.u.z};
    tni_v8 v = v8_scale(q.u.x, axes[0]);
    v = v8_add_scaled(v8_add_scaled(v, q.u.y, axes[1]), q.u.z, axes[2]);
    tni_v8 turning = v8_cross(pose->relative, pose->at_a.w);
    tni_f8 slowing = f8_mul(f8_splat(0.5f), v8_dot(pose->relative, pose->relative));
    for (uint32_t k = 0; k < 3; ++k) {
        rows->axis[k] = v8_add_scaled(v8_cross(v, axes[k]), q.real, axes[k]);
        rows->error[k] = f8_add(parts[k], parts[k]);
        tni_f8 term = v8_dot(rows->axis[k], turning);
        rows->term[k] = f8_sub_product(term, slowing, parts[k]);
    }
    tni_m8 is_far = f8_less(q.real, f8_splat(ANGLES_FAR_COSINE));
    if (m8_any(is_far)) {
        angles_measure_far_weld(pose, &q, is_far, rows);
    }
}

TNI_KERNEL void angles_store_rows(const tni_solver *solver, const tni_joint_group_rest *rest,
                                  const angles_pose *pose, uint32_t turns,
                                  const angles_rows *rows) {
    tni_joint_angles *angles = rest->angles;
    tni_f8 rate = f8_mul(pose->share, f8_splat(rest->rate));
    for (uint32_t k = 0; k < turns; ++k) {
        group_store(&angles->axis[k], rows->axis[k]);
        f8_store(angles->error[k], rows->error[k]);
        f8_store(angles->bias[k],
                 group_bias(solver, rate, rows->error[k], pose->prediction, rows->term[k]));
    }
}

// ---- K^-1 -------------------------------------------------------------------------------------

TNI_KERNEL tni_f8 angles_drop(tni_f8 x, tni_f8 least) {
    return f8_pick(f8_less(f8_abs(x), least), f8_zero(), x);
}

TNI_KERNEL void angles_drop_from_matrix(tni_s8 *s) {
    tni_f8 least = f8_mul(f8_splat(ANGLES_ROUND_OFF), f8_add(f8_add(s->xx, s->yy), s->zz));
    s->xy = angles_drop(s->xy, least);
    s->xz = angles_drop(s->xz, least);
    s->yz = angles_drop(s->yz, least);
}

TNI_KERNEL void angles_drop_from_vectors(tni_v8 v[3], uint32_t count) {
    tni_f8 sum = f8_zero();
    for (uint32_t k = 0; k < count; ++k) {
        sum = f8_add(sum, f8_add(f8_add(f8_abs(v[k].x), f8_abs(v[k].y)), f8_abs(v[k].z)));
    }
    tni_f8 least = f8_max(f8_mul(f8_splat(ANGLES_ROUND_OFF), sum), f8_splat(MATHS_TINY));
    for (uint32_t k = 0; k < count; ++k) {
        v[k] = v8_make(angles_drop(v[k].x, least), angles_drop(v[k].y, least),
                       angles_drop(v[k].z, least));
    }
}

// Returns s_b x r_b + s_a x r_a.
TNI_KERNEL tni_v8 angles_couple(const tni_joint_group *group, tni_v8 s_a, tni_v8 s_b) {
    return v8_add(v8_cross(s_b, group_load(&group->r_b)), v8_cross(s_a, group_load(&group->r_a)));
}

// Sets S^-1; two turns stand in the first two rows of three. Returns 1 / det, or zero.
TNI_KERNEL tni_f8 angles_invert_turns(uint32_t turns, const angles_rows *rows,
                                      const tni_v8 turned[3], const tni_v8 mixed[3],
                                      const tni_v8 y[3], tni_s8 *out) {
    tni_f8 s[3][3], diagonal[3];
    for (uint32_t l = 0; l < turns; ++l) {
        for (uint32_t m = l; m < turns; ++m) {
            tni_f8 own = v8_dot(rows->axis[l], turned[m]);
            s[l][m] = f8_sub(own, v8_dot(mixed[l], y[m]));
            if (l == m) {
                diagonal[l] = own;
            }
        }
    }
    tni_f8 zero = f8_zero();
    if (turns == 3) {
        tni_s8 matrix = {s[0][0], s[1][1], s[2][2], s[0][1], s[0][2], s[1][2]};
        angles_drop_from_matrix(&matrix);
        return group_invert(&matrix, v8_make(diagonal[0], diagonal[1], diagonal[2]), out);
    }
    tni_s8 matrix = {s[0][0], s[1][1], f8_splat(1.0f), s[0][1], zero, zero};
    tni_f8 scale = group_invert(&matrix, v8_make(diagonal[0], diagonal[1], f8_splat(1.0f)), out);
    out->zz = zero;
    return scale;
}

// Makes the blocks of the turns, and adds to P, the point's own block, what they add.
TNI_KERNEL tni_f8 angles_add_turns(const tni_joint_group *group, tni_joint_angles *angles,
                                   uint32_t turns, const angles_pose *pose, const angles_rows *rows,
                                   tni_s8 *p) {
    tni_v8 turned[3], mixed[3], y[3];
    for (uint32_t k = 0; k < turns; ++k) {
        tni_v8 s_a = s8_mul(&pose->a.inv_inertia, rows->axis[k]);
        tni_v8 s_b = s8_mul(&pose->b.inv_inertia, rows->axis[k]);
        turned[k] = v8_add(s_a, s_b);
        mixed[k] = angles_couple(group, s_a, s_b);
        y[k] = s8_mul(p, mixed[k]);
    }
    angles_drop_from_vectors(y, turns);
    tni_s8 s;
    tni_f8 scale = angles_invert_turns(turns, rows, turned, mixed, y, &s);
    const tni_f8 columns[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    for (uint32_t m = 0; m < turns; ++m) {
        tni_v8 z = v8_scale(columns[m][0], y[0]);
        for (uint32_t l = 1; l < turns; ++l) {
            z = v8_add_scaled(z, columns[m][l], y[l]);
        }
        group_store(&angles->to_point[m], angles_negate(z));
        p->xx = f8_add_product(p->xx, z.x, y[m].x);
        p->yy = f8_add_product(p->yy, z.y, y[m].y);
        p->zz = f8_add_product(p->zz, z.z, y[m].z);
        p->xy = f8_add_product(p->xy, z.x, y[m].y);
        p->xz = f8_add_product(p->xz, z.x, y[m].z);
        p->yz = f8_add_product(p->yz, z.y, y[m].z);
    }
    group_store_symmetric(angles->inverse[0], &s);
    return scale;
}

TNI_KERNEL bool angles_invert_matrix(tni_joint_group *group, tni_joint_angles *angles,
                                     uint32_t turns, const angles_pose *pose,
                                     const angles_rows *rows) {
    tni_v8 r_a = group_load(&group->r_a), r_b = group_load(&group->r_b);
    tni_s8 k = group_matrix(r_a, r_b, &pose->a, &pose->b), inverse;
    angles_drop_from_matrix(&k);
    tni_f8 least = f8_splat(FLT_MIN);
    const tni_v8 plane[2] = {pose->axes_a.y, pose->axes_a.z};
    tni_f8 scale = turns == 3 && angles->slides
                       ? slide_invert(&k, plane, &inverse)
                       : group_invert(&k, v8_make(k.xx, k.yy, k.zz), &inverse);
    if (turns > 0) {
        tni_f8 of_turns = angles_add_turns(group, angles, turns, pose, rows, &inverse);
        scale = f8_min(scale, of_turns);
        inverse = group_pick_matrix(f8_less(least, scale), &inverse);
    }
    group_store_symmetric(group->inverse[0], &inverse);
    return !m8_any(f8_less(scale, least));
}

// ---- ranges -----------------------------------------------------------------------------------

// Wakes an end, or lets it sleep as a dormant row does: without impulse, and farther off than it
// would close soon. Returns one for lanes that are awake, else zero.
TNI_KERNEL tni_f8 angles_wake_end(const tni_solver *solver, tni_angle_end *end, tni_f8 error,
                                  tni_f8 speed) {
    tni_f8 zero = f8_zero(), one = f8_splat(1.0f), rest = f8_splat(JOINT_DORMANT_ERROR);
    tni_f8 soon = f8_splat(JOINT_DORMANT_SUBSTEPS * solver->h);
    tni_f8 closing = f8_max(f8_sub(zero, speed), zero);
    tni_f8 busy = f8_max(f8_load(end->impulse), f8_load(end->warm));
    tni_f8 far = f8_pick(f8_less(f8_add_product(rest, soon, closing), error), zero, one);
    tni_f8 awake = f8_pick(f8_less(zero, busy), one, far);
    f8_store(end->error, error);
    f8_store(end->awake, awake);
    return awake;
}

// Measures a range by the one of the angle's whole turns that is nearest to the middle of the
// range.
TNI_KERNEL void angles_measure_range(const tni_solver *solver, tni_angle_range *range, tni_f8 angle,
                                     tni_v8 axis, tni_f8 kept, const angles_pose *pose) {
    tni_f8 half_turn = f8_splat((float)MATHS_PI), turn = f8_splat((float)(2.0 * MATHS_PI));
    tni_f8 off = f8_sub(angle, f8_load(range->middle)), zero = f8_zero();
    off = f8_sub(off, f8_pick(f8_less(off, half_turn), zero, turn));
    off = f8_add(off, f8_pick(f8_less(off, f8_sub(zero, half_turn)), turn, zero));
    tni_f8 speed = v8_dot(axis, pose->relative);
    tni_angle_end *lower = &range->end[0], *upper = &range->end[1];
    tni_f8 below = f8_add(f8_load(lower->room), off), above = f8_sub(f8_load(upper->room), off);
    below = f8_pick(f8_less(below, zero), f8_mul(kept, below), below);
    above = f8_pick(f8_less(above, zero), f8_mul(kept, above), above);
    tni_f8 awake = angles_wake_end(solver, lower, below, speed);
    awake = f8_add(awake, angles_wake_end(solver, upper, above, f8_sub(zero, speed)));
    group_store(&range->axis, axis);
    range->is_awake = m8_any(f8_less(zero, awake));
}

TNI_KERNEL void angles_measure_ranges(const tni_solver *solver, tni_joint_angles *angles,
                                      const angles_pose *pose) {
    tni_v8 axis;
    if (angles->swing.is_used) {
        tni_f8 angle = angles_measure_swing(pose, &axis);
        angles_measure_range(solver, &angles->swing, angle, axis, f8_splat(1.0f), pose);
        f8_store(angles->swing.bend, f8_mul(pose->prediction, angles_get_swing_term(pose)));
    }
    if (angles->twist.is_used) {
        tni_f8 angle = angles_measure_twist(pose, &axis);
        tni_v8 sum = v8_add(pose->axes_a.x, pose->axes_b.x);
        tni_f8 kept = f8_min(v8_dot(sum, sum), f8_splat(1.0f)); // see joints/parts/axis.c
        angles_measure_range(solver, &angles->twist, angle, axis, kept, pose);
        tni_f8 term = angles->turns > 0 ? f8_zero() : angles_get_twist_term(pose);
        f8_store(angles->twist.bend, f8_mul(pose->prediction, term));
    }
}

TNI_KERNEL void angles_refresh_point(const tni_solver *solver, tni_joint_group *group,
                                     tni_joint_group_rest *rest, const angles_pose *pose) {
    if (rest->angles->slides) {
        const tni_v8 plane[2] = {pose->axes_a.y, pose->axes_a.z};
        slide_refresh_point(solver, group, rest, &pose->at_a, &pose->at_b, plane,
                            v8_sub(pose->b.v, pose->a.v), pose->prediction);
    } else {
        group_refresh_point(solver, group, rest, &pose->at_a, &pose->at_b, pose->prediction);
    }
}

// Refreshes joints of a point alone.
TNI_KERNEL bool group_refresh_points(const tni_solver *solver, tni_joint_group *group,
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

bool WIDE_NAME(tni_joint_group_refresh)(const tni_solver *solver, tni_joint_group *group,
                                        tni_joint_group_rest *rest) {
    tni_joint_angles *angles = rest->angles;
    angles_pose pose;
    angles_rows rows;
    if (angles == NULL) {
        return group_refresh_points(solver, group, rest);
    }
    angles_get_pose(solver, group, angles, &pose);
    angles_refresh_point(solver, group, rest, &pose);
    angles_measure_ranges(solver, angles, &pose);
    if (angles->turns == 2) {
        angles_measure_hinge(&pose, &rows);
        angles_store_rows(solver, rest, &pose, 2, &rows);
        return angles_invert_matrix(group, angles, 2, &pose, &rows);
    }
    if (angles->turns == 3) {
        angles_measure_weld(&pose, &rows);
        angles_store_rows(solver, rest, &pose, 3, &rows);
        return angles_invert_matrix(group, angles, 3, &pose, &rows);
    }
    return angles_invert_matrix(group, angles, 0, &pose, &rows);
}

// ---- preparing ranges -------------------------------------------------------------------------

TNI_KERNEL tni_f8 angles_inverse_or_zero(tni_f8 x) {
    tni_f8 least = f8_splat(FLT_MIN);
    tni_f8 inverse = f8_div(f8_splat(1.0f), f8_max(x, least));
    return f8_pick(f8_less(least, x), inverse, f8_zero());
}

// Drives an end: while it is open J v >= -C / h; once it is passed its error is fed back as softly
// as those of the equalities.
TNI_KERNEL void angles_drive_end(const tni_solver *solver, float rate, tni_f8 bend,
                                 tni_angle_end *end, const tni_f8 mass[2]) {
    tni_softness soft = solver->settings.joint_softness;
    tni_f8 error = f8_load(end->error), awake = f8_load(end->awake), zero = f8_zero();
    tni_f8 one = f8_splat(1.0f);
    tni_m8 is_awake = f8_less(zero, awake), is_open = f8_less(zero, error);
    tni_f8 opening = f8_mul(error, f8_splat(solver->inv_h));
    tni_f8 pushing =
        f8_max(f8_mul(f8_splat(rate), error), f8_splat(-solver->settings.joint_bias.max_speed));
    tni_f8 soft_mass = f8_mul(mass[1], f8_splat(soft.mass_scale));
    f8_store(end->keep, f8_pick(is_open, one, f8_splat(1.0f - soft.impulse_scale)));
    f8_store(end->mass[0], f8_mul(awake, mass[0]));
    f8_store(end->mass[1], f8_mul(awake, f8_pick(is_open, mass[1], soft_mass)));
    f8_store(end->bias[0], f8_pick(m8_and(is_awake, is_open), opening, zero));
    tni_f8 approach = f8_add(f8_pick(is_open, opening, pushing), bend);
    f8_store(end->bias[1], f8_pick(is_awake, approach, zero));
}

TNI_KERNEL void angles_prepare_range(const tni_solver *solver, const tni_joint_group *group,
                                     const tni_joint_group_rest *rest, uint32_t turns,
                                     tni_angle_range *range) {
    tni_joint_angles *angles = rest->angles;
    tni_wide_body a = wide_body_load(solver->bodies.states, group->body_a);
    tni_wide_body b = wide_body_load(solver->bodies.states, group->body_b);
    tni_v8 u = group_load(&range->axis), sum = v8_zero();
    tni_v8 s_a = s8_mul(&a.inv_inertia, u), s_b = s8_mul(&b.inv_inertia, u);
    tni_v8 turned = v8_add(s_a, s_b), r = angles_couple(group, s_a, s_b);
    tni_f8 r_turn[3], y_turn[3], own = v8_dot(u, turned);
    for (uint32_t k = 0; k < turns; ++k) {
        r_turn[k] = v8_dot(group_load(&angles->axis[k]), turned);
    }
    tni_s8 inverse = group_load_symmetric(group->inverse[0]);
    tni_v8 y = angles_invert(&inverse, angles, turns, r, r_turn, y_turn);
    tni_f8 taken = v8_dot(r, y);
    for (uint32_t k = 0; k < turns; ++k) {
        taken = f8_add_product(taken, r_turn[k], y_turn[k]);
        sum = v8_add_scaled(sum, y_turn[k], group_load(&angles->axis[k]));
        f8_store(range->through_turn[k], y_turn[k]);
    }
    group_store(&range->through, y);
    group_store(&range->through_turns, sum);
    tni_f8 k = f8_sub(own, taken), zero = f8_zero();
    tni_m8 is_free = f8_less(f8_mul(f8_splat(DRIVE_RESPONSE_FLOOR), own), k);
    tni_f8 soft_k =
        f8_sub_product(own, f8_splat(solver->settings.joint_softness.mass_scale), taken);
    k = f8_pick(is_free, k, zero);
    soft_k = f8_pick(is_free, soft_k, zero);
    const tni_f8 mass[2] = {angles_inverse_or_zero(k), angles_inverse_or_zero(soft_k)};
    f8_store(range->response[0], k);
    f8_store(range->response[1], soft_k);
    tni_f8 bend = f8_load(range->bend);
    angles_drive_end(solver, rest->rate, bend, &range->end[0], mass);
    angles_drive_end(solver, rest->rate, f8_sub(zero, bend), &range->end[1], mass);
}

TNI_KERNEL void angles_prepare(const tni_solver *solver, const tni_joint_group *group,
                               const tni_joint_group_rest *rest, uint32_t turns) {
    if (rest->angles->swing.is_awake) {
        angles_prepare_range(solver, group, rest, turns, &rest->angles->swing);
    }
    if (rest->angles->twist.is_awake) {
        angles_prepare_range(solver, group, rest, turns, &rest->angles->twist);
    }
}

void WIDE_NAME(tni_joint_group_prepare)(const tni_solver *solver, const tni_joint_group *group,
                                        tni_joint_group_rest *rest) {
    switch (rest->angles->turns) {
    case 0:
        angles_prepare(solver, group, rest, 0);
        break;
    case 2:
        angles_prepare(solver, group, rest, 2);
        break;
    default:
        angles_prepare(solver, group, rest, 3);
        break;
    }
}
