// Forces on bodies that are given by generalised coordinates: closed forms, and the same by hinges.
#include "reduced_contacts.h"

static test_reports reports;

TestSuite(reduced_forces, .timeout = 60);

static tn_world *weightless_world_create(void) {
    return contacts_world_create(0.0, 0.0, &reports);
}

// A weight of 2 kg along x, from x = 0.3 m at rest.
static tn_reduced_id slider_make(tn_world *world, tn_body_id *out_body) {
    *out_body = reduced_body_make(world, 2.0, 0.1);
    return contacts_make(world, *out_body, 1, contacts_slider, (double[]){0.3}, NULL);
}

static tn_connector connector_at(tn_body_id body, double x, double y) {
    tn_connector connector = tn_connector_default();
    connector.body = body;
    connector.point = (tn_vec3){x, y, 0.0};
    return connector;
}

static tn_connector world_at(double x, double y) {
    return connector_at((tn_body_id){0}, x, y);
}

static tn_force_id spring_make(tn_world *world, tn_connector a, tn_connector b, double stiffness,
                               double damping, double length) {
    tn_spring_force_def def = tn_spring_force_def_default();
    def.base.connectors[0] = a;
    def.base.connectors[1] = b;
    def.spring = (tn_force_spring){stiffness, damping, length};
    tn_force_id force = tn_spring_force_create(world, &def);
    cr_assert(force.value != 0);
    return force;
}

// w^2 = k/m. Leapfrog is off by (w h)^2 / 24 in phase, 2e-5, and by (w h)^2 / 4 in energy.
Test(reduced_forces, spring_swings_a_slider_by_its_frequency_and_keeps_its_energy) {
    tn_world *world = weightless_world_create();
    tn_body_id body;
    tn_reduced_id id = slider_make(world, &body);
    // To a point 1 m off: along x the pull of a spring of no length is - k x.
    tn_force_id spring =
        spring_make(world, connector_at(body, 0.0, 0.0), world_at(0.0, 1.5), 50.0, 0.0, 0.0);
    double energy = 0.5 * 50.0 * 0.09;
    for (int i = 1; i <= 600; ++i) {
        test_step(world, 1);
        double t = (double)i / 60.0, q = reduced_coordinate(world, id, 0);
        double u = reduced_speed(world, id, 0);
        TEST_NEAR(q, 0.3 * cos(5.0 * t), 2e-3);
        TEST_NEAR(0.5 * 2.0 * u * u + 0.5 * 50.0 * q * q, energy, 1.2e-4 * energy);
    }
    tn_energy total = tn_world_get_energy(world);
    TEST_NEAR(total.force_work, total.kinetic, 1e-6);
    TEST_NEAR(tn_force_get_force(world, spring, 0).x, -50.0 * reduced_coordinate(world, id, 0),
              0.3);
    test_world_destroy_quiet(world, &reports);
}

// x'' = -c/m x' from 1.5 m/s.
Test(reduced_forces, damper_slows_a_slider_by_its_exponential) {
    tn_world *world = weightless_world_create();
    tn_body_id body;
    tn_reduced_id id = slider_make(world, &body);
    tn_reduced_set_speeds(world, id, (double[]){1.5}, 1);
    spring_make(world, connector_at(body, 0.0, 0.0), world_at(-9.0, 0.5), 0.0, 3.0, 0.0);
    reduced_run(world, 1.0, 60, 4);
    TEST_NEAR(reduced_speed(world, id, 0), 1.5 * exp(-1.5), 2e-3);
    test_world_destroy_quiet(world, &reports);
}

// ---- damping -----------------------------------------------------------------------------------

// As a free body's: a half kick divides by 1 + c h/2.
Test(reduced_forces, damping_slows_a_slider_as_a_free_body) {
    tn_world *world = weightless_world_create();
    tn_body_id body;
    tn_reduced_id id = slider_make(world, &body);
    tn_reduced_set_speeds(world, id, (double[]){1.5}, 1);
    tn_body_id free = reduced_body_make(world, 2.0, 0.1);
    tn_body_set_linear_velocity(world, free, (tn_vec3){1.5, 0.0, 0.0});
    tn_body_set_damping(world, body, 2.0f, 0.0f);
    tn_body_set_damping(world, free, 2.0f, 0.0f);
    reduced_run(world, 1.0, 60, 4);
    TEST_NEAR(reduced_speed(world, id, 0), 1.5 * exp(-2.0), 1e-3);
    TEST_NEAR(reduced_speed(world, id, 0), tn_body_get_velocity(world, free).linear.x, 1e-12);
    tn_energy energy = tn_world_get_energy(world);
    TEST_NEAR(energy.damping_work, energy.kinetic - 2.0 * 0.5 * 2.0 * 2.25, 1e-9);
    // However strong it is.
    tn_body_set_damping(world, body, 1e12f, 0.0f);
    test_step(world, 1);
    TEST_NEAR(reduced_speed(world, id, 0), 0.0, 1e-12);
    test_world_destroy_quiet(world, &reports);
}

// Of an arm by (m c l^2 + I c') / (m l^2 + I).
Test(reduced_forces, damping_slows_an_arm_by_both_of_its_kinds) {
    tn_world *world = weightless_world_create();
    reduced_arm arm = {.length = 0.8};
    tn_body_id body = reduced_body_make(world, 2.0, 0.3);
    tn_body_set_damping(world, body, 0.5f, 3.0f);
    tn_reduced_id id = reduced_arm_make(world, &arm, body, 0.0, 2.0);
    reduced_run(world, 1.0, 60, 4);
    double rate = (2.0 * 0.5 * 0.64 + 0.3 * 3.0) / (2.0 * 0.64 + 0.3);
    TEST_NEAR(reduced_speed(world, id, 0), 2.0 * exp(-rate), 1e-3);
    tn_energy energy = tn_world_get_energy(world);
    TEST_NEAR(energy.damping_work, energy.kinetic - 0.5 * 1.58 * 4.0, 1e-6);
    test_world_destroy_quiet(world, &reports);
}

