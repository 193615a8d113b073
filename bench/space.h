// bench/space.h: the few vector functions of the benchmark, in double, for C and C++.
//
// Quaternions are x, y, z, w and turn body axes into world axes.
#ifndef BENCH_SPACE_H
#define BENCH_SPACE_H

#include <math.h>
#include <tenon/machines.h>

static inline tn_dvec3 space_vector(double x, double y, double z) {
    tn_dvec3 v = {x, y, z};
    return v;
}

static inline tn_dvec3 space_add(tn_dvec3 a, tn_dvec3 b) {
    return space_vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline tn_dvec3 space_subtract(tn_dvec3 a, tn_dvec3 b) {
    return space_vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline tn_dvec3 space_scale(tn_dvec3 a, double factor) {
    return space_vector(a.x * factor, a.y * factor, a.z * factor);
}

static inline double space_dot(tn_dvec3 a, tn_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline tn_dvec3 space_cross(tn_dvec3 a, tn_dvec3 b) {
    return space_vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double space_length(tn_dvec3 a) {
    return sqrt(space_dot(a, a));
}

// v + 2 w (q x v) + 2 q x (q x v)
static inline tn_dvec3 space_rotate(const double rotation[4], tn_dvec3 v) {
    tn_dvec3 q = space_vector(rotation[0], rotation[1], rotation[2]);
    tn_dvec3 t = space_scale(space_cross(q, v), 2.0);
    return space_add(space_add(v, space_scale(t, rotation[3])), space_cross(q, t));
}

static inline tn_dvec3 space_rotate_inverse(const double rotation[4], tn_dvec3 v) {
    double inverse[4] = {-rotation[0], -rotation[1], -rotation[2], rotation[3]};
    return space_rotate(inverse, v);
}

static inline tn_dvec3 space_from_position(tn_position p) {
    return space_vector(p.x, p.y, p.z);
}

static inline tn_dvec3 space_transform_point(const tn_pose *pose, tn_dvec3 point) {
    return space_add(space_from_position(pose->position), space_rotate(pose->rotation, point));
}

// The pose of `local`, given relative to `outer`, in the frame that `outer` is given in.
static inline tn_pose space_compose(const tn_pose *outer, const tn_pose *local) {
    const double *a = outer->rotation;
    const double *b = local->rotation;
    tn_dvec3 p = space_transform_point(outer, space_from_position(local->position));
    tn_pose pose;
    pose.position.x = p.x;
    pose.position.y = p.y;
    pose.position.z = p.z;
    pose.rotation[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    pose.rotation[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    pose.rotation[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    pose.rotation[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    return pose;
}

static inline tn_pose space_pose_from_transform(tn_transform t) {
    tn_pose pose = {
        {(double)t.position.x, (double)t.position.y, (double)t.position.z},
        {(double)t.rotation.x, (double)t.rotation.y, (double)t.rotation.z, (double)t.rotation.w}};
    return pose;
}

#endif
