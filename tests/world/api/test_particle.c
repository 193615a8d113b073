// Particles: what they are, what they are refused, and how they move and touch.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(particle, .init = setup, .fini = teardown, .timeout = 60);

static tn_body_def particle_def(double x, double y, double z) {
    tn_body_def def = tn_body_def_default();
    def.is_particle = true;
    def.pose.position = (tn_vec3){x, y, z};
    return def;
}

static tn_body_id make_particle(double x, double y, double z, float radius) {
    tn_body_def def = particle_def(x, y, z);
    tn_body_id body = tn_body_create(world, &def);
    cr_assert(body.value != 0);
    if (radius > 0.0f) {
        tn_shape_def shape = tn_shape_def_default();
        cr_assert(tn_sphere_shape_create(world, body, &shape, radius).value != 0);
    }
    return body;
}

// Its rotation has every bit that it began with, and it has no angular velocity.
static void check_unturned(tn_body_id body) {
    tn_pose pose = tn_body_get_pose(world, body);
    tn_vec3 w = tn_body_get_velocity(world, body).angular;
    cr_assert(pose.rotation.x == 0.0 && pose.rotation.y == 0.0 && pose.rotation.z == 0.0 &&
              pose.rotation.w == 1.0);
    cr_assert(w.x == 0.0 && w.y == 0.0 && w.z == 0.0, "%g %g %g", w.x, w.y, w.z);
}

// ---- what it is ---------------------------------------------------------------------------------

Test(particle, has_a_mass_and_no_inertia) {
    tn_body_id bare = make_particle(0.0, 0.0, 0.0, 0.0f),
               round = make_particle(1.0, 0.0, 0.0, 0.1f);
    tn_body_def def = particle_def(2.0, 0.0, 0.0);
    def.has_mass = true;
    def.mass.mass = 0.25;
    tn_body_id given = tn_body_create(world, &def);
    cr_assert(tn_body_is_particle(world, bare) && tn_body_is_particle(world, given));
    cr_assert(!tn_body_is_particle(world, test_ball_create(world, 3.0, 0.0, 0.0, 0.1f)));
    cr_assert(tn_body_get_type(world, bare) == TN_BODY_TYPE_DYNAMIC);
    cr_assert(tn_body_get_mass(world, bare).mass == 1.0);
    cr_assert(tn_body_get_mass(world, given).mass == 0.25);
    // Of a ball of water.
    TEST_NEAR(tn_body_get_mass(world, round).mass, 4.0 / 3.0 * 3.14159265 * 0.001 * 1000.0, 1e-5);
    const tn_body_id all[3] = {bare, round, given};
    for (int i = 0; i < 3; ++i) {
        tn_mass mass = tn_body_get_mass(world, all[i]);
        cr_assert(mass.inertia.xx == 0.0 && mass.inertia.yy == 0.0 && mass.inertia.zz == 0.0);
        cr_assert(mass.center.x == 0.0 && mass.center.y == 0.0 && mass.center.z == 0.0);
        tn_body_set_mass(world, all[i], mass);
        cr_assert(tn_body_get_mass(world, all[i]).mass == mass.mass);
    }
    tn_body_set_mass_from_shapes(world, given);
    cr_assert(tn_body_get_mass(world, given).mass == 1.0);
    cr_assert(reports.count == 0, "%s", reports.message);
}

Test(particle, stays_one_when_its_type_changes) {
    tn_body_id body = make_particle(0.0, 5.0, 0.0, 0.1f);
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {1.0, 0.0, 0.0}});
    tn_body_set_type(world, body, TN_BODY_TYPE_STATIC);
    test_step(world, 10);
    cr_assert(tn_body_is_particle(world, body));
    cr_assert(tn_body_get_pose(world, body).position.y == 5.0);
    tn_body_set_type(world, body, TN_BODY_TYPE_KINEMATIC);
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {0.0, 6.0, 0.0}});
    test_step(world, 10);
    TEST_NEAR(tn_body_get_pose(world, body).position.y, 6.0, 1e-12);
    tn_body_set_type(world, body, TN_BODY_TYPE_DYNAMIC);
    test_step(world, 10);
    cr_assert(tn_body_is_particle(world, body) && tn_body_get_velocity(world, body).linear.y < 6.0);
    cr_assert(reports.count == 0, "%s", reports.message);
}

