// Triangle meshes as users make and read them, and the shapes made from them.
#include <stdlib.h>

#include "tests/world/world_test.h"

TestSuite(mesh_api, .timeout = 60);

// A square of two triangles, counter-clockwise from above.
static const float square[12] = {-2, 0, -2, -2, 0, 2, 2, 0, -2, 2, 0, 2};
static const uint32_t square_corners[6] = {0, 1, 2, 2, 1, 3};

static tn_mesh_def square_def(void) {
    tn_mesh_def def = tn_mesh_def_default();
    def.positions = square;
    def.position_count = 4;
    def.indices = square_corners;
    def.triangle_count = 2;
    return def;
}

static tn_mesh *make_square(void) {
    tn_mesh_def def = square_def();
    tn_mesh *mesh = tn_mesh_create(&def, NULL);
    cr_assert_not_null(mesh);
    return mesh;
}

static void assert_refused(const tn_mesh_def *def, tn_result want) {
    tn_result result = TN_RESULT_OK;
    cr_expect_null(tn_mesh_create(def, &result));
    cr_expect(result == want, "%s for %s", tn_result_name(result), tn_result_name(want));
}

// ---- meshes -----------------------------------------------------------------------------------

Test(mesh_api, bad_geometry_is_refused) {
    tn_mesh_def def = square_def();
    float bad[12];
    uint32_t corners[6];
    memcpy(bad, square, sizeof bad);
    memcpy(corners, square_corners, sizeof corners);
    assert_refused(NULL, TN_RESULT_INVALID_ARGUMENT);
    def.positions = NULL;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    def.positions = bad;
    def.triangle_count = 0;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    def.triangle_count = 2;
    bad[4] = NAN;
    assert_refused(&def, TN_RESULT_NOT_FINITE);
    bad[4] = 1e12f;
    assert_refused(&def, TN_RESULT_TOO_LARGE);
    def.positions = square;
    def.indices = corners;
    corners[4] = 4;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    const uint32_t flat[6] = {0, 1, 1, 2, 2, 2};
    def.indices = flat;
    assert_refused(&def, TN_RESULT_DEGENERATE_MESH);
    def = square_def();
    def.triangle_count = 1u << 29;
    assert_refused(&def, TN_RESULT_TOO_LARGE);
}

Test(mesh_api, a_mesh_is_read) {
    tn_mesh *mesh = make_square();
    tn_vec3 corners[3];
    tn_bounds bounds = tn_mesh_get_bounds(mesh);
    tn_mesh_get_triangle(mesh, 1, corners);
    cr_expect(tn_mesh_get_triangle_count(mesh) == 2 && tn_mesh_get_position_count(mesh) == 4);
    cr_expect(corners[2].x == 2.0 && corners[2].z == 2.0);
    cr_expect(bounds.lower.x == -2.0 && bounds.upper.z == 2.0 && bounds.upper.y == 0.0);
    cr_expect(tn_mesh_get_byte_count(mesh) > 100 && tn_mesh_get_volume(mesh) == 0.0f);
    tn_mesh_get_triangle(mesh, 2, corners);
    cr_expect(corners[0].x == 0.0 && corners[2].z == 0.0);
    tn_mesh_retain(mesh);
    tn_mesh_release(mesh);
    tn_mesh_release(mesh);
    tn_mesh_release(NULL);
    cr_expect(tn_mesh_get_triangle_count(NULL) == 0 && tn_mesh_get_byte_count(NULL) == 0);
}

static bool count_progress(float fraction, void *user_data) {
    uint32_t *count = user_data;
    cr_assert(fraction > 0.0f && fraction <= 1.0f);
    *count += 1;
    return *count < 2;
}

// A hilly ground of 2 * SIDE * SIDE triangles, whose arrays the caller frees.
enum {
    SIDE = 300,
    COUNT = 2 * SIDE * SIDE
};

