// Compounds as users make them, and what moves over them.
#include "tests/world/world_test.h"

TestSuite(compound_api, .timeout = 60);

static void assert_refused(const tn_compound_child *child, uint32_t count, tn_result want) {
    tn_compound_def def = tn_compound_def_default();
    def.children = child;
    def.child_count = count;
    tn_result result = TN_RESULT_OK;
    cr_expect_null(tn_compound_create(&def, &result));
    cr_expect(result == want, "%s for %s", tn_result_name(result), tn_result_name(want));
}

Test(compound_api, bad_children_are_refused) {
    tn_compound_child child = tn_compound_child_default();
    cr_expect_null(tn_compound_create(NULL, NULL));
    assert_refused(NULL, 1, TN_RESULT_INVALID_ARGUMENT);
    assert_refused(&child, 0, TN_RESULT_INVALID_ARGUMENT);
    child.type = TN_SHAPE_TYPE_HALF_SPACE;
    assert_refused(&child, 1, TN_RESULT_INVALID_ARGUMENT);
    child.type = TN_SHAPE_TYPE_SPHERE; // of radius 0
    assert_refused(&child, 1, TN_RESULT_INVALID_ARGUMENT);
    child.radius = NAN;
    assert_refused(&child, 1, TN_RESULT_NOT_FINITE);
    child = tn_compound_child_default();
    child.local_pose.rotation.w = 0.0;
    assert_refused(&child, 1, TN_RESULT_ZERO_AXIS);
    child = tn_compound_child_default();
    child.type = TN_SHAPE_TYPE_HULL;
    assert_refused(&child, 1, TN_RESULT_INVALID_ARGUMENT);
    const tn_vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    child.points = flat;
    child.point_count = 4;
    assert_refused(&child, 1, TN_RESULT_DEGENERATE_HULL);
    child = tn_compound_child_default();
    child.material = 70000;
    assert_refused(&child, 1, TN_RESULT_INVALID_ARGUMENT);
}

// A level of 60 x 60 tiles of four kinds, with their tops at 0.
static tn_compound *make_level(void) {
    enum {
        SIDE = 60
    };
    static tn_compound_child children[SIDE * SIDE];
    static const tn_vec3 corners[8] = {
        {-0.25, -0.2, -0.25}, {0.25, -0.2, -0.25}, {-0.25, 0.2, -0.25}, {0.25, 0.2, -0.25},
        {-0.25, -0.2, 0.25},  {0.25, -0.2, 0.25},  {-0.25, 0.2, 0.25},  {0.25, 0.2, 0.25}};
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        tn_compound_child *child = &children[i];
        *child = tn_compound_child_default();
        child->local_pose.position =
            (tn_vec3){0.5 * (i % SIDE) - 14.75, -0.2, 0.5 * (i / SIDE) - 14.75};
        child->half_extents = (tn_vec3){0.25, 0.2, 0.25};
        if (i % 3 == 0) {
            child->type = TN_SHAPE_TYPE_HULL;
            child->points = corners;
            child->point_count = 8;
        }
        child->material = i / SIDE < 30 ? 0 : 1;
    }
    tn_compound_def def = tn_compound_def_default();
    def.children = children;
    def.child_count = SIDE * SIDE;
    tn_compound *compound = tn_compound_create(&def, NULL);
    cr_assert_not_null(compound);
    cr_expect(tn_compound_get_child_count(compound) == SIDE * SIDE);
    return compound;
}

static void assert_hull(const tn_compound *compound, uint32_t child, const tn_vec3 *corners) {
    tn_vec3 vertices[8];
    uint32_t triangles[36];
    cr_expect_eq(tn_compound_get_vertices(compound, child, NULL, 0), 8);
    cr_expect_eq(tn_compound_get_vertices(compound, child, vertices, 8), 8);
    for (int i = 0; i < 8; ++i) {
        bool is_given = false;
        for (int k = 0; k < 8; ++k) {
            is_given = is_given || (vertices[i].x == corners[k].x &&
                                    vertices[i].y == corners[k].y && vertices[i].z == corners[k].z);
        }
        cr_expect(is_given, "corner %d", i);
    }
    cr_expect_eq(tn_compound_get_triangles(compound, child, triangles, 36), 36);
    for (int i = 0; i < 36; ++i) {
        cr_expect(triangles[i] < 8);
    }
}

