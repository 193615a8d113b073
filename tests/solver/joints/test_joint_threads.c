// Rods, ropes and springs in groups of eight against the same one by one: a net of particles and
// the same net of balls, whose threads end at their centres and so do not turn them.
#include "tests/support/long_test.h"
#include <criterion/criterion.h>
#include <math.h>
#include <tenon/tenon.h>

#define MESH     0.1 // m
#define MOST     40  // knots along an edge
#define ROD_MOST (2 * MOST * MOST)

typedef enum thread {
    ROD,
    ROPE,
    SPRING,
    HERTZ,           // a spring by its frequency
    ROPE_AND_SPRING, // that pulls in what the rope lets go
    THREADS,
} thread;

typedef struct net {
    tn_world *world;
    int side;
    tn_body_id knots[MOST][MOST];
    tn_joint_id rods[ROD_MOST];
    int rod_count;
} net;

static tn_body_id add_knot(tn_world *world, bool is_particle, double x, double y, double z,
                           double mass) {
    tn_body_def def = tn_body_def_default();
    def.is_particle = is_particle;
    def.pose.position = (tn_vec3){x, y, z};
    def.has_mass = true;
    def.mass.mass = mass;
    def.mass.inertia.xx = def.mass.inertia.yy = def.mass.inertia.zz = 0.01 * mass;
    tn_body_id body = tn_body_create(world, &def);
    cr_assert(body.value != 0);
    return body;
}

static tn_joint_id add_thread(tn_world *world, thread kind, tn_body_id a, tn_vec3 anchor,
                              tn_body_id b, double length) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a.position = anchor;
    def.is_rigid = kind == ROD;
    def.length = (float)length;
    def.limit.is_enabled = kind == ROPE || kind == ROPE_AND_SPRING;
    def.limit.upper = (float)(1.02 * length);
    if (kind == SPRING || kind == ROPE_AND_SPRING) {
        def.spring = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS,
                                 .stiffness = kind == SPRING ? 500.0f : 50.0f,
                                 .damping = 0.2f,
                                 .rest = (float)length};
    } else if (kind == HERTZ) {
        def.spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY,
                                 .hertz = 20.0f,
                                 .damping_ratio = 0.1f,
                                 .rest = (float)length};
    }
    tn_joint_id joint = tn_distance_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

static tn_joint_id add_rod(tn_world *world, tn_body_id a, tn_vec3 anchor, tn_body_id b,
                           double length) {
    return add_thread(world, ROD, a, anchor, b, length);
}

// A curtain that hangs aslant from a bar, which is kinematic and turns: its threads are fast to the
// bar beside its centre.
static net make_net_of(thread kind, const tn_world_def *world_def, bool is_particle, int side) {
    static const tn_vec3 none = {0.0, 0.0, 0.0};
    tn_world_def def = *world_def;
    def.solver = TN_SOLVER_PGS;
    def.is_sleep_allowed = false;
    net made = {.world = tn_world_create(&def, NULL), .side = side};
    tn_body_def bar = tn_body_def_default();
    bar.type = TN_BODY_TYPE_KINEMATIC;
    bar.velocity.angular.y = 0.5;
    tn_body_id top = tn_body_create(made.world, &bar);
    for (int i = 0; i < side; ++i) {
        for (int k = 0; k < side; ++k) {
            tn_body_id *knot = &made.knots[i][k];
            *knot = add_knot(made.world, is_particle, MESH * k, -0.8 * MESH * (i + 1),
                             0.6 * MESH * (i + 1), 0.01 * (1 + (i + k) % 3));
            made.rods[made.rod_count++] =
                i > 0
                    ? add_thread(made.world, kind, made.knots[i - 1][k], none, *knot, MESH)
                    : add_thread(made.world, kind, top, (tn_vec3){MESH * k, 0.0, 0.0}, *knot, MESH);
            if (k > 0) {
                made.rods[made.rod_count++] =
                    add_thread(made.world, kind, made.knots[i][k - 1], none, *knot, MESH);
            }
        }
    }
    return made;
}

static net make_net(bool is_particle, int side, bool has_ledger) {
    tn_world_def def = tn_world_def_default();
    def.has_energy_ledger = has_ledger;
    return make_net_of(ROD, &def, is_particle, side);
}

