// Spheres and capsules: closed forms.
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

Test(manifold_round, spheres_touch_on_the_line_of_centres) {
    tni_manifold m = compute(probe_sphere(1.0f), probe_frame(0.0f, 0.0f, 0.0f), probe_sphere(0.5f),
                             probe_frame(0.0f, 1.4f, 0.0f), 0.0f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(m.normal.y, 1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].separation, -0.1f, 1e-6f);
    cr_assert_float_eq(m.points[0].position.y, 0.95f, 1e-6f);
    cr_assert_eq(compute(probe_sphere(1.0f), probe_frame(0.0f, 0.0f, 0.0f), probe_sphere(0.5f),
                         probe_frame(0.0f, 1.6f, 0.0f), 0.05f)
                     .point_count,
                 0);
}

Test(manifold_round, concentric_shapes_still_have_a_unit_normal) {
    tni_frame origin = probe_frame(0.0f, 0.0f, 0.0f);
    const tni_geometry shapes[] = {probe_sphere(0.5f), probe_capsule(0.5f, 0.2f),
                                   probe_box(0.3f, 0.4f, 0.5f)};
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            tni_manifold m = compute(shapes[a], origin, shapes[b], origin, 0.0f);
            cr_assert_gt(m.point_count, 0, "%d-%d", a, b);
            cr_assert_float_eq(glms_vec3_norm(m.normal), 1.0f, 1e-6f);
            cr_assert(m.points[0].separation < 0.0f);
        }
    }
}

Test(manifold_round, a_sphere_meets_the_side_and_the_end_of_a_capsule) {
    tni_geometry sphere = probe_sphere(0.5f), capsule = probe_capsule(1.0f, 0.25f);
    tni_manifold m = compute(sphere, probe_frame(0.0f, 0.3f, 0.0f), capsule,
                             probe_frame(0.7f, 0.0f, 0.0f), 0.0f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(m.normal.x, 1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].separation, -0.05f, 1e-6f);
    cr_assert_float_eq(m.points[0].position.y, 0.3f, 1e-6f);
    cr_assert_float_eq(m.points[0].position.x, 0.475f, 1e-6f);
    m = compute(sphere, probe_frame(0.0f, 1.7f, 0.0f), capsule, probe_frame(0.0f, 0.0f, 0.0f),
                0.0f);
    cr_assert_float_eq(m.normal.y, -1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].separation, -0.05f, 1e-6f);
}

Test(manifold_round, parallel_capsules_touch_at_both_ends_of_what_they_share) {
    tni_geometry a = probe_capsule(1.0f, 0.25f), b = probe_capsule(0.6f, 0.25f);
    tni_manifold m =
        compute(a, lying_along_x(0.0f, 0.0f, 0.0f), b, lying_along_x(0.8f, 0.49f, 0.0f), 0.0f);
    cr_assert_eq(m.point_count, 2);
    cr_assert_float_eq(m.normal.y, 1.0f, 1e-6f);
    cr_assert_neq(m.points[0].feature, m.points[1].feature);
    float lower = maths_min(m.points[0].position.x, m.points[1].position.x);
    float upper = maths_max(m.points[0].position.x, m.points[1].position.x);
    cr_assert_float_eq(lower, 0.2f, 1e-5f);
    cr_assert_float_eq(upper, 1.0f, 1e-5f);
    for (int i = 0; i < 2; ++i) {
        cr_assert_float_eq(m.points[i].separation, -0.01f, 1e-5f);
    }
}

Test(manifold_round, nearly_parallel_capsules_keep_both_points_and_their_names) {
    tni_geometry a = probe_capsule(1.0f, 0.25f);
    tni_frame frame_a = lying_along_x(0.0f, 0.0f, 0.0f);
    probe_random random = {4};
    for (int k = 0; k < 500; ++k) {
        tni_frame frame_b = lying_along_x(0.1f, 0.495f, 0.0f);
        frame_b.rotation = maths_quat_mul(
            probe_turn(probe_direction(&random), 2e-3 * probe_unit(&random)), frame_b.rotation);
        tni_manifold m = compute(a, frame_a, a, frame_b, 0.02f);
        cr_assert_eq(m.point_count, 2);
        uint32_t first = m.points[0].position.x < m.points[1].position.x ? 0 : 1;
        cr_assert_gt(m.points[1 - first].feature, m.points[first].feature);
    }
}

Test(manifold_round, capsules_end_to_end_and_crossed_touch_once) {
    tni_geometry a = probe_capsule(1.0f, 0.25f);
    tni_manifold m =
        compute(a, probe_frame(0.0f, 0.0f, 0.0f), a, probe_frame(0.0f, 2.49f, 0.0f), 0.0f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(m.normal.y, 1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].separation, -0.01f, 1e-5f);
    m = compute(a, probe_frame(0.0f, 0.0f, 0.0f), a, lying_along_x(0.3f, 0.2f, 0.48f), 0.0f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(m.normal.z, 1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].position.y, 0.2f, 1e-5f);
    cr_assert_float_eq(m.points[0].separation, -0.02f, 1e-5f);
}

Test(manifold_round, capsules_whose_axes_cross_are_pushed_apart_square_to_both) {
    tni_geometry a = probe_capsule(1.0f, 0.25f);
    tni_manifold m =
        compute(a, probe_frame(0.0f, 0.0f, 0.0f), a, lying_along_x(0.0f, 0.0f, 0.0f), 0.0f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(fabsf(m.normal.z), 1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].separation, -0.5f, 1e-5f);
}

Test(manifold_round, a_sphere_on_a_box_touches_face_edge_corner_and_from_inside) {
    tni_geometry sphere = probe_sphere(0.5f), box = probe_box(1.0f, 1.0f, 1.0f);
    tni_frame origin = probe_frame(0.0f, 0.0f, 0.0f);
    tni_manifold m = compute(box, origin, sphere, probe_frame(0.2f, 1.49f, 0.3f), 0.0f);
    cr_assert_float_eq(m.normal.y, 1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].separation, -0.01f, 1e-6f);
    cr_assert_float_eq(m.points[0].position.y, 0.995f, 1e-6f);
    m = compute(box, origin, sphere, probe_frame(1.3f, 1.3f, 0.0f), 0.0f);
    cr_assert_float_eq(m.normal.x, sqrtf(0.5f), 1e-6f);
    cr_assert_float_eq(m.points[0].separation, 0.3f * sqrtf(2.0f) - 0.5f, 1e-6f);
    m = compute(box, origin, sphere, probe_frame(1.3f, 1.3f, 1.3f), 0.1f);
    cr_assert_float_eq(m.points[0].separation, 0.3f * sqrtf(3.0f) - 0.5f, 1e-6f);
    m = compute(box, origin, sphere, probe_frame(-0.9f, 0.1f, 0.2f), 0.0f);
    cr_assert_float_eq(m.normal.x, -1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].separation, -0.6f, 1e-6f);
}
