// world/records/convert.h: converts between the API's plain types and the inner maths, and checks
// finiteness.
#ifndef TNI_WORLD_RECORDS_CONVERT_H
#define TNI_WORLD_RECORDS_CONVERT_H

#include "collision/geometry.h"
#include "core/maths.h"
#include "core/same.h"
#include "tenon/base.h"

static inline vec3s convert_to_float(tn_vec3 v) {
    return maths_vec3((float)v.x, (float)v.y, (float)v.z);
}

static inline tn_vec3 convert_from_float(vec3s v) {
    tn_vec3 r = {(double)v.x, (double)v.y, (double)v.z};
    return r;
}

static inline tn_bounds convert_from_bounds(const tni_bounds *bounds) {
    return (tn_bounds){convert_from_float(bounds->lower), convert_from_float(bounds->upper)};
}

static inline bool convert_is_finite(tn_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static inline bool convert_is_finite_quat(tn_quat q) {
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

// Returns whether a vector is finite once stored in floats.
static inline bool convert_is_finite_float(tn_vec3 v) {
    return fabs(v.x) <= (double)FLT_MAX && fabs(v.y) <= (double)FLT_MAX &&
           fabs(v.z) <= (double)FLT_MAX;
}

// Returns the user's quaternion, normalised. One of unit length keeps its bits, so that a pose read
// and set back loses nothing. The quaternion must have passed convert_check_pose.
static inline tni_dquat convert_from_rotation(tn_quat rotation) {
    tni_dquat q = dquat_from_plain(rotation);
    double length_squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return fabs(length_squared - 1.0) <= 4.0 * DBL_EPSILON ? q : dquat_normalize(q);
}

// The numbers of unit quaternions for one rotation differ by at most this: as doubles and as
// floats.
#define CONVERT_SAME_TURN       (4.0 * DBL_EPSILON)
#define CONVERT_SAME_TURN_FLOAT (2.0 * (double)FLT_EPSILON)
// A quaternion whose squared length is beyond this or its inverse is not compared.
#define CONVERT_LONGEST_SQUARE 1e12

// Returns whether two quaternions, of any length and either sign, name the same rotation.
static inline bool convert_is_same_turn(tn_quat a, tn_quat b, double most) {
    double product = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    double of_a = a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
    double of_b = b.x * b.x + b.y * b.y + b.z * b.z + b.w * b.w;
    bool are_fair = maths_max_d(of_a, of_b) < CONVERT_LONGEST_SQUARE &&
                    maths_min_d(of_a, of_b) * CONVERT_LONGEST_SQUARE > 1.0;
    double x = 1.0 / sqrt(of_a), y = copysign(1.0 / sqrt(of_b), product);
    return are_fair && fabs(x * a.x - y * b.x) <= most && fabs(x * a.y - y * b.y) <= most &&
           fabs(x * a.z - y * b.z) <= most && fabs(x * a.w - y * b.w) <= most;
}

// Sets a vector as tni_float_set does: a number of equal value keeps its bits.
static inline bool convert_set_vec3(tn_vec3 *position, const tn_vec3 *given) {
    bool is_other = tni_double_set(&position->x, given->x);
    is_other |= tni_double_set(&position->y, given->y);
    is_other |= tni_double_set(&position->z, given->z);
    return is_other;
}

static inline void convert_set_pose(tn_pose *pose, const tn_pose *given) {
    convert_set_vec3(&pose->position, &given->position);
    if (!convert_is_same_turn(pose->rotation, given->rotation, CONVERT_SAME_TURN)) {
        pose->rotation = given->rotation;
    }
}

static inline tn_pose convert_to_pose(tni_dvec3 position, tni_dquat rotation) {
    tn_pose pose = {dvec3_to_plain(position), dquat_to_plain(rotation)};
    return pose;
}

// Returns OK, NOT_FINITE, or ZERO_AXIS for a quaternion too short (or too long) to name a rotation.
static inline tn_result convert_check_pose(const tn_pose *pose) {
    tn_quat q = pose->rotation;
    bool is_finite = convert_is_finite(pose->position) && convert_is_finite_quat(q);
    if (!is_finite) {
        return TN_RESULT_NOT_FINITE;
    }
    double length_squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    bool has_length = length_squared > 1e-24 && isfinite(length_squared);
    return has_length ? TN_RESULT_OK : TN_RESULT_ZERO_AXIS;
}

#endif
