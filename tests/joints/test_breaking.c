// Joints that break: by which axis, after which time, which of them, and what the blow leaves.
#include "joint_world.h"
#include "tests/support/long_test.h"

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 anything = {(double)INFINITY, (double)INFINITY, (double)INFINITY};

#define H (1.0 / 240.0)

static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
#define SOLVERS (sizeof solvers / sizeof *solvers)

// Whose sweeps go on until nothing changes any more.
static tn_world *make_world(tn_vec3 g, tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.gravity = g;
    def.is_sleep_allowed = false;
    def.solver = solver;
    def.joint_iterations = 64;
    def.relax_iterations = 64;
    def.research.cg.tolerance = 1e-6f;
    def.research.cg.iterations = 1000;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

// 3 kg under the origin, or beside it, whose frames have the axes of the world.
static tn_joint_id hang(tn_world *world, tn_joint_type type, double x, double y) {
    tn_body_id body = body_make(world, x, y, 0, 3, 0.1);
    return joint_make(world, type, world_body, body, (tn_vec3){0, 0, 0}, (tn_vec3){1, 0, 0});
}

static tn_body_id body_of(const tn_world *world, tn_joint_id joint) {
    return tn_joint_get_def(world, joint).body_b;
}

// In steps of one substep, until something breaks; returns how many, 0 where nothing does.
static uint32_t step_until_break(tn_world *world, uint32_t most, tn_events *out_events) {
    for (uint32_t i = 1; i <= most; ++i) {
        cr_assert(tn_world_step(world, H, 1) == TN_RESULT_OK);
        *out_events = tn_world_get_events(world);
        if (out_events->joint_break_count > 0) {
            return i;
        }
    }
    return 0;
}

// ---- what it bears ------------------------------------------------------------------------------

Test(breaking, a_weight_breaks_an_axis_that_bears_a_little_less, .timeout = 60) {
    const tn_joint_type types[] = {TN_JOINT_TYPE_BALL,      TN_JOINT_TYPE_HINGE,
                                   TN_JOINT_TYPE_FIXED,     TN_JOINT_TYPE_SLIDER,
                                   TN_JOINT_TYPE_UNIVERSAL, TN_JOINT_TYPE_SIX_AXIS};
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        for (uint32_t t = 0; t < sizeof types / sizeof *types; ++t) {
            tn_world *world = make_world(gravity, solvers[s]);
            tn_joint_id joint = hang(world, types[t], 0, -1);
            tn_events events;
            run(world, 1.0, 240.0, 1); // soft joints begin to bear within some steps
            tn_joint_set_break_axes(world, joint, (tn_vec3){0.01, 29.6, 0.01}, anything);
            cr_assert(step_until_break(world, 120, &events) == 0, "solver %u, type %u", s, t);
            tn_joint_set_break_axes(world, joint, (tn_vec3){0.01, 29.2, 0.01}, anything);
            cr_assert(step_until_break(world, 2, &events) > 0, "solver %u, type %u", s, t);
            const tn_joint_break_event *event = &events.joint_breaks[0];
            cr_assert(event->cause == TN_BREAK_CAUSE_LINEAR_Y && event->threshold == 29.2f);
            cr_assert_float_eq((double)event->load, 29.43, 0.01);
            cr_assert_float_eq((double)event->force, 29.43, 0.01);
            cr_assert(!tn_joint_is_valid(world, joint));
            tn_world_destroy(world);
        }
    }
}

// A blow is all in the first of a step's substeps, and only what the last one bears is kept.
Test(breaking, breaks_in_whichever_substep_the_load_comes, .timeout = 60) {
    const tn_joint_type types[] = {TN_JOINT_TYPE_BALL, TN_JOINT_TYPE_HINGE, TN_JOINT_TYPE_FIXED,
                                   TN_JOINT_TYPE_SLIDER};
    const double load = 3.0 / (H / 4.0); // N, of 1 m/s
    for (uint32_t i = 0; i < 16; ++i) {
        tn_world *world = make_world(none, i % 2 == 0 ? TN_SOLVER_PGS : TN_SOLVER_AUTO);
        tn_joint_id joint = hang(world, types[i / 4], 0, -1);
        float bears = (float)(load * (i / 2 % 2 == 0 ? 0.9 : 1.1));
        tn_joint_set_break_force(world, joint, bears, INFINITY);
        tn_body_set_velocity(world, body_of(world, joint),
                             (tn_velocity){.linear = {0, -1, 0}, .angular = {0, 0, 0}});
        cr_assert(tn_world_step(world, H, 4) == TN_RESULT_OK);
        uint32_t wanted = i / 2 % 2 == 0 ? 1 : 0;
        cr_assert(tn_world_get_events(world).joint_break_count == wanted, "case %u", i);
        tn_world_destroy(world);
    }
}

