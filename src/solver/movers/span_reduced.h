// solver/movers/span_reduced.h: rows of functions and ropes over bodies that are given by
// coordinates.
//
// Derivation: solver/movers/span_reduced.c.
#ifndef TNI_SOLVER_MOVERS_SPAN_REDUCED_H
#define TNI_SOLVER_MOVERS_SPAN_REDUCED_H

#include "solver/movers/span.h"

// A row over c and A of an affine body.
typedef struct tni_affine_row {
    double numbers[TNI_GRAPH_AFFINE_NUMBERS];
} tni_affine_row;

// Turns a row's numbers for bodies that coordinates give into columns of their objects, and finds
// the response. The row's six numbers for each body, and by part those of affine bodies, must be
// set. Returns J d, which these bodies add to C''.
double tni_span_project(const tni_span *span, uint32_t row, const tni_affine_row *affine);

#endif
