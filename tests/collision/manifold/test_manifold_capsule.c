// Capsules and spheres on hulls and boxes.
#include <criterion/criterion.h>

#include "tests/collision/probe.h"

static tni_manifold compute(tni_geometry a, tni_frame frame_a, tni_geometry b, tni_frame frame_b,
                            float margin) {
    tni_manifold manifold;
    tni_manifold_cache cache = {0};
    tni_manifold_compute(&a, &frame_a, &b, &frame_b, margin, &cache, &manifold);
    return manifold;
}

static tni_frame lying_along_x(float x, float y, float z) {
    tni_frame frame = probe_frame(x, y, z);
    frame.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), -0.5 * MATHS_PI);
    return frame;
}

Test(manifold_capsule, lying_on_a_box_has_two_steady_points) {
    tni_geometry capsule = probe_capsule(0.5f, 0.2f), box = probe_box(5.0f, 0.5f, 5.0f);
    probe_random random = {1};
    uint32_t features[2] = {0};
    for (int step = 0; step < 300; ++step) {
        tni_frame frame = lying_along_x(0.3f, 0.199f, -0.4f);
        frame.rotation = maths_quat_mul(probe_turn(probe_direction(&random), 1e-4), frame.rotation);
        tni_manifold m = compute(capsule, frame, box, probe_frame(0.0f, -0.5f, 0.0f), 0.02f);
        cr_assert_eq(m.point_count, 2);
        cr_assert_float_eq(m.normal.y, -1.0f, 1e-6f);
        for (int i = 0; i < 2; ++i) {
            cr_assert_float_eq(m.points[i].separation, -1e-3f, 1e-4f);
            cr_assert_float_eq(m.points[i].position.y, -5e-4f, 1e-4f);
            cr_assert(step == 0 || m.points[i].feature == features[i]);
            features[i] = m.points[i].feature;
        }
        cr_assert_float_eq(fabsf(m.points[0].position.x - m.points[1].position.x), 1.0f, 1e-4f);
    }
}

Test(manifold_capsule, over_the_rim_of_a_box_the_contact_ends_at_the_rim) {
    tni_manifold m = compute(probe_capsule(1.0f, 0.2f), lying_along_x(1.0f, 0.199f, 0.0f),
                             probe_box(0.5f, 0.5f, 0.5f), probe_frame(0.0f, -0.5f, 0.0f), 0.02f);
    cr_assert_eq(m.point_count, 2);
    float upper = maths_max(m.points[0].position.x, m.points[1].position.x);
    float lower = maths_min(m.points[0].position.x, m.points[1].position.x);
    cr_assert_float_eq(upper, 0.5f, 1e-5f);
    cr_assert_float_eq(lower, 0.0f, 1e-5f);
}

Test(manifold_capsule, along_an_edge_has_two_points) {
    // The box stands on its edge, the capsule lies along the upper one.
    tni_frame box = probe_frame(0.0f, -0.5f * sqrtf(2.0f), 0.0f);
    box.rotation = probe_turn(maths_vec3(1.0f, 0.0f, 0.0f), 0.25 * MATHS_PI);
    tni_manifold m = compute(probe_capsule(1.0f, 0.2f), lying_along_x(0.2f, 0.195f, 0.0f),
                             probe_box(0.5f, 0.5f, 0.5f), box, 0.02f);
    cr_assert_eq(m.point_count, 2);
    for (int i = 0; i < 2; ++i) {
        cr_assert_float_eq(m.points[i].separation, -0.005f, 1e-5f);
        cr_assert_float_eq(fabsf(m.points[i].position.x), 0.5f, 1e-4f);
    }
}

Test(manifold_capsule, standing_or_leaning_touches_with_its_lower_end) {
    tni_geometry capsule = probe_capsule(0.5f, 0.2f), box = probe_box(5.0f, 0.5f, 5.0f);
    for (int k = 0; k < 30; ++k) {
        double lean = 0.05 * k;
        tni_frame frame = probe_frame(0.0f, 0.0f, 0.0f);
        frame.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), lean);
        float low = 0.5f * (float)tni_maths_cos(lean);
        frame.position.y = low + 0.2f - 0.003f;
        tni_manifold m = compute(capsule, frame, box, probe_frame(0.0f, -0.5f, 0.0f), 0.01f);
        cr_assert_geq(m.point_count, 1);
        float least = m.points[0].separation;
        least = m.point_count == 2 ? maths_min(least, m.points[1].separation) : least;
        cr_assert_float_eq(least, -0.003f, 1e-4f);
        cr_assert_float_eq(m.normal.y, -1.0f, 1e-4f);
    }
}

