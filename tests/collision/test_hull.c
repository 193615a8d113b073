// Convex hulls: their topology, their measures, and what is refused.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/collision/probe.h"

static tni_allocator allocator;

static void setup(void) {
    tni_allocator_init(&allocator, NULL, NULL, NULL);
}

static void teardown(void) {
    cr_assert_eq(allocator.bytes, 0);
}

TestSuite(hull, .init = setup, .fini = teardown);

// Every link of the half-edge mesh, Euler's formula, and all corners behind all planes.
static void assert_sound(const tni_hull *hull, float size) {
    cr_assert_eq(hull->vertex_count + hull->face_count, hull->half_edge_count / 2 + 2);
    cr_assert(hull->lane_count >= hull->vertex_count && hull->lane_count % 4 == 0);
    for (uint32_t i = 0; i < 3 * hull->lane_count; ++i) {
        uint32_t vertex = i % hull->lane_count;
        vertex = vertex < hull->vertex_count ? vertex : 0;
        cr_assert(hull->lanes[i] == hull->vertices[vertex].raw[i / hull->lane_count]);
    }
    uint32_t walked = 0;
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        uint32_t first = hull->face_edges[f], e = first, corners = 0;
        do {
            const tni_half_edge *edge = &hull->half_edges[e];
            cr_assert_eq(edge->face, f);
            cr_assert_lt(edge->origin, hull->vertex_count);
            cr_assert_eq(hull->half_edges[edge->next].origin, hull->half_edges[e ^ 1u].origin);
            cr_assert_neq(hull->half_edges[e ^ 1u].face, f);
            float off = glms_vec3_dot(hull->planes[f].normal, hull->vertices[edge->origin]) -
                        hull->planes[f].offset;
            cr_assert(fabsf(off) < 7e-5f * size, "corner off its face by %g", (double)off);
            e = edge->next;
            corners += 1;
            cr_assert_leq(corners, hull->half_edge_count);
        } while (e != first);
        cr_assert_geq(corners, 3);
        walked += corners;
    }
    cr_assert_eq(walked, hull->half_edge_count);
    for (uint32_t v = 0; v < hull->vertex_count; ++v) {
        cr_assert_eq(hull->half_edges[hull->vertex_edges[v]].origin, v);
    }
    for (uint32_t e = 0; e < hull->half_edge_count; ++e) {
        vec3s d = glms_vec3_sub(hull->vertices[hull->half_edges[e ^ 1u].origin],
                                hull->vertices[hull->half_edges[e].origin]);
        float along = glms_vec3_dot(d, hull->edge_directions[e / 2]);
        cr_assert((e & 1u) == 0 ? along > 0.0f : along < 0.0f);
    }
}

// The points stand out of no plane by more than the merging allows.
static void assert_holds(const tni_hull *hull, const vec3s *points, uint32_t count, float size) {
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        for (uint32_t i = 0; i < count; ++i) {
            float out = glms_vec3_dot(hull->planes[f].normal, points[i]) - hull->planes[f].offset;
            cr_assert(out < 1e-4f * size, "point %u stands out by %g of %g", i, (double)out,
                      (double)size);
        }
    }
}

static tni_hull *build(const vec3s *points, uint32_t count) {
    tni_hull *hull = NULL;
    tn_result result = tni_hull_build(&allocator, points, count, &hull);
    cr_assert_eq(result, TN_RESULT_OK, "result %d", (int)result);
    return hull;
}

static void cube_corners(vec3s *points, float half) {
    for (uint32_t i = 0; i < 8; ++i) {
        points[i] = maths_vec3((i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half,
                               (i & 4) != 0 ? half : -half);
    }
}

Test(hull, a_cube_has_six_square_faces_at_every_size) {
    const float sizes[] = {1e-3f, 0.5f, 1.0f, 37.0f, 1e3f};
    for (uint32_t k = 0; k < 5; ++k) {
        float h = sizes[k];
        vec3s points[8];
        cube_corners(points, h);
        tni_hull *hull = build(points, 8);
        assert_sound(hull, h);
        cr_assert_eq(hull->vertex_count, 8);
        cr_assert_eq(hull->face_count, 6);
        cr_assert_float_eq(hull->volume, 8.0f * h * h * h, 1e-5f * h * h * h);
        cr_assert_float_eq(hull->inner_radius, h, 1e-6f * h);
        cr_assert(glms_vec3_norm(hull->center) < 1e-6f * h);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                double expected = i == j ? 2.0 / 3.0 * (double)h * (double)h : 0.0;
                cr_assert_float_eq(hull->unit_inertia.m[i][j], expected, 1e-9 * (double)(h * h));
            }
        }
        tni_hull_destroy(&allocator, hull);
    }
}

