// In first-order dynamics what is pushed has the velocity that f = m v says, stops when nothing
// pushes, and comes to rest where springs and joints that contradict each other balance.
#include "tests/world/world_test.h"

#define MOBILITY 0.5 // s
#define GRAVITY  10.0

static tn_world *make_world(tn_solver solver, double gravity, test_reports *reports) {
    tn_world_def def = tn_world_def_default();
    def.dynamics = TN_DYNAMICS_FIRST_ORDER;
    def.mobility = MOBILITY;
    def.solver = solver;
    def.gravity.y = -gravity;
    def.is_sleep_allowed = false;
    return test_def_world_create(def, reports);
}

static tn_body_id make_body(tn_world *world, double x, double y, double mass) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
    tn_mass own = {.mass = mass, .inertia = {.xx = 0.1 * mass, .yy = 0.2 * mass, .zz = 0.1 * mass}};
    tn_body_set_mass(world, body, own);
    return body;
}

static void run(tn_world *world, double hertz, double time) {
    for (int i = 0, steps = (int)lround(time * hertz); i < steps; ++i) {
        cr_assert_eq(tn_world_step(world, 1.0 / hertz, 4), TN_RESULT_OK);
    }
}

static void pin(tn_world *world, tn_body_id a, tn_body_id b, tn_vec3 of_a, tn_vec3 of_b) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a.position = of_a;
    def.base.frame_b.position = of_b;
    cr_assert(tn_ball_joint_create(world, &def).value != 0);
}

static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_CG, TN_SOLVER_DIRECT, TN_SOLVER_AUTO};
#define SOLVERS (sizeof solvers / sizeof *solvers)

// ---- without joints ----------------------------------------------------------------------------

Test(first_order, a_force_makes_a_velocity_and_none_no_velocity) {
    test_reports reports;
    tn_world *world = make_world(TN_SOLVER_AUTO, 0.0, &reports);
    tn_body_id body = make_body(world, 0.0, 0.0, 2.0);
    tn_body_set_linear_velocity(world, body, (tn_vec3){0.0, 7.0, 0.0}); // is not carried on
    for (int i = 0; i < 60; ++i) {
        tn_body_apply_force(world, body, (tn_vec3){4.0, 0.0, 0.0});
        tn_body_apply_torque(world, body, (tn_vec3){0.0, 0.4, 0.0});
        run(world, 60.0, 1.0 / 60.0);
    }
    tn_vec3 center = tn_body_get_center(world, body);
    cr_assert(fabs(center.x - MOBILITY * 4.0 / 2.0) < 1e-12 && center.y == 0.0, "%g", center.x);
    tn_velocity velocity = tn_body_get_velocity(world, body);
    cr_assert(fabs(velocity.linear.x - 1.0) < 1e-6, "%g", velocity.linear.x);
    cr_assert(fabs(velocity.angular.y - MOBILITY * 0.4 / 0.4) < 1e-6, "%g", velocity.angular.y);
    run(world, 60.0, 1.0);
    cr_assert(tn_body_get_center(world, body).x == center.x);
    cr_assert(tn_body_get_velocity(world, body).linear.x == 0.0);
    test_world_destroy_quiet(world, &reports);
}

Test(first_order, weight_pulls_every_body_at_the_same_speed) {
    test_reports reports;
    tn_world *world = make_world(TN_SOLVER_AUTO, GRAVITY, &reports);
    tn_body_id light = make_body(world, 0.0, 0.0, 0.1), heavy = make_body(world, 2.0, 0.0, 100.0);
    tn_body_set_damping(world, heavy, 3.0f, 0.0f);
    run(world, 60.0, 1.0);
    double speed = MOBILITY * GRAVITY, damped = speed / (1.0 + 3.0 * MOBILITY);
    cr_assert(fabs(tn_body_get_center(world, light).y + speed) < 1e-9);
    cr_assert(fabs(tn_body_get_center(world, heavy).y + damped) < 1e-6, "%g",
              tn_body_get_center(world, heavy).y);
    test_world_destroy_quiet(world, &reports);
}