static void step_both(net *a, net *b, int steps) {
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(a->world, 1.0 / 60.0, 4) == TN_RESULT_OK);
        cr_assert(tn_world_step(b->world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
}

static void destroy_both(net *a, net *b) {
    tn_world_destroy(a->world);
    tn_world_destroy(b->world);
}

// Both are sums of floats, in the same order.
static void compare_as(const net *a, const net *b, double tolerance, double share, bool may_open) {
    double worst = 0.0, pull = 0.0, most = 0.0, open = 0.0;
    for (int i = 0; i < a->side; ++i) {
        for (int k = 0; k < a->side; ++k) {
            tn_vec3 p = tn_body_get_center(a->world, a->knots[i][k]);
            tn_vec3 q = tn_body_get_center(b->world, b->knots[i][k]);
            worst = fmax(worst, fmax(fabs(p.x - q.x), fmax(fabs(p.y - q.y), fabs(p.z - q.z))));
        }
    }
    for (int i = 0; i < a->rod_count; ++i) {
        tn_vec3 f = tn_joint_get_reaction(a->world, a->rods[i]).force;
        tn_vec3 g = tn_joint_get_reaction(b->world, b->rods[i]).force;
        pull = fmax(pull, fabs((double)(f.x - g.x)) + fabs((double)(f.y - g.y)) +
                              fabs((double)(f.z - g.z)));
        most = fmax(most, fabs((double)f.y));
        open = fmax(open, fabs(tn_joint_get_error(a->world, a->rods[i]).linear_length -
                               tn_joint_get_error(b->world, b->rods[i]).linear_length));
    }
    cr_assert(worst < tolerance, "%g m", worst);
    cr_assert(open < tolerance, "%g m", open);
    cr_assert(most > 0.0 && pull < share * most, "%g of %g N", pull, most);
    double of_a = tn_world_get_telemetry(a->world).worst_joint_linear;
    double of_b = tn_world_get_telemetry(b->world).worst_joint_linear;
    cr_assert((of_b > 1e-5) == may_open && fabs(of_a - of_b) < tolerance, "%g, %g m", of_a, of_b);
    cr_assert(tn_world_get_telemetry(a->world).worst_joint_angular == 0.0);
}

static void compare(const net *a, const net *b, double tolerance) {
    compare_as(a, b, tolerance, 1e-2, true);
}

TestSuite(joint_threads, .timeout = 60);

Test(joint_threads, hold_as_one_by_one) {
    net a = make_net(true, 8, false), b = make_net(false, 8, false);
    step_both(&a, &b, 60);
    compare(&a, &b, 1e-6);
    destroy_both(&a, &b);
}

Test(joint_threads, hold_a_larger_net_as_one_by_one) {
    net a = make_net(true, 30, false), b = make_net(false, 30, false);
    step_both(&a, &b, 10);
    compare(&a, &b, 1e-6);
    destroy_both(&a, &b);
}

// A net this large goes by color, in another order, and is about as far open: 8.8 mm, and 8.7 mm.
Test(joint_threads, hold_a_net_in_colors_as_well) {
    net a = make_net(true, MOST, false), b = make_net(false, MOST, false);
    step_both(&a, &b, 10);
    double of_a = tn_world_get_telemetry(a.world).worst_joint_linear;
    double of_b = tn_world_get_telemetry(b.world).worst_joint_linear;
    cr_assert(of_a < 1.1 * of_b, "%g, %g m", of_a, of_b);
    destroy_both(&a, &b);
}

// Springs give what each would. A rope that becomes taut comes to its very end, and rounding says
// whether it has passed it, which for a substep is a softer row: then the nets part by some tenths
// of a millimetre, and stay that near.
Test(joint_threads, pull_as_one_by_one) {
    for (int kind = ROPE; kind < THREADS; ++kind) {
        tn_world_def def = tn_world_def_default();
        net a = make_net_of((thread)kind, &def, true, 8);
        net b = make_net_of((thread)kind, &def, false, 8);
        step_both(&a, &b, 60);
        bool has_ropes = kind == ROPE || kind == ROPE_AND_SPRING;
        compare_as(&a, &b, has_ropes ? 1e-3 : 2e-6, has_ropes ? 0.1 : 1e-2, has_ropes);
        destroy_both(&a, &b);
    }
}

// The same bits for any number of workers and on every vector unit, in levels and in colors.
LONG_TEST(joint_threads, give_the_same_bits_on_workers_and_vector_units) {
    for (int i = 0; i < 2 * THREADS; ++i) {
        thread kind = (thread)(i / 2);
        int side = i % 2 == 0 ? 12 : MOST;
        uint64_t first = 0;
        for (int variant = 0; variant < 3; ++variant) {
            tn_world_def def = tn_world_def_default();
            def.worker_count = variant == 1 ? 3 : 1;
            def.is_baseline_only = variant == 2;
            net made = make_net_of(kind, &def, true, side);
            for (int step = 0; step < 10; ++step) {
                cr_assert(tn_world_step(made.world, 1.0 / 60.0, 4) == TN_RESULT_OK);
            }
            uint64_t hash = tn_world_get_hash(made.world);
            first = variant == 0 ? hash : first;
            cr_assert(hash == first, "thread %d, side %d, variant %d", (int)kind, side, variant);
            tn_world_destroy(made.world);
        }
    }
}

// What springs hold comes from what fell.
Test(joint_threads, tell_the_ledger_the_same_of_ropes_and_springs) {
    for (int kind = ROPE; kind < THREADS; ++kind) {
        tn_world_def def = tn_world_def_default();
        def.has_energy_ledger = true;
        net a = make_net_of((thread)kind, &def, true, 8);
        net b = make_net_of((thread)kind, &def, false, 8);
        step_both(&a, &b, 30);
        tn_energy e = tn_world_get_energy(a.world), f = tn_world_get_energy(b.world);
        double scale = fabs(f.gravity_work) + f.kinetic;
        cr_assert(scale > 1e-2);
        cr_assert_float_eq(e.joint_work, f.joint_work, 1e-3 * scale, "%d", kind);
        cr_assert_float_eq(e.spring_work, f.spring_work, 1e-3 * scale, "%d", kind);
        cr_assert_float_eq(e.gravity_work, f.gravity_work, 1e-3 * scale, "%d", kind);
        cr_assert_float_eq(e.kinetic, f.kinetic, 1e-3 * scale, "%d", kind);
        destroy_both(&a, &b);
    }
}

// The ledger asks for rows, impulses and work of each.
Test(joint_threads, tell_the_ledger_the_same) {
    net a = make_net(true, 8, true), b = make_net(false, 8, true);
    step_both(&a, &b, 30);
    compare(&a, &b, 2e-5);
    tn_energy e = tn_world_get_energy(a.world), f = tn_world_get_energy(b.world);
    cr_assert(f.joint_work < -1e-3);
    cr_assert_float_eq(e.joint_work, f.joint_work, -1e-3 * f.joint_work);
    cr_assert_float_eq(e.gravity_work, f.gravity_work, 1e-3 * f.gravity_work);
    cr_assert_float_eq(e.kinetic, f.kinetic, 1e-3 * f.kinetic);
    destroy_both(&a, &b);
}

// What stands in lanes from step to step is told apart when something comes between.
Test(joint_threads, follow_what_changes_between_steps) {
    net a = make_net(true, 8, false), b = make_net(false, 8, false);
    net *const both[2] = {&a, &b};
    step_both(&a, &b, 10);
    for (int i = 0; i < 2; ++i) {
        tn_distance_joint_set_length(both[i]->world, both[i]->rods[20], 0.15f);
        tn_joint_destroy(both[i]->world, both[i]->rods[both[i]->rod_count - 1]);
        both[i]->rod_count -= 1;
    }
    step_both(&a, &b, 10);
    for (int i = 0; i < 2; ++i) {
        tn_vec3 at = tn_body_get_center(both[i]->world, both[i]->knots[3][3]);
        tn_pose pose = {{at.x, at.y + 0.02, at.z}, {0.0, 0.0, 0.0, 1.0}};
        tn_body_set_pose(both[i]->world, both[i]->knots[3][3], pose);
        tn_body_set_velocity(both[i]->world, both[i]->knots[5][5],
                             (tn_velocity){.linear = {0.0, 0.0, 1.0}});
    }
    step_both(&a, &b, 20);
    compare(&a, &b, 5e-5);
    destroy_both(&a, &b);
}

// Knots that lie on each other have no direction between them, which nothing falls over.
Test(joint_threads, bring_apart_what_lies_in_one_point) {
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.gravity = (tn_vec3){0.0, 0.0, 0.0};
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id first = add_knot(world, true, 0.0, 0.0, 0.0, 1.0);
    for (int i = 0; i < 100; ++i) {
        tn_body_id next = add_knot(world, true, 0.0, 0.0, 0.0, 1.0);
        add_rod(world, first, (tn_vec3){0.0, 0.0, 0.0}, next, MESH);
        first = add_knot(world, true, MESH * i, 1.0, 0.0, 1.0);
    }
    for (int i = 0; i < 240; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    tn_vec3 p = tn_world_get_energy(world).linear_momentum;
    cr_assert(isfinite(p.x + p.y + p.z));
    cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 2.0);
    tn_world_destroy(world);
}