static tn_mesh_def hilly_def(void) {
    float *points = malloc(3 * (SIDE + 1) * (SIDE + 1) * sizeof *points);
    uint32_t *corners = malloc(3 * COUNT * sizeof *corners);
    for (uint32_t i = 0; i < (SIDE + 1) * (SIDE + 1); ++i) {
        points[3 * i] = (float)(i % (SIDE + 1));
        points[3 * i + 2] = (float)(i / (SIDE + 1));
        points[3 * i + 1] = sinf(0.1f * points[3 * i]) * points[3 * i + 2];
    }
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        uint32_t a = i / SIDE * (SIDE + 1) + i % SIDE, b = a + 1, c = a + SIDE + 1, d = c + 1;
        const uint32_t two[6] = {a, c, b, b, c, d};
        memcpy(corners + 6 * i, two, sizeof two);
    }
    tn_mesh_def def = tn_mesh_def_default();
    def.positions = points;
    def.position_count = (SIDE + 1) * (SIDE + 1);
    def.indices = corners;
    def.triangle_count = COUNT;
    return def;
}

static void free_def(const tn_mesh_def *def) {
    free((void *)def->positions);
    free((void *)def->indices);
}

Test(mesh_api, progress_is_told_and_may_cancel) {
    tn_mesh_def def = hilly_def();
    def.progress = count_progress;
    for (uint32_t workers = 1; workers <= 2; ++workers) {
        uint32_t count = 0;
        def.worker_count = workers;
        def.progress_user_data = &count;
        assert_refused(&def, TN_RESULT_CANCELLED);
        cr_expect(count == 2);
    }
    free_def(&def);
}

// Runs a loop backwards, in odd pieces.
static void *run_backwards(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                           void *user_data) {
    uint32_t size = min_range > 7 ? min_range : 7;
    for (uint32_t end = count; end > 0;) {
        uint32_t begin = end >= 2 * size ? end - size : 0;
        task(begin, end, 0, context);
        end = begin;
    }
    *(uint32_t *)user_data += 1;
    return NULL;
}

static void finish_nothing(void *task, void *user_data) {
    (void)task;
    (void)user_data;
}

static void assert_same_mesh(const tn_mesh_def *def, const unsigned char *bytes, uint64_t size) {
    tn_mesh *mesh = tn_mesh_create(def, NULL);
    unsigned char *own = malloc((size_t)size);
    cr_assert(tn_mesh_save(mesh, own, size) == size);
    cr_expect(memcmp(own, bytes, (size_t)size) == 0);
    free(own);
    tn_mesh_release(mesh);
}

Test(mesh_api, any_number_of_workers_makes_the_same_mesh) {
    tn_mesh_def def = hilly_def();
    tn_mesh *mesh = tn_mesh_create(&def, NULL);
    uint64_t size = tn_mesh_save(mesh, NULL, 0);
    unsigned char *bytes = malloc((size_t)size);
    tn_mesh_save(mesh, bytes, size);
    for (uint32_t workers = 2; workers <= 5; ++workers) {
        def.worker_count = workers;
        assert_same_mesh(&def, bytes, size);
    }
    uint32_t loops = 0;
    def.enqueue = run_backwards;
    def.finish = finish_nothing;
    def.task_user_data = &loops;
    assert_same_mesh(&def, bytes, size);
    cr_expect(loops > 3, "%u", loops);
    def.finish = NULL;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    def.enqueue = NULL;
    def.worker_count = 65;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    tn_mesh_release(mesh);
    free(bytes);
    free_def(&def);
}

// ---- shapes -----------------------------------------------------------------------------------

Test(mesh_api, bad_shapes_are_refused) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_mesh *mesh = make_square();
    tn_shape_def def = tn_shape_def_default();
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    cr_expect(tn_mesh_shape_create(world, floor, &def, NULL, NULL, 0).value == 0);
    cr_expect(reports.last == TN_RESULT_INVALID_ARGUMENT);
    cr_expect(tn_mesh_shape_create(world, floor, NULL, mesh, NULL, 0).value == 0);
    cr_expect(reports.last == TN_RESULT_INVALID_ARGUMENT);
    cr_expect(tn_mesh_shape_create(world, floor, &def, mesh, NULL, 1).value == 0);
    cr_expect(reports.last == TN_RESULT_INVALID_ARGUMENT);
    cr_expect(tn_mesh_shape_create(world, body, &def, mesh, NULL, 0).value == 0);
    cr_expect(reports.last == TN_RESULT_INVALID_MASS);
    tn_material wrong = tn_material_default();
    wrong.friction = -1.0f;
    cr_expect(tn_mesh_shape_create(world, floor, &def, mesh, &wrong, 1).value == 0);
    cr_expect(reports.last == TN_RESULT_INVALID_ARGUMENT);
    tn_shape_id ball = tn_sphere_shape_create(world, body, &def, 0.5f);
    cr_expect_null(tn_mesh_shape_get_mesh(world, ball));
    cr_expect(reports.last == TN_RESULT_WRONG_TYPE);
    uint32_t count = reports.count;
    tn_shape_id shape = tn_mesh_shape_create(world, floor, &def, mesh, NULL, 0);
    cr_expect(tn_shape_get_type(world, shape) == TN_SHAPE_TYPE_MESH && reports.count == count);
    tn_mesh_release(mesh);
    tn_world_destroy(world);
}

