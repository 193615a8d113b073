// solver/joints/joint_limits.h: the rigid limits of one joint, solved together and last.
//
// See solver/joints/joint_limits.c.
#ifndef TNI_SOLVER_JOINTS_JOINT_LIMITS_H
#define TNI_SOLVER_JOINTS_JOINT_LIMITS_H

#include "solver/joints/joint_bounded.h"

// Returns whether other awake rows of the joint move the value of a limit that is awake.
bool tni_joint_limits_are_moved(const tni_bounded_row *bounded, uint32_t count);
// Solves all rigid limits that are awake, whatever else the joint has. `is_hard` takes those that
// are passed as rigid.
void tni_joint_limits_solve(const tni_solver *solver, const tni_joint_block *block, bool use_bias,
                            bool is_hard);

#endif
