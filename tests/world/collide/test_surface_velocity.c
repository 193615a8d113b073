// Surfaces that move along their bodies. What lies on a conveyor that runs at u moves, seen from
// the conveyor, as it would on still ground if it were thrown at -u: each solver must agree with
// itself.
#include "tests/world/world_test.h"

static test_reports reports;

#define BELT_SPEED 1.5

// ---- the conveyor, and the still ground -------------------------------------------------------

// What is put on the ground.
typedef enum cargo {
    CARGO_BOX,
    CARGO_BALL,
    CARGO_ROLLER, // a ball with rolling resistance
    CARGO_TRAIN,  // two boxes on a hinge
    CARGO_CHAIN,  // three on rods, a loop of joints with the first
    CARGO_JELLY,  // an affine box
    CARGO_BOUNCER,
    CARGO_STACK,
    CARGO_COUNT
} cargo;

static tn_body_id add_box(tn_world *world, double x, double y, tn_vec3 v) {
    tn_body_id body =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_body_set_linear_velocity(world, body, v);
    return body;
}

static tn_body_id add_slab(tn_world *world, double y, tn_vec3 v) {
    tn_body_id body =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, y, 0.0, (tn_vec3){1.5, 0.25, 0.5});
    tn_body_set_linear_velocity(world, body, v);
    return body;
}

static void tie(tn_world *world, tn_body_id a, tn_body_id b, double x) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, 0.5, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
}

static tn_body_id add_ball(tn_world *world, double y, tn_vec3 v, tn_material material) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, y, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    tn_sphere_shape_create(world, body, &def, 0.5f);
    tn_body_set_linear_velocity(world, body, v);
    return body;
}

static tn_body_id add_cargo(tn_world *world, cargo what, tn_vec3 v) {
    tn_material material = tn_material_default();
    switch (what) {
    case CARGO_BALL:
        return add_ball(world, 0.5, v, material);
    case CARGO_ROLLER:
        material.rolling_resistance = 0.01f;
        return add_ball(world, 0.5, v, material);
    case CARGO_BOUNCER:
        material.restitution = 0.6f;
        return add_ball(world, 2.0, v, material);
    case CARGO_TRAIN: {
        tn_body_id first = add_box(world, 0.0, 0.5, v);
        tie(world, first, add_box(world, 1.2, 0.5, v), 0.6);
        return first;
    }
    case CARGO_CHAIN: {
        tn_body_id first = add_box(world, 0.0, 0.5, v), second = add_box(world, 1.2, 0.5, v);
        tn_body_id third = add_box(world, 2.4, 0.5, v);
        tie(world, first, second, 0.6);
        tie(world, second, third, 1.8);
        tn_distance_joint_def rod = tn_distance_joint_def_default();
        rod.base.body_a = first;
        rod.base.body_b = third;
        rod.base.frame_a.position.y = rod.base.frame_b.position.y = 0.4;
        rod.length = 2.4f;
        cr_assert(tn_distance_joint_create(world, &rod).value != 0);
        return first;
    }
    case CARGO_JELLY: {
        tn_affine_def def = tn_affine_def_default();
        def.body = add_box(world, 0.0, 0.5, v);
        cr_assert(tn_affine_create(world, &def).value != 0);
        return def.body;
    }
    case CARGO_STACK:
        add_slab(world, 0.25, v);
        add_slab(world, 0.75, v);
        return add_slab(world, 1.25, v);
    default:
        return add_box(world, 0.0, 0.5, v);
    }
}

static tn_world *make_world(tn_solver solver, bool has_ledger) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.is_sleep_allowed = false;
    def.has_energy_ledger = has_ledger;
    return test_def_world_create(def, &reports);
}

static tn_shape_id add_ground(tn_world *world, tn_surface_velocity surface) {
    tn_body_id ground = test_body_create(world, TN_BODY_TYPE_STATIC, 1.0, -0.5, 2.0);
    tn_shape_def def = tn_shape_def_default();
    def.surface_velocity = surface;
    return tn_box_shape_create(world, ground, &def, (tn_vec3){50.0, 0.5, 20.0});
}

