// joints/ball_joint.c: keeps two points together; turning is free, or is held by limits and actors.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, x_b the x axes of the frames; D = w_b - w_a;
// all in world axes.
//
// Equality rows (3): C = d, along the axes of the world; see parts/point.c.
// Cone:      C = upper - angle >= 0,  angle between x_a and x_b;  C' = -n . D with n along
//            x_a x x_b; so ang_a = n, ang_b = -n. See parts/axis.c for n without a direction, and
//            parts/limit.c for soft and bouncing cones.
// Twist:     limits on the turn about x, C' = t . D; see parts/axis.c and parts/limit.c.
// Motor, spring, friction about all three axes: see parts/orient.c.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_ball_joint.c
#include "joints/kind.h"
#include "joints/parts/angle.h"
#include "joints/parts/error.h"
#include "joints/parts/limit.h"
#include "joints/parts/motor.h"
#include "joints/parts/orient.h"
#include "joints/parts/point.h"
#include "joints/parts/row_clear.h"
#include "joints/parts/twist.h"

static tni_orient_actors ball_get_actors(const tn_ball_joint_def *def) {
    tni_orient_actors actors = {&def->spring, &def->motor, def->friction, def->viscous_friction,
                                &def->twist_limit};
    return actors;
}

static tni_row_count ball_count_rows(const tni_joint *joint) {
    const tn_ball_joint_def *def = &joint->def.ball;
    tni_orient_actors actors = ball_get_actors(def);
    uint32_t bounded = tni_orient_count_rows(&actors) + (def->cone_limit.is_enabled ? 1 : 0) +
                       tni_limit_count_rows(&def->twist_limit);
    tni_row_count count = {3 + bounded, 3, TNI_PIN_POINT_ROWS, 3};
    return count;
}

static void ball_emit_cone(const tni_axes *frame_a, tni_dvec3 x_b, const tn_limit *limit,
                           double term, tni_row *row) {
    tni_swing swing = tni_axis_measure_swing(frame_a, x_b);
    tni_row_clear(row, TNI_ROW_LIMIT, TNI_ROLE_JOINT, true);
    row->ang_a = dvec3_to_float(swing.axis);
    row->ang_b = glms_vec3_negate(row->ang_a);
    row->error = (float)((double)limit->upper - swing.angle);
    row->velocity_term = (float)-term;
    tni_limit_soften(limit, row);
}

static TNI_NO_INLINE void ball_emit_bounded(const tni_joint *joint, const tni_body_motion *a,
                                            const tni_body_motion *b, bool is_still,
                                            tni_row *rows) {
    const tn_ball_joint_def *def = &joint->def.ball;
    tni_dvec3 w_a = a->angular_velocity, w_b = b->angular_velocity;
    tni_axes frame_a = tni_axes_of_vectors(&joint->vectors_a, a);
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    tni_orient_actors actors = ball_get_actors(def);
    bool needs_rotation = tni_orient_needs_rotation(&actors);
    tni_dquat q = needs_rotation ? tni_angle_measure_relative(joint, a, b) : dquat_identity();
    tni_scalar twist = {.value = 0.0};
    if (def->twist_limit.is_enabled) {
        twist = tni_twist_make_scalar(joint, &def->twist_limit, &frame_a, &frame_b);
        twist.acceleration =
            is_still ? 0.0 : tni_axis_get_twist_term(frame_a.x, frame_b.x, w_a, w_b);
    }
    rows += tni_orient_emit(&frame_a, q, &twist, &actors, rows);
    if (def->cone_limit.is_enabled) {
        double term = is_still ? 0.0 : tni_axis_get_swing_term(frame_a.x, frame_b.x, w_a, w_b);
        ball_emit_cone(&frame_a, frame_b.x, &def->cone_limit, term, rows);
        rows += 1;
    }
    tni_limit_emit(&twist, &def->twist_limit, rows);
}

static void ball_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      tni_rows *out) {
    tni_point point = tni_point_measure(joint, a, b);
    tni_rows_add_point(out, &point);
    if (out->bounded != NULL) {
        ball_emit_bounded(joint, a, b, out->is_still, out->bounded);
    }
}

static tn_joint_error ball_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    const tn_ball_joint_def *def = &joint->def.ball;
    tni_frames frames = tni_frames_measure(joint, a, b);
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    tni_scalar twist = tni_twist_make_scalar(joint, &def->twist_limit, &frames.a, &frame_b);
    tni_swing swing = tni_axis_measure_swing(&frames.a, frames.x_b);
    tni_dvec3 angular = dvec3_scale(frames.a.x, tni_limit_get_excess(&twist, &def->twist_limit));
    tni_scalar angle = {.value = swing.angle};
    angular = dvec3_add_scaled(angular, tni_limit_get_excess(&angle, &def->cone_limit), swing.axis);
    return tni_error_make(&frames.a, frames.point.d, angular);
}

static tni_joint_value ball_measure_value(const tni_joint *joint, uint32_t index,
                                          const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    return tni_twist_measure_value(joint, &joint->def.ball.twist_limit, a, b);
}

static const tn_limit *ball_get_wound(const tni_joint *joint, uint32_t index) {
    return index > 0 ? NULL : tni_twist_get_wound(&joint->def.ball.twist_limit);
}

static bool ball_get_ranges(const tni_joint *joint, tni_joint_ranges *out_ranges) {
    const tn_ball_joint_def *def = &joint->def.ball;
    tni_orient_actors actors = ball_get_actors(def);
    out_ranges->cone = tni_limit_or_null(&def->cone_limit);
    out_ranges->twist = tni_limit_or_null(&def->twist_limit);
    return tni_limit_is_hard(&def->cone_limit) && tni_limit_is_hard(&def->twist_limit) &&
           tni_orient_count_rows(&actors) == 0;
}

static const tni_joint_counter ball_counter = {.measure_turning = tni_twist_measure_turning,
                                               .get_wound = ball_get_wound};

const tni_joint_kind tni_ball_joint_kind = {.count_rows = ball_count_rows,
                                            .emit = ball_emit,
                                            .measure_error = ball_measure_error,
                                            .measure_value = ball_measure_value,
                                            .get_ranges = ball_get_ranges,
                                            .counter = &ball_counter};
