// Shapes: their numbers, and several on a body.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(shape, .init = setup, .fini = teardown);

Test(shape, tells_what_it_was_made_of) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    int tag;
    def.local_pose.position = (tn_vec3){1.0, 2.0, 3.0};
    def.local_pose.rotation = (tn_quat){0.0, 2.0, 0.0, 0.0};
    def.density = 250.0f;
    def.material.friction = 0.3f;
    def.filter.group = -4;
    def.user_data = &tag;
    tn_shape_id sphere = tn_sphere_shape_create(world, body, &def, 0.25f);
    tn_shape_id capsule = tn_capsule_shape_create(world, body, &def, 1.0f, 0.5f);
    tn_shape_id box = tn_box_shape_create(world, body, &def, (tn_vec3){1.0, 2.0, 3.0});
    tn_shape_id plane = tn_half_space_shape_create(world, body, &def);
    cr_assert(tn_shape_get_type(world, sphere) == TN_SHAPE_TYPE_SPHERE);
    cr_assert(tn_shape_get_type(world, capsule) == TN_SHAPE_TYPE_CAPSULE);
    cr_assert(tn_shape_get_type(world, box) == TN_SHAPE_TYPE_BOX);
    cr_assert(tn_shape_get_type(world, plane) == TN_SHAPE_TYPE_HALF_SPACE);
    cr_assert(tn_sphere_shape_get_radius(world, sphere) == 0.25f);
    cr_assert(tn_capsule_shape_get_half_length(world, capsule) == 1.0f);
    cr_assert(tn_capsule_shape_get_radius(world, capsule) == 0.5f);
    cr_assert(tn_box_shape_get_half_extents(world, box).y == 2.0);
    tn_pose pose = tn_shape_get_local_pose(world, box);
    cr_assert(pose.position.z == 3.0 && pose.rotation.y == 1.0);
    cr_assert(tn_shape_get_density(world, box) == 250.0f);
    cr_assert(tn_shape_get_material(world, box).friction == 0.3f);
    cr_assert(tn_shape_get_filter(world, box).group == -4);
    cr_assert(tn_shape_get_user_data(world, box) == &tag);
    tn_shape_set_user_data(world, box, NULL);
    cr_assert_null(tn_shape_get_user_data(world, box));
    cr_assert(tn_body_get_shapes(world, body, NULL, 0) == 4);
    cr_assert(reports.count == 0);
}

// Lengths that no float holds, too.
Test(shape, a_local_rotation_of_any_length_names_the_same_turn) {
    const double lengths[] = {1e-11, 1e-3, 1e20, 1e60, 1e150};
    for (int i = 0; i < 5; ++i) {
        tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 9.0, 0.0);
        tn_shape_def def = tn_shape_def_default();
        def.local_pose.rotation = (tn_quat){0.0, 0.6 * lengths[i], 0.0, 0.8 * lengths[i]};
        tn_shape_id box = tn_box_shape_create(world, body, &def, (tn_vec3){0.3, 0.2, 0.1});
        tn_quat q = tn_shape_get_local_pose(world, box).rotation;
        TEST_NEAR(q.y, 0.6, 1e-7);
        TEST_NEAR(q.w, 0.8, 1e-7);
        test_step(world, 2);
        cr_assert(isfinite(tn_body_get_pose(world, body).position.y), "%g", lengths[i]);
    }
    cr_assert(reports.count == 0, "%s", reports.message);
}

