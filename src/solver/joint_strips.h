// solver/joint_strips.h: a net in columns, cut into strips that are swept side by side.
//
// Sweeps by color are many short loops: four or so for each sweep, and a worker waits at the end of
// every one. So the bodies of a large net are cut, by their numbers, into strips that have about as
// many. A joint within a strip asks for bodies of the strip alone; the others are its seam with the
// next one, and are swept behind all colors. Where no body has two joints of seams, a seam shares
// no body with another. Then all colors of a strip are one turn, and so are phases that follow each
// other, and a substep is nine rounds of a weave (core/weave.h), in which a strip waits for its own
// seams alone:
//     seams   first half of the last impulses
//     strips  kick, first half, solve
//     seams   solve
//     strips  solve
//     seams   solve
//     strips  drift and kick, refresh and second half
//     seams   refresh and second half
//     strips  relax
//     seams   relax
// Seams first in every other sweep would be seven, but corrects less: a net of 100 by 100 that
// hangs by its top row then has a gap of 13.7 mm instead of 13.0. A net that was built row by row
// is cut between rows. See solver/body_columns.h.
#ifndef TNI_SOLVER_JOINT_STRIPS_H
#define TNI_SOLVER_JOINT_STRIPS_H

#include "solver/solver.h"

struct tni_joint_strip {
    uint32_t first_body, end_body;
    uint32_t first_batch, batch_count; // in this step
    bool has_news;                     // of its bodies, from the last pass: see tni_integrate_range
};

// Groups of one color of a strip, or of its seam, which is its last color: where they end, and what
// a loop over them has come to. Strips follow each other in memory, so that what a worker's
// processor fetches ahead is its own.
struct tni_joint_cell {
    uint32_t end;
    bool has_rows;        // of the poses that the last step has left
    bool is_known;        // whether some may stiffen their bodies, from the last substep
    bool may_stiffen;     // or it is not known
    uint32_t stiff_count; // of its groups, from their last refresh
    bool has_news;        // of the joints' errors: see world/step_joints.c
    uint32_t farthest;    // group
    float worst;          // m: and how far it is off at most
};

// Cuts the swept joints, if they are so many and alike; `strip_of` is by body. False when memory
// cannot be had.
bool tni_joint_strips_cut(tni_solver *solver, tni_arena *arena, tni_arena *scratch,
                          uint32_t *strip_of);

// Whether the joint is of the seam behind its strip.
static inline bool joint_is_seam(const tni_solver *solver, const tni_joint_block *block,
                                 const uint32_t *strip_of) {
    return solver->masses[block->body_a].is_dynamic && solver->masses[block->body_b].is_dynamic &&
           strip_of[block->body_a] != strip_of[block->body_b];
}

// Whether this step may use them, with which batches of bodies: these must stand as they did.
bool tni_joint_strips_find_batches(const tni_solver *solver);

// All substeps of a step, from its start to its end.
void tni_joint_strips_run(tni_solver *solver);
// When a step is done without them.
void tni_joint_strips_forget(tni_solver *solver);

static inline uint32_t joint_cell_begin(const tni_solver *solver, uint32_t cell) {
    return cell > 0 ? solver->cells[cell - 1].end : 0;
}
static inline uint32_t joint_cell_count(const tni_solver *solver) {
    return solver->strip_count * solver->cell_colors;
}

#endif