Test(breaking, breaks_by_a_turn_in_the_first_substep_alone) {
    for (uint32_t i = 0; i < 4; ++i) {
        tn_world *world = make_world(none, i % 2 == 0 ? TN_SOLVER_PGS : TN_SOLVER_AUTO);
        tn_joint_id joint = hang(world, TN_JOINT_TYPE_FIXED, 0, -1);
        tn_joint_set_break_force(world, joint, INFINITY, i < 2 ? 1.0f : 1e6f);
        tn_body_set_velocity(world, body_of(world, joint),
                             (tn_velocity){.linear = {0, 0, 0}, .angular = {0, 5, 0}});
        cr_assert(tn_world_step(world, H, 4) == TN_RESULT_OK);
        cr_assert(tn_world_get_events(world).joint_break_count == (i < 2 ? 1 : 0), "case %u", i);
        tn_world_destroy(world);
    }
}

Test(breaking, each_axis_by_itself) {
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        for (uint32_t axis = 0; axis < 3; ++axis) {
            tn_world *world = make_world(none, solvers[s]);
            tn_joint_id joint = hang(world, TN_JOINT_TYPE_FIXED, 0, 0);
            tn_events events;
            float bears[3] = {1.0f, 1.0f, 1.0f}, pull[3] = {0.0f, 0.0f, 0.0f};
            bears[axis] = 100.0f;
            pull[axis] = 50.0f;
            tn_vec3 force = {(double)pull[0], (double)pull[1], (double)pull[2]};
            tn_joint_set_break_axes(
                world, joint, (tn_vec3){(double)bears[0], (double)bears[1], (double)bears[2]},
                (tn_vec3){(double)bears[0], (double)bears[1], (double)bears[2]});
            for (int i = 0; i < 240; ++i) {
                tn_body_apply_force(world, body_of(world, joint), force);
                tn_body_apply_torque(world, body_of(world, joint), force);
                cr_assert(step_until_break(world, 1, &events) == 0);
            }
            // The axis that is pulled at bears less than it is pulled with now.
            tn_joint_set_break_axes(world, joint, (tn_vec3){40.0, 40.0, 40.0}, anything);
            tn_body_apply_force(world, body_of(world, joint), force);
            tn_body_apply_torque(world, body_of(world, joint), force);
            cr_assert(step_until_break(world, 1, &events) == 1);
            cr_assert(events.joint_breaks[0].cause == TN_BREAK_CAUSE_LINEAR_X + axis);
            cr_assert_float_eq((double)events.joint_breaks[0].load, 50.0, 0.05, "solver %u: %g", s,
                               (double)events.joint_breaks[0].load);
            tn_world_destroy(world);
        }
    }
}

// On a lever of a metre along x its weight turns about z.
Test(breaking, a_turn_breaks_about_its_axis) {
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        tn_world *world = make_world(gravity, solvers[s]);
        tn_joint_id joint = hang(world, TN_JOINT_TYPE_FIXED, 1, 0);
        tn_events events;
        run(world, 1.0, 240.0, 1);
        tn_joint_set_break_axes(world, joint, anything, (tn_vec3){0.1, 0.1, 29.6});
        cr_assert(step_until_break(world, 60, &events) == 0, "solver %u", s);
        tn_joint_set_break_axes(world, joint, anything, (tn_vec3){0.1, 0.1, 29.2});
        cr_assert(step_until_break(world, 2, &events) > 0, "solver %u", s);
        cr_assert(events.joint_breaks[0].cause == TN_BREAK_CAUSE_ANGULAR_Z);
        cr_assert_float_eq((double)events.joint_breaks[0].load, 29.43, 0.01);
        cr_assert_float_eq((double)events.joint_breaks[0].torque, 29.43, 0.01);
        tn_world_destroy(world);
    }
}

// Axes are those of frame a, which turns with its body: a bar swings about its weld's own axis.
Test(breaking, axes_turn_with_frame_a) {
    tn_world *world = make_world(none, TN_SOLVER_AUTO);
    tn_body_id hub = body_make(world, 0, 0, 0, 100, 100), tip = body_make(world, 1, 0, 0, 1, 0.01);
    tn_joint_id joint =
        joint_make(world, TN_JOINT_TYPE_FIXED, hub, tip, (tn_vec3){0, 0, 0}, (tn_vec3){1, 0, 0});
    tn_events events;
    // 1 kg at 1 m from a heavy hub, at 3 rad/s: 9 N inward, along -x of the hub's axes, wherever
    // they point.
    tn_body_set_velocity(world, hub, (tn_velocity){{0, 0, 0}, {0, 0, 3}});
    tn_body_set_velocity(world, tip, (tn_velocity){{0, 3, 0}, {0, 0, 3}});
    tn_joint_set_break_axes(world, joint, (tn_vec3){10.0, 0.5, 0.5}, anything);
    cr_assert(step_until_break(world, 480, &events) == 0);
    tn_joint_set_break_axes(world, joint, (tn_vec3){8.0, 0.5, 0.5}, anything);
    cr_assert(step_until_break(world, 2, &events) > 0);
    cr_assert(events.joint_breaks[0].cause == TN_BREAK_CAUSE_LINEAR_X);
    tn_world_destroy(world);
}

