// Function joints between bodies that are given by coordinates and others.
#include "reduced_world.h"

static test_reports reports;

TestSuite(reduced_functions, .timeout = 60);

// An arm by its coordinate, and a free body that hangs on its end by a rod, which a distance joint
// or a function of the two points is.
typedef struct rod_run {
    double angle, x, y, load, gap; // of the arm; of the free body; of the rod, N and m
} rod_run;

static tn_joint_id function_make(tn_world *world, tn_body_id arm, tn_body_id bob, double length) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node p = tn_graph_add_point(graph, 0, (tn_vec3){0.0, -0.2, 0.0});
    tn_node q = tn_graph_add_point(graph, 1, (tn_vec3){0.0, 0.0, 0.0});
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    def.bodies[0] = arm;
    def.bodies[1] = bob;
    def.body_count = 2;
    def.row_count = 1;
    def.nodes[0] = tn_graph_add_difference(graph, tn_graph_add_distance(graph, p, q),
                                           tn_graph_add_number(graph, length));
    tn_joint_id joint = tn_function_joint_create(world, &def);
    cr_assert(joint.value != 0);
    tn_graph_destroy(graph);
    return joint;
}

static tn_joint_id distance_make(tn_world *world, tn_body_id arm, tn_body_id bob, double length) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = arm;
    def.base.body_b = bob;
    def.base.frame_a.position.y = -0.2;
    def.length = (float)length;
    tn_joint_id joint = tn_distance_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

static rod_run swing(bool is_function, tn_solver solver) {
    tn_world *world = test_solver_world_create(solver, &reports);
    reduced_arm arm = {.length = 0.8};
    tn_body_id first = reduced_body_make(world, 2.0, 0.3), bob = reduced_body_make(world, 1.0, 0.1);
    tn_reduced_id id = reduced_arm_make(world, &arm, first, 1.0, 0.0);
    tn_body_set_pose(world, bob, (tn_pose){{sin(1.0), -cos(1.0) - 0.5, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_joint_id joint =
        is_function ? function_make(world, first, bob, 0.5) : distance_make(world, first, bob, 0.5);
    reduced_run(world, 1.0, 240, 2);
    tn_vec3 p = tn_body_get_pose(world, bob).position;
    tn_vec3 force = tn_joint_get_reaction(world, joint).force;
    rod_run run = {reduced_coordinate(world, id, 0), p.x, p.y,
                   sqrt((double)(force.x * force.x + force.y * force.y)), 0.0};
    double q = run.angle;
    run.gap = hypot(p.x - sin(q), p.y + cos(q)) - 0.5;
    if (is_function) {
        TEST_NEAR(fabs((double)tn_function_joint_get_force(world, joint, 0)), run.load,
                  0.05 * run.load);
    }
    test_world_destroy_quiet(world, &reports);
    return run;
}

Test(reduced_functions, rod_by_a_function_is_that_of_a_distance_joint) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
    for (int i = 0; i < 4; ++i) {
        rod_run a = swing(true, solvers[i]), b = swing(false, solvers[i]);
        TEST_NEAR(a.angle, b.angle, 1e-4);
        TEST_NEAR(a.x, b.x, 1e-4);
        TEST_NEAR(a.y, b.y, 1e-4);
        TEST_NEAR(a.load, b.load, 1e-2);
        TEST_NEAR(a.gap, 0.0, 1e-4);
    }
}

// The height of one body alone, as a spring of 300 N/m: it sinks by the weight over that.
Test(reduced_functions, function_of_one_reduced_body_is_a_spring) {
    tn_world *world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
    reduced_arm arm = {.length = 0.8};
    tn_body_id body = reduced_body_make(world, 2.0, 0.3);
    tn_reduced_id id = reduced_arm_make(world, &arm, body, 1.5, 0.0);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node p = tn_graph_add_point(graph, 0, (tn_vec3){0.0, 0.0, 0.0});
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    def.bodies[0] = body;
    def.body_count = def.row_count = 1;
    def.rows[0].kind = TN_CUSTOM_ROW_SPRING;
    def.rows[0].stiffness = 300.0f;
    def.rows[0].damping = 20.0f;
    def.rows[0].max_force = INFINITY;
    def.nodes[0] = tn_graph_add_component(graph, p, 1);
    cr_assert(tn_function_joint_create(world, &def).value != 0);
    tn_graph_destroy(graph);
    reduced_run(world, 10.0, 600, 4);
    TEST_NEAR(reduced_coordinate(world, id, 0), acos(2.0 * REDUCED_GRAVITY / 300.0 / 0.8), 1e-4);
    test_world_destroy_quiet(world, &reports);
}

// Of three bodies, two of which are arms of one object: their heights sum up to what they began
// with. Returns the most that the energy is off, J: it falls with the step, as of joints that are
// swept.
static double swing_three(int steps) {
    tn_world *world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
    reduced_arms arms = {.length = 0.7};
    tn_reduced_id id = reduced_arms_make(world, &arms, 0.6, -0.3);
    tn_body_id bodies[3] = {arms.first, arms.second, reduced_body_make(world, 2.0, 0.1)};
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node sum = tn_graph_add_number(graph, 0.0);
    for (uint32_t i = 0; i < 3; ++i) {
        tn_node point = tn_graph_add_point(graph, i, (tn_vec3){0.0, 0.0, 0.0});
        sum = tn_graph_add_sum(graph, sum, tn_graph_add_component(graph, point, 1));
    }
    double start = 0.0;
    for (int i = 0; i < 3; ++i) {
        start += tn_body_get_pose(world, bodies[i]).position.y;
    }
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    memcpy(def.bodies, bodies, sizeof bodies);
    def.body_count = 3;
    def.row_count = 1;
    def.nodes[0] = tn_graph_add_difference(graph, sum, tn_graph_add_number(graph, start));
    tn_joint_id joint = tn_function_joint_create(world, &def);
    cr_assert(joint.value != 0);
    tn_graph_destroy(graph);
    double energy = reduced_energy(world), moved = 0.0, change = 0.0;
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(world, 2.0 / steps, 2) == TN_RESULT_OK);
        cr_assert(fabs(tn_joint_get_error(world, joint).linear_length) < 1e-3);
        change = fmax(change, fabs(reduced_energy(world) - energy));
        moved = fmax(moved, fabs(reduced_coordinate(world, id, 0) - 0.6));
    }
    cr_assert(moved > 0.3, "%g", moved);
    test_world_destroy_quiet(world, &reports);
    return change;
}

