// Ellipsoids: the nearest points of two convex shapes have opposite normals, and only they.
#include <criterion/criterion.h>

#include "collision/stretch.h"
#include "core/dmat3.h"
#include "tests/collision/probe.h"

TestSuite(manifold_stretched, .timeout = 60);

// Stretched by `least` to `most` along axes of its own.
static void random_stretch(probe_random *random, const tni_geometry *rest, double least,
                           double most, tni_stretch *stretch, tni_geometry *out) {
    tni_dmat3 q = dmat3_from_quat(dquat_renormalize(dquat_from_float(probe_rotation(random))));
    tni_dvec3 s = {least + (most - least) * probe_unit(random),
                   least + (most - least) * probe_unit(random),
                   least + (most - least) * probe_unit(random)};
    tni_dmat3 map = dmat3_rotate_diagonal(&q, s);
    *out = *rest;
    tni_stretch_make(rest, &map, stretch, out);
}

// Of the ellipsoid along n, in the pair's axes; of a capsule at the end that is farther.
static tni_dvec3 support(const tni_geometry *g, const tni_frame *frame, tni_dvec3 n) {
    tni_dquat q = dquat_renormalize(dquat_from_float(frame->rotation));
    tni_dvec3 local = dquat_rotate_inverse(q, n), p = tni_stretch_get_point(g->stretch, local);
    if (g->type == TNI_GEOMETRY_CAPSULE) {
        p.y += copysign((double)g->capsule.half_length, local.y);
    }
    return dvec3_add(dvec3_from_float(frame->position), dquat_rotate(q, p));
}

static tni_frame random_frame(probe_random *random, vec3s at) {
    tni_frame frame = probe_frame(at.x, at.y, at.z);
    frame.rotation = probe_rotation(random);
    return frame;
}

static tni_manifold compute(const tni_geometry *a, const tni_frame *frame_a, const tni_geometry *b,
                            const tni_frame *frame_b, float margin) {
    tni_manifold manifold;
    tni_manifold_cache cache = {0};
    tni_manifold_compute(a, frame_a, b, frame_b, margin, &cache, &manifold);
    return manifold;
}

Test(manifold_stretched, ball_is_as_high_over_a_plane_as_its_deformed_self_reaches) {
    probe_random random = {3};
    tni_geometry rest = probe_sphere(0.5f), plane = probe_half_space();
    tni_frame floor = probe_frame(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 200; ++i) {
        tni_stretch stretch;
        tni_geometry ball;
        random_stretch(&random, &rest, 0.3, 3.0, &stretch, &ball);
        tni_frame frame = random_frame(&random, maths_vec3(0.2f, 0.7f, 0.1f));
        tni_manifold m = compute(&ball, &frame, &plane, &floor, 10.0f);
        double low = support(&ball, &frame, dvec3_make(0.0, -1.0, 0.0)).y;
        cr_assert_eq(m.point_count, 1);
        cr_assert(fabs((double)m.points[0].separation - low) < 1e-6, "%g, not %g",
                  (double)m.points[0].separation, low);
        cr_assert(fabs((double)m.normal.y + 1.0) < 1e-6);
    }
}

// p_a + s n = p_b.
Test(manifold_stretched, two_balls_touch_where_their_normals_meet) {
    const double ranges[][2] = {{0.9, 1.1}, {0.5, 2.0}, {0.25, 4.0}};
    const double most[] = {2e-6, 1e-5, 1e-4};
    for (int k = 0; k < 3; ++k) {
        probe_random random = {11};
        double worst = 0.0;
        for (int i = 0; i < 500; ++i) {
            tni_geometry rest[2] = {probe_sphere(0.5f), probe_sphere(0.3f)}, ball[2];
            tni_stretch stretch[2];
            tni_frame frames[2];
            for (int e = 0; e < 2; ++e) {
                random_stretch(&random, &rest[e], ranges[k][0], ranges[k][1], &stretch[e],
                               &ball[e]);
                frames[e] = random_frame(&random, maths_vec3_zero());
            }
            double reach = stretch[0].greatest_axis + stretch[1].greatest_axis;
            vec3s way = probe_direction(&random);
            frames[1].position = glms_vec3_scale(way, (float)(1.05 * reach));
            tni_manifold m = compute(&ball[0], &frames[0], &ball[1], &frames[1], 100.0f);
            cr_assert_eq(m.point_count, 1);
            tni_dvec3 n = dvec3_from_float(m.normal);
            tni_dvec3 a = support(&ball[0], &frames[0], n);
            tni_dvec3 b = support(&ball[1], &frames[1], dvec3_scale(n, -1.0));
            tni_dvec3 off = dvec3_sub(b, dvec3_add_scaled(a, (double)m.points[0].separation, n));
            worst = fmax(worst, dvec3_length(off));
        }
        cr_assert(worst < most[k], "%g to %g: %g m", ranges[k][0], ranges[k][1], worst);
    }
}

