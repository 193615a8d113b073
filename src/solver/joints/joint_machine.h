// solver/joints/joint_machine.h: joints and limits have the last word over drives of other joints
// of their machine.
//
// See solver/joints/joint_machine.c.
#ifndef TNI_SOLVER_JOINTS_JOINT_MACHINE_H
#define TNI_SOLVER_JOINTS_JOINT_MACHINE_H

#include "core/memory/arena.h"
#include "solver/solver.h"

// A machine has bodies that swept joints tie together, one of which has a motor.
struct tni_joint_machine {
    float driven; // m/s or rad/s: how fast its drives want to go at most
    // m or rad: the limits of two joints would sink this far under the impulses against them;
    // `sunk` is the joint of the first.
    float sinks[2];
    uint32_t sunk;
    float before; // the first sink, a substep ago
    float kept;   // drives may keep this share of their impulses, or press its joints open
    // N·s: what gravity and applied forces give its bodies in a substep, and what these have.
    float pull, momentum;
    tni_dvec3 place;     // of its first body
    float reach, radius; // m: of all bodies from there, and the greatest radius of gyration
    float fall;          // m/s: the greatest change of a body by these forces
    bool yields;         // a drive yields to a joint already, and does not get on
    bool touches;        // a contact pushes one of its bodies
};

// Finds which joints belong to which machine. Returns false when memory cannot be had.
bool tni_joint_machines_find(tni_solver *solver, tni_arena *arena, tni_arena *scratch);
// Is called before the first refresh of a step.
void tni_joint_machines_start(tni_solver *solver);
// Is called after the sweeps of a solve: makes joints and limits of machines hold.
void tni_joint_machines_stop(tni_solver *solver, bool use_bias);
// Is called after a sweep of solve A, and after a substep: makes drives against these limits give
// less, or more again.
void tni_joint_machines_judge(tni_solver *solver, bool use_bias);

// Does the same after a sweep of solve A over some joints.
void tni_joint_machines_hold(tni_solver *solver, uint32_t first, uint32_t count);

static inline float tni_joint_machine_get_driven(const tni_solver *solver,
                                                 const tni_joint_block *block) {
    return block->machine > 0 ? solver->joints.machines[block->machine - 1].driven : 0.0f;
}

#endif
