// Where a curved shape touches: the points of a cap, a side and a rim are those, exactly.
#include <criterion/criterion.h>

#include "tests/collision/convex_probe.h"
#include "tests/support/long_test.h"

TestSuite(manifold_convex, .timeout = 240);

enum {
    POSES = 1000
};

static tni_manifold compute(const tni_geometry *a, const tni_frame *frame_a, const tni_geometry *b,
                            const tni_frame *frame_b, float margin) {
    tni_manifold manifold;
    tni_manifold_cache cache = {0};
    tni_manifold_compute(a, frame_a, b, frame_b, margin, &cache, &manifold);
    return manifold;
}

// The ground is a half-space or the top of a box, both at y = 0.
static tni_geometry make_ground(int kind, tni_frame *frame) {
    *frame = probe_frame(0.0f, kind == 0 ? 0.0f : -1.0f, 0.0f);
    return kind == 0 ? probe_half_space() : probe_box(5.0f, 1.0f, 4.0f);
}

static const tni_manifold_point *find_lowest(const tni_manifold *m) {
    const tni_manifold_point *lowest = &m->points[0];
    for (uint32_t i = 1; i < m->point_count; ++i) {
        lowest = m->points[i].separation < lowest->separation ? &m->points[i] : lowest;
    }
    return lowest;
}

Test(manifold_convex, a_leaning_coin_touches_at_its_lowest_point) {
    const float radius = 0.5f, half = 0.05f;
    tni_geometry coin = probe_cylinder(half, radius, radius);
    for (int ground = 0; ground < 2; ++ground) {
        tni_frame floor;
        tni_geometry plane = make_ground(ground, &floor);
        for (int i = 1; i < 60; ++i) {
            double lean = 0.5 * MATHS_PI * i / 60.0, c = cos(lean), s = sin(lean);
            tni_frame frame = probe_frame(0.3f, 0.0f, 0.2f);
            frame.rotation =
                maths_quat_mul(probe_turn(maths_vec3(0.0f, 1.0f, 0.0f), 0.7 * i),
                               maths_quat_mul(probe_turn(maths_vec3(1.0f, 0.0f, 0.0f), lean),
                                              probe_turn(maths_vec3(0.0f, 1.0f, 0.0f), 0.3 * i)));
            double deep = i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 0.0 : -5e-3;
            frame.position.y = (float)((double)half * c + (double)radius * s - deep);
            tni_manifold m = compute(&coin, &frame, &plane, &floor, 0.02f);
            cr_assert(m.point_count >= 1 && fabs((double)m.normal.y + 1.0) < 1e-6,
                      "ground %d, %d: %u points, %g", ground, i, m.point_count, (double)m.normal.y);
            const tni_manifold_point *p = find_lowest(&m);
            cr_assert(fabs((double)p->separation + deep) < 1e-6, "ground %d, %d: %g, not %g",
                      ground, i, (double)p->separation, -deep);
            // The lowest point of the rim, down the cap from the cap's middle.
            tni_dvec3 axis = dquat_axis_y(dquat_renormalize(dquat_from_float(frame.rotation)));
            tni_dvec3 down = dvec3_make(axis.x * axis.y, axis.y * axis.y - 1.0, axis.z * axis.y);
            tni_dvec3 at = dvec3_add_scaled(dvec3_from_float(frame.position), -(double)half, axis);
            at = dvec3_add_scaled(at, (double)radius / dvec3_length(down), down);
            double off = hypot((double)p->position.x - at.x, (double)p->position.z - at.z);
            cr_assert(off < 3e-6, "ground %d, %d: %g m off", ground, i, off);
            cr_assert(lean < 0.1 || m.point_count <= 2, "ground %d, %d: %u", ground, i,
                      m.point_count);
        }
    }
}

Test(manifold_convex, a_standing_cylinder_has_four_points_and_a_lying_one_two) {
    tni_geometry cylinder = probe_cylinder(0.4f, 0.3f, 0.3f);
    for (int ground = 0; ground < 2; ++ground) {
        tni_frame floor;
        tni_geometry plane = make_ground(ground, &floor);
        tni_frame frame = probe_frame(0.0f, 0.4f, 0.0f);
        tni_manifold m = compute(&cylinder, &frame, &plane, &floor, 0.02f);
        cr_assert_eq(m.point_count, 4);
        for (uint32_t i = 0; i < 4; ++i) {
            cr_assert(fabsf(m.points[i].separation) < 1e-6f);
            cr_assert_float_eq(hypotf(m.points[i].position.x, m.points[i].position.z), 0.3f, 1e-6f);
        }
        frame.position.y = 0.299f;
        frame.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.5 * MATHS_PI);
        m = compute(&cylinder, &frame, &plane, &floor, 0.02f);
        cr_assert_eq(m.point_count, 2);
        cr_assert_float_eq(m.normal.y, -1.0f, 1e-6f);
        for (uint32_t i = 0; i < 2; ++i) {
            cr_assert_float_eq(m.points[i].separation, -1e-3f, 1e-6f);
            cr_assert_float_eq(fabsf(m.points[i].position.x), 0.4f, 1e-5f);
            cr_assert(fabsf(m.points[i].position.z) < 1e-5f);
        }
    }
}

