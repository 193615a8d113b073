// Joints that are switched off and on: off they do nothing and let their bodies touch, on again
// they start as new ones.
#include "joint_world.h"

static tn_world *world;
static test_reports reports;
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_z = {0.0, 0.0, 1.0};

static void setup(void) {
    world = world_make(gravity, &reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(joint_enabled, .init = setup, .fini = teardown);

// Of every type: the body falls as if there were none, g t^2 / 2 in 0.5 s, and no reaction is left.
Test(joint_enabled, a_disabled_joint_of_any_type_does_nothing) {
    const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
    for (int k = 0; k < 4; ++k) {
        tn_world_set_solver(world, solvers[k]);
        for (int type = 0; type < JOINT_TYPES; ++type) {
            tn_body_id body = body_make(world, 0.3, 0.0, 0.0, 2.0, 0.5);
            tn_joint_id joint =
                joint_make(world, (tn_joint_type)type, world_body, body, origin, axis_z);
            run(world, 0.2, 60.0, 4);
            cr_assert(tn_joint_is_enabled(world, joint));
            cr_assert(tn_joint_set_enabled(world, joint, false) == TN_RESULT_OK);
            cr_assert(!tn_joint_is_enabled(world, joint));
            tn_body_set_velocity(world, body, (tn_velocity){{0, 0, 0}, {0, 0, 0}});
            double before = tn_body_get_center(world, body).y;
            tn_reaction reaction = tn_joint_get_reaction(world, joint);
            cr_assert(reaction.force.y == 0.0 && reaction.torque.z == 0.0, "type %d", type);
            run(world, 0.5, 60.0, 4);
            double fallen = before - tn_body_get_center(world, body).y;
            cr_assert_float_eq(fallen, 0.5 * 9.81 * 0.25, 1e-4, "type %d, solver %d: %g", type, k,
                               fallen);
            reaction = tn_joint_get_reaction(world, joint);
            cr_assert(reaction.force.y == 0.0 && tn_joint_get_motor_effort(world, joint) == 0.0f);
            tn_body_destroy(world, body);
        }
    }
    cr_assert(reports.count == 0);
}

// A motor holds a level arm of 2 kg by 1 m: m g r until it is switched off, nothing from then on.
Test(joint_enabled, a_motor_that_is_switched_off_has_no_effort) {
    tn_body_id arm = body_make(world, 1.0, 0.0, 0.0, 2.0, 0.5);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    set_frames(world, &def.base, world_body, arm, origin, axis_z);
    def.motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .max_force = INFINITY};
    tn_joint_id joint = tn_hinge_joint_create(world, &def);
    run(world, 0.2, 60.0, 4);
    cr_assert_float_eq(tn_joint_get_motor_effort(world, joint), 19.62f, 1e-3f);
    tn_joint_set_enabled(world, joint, false);
    cr_assert(tn_joint_get_motor_effort(world, joint) == 0.0f);
    tn_joint_set_enabled(world, joint, true);
    cr_assert(tn_joint_get_motor_effort(world, joint) == 0.0f);
}

// A pendulum is let go and caught again where it is: the hinge pulls it back and holds.
Test(joint_enabled, an_enabled_joint_holds_again) {
    const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS};
    for (int k = 0; k < 2; ++k) {
        tn_world_set_solver(world, solvers[k]);
        tn_body_id body = body_make(world, 0.0, -1.0, 0.0, 2.0, 0.5);
        tn_joint_id joint =
            joint_make(world, TN_JOINT_TYPE_HINGE, world_body, body, origin, axis_z);
        run(world, 0.5, 60.0, 4);
        tn_joint_set_enabled(world, joint, false);
        run(world, 0.1, 60.0, 4);
        cr_assert(tn_joint_get_error(world, joint).linear_length > 0.04);
        tn_joint_set_enabled(world, joint, true);
        run(world, 2.0, 60.0, 4);
        cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-3);
        cr_assert(fabs(tn_joint_get_reaction(world, joint).force.y - 19.62) < 15.0);
        tn_body_destroy(world, body);
    }
}

