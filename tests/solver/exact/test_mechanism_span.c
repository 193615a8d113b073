// Rows of several bodies, and of the time, in mechanisms: closed like those of joints, with the
// forces that mechanics says.
#include "tests/solver/exact/span_world.h"

#define PI 3.14159265358979323846

// Five functions of three bodies each share five bodies, so that all are tied to each other.
Test(mechanism_span, keeps_five_numbers_that_share_their_bodies, .timeout = 60) {
    static const uint32_t ends[5][3] = {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 0}, {4, 0, 2}};
    tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
    tn_body_id bodies[5];
    corners_make(world, bodies);
    bodies[4] = body_make(world, 1, 1, 1, 5, 0.1);
    tn_joint_id joints[5];
    for (uint32_t i = 0; i < 5; ++i) {
        const tn_body_id three[3] = {bodies[ends[i][0]], bodies[ends[i][1]], bodies[ends[i][2]]};
        tn_graph *graph = graph_make();
        tn_node way = tn_graph_add_sum(
            graph, tn_graph_add_distance(graph, center_of(graph, 0), center_of(graph, 1)),
            tn_graph_add_distance(graph, center_of(graph, 1), center_of(graph, 2)));
        double length = 0.0;
        for (uint32_t k = 0; k < 2; ++k) {
            double square = 0.0;
            for (uint32_t axis = 0; axis < 3; ++axis) {
                double d = at(world, three[k], axis) - at(world, three[k + 1], axis);
                square += d * d;
            }
            length += sqrt(square);
        }
        tn_node node = tn_graph_add_difference(graph, way, number(graph, length));
        joints[i] = joint_of(world, graph, three, 3, &node, 1);
    }
    tn_body_set_velocity(world, bodies[0], (tn_velocity){.linear = {0.5, -0.2, 0.1}});
    tn_body_set_velocity(world, bodies[4], (tn_velocity){.linear = {-0.3, 0.4, 0.2}});
    for (int i = 0; i < 120; ++i) {
        run_for(world, 1.0 / 60.0);
        for (uint32_t k = 0; k < 5; ++k) {
            double open = tn_joint_get_error(world, joints[k]).linear_length;
            cr_assert(open < 1e-9, "step %d, number %u: %g m", i, k, open);
        }
    }
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1 && info.rows == 5);
    tn_world_destroy(world);
}

