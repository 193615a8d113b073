// Mass given by hand and summed over shapes.
#include "tests/world/world_test.h"

#define PI 3.14159265358979323846

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(body_mass, .init = setup, .fini = teardown);

Test(body_mass, a_body_without_shapes_weighs_one_kilogram) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_mass mass = tn_body_get_mass(world, body);
    cr_assert(mass.mass == 1.0);
    TEST_NEAR(mass.inertia.xx, 0.1, 1e-15);
    TEST_NEAR(mass.inertia.zz, 0.1, 1e-15);
}

// The closed forms of any mechanics book; float half extents of powers of two are exact.
Test(body_mass, follows_the_shape) {
    tn_shape_def def = tn_shape_def_default();
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_id box = tn_box_shape_create(world, body, &def, (tn_vec3){0.5, 1.0, 2.0});
    tn_mass mass = tn_body_get_mass(world, body);
    TEST_NEAR(mass.mass, 8000.0, 1e-9);
    TEST_NEAR(mass.inertia.xx, 8000.0 / 12.0 * (4.0 + 16.0), 1e-8);
    TEST_NEAR(mass.inertia.yy, 8000.0 / 12.0 * (1.0 + 16.0), 1e-8);
    TEST_NEAR(mass.inertia.zz, 8000.0 / 12.0 * (1.0 + 4.0), 1e-8);
    tn_shape_set_density(world, box, 500.0f);
    TEST_NEAR(tn_body_get_mass(world, body).mass, 4000.0, 1e-9);
    tn_shape_destroy(world, box);
    cr_assert(tn_body_get_mass(world, body).mass == 1.0);
    tn_sphere_shape_create(world, body, &def, 0.5f);
    mass = tn_body_get_mass(world, body);
    TEST_NEAR(mass.mass, 1000.0 * PI / 6.0, 1e-9);
    TEST_NEAR(mass.inertia.yy, 0.4 * mass.mass * 0.25, 1e-9);
}

// Two unit cubes make a box of 2 x 1 x 1, wherever the frame is.
Test(body_mass, of_two_cubes_is_that_of_the_box_they_make) {
    tn_shape_def def = tn_shape_def_default();
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 10.0, 20.0, 30.0);
    def.local_pose.position = (tn_vec3){1.5, 1.0, 0.0};
    tn_box_shape_create(world, body, &def, (tn_vec3){0.5, 0.5, 0.5});
    def.local_pose.position = (tn_vec3){2.5, 1.0, 0.0};
    def.local_pose.rotation = (tn_quat){0.0, 0.0, 0.70710678, 0.70710678};
    tn_box_shape_create(world, body, &def, (tn_vec3){0.5, 0.5, 0.5});
    tn_mass mass = tn_body_get_mass(world, body);
    TEST_NEAR(mass.mass, 2000.0, 1e-9);
    TEST_NEAR(mass.center.x, 2.0, 1e-12);
    TEST_NEAR(mass.center.y, 1.0, 1e-12);
    // The float quaternion is a unit one to 1e-8, and is normalised in double.
    TEST_NEAR(mass.inertia.xx, 2000.0 / 12.0 * 2.0, 1e-4);
    TEST_NEAR(mass.inertia.yy, 2000.0 / 12.0 * 5.0, 1e-4);
    TEST_NEAR(mass.inertia.zz, 2000.0 / 12.0 * 5.0, 1e-4);
    TEST_NEAR(mass.inertia.xy, 0.0, 1e-4);
    tn_vec3 center = tn_body_get_center(world, body);
    TEST_NEAR(center.x, 12.0, 1e-12);
    TEST_NEAR(center.y, 21.0, 1e-12);
    tn_pose pose = tn_body_get_pose(world, body);
    TEST_NEAR(pose.position.x, 10.0, 1e-12);
}

Test(body_mass, a_turning_body_keeps_its_motion_when_its_center_moves) {
    tn_body_def body_def = tn_body_def_default();
    body_def.velocity.linear.x = 1.0;
    body_def.velocity.angular.z = 2.0;
    tn_body_id body = tn_body_create(world, &body_def);
    tn_vec3 probe = {0.3, 0.7, 0.1};
    tn_vec3 before = tn_body_get_point_velocity(world, body, probe);
    tn_shape_def def = tn_shape_def_default();
    def.local_pose.position.y = 3.0;
    tn_sphere_shape_create(world, body, &def, 1.0f);
    tn_vec3 after = tn_body_get_point_velocity(world, body, probe);
    TEST_NEAR(after.x, before.x, 1e-12);
    TEST_NEAR(after.y, before.y, 1e-12);
    TEST_NEAR(tn_body_get_velocity(world, body).linear.x, 1.0 - 2.0 * 3.0, 1e-12);
}

Test(body_mass, given_by_hand_stays_until_given_back) {
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    double own = tn_body_get_mass(world, body).mass;
    tn_mass mass = {7.0, {0.0, 1.0, 0.0}, {2.0, 2.0, 3.0, 0.0, 0.5, 0.0}};
    tn_body_set_mass(world, body, mass);
    tn_shape_set_density(world, test_first_shape(world, body), 1.0f);
    tn_mass read = tn_body_get_mass(world, body);
    cr_assert(read.mass == 7.0 && read.center.y == 1.0 && read.inertia.xz == 0.5);
    cr_assert(tn_body_get_center(world, body).y == 1.0);
    tn_body_set_mass_from_shapes(world, body);
    TEST_NEAR(tn_body_get_mass(world, body).mass, own / 1000.0, 1e-9);
    TEST_NEAR(tn_body_get_center(world, body).y, 0.0, 1e-15);
    cr_assert(reports.count == 0);
}