// How far what lies on the conveyor is from what was thrown, seen from the conveyor, at most.
static double compare(tn_solver solver, cargo what, int steps) {
    tn_surface_velocity surface = {.linear = {BELT_SPEED, 0.0, 0.0}};
    tn_world *belt = make_world(solver, false), *still = make_world(solver, false);
    add_ground(belt, surface);
    add_ground(still, (tn_surface_velocity){0});
    tn_body_id carried = add_cargo(belt, what, (tn_vec3){0.0, 0.0, 0.0});
    tn_body_id thrown = add_cargo(still, what, (tn_vec3){-BELT_SPEED, 0.0, 0.0});
    double most = 0.0;
    for (int step = 1; step <= steps; ++step) {
        test_step(belt, 1);
        test_step(still, 1);
        tn_vec3 p = tn_body_get_center(belt, carried), q = tn_body_get_center(still, thrown);
        double way = BELT_SPEED * step / 60.0;
        most = fmax(most, fabs(p.x - way - q.x) + fabs(p.y - q.y) + fabs(p.z - q.z));
    }
    if (what == CARGO_BOX || what == CARGO_TRAIN || what == CARGO_STACK) {
        double v = tn_body_get_linear_velocity(belt, carried).x;
        cr_assert(fabs(v - BELT_SPEED) < 2e-5, "solver %d, cargo %d: %.9g m/s", solver, what, v);
    }
    tn_world_destroy(belt);
    tn_world_destroy(still);
    return most;
}

// Bodies take other places in the two worlds, so only rounding differs. A jelly swings while it
// slides, and doubles what rounding left with each swing: it is compared for its first half.
Test(surface_velocity, is_as_if_the_cargo_were_thrown) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        for (cargo what = CARGO_BOX; what < CARGO_COUNT; ++what) {
            double off = compare(solver, what, what == CARGO_JELLY ? 25 : 90);
            double most = what == CARGO_STACK ? 2e-3 : 1e-5; // still stacks sink less: see stacks.c
            cr_assert(off < most, "solver %d, cargo %d: %g m", solver, what, off);
        }
    }
    cr_assert(reports.count == 0);
}

// ---- what it does ------------------------------------------------------------------------------

Test(surface_velocity, of_a_turntable_keeps_a_box_in_its_circle) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        tn_world *world = make_world(solver, true);
        add_ground(world, (tn_surface_velocity){.angular = {0.0, 1.0, 0.0}}); // about (1, 0, 2)
        tn_body_id box = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 2.0, 0.25, 2.0);
        tn_shape_def def = tn_shape_def_default();
        tn_box_shape_create(world, box, &def, (tn_vec3){0.25, 0.25, 0.25});
        test_step(world, 60);
        tn_vec3 p = tn_body_get_pose(world, box).position;
        double radius = hypot(p.x - 1.0, p.z - 2.0);
        test_step(world, 377); // a turn
        p = tn_body_get_pose(world, box).position;
        tn_velocity v = tn_body_get_velocity(world, box);
        TEST_NEAR(hypot(p.x - 1.0, p.z - 2.0), radius, 2e-3);
        TEST_NEAR(v.angular.y, 1.0, 1e-4);
        TEST_NEAR(hypot(v.linear.x, v.linear.z), radius, 2e-3);
        tn_world_destroy(world);
    }
}

// A solid ball that is set down on a conveyor gets 2/7 of its speed.
Test(surface_velocity, rolls_a_ball_at_two_sevenths) {
    tn_world *world = make_world(TN_SOLVER_AUTO, false);
    add_ground(world, (tn_surface_velocity){.linear = {BELT_SPEED, 0.0, 0.0}});
    tn_body_id ball = add_cargo(world, CARGO_BALL, (tn_vec3){0.0, 0.0, 0.0});
    test_step(world, 120);
    tn_velocity v = tn_body_get_velocity(world, ball);
    TEST_NEAR(v.linear.x, 2.0 / 7.0 * BELT_SPEED, 5e-5);
    TEST_NEAR(v.angular.z, 5.0 / 7.0 * BELT_SPEED / 0.5, 2e-4);
    tn_world_destroy(world);
}