Test(hull, a_tetrahedron_has_its_closed_form_mass) {
    const vec3s points[4] = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
    tni_hull *hull = build(points, 4);
    assert_sound(hull, 1.0f);
    cr_assert_eq(hull->face_count, 4);
    cr_assert_float_eq(hull->volume, 1.0f / 6.0f, 1e-7f);
    cr_assert(glms_vec3_distance(hull->center, maths_vec3(0.25f, 0.25f, 0.25f)) < 1e-7f);
    // Of the unit corner: integral x^2 = 1/60, x y = 1/120; per kg and about the centroid
    // xx = 6/60 - 1/16, xy = 6/120 - 1/16.
    double xx = 0.1 - 0.0625, xy = 0.05 - 0.0625;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            cr_assert_float_eq(hull->unit_inertia.m[i][j], i == j ? 2.0 * xx : -xy, 1e-9);
        }
    }
    tni_hull_destroy(&allocator, hull);
}

// As one that is built of the points where the map takes them.
Test(hull, a_deformed_copy_is_the_hull_of_the_deformed_points) {
    const tni_dmat3 map = {{{1.3, 0.4, 0.0}, {0.4, 0.6, -0.2}, {0.0, -0.2, 0.9}}};
    vec3s points[40], moved[40];
    probe_random random = {11};
    for (int i = 0; i < 40; ++i) {
        points[i] = i < 8 ? maths_vec3_zero()
                          : maths_rotate(probe_rotation(&random), maths_vec3(1.0f, 0.0f, 0.0f));
    }
    cube_corners(points, 0.7f);
    for (int i = 0; i < 40; ++i) {
        moved[i] = dvec3_to_float(dmat3_mul_vec(&map, dvec3_from_float(points[i])));
    }
    tni_hull *rest = build(points, 40), *built = build(moved, 40);
    tni_hull *copy = tni_hull_copy(&allocator, rest);
    cr_assert(copy != NULL && copy->byte_size == rest->byte_size);
    assert_sound(copy, 1.0f);
    tni_hull_deform(rest, &map, copy);
    assert_sound(copy, 1.5f);
    assert_holds(copy, moved, 40, 1.5f);
    cr_assert_eq(copy->vertex_count, built->vertex_count);
    cr_assert(glms_vec3_distance(copy->center, built->center) < 1e-6f);
    cr_assert_float_eq(copy->inner_radius, built->inner_radius, 1e-6f);
    cr_assert(glms_vec3_distance(copy->lower, built->lower) < 1e-6f);
    cr_assert(glms_vec3_distance(copy->upper, built->upper) < 1e-6f);
    tni_hull_destroy(&allocator, rest);
    tni_hull_destroy(&allocator, built);
    tni_hull_destroy(&allocator, copy);
}

Test(hull, points_on_faces_edges_and_corners_of_a_cube_add_nothing) {
    // An 11^3 grid, turned and moved, so that no face is exactly flat in float.
    enum {
        N = 11
    };
    static vec3s points[2 * N * N * N];
    probe_random random = {7};
    for (int turn = 0; turn < 20; ++turn) {
        versors q = turn == 0 ? maths_quat_identity() : probe_rotation(&random);
        vec3s shift = probe_vec(&random, turn == 0 ? 0.0f : 3.0f);
        uint32_t count = 0;
        for (int i = 0; i < N * N * N; ++i) {
            vec3s p = maths_vec3((float)(i % N) / 5.0f - 1.0f, (float)(i / N % N) / 5.0f - 1.0f,
                                 (float)(i / N / N) / 5.0f - 1.0f);
            points[count++] = glms_vec3_add(maths_rotate(q, p), shift);
            points[count++] = glms_vec3_add(maths_rotate(q, p), shift);
        }
        tni_hull *hull = build(points, count);
        assert_sound(hull, 2.0f);
        assert_holds(hull, points, count, 2.0f);
        cr_assert_eq(hull->vertex_count, 8, "turn %d: %u corners", turn, hull->vertex_count);
        cr_assert_eq(hull->face_count, 6);
        cr_assert_float_eq(hull->volume, 8.0f, 1e-4f);
        tni_hull_destroy(&allocator, hull);
    }
}