// Two boxes in one place, joined: apart as soon as the joint is off, one again when it is on.
Test(joint_enabled, the_bodies_touch_while_the_joint_is_off) {
    tn_world_set_gravity(world, origin);
    tn_body_id a = body_make(world, 0.0, 0.0, 0.0, 1.0, 0.2);
    tn_body_id b = body_make(world, 0.3, 0.0, 0.0, 1.0, 0.2);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, a, &shape, (tn_vec3){0.25, 0.25, 0.25});
    tn_box_shape_create(world, b, &shape, (tn_vec3){0.25, 0.25, 0.25});
    tn_joint_id joint = joint_make(world, TN_JOINT_TYPE_FIXED, a, b, origin, axis_z);
    run(world, 0.5, 60.0, 4);
    cr_assert_float_eq(tn_body_get_center(world, b).x - tn_body_get_center(world, a).x, 0.3, 1e-6);
    cr_assert(tn_world_count_contacts(world) == 0);
    tn_joint_set_enabled(world, joint, false);
    run(world, 2.0, 60.0, 4);
    double apart = tn_body_get_center(world, b).x - tn_body_get_center(world, a).x;
    cr_assert(apart > 0.49, "%g", apart);
    tn_joint_set_enabled(world, joint, true);
    cr_assert(tn_world_count_contacts(world) == 0);
    run(world, 2.0, 60.0, 4);
    cr_assert_float_eq(tn_body_get_center(world, b).x - tn_body_get_center(world, a).x, 0.3, 1e-3);
}

// The clutch of a gearbox: wheels that turn apart while the gear is off mesh as they stand then.
Test(joint_enabled, a_gear_meshes_as_its_wheels_stand) {
    tn_world_set_gravity(world, origin);
    tn_body_id a = body_make(world, 0.0, 0.0, 0.0, 1.0, 0.5);
    tn_body_id b = body_make(world, 1.0, 0.0, 0.0, 1.0, 0.5);
    joint_make(world, TN_JOINT_TYPE_HINGE, world_body, a, origin, axis_z);
    joint_make(world, TN_JOINT_TYPE_HINGE, world_body, b, (tn_vec3){1.0, 0.0, 0.0}, axis_z);
    tn_gear_joint_def def = tn_gear_joint_def_default();
    set_frames(world, &def.base, a, b, origin, axis_z);
    def.base.frame_b.position = origin;
    def.ratio = 1.0;
    tn_joint_id gear = tn_gear_joint_create(world, &def);
    tn_joint_set_enabled(world, gear, false);
    tn_body_set_angular_velocity(world, a, (tn_vec3){0.0, 0.0, 2.0});
    run(world, 1.0, 60.0, 4);
    cr_assert_float_eq(tn_body_get_velocity(world, b).angular.z, 0.0, 1e-9);
    tn_joint_set_enabled(world, gear, true);
    run(world, 1.0, 60.0, 4);
    tn_vec3 of_a = tn_body_get_velocity(world, a).angular,
            of_b = tn_body_get_velocity(world, b).angular;
    cr_assert_float_eq(fabs(of_a.z), 1.0, 0.02, "%g %g", of_a.z, of_b.z);
    cr_assert_float_eq(fabs(of_b.z), 1.0, 0.02, "%g %g", of_a.z, of_b.z);
    cr_assert(fabs(tn_gear_joint_get_phase_error(world, gear)) < 1e-3);
}

// What sleeps on it wakes when it goes, and a value that stays wakes nobody.
Test(joint_enabled, switching_wakes_the_bodies_and_setting_what_is_does_not) {
    tn_body_id body = body_make(world, 0.0, -1.0, 0.0, 2.0, 0.5);
    tn_joint_id joint = joint_make(world, TN_JOINT_TYPE_FIXED, world_body, body, origin, axis_z);
    run(world, 2.0, 60.0, 4);
    tn_body_set_awake(world, body, false);
    tn_joint_set_enabled(world, joint, true);
    cr_assert(!tn_body_is_awake(world, body));
    tn_joint_set_enabled(world, joint, false);
    cr_assert(tn_body_is_awake(world, body));
    run(world, 0.5, 60.0, 4);
    cr_assert(tn_body_get_center(world, body).y < -2.0);
    // Asleep and awake again beside it, it stays off.
    tn_body_set_awake(world, body, false);
    tn_body_set_awake(world, body, true);
    double before = tn_body_get_center(world, body).y;
    run(world, 0.5, 60.0, 4);
    cr_assert(tn_body_get_center(world, body).y < before - 1.0);
    tn_joint_destroy(world, joint);
    cr_assert(tn_world_count_joints(world) == 0 && reports.count == 0);
}

Test(joint_enabled, a_bad_handle_is_refused) {
    tn_joint_id none = {0};
    cr_assert(tn_joint_set_enabled(world, none, false) == TN_RESULT_INVALID_ID);
    cr_assert(!tn_joint_is_enabled(world, none));
    cr_assert(!tn_joint_is_enabled(NULL, none));
    cr_assert(tn_joint_set_enabled(NULL, none, true) == TN_RESULT_INVALID_ARGUMENT);
}
