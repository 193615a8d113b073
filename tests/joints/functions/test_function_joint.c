// A function joint holds what its graph says, of one body or of sixteen, with the force that
// mechanics says, and its bodies live as those of one joint.
#include "function_world.h"
#include "tests/support/budget.h"
#include "tests/support/long_test.h"

#define PI 3.14159265358979323846

static tn_node height_of(tn_graph *graph, uint32_t body) {
    return tn_graph_add_component(graph, center_of(graph, body), 1);
}

// node - number
static tn_node less(tn_graph *graph, tn_node node, double number) {
    return tn_graph_add_difference(graph, node, tn_graph_add_number(graph, number));
}

static tn_function_joint_def def_make(const tn_graph *graph, const tn_body_id *bodies,
                                      uint32_t count, tn_node node) {
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    memcpy(def.bodies, bodies, count * sizeof *bodies);
    def.body_count = count;
    def.row_count = 1;
    def.nodes[0] = node;
    return def;
}

static tn_joint_id joint_of(tn_world *world, const tn_graph *graph, const tn_body_id *bodies,
                            uint32_t count, tn_node node) {
    cr_assert_eq(tn_graph_get_result(graph), TN_RESULT_OK);
    tn_function_joint_def def = def_make(graph, bodies, count, node);
    tn_joint_id joint = tn_function_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

// ---- statics and dynamics ----------------------------------------------------------------------

// A tackle: 2 y_0 + y_1 stays, so that l (4 / m_0 + 1 / m_1) = 3 g for the rope's tension l.
Test(function_joint, pulls_with_the_force_of_a_tackle) {
    tn_world *world = world_make(gravity, NULL);
    const tn_body_id bodies[2] = {body_make(world, 0, 0, 0, 3, 1), body_make(world, 2, 0, 0, 2, 1)};
    tn_graph *graph = graph_make();
    tn_node first = height_of(graph, 0), second = height_of(graph, 1);
    tn_node sum = tn_graph_add_sum(graph, tn_graph_add_sum(graph, first, first), second);
    tn_joint_id joint = joint_of(world, graph, bodies, 2, sum);
    tn_graph_destroy(graph);
    run_for(world, 1.0);
    double tension = 3.0 * 9.81 / (4.0 / 3.0 + 1.0 / 2.0);
    double a_0 = -9.81 + 2.0 * tension / 3.0, a_1 = -9.81 + tension / 2.0;
    double force = (double)tn_function_joint_get_force(world, joint, 0);
    cr_assert(fabs(force - tension) < 1e-5 * tension, "%g N, not %g", force, tension);
    double y_0 = tn_body_get_pose(world, bodies[0]).position.y;
    double y_1 = tn_body_get_pose(world, bodies[1]).position.y;
    // A soft row gives way by g / (2 pi 60 Hz)^2 while its load comes on.
    cr_assert(fabs(y_0 - 0.5 * a_0) < 7e-5 && fabs(y_1 - 0.5 * a_1) < 7e-5, "%g, %g", y_0, y_1);
    tn_world_destroy(world);
}

static double volume_of(tn_world *world, const tn_body_id *bodies) {
    tn_vec3 p[4];
    for (int i = 0; i < 4; ++i) {
        p[i] = tn_body_get_pose(world, bodies[i]).position;
    }
    double m[3][3];
    for (int i = 0; i < 3; ++i) {
        m[i][0] = p[i + 1].x - p[0].x;
        m[i][1] = p[i + 1].y - p[0].y;
        m[i][2] = p[i + 1].z - p[0].z;
    }
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
            m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
            m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])) /
           6.0;
}

static void make_corners(tn_world *world, tn_body_id bodies[4]) {
    bodies[0] = body_make(world, 0, 0, 0, 1, 0.1);
    bodies[1] = body_make(world, 1, 0, 0, 2, 0.1);
    bodies[2] = body_make(world, 0, 1, 0, 3, 0.1);
    bodies[3] = body_make(world, 0, 0, 1, 4, 0.1);
}

static tn_node add_volume(tn_graph *graph) {
    return tn_graph_add_volume(graph, center_of(graph, 0), center_of(graph, 1), center_of(graph, 2),
                               center_of(graph, 3));
}

