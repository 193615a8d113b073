// Where a shape meets another on its way, against closed forms and plain search.
#include <criterion/criterion.h>

#include "collision/placed.h"
#include "tests/collision/probe.h"

static void place(tni_placed *placed, const tni_geometry *geometry, tni_dvec3 at) {
    tni_placed_set(placed, geometry, at, dquat_identity());
}

// Balls meet where |d + s t| = r1 + r2, also where they graze each other and at all sizes.
Test(placed, balls_meet_where_the_quadratic_says) {
    probe_random random = {5};
    for (int i = 0; i < 2000; ++i) {
        double size = pow(10.0, (double)probe_between(&random, -3.0f, 3.0f));
        tni_geometry a = probe_sphere((float)(size * (0.1 + probe_unit(&random))));
        tni_geometry b = probe_sphere((float)(size * (0.1 + probe_unit(&random))));
        double sum = (double)a.sphere.radius + (double)b.sphere.radius;
        tni_dvec3 from = dvec3_scale(dvec3_from_float(probe_vec(&random, 6.0f)), size);
        tni_dvec3 to = dvec3_scale(dvec3_from_float(probe_direction(&random)), 1.5 * sum);
        tni_dvec3 way = dvec3_scale(dvec3_sub(to, from), 1.5);
        tni_placed placed_a, placed_b;
        place(&placed_a, &a, dvec3_make(0.0, 0.0, 0.0));
        place(&placed_b, &b, from);
        double fraction = 0.0;
        tni_placed_gap gap;
        bool meets = tni_placed_cast(&placed_a, &placed_b, way, 1.0, &fraction, &gap);
        double square = dvec3_dot(way, way), half = dvec3_dot(from, way);
        double rest = half * half - square * (dvec3_dot(from, from) - sum * sum);
        if (dvec3_length(from) <= sum) {
            cr_assert(meets && fraction == 0.0);
            cr_assert(fabs(gap.separation - (dvec3_length(from) - sum)) < 1e-6 * size);
            continue;
        }
        if (fabs(rest) < 1e-4 * square * sum * sum) {
            continue; // it grazes by less than what is promised
        }
        double expected = rest > 0.0 ? (-half - sqrt(rest)) / square : 2.0;
        cr_assert(meets == (expected >= 0.0 && expected <= 1.0), "case %d", i);
        if (meets) {
            tni_dvec3 at = dvec3_add_scaled(from, fraction, way);
            cr_assert(fabs(dvec3_length(at) - sum) < 1e-6 * sum, "case %d: %g m off", i,
                      dvec3_length(at) - sum);
            cr_assert(dvec3_dot(gap.normal, at) > (1.0 - 1e-6) * sum);
        }
    }
}

Test(placed, boxes_meet_face_to_face_and_edge_to_edge) {
    tni_geometry box = probe_box(1.0f, 0.5f, 0.25f);
    tni_placed a, b;
    tni_placed_gap gap;
    double fraction;
    tni_placed_set(&a, &box, dvec3_make(0.0, 0.0, 0.0), dquat_identity());
    tni_placed_set(&b, &box, dvec3_make(0.0, 11.0, 0.0), dquat_identity());
    cr_assert(tni_placed_cast(&a, &b, dvec3_make(0.0, -20.0, 0.0), 1.0, &fraction, &gap));
    cr_assert(fabs(fraction - 0.5) < 1e-7 && fabs(gap.normal.y - 1.0) < 1e-6);
    cr_assert(!tni_placed_cast(&a, &b, dvec3_make(0.0, -20.0, 0.0), 0.49, &fraction, &gap));
    cr_assert(!tni_placed_cast(&a, &b, dvec3_make(0.0, -9.9, 0.0), 1.0, &fraction, &gap));
    cr_assert(!tni_placed_cast(&a, &b, dvec3_make(0.0, 20.0, 0.0), 1.0, &fraction, &gap));
    cr_assert(!tni_placed_cast(&a, &b, dvec3_make(0.0, 0.0, 0.0), 1.0, &fraction, &gap));
    // The edges of two cubes that are turned by 45 degrees, across each other.
    tni_geometry cube = probe_box(0.5f, 0.5f, 0.5f);
    double s = sin(0.3926990816987241), c = cos(0.3926990816987241);
    tni_placed_set(&a, &cube, dvec3_make(0.0, 0.0, 0.0), dquat_make(s, 0.0, 0.0, c));
    tni_placed_set(&b, &cube, dvec3_make(0.0, 4.0, 0.0), dquat_make(0.0, 0.0, s, c));
    cr_assert(tni_placed_cast(&a, &b, dvec3_make(0.0, -4.0, 0.0), 1.0, &fraction, &gap));
    cr_assert(fabs(fraction - (4.0 - sqrt(2.0)) / 4.0) < 1e-6 && fabs(gap.normal.y - 1.0) < 1e-4);
}

