// joints/functions/function_joint.h: a function joint's own memory, which its record owns.
//
// Its record is a joint of two bodies: the first one that moves, and another one. If there are no
// more, and it does not use the time, its rows are those of a custom joint (joints/custom_joint.c),
// which every method solves. Otherwise, or if a body is affine, the record has no rows: a span has
// them (solver/movers/span.h). Ties, which are joints of the same type without memory of their own,
// hold the other bodies to the first one, so that all of them wake, sleep and are destroyed as
// bodies of one joint.
#ifndef TNI_JOINTS_FUNCTIONS_FUNCTION_JOINT_H
#define TNI_JOINTS_FUNCTIONS_FUNCTION_JOINT_H

#include "joints/functions/graph.h"
#include "joints/joint.h"

typedef struct tni_function {
    tn_graph *graph; // a copy
    tni_graph_values values;
    void *memory; // of the values, and of the next two:
    size_t memory_size;
    double *adjoints;  // one for each number of the graph
    double *curvature; // for one or two bodies: a square of 6 * body_count rows
    bool has_time;     // it uses the time
    bool is_span;      // it does, has more than two bodies, or an affine one
    uint32_t body_count;
    uint32_t bodies[TN_GRAPH_MAX_BODIES]; // indices in the world; TNI_NONE: the world
    uint32_t tie_count;
    uint32_t ties[TN_GRAPH_MAX_BODIES]; // joints
    uint32_t row_count, equality_count;
    tn_custom_row_def rows[TN_CUSTOM_MAX_ROWS];
    uint32_t numbers[TN_CUSTOM_MAX_ROWS]; // in the graph
    float impulses[TN_CUSTOM_MAX_ROWS];   // over a substep, for warm starting
    float forces[TN_CUSTOM_MAX_ROWS];     // mean over the last step
    double errors[TN_CUSTOM_MAX_ROWS];    // C after the last step, or when it was made
    tni_row_bearing bearing;
    uint32_t place;        // in the world's list
    uint32_t span;         // in the step at hand, or TNI_NONE
    struct tni_rope *rope; // of a rope joint, which has no graph and no rows; or null
} tni_function;

// Its bodies as graphs and ropes see them, with the records that these point to.
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

// Writes C and J of its first `count` rows, which are zero before, about the centres of mass, and
// their Jdot v if `terms` is not null. Returns false if a row is not finite, which is left zero.
// Writes the joint's working memory.
bool tni_function_measure(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, uint32_t count, tni_exact_row *rows,
                          double *terms);

// Adds K of its equalities for the impulses x, by the chain rule.
void tni_function_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, const double *x,
                                tni_curvature *curvature);

// Returns whether C of a row is an error. Springs and motors hold nothing.
static inline bool tni_function_row_counts(const tn_custom_row_def *row, double error) {
    return row->kind == TN_CUSTOM_ROW_EQUALITY || (row->kind == TN_CUSTOM_ROW_LIMIT && error < 0.0);
}

// Gets the lengths of the violated parts of its rows, of the angles and of the others.
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

// Returns the energy in its springs, J.
static inline double tni_function_get_elastic_energy(const tni_function *function) {
    double sum = 0.0;
    for (uint32_t r = 0; r < function->row_count; ++r) {
        const tn_custom_row_def *row = &function->rows[r];
        double stiffness = row->kind == TN_CUSTOM_ROW_SPRING ? (double)row->stiffness : 0.0;
        sum += 0.5 * stiffness * function->errors[r] * function->errors[r];
    }
    return sum;
}

// Returns whether it is a rope, a function that is a span, or a tie of one of these.
static inline bool tni_joint_has_span(const tni_joint *joint) {
    return tni_joint_is_function(joint) &&
           (tni_joint_is_tie(joint) || joint->def.function.apart->is_span);
}

#endif