// Thrown about, one of them led by a hand along a circle in part of the way.
Test(mechanism_span, keeps_a_volume_under_every_exact_solver, .timeout = 60) {
    const tn_solver solvers[] = {TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
    for (uint32_t s = 0; s < 3; ++s) {
        tn_world *world = world_with(gravity, solvers[s]);
        tn_body_id bodies[4];
        corners_make(world, bodies);
        tn_body_set_velocity(world, bodies[0], (tn_velocity){.linear = {0.5, -0.2, 0.1}});
        tn_body_set_velocity(world, bodies[3], (tn_velocity){.linear = {0.1, 0.4, -0.3}});
        volume_make(world, bodies, 1);
        double worst = 0.0;
        for (int i = 0; i < 300; ++i) {
            if (i == 120) {
                tn_body_set_type(world, bodies[1], TN_BODY_TYPE_KINEMATIC);
            }
            if (i >= 120) {
                double turn = i / 60.0;
                tn_body_set_velocity(world, bodies[1],
                                     (tn_velocity){.linear = {sin(turn), cos(turn), 0}});
            }
            run_for(world, 1.0 / 60.0);
            worst = fmax(worst, fabs(volume_of(world, bodies) - 1.0 / 6.0));
        }
        cr_assert(worst < 1e-9, "solver %d: %g m^3", (int)solvers[s], worst);
        tn_mechanism_info info;
        cr_assert_eq(tn_world_get_mechanisms(world, &info, 1), 1);
        cr_assert_eq(info.method, TN_MECHANISM_METHOD_DIRECT);
        cr_assert_eq(info.joints, 1);
        cr_assert_eq(info.rows, 1);
        tn_world_destroy(world);
    }
}

// For a minute: the first step is the blow that makes the velocities fit.
Test(mechanism_span, loses_no_energy_and_no_momentum_in_a_minute, .timeout = 60) {
    tn_world *world = world_with(weightless, TN_SOLVER_DIRECT);
    tn_body_id bodies[4];
    corners_make(world, bodies);
    tn_body_set_velocity(world, bodies[0], (tn_velocity){.linear = {0.05, -0.02, 0.01}});
    tn_body_set_velocity(world, bodies[3],
                         (tn_velocity){.linear = {0.01, 0.04, -0.03}, .angular = {1, 2, 3}});
    volume_make(world, bodies, 1);
    run_for(world, 1.0 / 60.0);
    tn_energy before = tn_world_get_energy(world);
    run_for(world, 60.0);
    tn_energy after = tn_world_get_energy(world);
    cr_assert(fabs(after.kinetic - before.kinetic) < 1e-6 * before.kinetic, "%g of %g J",
              after.kinetic - before.kinetic, before.kinetic);
    const double *p[2] = {&before.linear_momentum.x, &after.linear_momentum.x};
    const double *l[2] = {&before.angular_momentum.x, &after.angular_momentum.x};
    for (int c = 0; c < 3; ++c) {
        cr_assert(fabs(p[1][c] - p[0][c]) < 1e-12, "%g N s", p[1][c] - p[0][c]);
        cr_assert(fabs(l[1][c] - l[0][c]) < 1e-7, "%g N m s", l[1][c] - l[0][c]);
    }
    cr_assert(fabs(volume_of(world, bodies) - 1.0 / 6.0) < 1e-9);
    tn_world_destroy(world);
}

// The same row twice, in one joint or in two: half of the force each, and no other motion.
Test(mechanism_span, shares_a_load_between_rows_that_say_the_same, .timeout = 60) {
    double ends[3];
    for (uint32_t twice = 0; twice < 3; ++twice) {
        tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
        tn_body_id bodies[4];
        corners_make(world, bodies);
        tn_body_set_type(world, bodies[0], TN_BODY_TYPE_STATIC);
        tn_joint_id joint = volume_make(world, bodies, twice == 1 ? 2 : 1);
        if (twice == 2) {
            volume_make(world, bodies, 1);
        }
        tn_body_set_velocity(world, bodies[1], (tn_velocity){.linear = {0, 0, 0.3}});
        run_for(world, 1.0);
        ends[twice] = at(world, bodies[3], 1);
        double force = (double)tn_function_joint_get_force(world, joint, 0);
        cr_assert(isfinite(force) && fabs(force) < 1e4, "%u: %g N", twice, force);
        cr_assert(fabs(volume_of(world, bodies) - 1.0 / 6.0) < 1e-9);
        tn_world_destroy(world);
    }
    cr_assert(fabs(ends[1] - ends[0]) < 1e-7 && fabs(ends[2] - ends[0]) < 1e-7, "%g, %g",
              ends[1] - ends[0], ends[2] - ends[0]);
}

// Rows that cannot be closed together are left where least squares leave them: nothing moves, and
// no force grows.
Test(mechanism_span, stands_between_rows_that_contradict_each_other) {
    tn_world *world = world_with(weightless, TN_SOLVER_DIRECT);
    tn_body_id bodies[3];
    for (uint32_t i = 0; i < 3; ++i) {
        bodies[i] = body_make(world, 0, 0, i, 1, 1);
    }
    for (uint32_t k = 0; k < 2; ++k) {
        tn_graph *graph = graph_make();
        tn_node sum = number(graph, k == 0 ? 0.01 : -0.01);
        for (uint32_t i = 0; i < 3; ++i) {
            sum = tn_graph_add_sum(graph, sum, along(graph, i, 1));
        }
        joint_of(world, graph, bodies, 3, &sum, 1);
    }
    run_for(world, 1.0);
    for (uint32_t i = 0; i < 3; ++i) {
        double y = at(world, bodies[i], 1), v = tn_body_get_velocity(world, bodies[i]).linear.y;
        cr_assert(fabs(y) < 1e-6 && fabs(v) < 1e-6, "%g m, %g m/s", y, v);
    }
    tn_world_destroy(world);
}

// ---- a tackle ----------------------------------------------------------------------------------

// Atwood's machine whose one side carries a second one: y_0 + 2 y_1 + y_2 stays with
// y_1 the movable pulley. Its tension l: a_i = c_i l / m_i - g, sum c_i a_i = 0, c = (1, 2, 1):
// l (1/m_0 + 4/m_1 + 1/m_2) = 4 g.
Test(mechanism_span, pulls_with_the_force_of_a_tackle_of_three_bodies) {
    const double c[3] = {1, 2, 1}, m[3] = {2, 3, 5};
    tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
    tn_body_id bodies[3];
    tn_graph *graph = graph_make();
    tn_node sum = number(graph, 0.0);
    for (uint32_t i = 0; i < 3; ++i) {
        bodies[i] = body_make(world, i, 0, 0, m[i], 1);
        tn_node part = tn_graph_add_product(graph, number(graph, c[i]), along(graph, i, 1));
        sum = tn_graph_add_sum(graph, sum, part);
    }
    tn_joint_id joint = joint_of(world, graph, bodies, 3, &sum, 1);
    run_for(world, 1.0);
    double tension = 4.0 * 9.81 / (1 / m[0] + 4 / m[1] + 1 / m[2]);
    double force = (double)tn_function_joint_get_force(world, joint, 0);
    cr_assert(fabs(force - tension) < 1e-6 * tension, "%.9g N, not %.9g", force, tension);
    for (uint32_t i = 0; i < 3; ++i) {
        double a = c[i] * tension / m[i] - (double)9.81f;
        double y = at(world, bodies[i], 1), v = tn_body_get_velocity(world, bodies[i]).linear.y;
        cr_assert(fabs(y - 0.5 * a) < 1e-6 && fabs(v - a) < 1e-6, "%u: %g m, %g m/s", i,
                  y - 0.5 * a, v - a);
    }
    tn_world_destroy(world);
}

// ---- the time ----------------------------------------------------------------------------------

// The mean of the bodies' x is A sin(w t), of one body as of three: with all masses alike each goes
// so, and the force is n m x'' / n.
Test(mechanism_span, leads_bodies_by_a_function_of_time, .timeout = 60) {
    const double amplitude = 0.5, omega = 3.0;
    for (uint32_t n = 1; n <= 3; ++n) {
        tn_world *world = world_with(weightless, TN_SOLVER_DIRECT);
        tn_body_id bodies[3];
        tn_graph *graph = graph_make();
        tn_node sum = number(graph, 0.0);
        for (uint32_t i = 0; i < n; ++i) {
            bodies[i] = body_make(world, 0, i, 0, 2, 1);
            tn_body_set_velocity(world, bodies[i],
                                 (tn_velocity){.linear = {amplitude * omega, 0, 0}});
            tn_node part = tn_graph_add_product(graph, number(graph, 1.0 / n), along(graph, i, 0));
            sum = tn_graph_add_sum(graph, sum, part);
        }
        tn_node angle = tn_graph_add_product(graph, number(graph, omega), tn_graph_add_time(graph));
        tn_node way =
            tn_graph_add_product(graph, number(graph, amplitude), tn_graph_add_sine(graph, angle));
        tn_node node = tn_graph_add_difference(graph, sum, way);
        tn_joint_id joint = joint_of(world, graph, bodies, n, &node, 1);
        double worst = 0.0, worst_speed = 0.0, worst_force = 0.0;
        for (int i = 1; i <= 240; ++i) {
            run_for(world, 1.0 / 60.0);
            double t = i / 60.0, middle = (i - 0.5) / 60.0;
            double force = (double)tn_function_joint_get_force(world, joint, 0);
            double expected = -2.0 * n * amplitude * omega * omega * sin(omega * middle);
            worst_force = fmax(worst_force, fabs(force - expected));
            for (uint32_t k = 0; k < n; ++k) {
                double speed = tn_body_get_velocity(world, bodies[k]).linear.x;
                worst = fmax(worst, fabs(at(world, bodies[k], 0) - amplitude * sin(omega * t)));
                worst_speed = fmax(worst_speed, fabs(speed - amplitude * omega * cos(omega * t)));
            }
        }
        cr_assert(worst < 1e-12, "%u: %g m", n, worst);
        cr_assert(worst_speed < 1e-12, "%u: %g m/s", n, worst_speed);
        // The mean over a step is that of the middle but for (w dt)^2 / 24.
        cr_assert(worst_force < 1.1e-4 * 9.0 * n, "%u: %g N", n, worst_force);
        tn_world_destroy(world);
    }
}

// ---- beside joints -----------------------------------------------------------------------------

// Three pendulums whose heights, or hanging down whose ways aside, add up to what they were. The
// hinges' joints, and then that of the row.
typedef struct pendulums {
    tn_body_id bodies[3];
    tn_joint_id joints[4];
} pendulums;

static pendulums pendulums_make(tn_world *world, bool hangs) {
    pendulums p;
    tn_graph *graph = graph_make();
    tn_node sum = number(graph, hangs ? -9.0 : 0.0);
    for (uint32_t i = 0; i < 3; ++i) {
        double x = 3.0 * i;
        p.bodies[i] = body_make(world, x + (hangs ? 0.0 : 1.0), hangs ? -1.0 : 0.0, 0, 1 + i, 0.1);
        p.joints[i] = joint_make(world, TN_JOINT_TYPE_HINGE, world_body, p.bodies[i],
                                 (tn_vec3){x, 0, 0}, (tn_vec3){0, 0, 1});
        sum = tn_graph_add_sum(graph, sum, along(graph, i, hangs ? 0 : 1));
    }
    p.joints[3] = joint_of(world, graph, p.bodies, 3, &sum, 1);
    return p;
}

// Hinges and the row are closed, and the energy stays.
Test(mechanism_span, goes_with_hinges, .timeout = 60) {
    tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
    pendulums p = pendulums_make(world, false);
    const tn_body_id *bodies = p.bodies;
    tn_body_set_velocity(world, bodies[0],
                         (tn_velocity){.linear = {0, 1, 0}, .angular = {0, 0, 1}});
    run_for(world, 1.0 / 60.0);
    double before = energy_of(world), worst = 0.0, drift = 0.0;
    for (int i = 0; i < 600; ++i) {
        run_for(world, 1.0 / 60.0);
        double sum = at(world, bodies[0], 1) + at(world, bodies[1], 1) + at(world, bodies[2], 1);
        worst = fmax(worst, fabs(sum));
        worst = fmax(worst, tn_world_get_telemetry(world).worst_joint_linear);
        drift = fmax(drift, fabs(energy_of(world) - before));
    }
    cr_assert(worst < 1e-9, "%g m", worst);
    cr_assert(drift < 2e-3, "%g J", drift);
    tn_mechanism_info info[2];
    cr_assert_eq(tn_world_get_mechanisms(world, info, 2), 1);
    cr_assert_eq(info[0].joints, 4);
    cr_assert_eq(info[0].rows, 16);
    tn_world_destroy(world);
}

// What hinge and row push a pendulum with is what its momentum gains. At 20 rad/s a part of that
// comes with the projection of the velocities.
Test(mechanism_span, pushes_with_what_momenta_gain, .timeout = 60) {
    tn_world *world = world_with(weightless, TN_SOLVER_DIRECT);
    pendulums p = pendulums_make(world, false);
    tn_body_set_velocity(world, p.bodies[0],
                         (tn_velocity){.linear = {0, 20, 0}, .angular = {0, 0, 20}});
    run_for(world, 1.0 / 60.0);
    double worst = 0.0, greatest = 0.0;
    for (int i = 0; i < 60; ++i) {
        tn_velocity before[3];
        for (uint32_t k = 0; k < 3; ++k) {
            before[k] = tn_body_get_velocity(world, p.bodies[k]);
        }
        run_for(world, 1.0 / 60.0);
        double row = (double)tn_function_joint_get_force(world, p.joints[3], 0);
        for (uint32_t k = 0; k < 3; ++k) {
            tn_vec3 v = tn_body_get_velocity(world, p.bodies[k]).linear;
            tn_vec3 force = tn_joint_get_reaction(world, p.joints[k]).force;
            double m = 1.0 + k, x = 60.0 * m * (v.x - before[k].linear.x);
            double y = 60.0 * m * (v.y - before[k].linear.y);
            worst = fmax(worst, hypot(x - (double)force.x, y - row - (double)force.y));
            greatest = fmax(greatest, hypot((double)force.x, (double)force.y));
        }
    }
    cr_assert(greatest > 100.0 && worst < 1e-6 * greatest, "%g of %g N", worst, greatest);
    tn_world_destroy(world);
}

// A wheel with so many arms that it keeps a node of its own, pairs of them joined by rods so that
// legs hang between hubs: the arms' heights add up to nothing.
Test(mechanism_span, goes_with_hubs, .timeout = 60) {
    tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
    tn_body_id wheel = body_make(world, 0, 0, 0, 10, 5), arms[8];
    tn_graph *graph = graph_make();
    tn_node sum = number(graph, 0.0);
    joint_make(world, TN_JOINT_TYPE_HINGE, world_body, wheel, (tn_vec3){0, 0, 0},
               (tn_vec3){0, 1, 0});
    for (uint32_t i = 0; i < 8; ++i) {
        double angle = 2.0 * PI * i / 8, c = cos(angle), s = sin(angle);
        arms[i] = body_make(world, 2 * c, 0, 2 * s, 1 + 0.1 * i, 0.1);
        joint_make(world, TN_JOINT_TYPE_HINGE, wheel, arms[i], (tn_vec3){c, 0, s},
                   (tn_vec3){-s, 0, c});
        sum = tn_graph_add_sum(graph, sum, along(graph, i, 1));
        if (i % 2 == 1) {
            tn_distance_joint_def rod = tn_distance_joint_def_default();
            rod.base.body_a = arms[i - 1];
            rod.base.body_b = arms[i];
            rod.length = (float)(4.0 * sin(PI / 8.0));
            cr_assert(tn_distance_joint_create(world, &rod).value != 0);
        }
    }
    joint_of(world, graph, arms, 8, &sum, 1);
    tn_body_set_velocity(world, wheel, (tn_velocity){.angular = {0, 2, 0}});
    run_for(world, 1.0 / 60.0);
    double before = energy_of(world), worst = 0.0, drift = 0.0;
    for (int i = 0; i < 300; ++i) {
        run_for(world, 1.0 / 60.0);
        double heights = 0.0;
        for (int k = 0; k < 8; ++k) {
            heights += at(world, arms[k], 1);
        }
        worst = fmax(worst, fabs(heights));
        worst = fmax(worst, tn_world_get_telemetry(world).worst_joint_linear);
        drift = fmax(drift, fabs(energy_of(world) - before));
    }
    cr_assert(worst < 1e-9, "%g m", worst);
    cr_assert(drift < 1e-3 * fabs(before), "%g of %g J", drift, before);
    tn_mechanism_info info;
    cr_assert_eq(tn_world_get_mechanisms(world, &info, 1), 1);
    cr_assert_eq(info.failures, 0);
    tn_world_destroy(world);
}

// What touches other things too: four corners that are balls fall on the ground and stay of one
// volume, through the bounce and at rest.
Test(mechanism_span, keeps_a_volume_that_falls_on_the_ground, .timeout = 60) {
    tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
    tn_body_id bodies[4], ground = static_body_make(world, 0, -2, 0);
    corners_make(world, bodies);
    tn_shape_def shape = tn_shape_def_default();
    cr_assert(tn_half_space_shape_create(world, ground, &shape).value != 0);
    for (int i = 0; i < 4; ++i) {
        cr_assert(tn_sphere_shape_create(world, bodies[i], &shape, 0.1f).value != 0);
    }
    volume_make(world, bodies, 1);
    double worst = 0.0, lowest = 0.0;
    for (int i = 0; i < 240; ++i) {
        run_for(world, 1.0 / 60.0);
        worst = fmax(worst, fabs(volume_of(world, bodies) - 1.0 / 6.0));
        for (int k = 0; k < 4; ++k) {
            lowest = fmin(lowest, at(world, bodies[k], 1) + 2.0 - 0.1);
        }
    }
    cr_assert(worst < 1e-9, "%g m^3", worst);
    cr_assert(lowest > -0.01, "%g m", lowest);
    tn_world_destroy(world);
}

// ---- limits ------------------------------------------------------------------------------------

// A triangle whose area may shrink to a bound: it stops there, keeps to it and opens again.
Test(mechanism_span, stops_a_number_at_its_limit) {
    tn_world *world = world_with(weightless, TN_SOLVER_DIRECT);
    const tn_body_id bodies[3] = {body_make(world, 0, 0, 0, 1, 1), body_make(world, 2, 0, 0, 1, 1),
                                  body_make(world, 1, 2, 0, 1, 1)};
    tn_body_set_velocity(world, bodies[2], (tn_velocity){.linear = {0, -1, 0}});
    tn_graph *graph = graph_make();
    tn_node area =
        tn_graph_add_area(graph, center_of(graph, 0), center_of(graph, 1), center_of(graph, 2));
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    memcpy(def.bodies, bodies, sizeof bodies);
    def.body_count = 3;
    def.row_count = 1;
    def.nodes[0] = tn_graph_add_difference(graph, area, number(graph, 1.0));
    def.rows[0].kind = TN_CUSTOM_ROW_LIMIT;
    tn_joint_id joint = tn_function_joint_create(world, &def);
    run_for(world, 0.5);
    cr_assert(fabs(tn_function_joint_get_value(world, joint, area) - 1.5) < 1e-12);
    double least = 1.5, energy = energy_of(world);
    for (int i = 0; i < 90; ++i) {
        run_for(world, 1.0 / 60.0);
        least = fmin(least, tn_function_joint_get_value(world, joint, area));
        double now = energy_of(world);
        cr_assert(now < energy + 1e-12, "%g J", now - energy);
        energy = now;
    }
    cr_assert(least > 1.0 - 1e-9 && least < 1.0 + 1e-3, "%g", least);
    tn_body_set_velocity(world, bodies[2], (tn_velocity){.linear = {0, 2, 0}});
    run_for(world, 0.5);
    cr_assert(tn_function_joint_get_value(world, joint, area) > 1.3);
    cr_assert_eq(tn_function_joint_get_force(world, joint, 0), 0.0f);
    tn_graph_destroy(graph);
    tn_world_destroy(world);
}

// The mean height of two bodies is no less than a bound that rises at 1 m/s and, from the middle of
// the tenth step on, falls at 5 m/s: from then on they fly freely.
Test(mechanism_span, lets_go_of_a_number_whose_limit_retreats_within_a_step) {
    const uint32_t substeps = 16;
    const double dt = 1.0 / 60.0, turn = 9.5 * dt - 1e-9; // at the end of a substep
    tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
    const tn_body_id bodies[2] = {body_make(world, 0, 0, 0, 1, 1), body_make(world, 2, 0, 0, 1, 1)};
    for (uint32_t i = 0; i < 2; ++i) {
        tn_body_set_velocity(world, bodies[i], (tn_velocity){.linear = {0, 1, 0}});
    }
    tn_graph *graph = graph_make();
    tn_node sum = tn_graph_add_sum(graph, along(graph, 0, 1), along(graph, 1, 1));
    tn_node mean = tn_graph_add_product(graph, number(graph, 0.5), sum);
    tn_node time = tn_graph_add_time(graph);
    tn_node down = tn_graph_add_product(graph, number(graph, -5.0), time);
    tn_node falling = tn_graph_add_sum(graph, down, number(graph, 6.0 * turn));
    tn_node bound = tn_graph_add_minimum(graph, time, falling);
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    memcpy(def.bodies, bodies, sizeof bodies);
    def.body_count = 2;
    def.row_count = 1;
    def.nodes[0] = tn_graph_add_difference(graph, mean, bound);
    def.rows[0].kind = TN_CUSTOM_ROW_LIMIT;
    cr_assert(tn_function_joint_create(world, &def).value != 0);
    tn_graph_destroy(graph);
    for (int i = 0; i < 9; ++i) {
        cr_assert_eq(tn_world_step(world, dt, substeps), TN_RESULT_OK);
    }
    cr_assert(fabs(tn_body_get_velocity(world, bodies[0]).linear.y - 1.0) < 1e-9);
    cr_assert_eq(tn_world_step(world, dt, substeps), TN_RESULT_OK);
    double speed = tn_body_get_velocity(world, bodies[0]).linear.y, free = 1.0 - 9.81 * 0.5 * dt;
    // The end of that substep is on the bound: its speed is off by 12e-9 m over the substep.
    cr_assert(fabs(speed - free) < 2e-5, "%g m/s, not %g", speed, free);
    tn_world_destroy(world);
}

// Sums of distances and their squares between points of up to sixteen bodies thrown about,
// equalities and limits: they are closed and give no energy.
static double unit(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static tn_vec3 any_of(uint64_t *state, double size) {
    tn_vec3 any;
    any.x = size * (2.0 * unit(state) - 1.0);
    any.y = size * (2.0 * unit(state) - 1.0);
    any.z = size * (2.0 * unit(state) - 1.0);
    return any;
}

static tn_node any_sum(tn_graph *graph, uint32_t bodies, uint64_t *state) {
    tn_node sum = number(graph, 0.0);
    for (uint32_t i = 0; i + 1 < bodies; ++i) {
        tn_node a = tn_graph_add_point(graph, i, any_of(state, 1.0));
        tn_node b = tn_graph_add_point(graph, i + 1, any_of(state, 1.0));
        tn_node d = tn_graph_add_distance(graph, a, b);
        d = unit(state) < 0.3 ? tn_graph_add_product(graph, d, d) : d;
        sum = unit(state) < 0.7 ? tn_graph_add_sum(graph, sum, d)
                                : tn_graph_add_difference(graph, sum, d);
    }
    return sum;
}

Test(mechanism_span, closes_what_is_thrown_about_and_gives_no_energy, .timeout = 60) {
    for (uint64_t seed = 0; seed < 60; ++seed) {
        uint64_t state = seed * 7919 + 1;
        tn_world *world = world_with(weightless, TN_SOLVER_DIRECT);
        tn_body_id bodies[16];
        uint32_t count = 3 + (uint32_t)(14.0 * unit(&state));
        for (uint32_t i = 0; i < count; ++i) {
            tn_vec3 p = any_of(&state, 3.0);
            bodies[i] = body_make(world, p.x, p.y, p.z, pow(10.0, 3.0 * unit(&state) - 1.5),
                                  0.1 + unit(&state));
            tn_velocity velocity = {any_of(&state, 3.0), any_of(&state, 3.0)};
            tn_body_set_velocity(world, bodies[i], velocity);
        }
        tn_graph *graph = graph_make();
        tn_function_joint_def def = tn_function_joint_def_default();
        def.graph = graph;
        memcpy(def.bodies, bodies, count * sizeof *bodies);
        def.body_count = count;
        def.row_count = 1;
        tn_node sum = any_sum(graph, count, &state), start = tn_graph_add_input(graph, 0.0);
        def.nodes[0] = tn_graph_add_difference(graph, sum, start);
        def.rows[0].kind = seed % 2 == 0 ? TN_CUSTOM_ROW_EQUALITY : TN_CUSTOM_ROW_LIMIT;
        tn_joint_id joint = tn_function_joint_create(world, &def);
        cr_assert(joint.value != 0);
        tn_function_joint_set_input(world, joint, start,
                                    tn_function_joint_get_value(world, joint, sum));
        double before = tn_world_get_energy(world).kinetic;
        for (int i = 0; i < 60; ++i) {
            run_for(world, 1.0 / 60.0);
            double error = tn_joint_get_error(world, joint).linear_length;
            cr_assert(error < 1e-9, "%d: %g", (int)seed, error);
        }
        double after = tn_world_get_energy(world).kinetic;
        cr_assert(after < (1.0 + 1e-6) * before, "%d: %g, %g J", (int)seed, before, after);
        tn_graph_destroy(graph);
        tn_world_destroy(world);
    }
}

// 1 / (x_0 + x_1 + x_2) = 1 until the bodies are put where that is no number: then it does nothing,
// and says so.
Test(mechanism_span, does_no_harm_where_its_function_gives_nonsense) {
    test_reports reports;
    tn_world *world = world_make(gravity, &reports);
    tn_world_set_solver(world, TN_SOLVER_DIRECT);
    tn_body_id bodies[3];
    tn_graph *graph = graph_make();
    tn_node sum = number(graph, 0.0);
    for (uint32_t i = 0; i < 3; ++i) {
        bodies[i] = body_make(world, i == 0 ? 1 : 0, i, 0, 1, 1);
        sum = tn_graph_add_sum(graph, sum, along(graph, i, 0));
    }
    tn_node x = tn_graph_add_function(graph, inverse, NULL, &sum, 1);
    tn_node node = tn_graph_add_difference(graph, x, number(graph, 1.0));
    joint_of(world, graph, bodies, 3, &node, 1);
    run_for(world, 0.1);
    cr_assert_eq(reports.count, 0u);
    tn_pose pose = tn_body_get_pose(world, bodies[0]);
    pose.position.x = -5.0;
    tn_body_set_pose(world, bodies[0], pose);
    run_for(world, 0.9);
    cr_assert_eq(reports.last, TN_RESULT_NOT_FINITE);
    for (uint32_t i = 0; i < 3; ++i) {
        double v = tn_body_get_velocity(world, bodies[i]).linear.y;
        cr_assert(fabs(v + (double)9.81f) < 1e-6, "%g m/s", v);
    }
    tn_world_destroy(world);
}

// ---- breaking, sleep, disabling ----------------------------------------------------------------

Test(mechanism_span, breaks_under_its_load) {
    for (int above = 0; above < 2; ++above) {
        tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
        tn_body_id bodies[3];
        tn_graph *graph = graph_make();
        tn_node sum = number(graph, 0.0);
        for (uint32_t i = 0; i < 3; ++i) {
            bodies[i] = body_make(world, i, 0, 0, 1, 1);
            sum = tn_graph_add_sum(graph, sum, along(graph, i, 1));
        }
        tn_function_joint_def def = tn_function_joint_def_default();
        def.graph = graph;
        memcpy(def.bodies, bodies, sizeof bodies);
        def.body_count = 3;
        def.row_count = 1;
        def.nodes[0] = sum;
        // The sum stands still: each is held by its weight.
        def.base.break_force = 9.81f * (above ? 1.001f : 0.999f);
        tn_joint_id joint = tn_function_joint_create(world, &def);
        tn_graph_destroy(graph);
        run_for(world, 0.5);
        cr_assert_eq(tn_joint_is_valid(world, joint), above == 1);
        double fall = at(world, bodies[0], 1);
        cr_assert(above ? fabs(fall) < 1e-9 : fall < -0.5, "%g m", fall);
        if (above) {
            tn_reaction reaction = tn_joint_get_reaction(world, joint);
            cr_assert(fabs((double)reaction.force.x - (double)9.81f) < 1e-5);
        }
        tn_world_destroy(world);
    }
}

Test(mechanism_span, sleeps_and_wakes_and_lets_go_of_what_is_disabled, .timeout = 60) {
    tn_world_def def = tn_world_def_default();
    def.gravity = gravity;
    def.solver = TN_SOLVER_DIRECT;
    tn_world *world = tn_world_create(&def, NULL);
    pendulums p = pendulums_make(world, true);
    const tn_body_id *bodies = p.bodies;
    run_for(world, 3.0);
    for (int i = 0; i < 3; ++i) {
        cr_assert(!tn_body_is_awake(world, bodies[i]), "%d", i);
    }
    tn_body_apply_impulse(world, bodies[0], (tn_vec3){1.0, 0, 0});
    run_for(world, 0.5);
    cr_assert(tn_body_is_awake(world, bodies[2]));
    tn_body_set_enabled(world, bodies[1], false);
    tn_body_set_velocity(world, bodies[2],
                         (tn_velocity){.linear = {1, 0, 0}, .angular = {0, 0, 1}});
    run_for(world, 0.5);
    // Alone it is a pendulum, which rises.
    cr_assert(at(world, bodies[2], 1) > -0.999, "%g", at(world, bodies[2], 1));
    tn_world_destroy(world);
}

// ---- determinism -------------------------------------------------------------------------------

static uint64_t hash_of(uint32_t workers, bool is_baseline_only) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    def.is_baseline_only = is_baseline_only;
    def.solver = TN_SOLVER_DIRECT;
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    for (int k = 0; k < 12; ++k) {
        tn_body_id bodies[4];
        corners_make(world, bodies);
        for (int i = 0; i < 4; ++i) {
            tn_pose pose = tn_body_get_pose(world, bodies[i]);
            pose.position.x += 10.0 * k;
            tn_body_set_pose(world, bodies[i], pose);
        }
        joint_make(world, TN_JOINT_TYPE_HINGE, world_body, bodies[0], (tn_vec3){10.0 * k, 0.5, 0},
                   (tn_vec3){0, 0, 1});
        joint_make(world, TN_JOINT_TYPE_BALL, bodies[1], bodies[2],
                   (tn_vec3){10.0 * k + 0.5, 0.5, 0}, (tn_vec3){1, 0, 0});
        volume_make(world, bodies, 1);
        machine_make(world, 0.1f * (float)(k - 6));
    }
    run_for(world, 2.0);
    cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 1e-8, "%g",
              tn_world_get_telemetry(world).worst_joint_linear);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

Test(mechanism_span, gives_the_same_bits_on_workers_and_vector_units, .timeout = 60) {
    uint64_t hash = hash_of(1, false);
    cr_assert_eq(hash_of(2, false), hash);
    cr_assert_eq(hash_of(5, false), hash);
    cr_assert_eq(hash_of(1, true), hash);
}

// A step does not ask for memory once it has gone.
Test(mechanism_span, takes_no_memory_in_a_step) {
    tn_world *world = world_with(gravity, TN_SOLVER_DIRECT);
    tn_body_id bodies[4];
    corners_make(world, bodies);
    volume_make(world, bodies, 2);
    machine_make(world, 0.0f);
    run_for(world, 0.1);
    for (int i = 0; i < 30; ++i) {
        run_for(world, 1.0 / 60.0);
        cr_assert_eq(tn_world_get_telemetry(world).allocations, 0u);
    }
    tn_world_destroy(world);
}