Test(reduced_functions, function_of_three_bodies_holds_over_two_of_one_object) {
    double coarse = swing_three(480), fine = swing_three(960);
    cr_assert(coarse < 0.1 && coarse / fine > 1.9, "%g %g", coarse, fine);
}

// Two heights that sum up, with a third that counts for nothing or without it: a span of its own
// has the same bits as the joint of two bodies.
static double swing_two(uint32_t count) {
    tn_world *world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
    reduced_arms arms = {.length = 0.7};
    tn_reduced_id id = reduced_arms_make(world, &arms, 0.6, -0.3);
    tn_function_joint_def def = tn_function_joint_def_default();
    def.bodies[0] = arms.second;
    def.bodies[1] = reduced_body_make(world, 2.0, 0.1);
    def.bodies[2] = reduced_body_make(world, 2.0, 0.1);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    double start = tn_body_get_pose(world, def.bodies[0]).position.y;
    tn_node sum = tn_graph_add_number(graph, -start);
    for (uint32_t i = 0; i < count; ++i) {
        tn_node point = tn_graph_add_point(graph, i, (tn_vec3){0.0, 0.0, 0.0});
        tn_node share = tn_graph_add_number(graph, i < 2 ? 1.0 : 0.0);
        tn_node height = tn_graph_add_component(graph, point, 1);
        sum = tn_graph_add_sum(graph, sum, tn_graph_add_product(graph, share, height));
    }
    def.graph = graph;
    def.body_count = count;
    def.row_count = 1;
    def.nodes[0] = sum;
    cr_assert(tn_function_joint_create(world, &def).value != 0);
    tn_graph_destroy(graph);
    reduced_run(world, 1.0, 240, 2);
    double angle = reduced_coordinate(world, id, 1);
    test_world_destroy_quiet(world, &reports);
    return angle;
}

Test(reduced_functions, function_of_more_bodies_is_that_of_two) {
    double angle = swing_two(2);
    cr_assert(swing_two(3) == angle && fabs(angle + 0.3) > 0.1, "%g", angle);
}