Test(breaking, springs_limits_and_motors_count) {
    tn_world *world = make_world(gravity, TN_SOLVER_PGS);
    tn_joint_id joint = hang(world, TN_JOINT_TYPE_FIXED, 0, 0);
    tn_events events;
    tn_joint_set_stiffness(world, joint, 4.0f, 1.0f);
    run(world, 2.0, 60.0, 4);
    tn_joint_set_break_force(world, joint, 29.6f, INFINITY);
    cr_assert(step_until_break(world, 60, &events) == 0);
    tn_joint_set_break_force(world, joint, 29.2f, INFINITY);
    cr_assert(step_until_break(world, 2, &events) > 0);
    cr_assert(events.joint_breaks[0].cause == TN_BREAK_CAUSE_FORCE);
    cr_assert_float_eq((double)events.joint_breaks[0].load, 29.43, 0.05);
    tn_world_destroy(world);
}

// ---- rows of one's own --------------------------------------------------------------------------

// The origins coincide: a ball joint.
static void together(const tn_pose *a, const tn_pose *b, tn_custom_row *rows, void *context) {
    (void)context;
    const tn_vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    rows[0].error = b->position.x - a->position.x;
    rows[1].error = b->position.y - a->position.y;
    rows[2].error = b->position.z - a->position.z;
    for (int i = 0; i < 3; ++i) {
        rows[i].linear_b = units[i];
        rows[i].linear_a = (tn_vec3){-units[i].x, -units[i].y, -units[i].z};
    }
}

typedef enum own_kind {
    OWN_EQUALITIES,
    OWN_LIMIT,      // y >= 0, beside rows that hold x and z
    OWN_FUNCTION,   // of two bodies
    OWN_FUNCTION_3, // and of three, one of which hangs elsewhere
    OWN_KINDS,
} own_kind;

static tn_joint_id custom_make(tn_world *world, tn_body_id a, tn_body_id b, tn_vec3 pin,
                               own_kind kind) {
    tn_custom_joint_def def = tn_custom_joint_def_default();
    tn_joint_def_set_frames(world, &def.base, a, b, pin, (tn_vec3){1, 0, 0});
    def.evaluate = together;
    def.row_count = kind == OWN_LIMIT ? 2 : 3;
    def.rows[1].kind = kind == OWN_LIMIT ? TN_CUSTOM_ROW_LIMIT : TN_CUSTOM_ROW_EQUALITY;
    return tn_custom_joint_create(world, &def);
}

static tn_joint_id function_make(tn_world *world, tn_body_id body, bool has_third) {
    tn_function_joint_def def = tn_function_joint_def_default();
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node top = tn_graph_add_point(graph, 0, (tn_vec3){0, 1, 0});
    for (uint32_t i = 0; i < 3; ++i) {
        def.nodes[i] = tn_graph_add_component(graph, top, i);
    }
    def.body_count = 1;
    def.bodies[0] = body;
    if (has_third) {
        tn_node nothing = tn_graph_add_number(graph, 0.0);
        for (uint32_t k = 1; k < 3; ++k) {
            tn_node other = tn_graph_add_point(graph, k, (tn_vec3){0, 0, 0});
            tn_node height = tn_graph_add_component(graph, other, 1);
            tn_node zero = tn_graph_add_product(graph, nothing, height);
            def.nodes[1] = tn_graph_add_sum(graph, def.nodes[1], zero);
            def.bodies[k] = body_make(world, 5.0 * k, 0, 0, 3, 0.1);
            joint_make(world, TN_JOINT_TYPE_BALL, world_body, def.bodies[k],
                       (tn_vec3){5.0 * k, 1, 0}, (tn_vec3){1, 0, 0});
        }
        def.body_count = 3;
    }
    def.graph = graph;
    def.row_count = 3;
    tn_joint_id joint = tn_function_joint_create(world, &def);
    tn_graph_destroy(graph);
    return joint;
}

static tn_joint_id own_make(tn_world *world, own_kind kind) {
    tn_body_id body = body_make(world, 0, -1, 0, 3, 0.1);
    tn_vec3 pin = {0, 0, 0};
    tn_joint_id joint = kind < OWN_FUNCTION ? custom_make(world, world_body, body, pin, kind)
                                            : function_make(world, body, kind == OWN_FUNCTION_3);
    cr_assert(joint.value != 0);
    return joint;
}