Test(hull, a_cylinder_has_two_polygon_caps) {
    for (uint32_t sides = 3; sides <= 120; sides += 9) {
        vec3s points[240];
        for (uint32_t i = 0; i < sides; ++i) {
            double angle = 2.0 * MATHS_PI * i / sides;
            float x = (float)(0.4 * tni_maths_cos(angle)), z = (float)(0.4 * tni_maths_sin(angle));
            points[2 * i] = maths_vec3(x, -1.0f, z);
            points[2 * i + 1] = maths_vec3(x, 1.0f, z);
        }
        tni_hull *hull = build(points, 2 * sides);
        assert_sound(hull, 2.0f);
        cr_assert_eq(hull->vertex_count, 2 * sides);
        cr_assert_eq(hull->face_count, sides + 2);
        double area = 0.5 * sides * 0.16 * tni_maths_sin(2.0 * MATHS_PI / sides);
        cr_assert_float_eq(hull->volume, 2.0 * area, 1e-6);
        tni_hull_destroy(&allocator, hull);
    }
}

Test(hull, random_clouds_of_every_shape_are_enclosed) {
    probe_random random = {99};
    static vec3s points[400];
    for (int round = 0; round < 300; ++round) {
        float size = (float)exp(log(1e-3) + probe_unit(&random) * log(1e6));
        vec3s stretch = maths_vec3(1.0f, probe_between(&random, 0.01f, 1.0f),
                                   probe_between(&random, 0.01f, 1.0f));
        uint32_t count = 4 + probe_below(&random, round % 2 == 0 ? 12 : 396);
        int kind = round % 5;
        versors q = probe_rotation(&random);
        for (uint32_t i = 0; i < count; ++i) {
            vec3s p = probe_vec(&random, 1.0f);
            if (kind == 1) { // on a coarse grid: many points in each plane, many twice
                p = maths_vec3(floorf(p.x * 3.0f), floorf(p.y * 3.0f), floorf(p.z * 3.0f));
            } else if (kind == 2) { // on an ellipsoid
                p = probe_direction(&random);
                count = count > 200 ? 200 : count;
            } else if (kind == 3) { // crowded in clusters
                p = glms_vec3_scale(p, i % 3 == 0 ? 1.0f : 1e-4f);
            } else if (kind == 4) { // nearly flat noise on the sides of a box
                p.raw[i % 3] = (p.raw[i % 3] < 0.0f ? -1.0f : 1.0f) * (1.0f + 1e-6f * p.x);
            }
            p = glms_vec3_mul(p, stretch);
            points[i] = glms_vec3_scale(maths_rotate(q, p), size);
        }
        tni_hull *hull = NULL;
        tn_result result = tni_hull_build(&allocator, points, count, &hull);
        if (result == TN_RESULT_DEGENERATE_HULL || result == TN_RESULT_TOO_LARGE) {
            cr_assert_null(hull);
            continue;
        }
        cr_assert_eq(result, TN_RESULT_OK);
        assert_sound(hull, 6.0f * size);
        assert_holds(hull, points, count, 6.0f * size);
        cr_assert(hull->volume > 0.0f && hull->inner_radius > 0.0f);
        tni_hull_destroy(&allocator, hull);
    }
}

static double get_reach(const vec3s *points, uint32_t count, double angle) {
    double reach = -(double)INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
        reach = fmax(reach, cos(angle) * (double)points[i].x + sin(angle) * (double)points[i].z);
    }
    return reach;
}

// Returns by how much the hull falls short of its points, in the worst direction across y.
static double measure_missing(const tni_hull *hull, const vec3s *points, uint32_t count) {
    double missing = 0.0;
    for (int k = 0; k < 64; ++k) {
        double angle = MATHS_PI * k / 32.0, of_points = get_reach(points, count, angle);
        missing = fmax(missing, of_points - get_reach(hull->vertices, hull->vertex_count, angle));
    }
    return missing;
}

// Just above two planes that nearly are one, a point may be far beside the rim in which they meet.
Test(hull, sheets_of_any_thinness_reach_as_far_as_their_points) {
    probe_random random = {77};
    int built = 0;
    for (int round = 0; round < 2000; ++round) {
        float thickness = powf(10.0f, probe_between(&random, -3.8f, -1.0f));
        vec3s points[24];
        uint32_t count = 8 + (uint32_t)round % 17;
        for (uint32_t i = 0; i < count; ++i) {
            vec3s p = probe_vec(&random, 1.0f);
            points[i] = maths_vec3(p.x, thickness * p.y, p.z);
        }
        tni_hull *hull = NULL;
        tn_result result = tni_hull_build(&allocator, points, count, &hull);
        if (result == TN_RESULT_DEGENERATE_HULL) {
            continue; // thinner than 1e-4 of its size
        }
        cr_assert_eq(result, TN_RESULT_OK);
        built += 1;
        double missing = measure_missing(hull, points, count);
        cr_assert(missing < 4e-4, "a sheet of %g: %g short", (double)thickness, missing);
        tni_hull_destroy(&allocator, hull);
    }
    cr_assert(built > 1800);
}

