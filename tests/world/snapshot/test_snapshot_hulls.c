// The hulls of shapes go into a snapshot, and come out of it where a world has none that is equal.
#include <stdlib.h>

#include "tests/support/hull_make.h"
#include "tests/world/world_test.h"

TestSuite(snapshot_hulls, .timeout = 120);

#define STONES 40

typedef struct hulls_bytes {
    unsigned char *bytes;
    uint64_t size;
} hulls_bytes;

static hulls_bytes take(const tn_world *world) {
    hulls_bytes taken = {.size = tn_world_save(world, NULL, 0)};
    taken.bytes = malloc((size_t)taken.size);
    cr_assert(tn_world_save(world, taken.bytes, taken.size) == taken.size);
    return taken;
}

static void load(tn_world *world, const hulls_bytes *taken, tn_result want) {
    tn_result result = tn_world_load(world, taken->bytes, taken->size);
    cr_assert(result == want, "%s, not %s", tn_result_name(result), tn_result_name(want));
}

static void assert_same(const tn_world *world, const hulls_bytes *taken) {
    hulls_bytes now = take(world);
    cr_assert(now.size == taken->size && memcmp(now.bytes, taken->bytes, (size_t)now.size) == 0);
    free(now.bytes);
}

// A stone of a size and a number of sides.
static tn_hull *make_stone_hull(int sides, double size) {
    tn_vec3 points[32];
    for (int i = 0; i < 2 * sides; ++i) {
        double angle = 2.0 * M_PI * (i / 2) / sides, up = i % 2 == 0 ? 0.4 : -0.5;
        points[i] = (tn_vec3){size * cos(angle), size * up, size * sin(angle)};
    }
    tn_hull *hull = hull_make(points, (uint32_t)(2 * sides));
    cr_assert_not_null(hull);
    return hull;
}

static tn_body_id add_stone(tn_world *world, tn_hull *hull, int i) {
    tn_body_id body =
        test_body_create(world, TN_BODY_TYPE_DYNAMIC, 1.3 * (i % 4), 0.7 + 1.2 * (i / 4), 0.1 * i);
    tn_shape_def def = tn_shape_def_default();
    cr_assert(tn_hull_shape_create(world, body, &def, hull).value != 0);
    return body;
}

// A world of stones of `kinds` different hulls.
static tn_world *make_stones(tn_body_id bodies[STONES], int kinds, const tn_world_def *def) {
    tn_world *world = tn_world_create(def, NULL);
    test_floor_create(world);
    tn_hull *hulls[STONES];
    for (int i = 0; i < kinds; ++i) {
        hulls[i] = make_stone_hull(3 + i % 6, 0.5 + 0.01 * i);
    }
    for (int i = 0; i < STONES; ++i) {
        bodies[i] = add_stone(world, hulls[i % kinds], i);
    }
    for (int i = 0; i < kinds; ++i) {
        tn_hull_release(hulls[i]);
    }
    return world;
}

static tn_hull *get_hull(const tn_world *world, tn_body_id body) {
    return tn_hull_shape_get_hull(world, test_first_shape(world, body));
}

Test(snapshot_hulls, are_made_in_a_world_that_never_had_them) {
    for (int kinds = 1; kinds <= STONES; kinds += 13) { // more than are looked back for, too
        tn_body_id bodies[STONES];
        tn_world *world = make_stones(bodies, kinds, NULL), *other = tn_world_create(NULL, NULL);
        test_step(world, 60);
        hulls_bytes taken = take(world);
        test_step(world, 120);
        uint64_t hash = tn_world_get_hash(world);
        load(other, &taken, TN_RESULT_OK);
        assert_same(other, &taken);
        tn_world_destroy(world);
        test_step(other, 120);
        cr_assert(tn_world_get_hash(other) == hash, "%d kinds", kinds);
        if (kinds == 1) {
            cr_assert(get_hull(other, bodies[0]) == get_hull(other, bodies[STONES - 1]));
        }
        free(taken.bytes);
        tn_world_destroy(other);
    }
}

Test(snapshot_hulls, stand_once_in_the_bytes_whatever_number_of_shapes_have_an_equal_one) {
    tn_body_id bodies[STONES];
    tn_world *shared = make_stones(bodies, 1, NULL), *apart = make_stones(bodies, 1, NULL);
    for (int i = 0; i < STONES; ++i) {
        tn_hull *equal = make_stone_hull(3, 0.5);
        tn_hull_shape_set_hull(apart, test_first_shape(apart, bodies[i]), equal);
        tn_hull_release(equal);
        tn_shape_set_enabled(shared, test_first_shape(shared, bodies[i]), true);
    }
    uint64_t size = tn_world_save(apart, NULL, 0);
    cr_assert(size == tn_world_save(shared, NULL, 0));
    tn_world_destroy(shared);
    tn_world_destroy(apart);
}