static void bear(tn_world *world, tn_joint_id joint, own_kind kind, uint32_t row, double load) {
    bool is_limit = kind == OWN_LIMIT && row == 1;
    tn_custom_row_def def = {.kind = is_limit ? TN_CUSTOM_ROW_LIMIT : TN_CUSTOM_ROW_EQUALITY,
                             .max_force = INFINITY,
                             .break_load = (float)load};
    if (kind < OWN_FUNCTION) {
        tn_custom_joint_set_row(world, joint, row, def);
    } else {
        tn_function_joint_set_row(world, joint, row, def);
    }
}

// The row of the height bears the weight, 29.43 N, the others nothing.
Test(breaking, a_row_of_ones_own_breaks_by_its_own_load, .timeout = 60) {
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        for (own_kind kind = 0; kind < OWN_KINDS; ++kind) {
            tn_world *world = make_world(gravity, solvers[s]);
            tn_joint_id joint = own_make(world, kind);
            tn_events events;
            run(world, 2.0, 240.0, 1);
            bear(world, joint, kind, 0, 0.05);
            bear(world, joint, kind, 1, 29.6);
            cr_assert(step_until_break(world, 120, &events) == 0, "solver %u, kind %d", s, kind);
            bear(world, joint, kind, 1, 29.2);
            cr_assert(step_until_break(world, 2, &events) > 0, "solver %u, kind %d", s, kind);
            const tn_joint_break_event *event = &events.joint_breaks[0];
            cr_assert(event->cause == TN_BREAK_CAUSE_ROW && event->row == 1, "%u, %d: %d %u", s,
                      kind, (int)event->cause, event->row);
            cr_assert(event->threshold == 29.2f);
            cr_assert_float_eq((double)event->load, 29.43, 0.02, "%u, %d: %g", s, kind,
                               (double)event->load);
            cr_assert(!tn_joint_is_valid(world, joint));
            tn_world_destroy(world);
        }
    }
}

Test(breaking, a_row_of_ones_own_bears_for_a_time, .timeout = 60) {
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        for (own_kind kind = 0; kind < OWN_KINDS; ++kind) {
            tn_world *world = make_world(gravity, solvers[s]);
            tn_joint_id joint = own_make(world, kind);
            tn_events events;
            bear(world, joint, kind, 1, 0.5 * 29.43);
            tn_joint_set_break_time(world, joint, 0.5f);
            double steps = 0.5 * log(2.0) / H;
            uint32_t took = step_until_break(world, 1000, &events);
            cr_assert(fabs(took - steps) <= 1.0, "solver %u, kind %d: %u steps, not %g", s, kind,
                      took, steps);
            tn_world_destroy(world);
        }
    }
}

Test(breaking, a_row_of_ones_own_refuses_a_load_that_is_none) {
    tn_world *world = make_world(gravity, TN_SOLVER_AUTO);
    tn_joint_id joint = own_make(world, OWN_EQUALITIES);
    bear(world, joint, OWN_EQUALITIES, 1, 40.0);
    bear(world, joint, OWN_EQUALITIES, 1, -1.0);
    bear(world, joint, OWN_EQUALITIES, 1, (double)NAN);
    cr_assert(tn_custom_joint_get_def(world, joint).rows[1].break_load == 40.0f);
    bear(world, joint, OWN_EQUALITIES, 1, (double)INFINITY);
    cr_assert(isinf(tn_custom_joint_get_def(world, joint).rows[1].break_load));
    tn_world_destroy(world);
}

// ---- how long -----------------------------------------------------------------------------------

// Half of what it is pulled with is borne until the mean is there: t ln 2.
Test(breaking, a_load_breaks_when_its_mean_says) {
    const double times[] = {0.05, 0.5, 2.0};
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        for (uint32_t k = 0; k < 3; ++k) {
            tn_world *world = make_world(gravity, solvers[s]);
            tn_joint_id joint = hang(world, TN_JOINT_TYPE_BALL, 0, -1);
            tn_events events;
            tn_joint_set_break_force(world, joint, 0.5f * 29.43f, INFINITY);
            tn_joint_set_break_time(world, joint, (float)times[k]);
            double steps = times[k] * log(2.0) / H;
            uint32_t took = step_until_break(world, 1000, &events);
            cr_assert(fabs(took - steps) <= 1.0, "solver %u: %u steps, not %g", s, took, steps);
            tn_world_destroy(world);
        }
    }
}

Test(breaking, a_short_blow_breaks_only_what_does_not_average) {
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        for (int averages = 0; averages < 2; ++averages) {
            tn_world *world = make_world(gravity, solvers[s]);
            tn_joint_id joint = hang(world, TN_JOINT_TYPE_BALL, 0, -1);
            tn_body_id body = body_of(world, joint);
            tn_events events;
            tn_joint_set_break_time(world, joint, averages ? 0.5f : 0.0f);
            run(world, 5.0, 240.0, 1);
            tn_joint_set_break_force(world, joint, 44.0f, INFINITY);
            // 3 N·s: 720 N over a substep, and 6 N of a mean over half a second.
            tn_body_apply_impulse(world, body, (tn_vec3){0.0, -3.0, 0.0});
            uint32_t took = step_until_break(world, 240, &events);
            cr_assert(averages ? took == 0 : took == 1, "solver %u: %u", s, took);
            tn_world_destroy(world);
        }
    }
}