// x' = -T k x / m
Test(first_order, a_spring_decays_exponentially_and_a_stiff_one_is_there_at_once) {
    for (int is_stiff = 0; is_stiff < 2; ++is_stiff) {
        test_reports reports;
        tn_world *world = make_world(TN_SOLVER_AUTO, 0.0, &reports);
        tn_body_id body = make_body(world, 2.0, 0.0, 2.0);
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_b = body;
        def.is_rigid = false;
        def.spring.mode = TN_SPRING_MODE_STIFFNESS;
        def.spring.stiffness = is_stiff ? 1e9f : 4.0f;
        def.spring.rest = 0.5f;
        cr_assert(tn_distance_joint_create(world, &def).value != 0);
        run(world, 60.0, 1.0);
        double expected = is_stiff ? 0.5 : 0.5 + 1.5 * exp(-MOBILITY * 4.0 / 2.0);
        double x = tn_body_get_center(world, body).x;
        cr_assert(fabs(x - expected) < (is_stiff ? 1e-6 : 2e-6), "%.9g for %.9g", x, expected);
        test_world_destroy_quiet(world, &reports);
    }
}

// (m + T c) x' = -T k x, of a force on connectors.
static double relax(double hertz, double stiffness, double damping) {
    test_reports reports;
    tn_world *world = make_world(TN_SOLVER_AUTO, 0.0, &reports);
    tn_spring_force_def def = tn_spring_force_def_default();
    def.base.connectors[0] = def.base.connectors[1] = tn_connector_default();
    def.base.connectors[1].body = make_body(world, 2.0, 0.0, 2.0);
    def.base.connector_count = 2;
    def.spring = (tn_force_spring){.stiffness = stiffness, .damping = damping, .length = 0.5};
    cr_assert(tn_spring_force_create(world, &def).value != 0);
    run(world, hertz, 1.0);
    double x = tn_body_get_center(world, def.base.connectors[1].body).x;
    test_world_destroy_quiet(world, &reports);
    return x - 0.5 - 1.5 * exp(-MOBILITY * stiffness / (2.0 + MOBILITY * damping));
}

