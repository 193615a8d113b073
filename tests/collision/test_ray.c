// A ray meets a shape where it first comes inside, and nowhere before.
#include <criterion/criterion.h>
#include <math.h>

#include "collision/hull.h"
#include "collision/ray.h"
#include "collision/stretch.h"
#include "tests/collision/probe.h"

static tni_geometry geometries[5];
static tni_box_hull wedge; // a box as a hull

static void setup(void) {
    vec3s half = maths_vec3(0.7f, 0.4f, 1.1f);
    tni_box_hull_set(&wedge, half);
    geometries[0] = probe_sphere(0.8f);
    geometries[1] = probe_capsule(0.6f, 0.5f);
    geometries[2] = probe_box(half.x, half.y, half.z);
    geometries[3] = probe_hull(&wedge.hull);
    geometries[4] = probe_half_space();
}

TestSuite(ray, .init = setup, .timeout = 60);

// How far outside of the geometry a point is, m; below 0 inside. Not by the code under test.
static double outside(const tni_geometry *geometry, tni_dvec3 p) {
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        return dvec3_length(p) - (double)geometry->sphere.radius;
    case TNI_GEOMETRY_CAPSULE: {
        double half = (double)geometry->capsule.half_length;
        double y = fmax(-half, fmin(half, p.y));
        return dvec3_length(dvec3_make(p.x, p.y - y, p.z)) - (double)geometry->capsule.radius;
    }
    case TNI_GEOMETRY_BOX:
    case TNI_GEOMETRY_HULL: {
        vec3s h = geometries[2].box.half_extents;
        return fmax(fmax(fabs(p.x) - (double)h.x, fabs(p.y) - (double)h.y),
                    fabs(p.z) - (double)h.z);
    }
    default:
        return p.y;
    }
}

static tni_dvec3 along(const tni_ray *ray, double s) {
    return dvec3_add_scaled(ray->origin, s, ray->translation);
}

// Rays from all around, some from within, some past it. Returns whether it hit.
static bool assert_first(const tni_geometry *geometry, const tni_ray *ray) {
    tni_ray_hit hit;
    bool hits = tni_geometry_cast_ray(geometry, ray, TNI_RAY_ENTERS, &hit);
    double end = hits ? hit.fraction : 1.0;
    cr_assert(end >= 0.0 && end <= 1.0);
    if (hits && hit.fraction == 0.0) {
        cr_assert(outside(geometry, ray->origin) <= 1e-7);
        cr_assert(hit.normal.x == 0.0 && hit.normal.y == 0.0 && hit.normal.z == 0.0);
        return true;
    }
    for (int i = 0; i < 200; ++i) {
        cr_assert(outside(geometry, along(ray, end * i / 200.0)) > -1e-7, "met before it was told");
    }
    if (hits) {
        tni_dvec3 point = along(ray, hit.fraction);
        cr_assert(fabs(outside(geometry, point)) < 1e-7);
        cr_assert(fabs(dvec3_length(hit.normal) - 1.0) < 1e-6);
        cr_assert(dvec3_dot(hit.normal, ray->translation) < 0.0);
        // A little along the normal it is that much farther out.
        tni_dvec3 off = dvec3_add_scaled(point, 1e-4, hit.normal);
        cr_assert(fabs(outside(geometry, off) - 1e-4) < 2e-7);
    }
    return hits;
}

Test(ray, meets_every_shape_where_it_first_comes_inside) {
    probe_random random = {7};
    for (int g = 0; g < 5; ++g) {
        int hits = 0;
        for (int i = 0; i < 2000; ++i) {
            vec3s from = probe_vec(&random, 2.5f), to = probe_vec(&random, 2.5f);
            tni_ray ray = {dvec3_from_float(from), dvec3_from_float(glms_vec3_sub(to, from))};
            hits += assert_first(&geometries[g], &ray) ? 1 : 0;
        }
        cr_assert(hits > 200 && hits < 1900, "geometry %d: %d hits", g, hits);
    }
}

Test(ray, along_an_axis_meets_every_shape_too) {
    for (int g = 0; g < 5; ++g) {
        for (int axis = 0; axis < 3; ++axis) {
            for (int sign = -1; sign <= 1; sign += 2) {
                tni_ray ray = {{0.1, 0.2, -0.1}, {0.0, 0.0, 0.0}};
                double *from[] = {&ray.origin.x, &ray.origin.y, &ray.origin.z};
                double *way[] = {&ray.translation.x, &ray.translation.y, &ray.translation.z};
                *from[axis] = -3.0 * sign;
                *way[axis] = 6.0 * sign;
                bool hits = assert_first(&geometries[g], &ray);
                // Over the plane, or up from below it.
                cr_assert(hits == (g < 4 || axis == 1));
            }
        }
    }
}