// Only what the four give each other: momentum, its moment and the energy stay.
Test(function_joint, keeps_the_volume_of_four_bodies_and_what_the_four_have_together) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id bodies[4];
    make_corners(world, bodies);
    tn_body_set_velocity(world, bodies[0], (tn_velocity){.linear = {0.5, -0.2, 0.1}});
    tn_body_set_velocity(world, bodies[3], (tn_velocity){.linear = {0.1, 0.4, -0.3}});
    tn_graph *graph = graph_make();
    tn_node node = less(graph, add_volume(graph), 1.0 / 6.0);
    tn_joint_id joint = joint_of(world, graph, bodies, 4, node);
    tn_graph_destroy(graph);
    run_for(world, 1.0 / 60.0); // the blow that makes the velocities fit
    tn_energy before = tn_world_get_energy(world);
    double worst = 0.0;
    for (int i = 0; i < 300; ++i) {
        run_for(world, 1.0 / 60.0);
        worst = fmax(worst, fabs(volume_of(world, bodies) - 1.0 / 6.0));
    }
    tn_energy after = tn_world_get_energy(world);
    cr_assert(worst < 1e-5, "%g m^3", worst);
    cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-5);
    cr_assert(fabs(after.kinetic - before.kinetic) < 1e-3 * before.kinetic, "%g, %g",
              before.kinetic, after.kinetic);
    double drift = hypot(after.linear_momentum.x - before.linear_momentum.x,
                         after.linear_momentum.y - before.linear_momentum.y);
    // Ten thousand sweeps in float, each with a round-off of 1e-7 N s.
    cr_assert(drift < 5e-5, "%g N s", drift);
    cr_assert(fabs(after.angular_momentum.x - before.angular_momentum.x) < 1e-4 &&
              fabs(after.angular_momentum.z - before.angular_momentum.z) < 1e-4);
    tn_world_destroy(world);
}

// x = A sin(w t): the force is m x'' in the middle of the step, and the speed that of the function.
Test(function_joint, leads_a_body_by_a_function_of_time) {
    const double amplitude = 0.5, omega = 3.0;
    tn_world *world = world_make(weightless, NULL);
    tn_body_id body = body_make(world, 0, 0, 0, 2, 1);
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {amplitude * omega, 0, 0}});
    tn_graph *graph = graph_make();
    tn_node angle =
        tn_graph_add_product(graph, tn_graph_add_number(graph, omega), tn_graph_add_time(graph));
    tn_node way = tn_graph_add_product(graph, tn_graph_add_number(graph, amplitude),
                                       tn_graph_add_sine(graph, angle));
    tn_node x = tn_graph_add_component(graph, center_of(graph, 0), 0);
    tn_joint_id joint = joint_of(world, graph, &body, 1, tn_graph_add_difference(graph, x, way));
    tn_graph_destroy(graph);
    double worst = 0.0, worst_speed = 0.0, worst_force = 0.0;
    for (int i = 1; i <= 240; ++i) {
        run_for(world, 1.0 / 60.0);
        double t = i / 60.0, middle = (i - 0.5) / 60.0;
        tn_vec3 v = tn_body_get_velocity(world, body).linear;
        double at = tn_body_get_pose(world, body).position.x;
        double force = (double)tn_function_joint_get_force(world, joint, 0);
        double expected = -2.0 * amplitude * omega * omega * sin(omega * middle);
        worst = fmax(worst, fabs(at - amplitude * sin(omega * t)));
        worst_speed = fmax(worst_speed, fabs(v.x - amplitude * omega * cos(omega * t)));
        worst_force = fmax(worst_force, fabs(force - expected));
    }
    // A soft row gives way by x'' / (2 pi 60 Hz)^2.
    cr_assert(worst < 3.2e-5, "%g m", worst);
    cr_assert(worst_speed < 1e-5, "%g m/s", worst_speed);
    cr_assert(worst_force < 0.01, "%g N of 9", worst_force);
    tn_world_destroy(world);
}

