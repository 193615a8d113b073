// solver/joints/joint_bounded.h: the bounded rows of a joint: motors, limits, springs, friction.
//
// See solver/joints/joint_bounded.c for what they do.
#ifndef TNI_SOLVER_JOINTS_JOINT_BOUNDED_H
#define TNI_SOLVER_JOINTS_JOINT_BOUNDED_H

#include "solver/rows/drive.h"
#include "solver/rows/velocities.h"

// A limit without impulse is left alone while it is open by this much (m or rad), and by what it
// would close in this many substeps at its present speed.
#define JOINT_DORMANT_ERROR    0.02f
#define JOINT_DORMANT_SUBSTEPS 4.0f

// A sweep reads this of a bounded row. In each pair, [0] is for solve B and [1] for solve A.
struct tni_bounded_row {
    tni_velocities jacobian;
    tni_velocities bare;      // W J^T: the change by a unit impulse on the row alone
    tni_velocities change[2]; // and with what the equalities of its joint do about it
    tni_f4 through[2];        // y: what they do, the first and the second four numbers
    tni_row_drive drive[2];
    uint8_t group;   // as of the row
    bool is_spring;  // which rests in solve B
    float share;     // of a spring row: theta of the next solve A
    bool is_dormant; // a limit so far from its end that it is left alone in this substep
    // In a row that acts on a value with rigid limits this takes the place of `group`: where the
    // lower and the upper end stand among the rows of the joint, and one more; 0: none.
    uint8_t ends[2];
};
#define TNI_GROUP_LIMITED 2

// Solves the equalities for the velocities v: y = K^-1 J_E v, and what W J_E^T y changes.
void tni_joint_bounded_answer(const tni_joint_block *block, const tni_velocities *v, tni_f4 y[2],
                              tni_velocities *out_change);
// Returns whether all bounded rows are limits of angles that stay dormant at the present pose,
// whatever these are now: then neither they nor anything here need be found anew. Once in each
// refresh.
bool tni_joint_bounded_rests(const tni_solver *solver, tni_joint_block *block);
// In solve A: has the limits ask for where the drift at the present velocities ends, rather than
// for where a straight way would. Returns how far that was from where they took it to end, m or
// rad. `foresees` of the block says whether it is worth it.
float tni_joint_bounded_foresee(const tni_solver *solver, const tni_joint_block *block);
// Returns whether a motor that goes to its target speed at once, if its cap allows that, would meet
// an end of its value within two steps and whip it. Called between steps; `rows` are those of the
// joint, of which only the bounded ones are read.
bool tni_joint_bounded_may_whip(const tni_solver *solver, const tni_joint_block *block,
                                const tni_row *rows);
// m and rad: sweeps would let the equalities of a joint open by this much under impulses on its
// rows that come in each substep.
typedef struct tni_joint_sag {
    double linear, angular;
} tni_joint_sag;
// Called between steps; `rows` are all of the joint.
tni_joint_sag tni_joint_foresee_sag(const tni_solver *solver, const tni_joint_block *block,
                                    const tni_row *rows, const float *impulses);
// Finds the impulses of a joint whose equalities bear the weight of its bodies, while something
// else takes the moment of that.
void tni_joint_foresee_weight(const tni_solver *solver, const tni_joint_block *block,
                              const tni_row *rows, float *out_impulses);
// Turns the targets of motors about all axes to the nearest that limits let them have.
void tni_joint_bounded_cut(const tni_row *rows, uint32_t count, int phase,
                           tni_bounded_row *bounded);
// Refreshes the bounded rows from the rows at the present pose.
void tni_joint_bounded_refresh(const tni_solver *solver, tni_joint_block *block);

#endif
