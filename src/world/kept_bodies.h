// world/kept_bodies.h: what a step has gathered of the bodies of a net or a machine, kept for the
// next one.
//
// Where a large net hangs and nothing touches it, the end of a step leaves the solver's arrays of
// bodies as the next one would fill them: the same masses, the same poses, and the velocities that
// the world's records got. To gather them again costs more than a sweep over all joints. So in such
// worlds they lie in the arena of the joints' plan, and the next step has them as they are, with
// the columns of the net (solver/body_columns.h), if
//   - the last step ended in strips, and the plan still stands;
//   - nothing was changed since, through any function that changes a world, nor between the two
//     steps before: what an application sets (a force, a target) holds for one step, and is gone
//     in the next.
// Otherwise everything is gathered, as without them, into the same memory.
//
// So it is where a few joints are swept one by one: there the work between the steps is a tenth of
// all. Instead of the end in strips it asks that nothing touched anything in the last step and that
// no body had inertia added. Then the rows of the joints too are those of where bodies stand, and
// of them only what velocities change is made anew: tni_joint_blocks_rebias.
// Nothing of it shows: see tests/world/test_kept_bodies.c
#ifndef TNI_WORLD_KEPT_BODIES_H
#define TNI_WORLD_KEPT_BODIES_H

#include "world/step_internal.h"

typedef struct tni_kept_bodies {
    tni_solver arrays; // of which only those of bodies hold; without states there are none
    uint32_t *body_of; // as the step's
    tni_inertia infinite_inertia;
    uint32_t island_count;
    bool are_whole; // the next step may have them
} tni_kept_bodies;

// Room for the plan's bodies, if it has a net. False when memory cannot be had.
bool tni_kept_bodies_make(tn_world *world, const tni_solver *solver, tni_joint_plan *plan);
// Before bodies are gathered, of a step that has a plan: true where the step has their memory. Says
// in the solver whether it has them too.
bool tni_kept_bodies_take(tn_world *world, tni_step *step);
// Four by four, as the last step planned them; and a note of how this one does. Only where nothing
// touches.
bool tni_kept_bodies_take_batches(const tni_step *step, tni_solver *solver);
// At the end of a step.
void tni_kept_bodies_note(tni_step *step);

#endif
