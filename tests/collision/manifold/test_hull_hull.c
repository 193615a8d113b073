// Hulls against hulls: as boxes do where they are boxes, and cylinders, pyramids, many corners.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/collision/probe.h"
#include "tests/support/long_test.h"

typedef struct pair {
    tni_geometry a, b;
    tni_frame frame_a, frame_b;
    tni_manifold_cache cache;
} pair;

static tni_manifold compute(pair *p, float margin) {
    tni_manifold manifold;
    tni_manifold_compute(&p->a, &p->frame_a, &p->b, &p->frame_b, margin, &p->cache, &manifold);
    return manifold;
}

static float least_separation(const tni_manifold *m) {
    float least = FLT_MAX;
    for (uint32_t i = 0; i < m->point_count; ++i) {
        least = maths_min(least, m->points[i].separation);
    }
    return least;
}

static tni_hull *cylinder(tni_allocator *allocator, uint32_t sides, float radius, float half) {
    vec3s points[240];
    for (uint32_t i = 0; i < sides; ++i) {
        double angle = 2.0 * MATHS_PI * i / sides;
        float x = radius * (float)tni_maths_cos(angle), z = radius * (float)tni_maths_sin(angle);
        points[2 * i] = maths_vec3(x, -half, z);
        points[2 * i + 1] = maths_vec3(x, half, z);
    }
    tni_hull *hull = NULL;
    cr_assert_eq(tni_hull_build(allocator, points, 2 * sides, &hull), TN_RESULT_OK);
    return hull;
}

Test(hull_hull, boxes_as_hulls_agree_with_boxes) {
    probe_random random = {13};
    uint32_t touching = 0, same_count = 0;
    for (int round = 0; round < 5000; ++round) {
        vec3s half_a = maths_vec3(0.5f, probe_between(&random, 0.1f, 0.6f), 0.3f);
        vec3s half_b = maths_vec3(0.2f, 0.4f, probe_between(&random, 0.1f, 0.6f));
        tni_box_hull storage_a, storage_b;
        tni_box_hull_set(&storage_a, half_a);
        tni_box_hull_set(&storage_b, half_b);
        pair boxes = {probe_box(half_a.x, half_a.y, half_a.z),
                      probe_box(half_b.x, half_b.y, half_b.z),
                      {probe_vec(&random, 0.1f), probe_rotation(&random)},
                      {probe_vec(&random, 0.8f), probe_rotation(&random)},
                      {0}};
        pair hulls = boxes, mixed = boxes;
        hulls.a = probe_hull(&storage_a.hull);
        hulls.b = mixed.b = probe_hull(&storage_b.hull);
        tni_manifold m = compute(&boxes, 0.05f);
        pair *others[2] = {&hulls, &mixed};
        for (int k = 0; k < 2; ++k) {
            tni_manifold n = compute(others[k], 0.05f);
            float least = least_separation(&m);
            if (m.point_count == 0 || n.point_count == 0) {
                least = m.point_count == 0 ? least_separation(&n) : least;
                cr_assert(m.point_count == n.point_count || least > 0.049f, "%g", (double)least);
                continue;
            }
            touching += 1;
            same_count += m.point_count == n.point_count ? 1 : 0;
            // Either may stay with an axis that is worse by the tolerance.
            cr_assert_float_eq(least_separation(&n), least, 2.5e-3f);
        }
    }
    cr_assert_gt(touching, 2000);
    cr_assert_gt(same_count, touching * 95 / 100);
}

Test(hull_hull, a_cylinder_standing_on_a_cylinder_has_four_spread_steady_points) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_hull *hull = cylinder(&allocator, 24, 0.5f, 0.5f);
    pair p = {probe_hull(hull),
              probe_hull(hull),
              probe_frame(0.0f, -0.5f, 0.0f),
              probe_frame(0.02f, 0.499f, 0.01f),
              {0}};
    probe_random random = {17};
    tni_frame rest = p.frame_b;
    tni_manifold first = compute(&p, 0.02f);
    cr_assert_eq(first.point_count, 4);
    for (int step = 0; step < 300; ++step) {
        p.frame_b = rest;
        p.frame_b.position = glms_vec3_add(p.frame_b.position, probe_vec(&random, 1e-5f));
        tni_manifold m = compute(&p, 0.02f);
        cr_assert_eq(m.point_count, 4);
        vec3s sum = maths_vec3_zero();
        for (uint32_t i = 0; i < 4; ++i) {
            cr_assert_eq(m.points[i].feature, first.points[i].feature);
            cr_assert_float_eq(m.points[i].separation, -1e-3f, 5e-5f);
            sum = glms_vec3_add(sum, m.points[i].position);
        }
        cr_assert(fabsf(sum.x) < 0.5f && fabsf(sum.z) < 0.5f);
    }
    tni_hull_destroy(&allocator, hull);
}

