// Bodies with locked axes on joints: whatever is locked, nothing flies off and no energy is gained.
#include "tests/joints/joint_world.h"
#include "tests/support/long_test.h"

static const tn_solver locked_solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_DIRECT, TN_SOLVER_PGS,
                                           TN_SOLVER_CG};
#define LOCKED_SOLVERS 4

// Locks of one axis, of two and of three, among them those of a plane.
static const uint32_t locked_sets[] = {0,  1,  2,  4,  8,  16, 32, 3,  6, 9,
                                       17, 24, 33, 34, 40, 48, 18, 28, 56};
#define LOCKED_SETS  19
#define LOCKED_TYPES 11
#define LOCKED_TIME  1.5 // s

typedef struct locked_case {
    tn_joint_type type;
    uint32_t locks;
    tn_solver solver;
    tn_vec3 axis;
    float push; // m/s, of the bar askew after a sixth of a second
} locked_case;

typedef struct locked_result {
    double gap, angle; // m, rad: largest
    double gain;       // J: energy above that at the start
} locked_result;

// Pushes the bar; returns the energy that gives it.
static double locked_push(tn_world *world, tn_body_id bar, float speed) {
    double before = tn_world_get_energy(world).kinetic;
    double impulse = (double)(speed * (float)tn_body_get_mass(world, bar).mass);
    tn_body_apply_impulse_at(world, bar, (tn_vec3){2.0 * impulse, impulse, 1.5 * impulse},
                             (tn_vec3){1.3, 0.1, 0.0});
    return tn_world_get_energy(world).kinetic - before;
}

// A level bar that a joint holds near one end.
static locked_result locked_run(const locked_case *it, double hz, uint32_t substeps, double time) {
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
    tn_world_set_solver(world, it->solver);
    tn_body_def body_def = tn_body_def_default();
    body_def.pose.position.x = 1.0;
    body_def.locks = it->locks;
    tn_body_id bar = tn_body_create(world, &body_def);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, bar, &shape, (tn_vec3){0.8, 0.1, 0.1});
    tn_joint_id joint =
        joint_make(world, it->type, world_body, bar, (tn_vec3){0.2, 0.0, 0.0}, it->axis);
    cr_assert(tn_joint_is_valid(world, joint));
    tn_energy start = tn_world_get_energy(world);
    locked_result result = {0.0, 0.0, 0.0};
    double given = 0.0;
    for (uint32_t i = 0; i < (uint32_t)(time * hz); ++i) {
        if (it->push > 0.0f && i == (uint32_t)(hz / 6.0)) {
            given = locked_push(world, bar, it->push);
        }
        tn_world_step(world, 1.0 / hz, substeps);
        tn_joint_error error = tn_joint_get_error(world, joint);
        tn_energy energy = tn_world_get_energy(world);
        double gain = energy.kinetic + energy.potential - start.kinetic - start.potential - given;
        result.gap = fmax(result.gap, error.linear_length);
        result.angle = fmax(result.angle, error.angular_length);
        result.gain = fmax(result.gain, gain);
    }
    tn_world_destroy(world);
    return result;
}

static void locked_check(const locked_case *it, double hz, uint32_t substeps, double time) {
    locked_result result = locked_run(it, hz, substeps, time);
    cr_assert(result.gap < 1e-3 && result.angle < 1e-3 && result.gain < 1.0,
              "type %d, locks %u, solver %d, %g Hz, axis %g %g %g: gap %g m, %g rad, gains %g J",
              (int)it->type, it->locks, (int)it->solver, hz, it->axis.x, it->axis.y, it->axis.z,
              result.gap, result.angle, result.gain);
}

LONG_TEST(locked_joints, no_set_of_locks_bursts_a_joint) {
    for (uint32_t i = 0; i < LOCKED_TYPES * LOCKED_SETS * LOCKED_SOLVERS; ++i) {
        locked_case it = {.type = (tn_joint_type)(i % LOCKED_TYPES),
                          .locks = locked_sets[i / LOCKED_TYPES % LOCKED_SETS],
                          .solver = locked_solvers[i / (LOCKED_TYPES * LOCKED_SETS)],
                          .axis = {0.0, 0.0, 1.0}};
        if (it.type == TN_JOINT_TYPE_DISTANCE) { // from the wall to the bar's other end
            it.axis = (tn_vec3){1.0, 0.0, 0.0};
        }
        locked_check(&it, 60.0, 4, LOCKED_TIME);
    }
}

// Under Gauss-Seidel joints give way to a blow, by millimetres. Where locks make most rows of a
// joint say the same, none may take the round-off of what others say for something to push against.
LONG_TEST(locked_joints, a_push_bursts_no_joint_of_a_locked_body) {
    static const uint32_t sets[] = {2, 3, 4, 5, 6, 7, 15, 20, 47, 59};
    static const tn_vec3 axes[] = {{0.0, 0.0, 1.0}, {0.6, 0.5, 0.3}};
    for (uint32_t i = 0; i < 10 * 10 * LOCKED_SOLVERS * 2; ++i) {
        locked_case it = {.type = (tn_joint_type)(TN_JOINT_TYPE_BALL + i % 10),
                          .locks = sets[i / 10 % 10],
                          .solver = locked_solvers[i / 100 % LOCKED_SOLVERS],
                          .axis = axes[i / (100 * LOCKED_SOLVERS)],
                          .push = 1.0f};
        locked_result result = locked_run(&it, 60.0, 4, 0.6);
        cr_assert(result.gap < 0.02 && result.angle < 0.05 && result.gain < 1.0,
                  "type %d, locks %u, solver %d: gap %g m, %g rad, gains %g J", (int)it.type,
                  it.locks, (int)it.solver, result.gap, result.angle, result.gain);
    }
}

// Locks leave an arm along a row, and with it a joint that is blind there until the body turns a
// little. At high rates nothing may kick the body back and forth about this pose, nor may the rows
// that are left be those that see the body's turn worst.
LONG_TEST(locked_joints, a_nearly_blind_row_throws_nothing_at_any_rate) {
    static const uint32_t sets[] = {1, 5, 7, 21, 23, 33, 39, 47, 49, 57};
    static const tn_vec3 axes[] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
    static const struct {
        double hz;
        uint32_t substeps;
    } rates[] = {{60.0, 1}, {60.0, 4}, {60.0, 6}, {60.0, 16}, {240.0, 4}};
    for (uint32_t i = 0; i < 10 * 10 * 5 * 2 * LOCKED_SOLVERS; ++i) {
        locked_case it = {.type = (tn_joint_type)(TN_JOINT_TYPE_BALL + i % 10),
                          .locks = sets[i / 10 % 10],
                          .solver = locked_solvers[i / 1000 % LOCKED_SOLVERS],
                          .axis = axes[i / 500 % 2],
                          .push = 1.0f};
        uint32_t rate = i / 100 % 5;
        locked_result result = locked_run(&it, rates[rate].hz, rates[rate].substeps, 0.6);
        double most = rate == 0 ? 0.06 : 0.01;
        cr_assert(result.gap < most && result.angle < 2.0 * most && result.gain < 0.1,
                  "type %d, locks %u, solver %d, %g Hz x %u: gap %g m, %g rad, gains %g J",
                  (int)it.type, it.locks, (int)it.solver, rates[rate].hz, rates[rate].substeps,
                  result.gap, result.angle, result.gain);
    }
}
