// joints/swing_twist_joint.c: two points coincide; swing and twist are held apart from each other.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, x_b the x axes of the frames; q the rotation
// of frame b in frame a, q = swing twist; D = w_b - w_a; all in world axes.
//
// Equality rows (3): C = d, along the axes of the world; see parts/point.c.
//      (4)           With a swing whose range is 0: x_b stays across z_a (of the swing about
//                    y) or across y_a; see parts/across.c.
//      (5)           With both: the rows of a hinge; see parts/axis.c.
// Swing:     the rotation vector s of the swing within an ellipse, one row; see parts/swing.c.
// Twist:     limits on the turn about x, C' = t . D; see parts/axis.c and parts/limit.c.
// Motor, spring, friction, dry and viscous, about all three axes: see parts/orient.c.
// Bounded rows stand in the order spring, friction, motor, swing, twist.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_swing_twist_joint.c
#include "joints/kind.h"
#include "joints/parts/across.h"
#include "joints/parts/angle.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"
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

// The range about one axis; one that is off bounds nothing.
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

// How the cone gives way and throws back: both limits say the same where both are on.
static const tn_limit *swing_twist_get_softness(const tn_swing_twist_joint_def *def) {
    return def->swing_limit_y.is_enabled ? &def->swing_limit_y : &def->swing_limit_z;
}

static uint32_t swing_twist_count_locks(const tn_swing_twist_joint_def *def) {
    tni_swing_limit limit = swing_twist_get_limit(def);
    return swing_twist_has_cone(def) ? tni_swing_count_locks(&limit) : 0;
}

// What x_b stays across where one of the swings is locked.
static tni_dvec3 swing_twist_get_lock(const tn_swing_twist_joint_def *def,
                                      const tni_axes *frame_a) {
    return tni_swing_is_locked(swing_twist_get_range(&def->swing_limit_y)) ? frame_a->z
                                                                           : frame_a->y;
}

// With one locked swing the equalities are no pin's: a point and one turn.
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

static void swing_twist_emit_bounded(const tni_joint *joint, const tni_body_motion *a,
                                     const tni_body_motion *b, const tni_axes *frame_a,
                                     const tni_axes *frame_b, tni_row *rows) {
    const tn_swing_twist_joint_def *def = &joint->def.swing_twist;
    tni_orient_actors actors = swing_twist_get_actors(def);
    bool needs_rotation = tni_orient_needs_rotation(&actors);
    tni_dquat q = needs_rotation ? tni_angle_measure_relative(joint, a, b) : dquat_identity();
    tni_scalar twist = {.value = 0.0};
    if (def->twist_limit.is_enabled) {
        twist = tni_twist_make_scalar(joint, &def->twist_limit, frame_a, frame_b);
    }
    rows += tni_orient_emit(frame_a, q, &twist, &actors, rows);
    if (swing_twist_has_cone(def)) {
        tni_swing_limit limit = swing_twist_get_limit(def);
        tni_swing_vector swing = tni_swing_measure(frame_a, frame_b->x);
        uint32_t count = tni_swing_count_bounded(&limit);
        tni_swing_emit_bounded(&swing, &limit, rows);
        if (count > 0) {
            tni_limit_soften(swing_twist_get_softness(def), rows);
        }
        rows += count;
    }
    tni_limit_emit(&twist, &def->twist_limit, rows);
}

static void swing_twist_emit(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, tni_pin *pin, tni_row *rows) {
    tni_row_count count = swing_twist_count_rows(joint);
    tni_turned_frame turned_a = tni_frame_turn(a->rotation, &joint->vectors_a);
    tni_turned_frame turned_b = tni_frame_turn(b->rotation, &joint->vectors_b);
    tni_axes frame_a = tni_turned_axes(&turned_a), frame_b = tni_turned_axes(&turned_b);
    tni_f4 w_a = tni_pin_vector(a->angular_velocity), w_b = tni_pin_vector(b->angular_velocity);
    tni_pin own;
    pin = count.point_rows == 0 ? &own : pin;
    if (pin != NULL) {
        tni_point point = tni_point_of_frames(&turned_a, &turned_b, a, b);
        tni_point_emit(&point, w_a, w_b, pin);
    }
    if (pin != NULL && count.equalities == 5) {
        tni_axis_emit(&turned_a, &turned_b, w_a, w_b, pin);
    }
    if (count.point_rows == 0) {
        tni_dvec3 lock = swing_twist_get_lock(&joint->def.swing_twist, &frame_a);
        tni_pin_write_point(pin, rows);
        tni_across_emit(lock, frame_b.x, a, b, &rows[3]);
        rows += count.equalities;
    }
    if (rows != NULL && count.rows > count.equalities) {
        swing_twist_emit_bounded(joint, a, b, &frame_a, &frame_b, rows);
    }
}