// The mean goes over time, not over steps.
Test(breaking, the_mean_does_not_depend_on_the_step) {
    for (uint32_t substeps = 1; substeps <= 16; substeps *= 4) {
        tn_world *world = make_world(gravity, TN_SOLVER_AUTO);
        tn_joint_id joint = hang(world, TN_JOINT_TYPE_BALL, 0, -1);
        tn_joint_set_break_force(world, joint, 0.5f * 29.43f, INFINITY);
        tn_joint_set_break_time(world, joint, 0.5f);
        uint32_t steps = 0;
        while (tn_joint_is_valid(world, joint) && steps < 100) {
            cr_assert(tn_world_step(world, 1.0 / 60.0, substeps) == TN_RESULT_OK);
            steps += 1;
        }
        cr_assert(steps == 21, "%u steps of %u", steps, substeps); // 0.3466 s are 20.8 steps
        tn_world_destroy(world);
    }
}

// ---- who breaks, and what is left ---------------------------------------------------------------

typedef struct chain {
    tn_world *world;
    tn_body_id links[10];
    tn_joint_id joints[9];
} chain;

// Ten links of 2 kg in a line, at rest, without weight; by joints of their own or by balls.
static chain make_chain(tn_solver solver, bool is_own) {
    chain c = {.world = make_world(none, solver)};
    for (int i = 0; i < 10; ++i) {
        c.links[i] = body_make(c.world, i, 0, 0, 2, 0.1);
    }
    for (int i = 0; i < 9; ++i) {
        tn_vec3 pin = {i + 0.5, 0, 0};
        c.joints[i] = is_own ? custom_make(c.world, c.links[i], c.links[i + 1], pin, OWN_EQUALITIES)
                             : joint_make(c.world, TN_JOINT_TYPE_BALL, c.links[i], c.links[i + 1],
                                          pin, (tn_vec3){1, 0, 0});
    }
    return c;
}

// A blow P along the chain at its first link: joint k has to move the 9 - k links beyond it, with
// P (9 - k) / 10. The weak one goes, and nothing of the blow comes beyond it.
static void strike_chain(tn_solver solver, bool is_own) {
    chain c = make_chain(solver, is_own);
    const double p = 12.0;
    tn_events events;
    for (int i = 0; i < 9; ++i) {
        double bears = (i == 3 ? 0.3 : 0.95) * p / H;
        if (is_own) {
            bear(c.world, c.joints[i], OWN_EQUALITIES, 0, bears);
        } else {
            tn_joint_set_break_force(c.world, c.joints[i], (float)bears, INFINITY);
        }
    }
    tn_body_apply_impulse(c.world, c.links[0], (tn_vec3){p, 0.0, 0.0});
    cr_assert(step_until_break(c.world, 1, &events) == 1, "solver %d", solver);
    cr_assert(events.joint_break_count == 1);
    cr_assert(events.joint_breaks[0].joint.value == c.joints[3].value);
    cr_assert(events.joint_breaks[0].cause == (is_own ? TN_BREAK_CAUSE_ROW : TN_BREAK_CAUSE_FORCE));
    cr_assert_float_eq((double)events.joint_breaks[0].load, 0.6 * p / H, 0.002 * p / H);
    for (int i = 0; i < 10; ++i) {
        double v = tn_body_get_velocity(c.world, c.links[i]).linear.x;
        cr_assert_float_eq(v, i < 4 ? p / (4 * 2.0) : 0.0, 1e-4, "solver %d, link %d: %g", solver,
                           i, v);
    }
    tn_world_destroy(c.world);
}

Test(breaking, a_blow_does_not_travel_on_through_what_it_breaks) {
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        strike_chain(solvers[s], false);
        strike_chain(solvers[s], true);
    }
}

// All bear alike: the one that is loaded most breaks, and the others have nothing to bear any more.
Test(breaking, of_those_that_hang_together_one_breaks) {
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        chain c = make_chain(solvers[s], false);
        tn_events events;
        for (int i = 0; i < 9; ++i) {
            tn_joint_set_break_force(c.world, c.joints[i], 100.0f, INFINITY);
        }
        tn_body_apply_impulse(c.world, c.links[0], (tn_vec3){12.0, 0.0, 0.0});
        cr_assert(step_until_break(c.world, 1, &events) == 1);
        cr_assert(events.joint_break_count == 1, "solver %u: %u", s, events.joint_break_count);
        cr_assert(events.joint_breaks[0].joint.value == c.joints[0].value);
        cr_assert_float_eq(tn_body_get_velocity(c.world, c.links[0]).linear.x, 6.0, 1e-5);
        tn_world_destroy(c.world);
    }
}

