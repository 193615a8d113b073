// A goal pulls with the gradient of its expression, settles where that is least, at any strength,
// and stands among joints and other forces like any force.
#include "core/maths.h"
#include "goal_world.h"

TestSuite(goal_force, .timeout = 60);

static tn_graph *graph_make(void) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    cr_assert_not_null(graph);
    return graph;
}

// ---- the rule of a substep ---------------------------------------------------------------------

// x^2 / 2
static tn_force_id bowl_make(tn_world *world, tn_body_id body, double strength) {
    tn_graph *graph = graph_make();
    tn_node e = square(graph, variable(graph, 0, 0), 0.5);
    return goal_make(world, graph, e, &body, 1, strength);
}

// x' = -T k x / m by implicit Euler: a factor of 1 / (1 + T k h / m) in each substep.
Test(goal_force, a_quadratic_goal_relaxes_by_implicit_euler_at_any_strength) {
    const double strengths[] = {0.5, 100.0, 1e6, 1e15};
    for (int i = 0; i < 4; ++i) {
        tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, NULL);
        tn_body_id body = variable_make(world, 3.0, 1.0, 2.0);
        bowl_make(world, body, strengths[i]);
        double h = 1.0 / 240.0, factor = 1.0 / (1.0 + GOAL_MOBILITY * strengths[i] * h / 2.0);
        for (int step = 1; step <= 60; ++step) {
            run(world, 1.0 / 60.0, 60.0, 4);
            double expected = 3.0 * pow(factor, 4.0 * step);
            double x = center_of(world, body).x;
            cr_assert(fabs(x - expected) < 1e-11, "%g: step %d: %.15g, not %.15g", strengths[i],
                      step, x, expected);
        }
        cr_assert(center_of(world, body).y == 1.0);
        tn_world_destroy(world);
    }
}

// Of the second order a soft goal is leapfrog: sin(w' h / 2) = w h / 2.
Test(goal_force, a_soft_goal_swings_without_a_loss) {
    tn_world *world = goal_world(TN_DYNAMICS_SECOND_ORDER, TN_SOLVER_AUTO, NULL);
    tn_body_id body = variable_make(world, 0.3, 0.0, 2.0);
    bowl_make(world, body, 50.0);
    double h = 1.0 / 60.0, rate = 2.0 * asin(0.5 * 5.0 * h) / h;
    for (int i = 1; i <= 6000; ++i) {
        cr_assert(tn_world_step(world, h, 1) == TN_RESULT_OK);
        double x = center_of(world, body).x;
        cr_assert(fabs(x - 0.3 * cos(rate * h * i)) < 1e-9, "step %d: %.12f", i, x);
    }
    tn_world_destroy(world);
}

// Of the second order a strong one is implicit Euler in y = x + h/2 v and v.
Test(goal_force, a_strong_goal_is_implicit_in_the_second_order_too) {
    double k = 1e7, m = 2.0, h = 1.0 / 60.0, v = 0.25, y = 1.0 + 0.5 * h * v;
    tn_world *world = goal_world(TN_DYNAMICS_SECOND_ORDER, TN_SOLVER_AUTO, NULL);
    tn_body_id body = variable_make(world, 1.0, 0.0, m);
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {v, 0.0, 0.0}});
    bowl_make(world, body, k);
    for (int i = 0; i < 60; ++i) {
        cr_assert(tn_world_step(world, h, 1) == TN_RESULT_OK);
        v = (v - h * k / m * y) / (1.0 + h * h * k / m);
        y += h * v;
        double own = velocity_of(world, body).x;
        cr_assert(fabs(own - v) < 1e-9, "step %d: %g, not %g", i, own, v);
    }
    tn_world_destroy(world);
}

