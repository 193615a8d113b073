// solver/movers/span.h: rows over several bodies at once: those of function joints and ropes, and
// of joints with bodies that are given by coordinates.
//
// A span is a block whose rows have six numbers for each of its bodies. Derivation:
// solver/movers/span.c.
#ifndef TNI_SOLVER_MOVERS_SPAN_H
#define TNI_SOLVER_MOVERS_SPAN_H

#include "joints/functions/function_joint.h"
#include "solver/movers/reduced.h"
#include "solver/rows/drive.h"
#include "solver/solver.h"

// The numbers that sweeps ask of a row.
typedef struct tni_span_row {
    tni_row given;          // its kind, role, numbers, C and second-order part; no J
    float rate;             // dC/dt while the bodies stand
    tni_row_drive drive[2]; // of a bounded row: without and with bias
    float share;            // of a spring row: theta of the next solve A
    float bias;             // of an equality, in solve A
    tni_row_state state;
} tni_span_row;

// The most bodies, with the slots of objects that coordinates give behind them.
#define TNI_SPAN_MAX_ENTRIES (TN_GRAPH_MAX_BODIES * (1 + TNI_REDUCED_MAX_SLOTS))

// An object that has some of the bodies.
typedef struct tni_span_object {
    tni_reduced *reduced;
    uint32_t entry; // where its columns begin
} tni_span_object;

// The load of a span that may break: solver/movers/span_breaking.c.
typedef struct tni_span_load {
    tni_joint *joint;
    double mean[TNI_LOAD_NUMBERS], rows[TN_CUSTOM_MAX_ROWS]; // N, N·m: not accepted yet
    double excess;                                           // 0 if the span bears its load
    // N·s and N·m·s by row, for a span that a mechanism solves: in the step until the last look,
    // and until this substep.
    double looked[TN_CUSTOM_MAX_ROWS], before[TN_CUSTOM_MAX_ROWS];
    bool is_worst; // of its island
} tni_span_load;

struct tni_span {
    tni_function *function;
    struct tni_span_rope *rope; // of a rope joint (solver/movers/span_rope.h), else null
    struct tni_span_joint
        *joint; // of a joint with reduced bodies: solver/movers/span_joint.h. Else null
    uint32_t world_joint;
    // A function's or a rope's own bodies come first, part_count of them.
    uint32_t body_count, part_count;
    uint32_t bodies[TNI_SPAN_MAX_ENTRIES];
    bool moves[TNI_SPAN_MAX_ENTRIES];       // by rows of its own
    tni_dvec3 centers[TN_GRAPH_MAX_BODIES]; // centres of mass, in the bodies' frames
    uint32_t object_count;
    tni_span_object objects[TN_GRAPH_MAX_BODIES];
    uint32_t member_of[TN_GRAPH_MAX_BODIES];        // by body: its object's index, or TNI_NONE
    uint32_t members[TN_GRAPH_MAX_BODIES];          // and the body's index within it
    const tni_reduced *affine[TN_GRAPH_MAX_BODIES]; // by body: of an affine one, or null
    tni_softness softness;
    uint32_t row_count, equality_count;
    bool is_sound;       // all rows were numbers at every refresh
    bool is_exact;       // a mechanism solves it: solver/exact/mechanism_span.h
    bool is_broken;      // in this step: its rows do nothing
    tni_span_load *load; // or null
    bool is_closed;      // its equalities belong to a group: solver/movers/closing.h
    tni_span_row rows[TNI_JOINT_MAX_ROWS];
    float *jacobian;      // by row and body: three numbers and a zero, twice
    float *response;      // W J^T likewise
    float inverse[8 * 8]; // K^-1 of the equalities
};

// Its bodies as a graph sees them, at the present poses.
typedef struct tni_span_view {
    tni_graph_body bodies[TN_GRAPH_MAX_BODIES];
    tni_affine_motion affine[TN_GRAPH_MAX_BODIES];
} tni_span_view;
void tni_span_look(const tni_solver *solver, const tni_span *span, tni_span_view *out_view);

// Returns the number of floats that the rows take, for J and W J^T.
static inline size_t tni_span_count_floats(uint32_t rows, uint32_t bodies) {
    return (size_t)rows * bodies * 16;
}

// Returns whether a group alone solves all rows of a joint's span.
static inline bool tni_span_is_all_closed(const tni_span *span) {
    return span->is_closed && span->joint != NULL && span->equality_count == span->row_count;
}

// Returns whether sweeps or a group solve the span.
static inline bool tni_span_is_swept(const tni_span *span) {
    return !span->is_exact && !span->is_broken;
}

// Makes rows, masses and biases at the present poses and at solver->time.
void tni_spans_refresh(tni_solver *solver);
void tni_spans_warm_start(tni_solver *solver, bool is_first_half);
void tni_spans_sweep(tni_solver *solver, bool use_bias);
// After each substep: adds up what the rows did.
void tni_spans_store(tni_solver *solver);
// These do what tni_work_begin_phase and tni_work_end_phase do. Then, in
// solver/movers/span_breaking.c, the worst span of each island that bears too much leaves (true if
// some would break), and the means are accepted.
bool tni_spans_break(tni_solver *solver);
void tni_spans_accept(tni_solver *solver);
// Weigh one span by what it gave in a substep, N·s and N·m·s, which sets its means and excess;
// accept these; and mark the span as broken by them.
void tni_span_weigh(const tni_solver *solver, const tni_span *span,
                    const double given[TNI_LOAD_NUMBERS], const double rows[TN_CUSTOM_MAX_ROWS]);
void tni_span_accept(const tni_span *span);
void tni_span_set_broken(tni_span *span);
// Returns whether something that is connected with the span has broken. The second function does
// one sweep of solve B over all such spans.
bool tni_span_is_marked(const tni_solver *solver, const tni_span *span);
void tni_spans_sweep_marked(tni_solver *solver);
void tni_spans_begin_phase(tni_solver *solver);
void tni_spans_end_phase(tni_solver *solver, bool is_first_half);

#endif
