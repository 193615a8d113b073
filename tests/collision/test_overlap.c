// Whether shapes overlap: against closed forms, at the surface from both sides.
#include <criterion/criterion.h>

#include "collision/hull.h"
#include "collision/overlap.h"
#include "tests/collision/probe.h"

static tni_geometry ball(float radius) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_SPHERE, .rotation = maths_quat_identity()};
    geometry.sphere.radius = radius;
    return geometry;
}

static tni_geometry box(float x, float y, float z) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_BOX, .rotation = maths_quat_identity()};
    geometry.box.half_extents = maths_vec3(x, y, z);
    return geometry;
}

static tni_geometry capsule(float half_length, float radius) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_CAPSULE, .rotation = maths_quat_identity()};
    geometry.capsule.half_length = half_length;
    geometry.capsule.radius = radius;
    return geometry;
}

static tni_dpose at(double x, double y, double z) {
    return (tni_dpose){dvec3_make(x, y, z), dquat_make(0.0, 0.0, 0.0, 1.0)};
}

// Of b at a place on both sides of the surface: the shapes touch where b stands at `distance` along
// the direction.
static void check_at(const tni_geometry *a, const tni_geometry *b, tni_dvec3 direction,
                     double distance) {
    tni_dpose origin = at(100000.0, 0.0, -50000.0);
    tni_dvec3 unit = dvec3_scale(direction, 1.0 / dvec3_length(direction));
    for (int side = -1; side <= 1; side += 2) {
        tni_dpose there = origin;
        double way = distance * (1.0 + 2e-6 * side);
        there.position = dvec3_add_scaled(origin.position, way, unit);
        cr_assert(tni_geometry_overlaps(a, &origin, b, &there) == (side < 0), "%g along %g %g %g",
                  way, unit.x, unit.y, unit.z);
        cr_assert(tni_geometry_overlaps(b, &there, a, &origin) == (side < 0));
    }
}

Test(overlap, ends_at_the_surface_of_every_pair) {
    tni_geometry a = ball(0.5f), b = ball(0.25f), cube = box(1.0f, 2.0f, 3.0f);
    tni_geometry pill = capsule(1.0f, 0.5f);
    tni_dvec3 x = dvec3_make(1.0, 0.0, 0.0), y = dvec3_make(0.0, 1.0, 0.0);
    check_at(&a, &b, dvec3_make(1.0, 2.0, -3.0), 0.75);
    check_at(&a, &pill, x, 1.0);
    check_at(&a, &pill, y, 2.0);
    check_at(&pill, &pill, x, 1.0);
    check_at(&cube, &a, x, 1.5);
    check_at(&cube, &pill, y, 3.5);
    check_at(&cube, &cube, dvec3_make(0.0, 0.0, 1.0), 6.0);
    // Over the corner, which is sqrt(14) from the middle along this direction.
    check_at(&cube, &a, dvec3_make(1.0, 2.0, 3.0), sqrt(14.0) + 0.5);
    // The boxes around them overlap long before the surfaces do.
    tni_geometry unit = box(1.0f, 1.0f, 1.0f);
    check_at(&unit, &a, dvec3_make(1.0, 1.0, 1.0), sqrt(3.0) + 0.5);
}

Test(overlap, holds_for_one_shape_inside_another) {
    tni_geometry small = ball(0.01f), cube = box(5.0f, 5.0f, 5.0f), pill = capsule(1.0f, 3.0f);
    tni_dpose middle = at(0.0, 0.0, 0.0), off = at(1.0, 0.5, -0.5);
    cr_assert(tni_geometry_overlaps(&small, &middle, &cube, &middle));
    cr_assert(tni_geometry_overlaps(&cube, &off, &small, &middle));
    cr_assert(tni_geometry_overlaps(&pill, &off, &cube, &middle));
    cr_assert(tni_geometry_overlaps(&small, &middle, &small, &middle));
    cr_assert(tni_geometry_overlaps(&pill, &middle, &pill, &middle));
}

Test(overlap, of_a_half_space_ends_at_its_plane) {
    tni_geometry plane = {.type = TNI_GEOMETRY_HALF_SPACE, .rotation = maths_quat_identity()};
    tni_geometry others[] = {ball(0.5f), box(0.1f, 0.5f, 0.2f), capsule(0.3f, 0.2f)};
    for (int i = 0; i < 3; ++i) {
        check_at(&plane, &others[i], dvec3_make(0.0, 1.0, 0.0), 0.5);
    }
    tni_dpose origin = at(0.0, 0.0, 0.0);
    cr_assert_not(tni_geometry_overlaps(&plane, &origin, &plane, &origin));
}

static float next_number(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

// Two boxes and the hulls of their corners, which take another way: no answer differs, except where
// the surfaces are nearer than a float tells.
Test(overlap, of_boxes_is_that_of_their_hulls) {
    uint32_t seed = 5, overlapping = 0;
    for (int k = 0; k < 10000; ++k) {
        float size = k % 3 == 0 ? 0.02f : 1.0f;
        tni_geometry a = box(0.01f + fabsf(next_number(&seed)), 1.0f, size), b = a, hull_b = a;
        b.box.half_extents = maths_vec3(size, 0.01f + fabsf(next_number(&seed)), 0.5f);
        tni_dpose pose_a = at(0.0, 0.0, 0.0), pose_b = pose_a;
        double *p = &pose_b.position.x, *q = &pose_b.rotation.x;
        for (int i = 0; i < 4; ++i) {
            p[i % 3] = 1.7 * (double)next_number(&seed);
            q[i] = k % 5 == 0 ? (i == 1 ? 1.0 : 0.0) : (double)next_number(&seed);
        }
        pose_b.rotation = dquat_normalize(pose_b.rotation);
        tni_box_hull storage;
        tni_box_hull_set(&storage, b.box.half_extents);
        hull_b.type = TNI_GEOMETRY_HULL;
        hull_b.hull.hull = &storage.hull;
        bool answer = tni_geometry_overlaps(&a, &pose_a, &b, &pose_b);
        overlapping += answer ? 1 : 0;
        if (answer != tni_geometry_overlaps(&a, &pose_a, &hull_b, &pose_b)) {
            float way = answer ? -1e-5f : 1e-5f;
            b.box.half_extents = maths_vec3(size + way, b.box.half_extents.y + way, 0.5f + way);
            cr_assert(tni_geometry_overlaps(&a, &pose_a, &b, &pose_b) != answer, "%d", k);
        }
    }
    cr_assert(overlapping > 2000 && overlapping < 8000, "%u", overlapping);
}
