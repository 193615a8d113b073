// Shapes: their numbers, several on a body, hulls and how long they live.
#include "world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(shape, .init = setup, .fini = teardown);

static tn_hull_id make_cube_hull(void) {
    tn_vec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = (tn_vec3){i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f};
    }
    tn_result result = TN_RESULT_COUNT;
    tn_hull_id hull = tn_hull_create(world, corners, 8, &result);
    cr_assert(hull.value != 0 && result == TN_RESULT_OK);
    return hull;
}

Test(shape, tells_what_it_was_made_of) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    int tag;
    def.local_pose.position = (tn_vec3){1.0f, 2.0f, 3.0f};
    def.local_pose.rotation = (tn_quat){0.0f, 2.0f, 0.0f, 0.0f};
    def.density = 250.0f;
    def.material.friction = 0.3f;
    def.filter.group = -4;
    def.user_data = &tag;
    tn_shape_id sphere = tn_sphere_shape_create(world, body, &def, 0.25f);
    tn_shape_id capsule = tn_capsule_shape_create(world, body, &def, 1.0f, 0.5f);
    tn_shape_id box = tn_box_shape_create(world, body, &def, (tn_vec3){1.0f, 2.0f, 3.0f});
    tn_shape_id plane = tn_half_space_shape_create(world, body, &def);
    cr_assert(tn_shape_get_type(world, sphere) == TN_SHAPE_TYPE_SPHERE);
    cr_assert(tn_shape_get_type(world, capsule) == TN_SHAPE_TYPE_CAPSULE);
    cr_assert(tn_shape_get_type(world, box) == TN_SHAPE_TYPE_BOX);
    cr_assert(tn_shape_get_type(world, plane) == TN_SHAPE_TYPE_HALF_SPACE);
    cr_assert(tn_sphere_shape_get_radius(world, sphere) == 0.25f);
    cr_assert(tn_capsule_shape_get_half_length(world, capsule) == 1.0f);
    cr_assert(tn_capsule_shape_get_radius(world, capsule) == 0.5f);
    cr_assert(tn_box_shape_get_half_extents(world, box).y == 2.0f);
    tn_transform pose = tn_shape_get_local_pose(world, box);
    cr_assert(pose.position.z == 3.0f && pose.rotation.y == 1.0f);
    cr_assert(tn_shape_get_density(world, box) == 250.0f);
    cr_assert(tn_shape_get_material(world, box).friction == 0.3f);
    cr_assert(tn_shape_get_filter(world, box).group == -4);
    cr_assert(tn_shape_get_user_data(world, box) == &tag);
    tn_shape_set_user_data(world, box, NULL);
    cr_assert_null(tn_shape_get_user_data(world, box));
    cr_assert(tn_body_get_shapes(world, body, NULL, 0) == 4);
    cr_assert(reports.count == 0);
}

Test(shape, a_destroyed_shape_leaves_its_contacts_and_the_others) {
    test_floor_create(world);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id shapes[3];
    for (int i = 0; i < 3; ++i) {
        def.local_pose.position.x = 2.0f * (float)i;
        shapes[i] = tn_sphere_shape_create(world, body, &def, 0.5f);
    }
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 3);
    tn_shape_destroy(world, shapes[1]);
    cr_assert(tn_world_count_contacts(world) == 2);
    cr_assert(!tn_shape_is_valid(world, shapes[1]) && tn_shape_is_valid(world, shapes[0]));
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).end_count == 1);
    cr_assert(tn_world_get_events(world).ends[0].contact.value == 0);
    tn_shape_destroy(world, shapes[0]);
    tn_shape_destroy(world, shapes[2]);
    cr_assert(tn_body_get_shapes(world, body, NULL, 0) == 0);
    test_step(world, 60);
    cr_assert(tn_body_get_pose(world, body).position.y < 0.0);
}

// ---- hulls
// ---------------------------------------------------------------------------------------

Test(shape, a_hull_weighs_what_the_box_weighs) {
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

Test(shape, a_hull_gives_its_corners_and_triangles) {
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

Test(shape, a_hull_given_back_lives_as_long_as_its_shapes) {
    tn_hull_id hull = make_cube_hull();
    uint64_t with_hull = tn_world_get_telemetry(world).bytes;
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 5.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id a = tn_hull_shape_create(world, body, &def, hull);
    tn_shape_id b = tn_hull_shape_create(world, body, &def, hull);
    tn_hull_destroy(world, hull);
    TEST_REPORTS(&reports, tn_hull_destroy(world, hull), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_hull_shape_create(world, body, &def, hull), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_hull_get_vertices(world, hull, NULL, 0), TN_RESULT_INVALID_ID);
    cr_assert(tn_hull_shape_get_hull(world, a).value == 0);
    test_step(world, 3);
    tn_shape_destroy(world, a);
    TEST_NEAR(tn_body_get_mass(world, body).mass, 1000.0, 1e-3);
    uint64_t before = tn_world_get_telemetry(world).bytes;
    tn_shape_destroy(world, b);
    cr_assert(tn_world_get_telemetry(world).bytes < before);
    cr_assert(with_hull > 0);
    // A hull nobody uses goes at once.
    hull = make_cube_hull();
    before = tn_world_get_telemetry(world).bytes;
    tn_hull_destroy(world, hull);
    cr_assert(tn_world_get_telemetry(world).bytes < before);
}
