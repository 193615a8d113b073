// bench/space.h: the few vector functions of the benchmark, in double, for C and C++.
//
// Quaternions are x, y, z, w and turn body axes into world axes.
#ifndef BENCH_SPACE_H
#define BENCH_SPACE_H

#include <math.h>
#include <tenon/machines.h>

static inline tn_vec3 space_vector(double x, double y, double z) {
    tn_vec3 v = {x, y, z};
    return v;
}

static inline tn_vec3 space_add(tn_vec3 a, tn_vec3 b) {
    return space_vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline tn_vec3 space_subtract(tn_vec3 a, tn_vec3 b) {
    return space_vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline tn_vec3 space_scale(tn_vec3 a, double factor) {
    return space_vector(a.x * factor, a.y * factor, a.z * factor);
}

static inline double space_dot(tn_vec3 a, tn_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline tn_vec3 space_cross(tn_vec3 a, tn_vec3 b) {
    return space_vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double space_length(tn_vec3 a) {
    return sqrt(space_dot(a, a));
}

// v + 2 w (q x v) + 2 q x (q x v)
static inline tn_vec3 space_rotate(tn_quat rotation, tn_vec3 v) {
    tn_vec3 q = space_vector(rotation.x, rotation.y, rotation.z);
    tn_vec3 t = space_scale(space_cross(q, v), 2.0);
    return space_add(space_add(v, space_scale(t, rotation.w)), space_cross(q, t));
}

static inline tn_vec3 space_rotate_inverse(tn_quat rotation, tn_vec3 v) {
    tn_quat inverse = {-rotation.x, -rotation.y, -rotation.z, rotation.w};
    return space_rotate(inverse, v);
}

static inline tn_vec3 space_transform_point(const tn_pose *pose, tn_vec3 point) {
    return space_add(pose->position, space_rotate(pose->rotation, point));
}

// The pose of `local`, given relative to `outer`, in the frame that `outer` is given in.
static inline tn_pose space_compose(const tn_pose *outer, const tn_pose *local) {
    tn_quat a = outer->rotation, b = local->rotation;
    tn_vec3 p = space_transform_point(outer, local->position);
    tn_pose pose;
    pose.position = p;
    pose.rotation.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    pose.rotation.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    pose.rotation.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    pose.rotation.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    return pose;
}

#endif
