// Passing over axes must not miss the best one: against every axis there is.
#include <criterion/criterion.h>

#include "collision/manifold/sat.h"
#include "tests/collision/probe.h"
#include "tests/support/long_test.h"

enum {
    HULLS = 5
};

static tni_allocator allocator;
static tni_hull *hulls[HULLS];

static void setup(void) {
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    probe_random random = {27};
    for (uint32_t i = 0; i < HULLS; ++i) {
        vec3s points[40];
        uint32_t count = 4 + 9 * i;
        for (uint32_t k = 0; k < count; ++k) {
            points[k] = i % 2 == 0 ? probe_vec(&random, 0.6f)
                                   : glms_vec3_scale(probe_direction(&random), 0.6f);
        }
        cr_assert_eq(tni_hull_build(&allocator, points, count, &hulls[i]), TN_RESULT_OK);
    }
}

static void teardown(void) {
    for (uint32_t i = 0; i < HULLS; ++i) {
        tni_hull_destroy(&allocator, hulls[i]);
    }
}

TestSuite(sat, .init = setup, .fini = teardown);

static float separation_along(const tni_sat_pair *pair, vec3s axis) {
    float top = -FLT_MAX, bottom = FLT_MAX;
    for (uint32_t i = 0; i < pair->a->vertex_count; ++i) {
        top = maths_max(top, narrow_dot(axis, pair->a->vertices[i]));
    }
    for (uint32_t i = 0; i < pair->b->vertex_count; ++i) {
        vec3s v = relative_point(pair->relative, pair->b->vertices[i]);
        bottom = maths_min(bottom, narrow_dot(axis, v));
    }
    return bottom - top;
}

static float best_of_all_edges(const tni_sat_pair *pair) {
    float best = -FLT_MAX;
    for (uint32_t i = 0; i < pair->a->half_edge_count / 2; ++i) {
        for (uint32_t j = 0; j < pair->b->half_edge_count / 2; ++j) {
            vec3s other = basis_mul(&pair->relative->basis, pair->b->edge_directions[j]);
            vec3s axis = glms_vec3_cross(pair->a->edge_directions[i], other);
            if (glms_vec3_norm2(axis) > NARROW_PARALLEL_SINE2) {
                axis = glms_vec3_normalize(axis);
                best = maths_max(best, separation_along(pair, axis));
                best = maths_max(best, separation_along(pair, glms_vec3_negate(axis)));
            }
        }
    }
    return best;
}

static float best_of_all_faces(const tni_sat_pair *pair) {
    float best = -FLT_MAX;
    for (uint32_t f = 0; f < pair->a->face_count; ++f) {
        best = maths_max(best, separation_along(pair, pair->a->planes[f].normal));
    }
    for (uint32_t f = 0; f < pair->b->face_count; ++f) {
        vec3s normal = basis_mul(&pair->relative->basis, pair->b->planes[f].normal);
        best = maths_max(best, separation_along(pair, glms_vec3_negate(normal)));
    }
    return best;
}