// A rod of 1 mm by 10 m, and a flat plate, for which A + B = C exactly: both are real bodies.
Test(body_mass, thin_rods_and_flat_plates_are_bodies) {
    tn_body_def def = tn_body_def_default();
    def.has_mass = true;
    def.mass.mass = 1.0;
    def.mass.inertia = (tn_mat3_symmetric){5e-7, 8.3, 8.3, 0.0, 0.0, 0.0};
    cr_assert(tn_body_create(world, &def).value != 0);
    def.mass.inertia = (tn_mat3_symmetric){0.1, 0.2, 0.1 + 0.2, 0.0, 0.0, 0.0};
    cr_assert(tn_body_create(world, &def).value != 0);
    cr_assert(reports.count == 0);
}

// A + B >= C but for round-off, on both sides of the edge, along every axis; and moments no smaller
// than 1e-12 of the largest.
Test(body_mass, an_inertia_is_refused_from_the_edge_of_the_triangle_on) {
    for (int axis = 0; axis < 3; ++axis) {
        const double largest[] = {0.9, 1.0, 1.0 + 5e-7, 1.0 + 2e-6, 1.001};
        for (int i = 0; i < 5; ++i) {
            double moments[3] = {0.4, 0.4, 0.4};
            moments[axis] = largest[i];
            moments[(axis + 1) % 3] = 0.6;
            tn_body_def def = tn_body_def_default();
            def.has_mass = true;
            def.mass.mass = 1.0;
            def.mass.inertia =
                (tn_mat3_symmetric){moments[0], moments[1], moments[2], 0.0, 0.0, 0.0};
            bool is_made = tn_body_create(world, &def).value != 0;
            cr_assert(is_made == (i < 3), "axis %d, %.9g", axis, largest[i]);
            def.mass.inertia = (tn_mat3_symmetric){1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
            double *thin = axis == 0   ? &def.mass.inertia.xx
                           : axis == 1 ? &def.mass.inertia.yy
                                       : &def.mass.inertia.zz;
            *thin = i < 3 ? 2e-12 : 0.5e-12;
            is_made = tn_body_create(world, &def).value != 0;
            cr_assert(is_made == (i < 3), "axis %d, %g", axis, *thin);
        }
    }
    cr_assert(reports.count == 12 && reports.last == TN_RESULT_INVALID_INERTIA);
}

Test(body_mass, a_type_change_brings_the_mass_along) {
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    double own = tn_body_get_mass(world, body).mass;
    tn_body_set_type(world, body, TN_BODY_TYPE_STATIC);
    cr_assert(tn_body_get_mass(world, body).mass == 0.0);
    tn_body_set_type(world, body, TN_BODY_TYPE_DYNAMIC);
    cr_assert(tn_body_get_mass(world, body).mass == own);
}

// Three boxes of unequal density, none on an axis of another: Steiner's theorem with its products.
Test(body_mass, of_boxes_off_all_axes_has_the_products_of_inertia_of_their_sum) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    const double at[3][3] = {{0.5, 0.25, -0.75}, {-1.0, 0.5, 0.25}, {0.25, -1.5, 1.0}};
    const double half[3] = {0.5, 0.25, 0.125}, densities[3] = {1000.0, 500.0, 250.0};
    double mass = 0.0, center[3] = {0.0}, sum[3][3] = {{0.0}};
    for (int i = 0; i < 3; ++i) {
        tn_shape_def def = tn_shape_def_default();
        def.density = (float)densities[i];
        def.local_pose.position = (tn_vec3){at[i][0], at[i][1], at[i][2]};
        tn_box_shape_create(world, body, &def, (tn_vec3){0.5, 0.25, 0.125});
        double m = densities[i] * 8.0 * half[0] * half[1] * half[2];
        mass += m;
        for (int r = 0; r < 3; ++r) {
            center[r] += m * at[i][r];
            for (int c = 0; c < 3; ++c) { // about the origin: the second moments
                sum[r][c] += m * (at[i][r] * at[i][c] + (r == c ? half[r] * half[r] / 3.0 : 0.0));
            }
        }
    }
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            sum[r][c] -= center[r] * center[c] / mass;
        }
    }
    tn_mass got = tn_body_get_mass(world, body);
    double tolerance = 1e-9 * mass;
    TEST_NEAR(got.mass, mass, tolerance);
    TEST_NEAR(got.center.x, center[0] / mass, 1e-9);
    TEST_NEAR(got.center.z, center[2] / mass, 1e-9);
    TEST_NEAR(got.inertia.xx, sum[1][1] + sum[2][2], tolerance);
    TEST_NEAR(got.inertia.yy, sum[2][2] + sum[0][0], tolerance);
    TEST_NEAR(got.inertia.zz, sum[0][0] + sum[1][1], tolerance);
    TEST_NEAR(got.inertia.xy, -sum[0][1], tolerance);
    TEST_NEAR(got.inertia.xz, -sum[0][2], tolerance);
    TEST_NEAR(got.inertia.yz, -sum[1][2], tolerance);
    // With one axis locked the others answer by their own block.
    tn_body_set_locks(world, body, TN_BODY_LOCK_ANGULAR_X);
    tn_body_apply_angular_impulse(world, body, (tn_vec3){30.0, 20.0, -10.0});
    tn_velocity v = tn_body_get_velocity(world, body);
    double yy = got.inertia.yy, zz = got.inertia.zz, yz = got.inertia.yz, d = yy * zz - yz * yz;
    TEST_NEAR(v.angular.x, 0.0, 0.0);
    TEST_NEAR(v.angular.y, (zz * 20.0 + yz * 10.0) / d, 1e-9);
    TEST_NEAR(v.angular.z, (-yy * 10.0 - yz * 20.0) / d, 1e-9);
    cr_assert(reports.count == 0);
}