// (|p - q| - 1)^2 / 2 is a spring.
Test(goal_force, a_goal_of_a_distance_is_a_spring) {
    tn_vec3 ends[2][2];
    for (int is_goal = 0; is_goal < 2; ++is_goal) {
        tn_world *world = goal_world(TN_DYNAMICS_SECOND_ORDER, TN_SOLVER_AUTO, NULL);
        tn_body_id bodies[2] = {body_make(world, 0, 0, 0, 1.0, 1.0),
                                body_make(world, 1.5, 0.2, 0, 3.0, 1.0)};
        tn_body_set_velocity(world, bodies[0], (tn_velocity){.linear = {0.0, 1.0, 0.0}});
        tn_connector at[2] = {connector_at(bodies[0], 0, 0, 0), connector_at(bodies[1], 0, 0, 0)};
        if (is_goal) {
            tn_graph *graph = graph_make();
            tn_node p = tn_graph_add_point(graph, 0, (tn_vec3){0, 0, 0});
            tn_node q = tn_graph_add_point(graph, 1, (tn_vec3){0, 0, 0});
            tn_node stretch = tn_graph_add_difference(graph, tn_graph_add_distance(graph, p, q),
                                                      number(graph, 1.0));
            goal_make(world, graph, square(graph, stretch, 0.5), bodies, 2, 20.0);
        } else {
            spring_make(world, at[0], at[1], 20.0, 0.0, 1.0);
        }
        run(world, 10.0, 240.0, 4);
        tn_vec3 p = velocity_of(world, bodies[0]), q = velocity_of(world, bodies[1]);
        cr_assert(fabs(p.x + 3.0 * q.x) < 1e-12 && fabs(p.y + 3.0 * q.y - 1.0) < 1e-12);
        ends[is_goal][0] = center_of(world, bodies[0]);
        ends[is_goal][1] = center_of(world, bodies[1]);
        tn_world_destroy(world);
    }
    for (int i = 0; i < 2; ++i) {
        cr_assert(fabs(ends[0][i].x - ends[1][i].x) < 1e-9, "%.12f", ends[0][i].x - ends[1][i].x);
        cr_assert(fabs(ends[0][i].y - ends[1][i].y) < 1e-9);
    }
}

Test(goal_force, a_pull_of_the_hand_is_balanced_exactly) {
    const double strengths[] = {3.0, 1e9};
    for (int i = 0; i < 2; ++i) {
        tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, NULL);
        tn_body_id body = variable_make(world, 0.5, 0.0, 0.2);
        tn_force_id goal = bowl_make(world, body, strengths[i]);
        for (int step = 0; step < 300; ++step) {
            tn_body_apply_force(world, body, (tn_vec3){4.0, 0.0, 0.0});
            run(world, 1.0 / 60.0, 60.0, 4);
        }
        double x = center_of(world, body).x, f = tn_force_get_force(world, goal, 0).x;
        cr_assert(fabs(x * strengths[i] - 4.0) < 1e-6, "%g N", x * strengths[i]);
        cr_assert(fabs(f + 4.0) < 1e-6, "%g N", f);
        tn_world_destroy(world);
    }
}

// ---- downhill ----------------------------------------------------------------------------------

// (1 - x)^2 + 100 (y - x^2)^2: a narrow bent valley. H. Rosenbrock, 1960.
static tn_node valley_make(tn_graph *graph) {
    tn_node x = variable(graph, 0, 0), y = variable(graph, 0, 1);
    tn_node across = tn_graph_add_difference(graph, y, tn_graph_add_product(graph, x, x));
    tn_node along = tn_graph_add_difference(graph, number(graph, 1.0), x);
    return tn_graph_add_sum(graph, square(graph, along, 1.0), square(graph, across, 100.0));
}

// -1 / (1 + x^2 + 2 y^2): beyond its inflection it bends down, and flat far off.
static tn_node pit_make(tn_graph *graph) {
    tn_node sum = tn_graph_add_sum(graph, square(graph, variable(graph, 0, 0), 1.0),
                                   square(graph, variable(graph, 0, 1), 2.0));
    sum = tn_graph_add_sum(graph, sum, number(graph, 1.0));
    return tn_graph_add_quotient(graph, number(graph, -1.0), sum);
}

// x^4 - 2 x^2 + y^2 from near its saddle.
static tn_node saddle_make(tn_graph *graph) {
    tn_node x = variable(graph, 0, 0), y = variable(graph, 0, 1);
    tn_node xx = tn_graph_add_product(graph, x, x);
    tn_node well =
        tn_graph_add_product(graph, xx, tn_graph_add_difference(graph, xx, number(graph, 2.0)));
    return tn_graph_add_sum(graph, well, square(graph, y, 1.0));
}

