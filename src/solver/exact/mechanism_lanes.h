// solver/exact/mechanism_lanes.h: the matrices of up to four mechanisms of one shape, solved with
// at once.
//
// Mechanisms have one shape when their bodies, joints and patterns are the same but for numbers.
// One of them stands in each lane. A lane gets what tni_mechanism_factor and tni_mechanism_solve
// give it alone, bit for bit. See block_lanes.h.
#ifndef TNI_SOLVER_EXACT_MECHANISM_LANES_H
#define TNI_SOLVER_EXACT_MECHANISM_LANES_H

#include "solver/exact/mechanism.h"
#include "solver/matrix/block_lanes.h"

#define TNI_MECHANISM_LANES TNI_BLOCK_LANES

// Number i of lane k at 4 i + k.
typedef struct tni_mechanism_lanes {
    tni_mechanism *members[TNI_MECHANISM_LANES]; // the first is there
    uint32_t count;
    double *values, *scratch, *unknowns; // as a mechanism's
    double *jacobians;                   // of a joint's row: twelve numbers, by its unknown
    double *inverses;                    // of bodies that move: 6 x 6 each
    double *changes;                     // of bodies that move: 6 each
    bool is_alone[TNI_MECHANISM_LANES];  // its factor is its own, not that of its lane
} tni_mechanism_lanes;

// Bytes that lanes of a shape work with.
size_t tni_mechanism_lanes_get_size(const tni_mechanism *shape);
// Lays everything out in `memory`, which has room for it.
void tni_mechanism_lanes_place(tni_mechanism_lanes *lanes, const tni_mechanism *shape,
                               void *memory);
bool tni_mechanism_has_shape(const tni_mechanism *mechanism, const tni_mechanism *shape);
// Factors the lanes in `mask`; the others keep nothing of theirs. Returns the lanes whose factor is
// sound.
uint32_t tni_mechanism_lanes_factor(tni_mechanism_lanes *lanes, uint32_t mask, bool uses_avx2);
// Solves for the lanes in `mask`; the others keep their factor.
void tni_mechanism_lanes_solve(tni_mechanism_lanes *lanes, uint32_t mask, bool bodies_rest,
                               bool uses_avx2);
// A lane's last factor to its mechanism.
void tni_mechanism_lanes_give_factor(const tni_mechanism_lanes *lanes, uint32_t lane);

// ---- solver/exact/mechanism_lanes_wide.c
// -------------------------------------------------------------

// The matrix from rows and inverses, `sources` by lane. Bodies of the first are parted or not as
// all others.
void tni_mechanism_lanes_fill_baseline(const tni_mechanism_lanes *lanes,
                                       const tni_mechanism *const sources[TNI_MECHANISM_LANES]);
// Right sides to the unknowns; the bodies' solutions, with the mask's lanes stored.
void tni_mechanism_lanes_reduce_baseline(const tni_mechanism_lanes *lanes,
                                         const tni_mechanism *const sources[TNI_MECHANISM_LANES],
                                         bool bodies_rest);
void tni_mechanism_lanes_expand_baseline(const tni_mechanism_lanes *lanes,
                                         const tni_mechanism *shape, uint32_t mask,
                                         bool bodies_rest);
void tni_mechanism_lanes_fill_avx2(const tni_mechanism_lanes *lanes,
                                   const tni_mechanism *const sources[TNI_MECHANISM_LANES]);
void tni_mechanism_lanes_reduce_avx2(const tni_mechanism_lanes *lanes,
                                     const tni_mechanism *const sources[TNI_MECHANISM_LANES],
                                     bool bodies_rest);
void tni_mechanism_lanes_expand_avx2(const tni_mechanism_lanes *lanes, const tni_mechanism *shape,
                                     uint32_t mask, bool bodies_rest);
#endif