Test(placed, a_half_space_is_met_by_the_lowest_point) {
    tni_geometry plane = probe_half_space(), capsule = probe_capsule(1.0f, 0.25f);
    tni_placed a, b;
    tni_placed_gap gap;
    double fraction;
    tni_placed_set(&a, &plane, dvec3_make(0.0, 2.0, 0.0), dquat_identity());
    tni_placed_set(&b, &capsule, dvec3_make(3.0, 7.25, 0.0), dquat_identity());
    cr_assert(tni_placed_cast(&a, &b, dvec3_make(4.0, -8.0, 0.0), 1.0, &fraction, &gap));
    cr_assert(fabs(fraction - 0.5) < 1e-9 && gap.normal.y == 1.0);
    cr_assert(fabs(gap.point_a.x - 5.0) < 1e-6 && fabs(gap.point_a.y - 2.0) < 1e-6);
    tni_placed_measure(&a, &b, &gap);
    cr_assert(fabs(gap.separation - 4.0) < 1e-9 && !tni_placed_overlap(&a, &b));
    b.position.y = 3.0;
    cr_assert(tni_placed_overlap(&a, &b));
}

// A mapped ball is an ellipsoid, and a mapped box is the hull of its mapped corners.
Test(placed, mapped_shapes_reach_as_far_as_their_map_says) {
    probe_random random = {9};
    for (int i = 0; i < 200; ++i) {
        tni_dmat3 map;
        for (int k = 0; k < 9; ++k) {
            map.m[k / 3][k % 3] = (double)probe_between(&random, -1.0f, 1.0f) + (k % 4 == 0);
        }
        tni_geometry box = probe_box(0.5f, 0.3f, 0.7f), ball = probe_sphere(0.5f);
        tni_placed a, b;
        tni_placed_set_mapped(&a, &box, dvec3_make(1.0, 2.0, 3.0), &map);
        tni_placed_set_mapped(&b, &ball, dvec3_make(1.0, 2.0, 3.0), &map);
        tni_dvec3 d = dvec3_from_float(probe_direction(&random)), center = {1.0, 2.0, 3.0};
        double most = 0.0, ball_most = 0.0;
        for (int row = 0; row < 3; ++row) {
            double along = d.x * map.m[0][row] + d.y * map.m[1][row] + d.z * map.m[2][row];
            most += fabs(along) * (double)box.box.half_extents.raw[row];
            ball_most += along * along;
        }
        tni_dvec3 p = dvec3_sub(tni_placed_get_point(&a, d), center);
        cr_assert(fabs(dvec3_dot(p, d) - most) < 1e-6);
        p = dvec3_sub(tni_placed_get_point(&b, d), center);
        cr_assert(fabs(dvec3_dot(p, d) - 0.5 * sqrt(ball_most)) < 1e-6);
    }
}

// Every pair of types: free just before, overlapping just behind.
Test(placed, a_cast_ends_where_shapes_of_all_types_touch) {
    probe_random random = {17};
    tni_geometry kinds[] = {probe_sphere(0.4f), probe_capsule(0.5f, 0.2f),
                            probe_box(0.3f, 0.5f, 0.2f), probe_sphere(0.0f)};
    int met = 0;
    for (int i = 0; i < 4000; ++i) {
        tni_placed a, b;
        tni_placed_gap gap;
        double fraction = 0.0;
        tni_dvec3 from = dvec3_from_float(probe_vec(&random, 4.0f));
        tni_dvec3 way = dvec3_scale(from, -2.0);
        way = dvec3_add(way, dvec3_from_float(probe_vec(&random, 0.6f)));
        tni_placed_set(&a, &kinds[i % 3], dvec3_make(0.0, 0.0, 0.0),
                       dquat_from_float(probe_rotation(&random)));
        tni_placed_set(&b, &kinds[i / 3 % 4], from, dquat_from_float(probe_rotation(&random)));
        if (!tni_placed_cast(&a, &b, way, 1.0, &fraction, &gap) || fraction == 0.0) {
            continue;
        }
        double cosine = -dvec3_dot(gap.normal, way) / dvec3_length(way);
        double step = 1e-5 / (fmax(cosine, 1e-3) * dvec3_length(way));
        b.position = dvec3_add_scaled(from, fraction - step, way);
        cr_assert(!tni_placed_overlap(&a, &b), "case %d", i);
        b.position = dvec3_add_scaled(from, fraction + step, way);
        cr_assert(cosine < 0.2 || tni_placed_overlap(&a, &b), "case %d", i);
        met += cosine >= 0.2;
    }
    cr_assert(met > 1500, "%d", met);
}
