// Every shape on a plane: level, tilted, and with the plane's origin far away.
#include <criterion/criterion.h>

#include "tests/collision/probe.h"

static tni_manifold compute(tni_geometry a, tni_frame frame_a, tni_frame plane, float margin) {
    tni_manifold manifold;
    tni_manifold_cache cache = {0};
    tni_geometry half_space = probe_half_space();
    tni_manifold_compute(&a, &frame_a, &half_space, &plane, margin, &cache, &manifold);
    return manifold;
}

Test(manifold_half_space, level_shapes_rest_on_all_their_lowest_points) {
    tni_box_hull storage;
    tni_box_hull_set(&storage, maths_vec3(0.5f, 0.25f, 0.5f));
    tni_frame capsule_frame = probe_frame(0.0f, 0.2f, 0.0f);
    capsule_frame.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.5 * MATHS_PI);
    const struct {
        tni_geometry shape;
        tni_frame frame;
        uint32_t count;
    } cases[] = {
        {probe_sphere(0.5f), probe_frame(0.0f, 0.5f, 0.0f), 1},
        {probe_capsule(0.5f, 0.2f), capsule_frame, 2},
        {probe_box(0.5f, 0.25f, 0.5f), probe_frame(0.0f, 0.25f, 0.0f), 4},
        {probe_hull(&storage.hull), probe_frame(0.0f, 0.25f, 0.0f), 4},
    };
    for (int k = 0; k < 4; ++k) {
        for (int step = 0; step < 10; ++step) {
            tni_frame frame = cases[k].frame;
            float gap = -0.002f * (float)step;
            frame.position.y += gap;
            tni_manifold m = compute(cases[k].shape, frame, probe_frame(5.0f, 0.0f, 7.0f), 0.05f);
            cr_assert_eq(m.point_count, cases[k].count, "case %d", k);
            cr_assert_float_eq(m.normal.y, -1.0f, 1e-6f);
            for (uint32_t i = 0; i < m.point_count; ++i) {
                cr_assert_float_eq(m.points[i].separation, gap, 1e-6f);
                cr_assert_float_eq(m.points[i].position.y, 0.5f * gap, 1e-6f);
            }
        }
    }
}

Test(manifold_half_space, a_plane_with_its_origin_far_away_is_as_exact) {
    // Level, so that the height is exact whatever the distance along the plane.
    tni_manifold m = compute(probe_box(0.5f, 0.5f, 0.5f), probe_frame(0.1f, 0.499f, 0.2f),
                             probe_frame(-8192.0f, 0.0f, 4096.0f), 0.02f);
    cr_assert_eq(m.point_count, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        cr_assert_float_eq(m.points[i].separation, -1e-3f, 1e-7f);
        cr_assert_float_eq(fabsf(m.points[i].position.x - 0.1f), 0.5f, 1e-6f);
    }
}

Test(manifold_half_space, a_tilted_box_has_an_edge_or_a_corner_below) {
    tni_frame frame = probe_frame(0.0f, 0.5f * sqrtf(2.0f) - 1e-3f, 0.0f);
    frame.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.25 * MATHS_PI);
    tni_manifold m = compute(probe_box(0.5f, 0.5f, 0.5f), frame, probe_frame(0, 0, 0), 0.02f);
    cr_assert_eq(m.point_count, 2);
    vec3s diagonal = glms_vec3_normalize(maths_vec3(1.0f, -1.0f, 1.0f));
    frame.rotation = maths_quat_between(diagonal, maths_vec3(0.0f, -1.0f, 0.0f));
    frame.position.y = 0.5f * sqrtf(3.0f);
    m = compute(probe_box(0.5f, 0.5f, 0.5f), frame, probe_frame(0, 0, 0), 0.02f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(m.points[0].separation, 0.0f, 1e-6f);
}

Test(manifold_half_space, a_small_box_near_a_wide_margin_shows_its_lower_face_only) {
    tni_manifold m = compute(probe_box(0.01f, 0.01f, 0.01f), probe_frame(0.0f, 0.05f, 0.0f),
                             probe_frame(0, 0, 0), 0.2f);
    cr_assert_eq(m.point_count, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        cr_assert_float_eq(m.points[i].separation, 0.04f, 1e-6f);
    }
}

Test(manifold_half_space, a_round_hull_face_is_thinned_to_four_spread_points) {
    vec3s points[64];
    for (uint32_t i = 0; i < 32; ++i) {
        double angle = 2.0 * MATHS_PI * i / 32;
        float x = (float)(0.5 * tni_maths_cos(angle)), z = (float)(0.5 * tni_maths_sin(angle));
        points[2 * i] = maths_vec3(x, -0.5f, z);
        points[2 * i + 1] = maths_vec3(x, 0.5f, z);
    }
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_hull *hull = NULL;
    cr_assert_eq(tni_hull_build(&allocator, points, 64, &hull), TN_RESULT_OK);
    probe_random random = {6};
    uint32_t features[4] = {0};
    for (int step = 0; step < 200; ++step) {
        tni_frame frame = probe_frame(0.0f, 0.499f, 0.0f);
        frame.rotation = probe_turn(probe_direction(&random), 1e-5);
        tni_manifold m = compute(probe_hull(hull), frame, probe_frame(0, 0, 0), 0.02f);
        cr_assert_eq(m.point_count, 4);
        vec3s sum = maths_vec3_zero();
        for (uint32_t i = 0; i < 4; ++i) {
            sum = glms_vec3_add(sum, m.points[i].position);
            cr_assert(step == 0 || m.points[i].feature == features[i]);
            features[i] = m.points[i].feature;
        }
        // A square: the middle is under the axis.
        cr_assert(fabsf(sum.x) < 0.02f && fabsf(sum.z) < 0.02f);
    }
    tni_hull_destroy(&allocator, hull);
}

Test(manifold_half_space, a_capsule_on_end_has_one_point_below_the_margin) {
    tni_manifold m = compute(probe_capsule(0.5f, 0.2f), probe_frame(0.0f, 0.69f, 0.0f),
                             probe_frame(0, 0, 0), 0.02f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(m.points[0].separation, -0.01f, 1e-6f);
}
