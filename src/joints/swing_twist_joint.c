// joints/swing_twist_joint.c: keeps two points together and limits swing and twist separately.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, x_b the x axes of the frames; q the rotation
// of frame b in frame a, q = swing twist; D = w_b - w_a; all in world axes.
//
// Equality rows (3): C = d, along the axes of the world; see parts/point.c.
//      (4)           With one swing whose range is 0: x_b stays perpendicular to z_a (swing about
//                    y) or to y_a; see parts/axis.c.
//      (5)           With both: the rows of a hinge; see parts/axis.c.
// Swing:     the rotation vector s of the swing within an ellipse, one row; see parts/swing.c.
// Twist:     limits on the turn about x, C' = t . D; see parts/axis.c and parts/limit.c.
// Motor, spring, friction, dry and viscous, about all three axes: see parts/orient.c.
// Bounded rows stand in the order spring, friction, motor, swing, twist.
// Source: as in the parts.
// Test: tests/joints/test_rows_bounded.c, tests/joints/test_swing_twist_joint.c
#include "joints/kind.h"
#include "joints/parts/angle.h"
#include "joints/parts/error.h"
#include "joints/parts/limit.h"
#include "joints/parts/orient.h"
#include "joints/parts/point.h"
#include "joints/parts/swing.h"
#include "joints/parts/twist.h"

static tni_orient_actors swing_twist_get_actors(const tn_swing_twist_joint_def *def) {
    tni_orient_actors actors = {&def->spring, &def->motor, def->friction, def->viscous_friction,
                                &def->twist_limit};
    return actors;
}

static bool swing_twist_has_cone(const tn_swing_twist_joint_def *def) {
    return def->swing_limit_y.is_enabled || def->swing_limit_z.is_enabled;
}

// Returns the range about one axis; a limit that is off bounds nothing.
static tni_swing_range swing_twist_get_range(const tn_limit *limit) {
    tni_swing_range range = {-MATHS_PI, MATHS_PI};
    if (limit->is_enabled) {
        range = (tni_swing_range){(double)limit->lower, (double)limit->upper};
    }
    return range;
}

static tni_swing_limit swing_twist_get_limit(const tn_swing_twist_joint_def *def) {
    tni_swing_limit limit = {swing_twist_get_range(&def->swing_limit_y),
                             swing_twist_get_range(&def->swing_limit_z)};
    return limit;
}

// Returns the softness and bounce of the cone: both limits have the same if both are on.
static const tn_limit *swing_twist_get_softness(const tn_swing_twist_joint_def *def) {
    return def->swing_limit_y.is_enabled ? &def->swing_limit_y : &def->swing_limit_z;
}

static uint32_t swing_twist_count_locks(const tn_swing_twist_joint_def *def) {
    tni_swing_limit limit = swing_twist_get_limit(def);
    return swing_twist_has_cone(def) ? tni_swing_count_locks(&limit) : 0;
}

// Returns the axis to which x_b stays perpendicular if one of the swings is locked.
static tni_dvec3 swing_twist_get_lock(const tn_swing_twist_joint_def *def,
                                      const tni_axes *frame_a) {
    return tni_swing_is_locked(swing_twist_get_range(&def->swing_limit_y)) ? frame_a->z
                                                                           : frame_a->y;
}

// With one locked swing the equalities, a point and one turn, are no pin.
static tni_row_count swing_twist_count_rows(const tni_joint *joint) {
    const tn_swing_twist_joint_def *def = &joint->def.swing_twist;
    tni_orient_actors actors = swing_twist_get_actors(def);
    tni_swing_limit limit = swing_twist_get_limit(def);
    uint32_t locks = swing_twist_count_locks(def);
    uint32_t bounded = tni_orient_count_rows(&actors) + tni_limit_count_rows(&def->twist_limit) +
                       (swing_twist_has_cone(def) ? tni_swing_count_bounded(&limit) : 0);
    tni_row_count count = {3 + locks + bounded, 3 + locks, locks != 1 ? TNI_PIN_POINT_ROWS : 0, 3};
    return count;
}

