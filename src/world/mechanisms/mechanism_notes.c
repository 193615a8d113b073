// world/mechanisms/mechanism_notes.c: notes what mechanisms report of a step, and which must pause.
// Test: tests/world/mechanisms/test_mechanisms.c
#include <string.h>

#include "world/joints.h"
#include "world/step/step_mechanisms.h"

// ---- telemetry ---------------------------------------------------------------------------------

static tn_joint_id notes_get_joint(const tn_world *world, const tni_solver *solver,
                                   const tni_mechanism_joint *joint) {
    return (tn_joint_id){
        tni_joint_at(world, solver->joints.blocks[joint->block].world_joint)->handle};
}

// Returns how far open a joint that fights is left, m.
static double notes_get_rest(const tn_world *world, const tni_joint *joint) {
    double error = tni_joint_is_held_open(joint) ? tni_joint_get_linear_error(world, joint) : 0.0;
    return maths_max_d(joint->linear_rest, error);
}

// Adds a fight. The worst joint is the one that is left open farthest.
static void notes_add_fight(const tn_world *world, const tni_joint *joint,
                            tn_mechanism_info *info) {
    uint32_t worst = info->fighting_joint.value & TNI_POOL_INDEX_MASK;
    if (!tni_joint_fights(joint)) {
        return;
    }
    if (info->fighting_joints == 0 ||
        notes_get_rest(world, joint) > notes_get_rest(world, tni_joint_at(world, worst))) {
        info->fighting_joint = (tn_joint_id){joint->handle};
    }
    info->fighting_joints += 1;
}

void tni_mechanism_info_add(const tn_world *world, const tni_joint *joint, uint32_t rows,
                            tn_mechanism_info *info) {
    tn_joint_id id = {joint->handle};
    double linear_error = tni_joint_get_linear_error(world, joint);
    double angular_error = tni_joint_get_angular_error(world, joint);
    info->joints += 1;
    info->rows += rows;
    if (info->worst_linear_joint.value == 0 || linear_error > info->worst_joint_linear) {
        info->worst_joint_linear = linear_error;
        info->worst_linear_joint = id;
    }
    if (info->worst_angular_joint.value == 0 || angular_error > info->worst_joint_angular) {
        info->worst_joint_angular = angular_error;
        info->worst_angular_joint = id;
    }
    notes_add_fight(world, joint, info);
}

static tn_mechanism_reason notes_get_reason(const tn_world *world, const tni_solver *solver,
                                            const tni_mechanism *mechanism) {
    tn_mechanism_reason reason = TN_MECHANISM_REASON_ASKED;
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        const tni_joint *joint = solver->joints.blocks[mechanism->joints[k].block].joint;
        bool is_auto = tni_mechanism_get_solver(world, joint) == TN_SOLVER_AUTO;
        reason = is_auto ? (tn_mechanism_reason)joint->choice_reason : reason;
    }
    return reason;
}

static void notes_forget_redundancy(tn_world *world, const tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joints.count + solver->joints.exact_count; ++i) {
        tni_joint *joint = tni_joint_at(world, solver->joints.blocks[i].world_joint);
        joint->dependent_rows = 0;
        joint->linear_rest = joint->angular_rest = 0.0;
    }
}

// Finds which joints are redundant, and which contradict others.
static void notes_find_redundancy(tn_world *world, const tni_solver *solver,
                                  const tni_mechanism *mechanism) {
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        const tni_mechanism_joint *joint = &mechanism->joints[k];
        tni_joint *own = tni_joint_at(world, solver->joints.blocks[joint->block].world_joint);
        own->dependent_rows = joint->dependent_rows;
        if (mechanism->traits.is_contradictory) {
            own->linear_rest = tni_mechanism_get_rest(joint, false);
            own->angular_rest = tni_mechanism_get_rest(joint, true);
        }
    }
}

static tn_mechanism_method notes_get_method(const tni_mechanism *mechanism) {
    if (mechanism->traits.alternates) {
        return TN_MECHANISM_METHOD_ALTERNATING;
    }
    return mechanism->traits.is_coupled ? TN_MECHANISM_METHOD_PGS_CLOSED
                                        : TN_MECHANISM_METHOD_DIRECT;
}

