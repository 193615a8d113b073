// bench/machine_watch.c: follows a machine step by step.
//
// Kinetic, potential and elastic energy less the motors' work may only fall: friction, blows and
// dampers take from it, and nothing gives. The rise is measured from the lowest value so far.
#include "bench/machine_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WATCH_HZ 60.0
// m: what the machine's weight does over this way is the least that gains are measured by.
#define WATCH_LEAST_WAY 1e-3
#define WATCH_STEPS     3600 // at most
// Iterations of a step whose 4 substeps need two each: what sleeps or hangs at rest needs fewer.
#define WATCH_USUAL 8.0

typedef struct watch_state {
    machine_result result;
    double lowest, largest, rise; // J
    double lower_potential, upper_potential;
    double openings[MACHINE_OPEN_STEPS + 1], bends[MACHINE_OPEN_STEPS + 1];
    uint32_t open_steps;
    double ledger; // J
    uint32_t iterations[WATCH_STEPS];
    uint32_t step;
} watch_state;

static double watch_sum_works(const tn_energy *energy) {
    return energy->gravity_work + energy->motor_work + energy->spring_work + energy->force_work +
           energy->joint_work + energy->friction_work + energy->impact_work + energy->damping_work;
}

// Less the motors' work, which alone may add to it.
static double watch_get_total(const tn_energy *energy) {
    return energy->kinetic + energy->potential + energy->elastic - energy->motor_work;
}

static void watch_energy(watch_state *state, const tn_energy *energy, double start_kinetic) {
    double now = watch_get_total(energy);
    if (state->step == 0) {
        state->lowest = now;
        state->lower_potential = state->upper_potential = energy->potential;
    }
    state->lowest = fmin(state->lowest, now);
    if (now - state->lowest > state->rise) {
        state->rise = now - state->lowest;
        state->result.gain_time = state->step / WATCH_HZ;
    }
    state->largest = fmax(state->largest, energy->kinetic);
    state->lower_potential = fmin(state->lower_potential, energy->potential);
    state->upper_potential = fmax(state->upper_potential, energy->potential);
    double change = energy->kinetic - start_kinetic;
    state->ledger = fmax(state->ledger, fabs(change - watch_sum_works(energy)));
}

// The least of the last MACHINE_OPEN_STEPS + 1 errors is one that lasted.
static double watch_last(double *errors, uint32_t step, double error) {
    errors[step % (MACHINE_OPEN_STEPS + 1)] = error;
    double least = step < MACHINE_OPEN_STEPS ? 0.0 : error;
    for (uint32_t i = 0; i <= MACHINE_OPEN_STEPS && least > 0.0; i++) {
        least = fmin(least, errors[i]);
    }
    return least;
}

// What its weight does over a way that nobody sees: for machines that hardly move.
static double watch_get_least(const machine *made) {
    double mass = 0.0;
    for (uint32_t i = 0; i < made->body_count; i++) {
        mass += tn_body_get_mass(made->world, made->bodies[i]).mass;
    }
    return mass * QUALITY_GRAVITY * WATCH_LEAST_WAY;
}

static void watch_joints(watch_state *state, const machine *made) {
    tn_telemetry telemetry = tn_world_get_telemetry(made->world);
    double opening = telemetry.worst_joint_linear, bend = telemetry.worst_joint_angular;
    machine_result *result = &state->result;
    uint32_t step = state->step - 1;
    result->opening = fmax(result->opening, watch_last(state->openings, step, opening));
    result->bend = fmax(result->bend, watch_last(state->bends, step, bend));
    state->open_steps = opening > MACHINE_OPEN ? state->open_steps + 1 : 0;
    result->open_steps =
        state->open_steps > result->open_steps ? state->open_steps : result->open_steps;
}