Test(first_order, forces_on_connectors_are_implicit_too) {
    const double cases[][2] = {{4.0, 0.0}, {4.0, 2.0}, {40.0, 20.0}, {1e9, 0.0}, {1e9, 1e3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double at_60 = relax(60.0, cases[i][0], cases[i][1]);
        double at_240 = relax(240.0, cases[i][0], cases[i][1]);
        cr_expect(fabs(at_60) < 3e-3, "%zu: %g m", i, at_60);
        cr_expect(fabs(at_240) < 0.3 * fabs(at_60) + 1e-9, "%zu: %g, %g m", i, at_60, at_240);
    }
}

// ---- joints ------------------------------------------------------------------------------------

// theta' = -T m g l sin(theta) / (I + m l^2), so tan(theta / 2) decays exponentially.
static double swing(tn_solver solver, double hertz, double *out_force) {
    test_reports reports;
    tn_world *world = make_world(solver, GRAVITY, &reports);
    tn_body_id body = make_body(world, sin(2.0), -cos(2.0), 2.0);
    pin(world, (tn_body_id){0}, body, (tn_vec3){0.0, 0.0, 0.0},
        (tn_vec3){-sin(2.0), cos(2.0), 0.0});
    run(world, hertz, 1.0);
    tn_vec3 p = tn_body_get_center(world, body);
    tn_joint_id joint;
    tn_world_get_joints(world, &joint, 1);
    *out_force = tn_joint_get_reaction(world, joint).force.y;
    test_world_destroy_quiet(world, &reports);
    double rate = MOBILITY * 2.0 * GRAVITY / (0.2 + 2.0);
    return atan2(p.x, -p.y) - 2.0 * atan(tan(1.0) * exp(-rate));
}

Test(first_order, a_pendulum_sinks_as_its_equation_says) {
    for (size_t i = 0; i < SOLVERS; ++i) {
        double force, at_60 = swing(solvers[i], 60.0, &force);
        cr_expect(fabs(force - 2.0 * GRAVITY) < 0.1, "%zu: %g N", i, force);
        double at_240 = swing(solvers[i], 240.0, &force);
        cr_expect(fabs(at_60) < 1.5e-3, "%zu: %g", i, at_60);
        cr_expect(fabs(at_240) < fabs(at_60) / 3.0, "%zu: %g, %g", i, at_60, at_240);
    }
}

// Three pins of one point at three places: it rests where the squares of the errors are least.
Test(first_order, joints_that_contradict_each_other_end_in_least_squares) {
    for (size_t i = 0; i < SOLVERS; ++i) {
        test_reports reports;
        tn_world *world = make_world(solvers[i], 0.0, &reports);
        tn_body_id body = make_body(world, 0.3, 0.0, 2.0);
        const tn_vec3 zero = {0.0, 0.0, 0.0};
        pin(world, (tn_body_id){0}, body, (tn_vec3){1.0, 0.0, 0.0}, zero);
        pin(world, (tn_body_id){0}, body, (tn_vec3){1.0, 1.0, 0.0}, zero);
        pin(world, (tn_body_id){0}, body, (tn_vec3){0.0, 0.0, 0.0}, zero);
        run(world, 60.0, 1.0);
        tn_vec3 p = tn_body_get_center(world, body);
        cr_expect(fabs(p.x - 2.0 / 3.0) < 1e-5 && fabs(p.y - 1.0 / 3.0) < 1e-5, "%zu: %g, %g", i,
                  p.x, p.y);
        run(world, 60.0, 10.0);
        tn_vec3 later = tn_body_get_center(world, body);
        cr_expect(fabs(later.x - p.x) < 1e-5 && fabs(later.y - p.y) < 1e-5);
        test_world_destroy_quiet(world, &reports);
    }
}

// A platform, and what is pinned to it by a chain.
Test(first_order, what_hangs_on_a_moving_body_follows_and_stops_with_it) {
    for (size_t i = 0; i < SOLVERS; ++i) {
        test_reports reports;
        tn_world *world = make_world(solvers[i], 0.0, &reports);
        tn_body_id hand = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, 0.0, 0.0);
        tn_body_id last = hand;
        for (int k = 1; k <= 5; ++k) {
            tn_body_id link = make_body(world, k, 0.0, 1.0);
            pin(world, last, link, (tn_vec3){k == 1 ? 0.0 : 0.5, 0.0, 0.0},
                (tn_vec3){k == 1 ? -1.0 : -0.5, 0.0, 0.0});
            last = link;
        }
        tn_body_set_linear_velocity(world, hand, (tn_vec3){-1.0, 0.0, 0.0});
        run(world, 60.0, 1.0);
        // Gauss-Seidel's sweeps leave 42 mm of five joints.
        double lag = tn_body_get_center(world, last).x - 4.0;
        cr_expect(fabs(lag) < (solvers[i] == TN_SOLVER_PGS ? 0.05 : 0.02), "%zu: %g", i, lag);
        tn_body_set_linear_velocity(world, hand, (tn_vec3){0.0, 0.0, 0.0});
        run(world, 60.0, 1.0);
        cr_expect(fabs(tn_body_get_velocity(world, last).linear.x) < 1e-6);
        cr_expect(fabs(tn_body_get_center(world, last).x - 4.0) < 1e-3, "%zu: %g", i,
                  tn_body_get_center(world, last).x);
        test_world_destroy_quiet(world, &reports);
    }
}

// ---- contacts ----------------------------------------------------------------------------------

