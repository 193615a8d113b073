// Height fields as users make and read them, and what moves over them.
#include <string.h>

#include "tests/world/world_test.h"

TestSuite(height_field_api, .timeout = 60);

enum {
    SIDE = 41
};

static tn_height_field_def flat_def(const float heights[SIDE * SIDE]) {
    tn_height_field_def def = tn_height_field_def_default();
    def.heights = heights;
    def.columns = def.rows = SIDE;
    def.spacing_x = def.spacing_z = 0.5f;
    return def;
}

static void assert_refused(const tn_height_field_def *def, tn_result want) {
    tn_result result = TN_RESULT_OK;
    cr_expect_null(tn_height_field_create(def, &result));
    cr_expect(result == want, "%s for %s", tn_result_name(result), tn_result_name(want));
}

Test(height_field_api, what_it_was_made_from_can_be_read) {
    const float heights[6] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f};
    const uint8_t holes[2] = {0, 1};
    const uint16_t materials[2] = {7, 0};
    tn_height_field_def given = {.heights = heights,
                                 .holes = holes,
                                 .materials = materials,
                                 .columns = 3,
                                 .rows = 2,
                                 .spacing_x = 0.5f,
                                 .spacing_z = 2.0f};
    tn_height_field *field = tn_height_field_create(&given, NULL);
    tn_height_field_def def = tn_height_field_get_def(field);
    cr_expect(def.columns == 3 && def.rows == 2);
    cr_expect(def.spacing_x == 0.5f && def.spacing_z == 2.0f);
    cr_expect(memcmp(def.heights, heights, sizeof heights) == 0 && def.heights != heights);
    cr_expect(def.holes[0] == 0 && def.holes[1] != 0 && def.materials[0] == 7);

    cr_expect_eq(tn_height_field_get_triangle_count(field), 4);
    tn_vec3 corners[3] = {{9, 9, 9}, {9, 9, 9}, {9, 9, 9}};
    tn_height_field_get_triangle(field, 1, corners); // from above: counter-clockwise
    double across = (corners[1].z - corners[0].z) * (corners[2].x - corners[0].x) -
                    (corners[1].x - corners[0].x) * (corners[2].z - corners[0].z);
    TEST_NEAR(across, 1.0, 1e-12);
    for (int i = 0; i < 3; ++i) {
        TEST_NEAR(corners[i].y, 2.0 * corners[i].x + 1.5 * corners[i].z, 1e-12);
    }
    for (uint32_t i = 2; i < 5; ++i) { // of the hole, and one too many
        tn_height_field_get_triangle(field, i, corners);
        cr_expect(corners[0].x == 0.0 && corners[1].y == 0.0 && corners[2].z == 0.0);
    }
    tn_height_field_release(field);
    cr_expect_eq(tn_height_field_get_triangle_count(NULL), 0);
    cr_expect_null(tn_height_field_get_def(NULL).heights);
    tn_height_field_get_triangle(NULL, 0, corners);
    cr_expect(corners[0].x == 0.0);
}

Test(height_field_api, bad_fields_are_refused) {
    float heights[SIDE * SIDE] = {0};
    tn_height_field_def def = flat_def(heights);
    assert_refused(NULL, TN_RESULT_INVALID_ARGUMENT);
    def.heights = NULL;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    def = flat_def(heights);
    def.rows = 1;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    def.rows = 40000;
    assert_refused(&def, TN_RESULT_TOO_LARGE);
    def = flat_def(heights);
    def.spacing_x = 0.0f;
    assert_refused(&def, TN_RESULT_INVALID_ARGUMENT);
    def.spacing_x = NAN;
    assert_refused(&def, TN_RESULT_NOT_FINITE);
    def = flat_def(heights);
    heights[7] = INFINITY;
    assert_refused(&def, TN_RESULT_NOT_FINITE);
    heights[7] = 1e12f;
    assert_refused(&def, TN_RESULT_TOO_LARGE);
}

static tn_shape_id make_ground(tn_world *world, const tn_height_field_def *def,
                               const tn_material *materials, uint32_t count) {
    tn_height_field *field = tn_height_field_create(def, NULL);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, -10.0, 0.0, -10.0);
    tn_shape_def shape = tn_shape_def_default();
    tn_shape_id id = tn_height_field_shape_create(world, body, &shape, field, materials, count);
    cr_assert(tn_height_field_shape_get_height_field(world, id) == field);
    tn_height_field_release(field);
    return id;
}