// A spring on x_0 + x_1 - 2 x_2: its mass is 1 / (1/m_0 + 1/m_1 + 4/m_2).
Test(function_joint, swings_a_spring_of_three_bodies_at_its_frequency) {
    tn_world *world = world_make(weightless, NULL);
    const tn_body_id bodies[3] = {body_make(world, 0.1, 0, 0, 1, 1),
                                  body_make(world, 0, 1, 0, 2, 1), body_make(world, 0, 2, 0, 4, 1)};
    tn_graph *graph = graph_make();
    tn_node x[3];
    for (uint32_t i = 0; i < 3; ++i) {
        x[i] = tn_graph_add_component(graph, center_of(graph, i), 0);
    }
    tn_node sum = tn_graph_add_sum(graph, x[0], x[1]);
    tn_node twice = tn_graph_add_sum(graph, x[2], x[2]);
    tn_node node = tn_graph_add_difference(graph, sum, twice);
    tn_function_joint_def def = def_make(graph, bodies, 3, node);
    def.rows[0].kind = TN_CUSTOM_ROW_SPRING;
    def.rows[0].stiffness = 20.0f;
    tn_joint_id joint = tn_function_joint_create(world, &def);
    tn_graph_destroy(graph);
    double omega = sqrt(20.0 * (1.0 + 0.5 + 1.0));
    for (int i = 1; i <= 120; ++i) {
        run_for(world, 1.0 / 60.0);
        double value = tn_function_joint_get_value(world, joint, node);
        double expected = 0.1 * cos(omega * i / 60.0);
        // The midpoint rule is late by (w h)^2 / 12 of the phase: 2e-3 rad in 2 s.
        cr_assert(fabs(value - expected) < 0.1 * 3e-3 + 1e-5, "%d: %g, not %g", i, value, expected);
    }
    tn_energy energy = tn_world_get_energy(world);
    double sum_of_both = energy.kinetic + energy.elastic;
    cr_assert(fabs(sum_of_both - 0.5 * 20.0 * 0.01) < 1e-4, "%g J", sum_of_both);
    tn_world_destroy(world);
}

// The area of a triangle of loose bodies may shrink to a bound and not below.
Test(function_joint, stops_a_number_at_its_limit) {
    tn_world *world = world_make(weightless, NULL);
    const tn_body_id bodies[3] = {body_make(world, 0, 0, 0, 1, 1), body_make(world, 2, 0, 0, 1, 1),
                                  body_make(world, 1, 2, 0, 1, 1)};
    tn_body_set_velocity(world, bodies[2], (tn_velocity){.linear = {0, -1, 0}});
    tn_graph *graph = graph_make();
    tn_node area =
        tn_graph_add_area(graph, center_of(graph, 0), center_of(graph, 1), center_of(graph, 2));
    tn_node node = less(graph, area, 1.0);
    tn_function_joint_def def = def_make(graph, bodies, 3, node);
    def.rows[0].kind = TN_CUSTOM_ROW_LIMIT;
    tn_joint_id joint = tn_function_joint_create(world, &def);
    run_for(world, 0.5);
    cr_assert(fabs(tn_function_joint_get_value(world, joint, area) - 1.5) < 1e-5);
    cr_assert_eq(tn_function_joint_get_force(world, joint, 0), 0.0f);
    run_for(world, 1.5);
    double least = tn_function_joint_get_value(world, joint, area);
    cr_assert(least > 1.0 - 1e-4, "%g", least);
    // All three share what the third one had.
    double speed = tn_body_get_velocity(world, bodies[2]).linear.y;
    cr_assert(speed > -0.5, "%g", speed);
    tn_graph_destroy(graph);
    tn_world_destroy(world);
}

// A motor turns the angle between two directions of two bodies at its speed, with its cap.
Test(function_joint, drives_a_number_at_a_speed_as_its_cap_allows) {
    tn_world *world = world_make(weightless, NULL);
    const tn_body_id bodies[2] = {body_make(world, 0, 0, 0, 1, 1), body_make(world, 2, 0, 0, 1, 3)};
    tn_graph *graph = graph_make();
    tn_node a = tn_graph_add_direction(graph, 0, (tn_vec3){1, 0, 0});
    tn_node b = tn_graph_add_direction(graph, 1, (tn_vec3){cos(1.0), sin(1.0), 0});
    tn_node angle = tn_graph_add_angle(graph, a, b);
    tn_function_joint_def def = def_make(graph, bodies, 2, angle);
    def.rows[0].kind = TN_CUSTOM_ROW_SPEED;
    def.rows[0].is_angular = true;
    def.rows[0].target_speed = 0.5f;
    def.rows[0].max_force = 0.3f;
    tn_joint_id joint = tn_function_joint_create(world, &def);
    run_for(world, 0.5);
    // 0.3 N m on 1 / (1 / 1 + 1 / 3) kg m^2
    double rate = tn_function_joint_get_rate(world, joint, angle);
    cr_assert(fabs(rate - 0.5 * 0.3 * 4.0 / 3.0) < 1e-4, "%g", rate);
    run_for(world, 2.0);
    rate = tn_function_joint_get_rate(world, joint, angle);
    cr_assert(fabs(rate - 0.5) < 1e-5, "%g", rate);
    tn_graph_destroy(graph);
    tn_world_destroy(world);
}