typedef struct slope_case {
    const char *name;
    tn_node (*make)(tn_graph *graph);
    double x, y, end_x, end_y;
} slope_case;
static const slope_case slopes[] = {
    {"valley", valley_make, -1.2, 1.0, 1.0, 1.0},
    {"pit", pit_make, 3.0, -2.0, 0.0, 0.0},
    {"saddle", saddle_make, 1e-3, 2.0, 1.0, 0.0},
};

Test(goal_force, goals_of_any_strength_go_downhill_to_a_minimum) {
    const double strengths[] = {30.0, 1e4, 1e8, 1e14};
    for (int c = 0; c < 3; ++c) {
        for (int i = 0; i < 4; ++i) {
            tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, NULL);
            tn_body_id body = variable_make(world, slopes[c].x, slopes[c].y, 1.0);
            tn_graph *graph = graph_make();
            tn_node e = slopes[c].make(graph);
            tn_force_id goal = goal_make(world, graph, e, &body, 1, strengths[i]);
            double last = tn_goal_force_get_value(world, goal, e);
            for (int step = 0; step < 1200; ++step) {
                run(world, 1.0 / 60.0, 60.0, 1);
                double value = tn_goal_force_get_value(world, goal, e);
                cr_assert(value <= last + 1e-12 * fabs(last), "%s, %g: step %d: %.15g after %.15g",
                          slopes[c].name, strengths[i], step, value, last);
                last = value;
            }
            tn_vec3 p = center_of(world, body);
            cr_assert(fabs(p.x - slopes[c].end_x) < 1e-6 && fabs(p.y - slopes[c].end_y) < 1e-6,
                      "%s, %g: at %g, %g", slopes[c].name, strengths[i], p.x, p.y);
            tn_world_destroy(world);
        }
    }
}

// With momentum: what damping leaves comes to rest there, and nothing is ever thrown out.
Test(goal_force, strong_goals_do_not_burst_in_the_second_order) {
    const double strengths[] = {30.0, 1e4, 1e8, 1e14};
    for (int c = 0; c < 3; ++c) {
        for (int i = 0; i < 4; ++i) {
            tn_world *world = goal_world(TN_DYNAMICS_SECOND_ORDER, TN_SOLVER_AUTO, NULL);
            tn_body_id body = variable_make(world, slopes[c].x, slopes[c].y, 1.0);
            tn_body_set_damping(world, body, 4.0f, 0.0f);
            tn_graph *graph = graph_make();
            tn_node e = slopes[c].make(graph);
            tn_force_id goal = goal_make(world, graph, e, &body, 1, strengths[i]);
            double first = tn_goal_force_get_value(world, goal, e);
            for (int step = 0; step < 1200; ++step) {
                run(world, 1.0 / 60.0, 60.0, 4);
            }
            tn_vec3 p = center_of(world, body);
            double last = tn_goal_force_get_value(world, goal, e);
            cr_assert(last <= first && fabs(p.x) < 10.0 && fabs(p.y) < 10.0, "%s, %g: at %g, %g",
                      slopes[c].name, strengths[i], p.x, p.y);
            tn_world_destroy(world);
        }
    }
}

// ---- turns -------------------------------------------------------------------------------------

// -d . t of a direction d of the body: it turns until d is t.
Test(goal_force, a_body_turns_where_the_goal_points) {
    const double strengths[] = {10.0, 1e5, 1e12};
    for (int i = 0; i < 3; ++i) {
        tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, NULL);
        tn_body_id body = body_make(world, 1.0, 2.0, 3.0, 1.0, 0.1);
        tn_mass mass = {.mass = 1.0, .inertia = {.xx = 0.1, .yy = 0.25, .zz = 0.2, .xy = 0.03}};
        tn_body_set_mass(world, body, mass);
        tn_graph *graph = graph_make();
        tn_node d = tn_graph_add_direction(graph, 0, (tn_vec3){1.0, 0.0, 0.0});
        tn_node t = tn_graph_add_vector(graph, (tn_vec3){-0.8, 0.0, 0.6});
        tn_node e =
            tn_graph_add_difference(graph, number(graph, 0.0), tn_graph_add_dot(graph, d, t));
        tn_force_id goal = goal_make(world, graph, e, &body, 1, strengths[i]);
        run(world, 10.0, 60.0, 4);
        double value = tn_goal_force_get_value(world, goal, e);
        cr_assert(value < -1.0 + 1e-12, "%g: %.15g", strengths[i], value);
        tn_goal_gradient g = tn_goal_force_get_gradient(world, goal, 0);
        cr_assert(fabs(g.by_rotation.x) + fabs(g.by_rotation.y) + fabs(g.by_rotation.z) < 1e-6);
        cr_assert(g.by_position.x == 0.0);
        tn_vec3 p = center_of(world, body);
        cr_assert(p.x == 1.0 && p.y == 2.0 && p.z == 3.0);
        tn_world_destroy(world);
    }
}