Test(particle, goes_to_a_target_without_the_turn) {
    tn_body_def def = particle_def(0.0, 0.0, 0.0);
    def.type = TN_BODY_TYPE_KINEMATIC;
    tn_body_id body = tn_body_create(world, &def);
    tn_pose target = {{1.0, 2.0, 3.0}, {0.0, 0.6, 0.0, 0.8}};
    tn_body_set_target_pose(world, body, target, 1.0 / 60.0);
    test_step(world, 2);
    TEST_NEAR(tn_body_get_pose(world, body).position.z, 3.0, 1e-12);
    check_unturned(body);
    cr_assert(reports.count == 0);
}

// ---- what it is refused -------------------------------------------------------------------------

Test(particle, is_refused_wrong_numbers) {
    tn_body_def def = particle_def(0.0, 0.0, 0.0);
    def.velocity.angular.y = 1.0;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_ARGUMENT);
    def = particle_def(0.0, 0.0, 0.0);
    def.has_mass = true;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_MASS); // of 0 kg
    def.mass.mass = -1.0;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_MASS);
    def.mass.mass = (double)NAN;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_NOT_FINITE);
    def.mass.mass = 1.0;
    def.mass.center.x = 0.1;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_MASS);
    def.mass.center.x = 0.0;
    def.mass.inertia.xx = (double)INFINITY;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_NOT_FINITE);
    cr_assert(tn_world_count_bodies(world) == 0);

    tn_body_id body = make_particle(0.0, 0.0, 0.0, 0.0f);
    tn_mass heavy = {.mass = 0.0};
    TEST_REPORTS(&reports, tn_body_set_mass(world, body, heavy), TN_RESULT_INVALID_MASS);
    heavy = (tn_mass){.mass = 2.0, .center = {0.0, 1e-3, 0.0}};
    TEST_REPORTS(&reports, tn_body_set_mass(world, body, heavy), TN_RESULT_INVALID_MASS);
    tn_velocity spin = {.linear = {1.0, 0.0, 0.0}, .angular = {0.0, 0.0, 1e-9}};
    TEST_REPORTS(&reports, tn_body_set_velocity(world, body, spin), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_body_set_angular_velocity(world, body, (tn_vec3){0.0, 1.0, 0.0}),
                 TN_RESULT_WRONG_TYPE);
    cr_assert(tn_body_get_velocity(world, body).linear.x == 0.0);
    cr_assert(tn_body_get_mass(world, body).mass == 1.0);
    tn_body_destroy(world, body);
    TEST_REPORTS(&reports, tn_body_is_particle(world, body), TN_RESULT_INVALID_ID);
    cr_assert(!tn_body_is_particle(NULL, body));
}

Test(particle, bears_only_spheres_around_it) {
    tn_body_id body = make_particle(0.0, 0.0, 0.0, 0.0f);
    tn_shape_def def = tn_shape_def_default();
    tn_vec3 half = {0.1, 0.1, 0.1};
    TEST_REPORTS(&reports, tn_box_shape_create(world, body, &def, half), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_capsule_shape_create(world, body, &def, 0.1f, 0.1f),
                 TN_RESULT_WRONG_TYPE);
    def.local_pose.position.x = 0.01;
    TEST_REPORTS(&reports, tn_sphere_shape_create(world, body, &def, 0.1f),
                 TN_RESULT_INVALID_ARGUMENT);
    def.local_pose.position.x = 0.0;
    tn_body_set_type(world, body, TN_BODY_TYPE_STATIC);
    TEST_REPORTS(&reports, tn_half_space_shape_create(world, body, &def), TN_RESULT_WRONG_TYPE);
    cr_assert(tn_body_get_shapes(world, body, NULL, 0) == 0);
    cr_assert(tn_sphere_shape_create(world, body, &def, 0.1f).value != 0);
}

// ---- how it moves -------------------------------------------------------------------------------

Test(particle, falls_as_galileo_says) {
    tn_body_id body = make_particle(1.0, 100.0, 0.0, 0.0f);
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {3.0, 4.0, 0.0}});
    test_step(world, 120);
    tn_vec3 at = tn_body_get_center(world, body);
    double g = -tn_world_get_gravity(world).y;
    TEST_NEAR(at.x, 1.0 + 3.0 * 2.0, 1e-10);
    TEST_NEAR(at.y, 100.0 + 4.0 * 2.0 - 0.5 * g * 4.0, 1e-9);
    check_unturned(body);
}

