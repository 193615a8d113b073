// solver/mechanism_graph.c: which unknowns of a mechanism stand in its sparse matrix.
//
// A body with one or two joints is eliminated beforehand: its block is inverted by itself, and what
// is left is M^-1 in the rows of its joints, the J W J^T of the source texts. On a chain this
// leaves a matrix of the joints alone. A body with more joints keeps its node: eliminating it would
// tie all its joints to each other, while a hub with a hundred arms costs no more than the arms
// when they come first. Sources: D. Baraff, "Linear-time dynamics using Lagrange multipliers",
// SIGGRAPH 1996; A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997. Test:
// tests/solver/test_mechanism.c
#include <string.h>

#include "solver/mechanism.h"

#define GRAPH_MOST_ENDS 2

typedef struct graph_arrays {
    uint8_t *sizes;
    bool *is_held, *is_based;
    tni_block_edge *edges;
    uint32_t edge_count;
} graph_arrays;

static void graph_note_end(tni_mechanism *mechanism, uint32_t body, uint32_t end) {
    if (body < mechanism->moving_count) {
        tni_mechanism_body *record = &mechanism->bodies[body];
        if (record->end_count < GRAPH_MOST_ENDS) {
            record->ends[record->end_count] = end;
        }
        record->end_count += 1;
    }
}

static void graph_choose_nodes(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].end_count = 0;
        mechanism->bodies[i].node = mechanism->bodies[i].pair_edge = TNI_NONE;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        graph_note_end(mechanism, mechanism->joints[i].a, 2 * i);
        graph_note_end(mechanism, mechanism->joints[i].b, 2 * i + 1);
    }
    mechanism->hub_count = 0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        if (mechanism->bodies[i].end_count > GRAPH_MOST_ENDS) {
            mechanism->bodies[i].node = mechanism->hub_count++;
        }
    }
}

static uint32_t graph_add_edge(graph_arrays *graph, uint32_t first, uint32_t second) {
    tni_block_edge edge = {first < second ? first : second, first < second ? second : first};
    graph->edges[graph->edge_count] = edge;
    return graph->edge_count++;
}

static void graph_add_body(const tni_mechanism *mechanism, uint32_t index, graph_arrays *graph) {
    const tni_mechanism_body *body = &mechanism->bodies[index];
    if (body->node != TNI_NONE) {
        graph->sizes[body->node] = 6;
        graph->is_held[body->node] = body->locks != 0;
    }
}

static void graph_add_joint_end(tni_mechanism *mechanism, uint32_t index, uint32_t end,
                                graph_arrays *graph) {
    tni_mechanism_joint *joint = &mechanism->joints[index];
    uint32_t body = end == 0 ? joint->a : joint->b, node = mechanism->hub_count + index;
    joint->hub_edges[end] = TNI_NONE;
    if (body >= mechanism->moving_count) {
        graph->is_held[node] = true;
    } else if (mechanism->bodies[body].node != TNI_NONE) {
        joint->hub_edges[end] = graph_add_edge(graph, mechanism->bodies[body].node, node);
    } else {
        graph->is_based[node] = true;
        graph->is_held[node] |= mechanism->bodies[body].locks != 0;
    }
}

// The edge between the joints of a body that is eliminated beforehand. Where two such bodies share
// both their joints it is one edge.
static void graph_add_pair(tni_mechanism *mechanism, uint32_t index, graph_arrays *graph) {
    tni_mechanism_body *body = &mechanism->bodies[index];
    if (body->node != TNI_NONE || body->end_count != 2) {
        return;
    }
    uint32_t first = body->ends[0] >> 1, second = body->ends[1] >> 1;
    const tni_mechanism_joint *joint = &mechanism->joints[first];
    uint32_t other = joint->a == index ? joint->b : joint->a;
    if (other < index) {
        const tni_mechanism_body *beside = &mechanism->bodies[other];
        if (beside->node == TNI_NONE && beside->end_count == 2 && (beside->ends[0] >> 1) == first &&
            (beside->ends[1] >> 1) == second) {
            body->pair_edge = beside->pair_edge;
            return;
        }
    }
    body->pair_edge =
        graph_add_edge(graph, mechanism->hub_count + first, mechanism->hub_count + second);
}

// What the solver asks of the pattern for every body and joint.
static void graph_note_places(tni_mechanism *mechanism) {
    const tni_block_pattern *pattern = &mechanism->pattern;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        uint32_t position = pattern->position_of[mechanism->hub_count + i];
        tni_mechanism_joint *joint = &mechanism->joints[i];
        bool has_locks = (tni_mechanism_get_locks(mechanism, joint->a) |
                          tni_mechanism_get_locks(mechanism, joint->b)) != 0;
        joint->first_unknown = pattern->unknowns[position];
        joint->is_ball = joint->is_pin && joint->row_count == 3 && !has_locks;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->hangs_on_balls = body->node == TNI_NONE;
        for (uint32_t e = 0; e < body->end_count && body->hangs_on_balls; ++e) {
            body->hangs_on_balls = mechanism->joints[body->ends[e] >> 1].is_ball;
        }
    }
}

bool tni_mechanism_analyze(tni_mechanism *mechanism, tni_allocator *allocator, tni_arena *arena) {
    graph_choose_nodes(mechanism);
    uint32_t nodes = mechanism->hub_count + mechanism->joint_count;
    size_t edges = 2 * (size_t)mechanism->joint_count + mechanism->moving_count;
    graph_arrays graph = {tni_arena_alloc_zeroed(arena, nodes * sizeof(uint8_t)),
                          tni_arena_alloc_zeroed(arena, nodes * sizeof(bool)),
                          tni_arena_alloc_zeroed(arena, nodes * sizeof(bool)),
                          tni_arena_alloc(arena, edges * sizeof(tni_block_edge)), 0};
    if (graph.sizes == NULL || graph.is_held == NULL || graph.is_based == NULL ||
        graph.edges == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        graph_add_body(mechanism, i, &graph);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        graph.sizes[mechanism->hub_count + i] = (uint8_t)mechanism->joints[i].row_count;
        graph_add_joint_end(mechanism, i, 0, &graph);
        graph_add_joint_end(mechanism, i, 1, &graph);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        graph_add_pair(mechanism, i, &graph);
    }
    tni_block_graph block_graph = {.node_count = nodes,
                                   .body_count = mechanism->hub_count,
                                   .edge_count = graph.edge_count,
                                   .sizes = graph.sizes,
                                   .is_held = graph.is_held,
                                   .is_based = graph.is_based,
                                   .edges = graph.edges};
    if (!tni_block_pattern_create(&mechanism->pattern, &block_graph, allocator, arena)) {
        return false;
    }
    graph_note_places(mechanism);
    return true;
}