Test(height_field_api, a_box_slides_straight_and_falls_into_a_hole) {
    float heights[SIDE * SIDE] = {0};
    uint8_t holes[(SIDE - 1) * (SIDE - 1)] = {0};
    for (uint32_t i = 0; i < (SIDE - 1) * (SIDE - 1); ++i) {
        holes[i] = i % (SIDE - 1) >= 30; // x > 5
    }
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_height_field_def def = flat_def(heights);
    def.holes = holes;
    tn_material smooth = tn_material_default();
    smooth.friction = 0.0f;
    tn_shape_id ground = make_ground(world, &def, &smooth, 1);
    cr_expect(tn_shape_get_type(world, ground) == TN_SHAPE_TYPE_HEIGHT_FIELD);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, -8.0, 0.4, 0.13);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, body, &shape, (tn_vec3){0.4, 0.4, 0.4});
    tn_body_set_velocity(world, body, (tn_velocity){{5.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
    for (int i = 0; i < 150; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    tn_vec3 p = tn_body_get_center(world, body);
    cr_expect(fabs(p.x - 4.5) < 1e-3 && fabs(p.y - 0.4) < 1e-3 && fabs(p.z - 0.13) < 1e-3,
              "at %g %g %g", p.x, p.y, p.z);
    for (int i = 0; i < 90; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    cr_expect(tn_body_get_center(world, body).y < -2.0, "it stays over the hole");
    test_world_destroy_quiet(world, &reports);
}

Test(height_field_api, each_cell_has_its_material) {
    float heights[SIDE * SIDE] = {0};
    uint16_t places[(SIDE - 1) * (SIDE - 1)];
    for (uint32_t i = 0; i < (SIDE - 1) * (SIDE - 1); ++i) {
        places[i] = i % (SIDE - 1) >= 20; // x > 0
    }
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_height_field_def def = flat_def(heights);
    def.materials = places;
    tn_material materials[2] = {tn_material_default(), tn_material_default()};
    materials[0].friction = 0.0f;
    make_ground(world, &def, materials, 2);
    tn_body_id bodies[2];
    tn_shape_def shape = tn_shape_def_default();
    for (int i = 0; i < 2; ++i) {
        bodies[i] = test_body_create(world, TN_BODY_TYPE_DYNAMIC, i == 0 ? -5.0 : 5.0, 0.3, 0.1);
        tn_box_shape_create(world, bodies[i], &shape, (tn_vec3){0.3, 0.3, 0.3});
        tn_body_set_velocity(world, bodies[i], (tn_velocity){{0.0, 0.0, 2.0}, {0.0, 0.0, 0.0}});
    }
    for (int i = 0; i < 60; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    double way = tn_body_get_center(world, bodies[1]).z - 0.1;
    cr_expect(fabs(tn_body_get_center(world, bodies[0]).z - 2.1) < 1e-3);
    cr_expect(fabs(way - 4.0 / (2.0 * 0.6 * 9.81)) < 0.02, "%g m", way);
    test_world_destroy_quiet(world, &reports);
}

// Hills of 0.5 m: whatever falls on them comes to rest and sleeps.
Test(height_field_api, what_falls_on_hills_rests) {
    float heights[SIDE * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        double x = 0.5 * (i % SIDE) - 10.0, z = 0.5 * (i / SIDE) - 10.0;
        heights[i] = (float)(0.25 * sin(0.9 * x) * cos(1.1 * z) + 0.01 * (x * x + z * z));
    }
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_height_field_def def = flat_def(heights);
    tn_height_field *field = tn_height_field_create(&def, NULL);
    make_ground(world, &def, NULL, 0);
    tn_shape_def shape = tn_shape_def_default();
    shape.material.rolling_resistance = shape.material.twisting_resistance = 0.02f;
    tn_body_id bodies[30];
    for (int i = 0; i < 30; ++i) {
        bodies[i] = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 1.1 * (i % 6) - 3.0,
                                     2.0 + 0.1 * (i % 7), 1.2 * (i / 6) - 2.5);
        if (i % 3 == 0) {
            tn_sphere_shape_create(world, bodies[i], &shape, 0.3f);
        } else if (i % 3 == 1) {
            tn_capsule_shape_create(world, bodies[i], &shape, 0.2f, 0.2f);
        } else {
            tn_box_shape_create(world, bodies[i], &shape, (tn_vec3){0.4, 0.2, 0.3});
        }
    }
    for (int i = 0; i < 1200; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    uint32_t awake = 0;
    for (int i = 0; i < 30; ++i) {
        tn_vec3 p = tn_body_get_center(world, bodies[i]);
        double height =
            (double)tn_height_field_get_height(field, (float)p.x + 10.0f, (float)p.z + 10.0f);
        cr_expect(p.y > height + 0.1, "body %d is %g m over the ground", i, p.y - height);
        awake += tn_body_is_awake(world, bodies[i]);
    }
    cr_expect(awake == 0, "%u are awake", awake);
    tn_height_field_release(field);
    test_world_destroy_quiet(world, &reports);
}
