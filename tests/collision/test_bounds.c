// Bounds enclose the shape, tightly, wherever it is; reach is the farthest point.
#include <criterion/criterion.h>

#include "collision/hull.h"
#include "collision/stretch.h"
#include "tests/collision/probe.h"

// The exact interval of the shape along a world axis, in double.
static double extent_along(const tni_geometry *g, const tni_dpose *pose, tni_dvec3 n) {
    // Reach about the body's origin, so that nothing is lost far out.
    tni_frame frame = {dvec3_to_float(dquat_rotate(pose->rotation, dvec3_from_float(g->position))),
                       dquat_to_float(dquat_mul(pose->rotation, dquat_from_float(g->rotation)))};
    return probe_reach(g, &frame, n) + dvec3_dot(n, pose->position);
}

Test(bounds, enclose_every_shape_near_and_far) {
    tni_box_hull storage;
    tni_box_hull_set(&storage, maths_vec3(0.3f, 0.7f, 0.2f));
    probe_random random = {23};
    const double distances[] = {0.0, 1.0, 1e3, 1e6};
    for (int round = 0; round < 2000; ++round) {
        tni_geometry shapes[10] = {probe_sphere(0.4f),
                                   probe_capsule(0.5f, 0.2f),
                                   probe_box(0.5f, 0.1f, 0.9f),
                                   probe_hull(&storage.hull),
                                   probe_cylinder(0.5f, 0.3f, 0.3f),
                                   probe_cylinder(0.4f, 0.5f, 0.0f),
                                   probe_tapered_capsule(0.4f, 0.1f, 0.5f),
                                   probe_ellipsoid(0.5f, 0.2f, 0.8f),
                                   probe_round(probe_box(0.5f, 0.1f, 0.9f), 0.25f),
                                   probe_round(probe_hull(&storage.hull), 0.125f)};
        tni_geometry g = shapes[round % 10];
        g.position = probe_vec(&random, 1.0f);
        g.rotation = probe_rotation(&random);
        double far = distances[round / 10 % 4];
        tni_dpose pose = {dvec3_scale(dvec3_from_float(probe_vec(&random, 1.0f)), far),
                          dquat_normalize(dquat_from_float(probe_rotation(&random)))};
        tni_bounds bounds = tni_geometry_bounds(&g, &pose);
        for (int k = 0; k < 3; ++k) {
            tni_dvec3 n = dvec3_make(k == 0, k == 1, k == 2);
            double upper = extent_along(&g, &pose, n);
            double lower = -extent_along(&g, &pose, dvec3_scale(n, -1.0));
            // What the float frame of the check itself is worth: 1e-6 m.
            cr_assert((double)bounds.upper.raw[k] >= upper - 1e-6);
            cr_assert((double)bounds.lower.raw[k] <= lower + 1e-6);
            // Not looser than two float steps.
            double loose = 1e-6 + 5e-7 * (fabs(upper) + fabs(lower));
            cr_assert((double)bounds.upper.raw[k] <= upper + loose);
            cr_assert((double)bounds.lower.raw[k] >= lower - loose);
        }
    }
}

Test(bounds, a_centroid_is_that_of_the_mass) {
    vec3s corners[4];
    for (int i = 0; i < 4; ++i) { // a tetrahedron far from its origin
        corners[i] = maths_vec3(i == 0, 5.0f + (float)(i == 1), (float)(i == 2));
    }
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_hull *hull = NULL;
    cr_assert(tni_hull_build(&allocator, corners, 4, &hull) == TN_RESULT_OK);
    tni_geometry shapes[] = {probe_sphere(0.4f),
                             probe_box(0.5f, 0.1f, 0.9f),
                             probe_hull(hull),
                             probe_cylinder(0.5f, 0.3f, 0.3f),
                             probe_cylinder(0.4f, 0.5f, 0.0f),
                             probe_cylinder(0.4f, 0.1f, 0.6f),
                             probe_tapered_capsule(0.4f, 0.3f, 0.3f),
                             probe_ellipsoid(0.5f, 0.2f, 0.8f)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        vec3s c = tni_geometry_get_centroid(&shapes[i]);
        tni_dvec3 mass = tni_geometry_mass_properties(&shapes[i]).center;
        cr_expect(dvec3_length(dvec3_sub(dvec3_from_float(c), mass)) < 1e-6, "shape %zu", i);
    }
    tni_hull_destroy(&allocator, hull);
}