static void watch_bodies(watch_state *state, const machine *made) {
    for (uint32_t i = 0; i < made->body_count; i++) {
        tn_vec3 at = tn_body_get_center(made->world, made->bodies[i]);
        double far = hypot(hypot(at.x, at.y), at.z);
        if (!isfinite(far) || far > MACHINE_FAR ||
            !tn_body_is_enabled(made->world, made->bodies[i])) {
            state->result.is_lost = true;
        }
    }
}

// A step of Gauss-Seidel has no iterations, and counts as one.
static void watch_iterations(watch_state *state, const machine *made) {
    tn_mechanism_info infos[MACHINE_BODIES];
    uint32_t count = tn_world_get_mechanisms(made->world, infos, MACHINE_BODIES), sum = 1;
    for (uint32_t i = 0; i < count && i < MACHINE_BODIES; i++) {
        sum += infos[i].iterations;
        state->result.failures += infos[i].failures;
        bool is_swept = infos[i].method != TN_MECHANISM_METHOD_DIRECT;
        state->result.reasons |= is_swept ? 1u << infos[i].reason : 0;
    }
    state->iterations[state->step - 1] = sum;
    if (sum > state->result.iterations) {
        state->result.iterations = sum;
    }
}

static int watch_compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static int watch_get_type(const machine *made, tn_joint_id joint) {
    bool is_valid = tn_joint_is_valid(made->world, joint);
    return is_valid ? (int)tn_joint_get_type(made->world, joint) : -1;
}

static void watch_print(const watch_state *state, const machine *made, const tn_energy *energy) {
    tn_telemetry telemetry = tn_world_get_telemetry(made->world);
    tn_mechanism_info info[1] = {{0}};
    uint32_t count = tn_world_get_mechanisms(made->world, info, 1);
    printf("%7.3f s: total %.6g J (kinetic %.4g, motors %.4g, joints %.4g, friction %.4g, impacts "
           "%.4g, ledger off %.2g), rise %.3g, open %.2g m (type %d) %.2g rad (type %d), deep %.2g "
           "m, %u mechanisms: "
           "method %d, reason %d, %u stages, %u iterations, %u splits, %u failures, %u points\n",
           state->step / WATCH_HZ, watch_get_total(energy), energy->kinetic, energy->motor_work,
           energy->joint_work, energy->friction_work, energy->impact_work, state->ledger,
           state->rise, telemetry.worst_joint_linear,
           watch_get_type(made, telemetry.worst_linear_joint), telemetry.worst_joint_angular,
           watch_get_type(made, telemetry.worst_angular_joint), telemetry.deepest_penetration,
           count, (int)info[0].method, (int)info[0].reason, info[0].stages, info[0].iterations,
           info[0].splits, info[0].failures, telemetry.points);
}

machine_result machine_watch(const machine *made, double seconds, bool is_verbose) {
    static watch_state state;
    state = (watch_state){0};
    tn_energy energy = tn_world_get_energy(made->world);
    double start_kinetic = energy.kinetic;
    watch_energy(&state, &energy, start_kinetic);
    uint32_t steps = quality_count_steps(fmin(seconds, WATCH_STEPS / WATCH_HZ), WATCH_HZ);
    while (state.step < steps && !state.result.is_lost) {
        tn_world_step(made->world, 1.0 / WATCH_HZ, 4);
        state.step++;
        energy = tn_world_get_energy(made->world);
        watch_energy(&state, &energy, start_kinetic);
        watch_joints(&state, made);
        watch_bodies(&state, made);
        watch_iterations(&state, made);
        if (is_verbose) {
            watch_print(&state, made, &energy);
        }
    }
    machine_result *result = &state.result;
    result->scale = fmax(state.largest, state.upper_potential - state.lower_potential);
    result->scale = fmax(result->scale, watch_get_least(made));
    result->gain = state.rise / result->scale;
    result->ledger = state.ledger / result->scale;
    qsort(state.iterations, state.step, sizeof state.iterations[0], watch_compare);
    double usual = fmax(WATCH_USUAL, state.iterations[state.step / 2]);
    result->slow = result->iterations / usual;
    return *result;
}
