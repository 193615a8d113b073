// Chains of boxes that turn and bounce on a floor: a blow turns its body to the time of the hit and
// back, and joints go on from there.
#include "joint_world.h"
#include "tests/support/long_test.h"

#define CHAIN_BOXES 3
#define CHAIN_APART 0.8

typedef struct chain_case {
    tn_solver solver;
    bool is_hinged;
    double hz;
    uint32_t substeps, seed;
} chain_case;

typedef struct chain_result {
    double off;  // of the kinetic energy at the start: what the ledger does not account for
    double open; // m
} chain_result;

static void chain_add_floor(tn_world *world, const tn_shape_def *shape) {
    tn_body_id floor = static_body_make(world, 0.0, -0.5, 0.0);
    tn_box_shape_create(world, floor, shape, (tn_vec3){20.0, 0.5, 20.0});
}

static tn_body_id chain_add_box(tn_world *world, const tn_shape_def *shape, int i, tn_vec3 spin) {
    tn_body_def def = tn_body_def_default();
    double x = CHAIN_APART * (i - 1);
    def.pose.position = (tn_vec3){x, 1.2, 0.0};
    def.velocity.angular = spin;
    def.velocity.linear = (tn_vec3){0.0, spin.z * x, -spin.y * x};
    tn_body_id box = tn_body_create(world, &def);
    tn_box_shape_create(world, box, shape, (tn_vec3){0.38, 0.1, 0.2});
    return box;
}

static void chain_tie(tn_world *world, tn_body_id a, tn_body_id b, double x, bool is_hinged) {
    const tn_vec3 at = {x, 1.2, 0.0};
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    set_frames(world, &ball.base, a, b, at, (tn_vec3){1.0, 0.0, 0.0});
    set_frames(world, &hinge.base, a, b, at, (tn_vec3){0.0, 0.0, 1.0});
    cr_assert(
        (is_hinged ? tn_hinge_joint_create(world, &hinge) : tn_ball_joint_create(world, &ball))
            .value != 0);
}

static tn_world *chain_make(const chain_case *it) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.has_energy_ledger = true;
    def.solver = it->solver;
    tn_world *world = tn_world_create(&def, NULL);
    tn_shape_def shape = tn_shape_def_default();
    shape.material.restitution = 0.6f;
    chain_add_floor(world, &shape);
    shape.filter.group = -1;
    tn_vec3 spin = {9.0 * sin(it->seed), 9.0 * sin(2.0 * it->seed + 1.0), 9.0 * cos(it->seed)};
    tn_body_id last = world_body;
    for (int i = 0; i < CHAIN_BOXES; ++i) {
        tn_body_id box = chain_add_box(world, &shape, i, spin);
        if (i > 0) {
            chain_tie(world, last, box, CHAIN_APART * (i - 1.5), it->is_hinged);
        }
        last = box;
    }
    return world;
}

static double chain_get_missing(const tn_energy *energy, double start) {
    return energy->kinetic - start - energy->gravity_work - energy->motor_work -
           energy->spring_work - energy->force_work - energy->joint_work - energy->friction_work -
           energy->impact_work - energy->damping_work;
}

static chain_result chain_watch(const chain_case *it) {
    tn_world *world = chain_make(it);
    double start = tn_world_get_energy(world).kinetic;
    chain_result result = {0.0, 0.0};
    for (int k = 0; k < (int)(2.0 * it->hz); ++k) {
        cr_assert(tn_world_step(world, 1.0 / it->hz, it->substeps) == TN_RESULT_OK);
        tn_energy energy = tn_world_get_energy(world);
        result.off = fmax(result.off, fabs(chain_get_missing(&energy, start)) / start);
        result.open = fmax(result.open, tn_world_get_telemetry(world).worst_joint_linear);
    }
    tn_world_destroy(world);
    return result;
}

static chain_case chain_get_case(uint32_t i) {
    static const double rates[4] = {30.0, 60.0, 60.0, 240.0};
    static const uint32_t substeps[4] = {1, 1, 4, 4};
    return (chain_case){.solver = i % 2 == 0 ? TN_SOLVER_PGS : TN_SOLVER_CG,
                        .is_hinged = i / 2 % 2 != 0,
                        .hz = rates[i / 4],
                        .substeps = substeps[i / 4]};
}

LONG_TEST(joint_blows, the_ledger_closes_where_boxes_on_joints_bounce) {
    for (uint32_t i = 0; i < 16; ++i) {
        chain_case it = chain_get_case(i);
        for (it.seed = 1; it.seed <= 8; ++it.seed) {
            double off = chain_watch(&it).off;
            cr_assert(off < 1e-3, "solver %d, %g x %u, seed %u: %g", (int)it.solver, it.hz,
                      it.substeps, it.seed, off);
        }
    }
}

// Conjugate gradients leave next to nothing of what joints see, so what is left is what they do
// not.
LONG_TEST(joint_blows, joints_know_where_a_blow_leaves_their_bodies) {
    for (uint32_t i = 9; i < 16; i += 2) {
        chain_case it = chain_get_case(i);
        double sum = 0.0;
        for (it.seed = 1; it.seed <= 8; ++it.seed) {
            sum += chain_watch(&it).open;
        }
        double open = sum / 8.0 * it.hz * it.substeps; // m/s
        cr_assert(open < 0.9, "%g x %u: opened by %g m/s", it.hz, it.substeps, open);
    }
}