// ---- the same by hinges ------------------------------------------------------------------------

// The same arm by its coordinate, and on a hinge that is closed exactly: its angle.
static double swing(bool is_reduced, bool once, double time) {
    tn_world *world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
    reduced_arm arm = {.length = 0.8};
    tn_body_id body = reduced_body_make(world, 2.0, 0.3);
    if (is_reduced) {
        reduced_arm_make(world, &arm, body, 1.0, 0.0);
    } else {
        double x = 0.8 * sin(1.0), y = -0.8 * cos(1.0);
        tn_body_set_pose(world, body, (tn_pose){{x, y, 0.0}, {0.0, 0.0, sin(0.5), cos(0.5)}});
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        cr_assert(tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, body,
                                          (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
        cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    }
    tn_spring_force_def def = tn_spring_force_def_default();
    def.base.connectors[0] = connector_at(body, 0.1, -0.2);
    def.base.connectors[1] = world_at(1.0, 0.5);
    def.base.acts_once_per_step = once;
    def.spring = (tn_force_spring){40.0, 0.5, 0.6};
    cr_assert(tn_spring_force_create(world, &def).value != 0);
    reduced_run(world, time, (int)(time * 240.0 + 0.5), 2);
    tn_vec3 p = tn_body_get_pose(world, body).position;
    test_world_destroy_quiet(world, &reports);
    return atan2(p.x, -p.y);
}

Test(reduced_forces, spring_swings_an_arm_as_one_on_a_hinge) {
    for (int i = 1; i <= 4; ++i) {
        double time = 0.5 * (double)i;
        TEST_NEAR(swing(true, false, time), swing(false, false, time), 1e-3);
        TEST_NEAR(swing(true, true, time), swing(false, true, time), 2e-3);
    }
}

// Two arms of one object are pulled together; a spring between them and one to a free body.
Test(reduced_forces, forces_between_bodies_keep_their_momentum) {
    tn_world *world = weightless_world_create();
    tn_body_id body;
    tn_reduced_id id = slider_make(world, &body);
    tn_body_id free = reduced_body_make(world, 1.0, 0.1);
    tn_body_set_pose(world, free, (tn_pose){{2.3, 0.5, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    spring_make(world, connector_at(body, 0.0, 0.0), connector_at(free, 0.0, 0.0), 30.0, 0.0, 1.0);
    for (int i = 0; i < 120; ++i) {
        test_step(world, 1);
        double momentum =
            2.0 * reduced_speed(world, id, 0) + tn_body_get_velocity(world, free).linear.x;
        TEST_NEAR(momentum, 0.0, 1e-9);
    }
    test_world_destroy_quiet(world, &reports);
}

// In first-order dynamics a goal is led downhill along what the coordinates let: to the point of
// the circle that is nearest.
Test(reduced_forces, goal_leads_an_arm_to_the_nearest_point_of_its_circle) {
    tn_world *world = weightless_world_create();
    tn_world_set_dynamics(world, TN_DYNAMICS_FIRST_ORDER, 0.5);
    reduced_arm arm = {.length = 0.8};
    tn_body_id body = reduced_body_make(world, 2.0, 0.3);
    tn_reduced_id id = reduced_arm_make(world, &arm, body, 0.2, 0.0);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node sum = tn_graph_add_number(graph, 0.0);
    const double target[2] = {1.0, -0.4};
    for (uint32_t axis = 0; axis < 2; ++axis) {
        tn_node point = tn_graph_add_point(graph, 0, (tn_vec3){0.0, 0.0, 0.0});
        tn_node off = tn_graph_add_sum(graph, tn_graph_add_component(graph, point, axis),
                                       tn_graph_add_number(graph, -target[axis]));
        sum = tn_graph_add_sum(graph, sum, tn_graph_add_product(graph, off, off));
    }
    tn_goal_force_def def = tn_goal_force_def_default();
    def.graph = graph;
    def.node = sum;
    def.goal.strength = 5.0;
    def.base.connector_count = 1;
    def.base.connectors[0].body = body;
    cr_assert(tn_goal_force_create(world, &def).value != 0);
    tn_graph_destroy(graph);
    reduced_run(world, 10.0, 600, 4);
    TEST_NEAR(reduced_coordinate(world, id, 0), atan2(1.0, 0.4), 1e-3);
    test_world_destroy_quiet(world, &reports);
}

// A ball that is half as heavy as water rises along a guide until half of it is out.
Test(reduced_forces, water_lifts_what_is_guided) {
    tn_world *world = contacts_world_create(9.81, 0.0, &reports);
    tn_body_id ball = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, -1.0, 0.0);
    tn_shape_def def = contacts_shape(0.0f, 0.0f);
    def.density = 500.0f;
    cr_assert(tn_sphere_shape_create(world, ball, &def, 0.2f).value != 0);
    tn_reduced_id id = contacts_make(world, ball, 2, contacts_planar, (double[]){0.0, -1.0}, NULL);
    tn_buoyancy_force_def water = tn_buoyancy_force_def_default();
    water.base.connectors[0].body = ball;
    water.base.connector_count = 1;
    water.buoyancy.linear_drag = 20.0;
    cr_assert(tn_buoyancy_force_create(world, &water).value != 0);
    reduced_run(world, 20.0, 1200, 4);
    TEST_NEAR(reduced_coordinate(world, id, 1), 0.0, 1e-3);
    test_world_destroy_quiet(world, &reports);
}
