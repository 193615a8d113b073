// Clipping names its points steadily, and thinning keeps the ones that carry.
#include <criterion/criterion.h>

#include "collision/narrow.h"
#include "tests/collision/probe.h"

static tni_manifold_point point_at(float x, float z, float separation, uint32_t feature) {
    tni_manifold_point p = {maths_vec3(x, 0.0f, z), separation, feature};
    return p;
}

Test(clip, up_to_four_points_are_kept_as_they_are) {
    tni_manifold_point points[4] = {point_at(0, 0, 0, 1), point_at(0, 0, 0, 2),
                                    point_at(0, 0, 0, 3), point_at(0, 0, 0, 4)};
    for (uint32_t count = 0; count <= 4; ++count) {
        tni_manifold m;
        tni_manifold_reduce(points, count, maths_vec3(0.0f, 1.0f, 0.0f), &m);
        cr_assert_eq(m.point_count, count);
        for (uint32_t i = 0; i < count; ++i) {
            cr_assert_eq(m.points[i].feature, i + 1);
        }
    }
}

Test(clip, the_corners_of_a_rectangle_win_over_what_lies_between) {
    tni_manifold_point points[12];
    uint32_t count = 0;
    for (int i = 0; i < 4; ++i) {
        float x = (i & 1) != 0 ? 1.0f : -1.0f, z = (i & 2) != 0 ? 0.5f : -0.5f;
        uint32_t number = (uint32_t)i + 1;
        points[count++] = point_at(0.3f * x, 0.1f * z, 0.0f, 100 + number);
        points[count++] = point_at(x, z, 0.0f, number);
        points[count++] = point_at(x, 0.2f * z, 0.0f, 200 + number);
    }
    tni_manifold m;
    tni_manifold_reduce(points, count, maths_vec3(0.0f, 1.0f, 0.0f), &m);
    cr_assert_eq(m.point_count, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        cr_assert_lt(m.points[i].feature, 100);
        for (uint32_t k = 0; k < i; ++k) {
            cr_assert_neq(m.points[i].feature, m.points[k].feature);
        }
    }
}

Test(clip, the_deepest_point_is_always_kept) {
    probe_random random = {9};
    for (int round = 0; round < 2000; ++round) {
        tni_manifold_point points[20];
        uint32_t count = 5 + probe_below(&random, 15), deepest = 0;
        for (uint32_t i = 0; i < count; ++i) {
            points[i] = point_at(probe_between(&random, -1, 1), probe_between(&random, -1, 1),
                                 probe_between(&random, -0.1f, 0.1f), i + 1);
            deepest = points[i].separation < points[deepest].separation ? i : deepest;
        }
        tni_manifold m;
        tni_manifold_reduce(points, count, maths_vec3(0.0f, 1.0f, 0.0f), &m);
        // Up to the millimetre within which depths count as equal.
        cr_assert(m.points[0].separation <= points[deepest].separation + 1.001e-3f);
        cr_assert_geq(m.point_count, 3);
    }
}

Test(clip, points_in_a_line_or_in_one_place_do_no_harm) {
    tni_manifold_point points[8];
    for (uint32_t i = 0; i < 8; ++i) {
        points[i] = point_at(0.1f * (float)i, 0.0f, 0.0f, i + 1);
    }
    tni_manifold m;
    tni_manifold_reduce(points, 8, maths_vec3(0.0f, 1.0f, 0.0f), &m);
    cr_assert_geq(m.point_count, 2);
    cr_assert_float_eq(fabsf(m.points[0].position.x - m.points[1].position.x), 0.7f, 1e-6f);
    for (uint32_t i = 0; i < 8; ++i) {
        points[i] = point_at(0.3f, 0.3f, -0.01f, i + 1);
    }
    tni_manifold_reduce(points, 8, maths_vec3(0.0f, 1.0f, 0.0f), &m);
    cr_assert_eq(m.point_count, 1);
}

// A square turned on a square is an octagon: every corner is a crossing of two edges.
Test(clip, a_turned_square_is_clipped_to_its_crossings) {
    tni_box_hull a, b;
    tni_box_hull_set(&a, maths_vec3(0.5f, 0.5f, 0.5f));
    tni_box_hull_set(&b, maths_vec3(0.5f, 0.5f, 0.5f));
    tni_relative relative = {
        basis_from_quat(probe_turn(maths_vec3(0.0f, 1.0f, 0.0f), 0.25 * MATHS_PI)),
        maths_vec3(0.0f, 0.999f, 0.0f)};
    tni_manifold m;
    tni_clip_faces(&a.hull, 3, &b.hull, 0, &relative, true, 0.02f, &m);
    cr_assert_eq(m.point_count, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        cr_assert_eq(m.points[i].feature >> 24, 3);
        cr_assert_float_eq(m.points[i].separation, -1e-3f, 1e-6f);
        float x = fabsf(m.points[i].position.x), z = fabsf(m.points[i].position.z);
        // At tan(22.5 degrees) / 2 along each side.
        cr_assert_float_eq(maths_max(x, z), 0.5f, 1e-5f);
        cr_assert_float_eq(maths_min(x, z), 0.20710678f, 1e-5f);
    }
}
