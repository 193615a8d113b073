// world/convert.h: between the plain types of the API and the maths inside, and checks of
// finiteness.
#ifndef TNI_WORLD_CONVERT_H
#define TNI_WORLD_CONVERT_H

#include "core/maths.h"
#include "core/same.h"
#include "tenon/base.h"

static inline tni_dvec3 convert_from_position(tn_position p) {
    return dvec3_make(p.x, p.y, p.z);
}

static inline tn_position convert_to_position(tni_dvec3 v) {
    tn_position p = {v.x, v.y, v.z};
    return p;
}

static inline tni_dvec3 convert_from_dvec3(tn_dvec3 v) {
    return dvec3_make(v.x, v.y, v.z);
}

static inline tn_dvec3 convert_to_dvec3(tni_dvec3 v) {
    tn_dvec3 r = {v.x, v.y, v.z};
    return r;
}

static inline tni_dvec3 convert_from_vec3(tn_vec3 v) {
    return dvec3_make((double)v.x, (double)v.y, (double)v.z);
}

static inline tn_vec3 convert_to_vec3(tni_dvec3 v) {
    tn_vec3 r = {(float)v.x, (float)v.y, (float)v.z};
    return r;
}

static inline vec3s convert_to_float(tn_vec3 v) {
    return maths_vec3(v.x, v.y, v.z);
}

static inline tn_vec3 convert_from_float(vec3s v) {
    tn_vec3 r = {v.x, v.y, v.z};
    return r;
}

static inline bool convert_is_finite_vec3(tn_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static inline bool convert_is_finite_dvec3(tn_dvec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static inline bool convert_is_finite_position(tn_position p) {
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

// A quaternion the user gave, normalised. One that is of unit length already keeps its bits, so
// that a pose read and set back loses nothing. It must have passed convert_check_pose.
static inline tni_dquat convert_from_rotation(const double rotation[4]) {
    tni_dquat q = dquat_make(rotation[0], rotation[1], rotation[2], rotation[3]);
    double length_squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return fabs(length_squared - 1.0) <= 4.0 * DBL_EPSILON ? q : dquat_normalize(q);
}

// The most by which numbers of unit quaternions differ that name the same turn: as doubles and as
// floats.
#define CONVERT_SAME_TURN       (4.0 * DBL_EPSILON)
#define CONVERT_SAME_TURN_FLOAT (2.0 * (double)FLT_EPSILON)
// The square of the length of a quaternion, and its inverse, beyond which it is not asked.
#define CONVERT_LONGEST_SQUARE 1e12

// Do two quaternions, of any length and either sign, name the same turn?
static inline bool convert_is_same_turn(const double a[4], const double b[4], double most) {
    double product = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double of_a = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3];
    double of_b = b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3];
    bool are_fair = fmax(of_a, of_b) < CONVERT_LONGEST_SQUARE &&
                    fmin(of_a, of_b) * CONVERT_LONGEST_SQUARE > 1.0;
    double x = 1.0 / sqrt(of_a), y = copysign(1.0 / sqrt(of_b), product);
    bool is_same = are_fair;
    for (int i = 0; i < 4 && is_same; ++i) {
        is_same = fabs(x * a[i] - y * b[i]) <= most;
    }
    return is_same;
}

// As tni_float_set: nothing changes that is the same in other bits.
static inline void convert_set_position(tn_position *position, const tn_position *given) {
    tni_double_set(&position->x, given->x);
    tni_double_set(&position->y, given->y);
    tni_double_set(&position->z, given->z);
}

static inline void convert_set_pose(tn_pose *pose, const tn_pose *given) {
    convert_set_position(&pose->position, &given->position);
    if (!convert_is_same_turn(pose->rotation, given->rotation, CONVERT_SAME_TURN)) {
        memcpy(pose->rotation, given->rotation, sizeof pose->rotation);
    }
}

static inline tn_pose convert_to_pose(tni_dvec3 position, tni_dquat rotation) {
    tn_pose pose = {convert_to_position(position),
                    {rotation.x, rotation.y, rotation.z, rotation.w}};
    return pose;
}

// OK, NOT_FINITE, or ZERO_AXIS for a quaternion too short (or too long) to name a rotation.
static inline tn_result convert_check_pose(const tn_pose *pose) {
    const double *q = pose->rotation;
    bool is_finite = convert_is_finite_position(pose->position) && isfinite(q[0]) &&
                     isfinite(q[1]) && isfinite(q[2]) && isfinite(q[3]);
    if (!is_finite) {
        return TN_RESULT_NOT_FINITE;
    }
    double length_squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    bool has_length = length_squared > 1e-24 && isfinite(length_squared);
    return has_length ? TN_RESULT_OK : TN_RESULT_ZERO_AXIS;
}

#endif
