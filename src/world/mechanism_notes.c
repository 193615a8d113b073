// world/mechanism_notes.c: what the mechanisms tell of a step, and which must pause.
// Test: tests/world/test_mechanisms.c
#include "world/step_mechanisms.h"

// Steps that a mechanism whose joints contradict each other is left to Gauss-Seidel.
#define NOTES_PAUSE 60

// ---- telemetry ---------------------------------------------------------------------------------

static tn_joint_id notes_get_joint(const tn_world *world, const tni_solver *solver,
                                   const tni_mechanism_joint *joint) {
    return (tn_joint_id){world->joints[solver->joints[joint->block].world_joint].handle};
}

static void notes_add_joint(const tn_world *world, const tni_solver *solver,
                            const tni_mechanism_joint *joint, tn_mechanism_info *info) {
    const tni_joint *own = &world->joints[solver->joints[joint->block].world_joint];
    tn_joint_id id = {own->handle};
    info->rows += joint->row_count;
    if (info->worst_linear_joint.value == 0 || own->linear_error > info->worst_joint_linear) {
        info->worst_joint_linear = own->linear_error;
        info->worst_linear_joint = id;
    }
    if (info->worst_angular_joint.value == 0 || own->angular_error > info->worst_joint_angular) {
        info->worst_joint_angular = own->angular_error;
        info->worst_angular_joint = id;
    }
}

// The joints' errors have been stored.
static void notes_store(const tn_world *world, const tni_solver *solver,
                        tni_mechanism_record *record) {
    const tni_mechanism *mechanism = &record->mechanism;
    const tni_mechanism_report *report = &mechanism->report;
    record->info = (tn_mechanism_info){
        .method =
            mechanism->is_coupled ? TN_MECHANISM_METHOD_PGS_CLOSED : TN_MECHANISM_METHOD_DIRECT,
        .integrator = mechanism->integrator,
        .refusals = report->refusals,
        .bodies = mechanism->moving_count,
        .joints = mechanism->joint_count,
        .dependent_rows = report->dependent_rows,
        .fill = mechanism->pattern.value_count,
        .stages = report->stages,
        .iterations = report->iterations,
        .splits = report->splits,
        .failures = mechanism->is_coupled ? report->unclosed : report->failures,
        .solve_ms = mechanism->solve_ms,
    };
    if (report->dependent_joint != TNI_NONE) {
        const tni_mechanism_joint *joint = &mechanism->joints[report->dependent_joint];
        record->info.dependent_joint = notes_get_joint(world, solver, joint);
    }
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        notes_add_joint(world, solver, &mechanism->joints[k], &record->info);
    }
}

// ---- back --------------------------------------------------------------------------------------

void tni_step_scatter_mechanisms(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->joint_count + solver->exact_count; ++i) {
        tni_joint *joint = &world->joints[solver->joints[i].world_joint];
        joint->exact_pause -= joint->exact_pause > 0 ? 1 : 0;
    }
    for (uint32_t i = 0; i < solver->mechanism_count; ++i) {
        const tni_mechanism *mechanism = &world->mechanisms[i].mechanism;
        const tni_mechanism_report *report = &mechanism->report;
        notes_store(world, solver, &world->mechanisms[i]);
        bool must_pause = report->failures > 0 && report->unclosed > 0;
        for (uint32_t k = 0; k < mechanism->joint_count && must_pause; ++k) {
            const tni_joint_block *block = &solver->joints[mechanism->joints[k].block];
            world->joints[block->world_joint].exact_pause = NOTES_PAUSE;
        }
    }
    world->mechanism_count = solver->mechanism_count;
}
