// forces/goal.h: a goal's own data, in memory that its record owns.
#ifndef TNI_FORCES_GOAL_H
#define TNI_FORCES_GOAL_H

#include "joints/functions/graph.h"

// A freedom of a body as the solver scales it. It is a column of S (solver/movers/goal.c): six
// numbers of one body, zero before `first`.
typedef struct tni_goal_freedom {
    uint32_t body, first;
    double column[6];
} tni_goal_freedom;

typedef struct tni_goal {
    tn_graph *graph; // a copy
    uint32_t number; // E
    uint32_t body_count;
    tni_graph_values values;
    void *memory; // holds all that follows
    size_t memory_size;
    double *adjoints;           // by number of the graph
    double *gradient;           // six numbers for each body
    double *curvature;          // a square of 6 * body_count rows
    double *scaled, *factor;    // squares of the freedoms: S^T H S, and a Cholesky factor
    double *impulse;            // one number for each freedom
    tni_goal_freedom *freedoms; // 6 * body_count at most
} tni_goal;

// Returns null if there is no memory.
tni_goal *tni_goal_make(const tn_graph *graph, uint32_t number, uint32_t body_count,
                        tni_allocator *allocator);
// Frees a goal, which may be null.
void tni_goal_free(tni_goal *goal, tni_allocator *allocator);
// Returns E at these poses and this time, s.
double tni_goal_evaluate(const tni_goal *goal, const tni_graph_body *bodies, double time);
// Writes its derivatives into `gradient` and `curvature`. Returns false if one is not finite.
bool tni_goal_derive(const tni_goal *goal, const tni_graph_body *bodies, double time);

#endif
