// Rays and curved or rounded shapes: the hit lies on the surface, nothing before it is inside, and
// the normal is that of the surface.
#include <criterion/criterion.h>

#include "collision/ray.h"
#include "tests/collision/convex_probe.h"
#include "tests/support/long_test.h"

enum {
    RAY_KINDS = 8,
    RAYS = 3000,
    SAMPLES = 400
};

static tni_geometry make_shape(int kind) {
    const tni_geometry shapes[RAY_KINDS] = {probe_cylinder(0.4f, 0.5f, 0.5f),
                                            probe_cylinder(0.6f, 0.5f, 0.0f),
                                            probe_cylinder(0.3f, 0.2f, 0.5f),
                                            probe_tapered_capsule(0.4f, 0.4f, 0.2f),
                                            probe_ellipsoid(0.5f, 0.2f, 0.8f),
                                            probe_round(probe_box(0.4f, 0.2f, 0.3f), 0.1f),
                                            probe_round(probe_cylinder(0.3f, 0.4f, 0.2f), 0.15f),
                                            probe_round(probe_ellipsoid(0.5f, 0.2f, 0.3f), 0.1f)};
    return shapes[kind];
}

// How far the shape reaches along n.
static double reach(const tni_geometry *g, tni_dvec3 n) {
    tni_frame frame = probe_frame(0.0f, 0.0f, 0.0f);
    return probe_reach(g, &frame, n);
}

// The distance of p from a box, or from a cylinder by its profile: 0 within.
static double get_core_distance(const tni_geometry *g, tni_dvec3 p) {
    if (g->type == TNI_GEOMETRY_BOX) {
        tni_dvec3 h = dvec3_from_float(g->box.half_extents);
        return dvec3_length(dvec3_make(fmax(fabs(p.x) - h.x, 0.0), fmax(fabs(p.y) - h.y, 0.0),
                                       fmax(fabs(p.z) - h.z, 0.0)));
    }
    double h = (double)g->cylinder.half_length, bottom = (double)g->cylinder.radius_bottom;
    double top = (double)g->cylinder.radius_top, rho = sqrt(p.x * p.x + p.z * p.z);
    if (convex_get_outside(g, p) <= 0.0) {
        return 0.0;
    }
    const double corners[4][2] = {{0.0, -h}, {bottom, -h}, {top, h}, {0.0, h}};
    double least = DBL_MAX;
    for (int i = 0; i < 3; ++i) {
        double x = corners[i + 1][0] - corners[i][0], y = corners[i + 1][1] - corners[i][1];
        double u = rho - corners[i][0], v = p.y - corners[i][1];
        double t = fmin(fmax((u * x + v * y) / (x * x + y * y), 0.0), 1.0);
        least = fmin(least, sqrt((u - t * x) * (u - t * x) + (v - t * y) * (v - t * y)));
    }
    return least;
}

// How far p lies outside: 0 or less within. A rounded ellipsoid is sampled along its ways out.
static double get_outside(const tni_geometry *g, probe_random *random, tni_dvec3 p) {
    if (g->rounding == 0.0f) {
        return convex_get_outside(g, p);
    }
    if (g->type != TNI_GEOMETRY_ELLIPSOID) {
        return get_core_distance(g, p) - (double)g->rounding;
    }
    tni_dvec3 best = dvec3_scale(p, 1.0 / (dvec3_length(p) + 1e-9));
    double most = dvec3_dot(best, p) - reach(g, best), step = 0.5;
    for (int i = 0; i < SAMPLES; ++i) { // the greatest n.p - h(n)
        tni_dvec3 d = dvec3_from_float(probe_vec(random, 1.0f));
        tni_dvec3 n = dvec3_add_scaled(best, step, d);
        n = dvec3_scale(n, 1.0 / dvec3_length(n));
        double out = dvec3_dot(n, p) - reach(g, n);
        step = out > most ? step : 0.96 * step;
        best = out > most ? n : best;
        most = fmax(most, out);
    }
    return most;
}

static tni_ray random_ray(probe_random *random, double far) {
    tni_dvec3 from = dvec3_scale(dvec3_from_float(probe_direction(random)), far);
    tni_dvec3 to = dvec3_scale(dvec3_from_float(probe_vec(random, 0.7f)), 1.0);
    return (tni_ray){from, dvec3_scale(dvec3_sub(to, from), 1.5)};
}

