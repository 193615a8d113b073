// Tests of world/step/step_balance.c: what a solver cannot hold comes to rest and says so.
#include "tests/support/long_test.h"
#include <math.h>

#include "scene_test.h"

TestSuite(bursts, .timeout = 60);

// Eight tonnes on a crane of 40 kg: the position motors have no cap, so that an open joint would
// let them feed it without end. The load falls by what it hangs above the ground at most.
static double get_crane_gap(tn_solver solver, double rate) {
    scene_run *run = scene_run_create(scene_find("crane"), NULL, NULL);
    cr_assert_not_null(run);
    tn_world_set_solver(run->world, solver);
    double gap = 0.0;
    for (int k = 0; k < (int)(12.0 * rate); ++k) {
        cr_assert(scene_run_step(run, 1.0 / rate, 4) == TN_RESULT_OK);
        gap = fmax(gap, tn_world_get_telemetry(run->world).worst_joint_linear);
    }
    double kinetic = tn_world_get_energy(run->world).kinetic;
    cr_assert(kinetic < 1e4, "solver %d, %g Hz: %g J", (int)solver, rate, kinetic);
    scene_run_destroy(run);
    return gap;
}

// How far a link of 40 kg under 8 t flies before it comes back is chance: at one rate in twelve a
// hundred metres.
LONG_TEST(bursts, a_crane_that_sweeps_cannot_hold_comes_to_rest) {
    static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_CG};
    for (int i = 0; i < 2; ++i) {
        uint32_t far_open = 0;
        for (double rate = 56.0; rate < 65.0; rate += 1.0) {
            double gap = get_crane_gap(solvers[i], rate);
            far_open += gap < 20.0 ? 0 : 1;
            cr_assert(gap < 200.0, "solver %d, %g Hz: open by %g m", (int)solvers[i], rate, gap);
        }
        cr_assert(far_open <= 3, "solver %d: %u of 9 open by 20 m", (int)solvers[i], far_open);
    }
}

// Returns the most by which the energy, less what motors gave, rises over that at the start; in a
// scene that loses some, over its lowest value so far. It is a share of the energy in the scene.
static double get_gain(const char *name, tn_solver solver, bool loses) {
    const scene *found = scene_find(name);
    double values[SCENE_MAX_OPTIONS];
    cr_assert(scene_get_values(found, NULL, 0, values));
    tn_world_def def = tn_world_def_default();
    def.has_energy_ledger = true;
    scene_run *run = scene_run_create(found, values, &def);
    cr_assert_not_null(run);
    tn_world_set_solver(run->world, solver);
    tn_energy energy = tn_world_get_energy(run->world);
    double rise = 0.0, given = 0.0, motors = 0.0, lowest = energy.kinetic + energy.potential;
    double scale = fabs(lowest);
    for (int i = 0; i < 600; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
        energy = tn_world_get_energy(run->world);
        given += fmax(energy.motor_work - motors, 0.0);
        motors = energy.motor_work;
        double now = energy.kinetic + energy.potential + energy.elastic - given;
        lowest = loses ? fmin(lowest, now) : lowest;
        rise = fmax(rise, now - lowest);
        scale = fmax(scale, energy.kinetic);
    }
    scene_run_destroy(run);
    return rise / scale;
}

// Over 10 s the slider-crank gained 3.8 % of its energy, and the double pendulum 0.5 %. The crane's
// motors hold 8 t with links of 40 kg, and what they give is known to a twentieth.
Test(bursts, conjugate_gradients_gain_nothing) {
    static const char *const names[] = {"coaster", "double_pendulum", "slider_crank", "crane"};
    for (int i = 0; i < 4; ++i) {
        double gain = get_gain(names[i], TN_SOLVER_CG, i == 3);
        cr_expect(gain < (i == 3 ? 0.01 : 0.005), "%s gains %g", names[i], gain);
    }
}

// ---- chains that sweeps cannot hold ------------------------------------------------------------

typedef enum burst_hold {
    BURST_ROPE,
    BURST_STRETCHING_ROPE,
    BURST_LINE, // a distance joint with an upper limit
    BURST_HOLDS,
} burst_hold;

typedef struct burst_case {
    burst_hold hold;
    tn_solver solver;
    double hz;
    double ratio; // of the masses of two neighbours
} burst_case;

#define BURST_LINKS  5
#define BURST_LENGTH 0.5

static tn_joint_id burst_hang(tn_world *world, tn_body_id body, burst_hold hold) {
    if (hold == BURST_LINE) {
        tn_distance_joint_def line = tn_distance_joint_def_default();
        line.base.body_b = body;
        line.limit = (tn_limit){.is_enabled = true, .upper = 0.6f};
        return tn_distance_joint_create(world, &line);
    }
    tn_rope_joint_def rope = tn_rope_joint_def_default();
    rope.point_count = 3;
    rope.points[0].position = (tn_vec3){-0.5, 0.3, 0.0};
    rope.points[1].position = (tn_vec3){0.0, 0.6, 0.0};
    rope.points[2] = (tn_rope_point){.body = body, .position = {0.1, 0.0, 0.0}};
    rope.length = 1.6;
    rope.axial_stiffness = hold == BURST_STRETCHING_ROPE ? 1e6f : 0.0f;
    return tn_rope_joint_create(world, &rope);
}

