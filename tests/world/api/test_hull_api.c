// Hulls: built, read, shared by shapes and worlds, and how long they live. Those that threads share
// are in tests/threads/test_hulls.c.
#include <stdlib.h>

#include "tests/support/hull_make.h"
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(hull_api, .init = setup, .fini = teardown);

// Memory that counts its blocks, and fails at one.
typedef struct hull_memory {
    uint32_t blocks, taken, fails_at; // 0: at none
} hull_memory;

static void *hull_alloc(size_t size, size_t alignment, void *user_data) {
    hull_memory *memory = user_data;
    memory->taken += 1;
    if (memory->taken == memory->fails_at) {
        return NULL;
    }
    memory->blocks += 1;
    (void)alignment;
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void hull_free(void *block, size_t size, void *user_data) {
    (void)size;
    ((hull_memory *)user_data)->blocks -= 1;
    free(block);
}

static tn_hull_def cube_def(tn_vec3 corners[8]) {
    for (int i = 0; i < 8; ++i) {
        corners[i] = (tn_vec3){i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
    }
    tn_hull_def def = tn_hull_def_default();
    def.points = corners;
    def.point_count = 8;
    return def;
}

// Without `memory` it takes the C library's.
static tn_hull *make_cube_hull(hull_memory *memory) {
    tn_vec3 corners[8];
    tn_hull_def def = cube_def(corners);
    if (memory != NULL) {
        def.alloc = hull_alloc;
        def.free = hull_free;
        def.memory_user_data = memory;
    }
    tn_result result = TN_RESULT_COUNT;
    tn_hull *hull = tn_hull_create(&def, &result);
    cr_assert(hull != NULL && result == TN_RESULT_OK);
    return hull;
}

// ---- hulls --------------------------------------------------------------------------------------

Test(hull_api, a_hull_weighs_what_the_box_weighs) {
    tn_hull *hull = make_cube_hull(NULL);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id shape = tn_hull_shape_create(world, body, &def, hull);
    cr_assert(tn_shape_get_type(world, shape) == TN_SHAPE_TYPE_HULL);
    cr_assert(tn_hull_shape_get_hull(world, shape) == hull);
    tn_mass mass = tn_body_get_mass(world, body);
    TEST_NEAR(mass.mass, 1000.0, 1e-3);
    TEST_NEAR(mass.inertia.xx, 1000.0 / 6.0, 1e-3);
    TEST_NEAR(mass.center.x, 0.0, 1e-6);
    tn_hull_release(hull);
}

Test(hull_api, a_cube_has_twelve_triangles_wound_outward) {
    tn_hull *hull = make_cube_hull(NULL);
    tn_vec3 corners[8];
    uint32_t indices[36];
    cr_assert(tn_hull_get_vertices(hull, NULL, 0) == 8);
    cr_assert(tn_hull_get_vertices(hull, corners, 8) == 8);
    cr_assert(tn_hull_get_triangles(hull, NULL, 0) == 36);
    indices[35] = 77;
    cr_assert(tn_hull_get_triangles(hull, indices, 35) == 36);
    cr_assert(indices[35] == 77, "no more than the capacity");
    tn_hull_get_triangles(hull, indices, 36);
    for (int i = 0; i < 12; ++i) {
        tn_vec3 a = corners[indices[3 * i]], b = corners[indices[3 * i + 1]];
        tn_vec3 c = corners[indices[3 * i + 2]];
        double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
        double vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
        double outward = (uy * vz - uz * vy) * (a.x + b.x + c.x) +
                         (uz * vx - ux * vz) * (a.y + b.y + c.y) +
                         (ux * vy - uy * vx) * (a.z + b.z + c.z);
        cr_assert(outward > 0.0);
    }
    tn_hull_release(hull);
}

Test(hull_api, a_hull_tells_its_bounds_its_volume_and_its_size) {
    hull_memory memory = {0};
    tn_hull *hull = make_cube_hull(&memory);
    tn_bounds bounds = tn_hull_get_bounds(hull);
    cr_assert(bounds.lower.x == -0.5 && bounds.lower.z == -0.5 && bounds.upper.y == 0.5);
    TEST_NEAR((double)tn_hull_get_volume(hull), 1.0, 1e-6);
    cr_assert(tn_hull_get_byte_count(hull) > 8 * 12 && memory.blocks == 2);
    tn_hull_release(hull);
    cr_assert(memory.blocks == 0);
}

Test(hull_api, null_has_nothing) {
    tn_bounds bounds = tn_hull_get_bounds(NULL);
    tn_hull_retain(NULL);
    tn_hull_release(NULL);
    cr_assert(tn_hull_get_vertices(NULL, NULL, 0) == 0 && bounds.upper.x == 0.0);
    cr_assert(tn_hull_get_triangles(NULL, NULL, 0) == 0 && tn_hull_get_volume(NULL) == 0.0f);
    cr_assert(tn_hull_get_byte_count(NULL) == 0 && tn_hull_save(NULL, NULL, 0) == 0);
}

static void assert_refused(const tn_hull_def *def, tn_result want) {
    tn_result result = TN_RESULT_OK;
    cr_expect_null(tn_hull_create(def, &result));
    cr_expect(result == want, "%s for %s", tn_result_name(result), tn_result_name(want));
    cr_expect_null(tn_hull_create(def, NULL));
}

Test(hull_api, points_without_volume_or_too_many_are_refused) {
    tn_vec3 *points = calloc(65536, sizeof *points);
    for (int i = 0; i < 65536; ++i) {
        points[i] = (tn_vec3){(i % 256), (i / 256), 0.0};
    }
    tn_hull_def def = tn_hull_def_default();
    assert_refused(NULL, TN_RESULT_INVALID_ARGUMENT);
    def.point_count = 8;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    def.points = points;
    def.alloc = hull_alloc;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    def.alloc = NULL;
    assert_refused(&def, TN_RESULT_DEGENERATE_HULL);
    def.point_count = 3;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    def.point_count = 65536;
    assert_refused(&def, TN_RESULT_TOO_LARGE);
    def.point_count = 8;
    points[5].x = NAN;
    assert_refused(&def, TN_RESULT_NOT_FINITE);
    points[5].x = 2e9;
    assert_refused(&def, TN_RESULT_TOO_LARGE);
    for (int i = 0; i < 1000; ++i) {
        double y = 1.0 - 2.0 * (i + 0.5) / 1000.0, around = 2.399963 * i, r = sqrt(1.0 - y * y);
        points[i] = (tn_vec3){r * cos(around), y, r * sin(around)};
    }
    def.point_count = 1000;
    assert_refused(&def, TN_RESULT_TOO_LARGE);
    free(points);
}

Test(hull_api, a_hull_that_lacks_memory_leaves_none) {
    tn_vec3 corners[8];
    hull_memory memory = {0};
    tn_hull_def def = cube_def(corners);
    def.alloc = hull_alloc;
    def.free = hull_free;
    def.memory_user_data = &memory;
    tn_hull *hull = NULL;
    for (uint32_t k = 1; hull == NULL; ++k) {
        memory = (hull_memory){.fails_at = k};
        tn_result result = TN_RESULT_COUNT;
        hull = tn_hull_create(&def, &result);
        cr_assert(result == (hull != NULL ? TN_RESULT_OK : TN_RESULT_OUT_OF_MEMORY));
        cr_assert(hull != NULL || memory.blocks == 0);
        cr_assert(k < 50);
    }
    cr_assert(memory.taken > 3);
    tn_hull_release(hull);
    cr_assert(memory.blocks == 0);
}

// ---- users --------------------------------------------------------------------------------------

Test(hull_api, the_last_shape_frees_a_hull_that_was_released) {
    hull_memory memory = {0};
    tn_hull *hull = make_cube_hull(&memory);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 3.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id a = tn_hull_shape_create(world, body, &def, hull);
    tn_shape_id b = tn_hull_shape_create(world, body, &def, hull);
    tn_hull_release(hull);
    test_step(world, 5);
    tn_shape_destroy(world, a);
    test_step(world, 5);
    cr_assert(memory.blocks == 2 && tn_hull_get_triangles(hull, NULL, 0) == 36);
    tn_shape_destroy(world, b);
    cr_assert(memory.blocks == 0);
}

Test(hull_api, whoever_retains_a_hull_keeps_it) {
    hull_memory memory = {0};
    tn_hull *hull = make_cube_hull(&memory);
    tn_hull_retain(hull);
    tn_hull_release(hull);
    cr_assert(memory.blocks == 2 && tn_hull_get_vertices(hull, NULL, 0) == 8);
    tn_hull_release(hull);
    cr_assert(memory.blocks == 0);
}

Test(hull_api, a_shape_that_is_refused_uses_no_hull) {
    hull_memory memory = {0};
    tn_hull *hull = make_cube_hull(&memory);
    tn_shape_def def = tn_shape_def_default();
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 3.0, 0.0);
    TEST_REPORTS(&reports, tn_hull_shape_create(world, (tn_body_id){0}, &def, hull),
                 TN_RESULT_INVALID_ID);
    def.density = -1.0f;
    TEST_REPORTS(&reports, tn_hull_shape_create(world, body, &def, hull),
                 TN_RESULT_INVALID_ARGUMENT);
    tn_hull_release(hull);
    cr_assert(memory.blocks == 0);
}

Test(hull_api, a_shape_gives_back_the_hull_that_another_replaces) {
    hull_memory first = {0}, second = {0};
    tn_hull *a = make_cube_hull(&first), *b = make_cube_hull(&second);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 3.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id shape = tn_hull_shape_create(world, body, &def, a);
    tn_hull_release(a);
    tn_shape_set_rounding(world, shape, 0.1f);
    cr_assert(tn_hull_shape_set_hull(world, shape, b) == TN_RESULT_OK);
    cr_assert(first.blocks == 0 && tn_hull_shape_get_hull(world, shape) == b);
    cr_assert(tn_hull_shape_set_hull(world, shape, b) == TN_RESULT_OK); // changes nothing
    tn_hull_release(b);
    cr_assert(second.blocks == 2);
    tn_body_destroy(world, body);
    cr_assert(second.blocks == 0);
}

Test(hull_api, a_hull_outlives_the_worlds_that_share_it) {
    hull_memory memory = {0};
    tn_hull *hull = make_cube_hull(&memory);
    tn_shape_def def = tn_shape_def_default();
    tn_world *worlds[2] = {tn_world_create(NULL, NULL), tn_world_create(NULL, NULL)};
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        test_floor_create(worlds[i]);
        tn_body_id body = test_body_create(worlds[i], TN_BODY_TYPE_DYNAMIC, 0.0, 2.0, 0.0);
        cr_assert(tn_hull_shape_create(worlds[i], body, &def, hull).value != 0);
        test_step(worlds[i], 60);
        hashes[i] = tn_world_get_hash(worlds[i]);
    }
    cr_assert(hashes[0] == hashes[1]);
    tn_world_destroy(worlds[0]);
    tn_hull_release(hull);
    test_step(worlds[1], 60);
    cr_assert(memory.blocks == 2);
    tn_world_destroy(worlds[1]);
    cr_assert(memory.blocks == 0);
}

Test(hull_api, a_probe_is_no_user) {
    hull_memory memory = {0};
    tn_hull *hull = make_cube_hull(&memory);
    test_floor_create(world);
    tn_pose pose = {{0.0, 2.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    tn_probe probe = tn_hull_probe_make(pose, hull);
    probe.translation.y = -3.0;
    tn_probe_hit hit;
    cr_assert(tn_world_cast_probe(world, &probe, &hit));
    TEST_NEAR(hit.fraction, 0.5, 1e-4);
    tn_hull_release(hull);
    cr_assert(memory.blocks == 0);
}