Test(particle, takes_forces_at_its_centre_and_no_torque) {
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
    tn_body_id body = make_particle(0.0, 0.0, 0.0, 0.0f);
    tn_vec3 push = {2.0, 0.0, 0.0}, turn = {0.0, 5.0, 0.0};
    tn_vec3 beside = {0.0, 1.0, 0.0};
    tn_body_apply_force_at(world, body, push, beside);
    tn_body_apply_torque(world, body, turn);
    tn_body_apply_angular_impulse(world, body, turn);
    test_step(world, 1);
    TEST_NEAR(tn_body_get_velocity(world, body).linear.x, 2.0 / 60.0, 1e-12);
    tn_body_apply_impulse_at(world, body, push, beside);
    TEST_NEAR(tn_body_get_velocity(world, body).linear.x, 2.0 + 2.0 / 60.0, 1e-12);
    test_step(world, 30);
    check_unturned(body);
    tn_vec3 spin = tn_body_get_angular_momentum(world, body);
    cr_assert(spin.x == 0.0 && spin.y == 0.0 && spin.z == 0.0);
    double v = tn_body_get_velocity(world, body).linear.x;
    TEST_NEAR(tn_body_get_kinetic_energy(world, body), 0.5 * v * v, 1e-12);
    TEST_NEAR(tn_world_get_energy(world).kinetic, 0.5 * v * v, 1e-12);
    cr_assert(reports.count == 0);
}

Test(particle, keeps_to_what_is_locked) {
    tn_body_id body = make_particle(0.0, 0.0, 0.0, 0.0f);
    tn_body_set_locks(world, body, TN_BODY_LOCK_LINEAR_Y | TN_BODY_LOCK_ANGULAR_X);
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {1.0, 2.0, 0.0}});
    test_step(world, 60);
    tn_vec3 at = tn_body_get_center(world, body);
    TEST_NEAR(at.x, 1.0, 1e-12);
    cr_assert(at.y == 0.0);
    check_unturned(body);
}

// ---- how it touches -----------------------------------------------------------------------------

// A block on a plane: from v it comes to rest after v^2 / (2 mu g). A ball would roll on.
Test(particle, slides_to_a_stop) {
    test_floor_create(world);
    tn_body_id body = make_particle(0.0, 0.1, 0.0, 0.1f);
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {3.0, 0.0, 0.0}});
    test_step(world, 120);
    double g = -tn_world_get_gravity(world).y;
    double friction = (double)tn_shape_def_default().material.friction;
    // Of first order in the step: v h / 2.
    TEST_NEAR(tn_body_get_center(world, body).x, 9.0 / (2.0 * friction * g), 3.0 / 240.0);
    TEST_NEAR(tn_body_get_velocity(world, body).linear.x, 0.0, 1e-6);
    TEST_NEAR(tn_body_get_center(world, body).y, 0.1, 0.006); // the slop of contacts
    check_unturned(body);
}

Test(particle, is_pushed_by_a_box_and_pushes_it) {
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
    tn_body_id body = make_particle(0.0, 0.0, 0.0, 0.1f);
    tn_vec3 half = {0.1, 0.1, 0.1};
    tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, -1.0, 0.05, 0.0, half);
    tn_body_set_velocity(world, box, (tn_velocity){.linear = {4.0, 0.0, 0.0}});
    double m = tn_body_get_mass(world, box).mass, before = 4.0 * m;
    test_step(world, 60);
    double p = tn_body_get_linear_momentum(world, body).x,
           q = tn_body_get_linear_momentum(world, box).x;
    cr_assert(p > 1.0, "%g", p);
    TEST_NEAR(p + q, before, 1e-5 * before); // of impulses in float
    check_unturned(body);
}

Test(particle, sleeps_on_the_floor_and_wakes) {
    test_floor_create(world);
    tn_body_id body = make_particle(0.0, 0.1, 0.0, 0.1f);
    test_step(world, 120);
    cr_assert(!tn_body_is_awake(world, body));
    tn_body_apply_impulse(world, body, (tn_vec3){0.0, 10.0, 0.0});
    cr_assert(tn_body_is_awake(world, body));
    test_step(world, 1);
    cr_assert(tn_body_get_velocity(world, body).linear.y > 1.0);
}
