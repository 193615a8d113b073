// Distances with closed forms, and against sampling.
#include <criterion/criterion.h>

#include "collision/gjk.h"
#include "tests/collision/probe.h"

static tni_relative relative_of(vec3s position, versors rotation) {
    tni_relative relative = {basis_from_quat(rotation), position};
    return relative;
}

// Of a box and a set of points.
static void measure(const tni_box_hull *box, const tni_gjk_set *other, const tni_relative *relative,
                    tni_gjk_result *result) {
    tni_gjk_set set = gjk_set_of_hull(&box->hull);
    tni_gjk_distance(&set, other, relative, result);
}

Test(gjk, point_to_point_segment_and_face) {
    const vec3s origin[1] = {{{0.0f, 0.0f, 0.0f}}};
    tni_gjk_set point = gjk_set_of_points(origin, 1);
    tni_box_hull box;
    tni_box_hull_set(&box, maths_vec3(1.0f, 1.0f, 1.0f));
    const struct {
        vec3s at;
        float distance;
    } cases[] = {
        {{{3.0f, 0.2f, -0.3f}}, 2.0f},       // a face
        {{{2.0f, 2.0f, 0.5f}}, 1.41421356f}, // an edge
        {{{2.0f, 2.0f, 2.0f}}, 1.73205081f}, // a corner
        {{{-1.0001f, 0.0f, 0.0f}}, 1e-4f},   // close
        {{{1000.0f, 0.0f, 0.0f}}, 999.0f},   // far
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        tni_relative relative = relative_of(cases[k].at, maths_quat_identity());
        tni_gjk_result result;
        measure(&box, &point, &relative, &result);
        cr_assert_not(result.is_overlapping);
        cr_assert_float_eq(result.distance, cases[k].distance, 2e-7f + 2e-6f * cases[k].distance);
        vec3s between = glms_vec3_sub(result.point_b, result.point_a);
        cr_assert_float_eq(glms_vec3_norm(between), result.distance,
                           1e-5f * result.distance + 1e-6f);
        cr_assert_float_eq(glms_vec3_norm(result.normal), 1.0f, 1e-5f);
    }
}

Test(gjk, a_point_inside_overlaps) {
    const vec3s origin[1] = {{{0.0f, 0.0f, 0.0f}}};
    tni_gjk_set point = gjk_set_of_points(origin, 1);
    tni_box_hull box;
    tni_box_hull_set(&box, maths_vec3(1.0f, 1.0f, 1.0f));
    probe_random random = {1};
    for (int k = 0; k < 1000; ++k) {
        tni_relative relative = relative_of(probe_vec(&random, 0.999f), maths_quat_identity());
        tni_gjk_result result;
        measure(&box, &point, &relative, &result);
        cr_assert(result.is_overlapping);
        cr_assert_eq(result.distance, 0.0f);
    }
}

Test(gjk, turned_boxes_agree_with_sampling_at_every_size) {
    probe_random random = {2};
    for (int k = 0; k < 300; ++k) {
        float size = k % 3 == 0 ? 1e-3f : (k % 3 == 1 ? 1.0f : 1e3f);
        vec3s half_a = maths_vec3(size, 0.3f * size, 0.1f * size);
        vec3s half_b = maths_vec3(0.05f * size, 0.5f * size, 0.7f * size);
        tni_box_hull a, b;
        tni_box_hull_set(&a, half_a);
        tni_box_hull_set(&b, half_b);
        tni_frame frame_a = probe_frame(0.0f, 0.0f, 0.0f);
        tni_frame frame_b = {
            glms_vec3_scale(probe_direction(&random), size * probe_between(&random, 0.5f, 2.5f)),
            probe_rotation(&random)};
        tni_relative relative = relative_of(frame_b.position, frame_b.rotation);
        tni_gjk_result result;
        tni_gjk_set set_b = gjk_set_of_hull(&b.hull);
        measure(&a, &set_b, &relative, &result);
        tni_geometry shape_a = probe_box(half_a.x, half_a.y, half_a.z);
        tni_geometry shape_b = probe_box(half_b.x, half_b.y, half_b.z);
        double best = probe_best_separation(&random, &shape_a, &frame_a, &shape_b, &frame_b);
        if (result.is_overlapping) {
            cr_assert(best < 1e-4 * (double)size);
        } else {
            cr_assert(best < (double)result.distance + 1e-5 * (double)size);
            // The normal is a witness: nothing along it is nearer than that.
            double along = probe_separation(&shape_a, &frame_a, &shape_b, &frame_b,
                                            dvec3_from_float(result.normal));
            cr_assert_float_eq(along, (double)result.distance, 1e-5 * (double)size);
        }
    }
}

Test(gjk, coincident_corners_and_parallel_faces_end) {
    tni_box_hull box;
    tni_box_hull_set(&box, maths_vec3(1.0f, 1.0f, 1.0f));
    tni_gjk_set set = gjk_set_of_hull(&box.hull);
    const vec3s at[] = {{{2.0f, 2.0f, 2.0f}},
                        {{2.0f, 0.0f, 0.0f}},
                        {{2.0f, 2.0f, 0.0f}},
                        {{0.0f, 0.0f, 0.0f}},
                        {{2.0f, 1.0f, 0.0f}}};
    for (int k = 0; k < 5; ++k) {
        tni_relative relative = relative_of(at[k], maths_quat_identity());
        tni_gjk_result result;
        measure(&box, &set, &relative, &result);
        cr_assert(result.distance < 1e-5f);
    }
    tni_relative relative = relative_of(maths_vec3(2.5f, 0.3f, 0.1f), maths_quat_identity());
    tni_gjk_result result;
    measure(&box, &set, &relative, &result);
    cr_assert_float_eq(result.distance, 0.5f, 1e-6f);
    cr_assert_float_eq(result.normal.x, 1.0f, 1e-6f);
}

Test(gjk, corners_in_lanes_give_the_same_bits_as_one_by_one) {
    probe_random random = {3};
    for (int k = 0; k < 300; ++k) {
        tni_box_hull a, b;
        tni_box_hull_set(&a, maths_vec3(1.0f, 0.3f, 0.1f));
        tni_box_hull_set(&b, maths_vec3(0.05f, 0.5f, 0.7f));
        vec3s at = glms_vec3_scale(probe_direction(&random), probe_between(&random, 0.0f, 3.0f));
        tni_relative relative = relative_of(at, probe_rotation(&random));
        tni_gjk_set lanes[2] = {gjk_set_of_hull(&a.hull), gjk_set_of_hull(&b.hull)};
        tni_gjk_set points[2] = {gjk_set_of_points(a.vertices, 8),
                                 gjk_set_of_points(b.vertices, 8)};
        tni_gjk_result of_lanes, of_points;
        tni_gjk_distance(&lanes[0], &lanes[1], &relative, &of_lanes);
        tni_gjk_distance(&points[0], &points[1], &relative, &of_points);
        cr_assert_eq(of_lanes.is_overlapping, of_points.is_overlapping);
        cr_assert_eq(of_lanes.distance, of_points.distance);
        cr_assert_eq(of_lanes.count, of_points.count);
        for (uint32_t i = 0; i < of_lanes.count; ++i) {
            cr_assert_eq(of_lanes.index_a[i], of_points.index_a[i]);
            cr_assert_eq(of_lanes.index_b[i], of_points.index_b[i]);
        }
    }
}
