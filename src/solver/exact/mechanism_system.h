// solver/exact/mechanism_system.h: the files that fill a mechanism's matrix share these.
#ifndef TNI_SOLVER_EXACT_MECHANISM_SYSTEM_H
#define TNI_SOLVER_EXACT_MECHANISM_SYSTEM_H

#include "solver/exact/mechanism.h"

// ---- solver/exact/mechanism_system.c
// -----------------------------------------------------------------

// Does what tni_mechanism_solve does, without the rows of spans.
void tni_mechanism_solve_joints(tni_mechanism *mechanism, bool bodies_rest);

// ---- solver/exact/mechanism_block.c
// ------------------------------------------------------------------

// Curvature takes from a link's inertia under compression, and may take nearly all of it by chance.
// If it leaves less than this share the matrix does without the curvature: the rows' E would be
// less than the round-off of a body that light.
#define TNI_MECHANISM_SPARE_INERTIA 1e-3

// Fills in a body's block, 6 x 6.
void tni_mechanism_fill_block(const tni_mechanism_body *body, double *block);
// Inverts the block, into the body. Returns false where it is not positive definite.
bool tni_mechanism_invert_block(tni_mechanism_body *body);

// ---- solver/exact/mechanism_anchor.c
// -----------------------------------------------------------------

// Does what tni_mechanism_invert_block does, for an anchored body and those that ride on it: s, its
// share and f stand in the first three rows of the inverse. Riders are done with their carrier,
// here and in the next functions.
bool tni_mechanism_invert_anchored(const tni_mechanism *mechanism, tni_mechanism_body *body);
// Starts an anchored body: finds its change before the joints at its ends push, and the answer of
// its anchor.
void tni_mechanism_start_anchored(const tni_mechanism *mechanism, tni_mechanism_body *body,
                                  bool was_at_rest);
// Finishes it: finds its solution, and its anchor's, when those joints push with `pushed`.
void tni_mechanism_finish_anchored(const tni_mechanism *mechanism, tni_mechanism_body *body);
static inline bool tni_mechanism_invert_body(const tni_mechanism *mechanism,
                                             tni_mechanism_body *body) {
    return body->place.anchor != TNI_NONE ? tni_mechanism_invert_anchored(mechanism, body)
                                          : tni_mechanism_invert_block(body);
}

// ---- solver/exact/mechanism_tear.c
// -------------------------------------------------------------------

// Makes copies of hubs and their ties, in the allocator; `copy_of` holds by joint * 2 + end the
// copy that this end is on, or TNI_NONE. Returns false when memory cannot be had.
bool tni_mechanism_tear(tni_mechanism *mechanism, uint32_t *copy_of, tni_allocator *allocator,
                        tni_arena *arena);
// Returns the joint of a node after the hubs', or a tie.
static inline tni_mechanism_joint *tni_mechanism_get_link(const tni_mechanism *mechanism,
                                                          uint32_t index) {
    return index < mechanism->joint_count ? &mechanism->joints[index]
                                          : &mechanism->ties[index - mechanism->joint_count];
}
// Sets the ties' scales, right after the bodies' inverses are known.
void tni_mechanism_scale_ties(const tni_mechanism *mechanism);
// Does what tni_mechanism_eliminate_body does, for the copies. Returns false if a hub's block is
// not positive.
bool tni_mechanism_eliminate_copies(const tni_mechanism *mechanism);
// Sets the right sides of ties to zero.
void tni_mechanism_clear_ties(const tni_mechanism *mechanism);

// ---- solver/exact/mechanism_reduce.c
// -----------------------------------------------------------------

// Returns the place of two joints among the pairs of a body, e < f of its ends.
static inline uint32_t tni_mechanism_get_pair(uint32_t e, uint32_t f) {
    return f * (f - 1) / 2 + e;
}
// Adds -J M^-1 J^T of a body without a node to the blocks of its joints.
void tni_mechanism_eliminate_body(const tni_mechanism *mechanism, const tni_mechanism_body *body);
// The first takes M^-1 r of its right side to the rows of its joints, or an anchored body's start;
// the second adds M^-1 J^T x of the solution, to zero where the right side was zero.
void tni_mechanism_reduce_body(tni_mechanism *mechanism, tni_mechanism_body *body);
void tni_mechanism_expand_body(const tni_mechanism *mechanism, tni_mechanism_body *body,
                               bool was_at_rest);

#endif