static void swing_twist_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                                   const tni_body_motion *b, tni_exact_row *rows) {
    const tn_swing_twist_joint_def *def = &joint->def.swing_twist;
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    uint32_t locks = swing_twist_count_locks(def);
    tni_exact_emit_point(&frames.point, rows);
    if (locks == 1) {
        tni_exact_emit_perpendicular(swing_twist_get_lock(def, &frames.a), frames.x_b, &rows[3]);
    } else if (locks == 2) {
        tni_exact_emit_axis(&frames.a, frames.x_b, rows + 3);
    }
}

static void swing_twist_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b, double *errors) {
    const tn_swing_twist_joint_def *def = &joint->def.swing_twist;
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    uint32_t locks = swing_twist_count_locks(def);
    tni_exact_measure_point(&frames.point, errors);
    if (locks == 1) {
        errors[3] = dvec3_dot(swing_twist_get_lock(def, &frames.a), frames.x_b);
    } else if (locks == 2) {
        tni_exact_measure_axis(&frames.a, frames.x_b, errors + 3);
    }
}

static void swing_twist_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b, const double *x,
                                      tni_curvature *curvature) {
    const tn_swing_twist_joint_def *def = &joint->def.swing_twist;
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    uint32_t locks = swing_twist_count_locks(def);
    tni_curvature_add_point(&frames.point, x, curvature);
    if (locks == 1) {
        tni_dvec3 lock = swing_twist_get_lock(def, &frames.a);
        tni_curvature_add_perpendicular(lock, frames.x_b, x[3], curvature);
    } else if (locks == 2) {
        tni_curvature_add_axis(&frames.a, frames.x_b, x + 3, curvature);
    }
}

static void swing_twist_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b, double *terms) {
    const tn_swing_twist_joint_def *def = &joint->def.swing_twist;
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    uint32_t locks = swing_twist_count_locks(def);
    tni_exact_measure_point_terms(&frames.point, a, b, terms);
    if (locks == 1) {
        tni_dvec3 lock = swing_twist_get_lock(def, &frames.a);
        terms[3] = tni_exact_measure_perpendicular_term(lock, frames.x_b, a, b);
    } else if (locks == 2) {
        tni_exact_measure_axis_terms(&frames.a, frames.x_b, a, b, terms + 3);
    }
}

static tn_joint_error swing_twist_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                                const tni_body_motion *b) {
    const tn_swing_twist_joint_def *def = &joint->def.swing_twist;
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_axes frame_b = tni_axes_of_frame(&joint->frame_b, b);
    tni_scalar twist = tni_twist_make_scalar(joint, &def->twist_limit, &frame_a, &frame_b);
    tni_dvec3 angular = dvec3_scale(frame_a.x, tni_limit_get_excess(&twist, &def->twist_limit));
    if (swing_twist_has_cone(def)) {
        tni_swing_limit limit = swing_twist_get_limit(def);
        tni_swing_vector swing = tni_swing_measure(&frame_a, frame_b.x);
        bool is_soft = tni_limit_is_soft(swing_twist_get_softness(def));
        angular = dvec3_add(angular, tni_swing_get_excess(&frame_a, &swing, &limit, is_soft));
    }
    return tni_error_make(&frame_a, tni_point_measure(joint, a, b).d, angular);
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

const tni_joint_kind tni_swing_twist_joint_kind = {.count_rows = swing_twist_count_rows,
                                                   .emit = swing_twist_emit,
                                                   .emit_exact = swing_twist_emit_exact,
                                                   .measure_exact = swing_twist_measure_exact,
                                                   .add_curvature = swing_twist_add_curvature,
                                                   .measure_terms = swing_twist_measure_terms,
                                                   .measure_error = swing_twist_measure_error,
                                                   .measure_value = swing_twist_measure_value,
                                                   .measure_turning = tni_twist_measure_turning,
                                                   .get_wound = swing_twist_get_wound};