// Points of the shape at rest go where the map takes them: none lies outside, and some at every
// side.
Test(bounds, enclose_what_is_stretched_closely) {
    const tni_dmat3 map = {{{1.6, 0.5, -0.2}, {0.5, 0.9, 0.3}, {-0.2, 0.3, 0.7}}};
    probe_random random = {31};
    for (int round = 0; round < 12; ++round) {
        bool is_capsule = round % 2 == 1;
        double half = is_capsule ? 0.5 : 0.0, most[3] = {0.0, 0.0, 0.0};
        tni_geometry rest = is_capsule ? probe_capsule(0.5f, 0.2f) : probe_sphere(0.2f);
        rest.rotation = probe_rotation(&random);
        tni_geometry geometry = rest;
        tni_stretch stretch;
        tni_stretch_make(&rest, &map, &stretch, &geometry);
        tni_dpose pose = {dvec3_make(0.0, 0.0, 0.0), dquat_identity()};
        tni_bounds bounds = tni_geometry_bounds(&geometry, &pose);
        tni_dquat turn = dquat_from_float(rest.rotation);
        for (int i = 0; i < 20000; ++i) {
            double v = -1.0 + (i + 0.5) / 10000.0, w = sqrt(1.0 - v * v), u = 2.399963 * i;
            double end = i % 2 == 0 ? half : -half;
            tni_dvec3 at = dvec3_make(0.2 * w * cos(u), 0.2 * v + end, 0.2 * w * sin(u));
            tni_dvec3 p = dquat_rotate(turn, dmat3_mul_vec(&map, at));
            const double x[3] = {p.x, p.y, p.z};
            for (int k = 0; k < 3; ++k) {
                cr_assert(fabs(x[k]) < (double)bounds.upper.raw[k] + 1e-6, "round %d", round);
                cr_assert(bounds.lower.raw[k] == -bounds.upper.raw[k]);
                most[k] = fmax(most[k], fabs(x[k]));
            }
        }
        for (int k = 0; k < 3; ++k) {
            cr_assert(most[k] > (double)bounds.upper.raw[k] - 1e-3, "round %d: %g of %g", round,
                      most[k], (double)bounds.upper.raw[k]);
        }
    }
}

Test(bounds, of_a_half_space_are_everything) {
    tni_geometry g = probe_half_space();
    tni_dpose pose = {dvec3_make(1e9, 0.0, 0.0), dquat_identity()};
    tni_bounds bounds = tni_geometry_bounds(&g, &pose);
    cr_assert_eq(bounds.lower.x, -FLT_MAX);
    cr_assert_eq(bounds.upper.z, FLT_MAX);
}

Test(bounds, reach_is_the_distance_of_the_farthest_point) {
    tni_geometry sphere = probe_sphere(0.5f);
    sphere.position = maths_vec3(3.0f, 4.0f, 0.0f);
    cr_assert_float_eq(tni_geometry_reach(&sphere, maths_vec3_zero()), 5.5f, 1e-6f);
    tni_geometry box = probe_box(1.0f, 2.0f, 2.0f);
    box.rotation = probe_turn(maths_vec3(0.0f, 1.0f, 0.0f), 1.0);
    cr_assert_float_eq(tni_geometry_reach(&box, maths_vec3_zero()), 3.0f, 1e-5f);
    tni_box_hull storage;
    tni_box_hull_set(&storage, maths_vec3(1.0f, 2.0f, 2.0f));
    tni_geometry hull = probe_hull(&storage.hull);
    hull.rotation = box.rotation;
    hull.position = box.position = maths_vec3(0.3f, 0.2f, 0.1f);
    vec3s point = maths_vec3(1.0f, -2.0f, 0.5f);
    cr_assert_float_eq(tni_geometry_reach(&hull, point), tni_geometry_reach(&box, point), 1e-5f);
    tni_geometry capsule = probe_capsule(1.0f, 0.25f);
    cr_assert_float_eq(tni_geometry_reach(&capsule, maths_vec3(0.0f, 0.5f, 0.0f)), 1.75f, 1e-6f);
    tni_geometry plane = probe_half_space();
    cr_assert(isinf(tni_geometry_reach(&plane, maths_vec3_zero())));
}
