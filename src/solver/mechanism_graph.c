// solver/mechanism_graph.c: which unknowns of a mechanism stand in its sparse matrix.
//
// A body with few joints is eliminated beforehand: its block is inverted by itself, and what is
// left is M^-1 in the rows of its joints, the J W J^T of the source texts. On a chain this leaves a
// matrix of the joints alone. A body with more joints keeps its node: eliminating it would tie all
// its joints to each other, while a hub with a hundred arms costs no more than the arms when they
// come first. Sources: D. Baraff, "Linear-time dynamics using Lagrange multipliers",
// SIGGRAPH 1996; A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997. Test:
// tests/solver/test_mechanism.c
#include <string.h>

#include "solver/mechanism.h"

// A body of more than two joints that have more rows than this together keeps its node.
#define GRAPH_MOST_ROWS 20

typedef struct graph_arrays {
    uint8_t *sizes;
    bool *is_locked;       // by body with a node, then by body without
    uint32_t (*bodies)[2]; // by joint
    uint32_t *numbers;     // by body that moves: its node, or the joints' nodes' end and on
    tni_block_edge *edges;
    uint32_t edge_count, gone_count;                  // bodies eliminated beforehand
    uint32_t (*hub_edges)[2];                         // by joint
    uint32_t (*pair_edges)[TNI_MECHANISM_MOST_PAIRS]; // by body that moves
} graph_arrays;

static void graph_note_end(tni_mechanism *mechanism, uint32_t body, uint32_t end,
                           uint32_t *row_counts) {
    if (body < mechanism->moving_count) {
        tni_mechanism_body *record = &mechanism->bodies[body];
        if (record->end_count < TNI_MECHANISM_MOST_ENDS) {
            record->ends[record->end_count] = end;
        }
        record->end_count += 1;
        row_counts[body] += mechanism->joints[end >> 1].row_count;
    }
}

// `row_counts` by body that moves, zero.
static void graph_choose_nodes(tni_mechanism *mechanism, uint32_t *row_counts) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].end_count = 0;
        mechanism->bodies[i].node = TNI_NONE;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        graph_note_end(mechanism, mechanism->joints[i].a, 2 * i, row_counts);
        graph_note_end(mechanism, mechanism->joints[i].b, 2 * i + 1, row_counts);
    }
    mechanism->hub_count = 0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        bool has_many = body->end_count > 2 && row_counts[i] > GRAPH_MOST_ROWS;
        if (body->end_count > TNI_MECHANISM_MOST_ENDS || has_many) {
            body->node = mechanism->hub_count++;
        }
    }
}

static void graph_number_bodies(const tni_mechanism *mechanism, graph_arrays *graph) {
    uint32_t nodes = mechanism->hub_count + mechanism->joint_count;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        bool is_node = body->node != TNI_NONE;
        uint32_t place = is_node ? body->node : mechanism->hub_count + graph->gone_count;
        graph->numbers[i] = is_node ? body->node : nodes + graph->gone_count++;
        graph->is_locked[place] = body->locks != 0;
        if (is_node) {
            graph->sizes[body->node] = 6;
        }
    }
}

static uint32_t graph_add_edge(graph_arrays *graph, uint32_t first, uint32_t second) {
    tni_block_edge edge = {first < second ? first : second, first < second ? second : first};
    graph->edges[graph->edge_count] = edge;
    return graph->edge_count++;
}

static void graph_add_joint_end(const tni_mechanism *mechanism, uint32_t index, uint32_t end,
                                graph_arrays *graph) {
    const tni_mechanism_joint *joint = &mechanism->joints[index];
    uint32_t body = end == 0 ? joint->a : joint->b;
    bool moves = body < mechanism->moving_count;
    graph->bodies[index][end] = moves ? graph->numbers[body] : TNI_NONE;
    if (moves && mechanism->bodies[body].node != TNI_NONE) {
        graph->hub_edges[index][end] =
            graph_add_edge(graph, mechanism->bodies[body].node, mechanism->hub_count + index);
    }
}

// The edge that a body before this one has between two joints of both, or TNI_NONE.
static uint32_t graph_find_pair(const tni_mechanism *mechanism, const graph_arrays *graph,
                                uint32_t index, uint32_t first, uint32_t second) {
    const tni_mechanism_joint *joint = &mechanism->joints[first];
    uint32_t other = joint->a == index ? joint->b : joint->a;
    if (other >= index || mechanism->bodies[other].node != TNI_NONE) {
        return TNI_NONE;
    }
    const tni_mechanism_body *beside = &mechanism->bodies[other];
    for (uint32_t f = 1, pair = 0; f < beside->end_count; ++f) {
        for (uint32_t e = 0; e < f; ++e, ++pair) {
            if ((beside->ends[e] >> 1) == first && (beside->ends[f] >> 1) == second) {
                return graph->pair_edges[other][pair];
            }
        }
    }
    return TNI_NONE;
}

