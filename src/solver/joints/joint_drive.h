// solver/joints/joint_drive.h: what the motors and springs of a joint give, and how they are held
// to less of it.
//
// See solver/joints/joint_drive.c. `use_bias` is true in solve A.
#ifndef TNI_SOLVER_JOINTS_JOINT_DRIVE_H
#define TNI_SOLVER_JOINTS_JOINT_DRIVE_H

#include "solver/joints/joint_bounded.h"
#include "solver/joints/joint_machine.h"

// For a spring with h omega = pi / 2 this is the sink over x h / m.
#define TNI_MACHINE_COMPLIANCE 0.405f

// Returns the sweeps' form of a joint's row r, which is not an equality.
static inline tni_bounded_row *tni_joint_get_bounded_row(const tni_solver *solver,
                                                         const tni_joint_block *block, uint32_t r) {
    return &solver->joints.bounded_rows[block->first_bounded + r - block->equality_count];
}

static inline tni_joint_machine *tni_joint_get_machine(const tni_solver *solver,
                                                       const tni_joint_block *block) {
    return &solver->joints.machines[block->machine - 1];
}

// Is it a motor's row? Springs of a joint's own never yield.
bool tni_joint_drive_is(const tni_row *row);
// Returns the impulse over a substep.
float tni_joint_drive_get_whole(const tni_row *row, const tni_row_state *state, bool use_bias);
// Returns how much a row, or its group, gives in the direction of its target.
float tni_joint_drive_get_push(const tni_solver *solver, const tni_row *row,
                               const tni_row_state *state, bool use_bias);
// Return what a drive may always give, and what holds its machine up at the end of its reach.
float tni_joint_drive_get_least(const tni_solver *solver, const tni_row *row,
                                const tni_bounded_row *bounded);
float tni_joint_drive_get_hold(const tni_solver *solver, const tni_joint_block *block,
                               const tni_row *row);
// Does row r give more than light loads take, and what would take its own value far?
bool tni_joint_drive_is_hard(const tni_solver *solver, const tni_joint_block *block, uint32_t r,
                             bool use_bias);
// May row r yield?
bool tni_joint_drive_may_yield(const tni_solver *solver, const tni_joint_block *block, uint32_t r,
                               bool use_bias);

typedef enum tni_joint_drive_way {
    TNI_DRIVE_ON, // it is as fast as it wants to be
    TNI_DRIVE_STANDS,
    TNI_DRIVE_BACK // it is driven back
} tni_joint_drive_way;

// Returns whether any drive of the joint may yield, and how they get on.
bool tni_joint_drives_get_way(const tni_solver *solver, const tni_joint_block *block, bool use_bias,
                              tni_joint_drive_way *out_way);
// Lets the drives of a joint give no more than a share of their last impulse from now on.
// `is_drawn` is false before the first refresh of a step.
void tni_joint_drives_cap(tni_solver *solver, tni_joint_block *block, float share, bool is_drawn,
                          bool use_bias);

#endif
