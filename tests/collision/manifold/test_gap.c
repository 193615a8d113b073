// Contacts that no face carries: crossed edges and the closest points across a gap.
#include <criterion/criterion.h>

#include "collision/narrow.h"
#include "tests/collision/probe.h"

static narrow_segment segment(vec3s middle, vec3s direction, float half_length) {
    narrow_segment s = {middle, direction, half_length};
    return s;
}

Test(gap, crossed_edges_touch_midway_between_the_lines) {
    narrow_segment a = segment(maths_vec3(0.5f, 0.0f, 0.0f), maths_vec3(1.0f, 0.0f, 0.0f), 1.0f);
    narrow_segment b = segment(maths_vec3(0.2f, 0.01f, -0.3f), maths_vec3(0.0f, 0.0f, 1.0f), 1.0f);
    tni_manifold m;
    cr_assert(tni_collide_edges(&a, &b, maths_vec3(0.0f, 1.0f, 0.0f), 1e-3f, 7, &m));
    cr_assert_eq(m.point_count, 1);
    cr_assert_eq(m.points[0].feature, 7);
    cr_assert_float_eq(m.points[0].separation, 0.01f, 1e-7f);
    cr_assert(glms_vec3_distance(m.points[0].position, maths_vec3(0.2f, 0.005f, 0.0f)) < 1e-6f);
}

Test(gap, lines_that_cross_beyond_an_edge_are_told) {
    narrow_segment a = segment(maths_vec3(0.0f, 0.0f, 0.0f), maths_vec3(1.0f, 0.0f, 0.0f), 0.1f);
    narrow_segment b = segment(maths_vec3(0.2f, 0.01f, -0.3f), maths_vec3(0.0f, 0.0f, 1.0f), 1.0f);
    tni_manifold m;
    cr_assert_not(tni_collide_edges(&a, &b, maths_vec3(0.0f, 1.0f, 0.0f), 1e-3f, 7, &m));
    // The point is kept on the edges all the same.
    cr_assert(fabsf(m.points[0].position.x) <= 0.2f);
}

// Lines that cross at the origin, 0.3 m beyond the middle of one edge, which ends before.
Test(gap, the_point_stays_on_the_edge_that_ends_before_the_crossing) {
    narrow_segment along_x =
        segment(maths_vec3(-0.3f, 0.0f, 0.0f), maths_vec3(1.0f, 0.0f, 0.0f), 1);
    narrow_segment along_z =
        segment(maths_vec3(0.0f, 0.02f, -0.3f), maths_vec3(0.0f, 0.0f, 1.0f), 1.0f);
    tni_manifold m;
    along_z.half_length = 0.1f;
    cr_assert_not(
        tni_collide_edges(&along_x, &along_z, maths_vec3(0.0f, 1.0f, 0.0f), 1e-3f, 7, &m));
    cr_assert(glms_vec3_distance(m.points[0].position, maths_vec3(0.0f, 0.01f, -0.1f)) < 1e-6f);
    along_z.half_length = 1.0f;
    along_x.half_length = 0.1f;
    cr_assert_not(
        tni_collide_edges(&along_x, &along_z, maths_vec3(0.0f, 1.0f, 0.0f), 1e-3f, 7, &m));
    cr_assert(glms_vec3_distance(m.points[0].position, maths_vec3(-0.1f, 0.01f, 0.0f)) < 1e-6f);
}

Test(gap, parallel_lines_do_no_harm) {
    narrow_segment a = segment(maths_vec3(0.0f, 0.0f, 0.0f), maths_vec3(1.0f, 0.0f, 0.0f), 1.0f);
    narrow_segment b = segment(maths_vec3(0.5f, 0.1f, 0.0f), maths_vec3(1.0f, 0.0f, 0.0f), 1.0f);
    tni_manifold m;
    tni_collide_edges(&a, &b, maths_vec3(0.0f, 1.0f, 0.0f), 1e-3f, 7, &m);
    cr_assert_float_eq(m.points[0].separation, 0.1f, 1e-6f);
    cr_assert(maths_vec3_is_finite(m.points[0].position));
}

Test(gap, closest_features_name_the_point) {
    tni_box_hull a, b;
    tni_box_hull_set(&a, maths_vec3(0.5f, 0.5f, 0.5f));
    tni_box_hull_set(&b, maths_vec3(0.5f, 0.5f, 0.5f));
    vec3s axis;
    tni_manifold m = {0};
    // Corner 7 of a against corner 0 of b.
    tni_relative relative = {basis_from_quat(maths_quat_identity()), maths_vec3(1.1f, 1.1f, 1.1f)};
    cr_assert(tni_collide_gap(&a.hull, &b.hull, &relative, 0.2f, &axis, &m));
    cr_assert_eq(m.points[0].feature, feature_of_vertex(true, 7));
    cr_assert_float_eq(m.points[0].separation, 0.1f * sqrtf(3.0f), 1e-6f);
    // An edge of b, turned by an eighth about z, against a face of a.
    relative.basis = basis_from_quat(probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.25 * MATHS_PI));
    relative.position = maths_vec3(0.55f + 0.5f * sqrtf(2.0f), 0.0f, 0.0f);
    cr_assert(tni_collide_gap(&a.hull, &b.hull, &relative, 0.2f, &axis, &m));
    cr_assert_float_eq(m.points[0].separation, 0.05f, 1e-6f);
    cr_assert_float_eq(m.normal.x, 1.0f, 1e-6f);
}

Test(gap, beyond_the_margin_and_overlapping_there_is_none) {
    tni_box_hull a, b;
    tni_box_hull_set(&a, maths_vec3(0.5f, 0.5f, 0.5f));
    tni_box_hull_set(&b, maths_vec3(0.5f, 0.5f, 0.5f));
    vec3s axis;
    tni_manifold m = {0};
    tni_relative relative = {basis_from_quat(maths_quat_identity()), maths_vec3(1.5f, 0.2f, 0.1f)};
    cr_assert_not(tni_collide_gap(&a.hull, &b.hull, &relative, 0.2f, &axis, &m));
    cr_assert_float_eq(axis.x, 1.0f, 1e-6f);
    relative.position = maths_vec3(0.5f, 0.2f, 0.1f);
    cr_assert_not(tni_collide_gap(&a.hull, &b.hull, &relative, 0.2f, &axis, &m));
    cr_assert_eq(glms_vec3_norm(axis), 0.0f);
    cr_assert_eq(m.point_count, 0);
}
