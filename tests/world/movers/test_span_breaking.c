// Joints of affine bodies, ropes and functions of three bodies break within the step.
#include "affine_world.h"

static test_reports reports;
static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_AUTO, TN_SOLVER_CG};

#define LINKS 10
#define H     (1.0 / 240.0)

TestSuite(span_breaking, .timeout = 60);

// Whose sweeps go on until nothing changes any more.
static tn_world *make_world(tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, 0.0, 0.0};
    def.is_sleep_allowed = false;
    def.solver = solver;
    def.joint_iterations = 64;
    def.relax_iterations = 64;
    def.has_energy_ledger = true;
    return test_def_world_create(def, &reports);
}

typedef enum chain_kind {
    CHAIN_AFFINE,   // rods between the centres of affine bodies
    CHAIN_ROPE,     // ropes that do not stretch
    CHAIN_FUNCTION, // a function of the distance, with a third body that counts for nothing
    CHAIN_KINDS,
} chain_kind;

typedef struct chain {
    tn_world *world;
    tn_body_id links[LINKS], third;
    tn_reduced_id first; // of the first link, where it is affine
    tn_joint_id joints[LINKS - 1];
} chain;

static tn_joint_id rod_make(const chain *c, uint32_t i, float bears) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = c->links[i];
    def.base.body_b = c->links[i + 1];
    def.base.break_force = bears;
    def.length = 1.0f;
    return tn_distance_joint_create(c->world, &def);
}

static tn_joint_id rope_make(const chain *c, uint32_t i, float bears) {
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.point_count = 2;
    def.points[0].body = c->links[i];
    def.points[1].body = c->links[i + 1];
    def.is_rigid = true;
    def.base.break_force = bears;
    return tn_rope_joint_create(c->world, &def);
}

static tn_joint_id function_make(const chain *c, uint32_t i, float bears) {
    const tn_vec3 middle = {0.0, 0.0, 0.0};
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node a = tn_graph_add_point(graph, 0, middle), b = tn_graph_add_point(graph, 1, middle);
    tn_node third = tn_graph_add_component(graph, tn_graph_add_point(graph, 2, middle), 0);
    tn_node nothing = tn_graph_add_product(graph, tn_graph_add_number(graph, 0.0), third);
    tn_node off = tn_graph_add_difference(graph, tn_graph_add_distance(graph, a, b),
                                          tn_graph_add_number(graph, 1.0));
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    def.body_count = 3;
    def.bodies[0] = c->links[i];
    def.bodies[1] = c->links[i + 1];
    def.bodies[2] = c->third;
    def.row_count = 1;
    def.nodes[0] = tn_graph_add_sum(graph, off, nothing);
    def.rows[0].break_load = bears;
    tn_joint_id joint = tn_function_joint_create(c->world, &def);
    tn_graph_destroy(graph);
    return joint;
}

static void place(tn_world *world, tn_body_id body, double x, double y) {
    tn_body_set_pose(world, body, (tn_pose){{x, y, 0.0}, {0.0, 0.0, 0.0, 1.0}});
}

