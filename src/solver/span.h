// solver/span.h: rows over several bodies at once: those of function joints and ropes, and of
// joints with bodies that are given by coordinates.
//
// A span is a block whose rows have six numbers for each of its bodies. Derivation: solver/span.c.
#ifndef TNI_SOLVER_SPAN_H
#define TNI_SOLVER_SPAN_H

#include "joints/function_joint.h"
#include "solver/joint_bounded.h"
#include "solver/solver.h"

// What sweeps ask of a row.
typedef struct tni_span_row {
    tni_row given;          // its kind, role, numbers, C and what of it is of second order; no J
    float rate;             // dC/dt while the bodies stand
    tni_row_drive drive[2]; // of a bounded row: without bias, with it
    float bias;             // of an equality, in solve A
    tni_row_state state;
} tni_span_row;

struct tni_span {
    tni_function *function;
    struct tni_span_rope *rope;   // of a rope joint: solver/span_rope.h. Else null
    struct tni_span_joint *joint; // of a joint with reduced bodies: solver/span_joint.h. Else null
    uint32_t world_joint;
    uint32_t body_count;
    uint32_t bodies[TN_GRAPH_MAX_BODIES];
    tni_dvec3 centers[TN_GRAPH_MAX_BODIES]; // of mass, in the bodies' frames
    bool moves[TN_GRAPH_MAX_BODIES];
    tni_softness softness;
    uint32_t row_count, equality_count;
    bool is_sound; // all rows were numbers at every refresh
    bool is_exact; // a mechanism solves it: solver/mechanism_span.h
    tni_span_row rows[TNI_JOINT_MAX_ROWS];
    float *jacobian;      // by row and body: three numbers and a zero, twice
    float *response;      // W J^T likewise
    float inverse[8 * 8]; // K^-1 of the equalities
};

// Floats that the rows take: J and W J^T.
static inline size_t tni_span_count_floats(uint32_t rows, uint32_t bodies) {
    return (size_t)rows * bodies * 16;
}

// Rows, masses and biases at the present poses, of solver->time.
void tni_spans_refresh(tni_solver *solver);
void tni_spans_warm_start(tni_solver *solver, bool is_first_half);
void tni_spans_sweep(tni_solver *solver, bool use_bias);
// After each substep: adds up what the rows did.
void tni_spans_store(tni_solver *solver);
// As tni_work_begin_phase and tni_work_end_phase.
void tni_spans_begin_phase(tni_solver *solver);
void tni_spans_end_phase(tni_solver *solver, bool is_first_half);

#endif