// Three rows that say: the two points are one. As the ball joint, which pulls back likewise.
Test(function_joint, is_a_ball_joint_where_its_rows_are_those_of_one) {
    tn_vec3 ends[2];
    for (int own = 0; own < 2; ++own) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 1, 0, 0, 2, 0.3);
        tn_joint_id joint;
        if (own) {
            tn_graph *graph = graph_make();
            tn_node pin = tn_graph_add_point(graph, 0, (tn_vec3){-1, 0, 0});
            tn_function_joint_def def = def_make(graph, &body, 1, pin);
            def.row_count = 3;
            for (uint32_t i = 0; i < 3; ++i) {
                def.nodes[i] = tn_graph_add_component(graph, pin, i);
            }
            joint = tn_function_joint_create(world, &def);
            tn_graph_destroy(graph);
            tn_joint_set_solver(world, joint, TN_SOLVER_PGS);
        } else {
            joint = joint_make(world, TN_JOINT_TYPE_BALL, world_body, body, (tn_vec3){0, 0, 0},
                               (tn_vec3){1, 0, 0});
            tn_joint_set_solver(world, joint, TN_SOLVER_PGS);
        }
        run_for(world, 2.0);
        cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-3);
        ends[own] = tn_body_get_pose(world, body).position;
        tn_world_destroy(world);
    }
    double apart = hypot(ends[0].x - ends[1].x, ends[0].y - ends[1].y);
    cr_assert(apart < 1e-4, "%g m", apart);
}

// Of two bodies it is exact where joints are: x y stays while both slide along the curve, and so
// does their energy.
Test(function_joint, is_solved_exactly_where_it_has_two_bodies) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
    const double most[] = {3e-4, 1e-12, 3e-4};
    for (int i = 0; i < 3; ++i) {
        tn_world *world = world_make(weightless, NULL);
        const tn_body_id bodies[2] = {body_make(world, 2, 0, 0, 1, 1),
                                      body_make(world, 0, 0.5, 0, 1, 1)};
        tn_graph *graph = graph_make();
        tn_node x = tn_graph_add_component(graph, center_of(graph, 0), 0);
        tn_node product = tn_graph_add_product(graph, x, height_of(graph, 1));
        tn_function_joint_def def = def_make(graph, bodies, 2, less(graph, product, 1.0));
        def.base.solver = solvers[i];
        tn_joint_id joint = tn_function_joint_create(world, &def);
        tn_graph_destroy(graph);
        // Along the curve: y' = -y x' / x.
        tn_body_set_velocity(world, bodies[0], (tn_velocity){.linear = {-1, 0, 0}});
        tn_body_set_velocity(world, bodies[1], (tn_velocity){.linear = {0, 0.25, 0}});
        double before = tn_world_get_energy(world).kinetic, worst = 0.0;
        for (int k = 0; k < 120; ++k) {
            run_for(world, 1.0 / 60.0);
            worst = fmax(worst, tn_joint_get_error(world, joint).linear_length);
        }
        double after = tn_world_get_energy(world).kinetic;
        cr_assert(worst < most[i], "solver %d: %g m^2", i, worst);
        cr_assert(fabs(after - before) < 2e-3 * before, "solver %d: %g, %g J", i, before, after);
        tn_world_destroy(world);
    }
}

// Sixteen bodies on a ring whose lengths add up to what they were, thrown about.
Test(function_joint, holds_sixteen_bodies_at_once) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id bodies[16];
    tn_graph *graph = graph_make();
    tn_node sum = tn_graph_add_number(graph, 0.0), points[16];
    for (uint32_t i = 0; i < 16; ++i) {
        double angle = 2.0 * PI * i / 16;
        bodies[i] = body_make(world, cos(angle), sin(angle), 0, 1 + i, 0.1);
        tn_body_set_velocity(world, bodies[i],
                             (tn_velocity){.linear = {sin(3.0 * i), cos(5.0 * i), 0.1 * i}});
        points[i] = center_of(graph, i);
    }
    for (uint32_t i = 0; i < 16; ++i) {
        sum = tn_graph_add_sum(graph, sum,
                               tn_graph_add_distance(graph, points[i], points[(i + 1) % 16]));
    }
    tn_node node = less(graph, sum, 32.0 * sin(PI / 16));
    tn_joint_id joint = joint_of(world, graph, bodies, 16, node);
    tn_graph_destroy(graph);
    run_for(world, 2.0);
    double error = tn_joint_get_error(world, joint).linear_length;
    cr_assert(error < 1e-3, "%g m", error);
    cr_assert_eq(tn_function_joint_get_bodies(world, joint, NULL, 0), 16);
    tn_world_destroy(world);
}

// ---- life --------------------------------------------------------------------------------------

