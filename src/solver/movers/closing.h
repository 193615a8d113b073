// solver/movers/closing.h: joints of bodies that coordinates give, solved together and closed.
//
// Derivation: solver/movers/closing.c.
#ifndef TNI_SOLVER_MOVERS_CLOSING_H
#define TNI_SOLVER_MOVERS_CLOSING_H

#include "solver/movers/span.h"

// A span whose equalities belong to the group.
typedef struct tni_closing_node {
    tni_span *span;
    uint32_t first_row;   // of the group's
    uint32_t entry_count; // bodies that it moves
    uint32_t first_entry; // of the group's
    double *jacobian;     // by row and entry, six numbers
    double *response;     // W J^T likewise
} tni_closing_node;

// A body that a node moves, by its index in the group and in the span.
typedef struct tni_closing_entry {
    uint32_t body, of_span;
} tni_closing_entry;

// A body of the solver, or six speeds of an object that take a solver body's place.
typedef struct tni_closing_body {
    uint32_t body;        // the solver's
    uint32_t first, last; // of its incidences
    tni_reduced *reduced; // whose speeds these are, or null
    uint32_t freedom;     // the first of these speeds
} tni_closing_body;

// An entry of a node, listed by body.
typedef struct tni_closing_incidence {
    uint32_t node, entry; // of the node's
} tni_closing_incidence;

// A row of the matrix: numbers from column `first` on, up to its own.
typedef struct tni_closing_row {
    double *numbers;
    uint32_t first;
    uint32_t node, of_span;
    double scale;   // the row's own J W J^T
    double unknown; // right side, then solution
} tni_closing_row;

typedef struct tni_closing {
    uint32_t node_count, row_count, body_count;
    tni_closing_node *nodes; // in the order in which they are eliminated
    tni_closing_entry *entries;
    tni_closing_row *rows;
    tni_closing_body *bodies;
    tni_closing_incidence *incidences; // by body, nodes in their order
    bool is_far;                       // its poses have more than one Newton step to go
} tni_closing;

// Makes rows and matrices at the present poses. Is called after tni_spans_refresh.
void tni_closings_refresh(tni_solver *solver);
// Makes rows and matrices and closes the poses. Is called after the drift.
void tni_closings_close(tni_solver *solver);
// Make groups with a broken span anew without it, and sweep what is connected with them.
void tni_closings_leave(tni_solver *solver);
void tni_closings_sweep_marked(tni_solver *solver);
// Solves all equalities of each group at once.
void tni_closings_sweep(tni_solver *solver, bool use_bias);

#endif
