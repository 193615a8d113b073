// solver/movers/span_reduced.h: rows of functions and ropes over bodies that are given by
// coordinates.
//
// Derivation: solver/movers/span_reduced.c.
#ifndef TNI_SOLVER_MOVERS_SPAN_REDUCED_H
#define TNI_SOLVER_MOVERS_SPAN_REDUCED_H

#include "solver/movers/span.h"

// A row by c and A of an affine body.
typedef struct tni_affine_row {
    double numbers[TNI_GRAPH_AFFINE_NUMBERS];
} tni_affine_row;

// Takes a row whose six numbers for each body are there, and by part those of affine ones: the
// numbers of bodies that coordinates give become columns of their objects, with their response.
// Returns what these bodies add to C'': J d.
double tni_span_project(const tni_span *span, uint32_t row, const tni_affine_row *affine);

#endif