Test(function_joint, is_one_joint_to_whoever_counts) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id bodies[4], found[4];
    make_corners(world, bodies);
    tn_graph *graph = graph_make();
    tn_node node = less(graph, add_volume(graph), 1.0 / 6.0);
    tn_joint_id joint = joint_of(world, graph, bodies, 4, node), listed[4];
    tn_graph_destroy(graph);
    cr_assert_eq(tn_world_count_joints(world), 1);
    cr_assert_eq(tn_world_get_joints(world, listed, 4), 1);
    cr_assert_eq(listed[0].value, joint.value);
    for (int i = 0; i < 4; ++i) {
        cr_assert_eq(tn_body_get_joints(world, bodies[i], listed, 4), 1, "%d", i);
        cr_assert_eq(listed[0].value, joint.value);
    }
    cr_assert_eq(tn_joint_get_type(world, joint), TN_JOINT_TYPE_FUNCTION);
    cr_assert_eq(tn_function_joint_get_bodies(world, joint, found, 4), 4);
    cr_assert_eq(found[3].value, bodies[3].value);
    run_for(world, 0.1);
    cr_assert_eq(tn_world_get_telemetry(world).joints, 1);
    cr_assert_eq(tn_world_get_telemetry(world).rows, 1);
    tn_joint_destroy(world, joint);
    cr_assert_eq(tn_world_count_joints(world), 0);
    cr_assert_eq(tn_body_get_joints(world, bodies[0], listed, 4), 0);
    run_for(world, 0.1);
    tn_world_destroy(world);
}

// A first creation has generation 1, so every handle of this world can be made up.
Test(function_joint, has_ties_that_no_made_up_handle_reaches) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id bodies[4];
    for (uint32_t i = 0; i < 4; ++i) {
        bodies[i] = body_make(world, 2.0 * i, 0, 0, 1, 1);
    }
    tn_graph *graph = graph_make();
    tn_node sum = height_of(graph, 0);
    for (uint32_t i = 1; i < 4; ++i) {
        sum = tn_graph_add_sum(graph, sum, height_of(graph, i));
    }
    joint_of(world, graph, bodies, 4, sum);
    uint32_t valid = 0, refused = 0;
    for (uint32_t i = 0; i < 8; ++i) {
        tn_joint_id joint = {1u << 22 | i};
        uint64_t before = tn_world_get_telemetry(world).reports;
        valid += tn_joint_is_valid(world, joint) ? 1 : 0;
        tn_joint_get_error(world, joint);
        tn_function_joint_get_row(world, joint, 0);
        refused += tn_world_get_telemetry(world).reports > before ? 1 : 0;
    }
    cr_assert(valid == 1 && refused == 7, "%u of 8 are joints, %u are refused", valid, refused);
    tn_graph_destroy(graph);
    tn_world_destroy(world);
}

Test(function_joint, goes_with_any_of_its_bodies) {
    for (int gone = 0; gone < 4; ++gone) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id bodies[4];
        make_corners(world, bodies);
        tn_graph *graph = graph_make();
        tn_node node = less(graph, add_volume(graph), 1.0 / 6.0);
        tn_joint_id joint = joint_of(world, graph, bodies, 4, node);
        tn_joint_id other = joint_of(world, graph, bodies, 4, node);
        tn_graph_destroy(graph);
        run_for(world, 0.1);
        tn_joint_destroy(world, other);
        run_for(world, 0.1);
        tn_body_destroy(world, bodies[gone]);
        cr_assert_eq(tn_world_count_joints(world), 0, "%d", gone);
        cr_assert_not(tn_joint_is_valid(world, joint));
        run_for(world, 0.1);
        tn_world_destroy(world);
    }
}

// Four bodies at rest far from each other fall asleep and wake as one; whichever of them is the
// center, or stops being dynamic.
Test(function_joint, lets_its_bodies_sleep_and_wake_together, .timeout = 60) {
    for (int fixed = -1; fixed < 4; ++fixed) {
        tn_world_def def = tn_world_def_default();
        def.gravity = weightless;
        tn_world *world = tn_world_create(&def, NULL);
        tn_body_id bodies[4];
        make_corners(world, bodies);
        tn_graph *graph = graph_make();
        tn_node node = less(graph, add_volume(graph), 1.0 / 6.0);
        joint_of(world, graph, bodies, 4, node);
        tn_graph_destroy(graph);
        run_for(world, 0.1);
        if (fixed >= 0) {
            tn_body_set_type(world, bodies[fixed], TN_BODY_TYPE_STATIC);
        }
        run_for(world, 3.0);
        for (int i = 0; i < 4; ++i) {
            cr_assert(i == fixed || !tn_body_is_awake(world, bodies[i]), "%d %d", fixed, i);
        }
        tn_body_apply_impulse(world, bodies[fixed == 3 ? 2 : 3], (tn_vec3){0.1, 0.2, 0.3});
        run_for(world, 1.0 / 60.0);
        for (int i = 0; i < 4; ++i) {
            cr_assert(i == fixed || tn_body_is_awake(world, bodies[i]), "%d %d", fixed, i);
        }
        run_for(world, 1.0);
        cr_assert(fabs(volume_of(world, bodies) - 1.0 / 6.0) < 1e-4);
        tn_world_destroy(world);
    }
}