Test(shape, a_destroyed_shape_leaves_its_contacts_and_the_others) {
    test_floor_create(world);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id shapes[3];
    for (int i = 0; i < 3; ++i) {
        def.local_pose.position.x = 2.0 * i;
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

Test(shape, curved_shapes_tell_what_they_were_made_of) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.rounding = 0.125f;
    tn_shape_id cylinder = tn_cylinder_shape_create(world, body, &def, 1.0f, 0.5f);
    tn_shape_id cone = tn_cone_shape_create(world, body, &def, 1.5f, 0.25f);
    tn_shape_id tapered = tn_tapered_cylinder_shape_create(world, body, &def, 2.0f, 0.5f, 0.75f);
    tn_shape_id capsule = tn_tapered_capsule_shape_create(world, body, &def, 1.0f, 0.5f, 0.25f);
    tn_shape_id egg = tn_ellipsoid_shape_create(world, body, &def, (tn_vec3){1.0, 2.0, 3.0});
    cr_assert(tn_shape_get_type(world, cylinder) == TN_SHAPE_TYPE_CYLINDER);
    cr_assert(tn_shape_get_type(world, cone) == TN_SHAPE_TYPE_CONE);
    cr_assert(tn_shape_get_type(world, tapered) == TN_SHAPE_TYPE_TAPERED_CYLINDER);
    cr_assert(tn_shape_get_type(world, capsule) == TN_SHAPE_TYPE_TAPERED_CAPSULE);
    cr_assert(tn_shape_get_type(world, egg) == TN_SHAPE_TYPE_ELLIPSOID);
    cr_assert(tn_cylinder_shape_get_half_length(world, cylinder) == 1.0f);
    cr_assert(tn_cylinder_shape_get_radius(world, cylinder) == 0.5f);
    cr_assert(tn_cone_shape_get_half_length(world, cone) == 1.5f);
    cr_assert(tn_cone_shape_get_radius(world, cone) == 0.25f);
    cr_assert(tn_tapered_cylinder_shape_get_half_length(world, tapered) == 2.0f);
    cr_assert(tn_tapered_cylinder_shape_get_radius_bottom(world, tapered) == 0.5f);
    cr_assert(tn_tapered_cylinder_shape_get_radius_top(world, tapered) == 0.75f);
    cr_assert(tn_tapered_cylinder_shape_get_radius_top(world, cone) == 0.0f);
    cr_assert(tn_tapered_capsule_shape_get_half_length(world, capsule) == 1.0f);
    cr_assert(tn_tapered_capsule_shape_get_radius_bottom(world, capsule) == 0.625f);
    cr_assert(tn_tapered_capsule_shape_get_radius_top(world, capsule) == 0.375f);
    cr_assert(tn_ellipsoid_shape_get_radii(world, egg).z == 3.0);
    cr_assert(tn_shape_get_rounding(world, egg) == 0.125f);
    cr_assert(tn_shape_get_rounding(world, capsule) == 0.0f);
    cr_assert(reports.count == 0, "%s", reports.message);
    cr_assert(tn_cone_shape_get_radius(world, cylinder) == 0.0f);
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_WRONG_TYPE);
    cr_assert(tn_cylinder_shape_get_radius(world, cone) == 0.0f);
    cr_assert(tn_ellipsoid_shape_get_radii(world, cone).x == 0.0);
    cr_assert(reports.count == 3 && reports.last == TN_RESULT_WRONG_TYPE);
}

// Grown by the rounding: a sphere's and a capsule's radius, and the mass of all.
Test(shape, rounding_grows_every_shape) {
    tn_shape_def def = tn_shape_def_default();
    def.density = 1.0f;
    def.rounding = 0.25f;
    tn_body_id ball = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_id sphere = tn_sphere_shape_create(world, ball, &def, 0.25f);
    cr_assert(tn_sphere_shape_get_radius(world, sphere) == 0.5f);
    TEST_NEAR(tn_body_get_mass(world, ball).mass, 4.0 / 3.0 * M_PI * 0.125, 1e-6);
    tn_body_id rod = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 9.0, 0.0);
    tn_shape_id capsule = tn_capsule_shape_create(world, rod, &def, 1.0f, 0.25f);
    cr_assert(tn_capsule_shape_get_radius(world, capsule) == 0.5f);
    tn_body_id cube = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 9.0);
    tn_box_shape_create(world, cube, &def, (tn_vec3){0.5, 0.5, 0.5});
    double r = 0.25, volume = 1.0 + 6.0 * r + 3.0 * M_PI * r * r + 4.0 / 3.0 * M_PI * r * r * r;
    TEST_NEAR(tn_body_get_mass(world, cube).mass, volume, 1e-6);
    cr_assert(reports.count == 0, "%s", reports.message);
}

