// joints/function_joint.h: what is a function joint's own, in memory that its record owns.
//
// Its record is a joint of two bodies: of the first that moves, and another one. Where there are no
// more, and it does not ask for the time, its rows are those of a custom joint
// (joints/custom_joint.c), which every method solves. Else, or where one of them is affine, the
// record has none: they are a span's (solver/movers/span.h); and ties, joints of the same type that
// have no memory of their own, hold the rest to that first one, so that all of them wake, sleep and
// are destroyed as bodies of one joint.
#ifndef TNI_JOINTS_FUNCTION_JOINT_H
#define TNI_JOINTS_FUNCTION_JOINT_H

#include "joints/graph.h"
#include "joints/joint.h"

typedef struct tni_function {
    tn_graph *graph; // a copy
    tni_graph_values values;
    void *memory; // of the values, and of these:
    size_t memory_size;
    double *adjoints;  // by number of the graph
    double *curvature; // of one or two bodies: a square of 6 * body_count rows
    bool has_time;     // it asks for the time
    bool is_span;      // or has more than two bodies, or an affine one
    uint32_t body_count;
    uint32_t bodies[TN_GRAPH_MAX_BODIES]; // indices of the world's; TNI_NONE: the world
    uint32_t tie_count;
    uint32_t ties[TN_GRAPH_MAX_BODIES]; // joints
    uint32_t row_count, equality_count;
    tn_custom_row_def rows[TN_CUSTOM_MAX_ROWS];
    uint32_t numbers[TN_CUSTOM_MAX_ROWS]; // of the graph
    float impulses[TN_CUSTOM_MAX_ROWS];   // over a substep, for warm starting
    float forces[TN_CUSTOM_MAX_ROWS];     // mean over the last step
    double errors[TN_CUSTOM_MAX_ROWS];    // C after it, or when it was made
    tni_row_bearing bearing;
    uint32_t place;        // in the world's list
    uint32_t span;         // of the step at hand, or TNI_NONE
    struct tni_rope *rope; // of a rope joint, which has no graph and no rows; or null
} tni_function;

// Its bodies as graphs and ropes see them, with what that is of.
typedef struct tni_function_place {
    tni_body_motion motions[TN_GRAPH_MAX_BODIES];
    tni_affine_motion affine[TN_GRAPH_MAX_BODIES];
    tni_graph_body bodies[TN_GRAPH_MAX_BODIES];
} tni_function_place;

static inline uint32_t tni_function_count_equalities(const tn_custom_row_def *rows,
                                                     uint32_t count) {
    uint32_t equalities = 0;
    while (equalities < count && rows[equalities].kind == TN_CUSTOM_ROW_EQUALITY) {
        equalities += 1;
    }
    return equalities;
}

// C and J of its `count` rows, which are zero before, about the centres of mass; and their Jdot v
// where `terms` is not null. False where some row is not finite: it is left zero. It writes what
// the joint works with.
bool tni_function_measure(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, uint32_t count, tni_exact_row *rows,
                          double *terms);

// Adds K of its equalities under the impulses x, as kind.h asks for it: by the chain rule.
void tni_function_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, const double *x,
                                tni_curvature *curvature);

// Is C of a row an error? Springs and motors hold nothing.
static inline bool tni_function_row_counts(const tn_custom_row_def *row, double error) {
    return row->kind == TN_CUSTOM_ROW_EQUALITY || (row->kind == TN_CUSTOM_ROW_LIMIT && error < 0.0);
}

// Lengths of what is violated, of the rows that are angles and of the others.
static inline void tni_function_get_error(const tni_function *function, double *out_linear,
                                          double *out_angular) {
    double squares[2] = {0.0, 0.0};
    for (uint32_t r = 0; r < function->row_count; ++r) {
        const tn_custom_row_def *row = &function->rows[r];
        double error = function->errors[r];
        squares[row->is_angular ? 1 : 0] +=
            tni_function_row_counts(row, error) ? error * error : 0.0;
    }
    *out_linear = sqrt(squares[0]);
    *out_angular = sqrt(squares[1]);
}

// J, in its springs.
static inline double tni_function_get_elastic_energy(const tni_function *function) {
    double sum = 0.0;
    for (uint32_t r = 0; r < function->row_count; ++r) {
        const tn_custom_row_def *row = &function->rows[r];
        double stiffness = row->kind == TN_CUSTOM_ROW_SPRING ? (double)row->stiffness : 0.0;
        sum += 0.5 * stiffness * function->errors[r] * function->errors[r];
    }
    return sum;
}

// Is it a rope, a function that is a span, or a tie of one of these?
static inline bool tni_joint_has_span(const tni_joint *joint) {
    return tni_joint_is_function(joint) &&
           (tni_joint_is_tie(joint) || joint->def.function.apart->is_span);
}

#endif
