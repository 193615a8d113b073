// solver/joints/joint_press.h: what the equalities of a joint carry, and how far that opens them.
//
// See solver/joints/joint_press.c.
#ifndef TNI_SOLVER_JOINTS_JOINT_PRESS_H
#define TNI_SOLVER_JOINTS_JOINT_PRESS_H

#include "solver/solver.h"

// The speeds are those of K x: what the impulses x of the joint give its own errors.
typedef struct tni_joint_press {
    float point_speed, turn_speed; // m/s, rad/s
    float push, twist;             // N·s, N·m·s: the lengths of x
} tni_joint_press;

tni_joint_press tni_joint_press_get(const tni_solver *solver, const tni_joint_block *block);
// Returns the greatest error of the equalities at the last refresh, m or rad.
float tni_joint_press_get_error(const tni_solver *solver, const tni_joint_block *block);
// Returns the longer of a joint's arms on bodies that move, m; 0 where it is no pin.
float tni_joint_press_get_arm(const tni_solver *solver, const tni_joint_block *block);
// Returns the radius of gyration r of a body, by its least moment of inertia, m.
float tni_joint_press_get_radius(const tni_body_state *state);
// Returns m |v| + I |w| / r of a body, N·s.
float tni_joint_press_get_momentum(const tni_body_state *state);

#endif