static void swing_twist_emit_bounded(const tni_joint *joint, const tni_frames *frames,
                                     const tni_body_motion *a, const tni_body_motion *b,
                                     bool is_still, tni_row *rows) {
    const tn_swing_twist_joint_def *def = &joint->def.swing_twist;
    tni_dvec3 w_a = a->angular_velocity, w_b = b->angular_velocity;
    tni_orient_actors actors = swing_twist_get_actors(def);
    bool needs_rotation = tni_orient_needs_rotation(&actors);
    tni_dquat q = needs_rotation ? tni_angle_measure_relative(joint, a, b) : dquat_identity();
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    tni_scalar twist = {.value = 0.0};
    if (def->twist_limit.is_enabled) {
        twist = tni_twist_make_scalar(joint, &def->twist_limit, &frames->a, &frame_b);
        twist.acceleration =
            is_still ? 0.0 : tni_axis_get_twist_term(frames->a.x, frame_b.x, w_a, w_b);
    }
    rows += tni_orient_emit(&frames->a, q, &twist, &actors, rows);
    if (swing_twist_has_cone(def)) {
        tni_swing_limit limit = swing_twist_get_limit(def);
        tni_swing_vector swing = tni_swing_measure(&frames->a, frames->x_b);
        uint32_t count = tni_swing_count_bounded(&limit);
        tni_dvec3 outward = tni_swing_emit_bounded(&swing, &limit, rows);
        if (count > 0 && !is_still) {
            tni_swing_set_term(&frames->a, frames->x_b, &limit, outward, w_a, w_b, rows);
        }
        if (count > 0) {
            tni_limit_soften(swing_twist_get_softness(def), rows);
        }
        rows += count;
    }
    tni_limit_emit(&twist, &def->twist_limit, rows);
}

static void swing_twist_emit(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, tni_rows *out) {
    const tn_swing_twist_joint_def *def = &joint->def.swing_twist;
    tni_frames frames = tni_frames_measure(joint, a, b);
    uint32_t locks = swing_twist_count_locks(def);
    tni_rows_add_point(out, &frames.point);
    if (locks == 1) {
        tni_rows_add_across(out, swing_twist_get_lock(def, &frames.a), frames.x_b);
    } else if (locks == 2) {
        tni_rows_add_axis(out, &frames.a, frames.x_b);
    }
    if (out->bounded != NULL) {
        swing_twist_emit_bounded(joint, &frames, a, b, out->is_still, out->bounded);
    }
}

static tn_joint_error swing_twist_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                                const tni_body_motion *b) {
    const tn_swing_twist_joint_def *def = &joint->def.swing_twist;
    tni_frames frames = tni_frames_measure(joint, a, b);
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    tni_scalar twist = tni_twist_make_scalar(joint, &def->twist_limit, &frames.a, &frame_b);
    tni_dvec3 angular = dvec3_scale(frames.a.x, tni_limit_get_excess(&twist, &def->twist_limit));
    if (swing_twist_has_cone(def)) {
        tni_swing_limit limit = swing_twist_get_limit(def);
        tni_swing_vector swing = tni_swing_measure(&frames.a, frames.x_b);
        bool is_soft = tni_limit_is_soft(swing_twist_get_softness(def));
        angular = dvec3_add(angular, tni_swing_get_excess(&frames.a, &swing, &limit, is_soft));
    }
    return tni_error_make(&frames.a, frames.point.d, angular);
}

static tni_joint_value swing_twist_measure_value(const tni_joint *joint, uint32_t index,
                                                 const tni_body_motion *a,
                                                 const tni_body_motion *b) {
    (void)index;
    return tni_twist_measure_value(joint, &joint->def.swing_twist.twist_limit, a, b);
}

static const tn_limit *swing_twist_get_wound(const tni_joint *joint, uint32_t index) {
    return index > 0 ? NULL : tni_twist_get_wound(&joint->def.swing_twist.twist_limit);
}

static const tni_joint_counter swing_twist_counter = {.measure_turning = tni_twist_measure_turning,
                                                      .get_wound = swing_twist_get_wound};

const tni_joint_kind tni_swing_twist_joint_kind = {.count_rows = swing_twist_count_rows,
                                                   .emit = swing_twist_emit,
                                                   .measure_error = swing_twist_measure_error,
                                                   .measure_value = swing_twist_measure_value,
                                                   .counter = &swing_twist_counter};
