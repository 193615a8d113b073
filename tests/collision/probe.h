// tests/collision/probe.h: random shapes and frames, and what is true of them by brute force.
#ifndef TESTS_COLLISION_PROBE_H
#define TESTS_COLLISION_PROBE_H

#include "collision/hull.h"
#include "collision/manifold/manifold.h"

typedef struct probe_random {
    uint64_t state;
} probe_random;

// Uniform in [0, 1): xorshift64*, Vigna 2016.
static inline double probe_unit(probe_random *random) {
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (double)((random->state * 0x2545f4914f6cdd1dull) >> 11) / 9007199254740992.0;
}

static inline float probe_between(probe_random *random, float lower, float upper) {
    return lower + (upper - lower) * (float)probe_unit(random);
}

static inline uint32_t probe_below(probe_random *random, uint32_t count) {
    return (uint32_t)(probe_unit(random) * (double)count);
}

static inline vec3s probe_vec(probe_random *random, float size) {
    float x = probe_between(random, -size, size), y = probe_between(random, -size, size);
    return maths_vec3(x, y, probe_between(random, -size, size));
}

static inline vec3s probe_direction(probe_random *random) {
    for (;;) {
        vec3s v = probe_vec(random, 1.0f);
        float length = glms_vec3_norm(v);
        if (length > 0.1f && length < 1.0f) {
            return glms_vec3_scale(v, 1.0f / length);
        }
    }
}

static inline versors probe_rotation(probe_random *random) {
    float q[4];
    for (int i = 0; i < 4; ++i) {
        q[i] = probe_between(random, -1.0f, 1.0f);
    }
    return maths_quat_normalize(maths_quat(q[0], q[1], q[2], q[3]));
}

// ---- shapes --------------------------------------------------------------------------------

static inline tni_geometry probe_sphere(float radius) {
    tni_geometry g = {.type = TNI_GEOMETRY_SPHERE, .rotation = maths_quat_identity()};
    g.sphere.radius = radius;
    return g;
}

static inline tni_geometry probe_capsule(float half_length, float radius) {
    tni_geometry g = {.type = TNI_GEOMETRY_CAPSULE, .rotation = maths_quat_identity()};
    g.capsule.half_length = half_length;
    g.capsule.radius = radius;
    return g;
}

static inline tni_geometry probe_box(float x, float y, float z) {
    tni_geometry g = {.type = TNI_GEOMETRY_BOX, .rotation = maths_quat_identity()};
    g.box.half_extents = maths_vec3(x, y, z);
    return g;
}

static inline tni_geometry probe_hull(const tni_hull *hull) {
    tni_geometry g = {.type = TNI_GEOMETRY_HULL, .rotation = maths_quat_identity()};
    g.hull.hull = hull;
    return g;
}

static inline tni_geometry probe_cylinder(float half_length, float bottom, float top) {
    tni_geometry g = {.type = TNI_GEOMETRY_CYLINDER, .rotation = maths_quat_identity()};
    g.cylinder.half_length = half_length;
    g.cylinder.radius_bottom = bottom;
    g.cylinder.radius_top = top;
    return g;
}

static inline tni_geometry probe_tapered_capsule(float half_length, float bottom, float top) {
    tni_geometry g = {.type = TNI_GEOMETRY_TAPERED_CAPSULE, .rotation = maths_quat_identity()};
    g.tapered_capsule.half_length = half_length;
    g.tapered_capsule.radius_bottom = bottom;
    g.tapered_capsule.radius_top = top;
    return g;
}

static inline tni_geometry probe_ellipsoid(float x, float y, float z) {
    tni_geometry g = {.type = TNI_GEOMETRY_ELLIPSOID, .rotation = maths_quat_identity()};
    g.ellipsoid.radii = maths_vec3(x, y, z);
    return g;
}

static inline tni_geometry probe_round(tni_geometry g, float rounding) {
    g.rounding = rounding;
    return g;
}

static inline tni_geometry probe_half_space(void) {
    tni_geometry g = {.type = TNI_GEOMETRY_HALF_SPACE, .rotation = maths_quat_identity()};
    return g;
}

static inline tni_frame probe_frame(float x, float y, float z) {
    tni_frame frame = {maths_vec3(x, y, z), maths_quat_identity()};
    return frame;
}

// A turn by `angle` about a unit axis.
static inline versors probe_turn(vec3s axis, double angle) {
    float s = (float)tni_maths_sin(0.5 * angle);
    return maths_quat_normalize(
        maths_quat(axis.x * s, axis.y * s, axis.z * s, (float)tni_maths_cos(0.5 * angle)));
}

