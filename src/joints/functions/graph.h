// joints/functions/graph.h: functions of bodies as a list of numbers, each from those before it.
//
// A number is a value with its derivatives: its gradient by the poses of the bodies that it depends
// on, six numbers each (a shift, then a turn), and its first and second derivative in time while
// the bodies move on without acceleration. Derivation: joints/functions/graph_value.c.
#ifndef TNI_JOINTS_FUNCTIONS_GRAPH_H
#define TNI_JOINTS_FUNCTIONS_GRAPH_H

#include "core/dmat3.h"
#include "core/memory/alloc.h"
#include "joints/row.h"
#include "tenon/graph.h"

typedef enum tni_graph_op {
    TNI_GRAPH_CONSTANT,
    TNI_GRAPH_INPUT,
    TNI_GRAPH_TIME,
    TNI_GRAPH_POINT,     // x, the first of three; the others are REST
    TNI_GRAPH_DIRECTION, // likewise
    TNI_GRAPH_REST,
    TNI_GRAPH_SUM,
    TNI_GRAPH_DIFFERENCE,
    TNI_GRAPH_PRODUCT,
    TNI_GRAPH_QUOTIENT,
    TNI_GRAPH_ROOT,
    TNI_GRAPH_SINE,
    TNI_GRAPH_COSINE,
    TNI_GRAPH_ANGLE_OF, // a = y, b = x
    TNI_GRAPH_MINIMUM,
    TNI_GRAPH_MAXIMUM,
    TNI_GRAPH_FUNCTION, // of the arguments from `a` on
} tni_graph_op;

// Says how one number is computed.
typedef struct tni_graph_number {
    uint8_t op;        // tni_graph_op
    uint8_t body;      // POINT, DIRECTION
    uint16_t bodies;   // on which it depends, as bits; it has a gradient of six for each, in order
    uint32_t gradient; // where its gradient begins among all gradients
    uint32_t a, b;     // numbers; in FUNCTION the first argument and how many there are
    union {
        double constant; // CONSTANT; INPUT: the first value
        tni_dvec3 local; // POINT, DIRECTION
        struct {
            tn_function_fn function;
            void *user_data;
        } own; // FUNCTION
    };
} tni_graph_number;

// A node is a number, or three that follow each other.
typedef struct tni_graph_node {
    uint32_t first;
    uint32_t width;
} tni_graph_node;

struct tn_graph {
    tni_allocator allocator;
    tn_result result;
    uint32_t number_count, number_capacity;
    uint32_t node_count, node_capacity;
    uint32_t argument_count, argument_capacity;
    uint32_t gradient_size; // of all numbers
    uint32_t bodies;        // on which some number depends, as bits
    tni_graph_number *numbers;
    tni_graph_node *nodes;
    uint32_t *arguments; // numbers, for all functions
};

static inline bool tni_graph_has(const tn_graph *graph, tn_node node) {
    return node.value >= 1 && node.value <= graph->node_count;
}

// Returns the number that a node is, or TNI_NONE.
static inline uint32_t tni_graph_find_number(const tn_graph *graph, tn_node node) {
    bool is_number = tni_graph_has(graph, node) && graph->nodes[node.value - 1].width == 1;
    return is_number ? graph->nodes[node.value - 1].first : TNI_NONE;
}
// Returns the number of a node that is an input, or TNI_NONE.
static inline uint32_t tni_graph_find_input(const tn_graph *graph, tn_node node) {
    uint32_t number = tni_graph_find_number(graph, node);
    bool is_input = number != TNI_NONE && graph->numbers[number].op == TNI_GRAPH_INPUT;
    return is_input ? number : TNI_NONE;
}

// Returns a copy of a graph in memory of `allocator`, or null without memory.
tn_graph *tni_graph_copy(const tn_graph *graph, tni_allocator *allocator);
// Frees a graph that is in memory of `allocator`. Null is allowed.
void tni_graph_free(tn_graph *graph, tni_allocator *allocator);

// A and A' of an affine body, whose points are at c + A X.
typedef struct tni_affine_motion {
    tni_dmat3 gradient, rate;
} tni_affine_motion;

// A body as graphs and ropes see it.
typedef struct tni_graph_body {
    const tni_body_motion *motion;
    tni_dvec3 center;                // of mass, in the body's frame
    const tni_affine_motion *affine; // of an affine body, in place of its rotation; else null
} tni_graph_body;

// A number and its first and second derivative in time.
typedef struct tni_graph_value {
    double value, first, second;
} tni_graph_value;

// The numbers that an evaluation needs and gives.
typedef struct tni_graph_values {
    tni_graph_value *numbers; // by number
    double *gradients;        // of all numbers, as their records say; null: not wanted
    double *inputs;           // by number; used only for inputs
} tni_graph_values;

// Return the bytes that the values need, and lay them out in that memory, with the first inputs.
size_t tni_graph_values_size(const tn_graph *graph);
tni_graph_values tni_graph_values_make(const tn_graph *graph, void *memory);
// Computes all numbers at these poses and this time, s.
void tni_graph_evaluate(const tn_graph *graph, const tni_graph_body *bodies, double time,
                        const tni_graph_values *values);
// Returns the six numbers of a body, or null if the number does not depend on it.
const double *tni_graph_get_gradient(const tn_graph *graph, const tni_graph_values *values,
                                     uint32_t number, uint32_t body);

// Finds the derivatives of an evaluated number by each number of the graph.
void tni_graph_find_adjoints(const tn_graph *graph, const tni_graph_values *values, uint32_t number,
                             double *out_adjoints);
// Sums these to the gradient by c and A, row by row, of an affine body, whose centre of mass is at
// `center` in its frame. Derivation: joints/functions/graph_affine.c.
#define TNI_GRAPH_AFFINE_NUMBERS 12
void tni_graph_get_affine_gradient(const tn_graph *graph, uint32_t body, tni_dvec3 center,
                                   const double *adjoints, double *out_gradient);

// A block's first and second derivatives by the numbers that it takes.
typedef struct tni_graph_block {
    uint32_t count; // 0 for sources and connectors
    uint32_t arguments[TN_GRAPH_MAX_ARGUMENTS];
    double first[TN_GRAPH_MAX_ARGUMENTS];
    double second[TN_GRAPH_MAX_ARGUMENTS][TN_GRAPH_MAX_ARGUMENTS];
} tni_graph_block;
// Finds the block of a number that was evaluated.
void tni_graph_find_block(const tn_graph *graph, const tni_graph_values *values, uint32_t number,
                          tni_graph_block *out_block);

// Finds the second derivatives of a weighted sum of evaluated numbers by the six coordinates of
// each body: a symmetric square of 6 * body_count rows. `weights` has the weight of each number of
// the graph, and is overwritten. The number of each body is below `body_count`. Turns are rotation
// vectors. Derivation: joints/functions/graph_curvature.c.
void tni_graph_find_curvature(const tn_graph *graph, const tni_graph_body *bodies,
                              uint32_t body_count, const tni_graph_values *values, double *weights,
                              double *out_curvature);

#endif