// The tip of a needle lies just outside of the faces round it, and on a line with the corners next
// to it.
Test(hull, needles_of_any_thinness_reach_as_far_as_their_points) {
    probe_random random = {78};
    int built = 0;
    for (int round = 0; round < 4000; ++round) {
        float thickness = powf(10.0f, probe_between(&random, -3.9f, -1.0f));
        vec3s points[24];
        uint32_t count = 8 + (uint32_t)round % 17;
        float least = 2.0f, most = -2.0f;
        for (uint32_t i = 0; i < count; ++i) {
            vec3s p = probe_vec(&random, 1.0f);
            points[i] = maths_vec3(p.x, thickness * p.y, thickness * p.z);
            least = fminf(least, p.x);
            most = fmaxf(most, p.x);
        }
        tni_hull *hull = NULL;
        tn_result result = tni_hull_build(&allocator, points, count, &hull);
        if (result == TN_RESULT_DEGENERATE_HULL) {
            continue; // thinner than 1e-4 of its size
        }
        cr_assert_eq(result, TN_RESULT_OK);
        built += 1;
        cr_assert(hull->lower.x < least + 4e-4f && hull->upper.x > most - 4e-4f,
                  "a needle of %g: %g and %g short", (double)thickness,
                  (double)(hull->lower.x - least), (double)(most - hull->upper.x));
        tni_hull_destroy(&allocator, hull);
    }
    cr_assert(built > 3000);
}

// A point in the plane of a base lies just outside of it, by round-off, and far outside of a side.
Test(hull, the_base_of_a_low_pyramid_reaches_as_far_as_its_points) {
    probe_random random = {79};
    for (int round = 0; round < 4000; ++round) {
        vec3s points[24];
        uint32_t count = 8 + (uint32_t)round % 17;
        float height = powf(10.0f, probe_between(&random, -2.0f, 0.0f));
        for (uint32_t i = 0; i < count; ++i) {
            vec3s p = probe_vec(&random, 1.0f);
            points[i] = maths_vec3(p.x, 0.3f * p.x + 0.7f * p.z + (i == 0 ? height : 0.0f), p.z);
        }
        tni_hull *hull = NULL;
        tn_result result = tni_hull_build(&allocator, points, count, &hull);
        cr_assert_eq(result, TN_RESULT_OK);
        double missing = measure_missing(hull, points, count);
        cr_assert(missing < 4e-4, "a height of %g: %g short", (double)height, missing);
        tni_hull_destroy(&allocator, hull);
    }
}

Test(hull, volume_and_centre_agree_with_counted_random_points) {
    probe_random random = {5};
    vec3s points[20];
    for (uint32_t i = 0; i < 20; ++i) {
        points[i] = probe_vec(&random, 1.0f);
    }
    tni_hull *hull = build(points, 20);
    enum {
        SHOTS = 400000
    };
    uint32_t inside = 0;
    double sum[3] = {0};
    for (int i = 0; i < SHOTS; ++i) {
        vec3s p = probe_vec(&random, 1.0f);
        bool is_inside = true;
        for (uint32_t f = 0; f < hull->face_count && is_inside; ++f) {
            is_inside = glms_vec3_dot(hull->planes[f].normal, p) <= hull->planes[f].offset;
        }
        if (is_inside) {
            inside += 1;
            for (int k = 0; k < 3; ++k) {
                sum[k] += (double)p.raw[k];
            }
        }
    }
    // Three standard deviations of the count are about 0.0076 m^3.
    cr_assert_float_eq(hull->volume, 8.0 * inside / SHOTS, 0.01);
    for (int k = 0; k < 3; ++k) {
        cr_assert_float_eq(hull->center.raw[k], sum[k] / inside, 0.005);
    }
    tni_hull_destroy(&allocator, hull);
}

Test(hull, flat_straight_and_coincident_clouds_are_degenerate) {
    probe_random random = {3};
    for (int round = 0; round < 200; ++round) {
        vec3s points[30];
        vec3s u = probe_direction(&random), v = maths_vec3_perpendicular(u);
        vec3s at = probe_vec(&random, 1.0f);
        float wide = round % 3 == 0 ? 0.0f : 1.0f, wider = round % 3 == 1 ? 0.0f : wide;
        for (uint32_t i = 0; i < 30; ++i) {
            points[i] = maths_vec3_add_scaled(at, wide * probe_between(&random, -1.0f, 1.0f), u);
            points[i] =
                maths_vec3_add_scaled(points[i], wider * probe_between(&random, -1.0f, 1.0f), v);
        }
        tni_hull *hull = NULL;
        cr_assert_eq(tni_hull_build(&allocator, points, 30, &hull), TN_RESULT_DEGENERATE_HULL);
        cr_assert_null(hull);
    }
}