Test(snapshot_hulls, stay_those_that_shapes_have_if_they_are_equal) {
    tn_body_id bodies[STONES];
    tn_world *world = make_stones(bodies, 2, NULL);
    tn_hull *before[STONES], *equal = make_stone_hull(3, 0.5);
    tn_hull_shape_set_hull(world, test_first_shape(world, bodies[4]), equal);
    tn_hull_release(equal);
    for (int i = 0; i < STONES; ++i) {
        before[i] = get_hull(world, bodies[i]);
    }
    hulls_bytes taken = take(world);
    test_step(world, 10);
    tn_body_destroy(world, bodies[6]); // it comes back with the hull of the others
    tn_hull *larger = make_stone_hull(3, 0.8);
    tn_hull_shape_set_hull(world, test_first_shape(world, bodies[8]), larger);
    load(world, &taken, TN_RESULT_OK);
    for (int i = 0; i < STONES; ++i) {
        cr_assert(get_hull(world, bodies[i]) == before[i], "stone %d", i);
    }
    assert_same(world, &taken);
    tn_hull_release(larger);
    free(taken.bytes);
    tn_world_destroy(world);
}

// Handles are given anew after a load, so that a handle may name a ball in one snapshot and a stone
// in another.
Test(snapshot_hulls, come_and_go_with_shapes_of_other_types_under_the_same_handle) {
    tn_world *world = tn_world_create(NULL, NULL);
    test_floor_create(world);
    hulls_bytes empty = take(world);
    tn_hull *hull = make_stone_hull(5, 0.5);
    tn_body_id stone = add_stone(world, hull, 0);
    tn_hull_release(hull);
    tn_shape_id stone_shape = test_first_shape(world, stone);
    hulls_bytes with_stone = take(world);
    load(world, &empty, TN_RESULT_OK);
    tn_body_id ball = test_ball_create(world, 0.0, 2.0, 0.0, 0.5f);
    cr_assert(test_first_shape(world, ball).value == stone_shape.value);
    hulls_bytes with_ball = take(world);
    for (int i = 0; i < 3; ++i) {
        load(world, &with_stone, TN_RESULT_OK);
        assert_same(world, &with_stone);
        cr_assert(tn_shape_get_type(world, stone_shape) == TN_SHAPE_TYPE_HULL);
        test_step(world, 30);
        load(world, &with_ball, TN_RESULT_OK);
        assert_same(world, &with_ball);
        cr_assert(tn_shape_get_type(world, stone_shape) == TN_SHAPE_TYPE_SPHERE);
        test_step(world, 30);
    }
    load(world, &empty, TN_RESULT_OK);
    free(empty.bytes);
    free(with_stone.bytes);
    free(with_ball.bytes);
    tn_world_destroy(world);
}

// A square of two triangles, counter-clockwise from above.
static tn_mesh *make_square(void) {
    static const float places[12] = {-9, 0, -9, -9, 0, 9, 9, 0, -9, 9, 0, 9};
    static const uint32_t corners[6] = {0, 1, 2, 2, 1, 3};
    tn_mesh_def def = tn_mesh_def_default();
    def.positions = places;
    def.position_count = 4;
    def.indices = corners;
    def.triangle_count = 2;
    return tn_mesh_create(&def, NULL);
}

// The same with a triangle of a mesh, which takes a handle of shapes while something is near.
Test(snapshot_hulls, come_and_go_with_triangles_under_the_same_handle) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id ground = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_mesh *mesh = make_square();
    tn_mesh_shape_create(world, ground, &def, mesh, NULL, 0);
    tn_mesh_release(mesh);
    test_ball_create(world, 0.2, 0.45, 0.1, 0.5f);
    hulls_bytes before = take(world);
    test_step(world, 5); // the ball touches triangles
    hulls_bytes with_triangles = take(world);
    load(world, &before, TN_RESULT_OK);
    tn_hull *hull = make_stone_hull(5, 0.5);
    for (int i = 0; i < 4; ++i) {
        add_stone(world, hull, 8 + i);
    }
    hulls_bytes with_stones = take(world);
    for (int i = 0; i < 3; ++i) {
        load(world, &with_triangles, TN_RESULT_OK);
        assert_same(world, &with_triangles);
        test_step(world, 10);
        load(world, &with_stones, TN_RESULT_OK);
        assert_same(world, &with_stones);
        test_step(world, 10);
    }
    tn_hull_release(hull);
    free(before.bytes);
    free(with_triangles.bytes);
    free(with_stones.bytes);
    tn_world_destroy(world);
}