static tn_reduced_id soften(tn_world *world, tn_body_id body) {
    return affine_make(world, body, 1e5, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
}

// p along the chain at its first link, which has 2 kg.
static void blow(const chain *c, double px, double py) {
    if (c->first.value != 0) {
        double speeds[TN_AFFINE_FREEDOMS] = {0.5 * px, 0.5 * py};
        tn_reduced_set_speeds(c->world, c->first, speeds, TN_AFFINE_FREEDOMS);
    } else {
        tn_body_apply_impulse(c->world, c->links[0], (tn_vec3){px, py, 0.0});
    }
}

// Ten links of 2 kg in a line, at rest; joint 3 bears 0.3 of a blow p, the others 0.95.
static chain make_chain(chain_kind kind, tn_solver solver, double p) {
    chain c = {.world = make_world(solver)};
    c.third = reduced_body_make(c.world, 2.0, 0.1);
    place(c.world, c.third, 0.0, 5.0);
    for (uint32_t i = 0; i < LINKS; ++i) {
        c.links[i] = kind == CHAIN_AFFINE ? affine_box_make(c.world, 2.0, 0.4, 0.4, 0.4)
                                          : reduced_body_make(c.world, 2.0, 0.1);
        place(c.world, c.links[i], i, 0.0);
        if (kind == CHAIN_AFFINE) {
            tn_reduced_id id = soften(c.world, c.links[i]);
            c.first = i == 0 ? id : c.first;
        }
    }
    for (uint32_t i = 0; i < LINKS - 1; ++i) {
        float bears = (float)((i == 3 ? 0.3 : 0.95) * p / H);
        c.joints[i] = kind == CHAIN_AFFINE ? rod_make(&c, i, bears)
                      : kind == CHAIN_ROPE ? rope_make(&c, i, bears)
                                           : function_make(&c, i, bears);
        cr_assert(c.joints[i].value != 0);
    }
    return c;
}

static double get_balance(const tn_world *world) {
    tn_energy now = tn_world_get_energy(world);
    return now.kinetic - (now.gravity_work + now.force_work + now.motor_work + now.spring_work +
                          now.joint_work + now.friction_work + now.impact_work + now.damping_work);
}

// A blow along the chain at its first link: joint k has to move the 9 - k links beyond it, with
// p (9 - k) / 10. The weak one goes, and nothing of the blow comes beyond it.
static void strike(chain_kind kind, tn_solver solver, uint32_t substeps) {
    const double p = 12.0;
    chain c = make_chain(kind, solver, p);
    blow(&c, p, 0.0);
    double energy = get_balance(c.world);
    cr_assert(tn_world_step(c.world, substeps * H, substeps) == TN_RESULT_OK);
    tn_events events = tn_world_get_events(c.world);
    cr_assert(events.joint_break_count == 1, "kind %d, solver %d: %u", kind, (int)solver,
              events.joint_break_count);
    const tn_joint_break_event *event = &events.joint_breaks[0];
    cr_assert(event->joint.value == c.joints[3].value);
    cr_assert(event->cause == (kind == CHAIN_FUNCTION ? TN_BREAK_CAUSE_ROW : TN_BREAK_CAUSE_FORCE));
    TEST_NEAR((double)event->load, 0.6 * p / H, 0.002 * p / H);
    for (uint32_t i = 0; i < LINKS; ++i) {
        double v = tn_body_get_velocity(c.world, c.links[i]).linear.x;
        double truth = i < 4 ? p / (4 * 2.0) : 0.0;
        cr_assert(fabs(v - truth) < 1e-4, "kind %d, solver %d, link %u: %g", kind, (int)solver, i,
                  v);
    }
    TEST_NEAR(get_balance(c.world), energy, 1e-4);
    test_world_destroy_quiet(c.world, &reports);
}

Test(span_breaking, a_blow_does_not_travel_on_through_a_joint_of_affine_bodies) {
    for (uint32_t s = 0; s < 4; ++s) {
        strike(CHAIN_AFFINE, solvers[s], 1);
        strike(CHAIN_AFFINE, solvers[s], 4);
    }
}

Test(span_breaking, nor_through_a_rope_or_a_function) {
    for (uint32_t s = 0; s < 4; ++s) {
        strike(CHAIN_ROPE, solvers[s], 1);
        strike(CHAIN_ROPE, solvers[s], 4);
        strike(CHAIN_FUNCTION, solvers[s], 1);
        strike(CHAIN_FUNCTION, solvers[s], 4);
    }
}

// A ball of 2 kg falls on a box of 2 kg that hangs on a weak rope: the rope goes, and what was m v
// before is so after it, as if there had been no rope.
Test(span_breaking, a_rope_that_a_hit_breaks_takes_nothing_of_it) {
    for (uint32_t s = 0; s < 4; ++s) {
        tn_world *world = make_world(solvers[s]);
        tn_body_id ball = reduced_body_make(world, 2.0, 0.1),
                   box = reduced_body_make(world, 2.0, 0.1);
        tn_shape_def shape = tn_shape_def_default();
        shape.density = 0.0f;
        shape.material.friction = 0.0f;
        cr_assert(tn_sphere_shape_create(world, ball, &shape, 0.1f).value != 0);
        cr_assert(tn_box_shape_create(world, box, &shape, (tn_vec3){0.2, 0.2, 0.2}).value != 0);
        place(world, ball, 0.0, 0.5);
        tn_body_apply_impulse(world, ball, (tn_vec3){0.0, -10.0, 0.0});
        tn_rope_joint_def def = tn_rope_joint_def_default();
        def.point_count = 3;
        def.points[0].body = box;
        def.points[1].position = (tn_vec3){0.0, 1.0, 0.0};
        def.points[2].position = (tn_vec3){1.0, 1.0, 0.0};
        def.base.break_force = 10.0f;
        tn_joint_id rope = tn_rope_joint_create(world, &def);
        cr_assert(rope.value != 0);
        for (int i = 0; i < 60; ++i) {
            cr_assert(tn_world_step(world, 1.0 / 120.0, 2) == TN_RESULT_OK);
        }
        cr_assert(!tn_joint_is_valid(world, rope), "solver %u", s);
        double p = 2.0 * (tn_body_get_velocity(world, ball).linear.y +
                          tn_body_get_velocity(world, box).linear.y);
        TEST_NEAR(p, -10.0, 1e-3);
        test_world_destroy_quiet(world, &reports);
    }
}

// The step in which something breaks in one island leaves the bits of another alone.
Test(span_breaking, leaves_other_islands_alone) {
    for (uint32_t s = 0; s < 3; ++s) {
        double ends[2];
        for (int breaks = 0; breaks < 2; ++breaks) {
            tn_world *world = make_world(solvers[s]);
            chain c[2] = {{.world = world}, {.world = world}};
            for (uint32_t n = 0; n < 2; ++n) {
                for (uint32_t i = 0; i < 3; ++i) {
                    c[n].links[i] = affine_box_make(world, 2.0, 0.4, 0.4, 0.4);
                    place(world, c[n].links[i], i, 3.0 * n);
                    tn_reduced_id id = soften(world, c[n].links[i]);
                    c[n].first = i == 0 ? id : c[n].first;
                }
                for (uint32_t i = 0; i < 2; ++i) {
                    rod_make(&c[n], i, n == 0 && breaks == 1 && i == 1 ? 1.0f : 1e6f);
                }
                blow(&c[n], 3.0, 1.0);
            }
            cr_assert(tn_world_step(world, 4 * H, 4) == TN_RESULT_OK);
            cr_assert(tn_world_count_joints(world) == (breaks == 1 ? 3 : 4));
            ends[breaks] = tn_body_get_pose(world, c[1].links[2]).position.y;
            test_world_destroy_quiet(world, &reports);
        }
        cr_assert(ends[0] == ends[1], "%u: %.17g %.17g", s, ends[0], ends[1]);
    }
}