// A point beside the centre is pulled to a place: the body goes there and turns.
Test(goal_force, locks_hold_against_a_goal) {
    tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, NULL);
    tn_body_id body = body_make(world, 0.0, 0.0, 0.0, 1.0, 0.1);
    tn_body_set_locks(world, body,
                      TN_BODY_LOCK_LINEAR_Z | TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y);
    tn_graph *graph = graph_make();
    tn_node p = tn_graph_add_point(graph, 0, (tn_vec3){0.5, 0.0, 0.0});
    tn_node away =
        tn_graph_add_difference(graph, p, tn_graph_add_vector(graph, (tn_vec3){1, 2, 3}));
    tn_node e = tn_graph_add_dot(graph, away, away);
    tn_force_id goal = goal_make(world, graph, e, &body, 1, 1e6);
    run(world, 2.0, 60.0, 4);
    tn_pose pose = tn_body_get_pose(world, body);
    cr_assert(pose.position.z == 0.0);
    cr_assert(pose.rotation.x == 0.0 && pose.rotation.y == 0.0);
    cr_assert(fabs(tn_goal_force_get_value(world, goal, e) - 9.0) < 1e-9);
    tn_world_destroy(world);
}

// ---- among others ------------------------------------------------------------------------------

// |p - (2, 1)|^2 / 2 of a bob on a rod of 1 m: it rests in the rod's circle towards the point.
Test(goal_force, every_solver_finds_the_least_that_joints_allow) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
    for (int s = 0; s < 8; ++s) {
        bool is_strong = s >= 4;
        tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, solvers[s % 4], NULL);
        tn_world_set_cg(world, (tn_cg){.tolerance = 1e-5f}); // of 0.01 the turn is 4e-4 off
        tn_body_id bob = body_make(world, 0.0, -1.0, 0.0, 1.0, 0.1);
        joint_make(world, TN_JOINT_TYPE_HINGE, world_body, bob, (tn_vec3){0, 0, 0},
                   (tn_vec3){0, 0, 1});
        tn_graph *graph = graph_make();
        tn_node away =
            tn_graph_add_difference(graph, tn_graph_add_point(graph, 0, (tn_vec3){0, 0, 0}),
                                    tn_graph_add_vector(graph, (tn_vec3){2.0, 1.0, 0.0}));
        goal_make(world, graph, tn_graph_add_dot(graph, away, away), &bob, 1,
                  is_strong ? 1e4 : 10.0);
        run(world, 20.0, 60.0, 4);
        tn_vec3 p = center_of(world, bob);
        double turn = atan2(p.y, p.x) - atan2(1.0, 2.0);
        cr_assert(fabs(turn) < 1e-4, "solver %d: %g rad off", s, turn);
        tn_world_destroy(world);
    }
}