// Two that carry a beam: when the weaker one goes the other is left with all of it.
Test(breaking, what_breaks_leaves_its_load_to_others_in_the_same_substep) {
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        tn_world *world = make_world(gravity, solvers[s]);
        tn_body_id beam = body_make(world, 0, 0, 0, 3, 1e4); // which hardly turns
        tn_joint_id joints[2];
        tn_events events;
        for (int i = 0; i < 2; ++i) {
            joints[i] = joint_make(world, TN_JOINT_TYPE_BALL, world_body, beam,
                                   (tn_vec3){0, 0, 0.5 - i}, (tn_vec3){1, 0, 0});
        }
        run(world, 0.5, 240.0, 1);
        tn_joint_set_break_force(world, joints[1], 0.4f * 29.43f, INFINITY);
        tn_joint_set_break_force(world, joints[0], 0.6f * 29.43f, INFINITY);
        cr_assert(step_until_break(world, 2, &events) > 0, "solver %u", s);
        cr_assert(events.joint_break_count == 2, "solver %u", s);
        cr_assert(tn_world_count_joints(world) == 0);
        tn_world_destroy(world);
    }
}

// Three links swing here, and a weight falls off its hook there, or holds. Returns where the last
// link is after that.
static tn_vec3 swing_beside_a_hook(bool breaks) {
    tn_world *world = make_world(gravity, TN_SOLVER_PGS);
    tn_body_id links[3];
    for (int i = 0; i < 3; ++i) {
        links[i] = body_make(world, 1.0 + i, 0, 0, 1, 0.1);
        joint_make(world, TN_JOINT_TYPE_BALL, i == 0 ? world_body : links[i - 1], links[i],
                   (tn_vec3){0.5 + i, 0, 0}, (tn_vec3){1, 0, 0});
    }
    tn_body_id weight = body_make(world, 50, -1, 0, 2, 0.1);
    tn_joint_id hook = joint_make(world, TN_JOINT_TYPE_BALL, world_body, weight,
                                  (tn_vec3){50, 0, 0}, (tn_vec3){1, 0, 0});
    run(world, 0.3, 240.0, 1);
    if (breaks) {
        tn_joint_set_break_force(world, hook, 10.0f, INFINITY);
    }
    run(world, 0.3, 240.0, 1);
    cr_assert(tn_joint_is_valid(world, hook) == !breaks);
    tn_vec3 place = tn_body_get_center(world, links[2]);
    tn_world_destroy(world);
    return place;
}

Test(breaking, what_breaks_changes_no_bit_of_another_machine) {
    tn_vec3 whole = swing_beside_a_hook(false), broken = swing_beside_a_hook(true);
    cr_assert(whole.x == broken.x && whole.y == broken.y && whole.z == broken.z);
}

// Equal loads: the first one that was made, in every run.
Test(breaking, equals_break_one_after_the_other_and_always_the_same) {
    uint64_t hashes[2];
    for (int round = 0; round < 2; ++round) {
        chain c = make_chain(TN_SOLVER_PGS, false);
        tn_events events;
        for (int i = 0; i < 9; ++i) {
            tn_joint_set_break_force(c.world, c.joints[i], 50.0f, INFINITY);
        }
        tn_body_apply_impulse(c.world, c.links[0], (tn_vec3){12.0, 0.0, 0.0});
        tn_body_apply_impulse(c.world, c.links[9], (tn_vec3){-12.0, 0.0, 0.0});
        cr_assert(step_until_break(c.world, 1, &events) == 1);
        run(c.world, 0.2, 240.0, 1);
        hashes[round] = tn_world_get_hash(c.world);
        tn_world_destroy(c.world);
    }
    cr_assert(hashes[0] == hashes[1]);
}