// y = p + s n is a point of the box, and no other of it reaches farther against n.
Test(manifold_stretched, balls_and_capsules_touch_faces_edges_and_corners_of_boxes) {
    probe_random random = {5};
    double worst[2] = {0.0, 0.0};
    for (int i = 0; i < 2000; ++i) {
        tni_geometry rest = i % 2 == 0 ? probe_sphere(0.5f) : probe_capsule(0.4f, 0.3f), shape;
        tni_geometry box = probe_box(0.5f, 0.4f, 0.3f);
        tni_stretch stretch;
        random_stretch(&random, &rest, 0.5, 2.0, &stretch, &shape);
        tni_frame frames[2] = {random_frame(&random, maths_vec3_zero()),
                               probe_frame(0.0f, 0.0f, 0.0f)};
        frames[0].position = glms_vec3_scale(probe_direction(&random), 2.6f);
        tni_manifold m = compute(&shape, &frames[0], &box, &frames[1], 100.0f);
        cr_assert(m.point_count >= 1);
        if (m.point_count > 1) {
            continue; // alongside a face or an edge, whose normal it then has, as round ones do
        }
        tni_dvec3 n = dvec3_from_float(m.normal);
        double s = (double)m.points[0].separation;
        double reach = dvec3_dot(support(&shape, &frames[0], n), n) + s;
        double wall = -(0.5 * fabs(n.x) + 0.4 * fabs(n.y) + 0.3 * fabs(n.z));
        worst[i % 2] = fmax(worst[i % 2], fabs(reach - wall));
        tni_dvec3 y = dvec3_add_scaled(dvec3_from_float(m.points[0].position), 0.5 * s, n);
        double out = fmax(fabs(y.x) - 0.5, fmax(fabs(y.y) - 0.4, fabs(y.z) - 0.3));
        worst[i % 2] = fmax(worst[i % 2], out);
    }
    cr_assert(worst[0] < 2e-5, "balls: %g m", worst[0]);
    cr_assert(worst[1] < 2e-5, "capsules: %g m", worst[1]);
}

// ---- near touching -------------------------------------------------------------------------

static tni_geometry random_round(probe_random *random, bool is_capsule, double most,
                                 tni_stretch *stretch) {
    tni_geometry rest = is_capsule ? probe_capsule(0.3f, 0.3f) : probe_sphere(0.5f), shape;
    random_stretch(random, &rest, 1.0 / most, most, stretch, &shape);
    return shape;
}

// Moves b along the nearest points' normal until the two are `gap` apart: these stay the nearest.
// Gives how far the manifold is off there, with a small margin; 1 where it has no point.
static double error_at_gap(const tni_geometry *a, const tni_geometry *b, const tni_frame frames[2],
                           const tni_manifold *apart, double gap) {
    double way = gap - (double)apart->points[0].separation;
    tni_frame moved = frames[1];
    tni_dvec3 from = dvec3_from_float(moved.position), n = dvec3_from_float(apart->normal);
    moved.position = dvec3_to_float(dvec3_add_scaled(from, way, n));
    tni_manifold m = compute(a, &frames[0], b, &moved, 0.02f);
    if (m.point_count == 0) {
        return 1.0;
    }
    double least = (double)m.points[0].separation;
    for (uint32_t i = 1; i < m.point_count; ++i) {
        least = fmin(least, (double)m.points[i].separation);
    }
    return fabs(least - gap);
}

