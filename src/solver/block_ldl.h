// solver/block_ldl.h: L D L^T of a sparse symmetric matrix made of small dense blocks.
//
// The nodes of its graph are bodies of a mechanism (a block of 6, positive definite) and its
// joints (a block of their rows, negative definite once enough bodies beside it are eliminated;
// what the caller has eliminated beforehand counts). The pattern (order, fill, where each block
// lies) depends on the graph alone and is made once; the numbers change with every factorisation.
#ifndef TNI_SOLVER_BLOCK_LDL_H
#define TNI_SOLVER_BLOCK_LDL_H

#include "core/arena.h"

// The most unknowns of one node.
#define TNI_BLOCK_MAX 12

// A block of the matrix beside the diagonal.
typedef struct tni_block_edge {
    uint32_t first, second; // nodes, first < second
} tni_block_edge;

// Nodes [0, body_count) are bodies, the rest joints. No two edges may be the same, and none
// joins two bodies.
typedef struct tni_block_graph {
    uint32_t node_count, body_count, edge_count;
    const uint8_t *sizes; // unknowns of each node, 1 to TNI_BLOCK_MAX
    const bool *is_held;  // tied to what does not move, or locked in some direction
    const bool *is_based; // of a joint: a body of it was eliminated beforehand
    const tni_block_edge *edges;
} tni_block_graph;

// Positions are places in the order of elimination. Numbers lie in one array of doubles: for each
// position its diagonal block, then the blocks below it in its column, each row by row.
typedef struct tni_block_pattern {
    uint32_t count, edge_count, value_count, unknown_count;
    uint32_t widest; // unknowns in the longest column, below its diagonal
    uint32_t *node_at, *position_of;
    uint32_t *sizes, *unknowns; // by position: how many unknowns, and the first of them
    uint32_t *diagonals;        // by position: its diagonal block in the array of numbers
    uint32_t *columns;          // by position, and one more: its first block in `rows`
    uint32_t *rows, *blocks;    // of each block below a diagonal: position of its row, its place
    uint32_t *updates;          // by position: its first target
    uint32_t *targets;          // places that a column's blocks (a, b), b <= a, subtract from
    uint32_t *edge_blocks;      // by edge: its block
    bool *edge_is_turned;       // by edge: the block is first x second, not second x first
    void *memory;
    size_t memory_size;
} tni_block_pattern;

// Chooses the order and finds the fill: solver/block_order.c. Scratch comes from the arena, the
// pattern itself from the allocator. False when memory cannot be had, with nothing kept.
bool tni_block_pattern_create(tni_block_pattern *pattern, const tni_block_graph *graph,
                              tni_allocator *allocator, tni_arena *arena);
void tni_block_pattern_destroy(tni_block_pattern *pattern, tni_allocator *allocator);

// What a factorisation found.
typedef struct tni_block_report {
    uint32_t dependent_count; // rows whose pivot was round-off of their scale: redundant rows
    uint32_t first_dependent; // node of the first of them, or TNI_NONE
    bool is_sound;            // every body's block was positive definite
} tni_block_report;

// In place: values become the factors. `scales` by unknown: what the diagonal of a joint's row
// is before other joints take from it (J W J^T), 0 for a body's unknowns. `scratch` holds
// widest * TNI_BLOCK_MAX doubles.
tni_block_report tni_block_factor(const tni_block_pattern *pattern, const double *scales,
                                  double *values, double *scratch);
// x <- A^-1 x, by position: the unknowns of node n begin at unknowns[position_of[n]].
void tni_block_solve(const tni_block_pattern *pattern, const double *values, double *x);

#endif