LONG_TEST(sat, finds_the_best_axis_that_a_full_search_finds) {
    probe_random random = {28};
    int rounds = long_test_count(1500), overlapping = 0, edges_won = 0;
    for (int round = 0; round < rounds; ++round) {
        const tni_hull *a = hulls[probe_below(&random, HULLS)];
        const tni_hull *b = hulls[probe_below(&random, HULLS)];
        tni_relative relative = {basis_from_quat(probe_rotation(&random)),
                                 probe_vec(&random, 0.9f)};
        tni_manifold_cache cache = {0};
        tni_sat_pair pair;
        tni_sat_begin(&pair, a, b, &relative, FLT_MAX, &cache);
        tni_sat_face face_a = tni_sat_query_faces_of_a(&pair);
        tni_sat_face face_b = tni_sat_query_faces_of_b(&pair);
        float faces = maths_max(face_a.separation, face_b.separation);
        cr_assert_float_eq(faces, best_of_all_faces(&pair), 1e-5f);
        if (faces > 0.0f) {
            continue;
        }
        overlapping += 1;
        bool is_a = face_a.separation >= face_b.separation;
        vec3s normal =
            is_a ? a->planes[face_a.face].normal
                 : glms_vec3_negate(basis_mul(&relative.basis, b->planes[face_b.face].normal));
        tni_sat_edges edges = tni_sat_query_edges(&pair, normal, faces);
        float all = best_of_all_edges(&pair);
        // Edges that do not beat the faces need not be found.
        cr_assert_float_eq(maths_max(edges.separation, faces), maths_max(all, faces), 1e-5f);
        edges_won += all > faces + 1e-4f ? 1 : 0;
        if (edges.separation > -FLT_MAX) {
            cr_assert_float_eq(separation_along(&pair, edges.normal), edges.separation, 1e-5f);
            // Started from its own answer the search ends there.
            narrow_cache_set(&cache, NARROW_AXIS_EDGES, edges.edge_a, edges.edge_b);
            tni_sat_begin(&pair, a, b, &relative, FLT_MAX, &cache);
            cr_assert_float_eq(pair.last.separation, edges.separation, 1e-6f);
            face_a = tni_sat_query_faces_of_a(&pair);
            face_b = tni_sat_query_faces_of_b(&pair);
            edges = tni_sat_query_edges(&pair, normal, faces);
            cr_assert_float_eq(maths_max(edges.separation, faces), maths_max(all, faces), 1e-5f);
        }
    }
    cr_assert_gt(overlapping, rounds / 3);
    cr_assert_gt(edges_won, rounds / 30);
}

Test(sat, the_last_axis_separates_until_the_hulls_come_near) {
    probe_random random = {29};
    for (int round = 0; round < 500; ++round) {
        const tni_hull *a = hulls[probe_below(&random, HULLS)];
        const tni_hull *b = hulls[probe_below(&random, HULLS)];
        vec3s direction = probe_direction(&random);
        tni_relative relative = {basis_from_quat(probe_rotation(&random)),
                                 glms_vec3_scale(direction, 2.5f)};
        tni_manifold_cache cache;
        tni_sat_pair pair;
        narrow_cache_set_free(&cache, direction);
        tni_sat_begin(&pair, a, b, &relative, 0.02f, &cache);
        cr_assert(tni_sat_cache_separates(&pair, &cache));
        cr_assert(glms_vec3_distance(narrow_cache_free(&cache), direction) < 2e-4f);
        // Centre on centre.
        relative.position = glms_vec3_sub(a->center, basis_mul(&relative.basis, b->center));
        tni_sat_begin(&pair, a, b, &relative, 0.02f, &cache);
        cr_assert_not(tni_sat_cache_separates(&pair, &cache));
    }
}

// Supports of hulls of more corners are found by climbing, not by a scan.
LONG_TEST(sat, faces_of_hulls_of_many_corners_are_as_good_as_a_full_search) {
    probe_random random = {30};
    vec3s points[220];
    for (uint32_t i = 0; i < 220; ++i) {
        points[i] = glms_vec3_scale(probe_direction(&random), 0.6f);
    }
    tni_hull *large;
    cr_assert_eq(tni_hull_build(&allocator, points, 220, &large), TN_RESULT_OK);
    cr_assert_gt(large->vertex_count, 128);
    for (int round = 0; round < long_test_count(200); ++round) {
        const tni_hull *other = round % 2 == 0 ? large : hulls[probe_below(&random, HULLS)];
        tni_relative relative = {basis_from_quat(probe_rotation(&random)),
                                 probe_vec(&random, 0.9f)};
        tni_manifold_cache cache = {0};
        tni_sat_pair pair;
        tni_sat_begin(&pair, large, other, &relative, FLT_MAX, &cache);
        tni_sat_face face_a = tni_sat_query_faces_of_a(&pair);
        tni_sat_face face_b = tni_sat_query_faces_of_b(&pair);
        cr_assert_float_eq(maths_max(face_a.separation, face_b.separation),
                           best_of_all_faces(&pair), 1e-5f);
    }
    tni_hull_destroy(&allocator, large);
}
