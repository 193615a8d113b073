// solver/matrix/block_ldl.h: L D L^T of a sparse symmetric matrix made of small dense blocks.
//
// The nodes of its graph are bodies of a mechanism (a block of 6, positive definite) and its
// joints (a block of their rows, negative definite once the bodies that they move are eliminated).
// Some bodies may have been eliminated beforehand, each by itself; the blocks between their joints
// are then edges of the graph. The pattern (order, fill, where each block lies) depends on the
// graph alone and is made once; the numbers change with every factorisation.
#ifndef TNI_SOLVER_MATRIX_BLOCK_LDL_H
#define TNI_SOLVER_MATRIX_BLOCK_LDL_H

#include "core/memory/arena.h"

// A node has no more unknowns than the first, an even number for the rows of a joint on whose
// values everything acts; and the nodes that are eliminated together have no more than the second.
#define TNI_BLOCK_MAX 22
#define TNI_PANEL_MAX 48

// An edge is a block of the matrix beside the diagonal.
typedef struct tni_block_edge {
    uint32_t first, second; // nodes, first < second
} tni_block_edge;

// Nodes [0, body_count) are bodies, the others joints. No two edges may be the same, and none joins
// two bodies. Bodies eliminated beforehand are numbered on from the last node.
typedef struct tni_block_graph {
    uint32_t node_count, body_count, gone_count, edge_count;
    uint32_t late_count;   // joints, the last nodes, that had better wait for those beside them
    const uint8_t *sizes;  // unknowns of each node, 1 to TNI_BLOCK_MAX
    const bool *is_idle;   // by node, or NULL: without edges or bodies, solved for by somebody else
    const bool *is_locked; // by body, then by body eliminated beforehand: not free to follow
    const uint32_t (*bodies)[2]; // by joint: node of a body, node_count + k of the k-th eliminated
                                 // beforehand, or TNI_NONE: what does not move
    const tni_block_edge *edges;
} tni_block_graph;

// A block of the matrix lies here: row r, column c at first + r row_step + c column_step.
typedef struct tni_block_place {
    uint32_t first, row_step, column_step;
} tni_block_place;

// Returns how far apart a block's rows lie, or its columns where they lie as rows.
static inline uint32_t tni_block_get_stride(tni_block_place place) {
    return place.column_step == 1 ? place.row_step : place.column_step;
}

// Positions are places in the order of elimination. Some that follow each other and have the same
// rows below them, or nearly, form a panel and are eliminated together. Numbers lie in one array of
// doubles: for each panel its square diagonal block, then the rows below it.
typedef struct tni_block_pattern {
    uint32_t count, panel_count, edge_count, value_count, unknown_count;
    uint32_t scratch_count; // doubles that a factorisation works with beside the numbers
    uint32_t *node_at, *position_of;
    uint32_t *sizes, *unknowns;    // by position: how many unknowns, and the first of them
    uint32_t *diagonals, *strides; // by position: its own block, and how far apart rows are
    uint32_t *starts;              // by panel, and one more: its first position
    uint32_t *columns;             // by panel, and one more: its first block in `rows`
    uint32_t *rows;                // of each block below a panel: position of its row
    uint32_t *updates;             // by panel: its first target
    uint32_t *targets;             // by panel, row b of its rows, row a from b on: the place that
                                   // the two subtract from
    tni_block_place *edges;        // by edge: its block, second x first
    uint32_t *panel_of;            // by position
    uint32_t *edge_nodes;          // by edge: its two nodes
    uint32_t *is_idle;             // by panel: its numbers and unknowns are left alone
    uint32_t lone; // position of the only node that is not idle, where it has one unknown
    void *memory;
    size_t memory_size;
} tni_block_pattern;

// Chooses the order and finds the fill: solver/matrix/block_order.c, solver/matrix/block_pattern.c.
// Scratch comes from the arena, the pattern itself from the allocator. Returns false when memory
// cannot be had, with nothing kept.
bool tni_block_pattern_create(tni_block_pattern *pattern, const tni_block_graph *graph,
                              tni_allocator *allocator, tni_arena *arena);
// Lays all blocks out anew in the same order and fill, for nodes of other sizes, at least 1, that
// stand in `sizes`. The counts of numbers and unknowns change.
void tni_block_pattern_lay_out(tni_block_pattern *pattern);
void tni_block_pattern_destroy(tni_block_pattern *pattern, tni_allocator *allocator);

// An order of elimination and its fill stand in the arena: solver/matrix/block_order.c.
typedef struct tni_block_order {
    uint32_t *nodes;    // in the order
    uint32_t **columns; // by node: the nodes below its diagonal, in no order
    uint32_t *counts;   // by node: how many
} tni_block_order;
bool tni_block_order_find(tni_block_order *order, const tni_block_graph *graph, tni_arena *arena);

// A factorisation reports this.
typedef struct tni_block_report {
    uint32_t
        dependent_count; // rows whose pivot is next to nothing of their scale: likely redundant
    bool is_sound;       // every body's block was positive definite
} tni_block_report;

// Factors in place: values become the factors; only the lower half of the diagonal blocks is read.
// `scales` holds by unknown the diagonal of a joint's row before other joints take from it (J W
// J^T), and 0 for a body's unknowns. `scratch` holds scratch_count doubles.
tni_block_report tni_block_factor(const tni_block_pattern *pattern, const double *scales,
                                  double *values, double *scratch);
// Solves x <- A^-1 x, by position: the unknowns of node n begin at unknowns[position_of[n]].
void tni_block_solve(const tni_block_pattern *pattern, const double *values, double *x);

#endif