static void assert_refused(tn_shape_id shape, tn_result result, const char *what) {
    cr_assert(shape.value == 0 && reports.last == result, "%s: %s", what, reports.message);
    reports.last = TN_RESULT_OK;
}

Test(shape, curved_shapes_refuse_what_they_cannot_be) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default(), negative = def, endless = def, rounded = def;
    negative.rounding = -0.1f;
    endless.rounding = INFINITY;
    rounded.rounding = 0.1f;
    assert_refused(tn_cylinder_shape_create(world, body, &def, 0.0f, 1.0f),
                   TN_RESULT_INVALID_ARGUMENT, "no length");
    assert_refused(tn_cylinder_shape_create(world, body, &def, 1.0f, -1.0f),
                   TN_RESULT_INVALID_ARGUMENT, "negative");
    assert_refused(tn_cone_shape_create(world, body, &def, 1.0f, 0.0f), TN_RESULT_INVALID_ARGUMENT,
                   "a needle");
    assert_refused(tn_cone_shape_create(world, body, &def, NAN, 1.0f), TN_RESULT_NOT_FINITE, "nan");
    assert_refused(tn_tapered_cylinder_shape_create(world, body, &def, 1.0f, 0.0f, 0.0f),
                   TN_RESULT_INVALID_ARGUMENT, "a needle");
    assert_refused(tn_tapered_capsule_shape_create(world, body, &def, 0.5f, 1.5f, 0.5f),
                   TN_RESULT_INVALID_ARGUMENT, "one ball holds the other");
    assert_refused(tn_tapered_capsule_shape_create(world, body, &def, 0.5f, 0.0f, 0.5f),
                   TN_RESULT_INVALID_ARGUMENT, "a point");
    assert_refused(tn_ellipsoid_shape_create(world, body, &def, (tn_vec3){1.0, 0.0, 1.0}),
                   TN_RESULT_INVALID_ARGUMENT, "flat");
    assert_refused(tn_box_shape_create(world, body, &negative, (tn_vec3){1.0, 1.0, 1.0}),
                   TN_RESULT_INVALID_ARGUMENT, "rounding");
    assert_refused(tn_sphere_shape_create(world, body, &endless, 1.0f), TN_RESULT_NOT_FINITE,
                   "rounding");
    assert_refused(tn_half_space_shape_create(world, body, &rounded), TN_RESULT_WRONG_TYPE,
                   "a half-space");
    cr_assert(tn_body_get_shapes(world, body, NULL, 0) == 0);
}

Test(shape, affine_bodies_refuse_what_they_cannot_deform) {
    tn_shape_def def = tn_shape_def_default(), rounded = def;
    rounded.rounding = 0.1f;
    tn_body_id drum = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_cylinder_shape_create(world, drum, &def, 0.5f, 0.5f);
    tn_affine_def affine = tn_affine_def_default();
    affine.body = drum;
    cr_assert(tn_affine_create(world, &affine).value == 0);
    cr_assert(reports.last == TN_RESULT_WRONG_TYPE, "%s", reports.message);
    tn_body_id jelly = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 5.0, 0.0);
    tn_box_shape_create(world, jelly, &def, (tn_vec3){0.5, 0.5, 0.5});
    affine.body = jelly;
    cr_assert(tn_affine_create(world, &affine).value != 0);
    assert_refused(tn_ellipsoid_shape_create(world, jelly, &def, (tn_vec3){1.0, 1.0, 1.0}),
                   TN_RESULT_WRONG_TYPE, "an ellipsoid");
    assert_refused(tn_box_shape_create(world, jelly, &rounded, (tn_vec3){1.0, 1.0, 1.0}),
                   TN_RESULT_WRONG_TYPE, "a rounded box");
}
