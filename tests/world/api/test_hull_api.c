// Hulls: built, read, shared, and how long they live.
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

static tn_hull_id make_cube_hull(void) {
    tn_vec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = (tn_vec3){i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
    }
    tn_result result = TN_RESULT_COUNT;
    tn_hull_id hull = tn_hull_create(world, corners, 8, &result);
    cr_assert(hull.value != 0 && result == TN_RESULT_OK);
    return hull;
}

Test(hull_api, a_hull_weighs_what_the_box_weighs) {
    tn_hull_id hull = make_cube_hull();
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id shape = tn_hull_shape_create(world, body, &def, hull);
    cr_assert(tn_shape_get_type(world, shape) == TN_SHAPE_TYPE_HULL);
    cr_assert(tn_hull_shape_get_hull(world, shape).value == hull.value);
    tn_mass mass = tn_body_get_mass(world, body);
    TEST_NEAR(mass.mass, 1000.0, 1e-3);
    TEST_NEAR(mass.inertia.xx, 1000.0 / 6.0, 1e-3);
    TEST_NEAR(mass.center.x, 0.0, 1e-6);
}

Test(hull_api, a_hull_gives_its_corners_and_triangles) {
    tn_hull_id hull = make_cube_hull();
    tn_vec3 corners[8];
    uint32_t indices[36];
    cr_assert(tn_hull_get_vertices(world, hull, NULL, 0) == 8);
    cr_assert(tn_hull_get_vertices(world, hull, corners, 8) == 8);
    cr_assert(tn_hull_get_triangles(world, hull, NULL, 0) == 36);
    indices[35] = 99;
    cr_assert(tn_hull_get_triangles(world, hull, indices, 35) == 36);
    cr_assert(indices[35] == 99);
    tn_hull_get_triangles(world, hull, indices, 36);
    double volume = 0.0;
    for (int i = 0; i < 36; i += 3) {
        cr_assert(indices[i] < 8 && indices[i + 1] < 8 && indices[i + 2] < 8);
        tn_vec3 a = corners[indices[i]], b = corners[indices[i + 1]], c = corners[indices[i + 2]];
        volume += (double)(a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
                           a.z * (b.x * c.y - b.y * c.x)) /
                  6.0;
    }
    // Counter-clockwise from outside, and nothing left out: the signed volume is the cube's.
    TEST_NEAR(volume, 1.0, 1e-6);
}

Test(hull_api, a_hull_given_back_lives_as_long_as_its_shapes) {
    tn_hull_id hull = make_cube_hull();
    uint64_t with_hull = tn_world_get_telemetry(world).bytes;
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 5.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id a = tn_hull_shape_create(world, body, &def, hull);
    tn_shape_id b = tn_hull_shape_create(world, body, &def, hull);
    tn_hull_destroy(world, hull);
    TEST_REPORTS(&reports, tn_hull_destroy(world, hull), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_hull_shape_create(world, body, &def, hull), TN_RESULT_INVALID_ID);
    test_step(world, 3);
    tn_shape_destroy(world, a);
    TEST_NEAR(tn_body_get_mass(world, body).mass, 1000.0, 1e-3);
    uint64_t before = tn_world_get_telemetry(world).bytes;
    tn_shape_destroy(world, b);
    cr_assert(tn_world_get_telemetry(world).bytes < before);
    TEST_REPORTS(&reports, tn_hull_get_vertices(world, hull, NULL, 0), TN_RESULT_INVALID_ID);
    cr_assert(with_hull > 0);
    // A hull nobody uses goes at once.
    hull = make_cube_hull();
    before = tn_world_get_telemetry(world).bytes;
    tn_hull_destroy(world, hull);
    cr_assert(tn_world_get_telemetry(world).bytes < before);
}

Test(hull_api, a_hull_given_back_can_be_read_while_a_shape_uses_it) {
    tn_hull_id hull = make_cube_hull();
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 5.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id shape = tn_hull_shape_create(world, body, &def, hull);
    tn_hull_destroy(world, hull);
    uint32_t count = reports.count;
    tn_hull_id seen = tn_hull_shape_get_hull(world, shape);
    cr_assert(seen.value == hull.value);
    tn_vec3 vertices[8];
    cr_assert(tn_hull_get_vertices(world, seen, vertices, 8) == 8);
    cr_assert(tn_hull_get_triangles(world, seen, NULL, 0) == 36);
    cr_assert(reports.count == count);
    tn_shape_destroy(world, shape);
    TEST_REPORTS(&reports, tn_hull_get_triangles(world, seen, NULL, 0), TN_RESULT_INVALID_ID);
}