Test(ray, of_no_length_tells_whether_its_origin_is_inside) {
    for (int g = 0; g < 5; ++g) {
        tni_ray inside = {{0.0, -0.1, 0.0}, {0.0, 0.0, 0.0}};
        tni_ray outside_ray = {{0.0, 5.0, 0.0}, {0.0, 0.0, 0.0}};
        tni_ray_hit hit;
        cr_assert(tni_geometry_cast_ray(&geometries[g], &inside, TNI_RAY_ENTERS, &hit) &&
                  hit.fraction == 0.0);
        cr_assert(!tni_geometry_cast_ray(&geometries[g], &outside_ray, TNI_RAY_ENTERS, &hit));
    }
}

// 1,000 km from a ball, aimed 0.5 of its radius off the middle: sin of the angle of impact is 0.5.
Test(ray, from_far_off_meets_a_ball_within_a_micrometre) {
    tni_ray ray = {{-1.0e6, 0.4, 0.0}, {2.0e6, 0.0, 0.0}};
    tni_ray_hit hit;
    cr_assert(tni_geometry_cast_ray(&geometries[0], &ray, TNI_RAY_ENTERS, &hit));
    double radius = (double)geometries[0].sphere.radius;
    double expected = -sqrt(radius * radius - 0.16);
    cr_assert(fabs(along(&ray, hit.fraction).x - expected) < 1e-6);
}

Test(ray, enters_boxes_where_clipping_says_and_runs_along_their_faces) {
    tni_bounds box = {{{-1.0f, 0.0f, -1.0f}}, {{1.0f, 2.0f, 1.0f}}};
    const struct {
        tni_ray ray;
        double enter;
    } cases[] = {
        {{{-3.0, 1.0, 0.0}, {4.0, 0.0, 0.0}}, 0.5},
        {{{3.0, 1.0, 0.0}, {-4.0, 0.0, 0.0}}, 0.5},
        {{{0.0, 1.0, 0.0}, {4.0, 0.0, 0.0}}, 0.0},
        {{{-3.0, 0.0, 0.0}, {4.0, 0.0, 0.0}}, 0.5},               // along the lower face
        {{{-3.0, 2.0, 1.0}, {4.0, 0.0, 0.0}}, 0.5},               // along an edge
        {{{-3.0, 2.1, 0.0}, {4.0, 0.0, 0.0}}, (double)INFINITY},  // above
        {{{-3.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}, (double)INFINITY},  // too short
        {{{-3.0, 1.0, 0.0}, {-4.0, 0.0, 0.0}}, (double)INFINITY}, // away
        {{{0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}}, 0.0},                // no way, inside
        {{{0.0, 3.0, 0.0}, {0.0, 0.0, 0.0}}, (double)INFINITY},   // and outside
        {{{-2.0, -1.0, 0.0}, {2.0, 2.0, 0.0}}, 0.5},              // through an edge
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        tni_ray_slabs slabs = tni_ray_get_slabs(&cases[i].ray);
        cr_assert(tni_bounds_cast_ray(&box, &slabs) == cases[i].enter, "case %zu", i);
    }
}

// What lies beside a point that a ray meets lies across the normal there: three rays next to each
// other, at a ball and a capsule that a map with shear has deformed.
Test(ray, meets_what_is_stretched_with_the_normal_of_its_surface) {
    const tni_dmat3 map = {{{1.6, 0.5, -0.2}, {0.5, 0.9, 0.3}, {-0.2, 0.3, 0.7}}};
    uint32_t hit_count = 0;
    for (int kind = 0; kind < 2; ++kind) {
        tni_stretch stretch;
        tni_geometry geometry = geometries[kind];
        tni_stretch_make(&geometries[kind], &map, &stretch, &geometry);
        for (int i = 0; i < 200; ++i) {
            double u = 0.37 * i, v = -0.9 + 0.009 * i, w = sqrt(1.0 - v * v);
            tni_dvec3 out = dvec3_make(w * cos(u), v, w * sin(u)), points[3];
            tni_dvec3 across = dvec3_cross(out, dvec3_make(0.3, 0.4, -0.8));
            tni_dvec3 sides[3] = {{0.0, 0.0, 0.0}, across, dvec3_cross(out, across)};
            tni_ray_hit hit = {0};
            bool hits = true;
            for (int k = 2; k >= 0; --k) {
                tni_dvec3 from = dvec3_add_scaled(dvec3_scale(out, 5.0), 1e-5, sides[k]);
                tni_ray ray = {from, dvec3_make(-5.0 * out.x, -5.0 * out.y, -5.0 * out.z)};
                hits = tni_geometry_cast_ray(&geometry, &ray, TNI_RAY_ENTERS, &hit) && hits;
                points[k] = along(&ray, hit.fraction);
            }
            cr_assert(hits && fabs(dvec3_length(hit.normal) - 1.0) < 1e-9);
            for (int k = 1; k < 3; ++k) {
                tni_dvec3 beside = dvec3_sub(points[k], points[0]);
                double rise = dvec3_dot(hit.normal, beside) / dvec3_length(beside);
                cr_assert(fabs(rise) < 1e-3, "kind %d, ray %d: %g", kind, i, rise);
            }
            hit_count += 1;
        }
    }
    cr_assert(hit_count == 400);
}