// A coordinate is led by the time: an arm's end moves 0.3 m/s along x.
Test(reduced_functions, function_of_the_time_leads_an_arm) {
    tn_world *world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
    reduced_arm arm = {.length = 0.8};
    tn_body_id body = reduced_body_make(world, 2.0, 0.3);
    tn_reduced_id id = reduced_arm_make(world, &arm, body, 0.0, 0.0);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node p = tn_graph_add_point(graph, 0, (tn_vec3){0.0, 0.0, 0.0});
    tn_node way =
        tn_graph_add_product(graph, tn_graph_add_number(graph, 0.3), tn_graph_add_time(graph));
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    def.bodies[0] = body;
    def.body_count = def.row_count = 1;
    def.nodes[0] = tn_graph_add_difference(graph, tn_graph_add_component(graph, p, 0), way);
    tn_joint_id joint = tn_function_joint_create(world, &def);
    cr_assert(joint.value != 0);
    tn_graph_destroy(graph);
    reduced_run(world, 1.0, 120, 4);
    TEST_NEAR(reduced_coordinate(world, id, 0), asin(0.3 / 0.8), 1e-4);
    // x'' = 0: the row bears the weight's torque and what turning asks for.
    double q = asin(0.3 / 0.8), w = 0.3 / (0.8 * cos(q)), rise = w * w * tan(q);
    double torque = (2.0 * 0.64 + 0.3) * rise + 2.0 * REDUCED_GRAVITY * 0.8 * sin(q);
    TEST_NEAR(tn_function_joint_get_force(world, joint, 0), torque / (0.8 * cos(q)), 0.05);
    test_world_destroy_quiet(world, &reports);
}

// ---- ropes -------------------------------------------------------------------------------------

static void rise(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    (void)context;
    out->bodies[0].pose.position = (tn_vec3){-0.5, input->coordinates[0], 0.0};
    out->bodies[0].linear[0] = (tn_vec3){0.0, 1.0, 0.0};
}

static tn_joint_id rope_make(tn_world *world, tn_body_id a, tn_body_id b) {
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.point_count = 4;
    def.points[0].body = a;
    def.points[1].position = (tn_vec3){-0.5, 2.0, 0.0};
    def.points[2].position = (tn_vec3){0.5, 2.0, 0.0};
    def.points[3].body = b;
    tn_joint_id rope = tn_rope_joint_create(world, &def);
    cr_assert(rope.value != 0);
    return rope;
}

// Atwood's machine: a weight of 2 kg on a guide, given by its height, against a free one of 3 kg.
Test(reduced_functions, rope_over_a_guided_weight_moves_as_atwood_says) {
    tn_world *world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
    tn_body_id light = reduced_body_make(world, 2.0, 0.1),
               heavy = reduced_body_make(world, 3.0, 0.1);
    tn_body_set_pose(world, heavy, (tn_pose){{0.5, 0.5, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_reduced_def def = tn_reduced_def_default();
    def.body_count = 1;
    def.bodies[0] = light;
    def.function = rise;
    tn_reduced_id id = tn_reduced_create(world, &def);
    tn_joint_id rope = rope_make(world, light, heavy);
    reduced_run(world, 0.5, 60, 4);
    double a = REDUCED_GRAVITY / 5.0, tension = 2.0 * (REDUCED_GRAVITY + a);
    TEST_NEAR(reduced_speed(world, id, 0), 0.5 * a, 1e-3);
    TEST_NEAR(reduced_coordinate(world, id, 0), 0.125 * a, 1e-3);
    TEST_NEAR(tn_body_get_velocity(world, heavy).linear.y, -0.5 * a, 1e-3);
    TEST_NEAR(tn_rope_joint_get_tension(world, rope, 0), tension, 0.02);
    test_world_destroy_quiet(world, &reports);
}

// A rope from the end of an arm over a point to a weight: as with an arm on an exact hinge.
static double haul(bool is_reduced) {
    tn_world *world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
    reduced_arm arm = {.length = 0.8};
    tn_body_id body = reduced_body_make(world, 2.0, 0.3),
               weight = reduced_body_make(world, 1.0, 0.1);
    double x = 0.8 * sin(0.4), y = -0.8 * cos(0.4);
    tn_body_set_pose(world, body, (tn_pose){{x, y, 0.0}, {0.0, 0.0, sin(0.2), cos(0.2)}});
    tn_body_set_pose(world, weight, (tn_pose){{1.5, -0.5, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    if (is_reduced) {
        reduced_arm_make(world, &arm, body, 0.4, 0.0);
    } else {
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        cr_assert(tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, body,
                                          (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
        cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    }
    tn_rope_joint_def rope = tn_rope_joint_def_default();
    rope.point_count = 3;
    rope.points[0].body = body;
    rope.points[1].position = (tn_vec3){1.5, 0.8, 0.0};
    rope.points[2].body = weight;
    cr_assert(tn_rope_joint_create(world, &rope).value != 0);
    reduced_run(world, 0.8, 192, 4);
    tn_vec3 p = tn_body_get_pose(world, body).position;
    test_world_destroy_quiet(world, &reports);
    return atan2(p.x, -p.y);
}

Test(reduced_functions, rope_hauls_an_arm_as_one_on_a_hinge) {
    double angle = haul(true);
    TEST_NEAR(angle, haul(false), 2e-3);
    cr_assert(fabs(angle - 0.4) > 0.05);
}