// Two solvers in one chain: what Gauss-Seidel moves, joints of the other close afterwards. What
// broke is not closed.
Test(breaking, what_is_closed_after_the_sweeps_breaks_too) {
    tn_world *world = make_world(gravity, TN_SOLVER_DIRECT);
    tn_body_id links[4], last = world_body;
    tn_joint_id joints[4];
    for (int i = 0; i < 4; ++i) {
        links[i] = body_make(world, 0, -1 - i, 0, 2, 0.1);
        joints[i] = joint_make(world, TN_JOINT_TYPE_BALL, last, links[i], (tn_vec3){0, -0.5 - i, 0},
                               (tn_vec3){1, 0, 0});
        last = links[i];
    }
    tn_joint_set_solver(world, joints[0], TN_SOLVER_PGS);
    run(world, 1.0, 240.0, 4);
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    cr_assert(info.method == TN_MECHANISM_METHOD_PGS_CLOSED);
    // The third bears two links, 39.24 N.
    tn_joint_set_break_axes(world, joints[2], (tn_vec3){1.0, 39.5, 1.0}, anything);
    run(world, 0.5, 240.0, 4);
    cr_assert(tn_world_count_joints(world) == 4);
    tn_joint_set_break_axes(world, joints[2], (tn_vec3){1.0, 39.0, 1.0}, anything);
    run(world, 0.25, 240.0, 4);
    cr_assert(tn_world_count_joints(world) == 3 && !tn_joint_is_valid(world, joints[2]));
    for (int i = 0; i < 4; ++i) {
        double v = tn_body_get_velocity(world, links[i]).linear.y;
        cr_assert_float_eq(v, i < 2 ? 0.0 : -9.81 * 0.25, i < 2 ? 1e-3 : 0.02, "link %d: %g", i, v);
    }
    tn_world_destroy(world);
}

// ---- many ---------------------------------------------------------------------------------------

// Kinds of joints that hang alone, or so many of them that they are solved eight at once.
static tn_joint_id hang_many(tn_world *world, tn_joint_type type, uint32_t count) {
    tn_joint_id last = {0};
    for (uint32_t i = 0; i < count; ++i) {
        tn_body_id post = static_body_make(world, 3.0 * i, 0, 0);
        tn_body_id body = body_make(world, 3.0 * i + 0.5, -1, 0.25, 3, 0.1);
        last = joint_make(world, type, post, body, (tn_vec3){3.0 * i, 0, 0}, (tn_vec3){1, 0, 0});
        // Every third one bears it all, from what it is told to on.
        bool is_weak = i % 3 == (count - 1) % 3;
        tn_joint_set_break_force(world, last, is_weak ? 31.0f : INFINITY,
                                 is_weak ? 14.0f : INFINITY);
        tn_joint_set_break_time(world, last, 0.1f);
    }
    return last;
}

Test(breaking, eight_at_once_break_as_one_alone, .timeout = 60) {
    const tn_joint_type types[] = {TN_JOINT_TYPE_BALL, TN_JOINT_TYPE_HINGE, TN_JOINT_TYPE_FIXED,
                                   TN_JOINT_TYPE_SLIDER};
    for (uint32_t t = 0; t < sizeof types / sizeof *types; ++t) {
        tn_world *alone = world_make(gravity, NULL), *many = world_make(gravity, NULL);
        tn_world_set_solver(alone, TN_SOLVER_PGS);
        tn_world_set_solver(many, TN_SOLVER_PGS);
        tn_joint_id one = hang_many(alone, types[t], 1), last = hang_many(many, types[t], 103);
        for (int i = 0; i < 240; ++i) {
            tn_events of_one, of_many;
            cr_assert(tn_world_step(alone, H, 1) == TN_RESULT_OK);
            cr_assert(tn_world_step(many, H, 1) == TN_RESULT_OK);
            of_one = tn_world_get_events(alone);
            of_many = tn_world_get_events(many);
            cr_assert(of_many.joint_break_count == 35 * of_one.joint_break_count,
                      "type %u, step %d: %u", t, i, of_many.joint_break_count);
            if (of_one.joint_break_count > 0) {
                cr_assert_float_eq((double)of_many.joint_breaks[0].load,
                                   (double)of_one.joint_breaks[0].load, 0.01);
            }
        }
        cr_assert(!tn_joint_is_valid(alone, one) && !tn_joint_is_valid(many, last));
        cr_assert(tn_world_count_joints(many) == 68);
        tn_telemetry telemetry = tn_world_get_telemetry(many);
        cr_assert(telemetry.worst_joint_linear < 0.01, "%g m", telemetry.worst_joint_linear);
        tn_world_destroy(alone);
        tn_world_destroy(many);
    }
}

#define WALL 10