Test(function_joint, follows_an_input_that_changes) {
    tn_world *world = world_make(weightless, NULL);
    const tn_body_id bodies[2] = {body_make(world, 0, 0, 0, 1, 1), body_make(world, 1, 0, 0, 1, 1)};
    tn_graph *graph = graph_make();
    tn_node length = tn_graph_add_input(graph, 1.0);
    tn_node d = tn_graph_add_distance(graph, center_of(graph, 0), center_of(graph, 1));
    tn_joint_id joint =
        joint_of(world, graph, bodies, 2, tn_graph_add_difference(graph, d, length));
    run_for(world, 0.5);
    cr_assert_eq(tn_function_joint_get_input(world, joint, length), 1.0);
    for (int i = 1; i <= 60; ++i) {
        tn_function_joint_set_input(world, joint, length, 1.0 + i / 120.0);
        run_for(world, 1.0 / 60.0);
    }
    run_for(world, 1.0);
    double found = tn_function_joint_get_value(world, joint, d);
    cr_assert(fabs(found - 1.5) < 1e-5, "%g", found);
    tn_graph_destroy(graph);
    tn_world_destroy(world);
}

// With a mechanism that is solved exactly, and with workers: the same bits.
static uint64_t hash_of(uint32_t workers, tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    def.solver = solver;
    tn_world *world = tn_world_create(&def, NULL);
    // So many that joints alone would go by parts.
    for (int k = 0; k < 300; ++k) {
        tn_body_id bodies[4];
        for (int i = 0; i < 4; ++i) {
            bodies[i] = body_make(world, i + 5.0 * k, i * i, i & 1, 1 + i, 0.1);
        }
        joint_make(world, TN_JOINT_TYPE_BALL, world_body, bodies[0], (tn_vec3){5.0 * k, 0, 0},
                   (tn_vec3){1, 0, 0});
        joint_make(world, TN_JOINT_TYPE_BALL, bodies[0], bodies[1],
                   (tn_vec3){0.5 + 5.0 * k, 0.5, 0.5}, (tn_vec3){1, 0, 0});
        tn_graph *graph = graph_make();
        joint_of(world, graph, bodies, 4, less(graph, add_volume(graph), -1.0 / 6.0));
        tn_graph_destroy(graph);
    }
    run_for(world, 0.5);
    uint64_t hash = tn_world_get_hash(world);
    tn_telemetry telemetry = tn_world_get_telemetry(world);
    cr_assert(telemetry.worst_joint_linear < 0.05, "%g", telemetry.worst_joint_linear);
    tn_world_destroy(world);
    return hash;
}

LONG_TEST(function_joint, gives_the_same_bits_for_any_number_of_workers, .timeout = 60) {
    cr_assert_eq(hash_of(1, TN_SOLVER_PGS), hash_of(2, TN_SOLVER_PGS));
    cr_assert_eq(hash_of(1, TN_SOLVER_DIRECT), hash_of(3, TN_SOLVER_DIRECT));
    cr_assert_eq(hash_of(1, TN_SOLVER_CG), hash_of(2, TN_SOLVER_CG));
}

Test(function_joint, breaks_where_a_row_pulls_with_more_than_it_may) {
    for (int above = 0; above < 2; ++above) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 2, 1);
        tn_graph *graph = graph_make();
        tn_function_joint_def def = def_make(graph, &body, 1, height_of(graph, 0));
        def.base.break_force = 2.0f * 9.81f * (above ? 1.01f : 0.99f);
        tn_joint_id joint = tn_function_joint_create(world, &def);
        tn_graph_destroy(graph);
        run_for(world, 0.5);
        tn_reaction reaction = tn_joint_get_reaction(world, joint);
        cr_assert_eq(tn_joint_is_valid(world, joint), above == 1, "%d: %g N", above,
                     reaction.force.y);
        tn_world_destroy(world);
    }
}

// ---- misuse ------------------------------------------------------------------------------------