// (x_0 - 1)^2 / 2 and for each pair (x_i - x_(i-1) - 1)^2 / 2 ask for x_i = i + 1: as one goal of
// all, and as one for each square.
Test(goal_force, many_goals_of_the_same_bodies_agree) {
    for (int is_one = 0; is_one < 2; ++is_one) {
        tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, NULL);
        tn_body_id bodies[8];
        for (int i = 0; i < 8; ++i) {
            bodies[i] = variable_make(world, 0.0, 0.0, 1.0);
        }
        tn_graph *whole = graph_make();
        tn_node sum = number(whole, 0.0);
        for (uint32_t i = 0; i < 8; ++i) {
            tn_graph *graph = is_one ? whole : graph_make();
            uint32_t own = is_one ? i : 1, before = is_one ? i - 1 : 0;
            tn_node x = variable(graph, own, 0);
            x = i > 0 ? tn_graph_add_difference(graph, x, variable(graph, before, 0)) : x;
            x = tn_graph_add_difference(graph, x, number(graph, 1.0));
            tn_body_id pair[2] = {i > 0 ? bodies[i - 1] : world_body, bodies[i]};
            if (is_one) {
                sum = tn_graph_add_sum(graph, sum, square(graph, x, 0.5));
            } else {
                goal_make(world, graph, square(graph, x, 0.5), pair, 2, 1e4);
            }
        }
        if (is_one) {
            goal_make(world, whole, sum, bodies, 8, 1e4);
        } else {
            tn_graph_destroy(whole);
        }
        run(world, 5.0, 60.0, 4);
        for (int i = 0; i < 8; ++i) {
            double x = center_of(world, bodies[i]).x;
            cr_assert(fabs(x - i - 1.0) < 1e-6, "%d: %d: %.9f", is_one, i, x);
        }
        tn_world_destroy(world);
    }
}

Test(goal_force, what_moves_by_itself_is_followed) {
    tn_world *world = goal_world(TN_DYNAMICS_SECOND_ORDER, TN_SOLVER_AUTO, NULL);
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_KINEMATIC;
    def.velocity.linear.x = 2.0;
    tn_body_id bodies[2] = {tn_body_create(world, &def), variable_make(world, 1.0, 0.0, 1.0)};
    tn_graph *graph = graph_make();
    tn_node away = tn_graph_add_difference(graph, variable(graph, 1, 0), variable(graph, 0, 0));
    tn_node e = square(graph, tn_graph_add_difference(graph, away, number(graph, 1.0)), 0.5);
    goal_make(world, graph, e, bodies, 2, 1e8);
    run(world, 3.0, 60.0, 4);
    cr_assert(fabs(velocity_of(world, bodies[1]).x - 2.0) < 1e-9);
    double apart = center_of(world, bodies[1]).x - center_of(world, bodies[0]).x;
    cr_assert(fabs(apart - 1.0) < 1e-9, "%g", apart);
    tn_world_destroy(world);
}

// ---- inputs, time, sleep -----------------------------------------------------------------------

Test(goal_force, an_input_moves_the_minimum_and_wakes) {
    tn_world_def settings = tn_world_def_default();
    settings.gravity = force_no_gravity;
    settings.dynamics = TN_DYNAMICS_FIRST_ORDER;
    tn_world *world = tn_world_create(&settings, NULL);
    tn_body_id body = variable_make(world, 3.0, 0.0, 1.0);
    tn_graph *graph = graph_make();
    tn_node input = tn_graph_add_input(graph, 1.0);
    tn_node away = tn_graph_add_difference(graph, variable(graph, 0, 0), input);
    tn_force_id goal = goal_make(world, graph, square(graph, away, 0.5), &body, 1, 1e6);
    run(world, 3.0, 60.0, 2);
    cr_assert(!tn_body_is_awake(world, body));
    cr_assert(fabs(center_of(world, body).x - 1.0) < 1e-9);
    tn_goal_force_set_input(world, goal, input, -2.0);
    cr_assert(tn_body_is_awake(world, body));
    cr_assert(tn_goal_force_get_input(world, goal, input) == -2.0);
    cr_assert(fabs(tn_goal_force_get_value(world, goal, away) - 3.0) < 1e-9);
    run(world, 1.0, 60.0, 2);
    cr_assert(fabs(center_of(world, body).x + 2.0) < 1e-9);
    tn_goal_force_set(world, goal, (tn_force_goal){7.0});
    cr_assert(tn_goal_force_get(world, goal).strength == 7.0);
    cr_assert(tn_force_get_type(world, goal) == TN_FORCE_TYPE_GOAL);
    tn_world_destroy(world);
}

// It is asked at the middle of the step as well as of each substep.
Test(goal_force, a_goal_may_be_asked_once_in_a_step) {
    tn_world *world = goal_world(TN_DYNAMICS_FIRST_ORDER, TN_SOLVER_AUTO, NULL);
    tn_body_id body = variable_make(world, 3.0, 0.0, 2.0);
    tn_graph *graph = graph_make();
    tn_goal_force_def def =
        goal_def(graph, square(graph, variable(graph, 0, 0), 0.5), &body, 1, 1e4);
    def.base.acts_once_per_step = true;
    cr_assert(tn_goal_force_create(world, &def).value != 0);
    tn_graph_destroy(graph);
    run(world, 20.0, 60.0, 4);
    cr_assert(fabs(center_of(world, body).x) < 1e-9, "%g", center_of(world, body).x);
    tn_world_destroy(world);
}

