// solver/joints/joint_limits.h: the rigid limits of one joint, solved together and last.
//
// See solver/joints/joint_limits.c.
#ifndef TNI_SOLVER_JOINTS_JOINT_LIMITS_H
#define TNI_SOLVER_JOINTS_JOINT_LIMITS_H

#include "solver/joints/joint_bounded.h"

// Solves all rigid limits that are awake, whatever else the joint has.
void tni_joint_limits_solve(const tni_solver *solver, const tni_joint_block *block, bool use_bias);

#endif