Test(ray_convex, hits_lie_on_the_surface_and_nothing_lies_before_them) {
    probe_random random = {3};
    for (int kind = 0; kind < RAY_KINDS; ++kind) {
        tni_geometry g = make_shape(kind);
        int hits = 0, misses = 0;
        for (int k = 0; k < RAYS; ++k) {
            tni_ray ray = random_ray(&random, k % 2 == 0 ? 2.0 : 1000.0);
            tni_ray_hit hit;
            if (!tni_geometry_cast_ray(&g, &ray, TNI_RAY_ENTERS, &hit)) {
                misses += 1;
                continue;
            }
            hits += 1;
            tni_dvec3 at = dvec3_add_scaled(ray.origin, hit.fraction, ray.translation);
            double out = fabs(dvec3_dot(hit.normal, at) - reach(&g, hit.normal));
            cr_assert(out < 1e-6, "shape %d: %g off the tangent plane", kind, out);
            cr_assert_float_eq(dvec3_length(hit.normal), 1.0, 1e-9);
            cr_assert(dvec3_dot(hit.normal, ray.translation) <= 0.0);
            if (g.rounding == 0.0f) {
                cr_assert(fabs(convex_get_outside(&g, at)) < 1e-6, "shape %d: %g off", kind,
                          convex_get_outside(&g, at));
            }
        }
        cr_assert(hits > RAYS / 10 && misses > RAYS / 100, "shape %d: %d hits", kind, hits);
    }
}

LONG_TEST(ray_convex, hits_are_those_of_dense_samples_along_the_ray) {
    probe_random random = {5};
    for (int kind = 0; kind < RAY_KINDS; ++kind) {
        tni_geometry g = make_shape(kind);
        for (int k = 0; k < 60; ++k) {
            tni_ray ray = random_ray(&random, 2.0);
            tni_ray_hit hit;
            bool hits = tni_geometry_cast_ray(&g, &ray, TNI_RAY_ENTERS, &hit);
            double first = 2.0;
            for (int i = 0; i <= SAMPLES && first > 1.0; ++i) {
                double s = (double)i / SAMPLES;
                tni_dvec3 p = dvec3_add_scaled(ray.origin, s, ray.translation);
                first = get_outside(&g, &random, p) < -1e-4 ? s : first;
            }
            double found = hits ? hit.fraction : 2.0;
            // A ray may graze what samples miss, but not the other way round.
            cr_assert(found <= first, "shape %d: hit at %g, sampled at %g", kind, found, first);
            cr_assert(first > 1.0 || first - found < 0.08, "shape %d: hit at %g, sampled at %g",
                      kind, found, first);
        }
    }
}

Test(ray_convex, a_ray_from_inside_hits_at_once) {
    for (int kind = 0; kind < RAY_KINDS; ++kind) {
        tni_geometry g = make_shape(kind);
        tni_ray ray = {{0.01, 0.02, 0.03}, {0.0, 5.0, 1.0}};
        tni_ray_hit hit;
        cr_assert(tni_geometry_cast_ray(&g, &ray, TNI_RAY_ENTERS, &hit));
        cr_assert_eq(hit.fraction, 0.0);
        cr_assert_eq(dvec3_length(hit.normal), 0.0);
    }
}

Test(ray_convex, a_ray_along_the_axis_hits_cap_and_apex) {
    tni_geometry cylinder = make_shape(0), cone = make_shape(1);
    tni_ray down = {{0.1, 2.0, 0.0}, {0.0, -4.0, 0.0}}, axis = {{0.0, 2.0, 0.0}, {0.0, -4.0, 0.0}};
    tni_ray_hit hit;
    cr_assert(tni_geometry_cast_ray(&cylinder, &down, TNI_RAY_ENTERS, &hit));
    cr_assert_float_eq(hit.fraction, 0.4, 1e-7);
    cr_assert_float_eq(hit.normal.y, 1.0, 1e-12);
    cr_assert(tni_geometry_cast_ray(&cone, &axis, TNI_RAY_ENTERS, &hit));
    cr_assert_float_eq(hit.fraction, 0.35, 1e-7);
    cr_assert(tni_geometry_cast_ray(&cone, &down, TNI_RAY_ENTERS, &hit));
    cr_assert_float_eq(2.0 - 4.0 * hit.fraction, 0.6 - 0.1 * 1.2 / 0.5, 1e-7);
    tni_ray up = {{0.1, -2.0, 0.0}, {0.0, 4.0, 0.0}};
    cr_assert(tni_geometry_cast_ray(&cone, &up, TNI_RAY_ENTERS, &hit));
    cr_assert_float_eq(hit.normal.y, -1.0, 1e-12);
}
