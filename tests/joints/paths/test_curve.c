// The curve of a curve joint: a spline of second order, by its length, with a frame that goes
// along.
#include "joints/paths/curve.h"

#include <criterion/criterion.h>

#include "tests/joints/joint_motion.h"

static tni_allocator allocator;

static void make_allocator(void) {
    tni_allocator_init(&allocator, NULL, NULL, NULL);
}

TestSuite(curve, .timeout = 60, .init = make_allocator);

static tni_curve *make(const tn_vec3 *points, uint32_t count, bool is_closed) {
    tn_curve_joint_def def = {.points = points, .point_count = count, .is_closed = is_closed};
    tni_curve *curve = tni_curve_make(&allocator, &def);
    cr_assert_not_null(curve);
    return curve;
}

// Points that wind about, at uneven distances.
static void make_points(test_random *random, uint32_t count, tn_vec3 *points) {
    for (uint32_t i = 0; i < count; ++i) {
        double angle = 2.0 * MATHS_PI * (i + random_between(random, -0.3, 0.3)) / count;
        points[i] = (tn_vec3){2.0 * cos(angle), 2.0 * sin(angle), 0.5 * sin(2.0 * angle)};
    }
}

static double speed_of(const tni_curve *curve, double u) {
    double at = tni_spline_wrap(&curve->spline, u);
    uint32_t segment = tni_spline_find(&curve->spline, at);
    return dvec3_length(tni_spline_get_point(&curve->spline, segment, at).first);
}

static tni_spline_point point_of(const tni_curve *curve, double u) {
    double at = tni_spline_wrap(&curve->spline, u);
    return tni_spline_get_point(&curve->spline, tni_spline_find(&curve->spline, at), at);
}

Test(curve, passes_its_points_with_two_continuous_derivatives) {
    test_random random = {1};
    for (int n = 0; n < 40; ++n) {
        tn_vec3 points[12];
        uint32_t count = 3 + (uint32_t)n % 10;
        bool is_closed = n % 2 == 0;
        make_points(&random, count, points);
        tni_curve *curve = make(points, count, is_closed);
        for (uint32_t i = 0; i < count; ++i) {
            double u = curve->spline.knots[i].u;
            tni_dvec3 at = dvec3_make(points[i].x, points[i].y, points[i].z);
            cr_assert(dvec3_length(dvec3_sub(point_of(curve, u).c, at)) < 1e-14);
            if (is_closed || (i > 0 && i + 1 < count)) {
                tni_spline_point before = point_of(curve, u - 1e-9), after = point_of(curve, u);
                cr_assert(dvec3_length(dvec3_sub(before.first, after.first)) < 1e-7);
                cr_assert(dvec3_length(dvec3_sub(before.second, after.second)) < 1e-7);
            }
        }
        tni_curve_forget(&allocator, curve);
    }
}

Test(curve, through_an_arc_is_one_to_the_fourth_order) {
    double errors[2];
    for (int n = 0; n < 2; ++n) {
        tn_vec3 points[32];
        uint32_t count = n == 0 ? 16 : 32;
        for (uint32_t i = 0; i < count; ++i) {
            double angle = 2.0 * MATHS_PI * i / count;
            points[i] = (tn_vec3){cos(angle), sin(angle), 0.0};
        }
        tni_curve *curve = make(points, count, true);
        errors[n] = fabs(curve->length - 2.0 * MATHS_PI);
        cr_assert(curve->is_smooth);
        cr_assert(fabs(curve->twist) < 1e-12);
        tni_curve_forget(&allocator, curve);
    }
    cr_assert(errors[0] / errors[1] > 14.0 && errors[1] < 2e-5, "%g, %g", errors[0], errors[1]);
}

// Against a sum over many small steps.
Test(curve, knows_the_way_along_it) {
    test_random random = {2};
    for (int n = 0; n < 10; ++n) {
        tn_vec3 points[7];
        make_points(&random, 7, points);
        tni_curve *curve = make(points, 7, n % 2 == 0);
        double end = 0.7 * tni_spline_get_end(&curve->spline), sum = 0.0;
        for (int i = 0; i < 20000; ++i) {
            sum += speed_of(curve, (i + 0.5) * end / 20000) * end / 20000;
        }
        tni_curve_place place = tni_curve_find_near(curve, end, point_of(curve, end).c);
        cr_assert_float_eq(place.way, sum, 1e-7, "%g, not %g", place.way, sum);
        tni_curve_forget(&allocator, curve);
    }
}

Test(curve, goes_on_straight_beyond_open_ends) {
    const tn_vec3 points[3] = {{0, 0, 0}, {1, 1, 0}, {2, 0, 0}};
    tni_curve *curve = make(points, 3, false);
    tni_dvec3 slope = point_of(curve, 0.0).first;
    tni_dvec3 p = dvec3_scale(slope, -0.5);
    tni_curve_place place = tni_curve_find_near(curve, 0.3, p);
    cr_assert_float_eq(place.way, -0.5 * dvec3_length(slope), 1e-12);
    cr_assert(dvec3_length(place.off) < 1e-12 && dvec3_length(place.bend) == 0.0);
    tni_curve_forget(&allocator, curve);
}

