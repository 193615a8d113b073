// joints/planar_joint.c: keeps b's anchor in the plane perpendicular to the x axis of frame a, and
// lets b turn only about x.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, y_a, z_a axes of frame a (they turn with a);
// x_b axis of frame b; r_a, r_b from the centres of mass to the anchors; all in world axes.
//
// Equality rows (3):  C = x_a . d                     see parts/point.c
//                     C = (y_a . x_b, z_a . x_b)      as in a hinge; see parts/axis.c
// Values:             y_a . d,  z_a . d               rows of a point along n = y_a, z_a
//                     angle about x                   its twist; see parts/axis.c
// Limits, motors, springs and friction act on each value. Signs: positive moves b along +y and +z
// of frame a, and turns it about +x by the right-hand rule.
// Source: as in the parts; the pair after F. Reuleaux, "Theoretische Kinematik", 1875.
// Test: tests/joints/test_rows.c, tests/joints/test_planar_joint.c
#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/error.h"

#define PLANAR_VALUES 3

static uint32_t planar_get_axes(const tni_joint *joint, const tn_axis *axes[TNI_JOINT_MAX_VALUES]) {
    axes[0] = &joint->def.planar.y;
    axes[1] = &joint->def.planar.z;
    axes[2] = &joint->def.planar.turn;
    return PLANAR_VALUES;
}

static tni_row_count planar_count_rows(const tni_joint *joint) {
    const tn_axis *axes[TNI_JOINT_MAX_VALUES];
    uint32_t values = planar_get_axes(joint, axes);
    tni_row_count count = {3 + tni_scalar_count_axes(axes, values), 3, 1, 1};
    return count;
}

static void planar_emit_bounded(const tni_joint *joint, const tni_frames *frames,
                                const tni_body_motion *b, const tni_rows *out) {
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    const tn_axis *axes[TNI_JOINT_MAX_VALUES];
    uint32_t values = planar_get_axes(joint, axes);
    const tni_scalar scalars[PLANAR_VALUES] = {
        tni_along_make_moving(&frames->point, frames->a.y, out),
        tni_along_make_moving(&frames->point, frames->a.z, out),
        tni_twist_make_scalar(joint, &axes[2]->limit, &frames->a, &frame_b)};
    tni_scalar_emit_axes(scalars, axes, values, out->bounded);
}

static void planar_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                        tni_rows *out) {
    tni_frames frames = tni_frames_measure(joint, a, b);
    tni_rows_add_along(out, &frames.point, &frames.a.x, 1);
    tni_rows_add_axis(out, &frames.a, frames.x_b);
    if (out->bounded != NULL) {
        planar_emit_bounded(joint, &frames, b, out);
    }
}

static tn_joint_error planar_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                           const tni_body_motion *b) {
    const tn_planar_joint_def *def = &joint->def.planar;
    tni_frames frames = tni_frames_measure(joint, a, b);
    const tni_axes *axes = &frames.a;
    tni_dvec3 linear = dvec3_scale(axes->x, dvec3_dot(axes->x, frames.point.d));
    double past_y = tni_error_along(&frames.point, axes->y, &def->y.limit);
    double past_z = tni_error_along(&frames.point, axes->z, &def->z.limit);
    linear = dvec3_add_scaled(linear, past_y, axes->y);
    linear = dvec3_add_scaled(linear, past_z, axes->z);
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    tni_dvec3 angular = tni_error_of_axes(joint, &def->turn.limit, axes, &frame_b);
    return tni_error_make(axes, linear, angular);
}

static tni_joint_value planar_measure_value(const tni_joint *joint, uint32_t index,
                                            const tni_body_motion *a, const tni_body_motion *b) {
    if (index == 2) {
        return tni_twist_measure_value(joint, &joint->def.planar.turn.limit, a, b);
    }
    tni_point point = tni_point_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    return tni_along_measure(&point, index == 0 ? frame_a.y : frame_a.z, a, b);
}

static const tn_limit *planar_get_wound(const tni_joint *joint, uint32_t index) {
    return index > 0 ? NULL : tni_twist_get_wound(&joint->def.planar.turn.limit);
}

static const tni_joint_counter planar_counter = {.measure_turning = tni_twist_measure_turning,
                                                 .get_wound = planar_get_wound};

const tni_joint_kind tni_planar_joint_kind = {.count_rows = planar_count_rows,
                                              .emit = planar_emit,
                                              .measure_error = planar_measure_error,
                                              .measure_value = planar_measure_value,
                                              .get_axes = planar_get_axes,
                                              .counter = &planar_counter};