// A wall of blocks welded to each other and to the ground, hit by a ball.
static uint64_t break_wall(uint32_t workers, tn_solver solver, uint32_t *out_broken) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    def.solver = solver;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id blocks[WALL][WALL];
    tn_shape_def shape = tn_shape_def_default();
    tn_vec3 half = {0.2, 0.2, 0.1};
    for (int i = 0; i < WALL * WALL; ++i) {
        tn_body_def body = tn_body_def_default();
        int x = i % WALL, y = i / WALL;
        body.pose.position = (tn_vec3){0.4 * x, 0.2 + 0.4 * y, 0};
        blocks[y][x] = tn_body_create(world, &body);
        tn_box_shape_create(world, blocks[y][x], &shape, half);
        tn_fixed_joint_def weld = tn_fixed_joint_def_default();
        weld.base.break_force = 60000.0f;
        weld.base.break_angular = (tn_vec3){3000.0, 3000.0, 3000.0};
        weld.base.break_time = i % 2 == 0 ? 0.0f : 0.004f;
        tn_vec3 below = {0.4 * x, 0.4 * y, 0}, beside = {0.4 * x - 0.2, 0.2 + 0.4 * y, 0};
        set_frames(world, &weld.base, y > 0 ? blocks[y - 1][x] : world_body, blocks[y][x], below,
                   (tn_vec3){0, 1, 0});
        cr_assert(tn_fixed_joint_create(world, &weld).value != 0);
        if (x > 0) {
            set_frames(world, &weld.base, blocks[y][x - 1], blocks[y][x], beside,
                       (tn_vec3){1, 0, 0});
            cr_assert(tn_fixed_joint_create(world, &weld).value != 0);
        }
    }
    tn_body_def body = tn_body_def_default();
    body.pose.position = (tn_vec3){1.7, 2.2, -2};
    tn_body_id ball = tn_body_create(world, &body);
    shape.density = 8000.0f;
    tn_sphere_shape_create(world, ball, &shape, 0.3f);
    tn_body_set_velocity(world, ball, (tn_velocity){.linear = {0, 0, 20}});
    uint32_t whole = tn_world_count_joints(world);
    run(world, 0.5, 60.0, 4);
    uint64_t hash = tn_world_get_hash(world);
    *out_broken = whole - tn_world_count_joints(world);
    tn_world_destroy(world);
    return hash;
}

LONG_TEST(breaking, a_wall_breaks_alike_on_any_number_of_workers, .timeout = 60) {
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        uint32_t broken = 0, broken_too = 0;
        uint64_t alone = break_wall(1, solvers[s], &broken);
        cr_assert(broken > 3 && broken < 190, "solver %u: %u", s, broken);
        for (uint32_t workers = 2; workers <= 8; workers += workers == 2 ? 1 : 5) {
            cr_assert(break_wall(workers, solvers[s], &broken_too) == alone, "%u workers", workers);
            cr_assert(broken_too == broken);
        }
    }
}

// ---- as it is told ------------------------------------------------------------------------------

Test(breaking, what_broke_may_be_destroyed_while_events_are_read) {
    test_reports reports;
    tn_world *world = world_make(gravity, &reports);
    tn_joint_id joint = hang(world, TN_JOINT_TYPE_FIXED, 0, -1);
    tn_events events;
    tn_joint_set_break_axes(world, joint, (tn_vec3){(double)INFINITY, 10.0, (double)INFINITY},
                            anything);
    cr_assert(step_until_break(world, 2, &events) > 0);
    tn_joint_break_event event = events.joint_breaks[0];
    cr_assert(!tn_joint_is_valid(world, event.joint));
    tn_joint_destroy(world, event.joint);
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_INVALID_ID);
    tn_body_destroy(world, event.body_b);
    run(world, 0.1, 60.0, 4);
    cr_assert(reports.count == 1);
    tn_world_destroy(world);
}

// A blow breaks the joint: 3 kg come down at 4 m/s, more than it bears.
Test(breaking, the_ledger_holds_over_a_break) {
    tn_world_def def = tn_world_def_default();
    def.has_energy_ledger = true;
    def.is_sleep_allowed = false;
    for (uint32_t s = 0; s < SOLVERS; ++s) {
        def.solver = solvers[s];
        tn_world *world = tn_world_create(&def, NULL);
        tn_body_id upper = body_make(world, 0, -1, 0, 2, 0.1);
        tn_body_id lower = body_make(world, 0, -2, 0, 3, 0.1);
        tn_joint_id weak = joint_make(world, TN_JOINT_TYPE_BALL, upper, lower,
                                      (tn_vec3){0, -1.5, 0}, (tn_vec3){1, 0, 0});
        joint_make(world, TN_JOINT_TYPE_BALL, world_body, upper, (tn_vec3){0, 0, 0},
                   (tn_vec3){1, 0, 0});
        tn_events events;
        tn_joint_set_break_force(world, weak, 100.0f, INFINITY);
        tn_body_set_velocity(world, lower, (tn_velocity){.linear = {1, -4, 0}});
        double before = tn_world_get_energy(world).kinetic;
        cr_assert(step_until_break(world, 1, &events) == 1, "solver %u", s);
        run(world, 0.25, 240.0, 1);
        tn_energy energy = tn_world_get_energy(world);
        double work = energy.gravity_work + energy.joint_work, change = energy.kinetic - before;
        cr_assert_float_eq(change, work, 1e-3, "solver %u: %g J, not %g", s, change, work);
        // Nothing was lost to the joint: the lower one falls on as it came.
        cr_assert_float_eq(tn_body_get_velocity(world, lower).linear.y, -4.0 - 9.81 * (0.25 + H),
                           1e-3);
        tn_world_destroy(world);
    }
}