Test(hull_hull, a_rolling_cylinder_has_a_line_of_two_points) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_hull *hull = cylinder(&allocator, 24, 0.5f, 0.5f);
    // On its side, resting on one of the long edges between two facets.
    pair p = {probe_box(5.0f, 0.5f, 5.0f),
              probe_hull(hull),
              probe_frame(0.0f, -0.5f, 0.0f),
              probe_frame(0.0f, 0.499f, 0.0f),
              {0}};
    p.frame_b.rotation = maths_quat_mul(probe_turn(maths_vec3(1.0f, 0.0f, 0.0f), 0.5 * MATHS_PI),
                                        probe_turn(maths_vec3(0.0f, 1.0f, 0.0f), 0.5 * MATHS_PI));
    tni_manifold m = compute(&p, 0.002f);
    cr_assert_eq(m.point_count, 2);
    for (uint32_t i = 0; i < 2; ++i) {
        cr_assert_float_eq(m.points[i].separation, -1e-3f, 1e-5f);
        cr_assert_float_eq(fabsf(m.points[i].position.z), 0.5f, 1e-4f);
    }
    tni_hull_destroy(&allocator, hull);
}

LONG_TEST(hull_hull, hulls_of_the_most_corners_collide) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    static vec3s points[255];
    probe_random random = {19};
    for (uint32_t i = 0; i < 255; ++i) {
        points[i] = probe_direction(&random);
    }
    tni_hull *hull = NULL;
    cr_assert_eq(tni_hull_build(&allocator, points, 255, &hull), TN_RESULT_OK);
    for (int round = 0; round < 100; ++round) {
        pair p = {probe_hull(hull),
                  probe_hull(hull),
                  {maths_vec3_zero(), probe_rotation(&random)},
                  {glms_vec3_scale(probe_direction(&random), probe_between(&random, 1.8f, 2.1f)),
                   probe_rotation(&random)},
                  {0}};
        tni_manifold m = compute(&p, 0.05f);
        double best = probe_best_separation(&random, &p.a, &p.frame_a, &p.b, &p.frame_b);
        if (m.point_count > 0) {
            double found =
                probe_separation(&p.a, &p.frame_a, &p.b, &p.frame_b, dvec3_from_float(m.normal));
            cr_assert(best - found < 2.5e-3, "best %g found %g", best, found);
        } else {
            cr_assert(best > 0.05 - 2e-3, "missed at %g", best);
        }
    }
    tni_hull_destroy(&allocator, hull);
}

Test(hull_hull, a_pyramid_on_its_tip_and_on_its_base) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    const vec3s points[5] = {{{0.5f, 0.0f, 0.5f}},
                             {{-0.5f, 0.0f, 0.5f}},
                             {{0.5f, 0.0f, -0.5f}},
                             {{-0.5f, 0.0f, -0.5f}},
                             {{0.0f, 2.0f, 0.0f}}};
    tni_hull *hull = NULL;
    cr_assert_eq(tni_hull_build(&allocator, points, 5, &hull), TN_RESULT_OK);
    cr_assert_eq(hull->face_count, 5);
    pair p = {probe_box(5.0f, 0.5f, 5.0f),
              probe_hull(hull),
              probe_frame(0.0f, -0.5f, 0.0f),
              probe_frame(0.0f, -1e-3f, 0.0f),
              {0}};
    tni_manifold m = compute(&p, 0.02f);
    cr_assert_eq(m.point_count, 4);
    // Upside down the base looks most against the floor's normal, but the tip is what touches.
    p.frame_b.rotation = probe_turn(maths_vec3(1.0f, 0.0f, 0.0f), MATHS_PI);
    p.frame_b.position.y = 1.998f;
    m = compute(&p, 0.02f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(m.points[0].separation, -0.002f, 1e-5f);
    tni_hull_destroy(&allocator, hull);
}
