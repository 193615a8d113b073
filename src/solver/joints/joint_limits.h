// solver/joints/joint_limits.h: the rigid limits of one joint, solved together and last.
//
// See solver/joints/joint_limits.c and joint_bounce.c.
#ifndef TNI_SOLVER_JOINTS_JOINT_LIMITS_H
#define TNI_SOLVER_JOINTS_JOINT_LIMITS_H

#include "solver/joints/joint_bounded.h"

// The limits of a joint that are awake; `before` is their impulse, `speed` is b.
typedef struct tni_limits_set {
    uint32_t count;
    uint8_t rows[TNI_JOINT_MAX_ROWS];
    bool pushes[TNI_JOINT_MAX_ROWS];
    float speed[TNI_JOINT_MAX_ROWS], before[TNI_JOINT_MAX_ROWS], impulse[TNI_JOINT_MAX_ROWS];
    float matrix[TNI_JOINT_MAX_ROWS][TNI_JOINT_MAX_ROWS];
} tni_limits_set;

// Makes K of the limits of a set, with the answers of solve A or B.
void tni_joint_limits_fill(const tni_bounded_row *rows, bool use_bias, tni_limits_set *set);
// Finds the impulses of the limits that push: K x = -b on these, by elimination without pivots.
void tni_joint_limits_balance(tni_limits_set *set);
// Solves the problem, from the limits that push on. Returns false where no set of them is right:
// two ends that leave nothing between them.
bool tni_joint_limits_solve_set(tni_limits_set *set);
// After a refresh, where a limit that is awake bounces: has the limits that were met in the last
// solve A leave in solve B.
void tni_joint_limits_bounce(const tni_solver *solver, const tni_joint_block *block);
// Solves all rigid limits that are awake, whatever else the joint has.
void tni_joint_limits_solve(const tni_solver *solver, const tni_joint_block *block, bool use_bias);

#endif