// ---- the same bits -----------------------------------------------------------------------------

static uint64_t hash_of_net(uint32_t workers) {
    tn_world_def def = tn_world_def_default();
    def.gravity = force_no_gravity;
    def.dynamics = TN_DYNAMICS_FIRST_ORDER;
    def.worker_count = workers;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id before = world_body;
    for (int i = 0; i < 200; ++i) {
        tn_body_id pair[2] = {before, variable_make(world, 0.3 * i, (i * 7) % 5, 1.0)};
        tn_graph *graph = graph_make();
        tn_node p = tn_graph_add_point(graph, 0, (tn_vec3){0, 0, 0});
        tn_node q = tn_graph_add_point(graph, 1, (tn_vec3){0, 0, 0});
        tn_node stretch =
            tn_graph_add_difference(graph, tn_graph_add_distance(graph, p, q), number(graph, 0.5));
        goal_make(world, graph, square(graph, stretch, 0.5), pair, 2, 10.0 * (1 << i % 20));
        before = pair[1];
    }
    run(world, 0.5, 60.0, 4);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

Test(goal_force, any_number_of_workers_gives_the_same_bits) {
    uint64_t alone = hash_of_net(1);
    cr_assert(hash_of_net(4) == alone);
}

// ---- inertia -----------------------------------------------------------------------------------

// A strong goal of a point of a body with three moments, everything turned by `turn`: the spin that
// it gives the body in a few steps, turned back.
static tni_dvec3 spin_by_goal(tni_dquat turn) {
    tn_world *world = goal_world(TN_DYNAMICS_SECOND_ORDER, TN_SOLVER_AUTO, NULL);
    tn_body_def def = tn_body_def_default();
    const tn_quat rotation = {turn.x, turn.y, turn.z, turn.w};
    def.pose.rotation = rotation;
    def.has_mass = true;
    def.mass.mass = 3.0;
    def.mass.inertia = (tn_mat3_symmetric){0.2, 0.5, 0.6, 0.0, 0.0, 0.0};
    tn_body_id body = tn_body_create(world, &def);
    tni_dvec3 way = dquat_rotate(turn, dvec3_make(0.3, 0.8, -0.5));
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node point = tn_graph_add_point(graph, 0, (tn_vec3){0.3, 0.2, -0.4});
    const double ways[3] = {way.x, way.y, way.z};
    tn_node sum = number(graph, -1.0);
    for (uint32_t i = 0; i < 3; ++i) {
        tn_node part = tn_graph_add_component(graph, point, i);
        sum =
            tn_graph_add_sum(graph, sum, tn_graph_add_product(graph, number(graph, ways[i]), part));
    }
    goal_make(world, graph, square(graph, sum, 0.5), &body, 1, 1e4);
    for (int i = 0; i < 3; ++i) {
        cr_assert_eq(tn_world_step(world, 1.0 / 60.0, 2), TN_RESULT_OK);
    }
    tn_vec3 w = tn_body_get_velocity(world, body).angular;
    tn_world_destroy(world);
    return dquat_rotate(dquat_conjugate(turn), dvec3_make(w.x, w.y, w.z));
}

// However the axes of its inertia lie in the world.
Test(goal_force, a_body_answers_a_goal_alike_however_it_is_turned) {
    tni_dvec3 plain = spin_by_goal(dquat_identity());
    cr_assert(dvec3_length(plain) > 0.1);
    for (int k = 0; k < 6; ++k) {
        tni_dquat turn =
            dquat_normalize(dquat_make(0.3 + 0.1 * k, -0.5, 0.2 * k - 0.4, 0.9 - 0.2 * k));
        double off = dvec3_length(dvec3_sub(spin_by_goal(turn), plain));
        cr_assert(off < 1e-5 * dvec3_length(plain), "turn %d: %g rad/s", k, off);
    }
}