// ---- brute force ---------------------------------------------------------------------------

// How far the shape reaches along a direction (world axes), from the pair's origin. A half-space
// reaches infinitely far except along its own normal.
static inline double probe_reach(const tni_geometry *g, const tni_frame *frame, tni_dvec3 n) {
    tni_dquat q = dquat_from_float(frame->rotation);
    tni_dvec3 m = dquat_rotate_inverse(dquat_normalize(q), n);
    double base = dvec3_dot(n, dvec3_from_float(frame->position)) + (double)g->rounding;
    double off = sqrt(m.x * m.x + m.z * m.z);
    switch (g->type) {
    case TNI_GEOMETRY_SPHERE:
        return base + (double)g->sphere.radius;
    case TNI_GEOMETRY_CAPSULE:
        return base + fabs(m.y) * (double)g->capsule.half_length + (double)g->capsule.radius;
    case TNI_GEOMETRY_BOX:
        return base + fabs(m.x) * (double)g->box.half_extents.x +
               fabs(m.y) * (double)g->box.half_extents.y +
               fabs(m.z) * (double)g->box.half_extents.z;
    case TNI_GEOMETRY_HULL: {
        double best = -DBL_MAX;
        for (uint32_t i = 0; i < g->hull.hull->vertex_count; ++i) {
            best = fmax(best, dvec3_dot(m, dvec3_from_float(g->hull.hull->vertices[i])));
        }
        return base + best;
    }
    case TNI_GEOMETRY_CYLINDER:
        return base +
               fmax(m.y * (double)g->cylinder.half_length + off * (double)g->cylinder.radius_top,
                    -m.y * (double)g->cylinder.half_length +
                        off * (double)g->cylinder.radius_bottom);
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        return base + fmax(m.y * (double)g->tapered_capsule.half_length +
                               (double)g->tapered_capsule.radius_top,
                           -m.y * (double)g->tapered_capsule.half_length +
                               (double)g->tapered_capsule.radius_bottom);
    case TNI_GEOMETRY_ELLIPSOID: {
        double x = m.x * (double)g->ellipsoid.radii.x, y = m.y * (double)g->ellipsoid.radii.y;
        double z = m.z * (double)g->ellipsoid.radii.z;
        return base + sqrt(x * x + y * y + z * z);
    }
    case TNI_GEOMETRY_HALF_SPACE:
    default:
        return m.y > 0.9999999 ? base : 1e30;
    }
}

static inline double probe_separation(const tni_geometry *a, const tni_frame *frame_a,
                                      const tni_geometry *b, const tni_frame *frame_b,
                                      tni_dvec3 n) {
    return -probe_reach(b, frame_b, dvec3_scale(n, -1.0)) - probe_reach(a, frame_a, n);
}

// The largest separation over all directions: many at random, then the best few climbed.
static inline double probe_best_separation(probe_random *random, const tni_geometry *a,
                                           const tni_frame *frame_a, const tni_geometry *b,
                                           const tni_frame *frame_b) {
    enum {
        SAMPLES = 600,
        STARTS = 8,
        CLIMBS = 300
    };
    tni_dvec3 start[STARTS];
    double value[STARTS];
    for (int i = 0; i < STARTS; ++i) {
        value[i] = -DBL_MAX;
        start[i] = dvec3_make(0.0, 1.0, 0.0);
    }
    for (int i = 0; i < SAMPLES; ++i) {
        tni_dvec3 n = dvec3_from_float(probe_direction(random));
        n = dvec3_scale(n, 1.0 / dvec3_length(n));
        double s = probe_separation(a, frame_a, b, frame_b, n);
        int worst = 0;
        for (int k = 1; k < STARTS; ++k) {
            worst = value[k] < value[worst] ? k : worst;
        }
        if (s > value[worst]) {
            value[worst] = s;
            start[worst] = n;
        }
    }
    double best = -DBL_MAX;
    for (int k = 0; k < STARTS; ++k) {
        double step = 0.2;
        for (int i = 0; i < CLIMBS; ++i) {
            tni_dvec3 d = dvec3_from_float(probe_vec(random, 1.0f));
            tni_dvec3 n = dvec3_add_scaled(start[k], step, d);
            n = dvec3_scale(n, 1.0 / dvec3_length(n));
            double s = probe_separation(a, frame_a, b, frame_b, n);
            if (s > value[k]) {
                value[k] = s;
                start[k] = n;
            } else {
                step *= 0.96;
            }
        }
        best = fmax(best, value[k]);
    }
    return best;
}

#endif
