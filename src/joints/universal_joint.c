// joints/universal_joint.c: keeps two points together and the arms of a cross perpendicular: a
// Cardan or Hooke's joint.
//
// Symbols: d = p_b - p_a from anchor to anchor; y_a axis of frame a, z_b axis of frame b: the arms
// of the cross; D = w_b - w_a; all in world axes.
//
// Equality rows (4):  C = d              along the axes of the world; see parts/point.c
//                     C = y_a . z_b      with C' = (z_b x y_a) . D; see parts/cross.c
// Values:             alpha, the angle about y_a, then gamma, that about z_b; see parts/cross.c
// Limits, motors, springs and friction act on each angle. Signs: positive turns b about +y of frame
// a and about its own +z by the right-hand rule.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_universal_joint.c
#include "joints/kind.h"
#include "joints/parts/cross.h"
#include "joints/parts/error.h"

#define UNIVERSAL_VALUES 2

static uint32_t universal_get_axes(const tni_joint *joint,
                                   const tn_axis *axes[TNI_JOINT_MAX_VALUES]) {
    axes[0] = &joint->def.universal.first;
    axes[1] = &joint->def.universal.second;
    return UNIVERSAL_VALUES;
}

static tni_row_count universal_count_rows(const tni_joint *joint) {
    const tn_axis *axes[TNI_JOINT_MAX_VALUES];
    uint32_t values = universal_get_axes(joint, axes);
    tni_row_count count = {4 + tni_scalar_count_axes(axes, values), 4, TNI_PIN_POINT_ROWS, 3};
    return count;
}

static const tn_limit *universal_get_limit(const tni_joint *joint, uint32_t index) {
    const tn_universal_joint_def *def = &joint->def.universal;
    return index == 0 ? &def->first.limit : &def->second.limit;
}

static tni_scalar universal_make_scalar(const tni_joint *joint, const tni_cross *cross,
                                        uint32_t index) {
    return tni_twist_wind_scalar(joint, universal_get_limit(joint, index), index,
                                 tni_cross_make_angle(cross, index));
}

static void universal_emit_bounded(const tni_joint *joint, const tni_cross *cross, tni_row *rows) {
    const tn_axis *axes[TNI_JOINT_MAX_VALUES];
    uint32_t values = universal_get_axes(joint, axes);
    const tni_scalar scalars[UNIVERSAL_VALUES] = {universal_make_scalar(joint, cross, 0),
                                                  universal_make_scalar(joint, cross, 1)};
    tni_scalar_emit_axes(scalars, axes, values, rows);
}

static void universal_emit(const tni_joint *joint, const tni_body_motion *a,
                           const tni_body_motion *b, tni_rows *out) {
    tni_frames frames = tni_frames_measure(joint, a, b);
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    tni_cross cross = tni_cross_make(&frames.a, &frame_b);
    tni_rows_add_point(out, &frames.point);
    tni_rows_add_cross(out, &cross);
    if (out->bounded != NULL) {
        universal_emit_bounded(joint, &cross, out->bounded);
    }
}

static tn_joint_error universal_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                              const tni_body_motion *b) {
    const tn_universal_joint_def *def = &joint->def.universal;
    tni_cross cross = tni_cross_measure(joint, a, b);
    tni_scalar first = universal_make_scalar(joint, &cross, 0);
    tni_scalar second = universal_make_scalar(joint, &cross, 1);
    tni_dvec3 angular = tni_cross_get_error(&cross);
    angular =
        dvec3_add_scaled(angular, tni_limit_get_excess(&first, &def->first.limit), cross.frame_a.y);
    angular = dvec3_add_scaled(angular, tni_limit_get_excess(&second, &def->second.limit),
                               cross.frame_b.z);
    return tni_error_make(&cross.frame_a, tni_point_measure(joint, a, b).d, angular);
}

static tni_joint_value universal_measure_value(const tni_joint *joint, uint32_t index,
                                               const tni_body_motion *a, const tni_body_motion *b) {
    tni_cross cross = tni_cross_measure(joint, a, b);
    tni_joint_value value = tni_cross_measure_angle(&cross, index, a, b);
    value.position =
        tni_twist_wind(joint, universal_get_limit(joint, index), index, value.position);
    return value;
}

static bool universal_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b, tni_joint_value turning[2]) {
    tni_cross cross = tni_cross_measure(joint, a, b);
    turning[0] = tni_cross_measure_angle(&cross, 0, a, b);
    turning[1] = tni_cross_measure_angle(&cross, 1, a, b);
    return true;
}

static const tn_limit *universal_get_wound(const tni_joint *joint, uint32_t index) {
    return tni_twist_get_wound(universal_get_limit(joint, index));
}

static const tni_joint_counter universal_counter = {.measure_turning = universal_measure_turning,
                                                    .get_wound = universal_get_wound};

const tni_joint_kind tni_universal_joint_kind = {.count_rows = universal_count_rows,
                                                 .emit = universal_emit,
                                                 .measure_error = universal_measure_error,
                                                 .measure_value = universal_measure_value,
                                                 .get_axes = universal_get_axes,
                                                 .counter = &universal_counter};
