// joints/six_axis_lock.c: the equality rows of a six-axis joint: its locked axes.
//
// Symbols: d = p_b - p_a from anchor to anchor; q the rotation of frame b in frame a, q.w >= 0;
// x_a, y_a, z_a the axes of frame a, x_b that of b; all in world axes.
//
// A translation:    C = n . d for its axis n of frame a; all three: C = d along the axes of the
//                   world, as in a ball joint; see parts/point.c.
// All three turns:  C = 2 vector part of q, as in a fixed joint; see parts/angle.c.
// Two turns:        the third axes of both frames agree, as a hinge's x axes; see parts/axis.c.
// One turn: twist   C = 2 q_x, which is zero only where the twist is; see parts/angle.c.
//           swing   about y: x_b stays perpendicular to z_a; about z: to y_a; see parts/axis.c.
// None of these has a pose near C = 0 in which its rows coincide with others: no gimbal lock.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_exact_rows.c
#include "joints/parts/along.h"
#include "joints/parts/angle.h"
#include "joints/six_axis.h"

tni_six_pose tni_six_measure(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b) {
    tni_turned_frame frame_a = tni_frame_turn(a->rotation, &joint->vectors_a);
    tni_turned_frame frame_b = tni_frame_turn(b->rotation, &joint->vectors_b);
    tni_six_pose pose = {tni_point_of_frames(&frame_a, &frame_b, a, b), tni_turned_axes(&frame_a),
                         tni_turned_axes(&frame_b), tni_angle_measure_relative(joint, a, b)};
    return pose;
}

tni_six_locks tni_six_find_locks(const tni_six_axes *axes) {
    tni_six_locks locks = {.lengths = 0};
    for (uint32_t i = 0; i < TN_SIX_AXIS_COUNT; ++i) {
        locks.is_locked[i] = tni_six_is_locked(axes, i);
        locks.lengths += i < TNI_SIX_TURNS && locks.is_locked[i] ? 1 : 0;
        locks.turns += i >= TNI_SIX_TURNS && locks.is_locked[i] ? 1 : 0;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        bool is_lone = locks.is_locked[TNI_SIX_TURNS + i] == (locks.turns == 1);
        locks.lone_turn = is_lone ? i : locks.lone_turn;
    }
    return locks;
}

static void six_add_turns(const tni_six_pose *pose, const tni_six_locks *locks, tni_rows *out) {
    uint32_t lone = locks->lone_turn;
    if (locks->turns == 3) {
        tni_rows_add_angle(out, &pose->a, pose->q);
    } else if (locks->turns == 2) {
        tni_axes from_a = tni_six_begin_with(&pose->a, lone);
        tni_rows_add_axis(out, &from_a, tni_six_get_axis(&pose->b, lone));
    } else if (locks->turns == 1 && lone == 0) {
        tni_rows_add_twist(out, &pose->a, pose->q);
    } else if (locks->turns == 1) { // x_b is held against z_a (no swing about y) or y_a
        tni_rows_add_across(out, lone == 1 ? pose->a.z : pose->a.y, pose->b.x);
    }
}

void tni_six_add_locks(const tni_six_pose *pose, const tni_six_locks *locks, tni_rows *out) {
    if (locks->lengths == 3) {
        tni_rows_add_point(out, &pose->point);
    }
    for (uint32_t i = 0; i < 3 && locks->lengths < 3; ++i) {
        if (locks->is_locked[i]) {
            tni_dvec3 n = tni_six_get_axis(&pose->a, i);
            tni_rows_add_along(out, &pose->point, &n, 1);
        }
    }
    six_add_turns(pose, locks, out);
}

void tni_six_measure_lock_errors(const tni_six_pose *pose, const tni_six_locks *locks,
                                 double linear[3], double angular[3]) {
    for (uint32_t i = 0; i < 3; ++i) {
        double along = dvec3_dot(tni_six_get_axis(&pose->a, i), pose->point.d);
        linear[i] = locks->is_locked[i] ? along : 0.0;
        angular[i] = 0.0;
    }
    if (locks->turns == 3) {
        tni_dvec3 turn = tni_angle_get_rotation_vector(pose->q);
        angular[0] = turn.x;
        angular[1] = turn.y;
        angular[2] = turn.z;
    } else if (locks->turns == 2) {
        tni_axes from_a = tni_six_begin_with(&pose->a, locks->lone_turn);
        tni_dvec3 axis_b = tni_six_get_axis(&pose->b, locks->lone_turn);
        tni_swing swing = tni_axis_measure_swing(&from_a, axis_b);
        for (uint32_t i = 0; i < 3; ++i) {
            angular[i] = swing.angle * dvec3_dot(swing.axis, tni_six_get_axis(&pose->a, i));
        }
    } else if (locks->turns == 1) {
        angular[locks->lone_turn] = tni_six_measure_turn(pose, locks, locks->lone_turn).angle;
    }
}
