// world/step/joint_plan.h: what a step learns about joints, kept for the next one.
//
// The bodies that a joint ties, its blocks, and its group and lane follow from the awake joints,
// their properties, the masses and the settings of the world. So a plan is made once and holds
// until one of these changes (tni_joint_plan_drop). Until then a step reads no joint's record: it
// only gathers poses. The plan lies in an arena of its own, which is emptied when a plan is made.
//
// Exact mechanisms are kept too if they touch nothing and all joints are exact: their members and
// the memory of their matrices stay, and only their numbers are filled in anew.
//
// A joint whose rows are all in its lane keeps its impulse there from step to step. Until the plan
// is dropped, its record holds what it had when the plan was made.
// Test: tests/world/step/test_joint_plan.c, tests/world/mechanisms/test_kept_mechanisms.c
#ifndef TNI_WORLD_STEP_JOINT_PLAN_H
#define TNI_WORLD_STEP_JOINT_PLAN_H

#include "world/step/step_internal.h"

struct tni_joint_plan {
    tni_solver joints;      // only its data about joints is valid
    bool has_mechanisms;    // as in tni_step
    tn_world_def def;       // the settings it was made under
    uint32_t *fixed_bodies; // bodies of joints that are not awake, ordered by their numbers
    uint32_t fixed_count;
    uint32_t body_count; // of the solver's bodies, including these
    uint32_t *islands;   // by solver body: its root, from joints alone
    bool *is_held;       // by solver body: some joint holds it
};

// Returns whether the step may use the plan of the last one. Drops a plan that does not fit, and
// empties its arena. Call it before bodies are gathered.
bool tni_joint_plan_is_kept(tn_world *world, const tni_solver *solver);
// Copies the joints of the plan into the step, once the awake bodies are gathered.
void tni_joint_plan_take(tn_world *world, tni_step *step);
// Makes a plan of what the step gathered, if that may be kept. Returns false without memory.
bool tni_joint_plan_make(tn_world *world, tni_step *step);
// Stores in a joint's record what the last step left in lane `place` (eight times its group, plus
// the lane), which has all rows of the joint.
void tni_joint_plan_store(tn_world *world, const tni_solver *solver, uint32_t place);
// Offers the plan to the next step. Call it at the end of a step, when its impulses are stored.
void tni_joint_plan_commit(tn_world *world, tni_step *step);

#endif
