// tools/tenon/vector.h: the little vector maths that the tool needs, in double.
#ifndef TOOLS_TENON_VECTOR_H
#define TOOLS_TENON_VECTOR_H

#include <math.h>
#include <tenon/base.h>

static inline double vector_dot(tn_vec3 a, tn_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double vector_length(tn_vec3 a) {
    return sqrt(vector_dot(a, a));
}

static inline tn_vec3 vector_subtract(tn_vec3 a, tn_vec3 b) {
    return (tn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline tn_vec3 vector_cross(tn_vec3 a, tn_vec3 b) {
    return (tn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Turned back by the unit quaternion x, y, z, w: from world axes to a body's. v + 2 u x (u x v + w
// v) with u the vector part of the conjugate.
static inline tn_vec3 vector_rotate_back(tn_quat q, tn_vec3 v) {
    tn_vec3 u = {-q.x, -q.y, -q.z};
    tn_vec3 t = vector_cross(u, v);
    t = (tn_vec3){t.x + q.w * v.x, t.y + q.w * v.y, t.z + q.w * v.z};
    tn_vec3 s = vector_cross(u, t);
    return (tn_vec3){v.x + 2.0 * s.x, v.y + 2.0 * s.y, v.z + 2.0 * s.z};
}

#endif
