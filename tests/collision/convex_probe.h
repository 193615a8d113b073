// tests/collision/convex_probe.h: one of each convex shape, of any size, and what lies within it.
#ifndef TESTS_COLLISION_CONVEX_PROBE_H
#define TESTS_COLLISION_CONVEX_PROBE_H

#include "core/memory/alloc.h"
#include "tests/collision/probe.h"

enum {
    CONVEX_KINDS = 11
};

static const char *const convex_names[CONVEX_KINDS] = {
    "sphere",           "capsule",         "box",       "hull",        "cylinder",        "cone",
    "tapered cylinder", "tapered capsule", "ellipsoid", "rounded box", "rounded cylinder"};

// Shapes of about the size 1 times `size`; `hull` is one of that size.
static inline tni_geometry convex_make(int kind, float size, const tni_hull *hull) {
    float s = size;
    switch (kind) {
    case 0:
        return probe_sphere(0.5f * s);
    case 1:
        return probe_capsule(0.5f * s, 0.2f * s);
    case 2:
        return probe_box(0.5f * s, 0.3f * s, 0.4f * s);
    case 3:
        return probe_hull(hull);
    case 4:
        return probe_cylinder(0.3f * s, 0.4f * s, 0.4f * s);
    case 5:
        return probe_cylinder(0.5f * s, 0.4f * s, 0.0f);
    case 6:
        return probe_cylinder(0.4f * s, 0.25f * s, 0.5f * s);
    case 7:
        return probe_tapered_capsule(0.4f * s, 0.35f * s, 0.15f * s);
    case 8:
        return probe_ellipsoid(0.5f * s, 0.3f * s, 0.2f * s);
    case 9:
        return probe_round(probe_box(0.3f * s, 0.4f * s, 0.2f * s), 0.1f * s);
    default:
        return probe_round(probe_cylinder(0.3f * s, 0.3f * s, 0.3f * s), 0.1f * s);
    }
}

// A random hull of 14 points on a ball of the size; it is freed by the caller.
static inline tni_hull *convex_make_hull(probe_random *random, float size) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    vec3s points[14];
    for (int i = 0; i < 14; ++i) {
        points[i] = glms_vec3_scale(probe_direction(random), 0.5f * size);
    }
    tni_hull *hull = NULL;
    tni_hull_build(&allocator, points, 14, &hull);
    return hull;
}

static inline void convex_free_hull(tni_hull *hull) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    if (hull != NULL) {
        allocator.bytes = hull->byte_size;
    }
    tni_hull_destroy(&allocator, hull);
}

// How far p, in the geometry's own frame, lies outside, from below: 0 or less within.
static inline double convex_get_outside(const tni_geometry *g, tni_dvec3 p) {
    double off = sqrt(p.x * p.x + p.z * p.z), out = -DBL_MAX;
    switch (g->type) {
    case TNI_GEOMETRY_SPHERE:
        return dvec3_length(p) - (double)g->sphere.radius;
    case TNI_GEOMETRY_CAPSULE: {
        double y = fmax(fabs(p.y) - (double)g->capsule.half_length, 0.0);
        return sqrt(off * off + y * y) - (double)g->capsule.radius;
    }
    case TNI_GEOMETRY_BOX:
        out = fmax(fabs(p.x) - (double)g->box.half_extents.x,
                   fabs(p.y) - (double)g->box.half_extents.y);
        return fmax(out, fabs(p.z) - (double)g->box.half_extents.z);
    case TNI_GEOMETRY_HULL:
        for (uint32_t i = 0; i < g->hull.hull->face_count; ++i) {
            const tni_plane *plane = &g->hull.hull->planes[i];
            out = fmax(out, dvec3_dot(dvec3_from_float(plane->normal), p) - (double)plane->offset);
        }
        return out;
    case TNI_GEOMETRY_CYLINDER: {
        double h = (double)g->cylinder.half_length, t = (p.y + h) / (2.0 * h);
        double bottom = (double)g->cylinder.radius_bottom, top = (double)g->cylinder.radius_top;
        double slant = 2.0 * h / sqrt(4.0 * h * h + (bottom - top) * (bottom - top));
        return fmax(fabs(p.y) - h, (off - (1.0 - t) * bottom - t * top) * slant);
    }
    case TNI_GEOMETRY_TAPERED_CAPSULE: {
        // The union of the balls between the two: the best of many.
        double h = (double)g->tapered_capsule.half_length, least = DBL_MAX;
        double bottom = (double)g->tapered_capsule.radius_bottom;
        double top = (double)g->tapered_capsule.radius_top;
        double low = 0.0, high = 1.0;
        for (int i = 0; i < 60; ++i) { // the distance less the radius is convex
            double t[2] = {low + 0.382 * (high - low), low + 0.618 * (high - low)}, d[2];
            for (int k = 0; k < 2; ++k) {
                double y = p.y - (2.0 * t[k] - 1.0) * h;
                d[k] = sqrt(off * off + y * y) - (1.0 - t[k]) * bottom - t[k] * top;
                least = fmin(least, d[k]);
            }
            low = d[0] < d[1] ? low : t[0];
            high = d[0] < d[1] ? t[1] : high;
        }
        return least;
    }
    case TNI_GEOMETRY_ELLIPSOID: {
        double x = p.x / (double)g->ellipsoid.radii.x, y = p.y / (double)g->ellipsoid.radii.y;
        double z = p.z / (double)g->ellipsoid.radii.z;
        return (sqrt(x * x + y * y + z * z) - 1.0) * (double)tni_geometry_inner_radius(g);
    }
    default:
        return DBL_MAX;
    }
}

#endif
