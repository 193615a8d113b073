// joints/six_axis_lock.c: the equality rows of a six-axis joint: its locked axes.
//
// Symbols: d = p_b - p_a from anchor to anchor; q the rotation of frame b in frame a, q.w >= 0;
// x_a, y_a, z_a the axes of frame a, x_b that of b; all in world axes.
//
// A translation:    C = n . d for its axis n of frame a; all three: C = d along the axes of the
//                   world, as a ball joint; see parts/point.c.
// All three turns:  C = 2 vector part of q, as a fixed joint; see parts/angle.c.
// Two turns:        the third axes of both frames agree, as a hinge's x axes; see parts/axis.c.
// One turn: twist   C = 2 q_x, which is zero where the twist is and nowhere else. The row's length
//                   is cos(twist / 2). Past 120 degrees of twist, where a correction would take
//                   ever faster turns, C = 2 asin q_x and the row that one divided by its length.
//           swing   about y: x_b stays across z_a; about z: across y_a; see parts/across.c.
// None of these has a pose in which its rows fall together with others near C = 0: no gimbal lock.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_exact_rows.c
#include "joints/parts/across.h"
#include "joints/parts/along.h"
#include "joints/parts/angle.h"
#include "joints/parts/exact.h"
#include "joints/parts/row_clear.h"
#include "joints/six_axis.h"

#define SIX_FAR_SINE   0.8660254037844386 // of half the twist
#define SIX_LEAST_SINE 1e-9

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

// The axis of frame a that x_b stays across while the swing about y (1) or z (2) is locked.
static tni_dvec3 six_get_across(const tni_six_pose *pose, uint32_t turn) {
    return turn == 1 ? pose->a.z : pose->a.y;
}

// ---- float rows --------------------------------------------------------------------------------

static void six_emit_lengths(const tni_six_pose *pose, const tni_six_locks *locks,
                             const tni_body_motion *a, const tni_body_motion *b, tni_row *rows) {
    if (locks->lengths == 3) {
        tni_pin pin;
        tni_point_emit(&pose->point, tni_pin_vector(a->angular_velocity),
                       tni_pin_vector(b->angular_velocity), &pin);
        tni_pin_write_point(&pin, rows);
        return;
    }
    tni_dvec3 drift = tni_along_get_drift(&pose->point, a, b);
    for (uint32_t i = 0; i < 3; ++i) {
        if (locks->is_locked[i]) {
            tni_along_emit(&pose->point, tni_six_get_axis(&pose->a, i), drift, rows++);
        }
    }
}

static void six_emit_twist(const tni_six_pose *pose, const tni_body_motion *a,
                           const tni_body_motion *b, tni_row *row) {
    tni_exact_row turns[3];
    double terms[3];
    tni_exact_emit_angle(&pose->a, pose->q, turns);
    tni_exact_measure_angle_terms(&pose->a, pose->q, a, b, terms);
    tni_dvec3 direction = turns[0].ang_b;
    double error = turns[0].error, term = terms[0];
    if (fabs(pose->q.x) > SIX_FAR_SINE) {
        double length = dvec3_length(direction);
        direction = length > SIX_LEAST_SINE ? dvec3_scale(direction, 1.0 / length) : pose->a.x;
        error = 2.0 * tni_maths_atan2(pose->q.x, length);
        term = 0.0;
    }
    tni_row_clear(row, TNI_ROW_RIGID, TNI_ROLE_JOINT, true);
    row->ang_b = dvec3_to_float(direction);
    row->ang_a = glms_vec3_negate(row->ang_b);
    row->error = (float)error;
    row->velocity_term = (float)term;
}

static void six_emit_turns(const tni_six_pose *pose, const tni_six_locks *locks,
                           const tni_body_motion *a, const tni_body_motion *b, tni_row *rows) {
    if (locks->turns == 3) {
        tni_pin pin;
        tni_angle_emit(&pose->a, pose->q, a, b, &pin);
        tni_pin_write_turns(&pin, 3, rows);
    } else if (locks->turns == 2) {
        tni_axes from_a = tni_six_begin_with(&pose->a, locks->lone_turn);
        tni_dvec3 axis_b = tni_six_get_axis(&pose->b, locks->lone_turn);
        tni_axis_emit_rows(&from_a, axis_b, a, b, rows);
    } else if (locks->turns == 1 && locks->lone_turn == 0) {
        six_emit_twist(pose, a, b, rows);
    } else if (locks->turns == 1) {
        tni_across_emit(six_get_across(pose, locks->lone_turn), pose->b.x, a, b, rows);
    }
}

void tni_six_emit_locks(const tni_six_pose *pose, const tni_six_locks *locks,
                        const tni_body_motion *a, const tni_body_motion *b, tni_row *rows) {
    six_emit_lengths(pose, locks, a, b, rows);
    six_emit_turns(pose, locks, a, b, rows + locks->lengths);
}

// ---- in double ---------------------------------------------------------------------------------