Test(function_joint, refuses_what_makes_no_sense) {
    test_reports reports;
    tn_world *world = world_make(gravity, &reports);
    const tn_body_id bodies[2] = {body_make(world, 0, 0, 0, 1, 1),
                                  static_body_make(world, 1, 0, 0)};
    const tn_body_id twice[2] = {bodies[0], bodies[0]}, stale[2] = {bodies[0], {12345}};
    tn_graph *graph = graph_make(), *broken = graph_make();
    tn_node d = tn_graph_add_distance(graph, center_of(graph, 0), center_of(graph, 1));
    tn_node height = height_of(graph, 0);
    tn_node wild = tn_graph_add_function(graph, inverse, NULL, &height, 1);
    tn_graph_add_number(broken, (double)NAN);
    tn_function_joint_def def = def_make(graph, bodies, 2, d);
    struct {
        tn_function_joint_def def;
        tn_result result;
    } cases[10];
    for (int i = 0; i < 10; ++i) {
        cases[i].def = def;
        cases[i].result = TN_RESULT_INVALID_ARGUMENT;
    }
    cases[0].def.graph = NULL;
    cases[1].def.graph = broken;
    cases[2].def.body_count = 1;
    cases[3].def.body_count = 17;
    cases[4].def.row_count = 0;
    cases[5].def.nodes[0] = center_of(graph, 0);
    cases[6].def.rows[0].stiffness = -1.0f;
    memcpy(cases[7].def.bodies, twice, sizeof twice);
    cases[7].result = TN_RESULT_SAME_BODY;
    memcpy(cases[8].def.bodies, stale, sizeof stale);
    cases[8].result = TN_RESULT_INVALID_ID;
    cases[9].def.nodes[0] = wild;
    cases[9].result = TN_RESULT_NOT_FINITE;
    for (int i = 0; i < 10; ++i) {
        reports.last = TN_RESULT_OK;
        cr_assert_eq(tn_function_joint_create(world, &cases[i].def).value, 0, "case %d", i);
        cr_assert_eq(reports.last, cases[i].result, "case %d: %s", i, tn_result_name(reports.last));
    }
    def.bodies[0] = bodies[1];
    def.bodies[1] = world_body;
    cr_assert_eq(tn_function_joint_create(world, &def).value, 0);
    cr_assert_eq(reports.last, TN_RESULT_NO_DYNAMIC_BODY);
    cr_assert_eq(tn_function_joint_create(world, NULL).value, 0);
    cr_assert_eq(tn_function_joint_create(NULL, &def).value, 0);
    cr_assert_eq(tn_world_count_joints(world), 0);
    tn_graph_destroy(graph);
    tn_graph_destroy(broken);
    tn_world_destroy(world);
}

Test(function_joint, refuses_changes_that_make_no_sense) {
    test_reports reports;
    tn_world *world = world_make(gravity, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 1);
    tn_graph *graph = graph_make();
    tn_node input = tn_graph_add_input(graph, 2.0), height = height_of(graph, 0);
    tn_joint_id joint = joint_of(world, graph, &body, 1, height), none = {0};
    tn_custom_row_def row = tn_function_joint_get_row(world, joint, 0);
    cr_assert_eq(row.kind, TN_CUSTOM_ROW_EQUALITY);
    tn_function_joint_set_input(world, joint, height, 1.0);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ARGUMENT);
    tn_function_joint_set_input(world, joint, input, (double)INFINITY);
    cr_assert_eq(reports.last, TN_RESULT_NOT_FINITE);
    cr_assert_eq(tn_function_joint_get_input(world, joint, input), 2.0);
    tn_function_joint_set_row(world, joint, 1, row);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ARGUMENT);
    reports.last = TN_RESULT_OK;
    row.damping = (float)NAN;
    tn_function_joint_set_row(world, joint, 0, row);
    cr_assert_eq(reports.last, TN_RESULT_NOT_FINITE);
    reports.last = TN_RESULT_OK;
    row.damping = 0.0f;
    row.kind = TN_CUSTOM_ROW_SPRING;
    tn_function_joint_set_row(world, joint, 0, row);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ARGUMENT);
    tn_function_joint_get_force(world, none, 0);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ID);
    cr_assert_eq(tn_function_joint_get_force(world, joint, 99), 0.0f);
    cr_assert_eq(tn_function_joint_get_value(world, joint, (tn_node){999}), 0.0);
    cr_assert_eq(tn_function_joint_get_value(NULL, joint, height), 0.0);
    tn_graph_destroy(graph);
    tn_world_destroy(world);
}