// Stores a mechanism's notes. The joints' errors must have been stored.
static void notes_store(const tn_world *world, const tni_solver *solver,
                        tni_mechanism_record *record) {
    const tni_mechanism *mechanism = &record->mechanism;
    const tni_mechanism_report *report = &mechanism->report;
    record->info = (tn_mechanism_info){
        .method = notes_get_method(mechanism),
        .reason = notes_get_reason(world, solver, mechanism),
        .integrator = mechanism->past.integrator,
        .refusals = report->refusals,
        .bodies = mechanism->moving_count,
        .dependent_rows = report->dependent_rows,
        .fill = mechanism->matrix.pattern.value_count,
        .stages = report->stages,
        .iterations = report->iterations,
        .splits = report->splits,
        .failures = mechanism->traits.is_coupled ? report->unclosed : report->failures,
        .solve_ms = mechanism->solve_ms,
    };
    if (report->dependent_joint != TNI_NONE) {
        const tni_mechanism_joint *joint = &mechanism->joints[report->dependent_joint];
        record->info.dependent_joint = notes_get_joint(world, solver, joint);
    }
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        const tni_mechanism_joint *joint = &mechanism->joints[k];
        const tni_joint_block *block = &solver->joints.blocks[joint->block];
        uint32_t rows = mechanism->traits.alternates ? block->row_count : joint->all_count;
        if (tni_joint_is_tie(block->joint)) {
            continue;
        }
        rows = tni_mechanism_is_bare(joint) ? tni_mechanism_count_rows(block) : rows;
        tni_mechanism_info_add(world, block->joint, rows, &record->info);
    }
}

// ---- back --------------------------------------------------------------------------------------

// Hands a joint to Gauss-Seidel if it must pause. Impulses of rows that fight may be of any size,
// so it starts from none.
static void notes_hand_over(tn_world *world, uint32_t index, bool must_pause) {
    tni_joint *joint = tni_joint_at(world, index);
    if (must_pause) {
        tni_mechanism_leave(world, index, TN_MECHANISM_REASON_FAILED);
    }
    if (must_pause || tni_mechanism_is_far(joint)) {
        tni_joint_plan_drop(world);
        memset(joint->impulses, 0, sizeof joint->impulses);
    }
}

// A mechanism that gives up stages in this many more steps than not is jammed.
#define NOTES_JAMMED_STEPS 20

// Returns whether Gauss-Seidel has to take over. Joints may be closed and leave no way on from
// there, as two pulleys that can only be met with a body in a wheel: sweeps give way a little, and
// cost a hundredth of stages that fail.
static bool notes_must_pause(tni_mechanism *mechanism) {
    const tni_mechanism_report *report = &mechanism->report;
    uint32_t *jammed = &mechanism->past.jammed_steps;
    *jammed += report->jams > 0 ? 1 : 0;
    *jammed -= report->jams == 0 && *jammed > 0 ? 1 : 0;
    bool is_jammed = *jammed > NOTES_JAMMED_STEPS;
    return is_jammed || (report->failures > 0 && report->unclosed > 0);
}

void tni_step_scatter_mechanisms(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    if (!step->has_mechanisms && !world->has_notes) {
        return;
    }
    world->has_notes = step->has_mechanisms;
    tni_mechanism_note_choices(world, step);
    if (!step->has_kept_joints || solver->exact.count > 0) {
        notes_forget_redundancy(world, solver);
    }
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = &world->mechanisms[i].mechanism;
        notes_find_redundancy(world, solver, mechanism);
        notes_store(world, solver, &world->mechanisms[i]);
        bool must_pause = notes_must_pause(mechanism);
        for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
            const tni_joint_block *block = &solver->joints.blocks[mechanism->joints[k].block];
            notes_hand_over(world, block->world_joint, must_pause);
        }
    }
    world->mechanism_count = solver->exact.count;
}

// Notes the step's time, all of which the only mechanism has taken.
void tni_mechanism_note_time(tn_world *world) {
    if (world->mechanism_count == 1 && !world->mechanisms[0].mechanism.traits.is_coupled) {
        world->mechanisms[0].info.solve_ms = world->telemetry.solve_ms;
    }
}
