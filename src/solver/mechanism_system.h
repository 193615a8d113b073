// solver/mechanism_system.h: what the files share that fill a mechanism's matrix.
#ifndef TNI_SOLVER_MECHANISM_SYSTEM_H
#define TNI_SOLVER_MECHANISM_SYSTEM_H

#include "solver/mechanism.h"

// ---- solver/mechanism_block.c ------------------------------------------------------------------

// A body's block, 6 x 6.
void tni_mechanism_fill_block(const tni_mechanism_body *body, double *block);
// Its inverse, into the body. False where it is not positive definite.
bool tni_mechanism_invert_block(tni_mechanism_body *body);

// ---- solver/mechanism_reduce.c -----------------------------------------------------------------

// -J M^-1 J^T of a body without a node, into the blocks of its joints.
void tni_mechanism_eliminate_body(const tni_mechanism *mechanism, const tni_mechanism_body *body);
// Takes M^-1 r of its right side to the rows of its joints; adds M^-1 J^T x of the solution.
void tni_mechanism_reduce_body(tni_mechanism *mechanism, tni_mechanism_body *body);
void tni_mechanism_expand_body(const tni_mechanism *mechanism, tni_mechanism_body *body);

#endif