Test(compound_api, its_children_can_be_read) {
    const tn_vec3 corners[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    tn_compound_child given[4];
    const tn_shape_type types[4] = {TN_SHAPE_TYPE_SPHERE, TN_SHAPE_TYPE_CAPSULE, TN_SHAPE_TYPE_BOX,
                                    TN_SHAPE_TYPE_HULL};
    for (uint32_t i = 0; i < 4; ++i) {
        given[i] = tn_compound_child_default();
        given[i].type = types[i];
        given[i].local_pose.position = (tn_vec3){i, 2.0, -3.0};
        given[i].radius = 0.25f;
        given[i].half_length = 0.5f;
        given[i].points = corners;
        given[i].point_count = 8;
        given[i].material = i;
    }
    given[1].local_pose.rotation = (tn_quat){0.0, 0.0, 2.0, 0.0};
    tn_compound_def def = {.children = given, .child_count = 4};
    tn_compound *compound = tn_compound_create(&def, NULL);
    for (uint32_t i = 0; i < 4; ++i) {
        tn_compound_child child = tn_compound_get_child(compound, i);
        cr_expect(child.type == types[i] && child.material == i && child.points == NULL);
        cr_expect(child.local_pose.position.x == i && child.local_pose.position.z == -3.0);
    }
    cr_expect(tn_compound_get_child(compound, 0).radius == 0.25f);
    cr_expect(tn_compound_get_child(compound, 1).half_length == 0.5f);
    cr_expect(tn_compound_get_child(compound, 1).local_pose.rotation.z == 1.0);
    cr_expect(tn_compound_get_child(compound, 2).half_extents.y == 0.5);
    assert_hull(compound, 3, corners);
    cr_expect_eq(tn_compound_get_vertices(compound, 2, NULL, 0), 0);
    cr_expect_eq(tn_compound_get_triangles(compound, 4, NULL, 0), 0);
    cr_expect(tn_compound_get_child(compound, 4).radius == 0.0f);
    cr_expect(tn_compound_get_child(NULL, 0).type == TN_SHAPE_TYPE_SPHERE);
    tn_compound_release(compound);
}

Test(compound_api, a_box_slides_straight_over_a_level) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_compound *level = make_level();
    tn_bounds bounds = tn_compound_get_bounds(level);
    cr_expect(fabs(bounds.lower.x + 15.0) < 1e-5 && fabs(bounds.upper.y) < 1e-5);
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_material materials[2] = {tn_material_default(), tn_material_default()};
    materials[0].friction = 0.0f;
    tn_shape_id shape = tn_compound_shape_create(world, floor, &def, level, materials, 2);
    cr_expect(tn_shape_get_type(world, shape) == TN_SHAPE_TYPE_COMPOUND);
    cr_expect(tn_compound_shape_get_compound(world, shape) == level);
    tn_compound_release(level);
    tn_body_id bodies[2];
    for (int i = 0; i < 2; ++i) {
        bodies[i] =
            test_body_create(world, TN_BODY_TYPE_DYNAMIC, -10.0, 0.3, i == 0 ? -5.03 : 5.03);
        tn_box_shape_create(world, bodies[i], &def, (tn_vec3){0.3, 0.3, 0.3});
        tn_body_set_velocity(world, bodies[i], (tn_velocity){{6.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
    }
    for (int i = 0; i < 180; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    tn_vec3 smooth = tn_body_get_center(world, bodies[0]);
    tn_vec3 rough = tn_body_get_center(world, bodies[1]);
    cr_expect(fabs(smooth.x - 8.0) < 0.02 && fabs(smooth.y - 0.3) < 1e-3 &&
                  fabs(smooth.z + 5.03) < 5e-3,
              "at %g %g %g", smooth.x, smooth.y, smooth.z);
    double way = 36.0 / (2.0 * 0.6 * 9.81);
    cr_expect(fabs(rough.x + 10.0 - way) < 0.02 * way, "%g m for %g", rough.x + 10.0, way);
    tn_ray ray = tn_ray_make((tn_vec3){1.1, 3.0, 2.3}, (tn_vec3){0.0, -6.0, 0.0});
    tn_ray_hit hit;
    cr_expect(tn_world_cast_ray(world, &ray, &hit) && hit.shape.value == shape.value &&
              fabs(hit.fraction - 0.5) < 1e-6);
    tn_draw draw;
    cr_expect(tn_world_draw(world, NULL, &draw) == TN_RESULT_OK);
    test_world_destroy_quiet(world, &reports);
}

// A basin of a floor, walls, a ball and a capsule in the middle: what falls in stays in.
Test(compound_api, everything_rests_in_a_basin) {
    tn_compound_child children[7];
    for (int i = 0; i < 7; ++i) {
        children[i] = tn_compound_child_default();
    }
    for (int i = 0; i < 4; ++i) {
        double side = i % 2 == 0 ? 3.0 : -3.0;
        children[i].local_pose.position = (tn_vec3){i < 2 ? side : 0.0, 1.0, i < 2 ? 0.0 : side};
        children[i].half_extents = (tn_vec3){i < 2 ? 0.2 : 3.2, 1.0, i < 2 ? 3.2 : 0.2};
    }
    children[4].half_extents = (tn_vec3){3.0, 0.2, 3.0};
    children[4].local_pose.position.y = -0.2;
    children[5].type = TN_SHAPE_TYPE_SPHERE;
    children[5].radius = 0.7f;
    children[6].type = TN_SHAPE_TYPE_CAPSULE;
    children[6].radius = 0.3f;
    children[6].half_length = 0.5f;
    children[6].local_pose.position = (tn_vec3){1.6, 0.2, 0.3};
    tn_compound_def compound_def = tn_compound_def_default();
    compound_def.children = children;
    compound_def.child_count = 7;
    tn_compound *compound = tn_compound_create(&compound_def, NULL);
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id floor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material.rolling_resistance = def.material.twisting_resistance = 0.02f;
    tn_compound_shape_create(world, floor, &def, compound, NULL, 0);
    tn_compound_release(compound);
    tn_body_id bodies[24];
    for (int i = 0; i < 24; ++i) {
        bodies[i] = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.8 * (i % 5) - 1.6,
                                     1.8 + 0.5 * (i / 10), 0.9 * (i / 5 % 2) - 0.5);
        if (i % 3 == 0) {
            tn_sphere_shape_create(world, bodies[i], &def, 0.25f);
        } else if (i % 3 == 1) {
            tn_capsule_shape_create(world, bodies[i], &def, 0.2f, 0.2f);
        } else {
            tn_box_shape_create(world, bodies[i], &def, (tn_vec3){0.3, 0.2, 0.25});
        }
    }
    for (int i = 0; i < 900; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    for (int i = 0; i < 24; ++i) {
        tn_vec3 p = tn_body_get_center(world, bodies[i]);
        cr_expect(fabs(p.x) < 2.8 && fabs(p.z) < 2.8 && p.y > 0.15, "body %d at %g %g %g", i, p.x,
                  p.y, p.z);
        cr_expect(!tn_body_is_awake(world, bodies[i]), "body %d is awake", i);
    }
    test_world_destroy_quiet(world, &reports);
}