Test(manifold_convex, a_cap_over_an_edge_touches_where_it_lies) {
    tni_geometry cylinder = probe_cylinder(0.4f, 0.3f, 0.3f), box = probe_box(1.0f, 1.0f, 1.0f);
    tni_frame floor = probe_frame(0.0f, -1.0f, 0.0f), frame = probe_frame(1.1f, 0.4f, 0.0f);
    tni_manifold m = compute(&cylinder, &frame, &box, &floor, 0.02f);
    cr_assert_geq(m.point_count, 3);
    float least = FLT_MAX, most = -FLT_MAX, side = 0.0f;
    for (uint32_t i = 0; i < m.point_count; ++i) {
        least = maths_min(least, m.points[i].position.x);
        most = maths_max(most, m.points[i].position.x);
        side = maths_max(side, fabsf(m.points[i].position.z));
    }
    cr_assert_float_eq(least, 0.8f, 1e-5f); // the rim
    cr_assert_float_eq(most, 1.0f, 1e-5f);  // the edge
    // The rim crosses the edge at sqrt(0.3^2 - 0.1^2).
    cr_assert(side > 0.28f && side < 0.301f);
}

Test(manifold_convex, two_coins_touch_over_their_lens) {
    tni_geometry low = probe_cylinder(0.1f, 0.5f, 0.5f), high = probe_cylinder(0.1f, 0.3f, 0.3f);
    tni_frame at_low = probe_frame(0.0f, 0.0f, 0.0f), at_high = probe_frame(0.1f, 0.2f, 0.0f);
    tni_manifold m = compute(&low, &at_low, &high, &at_high, 0.02f);
    cr_assert_eq(m.point_count, 4); // the upper coin's rim, inside of the lower one's
    for (uint32_t i = 0; i < 4; ++i) {
        cr_assert_float_eq(hypotf(m.points[i].position.x - 0.1f, m.points[i].position.z), 0.3f,
                           1e-5f);
    }
    at_high.position.x = 0.4f;
    m = compute(&low, &at_low, &high, &at_high, 0.02f);
    cr_assert_eq(m.point_count, 4);
    for (uint32_t i = 0; i < 4; ++i) { // where the rims cross, and what looks to the other's middle
        float from_low = hypotf(m.points[i].position.x, m.points[i].position.z);
        float from_high = hypotf(m.points[i].position.x - 0.4f, m.points[i].position.z);
        cr_assert(from_low < 0.5f + 1e-5f && from_high < 0.3f + 1e-5f);
        cr_assert(from_low > 0.5f - 1e-5f || from_high > 0.3f - 1e-5f);
    }
}

// Every pair, in any pose and either order: the separation is that of support.h along the normal,
// which no sampled direction beats by more than the few deep ones may be off.
LONG_TEST(manifold_convex, every_pair_agrees_with_sampled_directions_in_either_order) {
    probe_random random = {41};
    tni_hull *hull = convex_make_hull(&random, 1.0f);
    int poses = long_test_count(POSES);
    for (int i = 0; i < CONVEX_KINDS; ++i) {
        for (int j = 4; j < CONVEX_KINDS; ++j) {
            int touching = 0, beaten = 0;
            for (int k = 0; k < poses; ++k) {
                tni_geometry a = convex_make(i, 1.0f, hull), b = convex_make(j, 1.0f, hull);
                tni_frame frame_a = {probe_vec(&random, 0.2f), probe_rotation(&random)};
                tni_frame frame_b = {
                    glms_vec3_scale(probe_direction(&random), probe_between(&random, 0.6f, 1.2f)),
                    probe_rotation(&random)};
                tni_manifold m = compute(&a, &frame_a, &b, &frame_b, 0.1f);
                tni_manifold n = compute(&b, &frame_b, &a, &frame_a, 0.1f);
                cr_assert_eq(m.point_count > 0, n.point_count > 0);
                if (m.point_count == 0) {
                    continue;
                }
                touching += 1;
                double least = (double)find_lowest(&m)->separation;
                double other = (double)find_lowest(&n)->separation;
                cr_assert(isfinite(least) && fabs(least - other) < (least < -0.05 ? 0.1 : 2e-3),
                          "%s, %s: %g, %g", convex_names[i], convex_names[j], least, other);
                bool is_beaten = false;
                for (int d = 0; d < 20; ++d) {
                    tni_dvec3 u = dvec3_from_float(probe_direction(&random));
                    double s = probe_separation(&a, &frame_a, &b, &frame_b,
                                                dvec3_scale(u, 1.0 / dvec3_length(u)));
                    is_beaten = is_beaten || s > least + 2.1e-3;
                }
                beaten += is_beaten;
            }
            cr_assert(touching > poses / 10 && beaten * 200 < touching, "%s, %s: %d of %d",
                      convex_names[i], convex_names[j], beaten, touching);
        }
    }
    convex_free_hull(hull);
}