static tn_body_id make_box(tn_world *world, tn_body_type type, double x, double y, tn_vec3 half) {
    tn_body_id body = test_body_create(world, type, x, y, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material.friction = 0.5f;
    def.material.restitution = 0.8f;
    cr_assert(tn_box_shape_create(world, body, &def, half).value != 0);
    return body;
}

// v = T (F - mu m g) / m, and what falls does not bounce.
Test(first_order, a_pushed_box_slides_by_what_friction_leaves) {
    test_reports reports;
    tn_world *world = make_world(TN_SOLVER_AUTO, GRAVITY, &reports);
    make_box(world, TN_BODY_TYPE_STATIC, 0.0, -0.5, (tn_vec3){50.0, 0.5, 50.0});
    tn_body_id box = make_box(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.5, (tn_vec3){0.5, 0.5, 0.5});
    double mass = tn_body_get_mass(world, box).mass;
    run(world, 60.0, 1.0);
    cr_assert(fabs(tn_body_get_center(world, box).y - 0.5) < 0.03, "%g",
              tn_body_get_center(world, box).y);
    for (int push = 0; push < 2; ++push) {
        double share = push == 0 ? 0.4 : 0.9, start = tn_body_get_center(world, box).x;
        for (int i = 0; i < 120; ++i) {
            tn_body_apply_force(world, box, (tn_vec3){(share * mass * GRAVITY), 0.0, 0.0});
            run(world, 60.0, 1.0 / 60.0);
        }
        double way = tn_body_get_center(world, box).x - start;
        double expected = push == 0 ? 0.0 : 2.0 * MOBILITY * (share - 0.5) * GRAVITY;
        cr_assert(fabs(way - expected) < 0.05, "%g: %g m for %g", share, way, expected);
    }
    test_world_destroy_quiet(world, &reports);
}

// ---- settings ----------------------------------------------------------------------------------

Test(first_order, comes_and_goes_while_the_world_runs) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    cr_assert_eq(tn_world_get_dynamics(world), TN_DYNAMICS_SECOND_ORDER);
    cr_assert(tn_world_get_mobility(world) == 1.0);
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
    tn_body_id body = make_body(world, 0.0, 0.0, 1.0);
    tn_body_set_linear_velocity(world, body, (tn_vec3){3.0, 0.0, 0.0});
    run(world, 60.0, 1.0);
    cr_assert(fabs(tn_body_get_center(world, body).x - 3.0) < 1e-6);
    tn_world_set_dynamics(world, TN_DYNAMICS_FIRST_ORDER, 0.25);
    cr_assert(tn_world_get_mobility(world) == 0.25);
    double x = tn_body_get_center(world, body).x;
    tn_world_set_gravity(world, (tn_vec3){1.0, 0.0, 0.0});
    run(world, 60.0, 1.0);
    cr_assert(fabs(tn_body_get_center(world, body).x - x - 0.25) < 1e-9);
    tn_world_set_dynamics(world, TN_DYNAMICS_SECOND_ORDER, 0.25);
    run(world, 60.0, 1.0);
    cr_assert(fabs(tn_body_get_center(world, body).x - x - 0.25 - 0.5) < 1e-6); // from rest
    test_world_destroy_quiet(world, &reports);
}

Test(first_order, refuses_what_makes_no_sense) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; ++i) {
        tn_world_set_dynamics(world, TN_DYNAMICS_FIRST_ORDER, bad[i]);
        cr_assert_eq(reports.last, i < 2 ? TN_RESULT_INVALID_ARGUMENT : TN_RESULT_NOT_FINITE);
        tn_world_def def = tn_world_def_default();
        def.mobility = bad[i];
        tn_result result;
        cr_assert_null(tn_world_create(&def, &result));
        cr_assert_eq(result, reports.last);
    }
    tn_world_set_dynamics(world, (tn_dynamics)2, 1.0);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ARGUMENT);
    cr_assert_eq(reports.count, 5);
    cr_assert_eq(tn_world_get_dynamics(world), TN_DYNAMICS_SECOND_ORDER);
    tn_world_set_dynamics(NULL, TN_DYNAMICS_FIRST_ORDER, 1.0);
    cr_assert(tn_world_get_mobility(NULL) == 0.0);
    tn_world_destroy(world);
}