Test(manifold_capsule, a_core_inside_a_box_is_pushed_out_by_the_nearest_way) {
    tni_manifold m = compute(probe_capsule(0.3f, 0.1f), lying_along_x(0.0f, 0.4f, 0.0f),
                             probe_box(2.0f, 0.5f, 2.0f), probe_frame(0.0f, 0.0f, 0.0f), 0.0f);
    cr_assert_eq(m.point_count, 2);
    cr_assert_float_eq(m.normal.y, -1.0f, 1e-6f);
    for (int i = 0; i < 2; ++i) {
        cr_assert_float_eq(m.points[i].separation, -0.2f, 1e-5f);
    }
}

Test(manifold_capsule, a_core_through_an_edge_is_pushed_off_the_edge) {
    // Through the corner of the cross-section, square to the edge: shorter than by either face.
    tni_frame frame = probe_frame(0.45f, 0.45f, 0.0f);
    frame.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.25 * MATHS_PI);
    tni_manifold m = compute(probe_capsule(1.0f, 0.1f), frame, probe_box(0.5f, 0.5f, 2.0f),
                             probe_frame(0.0f, 0.0f, 0.0f), 0.0f);
    cr_assert_eq(m.point_count, 1);
    // The axis runs along (-1, 1): the edge at (0.5, 0.5) is 0.05 sqrt(2) beyond it.
    cr_assert_float_eq(m.points[0].separation, -(0.05f * sqrtf(2.0f) + 0.1f), 1e-4f);
    cr_assert_float_eq(m.normal.x, -sqrtf(0.5f), 1e-4f);
}

// A bowl of hull facets: the ball always lies on what a bowl of exact planes says.
Test(manifold_capsule, a_sphere_against_facets_is_exact_over_faces_and_edges) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    // A flat wedge, as the segment of a bowl: four corners inside, four 5 cm outward.
    vec3s points[8];
    for (uint32_t i = 0; i < 8; ++i) {
        float out = (i & 4) != 0 ? 0.05f : 0.0f;
        points[i] =
            maths_vec3((i & 1) != 0 ? 0.3f + out : -0.3f - out, -out, (i & 2) != 0 ? 0.4f : -0.4f);
    }
    tni_hull *hull = NULL;
    cr_assert_eq(tni_hull_build(&allocator, points, 8, &hull), TN_RESULT_OK);
    probe_random random = {2};
    for (int k = 0; k < 2000; ++k) {
        tni_frame frame = {probe_vec(&random, 3.0f), probe_rotation(&random)};
        vec3s local = maths_vec3(probe_between(&random, -0.35f, 0.35f),
                                 0.1f + probe_between(&random, -0.01f, 0.01f),
                                 probe_between(&random, -0.45f, 0.45f));
        tni_frame ball = {glms_vec3_add(maths_rotate(frame.rotation, local), frame.position),
                          maths_quat_identity()};
        tni_manifold m = compute(probe_sphere(0.1f), ball, probe_hull(hull), frame, 0.03f);
        float x = maths_max(fabsf(local.x) - 0.3f, 0.0f),
              z = maths_max(fabsf(local.z) - 0.4f, 0.0f);
        float expected = sqrtf(x * x + z * z + local.y * local.y) - 0.1f;
        if (expected > 0.0299f) {
            continue;
        }
        cr_assert_eq(m.point_count, 1);
        cr_assert_float_eq(m.points[0].separation, expected, 2e-6f);
    }
    tni_hull_destroy(&allocator, hull);
}

Test(manifold_capsule, a_sphere_deep_in_a_hull_leaves_by_the_nearest_face) {
    tni_box_hull storage;
    tni_box_hull_set(&storage, maths_vec3(1.0f, 1.0f, 1.0f));
    tni_manifold m = compute(probe_sphere(0.2f), probe_frame(0.1f, 0.8f, 0.3f),
                             probe_hull(&storage.hull), probe_frame(0.0f, 0.0f, 0.0f), 0.0f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(m.normal.y, -1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].separation, -0.4f, 1e-6f);
}

Test(manifold_capsule, sphere_depth_is_continuous_from_outside_to_inside) {
    tni_box_hull storage;
    tni_box_hull_set(&storage, maths_vec3(1.0f, 1.0f, 1.0f));
    for (int k = -200; k <= 200; ++k) {
        float y = 1.0f + 1e-4f * (float)k;
        tni_manifold m = compute(probe_sphere(0.2f), probe_frame(0.1f, y, 0.3f),
                                 probe_hull(&storage.hull), probe_frame(0.0f, 0.0f, 0.0f), 0.0f);
        cr_assert_eq(m.point_count, 1);
        cr_assert_float_eq(m.points[0].separation, y - 1.2f, 1e-6f);
        cr_assert_float_eq(m.normal.y, -1.0f, 1e-5f);
    }
}