Test(snapshot_hulls, of_an_affine_body_must_be_there) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_hull *small = make_stone_hull(3, 0.5), *large = make_stone_hull(8, 0.6);
    tn_body_id body = add_stone(world, small, 0);
    tn_affine_def def = tn_affine_def_default();
    def.body = body;
    cr_assert(tn_affine_create(world, &def).value != 0);
    tn_shape_id shape = test_first_shape(world, body);
    hulls_bytes taken = take(world);
    cr_assert(tn_hull_shape_set_hull(world, shape, large) == TN_RESULT_OK);
    test_step(world, 3);
    load(world, &taken, TN_RESULT_UNKNOWN_OBJECT); // it deforms a copy of the large one
    test_step(world, 3);
    cr_assert(tn_hull_shape_set_hull(world, shape, small) == TN_RESULT_OK);
    load(world, &taken, TN_RESULT_OK);
    assert_same(world, &taken);
    tn_hull_release(small);
    tn_hull_release(large);
    free(taken.bytes);
    tn_world_destroy(world);
}

// ---- memory -------------------------------------------------------------------------------------

// Memory that counts its blocks, and fails at one.
typedef struct hulls_memory {
    uint32_t blocks, taken, fails_at; // 0: at none
} hulls_memory;

static void *scarce_alloc(size_t size, size_t alignment, void *user_data) {
    hulls_memory *memory = user_data;
    (void)alignment;
    memory->taken += 1;
    if (memory->taken == memory->fails_at) {
        return NULL;
    }
    memory->blocks += 1;
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void scarce_free(void *block, size_t size, void *user_data) {
    (void)size;
    ((hulls_memory *)user_data)->blocks -= 1;
    free(block);
}

Test(snapshot_hulls, without_memory_for_them_the_world_is_as_it_was) {
    tn_body_id bodies[STONES];
    tn_world *large = make_stones(bodies, STONES, NULL);
    test_step(large, 10);
    hulls_bytes taken = take(large);
    hulls_memory memory = {0};
    tn_world_def def = tn_world_def_default();
    def.alloc = scarce_alloc;
    def.free = scarce_free;
    def.memory_user_data = &memory;
    tn_result result = TN_RESULT_OUT_OF_MEMORY;
    uint32_t failures = 0;
    while (result != TN_RESULT_OK) {
        tn_world *world = tn_world_create(&def, NULL);
        hulls_bytes before = take(world);
        memory.taken = 0;
        memory.fails_at = failures + 1;
        result = tn_world_load(world, taken.bytes, taken.size);
        memory.fails_at = 0;
        cr_assert(result == TN_RESULT_OK || result == TN_RESULT_OUT_OF_MEMORY);
        assert_same(world, result == TN_RESULT_OK ? &taken : &before);
        failures += result == TN_RESULT_OK ? 0 : 1;
        tn_world_destroy(world);
        cr_assert(memory.blocks == 0);
        free(before.bytes);
    }
    cr_assert(failures > 3 * STONES);
    free(taken.bytes);
    tn_world_destroy(large);
}

Test(snapshot_hulls, that_a_load_made_outlive_the_world_while_somebody_keeps_them) {
    tn_body_id bodies[STONES];
    tn_world *world = make_stones(bodies, 1, NULL);
    hulls_bytes taken = take(world);
    tn_world_destroy(world);
    hulls_memory memory = {0};
    tn_world_def def = tn_world_def_default();
    def.alloc = scarce_alloc;
    def.free = scarce_free;
    def.memory_user_data = &memory;
    world = tn_world_create(&def, NULL);
    load(world, &taken, TN_RESULT_OK);
    tn_hull *hull = get_hull(world, bodies[0]);
    tn_hull_retain(hull);
    tn_world_destroy(world);
    cr_assert(memory.blocks == 2 && tn_hull_get_vertices(hull, NULL, 0) == 6);
    tn_hull_release(hull);
    cr_assert(memory.blocks == 0);
    free(taken.bytes);
}
