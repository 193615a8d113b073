// tools/tenon/vector.h: the little vector maths that the tool needs, in double.
#ifndef TOOLS_TENON_VECTOR_H
#define TOOLS_TENON_VECTOR_H

#include <math.h>
#include <tenon/base.h>

static inline double vector_dot(tn_dvec3 a, tn_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double vector_length(tn_dvec3 a) {
    return sqrt(vector_dot(a, a));
}

static inline tn_dvec3 vector_subtract(tn_dvec3 a, tn_dvec3 b) {
    return (tn_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline tn_dvec3 vector_cross(tn_dvec3 a, tn_dvec3 b) {
    return (tn_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline tn_dvec3 vector_from_position(tn_position p) {
    return (tn_dvec3){p.x, p.y, p.z};
}

static inline tn_position vector_to_position(tn_dvec3 v) {
    return (tn_position){v.x, v.y, v.z};
}

static inline tn_dvec3 vector_from_float(tn_vec3 v) {
    return (tn_dvec3){(double)v.x, (double)v.y, (double)v.z};
}

static inline tn_vec3 vector_to_float(tn_dvec3 v) {
    return (tn_vec3){(float)v.x, (float)v.y, (float)v.z};
}

// Turned back by the unit quaternion x, y, z, w: from world axes to a body's. v + 2 u x (u x v + w
// v) with u the vector part of the conjugate.
static inline tn_dvec3 vector_rotate_back(const double q[4], tn_dvec3 v) {
    tn_dvec3 u = {-q[0], -q[1], -q[2]};
    tn_dvec3 t = vector_cross(u, v);
    t = (tn_dvec3){t.x + q[3] * v.x, t.y + q[3] * v.y, t.z + q[3] * v.z};
    tn_dvec3 s = vector_cross(u, t);
    return (tn_dvec3){v.x + 2.0 * s.x, v.y + 2.0 * s.y, v.z + 2.0 * s.z};
}

#endif