void tni_six_emit_exact_locks(const tni_six_pose *pose, const tni_six_locks *locks,
                              tni_exact_row *rows) {
    if (locks->lengths == 3) {
        tni_exact_emit_point(&pose->point, rows);
        rows += 3;
    }
    for (uint32_t i = 0; i < 3 && locks->lengths < 3; ++i) {
        if (locks->is_locked[i]) {
            tni_exact_emit_along(&pose->point, tni_six_get_axis(&pose->a, i), rows++);
        }
    }
    if (locks->turns == 3) {
        tni_exact_emit_angle(&pose->a, pose->q, rows);
    } else if (locks->turns == 2) {
        tni_axes from_a = tni_six_begin_with(&pose->a, locks->lone_turn);
        tni_exact_emit_axis(&from_a, tni_six_get_axis(&pose->b, locks->lone_turn), rows);
    } else if (locks->turns == 1 && locks->lone_turn == 0) {
        tni_exact_row turns[3];
        tni_exact_emit_angle(&pose->a, pose->q, turns);
        rows[0] = turns[0];
    } else if (locks->turns == 1) {
        tni_exact_emit_perpendicular(six_get_across(pose, locks->lone_turn), pose->b.x, rows);
    }
}

void tni_six_measure_locks(const tni_six_pose *pose, const tni_six_locks *locks, double *errors) {
    if (locks->lengths == 3) {
        tni_exact_measure_point(&pose->point, errors);
        errors += 3;
    }
    for (uint32_t i = 0; i < 3 && locks->lengths < 3; ++i) {
        if (locks->is_locked[i]) {
            *errors++ = dvec3_dot(tni_six_get_axis(&pose->a, i), pose->point.d);
        }
    }
    if (locks->turns == 3) {
        tni_exact_measure_angle(pose->q, errors);
    } else if (locks->turns == 2) {
        tni_axes from_a = tni_six_begin_with(&pose->a, locks->lone_turn);
        tni_exact_measure_axis(&from_a, tni_six_get_axis(&pose->b, locks->lone_turn), errors);
    } else if (locks->turns == 1 && locks->lone_turn == 0) {
        errors[0] = 2.0 * pose->q.x;
    } else if (locks->turns == 1) {
        errors[0] = dvec3_dot(six_get_across(pose, locks->lone_turn), pose->b.x);
    }
}

void tni_six_measure_lock_terms(const tni_six_pose *pose, const tni_six_locks *locks,
                                const tni_body_motion *a, const tni_body_motion *b, double *terms) {
    tni_dvec3 drift = tni_along_get_drift(&pose->point, a, b);
    if (locks->lengths == 3) {
        tni_exact_measure_point_terms(&pose->point, a, b, terms);
        terms += 3;
    }
    for (uint32_t i = 0; i < 3 && locks->lengths < 3; ++i) {
        if (locks->is_locked[i]) {
            *terms++ = dvec3_dot(tni_six_get_axis(&pose->a, i), drift);
        }
    }
    if (locks->turns == 3) {
        tni_exact_measure_angle_terms(&pose->a, pose->q, a, b, terms);
    } else if (locks->turns == 2) {
        tni_axes from_a = tni_six_begin_with(&pose->a, locks->lone_turn);
        tni_exact_measure_axis_terms(&from_a, tni_six_get_axis(&pose->b, locks->lone_turn), a, b,
                                     terms);
    } else if (locks->turns == 1 && locks->lone_turn == 0) {
        double of_turns[3];
        tni_exact_measure_angle_terms(&pose->a, pose->q, a, b, of_turns);
        terms[0] = of_turns[0];
    } else if (locks->turns == 1) {
        tni_dvec3 across = six_get_across(pose, locks->lone_turn);
        terms[0] = tni_exact_measure_perpendicular_term(across, pose->b.x, a, b);
    }
}

void tni_six_add_lock_curvature(const tni_six_pose *pose, const tni_six_locks *locks,
                                const double *x, tni_curvature *curvature) {
    if (locks->lengths == 3) {
        tni_curvature_add_point(&pose->point, x, curvature);
        x += 3;
    }
    for (uint32_t i = 0; i < 3 && locks->lengths < 3; ++i) {
        if (locks->is_locked[i]) {
            tni_curvature_add_along(&pose->point, tni_six_get_axis(&pose->a, i), *x++, curvature);
        }
    }
    if (locks->turns == 3) {
        tni_curvature_add_angle(pose->q, x, curvature);
    } else if (locks->turns == 2) {
        tni_axes from_a = tni_six_begin_with(&pose->a, locks->lone_turn);
        tni_curvature_add_axis(&from_a, tni_six_get_axis(&pose->b, locks->lone_turn), x, curvature);
    } else if (locks->turns == 1 && locks->lone_turn == 0) {
        const double of_turns[3] = {x[0], 0.0, 0.0};
        tni_curvature_add_angle(pose->q, of_turns, curvature);
    } else if (locks->turns == 1) {
        tni_dvec3 across = six_get_across(pose, locks->lone_turn);
        tni_curvature_add_perpendicular(across, pose->b.x, x[0], curvature);
    }
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
