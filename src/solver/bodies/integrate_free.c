// solver/bodies/integrate_free.c: bodies that no row holds and no torque turns, through all
// substeps.
//
// The momentum is constant over the step unless damping reduces it in every kick: then rotation is
// one turn over the whole step (solver/bodies/rotate.c). Test: tests/solver/bodies/test_integrate.c
#include "solver/bodies/integrate.h"

// Fewer bodies than this are not worth a second worker: some microseconds.
#define FREE_MIN_RANGE 256

static void free_kick(tni_solver *solver, uint32_t i) {
    tni_body_motion *motion = &solver->bodies.motions[i];
    const tni_body_mass *mass = &solver->bodies.masses[i];
    tni_body_motion before = *motion;
    if (mass->is_dynamic) {
        tni_integrate_stop(motion, mass);
        tni_integrate_kick_motion(motion, mass, &solver->bodies.pulls[i], 0.5 * solver->dh);
    }
    if (solver->ledger.measures_work) {
        tni_work_measure_body(solver, i, &before, motion);
    }
}

static void free_move_kick_by_kick(tni_solver *solver, uint32_t i) {
    tni_body_motion *motion = &solver->bodies.motions[i];
    const tni_body_mass *mass = &solver->bodies.masses[i];
    for (uint32_t k = 0; k < solver->substeps; ++k) {
        free_kick(solver, i);
        motion->position = dvec3_add_scaled(motion->position, solver->dh, motion->velocity);
        if (mass->has_damping) {
            tni_integrate_rotate(motion, mass, solver->dh, 1);
        }
        free_kick(solver, i);
    }
}

// Moves a body by the same sums, where a kick has nothing else to do.
static void free_move(const tni_solver *solver, uint32_t i) {
    tni_body_motion *motion = &solver->bodies.motions[i];
    tni_dvec3 x = motion->position, v = motion->velocity, a = solver->bodies.pulls[i].acceleration;
    double h = solver->dh, half = 0.5 * h;
    for (uint32_t k = 0; k < solver->substeps; ++k) {
        v = dvec3_add_scaled(v, half, a);
        x = dvec3_add_scaled(x, h, v);
        v = dvec3_add_scaled(v, half, a);
    }
    motion->position = x;
    motion->velocity = v;
}

static void free_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_solver *solver = context;
    for (uint32_t i = first + 1; i <= last; ++i) {
        if (!solver->bodies.is_free[i]) {
            continue;
        }
        const tni_body_mass *mass = &solver->bodies.masses[i];
        if (mass->has_damping || mass->stops || solver->ledger.measures_work) {
            free_move_kick_by_kick(solver, i);
        } else {
            free_move(solver, i);
        }
        if (!mass->has_damping) {
            tni_integrate_rotate(&solver->bodies.motions[i], mass, solver->dh, solver->substeps);
        }
    }
}

// Moves all free bodies. Work is summed in the order of the bodies.
void tni_integrate_free(tni_solver *solver) {
    if (solver->bodies.held_count + 1 == solver->bodies.count) {
        return; // rows hold all
    }
    if (solver->ledger.measures_work) {
        free_range(0, solver->bodies.count - 1, 0, solver);
    } else {
        uint32_t count = solver->bodies.count > 0 ? solver->bodies.count - 1 : 0;
        tni_tasks_run(solver->tasks, free_range, count, FREE_MIN_RANGE, solver);
    }
}