// A box on the first of two triangles, whose materials differ.
Test(mesh_api, each_triangle_has_its_material) {
    const uint16_t places[2] = {1, 0};
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_mesh_def mesh_def = square_def();
    mesh_def.materials = places;
    tn_mesh *mesh = tn_mesh_create(&mesh_def, NULL);
    tn_material materials[2] = {tn_material_default(), tn_material_default()};
    materials[0].friction = 0.16f;
    materials[1].friction = 0.36f;
    tn_shape_def def = tn_shape_def_default();
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    cr_expect(tn_mesh_shape_create(world, floor, &def, mesh, materials, 1).value == 0);
    cr_expect(reports.last == TN_RESULT_INVALID_ARGUMENT);
    tn_shape_id shape = tn_mesh_shape_create(world, floor, &def, mesh, materials, 2);
    tn_mesh_release(mesh);
    def.material.friction = 1.0f;
    tn_body_id bodies[2];
    for (int i = 0; i < 2; ++i) {
        double side = i == 0 ? -1.0 : 1.0;
        bodies[i] = test_body_create(world, TN_BODY_TYPE_DYNAMIC, side, 0.2, side);
        tn_box_shape_create(world, bodies[i], &def, (tn_vec3){0.2, 0.2, 0.2});
    }
    for (int i = 0; i < 20; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    for (int i = 0; i < 2; ++i) {
        tn_contact_id ids[16];
        uint32_t count = tn_body_get_contacts(world, bodies[i], ids, 16);
        tn_contact contact = {0};
        for (uint32_t k = 0; k < count && contact.point_count == 0; ++k) {
            contact = tn_contact_get(world, ids[k]);
        }
        cr_assert(contact.point_count > 0);
        bool is_a = contact.shape_a.value == shape.value;
        cr_expect(is_a || contact.shape_b.value == shape.value);
        cr_expect((is_a ? contact.child_a : contact.child_b) == (uint32_t)i);
        cr_expect((is_a ? contact.child_b : contact.child_a) == 0);
        double want = i == 0 ? 0.6 : 0.4;
        cr_expect(fabs((double)contact.friction - want) < 1e-6, "%g", (double)contact.friction);
    }
    tn_world_destroy(world);
}

Test(mesh_api, rays_meet_the_front) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_mesh *mesh = make_square();
    tn_body_def body = tn_body_def_default();
    body.type = TN_BODY_TYPE_STATIC;
    body.pose = (tn_pose){{1.0, 2.0, 3.0}, {0.0, 0.0, sqrt(0.5), sqrt(0.5)}}; // y becomes -x
    tn_body_id wall = tn_body_create(world, &body);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id shape = tn_mesh_shape_create(world, wall, &def, mesh, NULL, 0);
    tn_mesh_release(mesh);
    tn_ray ray = tn_ray_make((tn_vec3){-1.0, 2.5, 3.2}, (tn_vec3){4.0, 0.0, 0.0});
    tn_ray_hit hit;
    cr_assert(tn_world_cast_ray(world, &ray, &hit));
    cr_expect(hit.shape.value == shape.value && fabs(hit.fraction - 0.5) < 1e-9);
    cr_expect(fabs(hit.normal.x + 1.0) < 1e-9);
    ray = tn_ray_make((tn_vec3){3.0, 2.5, 3.2}, (tn_vec3){-4.0, 0.0, 0.0});
    cr_expect(!tn_world_cast_ray(world, &ray, &hit), "it meets the back");
    tn_bounds box = {{0.5, 1.0, 2.0}, {1.5, 2.0, 3.0}};
    tn_shape_id found;
    cr_expect(tn_world_find_shapes(world, box, NULL, &found, 1) == 1 && found.value == shape.value);
    test_world_destroy_quiet(world, &reports);
}