// The edges between the joints of a body that is eliminated beforehand.
static void graph_add_pairs(const tni_mechanism *mechanism, uint32_t index, graph_arrays *graph) {
    const tni_mechanism_body *body = &mechanism->bodies[index];
    if (body->node != TNI_NONE) {
        return;
    }
    for (uint32_t f = 1, pair = 0; f < body->end_count; ++f) {
        for (uint32_t e = 0; e < f; ++e, ++pair) {
            uint32_t first = body->ends[e] >> 1, second = body->ends[f] >> 1;
            uint32_t edge = graph_find_pair(mechanism, graph, index, first, second);
            if (edge == TNI_NONE) {
                edge = graph_add_edge(graph, mechanism->hub_count + first,
                                      mechanism->hub_count + second);
            }
            graph->pair_edges[index][pair] = edge;
        }
    }
}

static void graph_note_joint(tni_mechanism *mechanism, uint32_t index, const graph_arrays *graph) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    tni_mechanism_joint *joint = &mechanism->joints[index];
    uint32_t position = pattern->position_of[mechanism->hub_count + index];
    tni_block_place diagonal = {pattern->diagonals[position], pattern->strides[position], 1};
    const uint32_t bodies[2] = {joint->a, joint->b};
    bool has_locks = (tni_mechanism_get_locks(mechanism, joint->a) |
                      tni_mechanism_get_locks(mechanism, joint->b)) != 0;
    joint->first_unknown = pattern->unknowns[position];
    joint->diagonal = diagonal;
    joint->is_ball = joint->is_pin && joint->row_count == 3 && !has_locks;
    for (uint32_t end = 0; end < 2; ++end) {
        if (mechanism->bodies[bodies[end]].node != TNI_NONE) {
            joint->hubs[end] = pattern->edges[graph->hub_edges[index][end]];
        }
    }
}

// After the joints.
static void graph_note_body(tni_mechanism *mechanism, uint32_t index, const graph_arrays *graph) {
    tni_mechanism_body *body = &mechanism->bodies[index];
    if (body->node != TNI_NONE) {
        body->hangs_on_balls = false;
        return;
    }
    body->hangs_on_balls = body->end_count <= 2;
    for (uint32_t e = 0; e < body->end_count && body->hangs_on_balls; ++e) {
        body->hangs_on_balls = mechanism->joints[body->ends[e] >> 1].is_ball;
    }
    for (uint32_t pair = 0; pair < body->end_count * (body->end_count - 1) / 2; ++pair) {
        body->pairs[pair] = mechanism->pattern.edges[graph->pair_edges[index][pair]];
    }
}

// What the solver asks of the pattern for every body and joint.
static void graph_note_places(tni_mechanism *mechanism, const graph_arrays *graph) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        graph_note_joint(mechanism, i, graph);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        graph_note_body(mechanism, i, graph);
    }
}

static bool graph_allocate(const tni_mechanism *mechanism, uint32_t *row_counts,
                           graph_arrays *graph, tni_arena *arena) {
    uint32_t nodes = mechanism->hub_count + mechanism->joint_count;
    uint32_t moving = mechanism->moving_count;
    size_t edges = 2 * (size_t)mechanism->joint_count + TNI_MECHANISM_MOST_PAIRS * (size_t)moving;
    graph->sizes = tni_arena_alloc(arena, nodes * sizeof(uint8_t));
    graph->is_locked = tni_arena_alloc(arena, moving * sizeof(bool));
    graph->bodies = tni_arena_alloc(arena, mechanism->joint_count * sizeof *graph->bodies);
    graph->numbers = row_counts; // done with
    graph->edges = tni_arena_alloc(arena, edges * sizeof(tni_block_edge));
    graph->hub_edges = tni_arena_alloc(arena, mechanism->joint_count * sizeof *graph->hub_edges);
    graph->pair_edges = tni_arena_alloc(arena, moving * sizeof *graph->pair_edges);
    return graph->sizes != NULL && graph->is_locked != NULL && graph->bodies != NULL &&
           graph->edges != NULL && graph->hub_edges != NULL && graph->pair_edges != NULL;
}

bool tni_mechanism_analyze(tni_mechanism *mechanism, tni_allocator *allocator, tni_arena *arena) {
    graph_arrays graph = {.edge_count = 0};
    uint32_t *row_counts =
        tni_arena_alloc_zeroed(arena, mechanism->moving_count * sizeof(uint32_t));
    if (row_counts == NULL) {
        return false;
    }
    graph_choose_nodes(mechanism, row_counts);
    if (!graph_allocate(mechanism, row_counts, &graph, arena)) {
        return false;
    }
    graph_number_bodies(mechanism, &graph);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        graph.sizes[mechanism->hub_count + i] = (uint8_t)mechanism->joints[i].row_count;
        graph_add_joint_end(mechanism, i, 0, &graph);
        graph_add_joint_end(mechanism, i, 1, &graph);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        graph_add_pairs(mechanism, i, &graph);
    }
    tni_block_graph block_graph = {.node_count = mechanism->hub_count + mechanism->joint_count,
                                   .body_count = mechanism->hub_count,
                                   .gone_count = graph.gone_count,
                                   .edge_count = graph.edge_count,
                                   .sizes = graph.sizes,
                                   .is_locked = graph.is_locked,
                                   .bodies = (const uint32_t(*)[2])graph.bodies,
                                   .edges = graph.edges};
    if (!tni_block_pattern_create(&mechanism->pattern, &block_graph, allocator, arena)) {
        return false;
    }
    graph_note_places(mechanism, &graph);
    return true;
}