// A row that stops being a number does nothing from then on, and the world says so.
Test(function_joint, does_no_harm_where_its_function_gives_nonsense) {
    test_reports reports;
    tn_world *world = world_make(gravity, &reports);
    tn_body_id body = body_make(world, 0, 1, 0, 1, 1);
    tn_graph *graph = graph_make();
    tn_node height = height_of(graph, 0);
    tn_node wild = tn_graph_add_function(graph, inverse, NULL, &height, 1);
    tn_function_joint_def def = def_make(graph, &body, 1, wild);
    def.rows[0].kind = TN_CUSTOM_ROW_LIMIT;
    cr_assert(tn_function_joint_create(world, &def).value != 0);
    tn_graph_destroy(graph);
    run_for(world, 1.0);
    cr_assert_eq(reports.last, TN_RESULT_NOT_FINITE);
    tn_vec3 end = tn_body_get_pose(world, body).position;
    cr_assert(isfinite(end.y) && end.y < -3.0, "%g", end.y);
    tn_world_destroy(world);
}

// ---- memory ------------------------------------------------------------------------------------

// However little there is, a joint is made whole or not at all.
Test(function_joint, is_whole_or_not_there_when_memory_ends) {
    bool was_made = false;
    for (int most = 0; most < 60 && !was_made; ++most) {
        test_budget = 1000;
        tn_world_def def = tn_world_def_default();
        def.alloc = test_alloc;
        def.free = test_free;
        tn_world *world = tn_world_create(&def, NULL);
        tn_body_id bodies[4];
        make_corners(world, bodies);
        tn_graph *graph = graph_make();
        tn_node node = less(graph, add_volume(graph), 1.0 / 6.0);
        tn_function_joint_def joint = def_make(graph, bodies, 4, node);
        test_budget = most;
        was_made = tn_function_joint_create(world, &joint).value != 0;
        test_budget = 1000;
        cr_assert_eq(tn_world_count_joints(world), was_made ? 1 : 0);
        run_for(world, 0.1);
        cr_assert(!was_made || fabs(volume_of(world, bodies) - 1.0 / 6.0) < 1e-5);
        tn_graph_destroy(graph);
        tn_world_destroy(world);
        cr_assert_eq(test_taken, 0);
    }
    cr_assert(was_made);
}

// ---- sleep and callbacks -----------------------------------------------------------------------

// A kinematic body that stands still is awake when the dynamic ones have fallen asleep.
Test(function_joint, sleeps_beside_a_kinematic_body_that_is_awake) {
    tn_world_def world_def = tn_world_def_default();
    world_def.gravity = weightless;
    tn_world *world = tn_world_create(&world_def, NULL);
    tn_body_id bodies[4];
    make_corners(world, bodies);
    tn_body_set_type(world, bodies[1], TN_BODY_TYPE_KINEMATIC);
    tn_body_set_sleep_allowed(world, bodies[1], false);
    tn_graph *graph = graph_make();
    joint_of(world, graph, bodies, 4, less(graph, add_volume(graph), 1.0 / 6.0));
    run_for(world, 2.0);
    cr_assert_not(tn_body_is_awake(world, bodies[0]));
    cr_assert_not(tn_body_is_awake(world, bodies[3]));
    cr_assert(tn_body_is_awake(world, bodies[1]));
    cr_assert(fabs(volume_of(world, bodies) - 1.0 / 6.0) < 1e-9);
    tn_graph_destroy(graph);
    tn_world_destroy(world);
}

typedef struct reader {
    tn_world *world;
    tn_joint_id joint;
    float force;
} reader;

static void read_force(const tn_force_input *input, tn_force_output *out_output, void *context) {
    (void)input, (void)out_output;
    reader *own = context;
    own->force = tn_function_joint_get_force(own->world, own->joint, 0);
}

// Reading the force evaluates the graph, and writes what the step works with.
Test(function_joint, gives_no_force_inside_a_callback) {
    test_reports reports;
    tn_world *world = world_make(gravity, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 1);
    tn_graph *graph = graph_make();
    reader own = {world, joint_of(world, graph, &body, 1, height_of(graph, 0)), 0.0f};
    tn_force_def def = tn_force_def_default();
    def.base.connectors[0].body = body;
    def.base.connector_count = 1;
    def.function = read_force;
    def.function_user_data = &own;
    cr_assert(tn_force_create(world, &def).value != 0);
    run_for(world, 0.1);
    cr_assert_eq(reports.last, TN_RESULT_WORLD_LOCKED);
    cr_assert(own.force == 0.0f);
    cr_assert(fabsf(tn_function_joint_get_force(world, own.joint, 0)) > 1.0f);
    tn_graph_destroy(graph);
    tn_world_destroy(world);
}