// A tank is a dynamic body whose own surface moves: it drives off against the ground, and one that
// is held pushes the ground's box away.
Test(surface_velocity, of_a_dynamic_body_drives_it) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        tn_world *world = make_world(solver, false);
        add_ground(world, (tn_surface_velocity){0});
        tn_body_id tank = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0);
        tn_shape_def def = tn_shape_def_default();
        def.surface_velocity.linear.x = -2.0;
        tn_box_shape_create(world, tank, &def, (tn_vec3){1.0, 0.5, 0.5});
        tn_body_id load = test_box_create(world, TN_BODY_TYPE_DYNAMIC, -8.0, 0.25, 0.0,
                                          (tn_vec3){0.25, 0.25, 0.25});
        test_step(world, 120);
        tn_velocity v = tn_body_get_velocity(world, tank);
        TEST_NEAR(v.linear.x, 2.0, 1e-5);
        TEST_NEAR(v.angular.z, 0.0, 1e-5);
        TEST_NEAR(tn_body_get_linear_velocity(world, load).x, 0.0, 1e-6);
        tn_world_destroy(world);
    }
}

// A machine on a conveyor is fed by it: no balance takes its speed, and the ledger closes.
Test(surface_velocity, is_energy_that_the_ledger_knows) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        tn_world *world = make_world(solver, true);
        add_ground(world, (tn_surface_velocity){.linear = {BELT_SPEED, 0.0, 0.0}});
        tn_body_id first = add_cargo(world, CARGO_TRAIN, (tn_vec3){0.0, 0.0, 0.0});
        test_step(world, 90);
        tn_energy energy = tn_world_get_energy(world);
        TEST_NEAR(tn_body_get_linear_velocity(world, first).x, BELT_SPEED, 2e-5);
        double sum = energy.gravity_work + energy.motor_work + energy.spring_work +
                     energy.force_work + energy.joint_work + energy.friction_work +
                     energy.impact_work + energy.damping_work;
        TEST_NEAR(sum, energy.kinetic, 1e-3 * energy.kinetic);
        TEST_NEAR(energy.friction_work, energy.kinetic, 1e-2 * energy.kinetic);
        tn_world_destroy(world);
    }
}

Test(surface_velocity, keeps_what_it_carries_awake_and_wakes_it) {
    tn_world *world = test_world_create(&reports);
    tn_shape_id belt = add_ground(world, (tn_surface_velocity){0});
    tn_body_id box = add_box(world, 0.0, 0.5, (tn_vec3){0.0, 0.0, 0.0});
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, box));
    tn_surface_velocity slow = {.linear = {0.01, 0.0, 0.0}};
    cr_assert(tn_shape_set_surface_velocity(world, belt, slow) == TN_RESULT_OK);
    cr_assert(tn_shape_get_surface_velocity(world, belt).linear.x == 0.01);
    cr_assert(tn_body_is_awake(world, box));
    test_step(world, 300);
    cr_assert(tn_body_is_awake(world, box));
    TEST_NEAR(tn_body_get_pose(world, box).position.x, 0.05, 1e-4);
    tn_shape_set_surface_velocity(world, belt, (tn_surface_velocity){0});
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, box));
    tn_shape_set_surface_velocity(world, belt, (tn_surface_velocity){0}); // as it is
    cr_assert_not(tn_body_is_awake(world, box));
    TEST_REPORTS(&reports,
                 tn_shape_set_surface_velocity(world, belt,
                                               (tn_surface_velocity){.angular = {0.0, NAN, 0.0}}),
                 TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_shape_get_surface_velocity(world, (tn_shape_id){0}),
                 TN_RESULT_INVALID_ID);
    tn_world_destroy(world);
}

// With static friction a box that the belt has caught keeps to it, and one that it drags slides.
Test(surface_velocity, judges_slip_against_the_surface) {
    tn_world *world = make_world(TN_SOLVER_AUTO, false);
    tn_shape_id belt = add_ground(world, (tn_surface_velocity){.linear = {BELT_SPEED, 0.0, 0.0}});
    tn_material material = tn_material_default();
    material.friction = 0.3f;
    material.static_friction = 0.9f;
    material.friction_combine = TN_COMBINE_MINIMUM;
    tn_shape_set_material(world, belt, material);
    tn_body_id box = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.25, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    tn_box_shape_create(world, box, &def, (tn_vec3){0.5, 0.25, 0.5});
    test_step(world, 12);
    TEST_NEAR(tn_body_get_linear_velocity(world, box).x, 0.3 * 9.81 * 0.2, 2e-3); // it slides
    test_step(world, 60);
    TEST_NEAR(tn_body_get_linear_velocity(world, box).x, BELT_SPEED, 1e-4);
    tn_world_destroy(world);
}