static tn_body_id burst_make_link(tn_world *world, uint32_t i, float mass) {
    tn_body_def def = tn_body_def_default();
    def.has_mass = true;
    def.mass.mass = (double)mass;
    def.mass.inertia = (tn_mat3_symmetric){
        0.002 * (double)mass, 0.02 * (double)mass, 0.02 * (double)mass, 0, 0, 0};
    def.pose.position.x = BURST_LENGTH * (i + 0.5);
    return tn_body_create(world, &def);
}

static tn_joint_id burst_link(tn_world *world, tn_body_id a, tn_body_id b) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a.position.x = 0.5 * BURST_LENGTH;
    def.base.frame_b.position.x = -0.5 * BURST_LENGTH;
    def.limit = (tn_limit){.is_enabled = true, .lower = -0.6f, .upper = 0.3f};
    return tn_hinge_joint_create(world, &def);
}

// Each link is `ratio` times as heavy as the one above it. The chain falls, and the joints that
// cannot hold it open; then it may be no faster than it fell, and a joint or its mechanism must say
// so.
static void burst_check(const burst_case *c) {
    tn_world_def def = tn_world_def_default();
    def.solver = c->solver;
    def.is_sleep_allowed = false;
    def.has_energy_ledger = true;
    tn_world *world = tn_world_create(&def, NULL);
    tn_joint_id joints[BURST_LINKS];
    tn_body_id links[BURST_LINKS];
    for (uint32_t i = 0; i < BURST_LINKS; ++i) {
        links[i] = burst_make_link(world, i, (float)pow(c->ratio, i));
        joints[i] = i == 0 ? burst_hang(world, links[0], c->hold)
                           : burst_link(world, links[i - 1], links[i]);
    }
    double fallen = 0.0, most = 0.0, heaviest = pow(c->ratio, BURST_LINKS - 1);
    double kinetic = 0.0;
    bool has_open = false, is_told = false;
    for (int i = 0; i < (int)(6.0 * c->hz); ++i) {
        tn_world_step(world, 1.0 / c->hz, 1);
        tn_energy energy = tn_world_get_energy(world);
        fallen = fmax(fallen, energy.gravity_work);
        most = fmax(most, energy.kinetic - fallen);
        kinetic = energy.kinetic;
        has_open |= tn_world_get_telemetry(world).worst_joint_linear > 1.0;
        for (uint32_t k = 0; k < BURST_LINKS; ++k) {
            is_told |= tn_joint_get_redundancy(world, joints[k]).fights;
        }
        tn_mechanism_info info = {0};
        is_told |= tn_world_get_mechanisms(world, &info, 1) == 1 && info.failures > 0;
    }
    // Sweeps leave it some: the energy of a fall of half a metre.
    cr_expect(most < 5.0 * heaviest, "hold %d, solver %d, %g Hz, ratio %g: %g J more than fallen",
              (int)c->hold, (int)c->solver, c->hz, c->ratio, most);
    cr_expect(is_told || !has_open, "hold %d, solver %d, %g Hz, ratio %g: nothing is reported",
              (int)c->hold, (int)c->solver, c->hz, c->ratio);
    // It sinks as slowly as a strained island does: g / 3 s.
    cr_expect(kinetic < 8.0 * heaviest, "hold %d, solver %d, %g Hz, ratio %g: %g J at the end",
              (int)c->hold, (int)c->solver, c->hz, c->ratio, kinetic);
    cr_expect_eq(tn_world_get_telemetry(world).reports, 0);
    tn_world_destroy(world);
}

Test(bursts, a_chain_on_a_rope_that_sweeps_cannot_hold_comes_to_rest) {
    static const double rates[] = {30.0, 60.0}, ratios[] = {5.0, 20.0, 50.0};
    static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_CG};
    for (int hold = 0; hold < BURST_HOLDS; ++hold) {
        for (int k = 0; k < 12; ++k) {
            burst_case c = {.hold = (burst_hold)hold,
                            .solver = solvers[k % 2],
                            .hz = rates[k / 2 % 2],
                            .ratio = ratios[k / 4]};
            burst_check(&c);
        }
    }
}

// Ragdolls that meet in a substep are of two islands, which passed energy to and fro without end.
LONG_TEST(bursts, ragdolls_in_a_heap_come_to_rest_under_conjugate_gradients) {
    scene_run *run = scene_run_create(scene_find("ragdolls"), NULL, NULL);
    cr_assert_not_null(run);
    tn_world_set_solver(run->world, TN_SOLVER_CG);
    double most = 0.0, kinetic = 0.0;
    for (int i = 0; i < 120; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 30.0, 1) == TN_RESULT_OK);
        kinetic = tn_world_get_energy(run->world).kinetic;
        most = fmax(most, kinetic);
        cr_assert(most < 3e5, "step %d: %g J", i, most); // they fall with 1.6e5 J
    }
    cr_expect(kinetic < 1e4, "%g J at the end", kinetic);
    scene_run_destroy(run);
}