// Whatever number is tried, none leads to the shape of a triangle.
Test(mesh_api, no_handle_leads_to_a_triangle) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_mesh *mesh = make_square();
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_mesh_shape_create(world, floor, &def, mesh, NULL, 0);
    tn_mesh_release(mesh);
    test_ball_create(world, 0.0, 0.3, 0.0, 0.3f);
    tn_world_step(world, 1.0 / 60.0, 4);
    uint32_t valid = 0;
    for (uint32_t generation = 1; generation < 1024; ++generation) {
        for (uint32_t index = 0; index < 16; ++index) {
            valid += tn_shape_is_valid(world, (tn_shape_id){generation << 22 | index});
        }
    }
    cr_expect(valid == 2, "%u shapes", valid);
    cr_expect(tn_body_get_shapes(world, floor, NULL, 0) == 1);
    test_world_destroy_quiet(world, &reports);
}

// ---- memory -----------------------------------------------------------------------------------

typedef struct scarce_memory {
    uint64_t count, fail_at;
    int64_t bytes;
} scarce_memory;

static void *scarce_alloc(size_t size, size_t alignment, void *user_data) {
    scarce_memory *memory = user_data;
    memory->count += 1;
    if (memory->count == memory->fail_at) {
        return NULL;
    }
    memory->bytes += (int64_t)size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void scarce_free(void *block, size_t size, void *user_data) {
    ((scarce_memory *)user_data)->bytes -= (int64_t)size;
    free(block);
}

Test(mesh_api, a_mesh_that_lacks_memory_leaves_none) {
    uint64_t n = 1;
    for (bool goes_on = true; goes_on; ++n) {
        scarce_memory memory = {.fail_at = n};
        tn_mesh_def def = square_def();
        def.alloc = scarce_alloc;
        def.free = scarce_free;
        def.memory_user_data = &memory;
        tn_result result;
        tn_mesh *mesh = tn_mesh_create(&def, &result);
        goes_on = mesh == NULL;
        cr_assert(result == (mesh ? TN_RESULT_OK : TN_RESULT_OUT_OF_MEMORY));
        tn_mesh_release(mesh);
        cr_assert(memory.bytes == 0);
    }
    cr_expect(n > 10, "%u", (unsigned)n);
}

static void run_scarce(tn_world *world, tn_mesh *mesh) {
    tn_shape_def def = tn_shape_def_default();
    tn_material material = tn_material_default();
    tn_body_def body_def = tn_body_def_default();
    body_def.type = TN_BODY_TYPE_KINEMATIC;
    body_def.velocity.linear.y = 0.5;
    tn_body_id lift = tn_body_create(world, &body_def);
    tn_shape_id shape = tn_mesh_shape_create(world, lift, &def, mesh, &material, 1);
    body_def = tn_body_def_default();
    for (int i = 0; i < 12; ++i) {
        body_def.pose.position = (tn_vec3){0.5 * (i % 4) - 0.7, 0.4 + 0.5 * (i / 4), 0.1 * i};
        tn_body_id body = tn_body_create(world, &body_def);
        tn_box_shape_create(world, body, &def, (tn_vec3){0.2, 0.2, 0.2});
    }
    for (int i = 0; i < 30; ++i) {
        tn_world_step(world, 1.0 / 60.0, 2);
    }
    tn_shape_destroy(world, shape);
    tn_world_step(world, 1.0 / 60.0, 2);
}

Test(mesh_api, a_world_that_lacks_memory_stays_valid) {
    tn_mesh *mesh = make_square();
    for (uint64_t n = 1, last = n; n <= last; ++n) {
        scarce_memory memory = {.fail_at = n};
        tn_world_def def = tn_world_def_default();
        def.alloc = scarce_alloc;
        def.free = scarce_free;
        def.memory_user_data = &memory;
        tn_world *world = tn_world_create(&def, NULL);
        if (world != NULL) {
            run_scarce(world, mesh);
            run_scarce(world, mesh);
            last = memory.count;
            tn_world_destroy(world);
        } else {
            last = n + 1;
        }
        cr_assert(memory.bytes == 0, "%lld bytes after failure %llu", (long long)memory.bytes,
                  (unsigned long long)n);
    }
    tn_mesh_release(mesh);
}
