// world/step/joint_plan.h: what a step finds out about joints, kept for the next one.
//
// Which bodies a joint ties, its blocks, who stands in which group and lane: all that follows from
// the joints that are awake, from what they and the masses are, and from the world's settings. So
// it is made once and stands until one of these changes (tni_joint_plan_drop); a step then looks at
// no joint's record, it only gathers poses. It lies in an arena of its own, which is emptied when a
// plan is made.
//
// So it is of exact mechanisms that touch nothing, where all joints are such: who is in which, the
// memory of their matrices and who goes with whom stand, their numbers are filled in anew.
//
// A joint whose rows are all in its lane has its impulse there from step to step. Its record has
// what it had when the plan was made, until the plan is dropped.
// Test: tests/world/step/test_joint_plan.c, tests/world/mechanisms/test_kept_mechanisms.c
#ifndef TNI_WORLD_STEP_JOINT_PLAN_H
#define TNI_WORLD_STEP_JOINT_PLAN_H

#include "world/step/step_internal.h"

struct tni_joint_plan {
    tni_solver joints;      // of which only what is of joints holds
    bool has_mechanisms;    // as the step's
    tn_world_def def;       // the settings it was made under
    uint32_t *fixed_bodies; // not awake, at the ends of joints, in the order of their numbers
    uint32_t fixed_count;
    uint32_t body_count; // of the solver, with these
    uint32_t *islands;   // by those: their roots, from joints alone
    bool *is_held;       // by those: some joint holds it
};

// Before bodies are gathered: whether the step may use the plan of the last one. Drops it where it
// does not fit, and empties its arena.
bool tni_joint_plan_is_kept(tn_world *world, const tni_solver *solver);
// The joints of the plan into the step, once the awake bodies are gathered.
void tni_joint_plan_take(tn_world *world, tni_step *step);
// Makes one of what the step gathered. False when memory cannot be had.
bool tni_joint_plan_make(tn_world *world, tni_step *step);
// What the last step left in lane `place` (eight times its group, and the lane), which has all rows
// of a joint, into its record.
void tni_joint_plan_store(tn_world *world, const tni_solver *solver, uint32_t place);
// After the step, whose impulses are in it: the next one may have it.
void tni_joint_plan_commit(tn_world *world, tni_step *step);

#endif