// What a place says of the directions along a curve is what they do from place to place.
Test(curve, has_a_frame_that_turns_as_it_says) {
    test_random random = {3};
    for (int n = 0; n < 200; ++n) {
        tn_vec3 points[8];
        make_points(&random, 8, points);
        tni_curve *curve = make(points, 8, n % 2 == 0);
        double u = random_between(&random, 0.1, 0.9) * tni_spline_get_end(&curve->spline);
        double step = 1e-6;
        tni_curve_place places[3];
        for (int k = 0; k < 3; ++k) {
            double at = u + (k - 1) * step;
            places[k] = tni_curve_find_near(curve, at, point_of(curve, at).c);
        }
        double way = places[2].way - places[0].way;
        tni_dvec3 bend = dvec3_scale(dvec3_sub(places[2].tangent, places[0].tangent), 1.0 / way);
        tni_dvec3 turn =
            dvec3_scale(dvec3_sub(places[2].normals[0], places[0].normals[0]), 1.0 / way);
        cr_assert(dvec3_length(dvec3_sub(bend, places[1].bend)) < 1e-5);
        cr_assert_float_eq(dvec3_dot(turn, places[1].normals[1]), places[1].turning, 1e-5);
        cr_assert(fabs(dvec3_dot(places[1].tangent, places[1].normals[0])) < 1e-14);
        cr_assert_float_eq(dvec3_length(places[1].normals[1]), 1.0, 1e-14);
        tni_curve_forget(&allocator, curve);
    }
}

Test(curve, closes_its_frame_over_the_seam) {
    test_random random = {4};
    for (int n = 0; n < 50; ++n) {
        tn_vec3 points[9];
        make_points(&random, 9, points);
        tni_curve *curve = make(points, 9, true);
        double end = tni_spline_get_end(&curve->spline);
        tni_curve_place before = tni_curve_find_near(curve, end - 1e-9, point_of(curve, -1e-9).c);
        tni_curve_place after = tni_curve_find_near(curve, 0.0, point_of(curve, 0.0).c);
        cr_assert(dvec3_length(dvec3_sub(before.normals[0], after.normals[0])) < 1e-7);
        cr_assert_float_eq(before.way, curve->length, 1e-7);
        cr_assert(after.way == 0.0);
        tni_curve_forget(&allocator, curve);
    }
}

// A figure of eight: near the crossing each branch is found from its own side.
Test(curve, keeps_to_its_branch_where_it_crosses_itself) {
    tn_vec3 points[32];
    for (int i = 0; i < 32; ++i) {
        double angle = 2.0 * MATHS_PI * (i + 0.5) / 32;
        points[i] = (tn_vec3){2.0 * sin(angle), sin(2.0 * angle), 0.0};
    }
    tni_curve *curve = make(points, 32, true);
    tni_dvec3 crossing = dvec3_make(0.0, 0.0, 0.0);
    double end = tni_spline_get_end(&curve->spline);
    tni_curve_place one = tni_curve_find_near(curve, 0.01 * end, crossing);
    tni_curve_place other = tni_curve_find_near(curve, 0.51 * end, crossing);
    cr_assert(dvec3_length(one.off) < 1e-3 && dvec3_length(other.off) < 1e-3);
    cr_assert_float_eq(fabs(one.way - other.way), 0.5 * curve->length, 1e-6);
    tni_curve_forget(&allocator, curve);
}

Test(curve, is_searched_for_the_nearest_point_of_all) {
    test_random random = {5};
    for (int n = 0; n < 100; ++n) {
        tn_vec3 points[8];
        make_points(&random, 8, points);
        tni_curve *curve = make(points, 8, n % 2 == 0);
        tni_dvec3 p = random_vector(&random, 2.0);
        double nearest = (double)INFINITY, end = tni_spline_get_end(&curve->spline);
        for (int i = 0; i < 4000; ++i) {
            tni_dvec3 c = point_of(curve, i * end / 4000).c;
            nearest = fmin(nearest, dvec3_length(dvec3_sub(p, c)));
        }
        tni_curve_place place = tni_curve_find_anywhere(curve, p);
        cr_assert(dvec3_length(place.off) < nearest + 1e-3, "%g, not %g", dvec3_length(place.off),
                  nearest);
        tni_curve_forget(&allocator, curve);
    }
}

Test(curve, that_turns_back_in_a_point_is_not_smooth) {
    const tn_vec3 back[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    const tn_vec3 corner[3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    tni_curve *turned = make(back, 3, false), *bent = make(corner, 3, false);
    cr_assert(!turned->is_smooth && bent->is_smooth);
    tni_curve_forget(&allocator, turned);
    tni_curve_forget(&allocator, bent);
}