Test(hull, bad_arguments_are_named) {
    vec3s points[8];
    cube_corners(points, 1.0f);
    tni_hull *hull = NULL;
    cr_assert_eq(tni_hull_build(&allocator, NULL, 8, &hull), TN_RESULT_INVALID_ARGUMENT);
    cr_assert_eq(tni_hull_build(&allocator, points, 3, &hull), TN_RESULT_INVALID_ARGUMENT);
    cr_assert_eq(tni_hull_build(&allocator, points, 0, &hull), TN_RESULT_INVALID_ARGUMENT);
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        cube_corners(points, 1.0f);
        points[5].y = bad[i];
        cr_assert_eq(tni_hull_build(&allocator, points, 8, &hull), TN_RESULT_NOT_FINITE);
    }
    cube_corners(points, 2e38f);
    cr_assert_eq(tni_hull_build(&allocator, points, 8, &hull), TN_RESULT_TOO_LARGE);
    cube_corners(points, 1e-7f);
    cr_assert_eq(tni_hull_build(&allocator, points, 8, &hull), TN_RESULT_DEGENERATE_HULL);
    cr_assert_null(hull);
    tni_hull_destroy(&allocator, NULL);
}

Test(hull, more_corners_than_a_hull_holds_are_refused) {
    static vec3s points[4000];
    probe_random random = {11};
    for (uint32_t i = 0; i < 4000; ++i) {
        points[i] = probe_direction(&random);
    }
    tni_hull *hull = NULL;
    cr_assert_eq(tni_hull_build(&allocator, points, 4000, &hull), TN_RESULT_TOO_LARGE);
    cr_assert_eq(tni_hull_build(&allocator, points, 300, &hull), TN_RESULT_TOO_LARGE);
    cr_assert_null(hull);
    hull = build(points, 255);
    cr_assert_eq(hull->vertex_count, 255);
    assert_sound(hull, 1.0f);
    tni_hull_destroy(&allocator, hull);
}

// ---- memory --------------------------------------------------------------------------------

static int calls_left;

static void *failing_alloc(size_t size, size_t alignment, void *user_data) {
    (void)user_data;
    return calls_left-- > 0 ? aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1))
                            : NULL;
}

static void failing_free(void *memory, size_t size, void *user_data) {
    (void)size;
    (void)user_data;
    free(memory);
}

Test(hull, no_memory_at_any_allocation_leaves_nothing_behind) {
    vec3s points[8];
    cube_corners(points, 1.0f);
    tni_allocator failing;
    tni_allocator_init(&failing, failing_alloc, failing_free, NULL);
    int needed = 0;
    for (;; ++needed) {
        calls_left = needed;
        tni_hull *hull = NULL;
        tn_result result = tni_hull_build(&failing, points, 8, &hull);
        if (result == TN_RESULT_OK) {
            tni_hull_destroy(&failing, hull);
            cr_assert_eq(failing.bytes, 0);
            break;
        }
        cr_assert_eq(result, TN_RESULT_OUT_OF_MEMORY);
        cr_assert_null(hull);
        cr_assert_eq(failing.bytes, 0);
        cr_assert_lt(needed, 100);
    }
    cr_assert_geq(needed, 3);
}

// ---- a box as a hull -----------------------------------------------------------------------

Test(hull, a_box_hull_is_sound_and_has_the_measures_of_the_box) {
    tni_box_hull box;
    tni_box_hull_set(&box, maths_vec3(1.0f, 2.0f, 0.5f));
    assert_sound(&box.hull, 2.0f);
    cr_assert_float_eq(box.hull.volume, 8.0f, 1e-6f);
    cr_assert_float_eq(box.hull.inner_radius, 0.5f, 1e-6f);
    vec3s points[8];
    for (uint32_t i = 0; i < 8; ++i) {
        points[i] = box.vertices[i];
    }
    tni_hull *hull = build(points, 8);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            cr_assert_float_eq(box.hull.unit_inertia.m[i][j], hull->unit_inertia.m[i][j], 1e-6);
        }
    }
    tni_hull_destroy(&allocator, hull);
}