// Spheres and capsules against both, boxes and hulls, in either order.
Test(manifold_stretched, nearest_points_stay_so_where_shapes_touch_and_overlap) {
    const double stretches[] = {1.1, 2.0, 4.0}, gaps[] = {0.015, 0.001, 0.0, -0.001, -0.005};
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    probe_random random = {17};
    double worst = 0.0;
    for (int i = 0; i < 1200; ++i) {
        vec3s cloud[12];
        for (int k = 0; k < 12; ++k) {
            cloud[k] = glms_vec3_scale(probe_direction(&random), 0.5f);
        }
        tni_hull *hull = NULL;
        cr_assert_eq(tni_hull_build(&allocator, cloud, 12, &hull), TN_RESULT_OK);
        int kind = i % 4;
        double most = stretches[(i / 8) % 3];
        tni_stretch stretch[2];
        tni_geometry shape = random_round(&random, i / 4 % 2 == 1, most, &stretch[0]);
        tni_geometry other = kind == 0   ? random_round(&random, false, most, &stretch[1])
                             : kind == 1 ? random_round(&random, true, most, &stretch[1])
                             : kind == 2 ? probe_box(0.5f, 0.4f, 0.3f)
                                         : probe_hull(hull);
        tni_frame frames[2] = {random_frame(&random, maths_vec3_zero()),
                               random_frame(&random, maths_vec3_zero())};
        frames[1].position = glms_vec3_scale(probe_direction(&random), 7.0f);
        bool is_first = probe_unit(&random) < 0.5;
        const tni_geometry *a = is_first ? &shape : &other, *b = is_first ? &other : &shape;
        tni_manifold apart = compute(a, &frames[0], b, &frames[1], 100.0f);
        cr_assert(apart.point_count >= 1);
        for (int g = 0; g < 5 && apart.point_count == 1; ++g) {
            double error = error_at_gap(a, b, frames, &apart, gaps[g]);
            cr_assert(error < 1e-5, "case %d, %g m apart: off by %g m", i, gaps[g], error);
            worst = fmax(worst, error);
        }
        tni_hull_destroy(&allocator, hull);
    }
    cr_assert(worst > 0.0);
}

static double separation_along(const tni_geometry g[2], const tni_frame f[2], tni_dvec3 n) {
    return -dvec3_dot(support(&g[0], &f[0], n), n) +
           dvec3_dot(support(&g[1], &f[1], dvec3_scale(n, -1.0)), n);
}

// The least way out, as far as can be seen from there: no normal beside it has a shorter.
Test(manifold_stretched, overlapping_balls_part_along_the_least_way) {
    probe_random random = {23};
    for (int i = 0; i < 300; ++i) {
        tni_stretch stretch[2];
        tni_geometry shape[2];
        tni_frame frames[2];
        for (int e = 0; e < 2; ++e) {
            shape[e] = random_round(&random, false, 1.5, &stretch[e]);
            frames[e] = random_frame(&random, maths_vec3_zero());
        }
        frames[1].position = glms_vec3_scale(probe_direction(&random), 0.9f);
        tni_manifold m = compute(&shape[0], &frames[0], &shape[1], &frames[1], 0.0f);
        if (m.point_count == 0 || m.points[0].separation < -0.2f) {
            continue; // far beyond what steps let in
        }
        tni_dvec3 n = dvec3_from_float(m.normal);
        double s = separation_along(shape, frames, n);
        cr_assert(fabs(s - (double)m.points[0].separation) < 1e-5);
        for (int k = 0; k < 20; ++k) {
            tni_dvec3 way = dvec3_from_float(probe_direction(&random));
            tni_dvec3 beside = dvec3_add_scaled(n, 0.03, way);
            beside = dvec3_scale(beside, 1.0 / dvec3_length(beside));
            double other = separation_along(shape, frames, beside);
            cr_assert(other < s + 1e-4, "case %d: %g m deep, %g m beside", i, s, other);
        }
    }
}

// A ball's middle within a box, crossed capsules: deeper than any step leaves them.
Test(manifold_stretched, shapes_with_meeting_cores_are_pushed_apart) {
    probe_random random = {29};
    for (int i = 0; i < 400; ++i) {
        tni_stretch stretch[2];
        tni_geometry a = random_round(&random, i % 2 == 1, 2.0, &stretch[0]);
        tni_geometry b = i % 4 < 2 ? probe_box(0.5f, 0.4f, 0.3f)
                                   : random_round(&random, i % 2 == 1, 2.0, &stretch[1]);
        tni_frame frames[2] = {random_frame(&random, maths_vec3_zero()),
                               random_frame(&random, maths_vec3_zero())};
        frames[1].position = glms_vec3_scale(probe_direction(&random), i % 3 == 0 ? 0.0f : 0.1f);
        tni_manifold m = compute(&a, &frames[0], &b, &frames[1], 0.02f);
        cr_assert(m.point_count >= 1, "case %d", i);
        cr_assert(fabs((double)glms_vec3_norm(m.normal) - 1.0) < 1e-5);
        for (uint32_t k = 0; k < m.point_count; ++k) {
            cr_assert(m.points[k].separation < 0.0f, "case %d", i);
            cr_assert(glms_vec3_norm(m.points[k].position) < 4.0f);
        }
    }
}
