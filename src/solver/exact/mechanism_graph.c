// solver/exact/mechanism_graph.c: which unknowns of a mechanism stand in its sparse matrix.
//
// A body with few joints is eliminated beforehand: its block is inverted by itself, which leaves
// M^-1 in the rows of its joints, the J W J^T of the source texts. On a chain this leaves a matrix
// of the joints alone. A body with more joints keeps its node: eliminating it would tie all its
// joints to each other, while a hub with a hundred arms costs no more than the arms when they come
// first; where they may not come first the hub is torn (mechanism_tear.c). Bodies that ride on
// others are eliminated with these, as one body with all their joints (mechanism_anchor_choice.c).
// Sources: D. Baraff, "Linear-time dynamics using Lagrange multipliers", SIGGRAPH 1996; A. Witkin,
// "Constrained dynamics", SIGGRAPH course notes, 1997. Test: tests/solver/exact/test_mechanism.c
#include <string.h>

#include "solver/exact/mechanism_system.h"

// A body of more than two joints that have more rows than this together keeps its node.
#define GRAPH_MOST_ROWS 20

typedef struct graph_arrays {
    uint8_t *sizes;
    bool *is_idle;         // by node
    bool *is_locked;       // by body with a node, then by body without, then by copy
    uint32_t (*bodies)[2]; // by joint, then by tie
    uint32_t *numbers;     // by body that moves: its node, or the joints' nodes' end and on
    tni_block_edge *edges;
    uint32_t edge_count, gone_count;                  // bodies eliminated beforehand
    uint32_t *copy_of;                                // by joint * 2 + end
    uint32_t (*hub_edges)[2];                         // by joint, then by tie
    uint32_t (*pair_edges)[TNI_MECHANISM_MOST_PAIRS]; // by body that moves, then by copy
    uint32_t link_count;                              // joints and ties
} graph_arrays;

static void graph_note_end(tni_mechanism *mechanism, uint32_t body, uint32_t end,
                           uint32_t *row_counts) {
    bool counts = !tni_mechanism_is_bare(&mechanism->joints[end >> 1]);
    if (body < mechanism->moving_count && counts) {
        tni_mechanism_body *record = &mechanism->bodies[body];
        if (record->place.end_count <= TNI_MECHANISM_MOST_ENDS) {
            record->place.ends[record->place.end_count] = end;
        }
        record->place.end_count += 1;
        row_counts[body] += mechanism->joints[end >> 1].row_count;
    }
}

static void graph_number_hubs(tni_mechanism *mechanism, const uint32_t *row_counts,
                              bool has_anchors) {
    mechanism->hub_count = 0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        uint32_t ends = body->place.end_count, rows = row_counts[i];
        uint32_t anchor =
            has_anchors ? tni_mechanism_choose_anchor(mechanism, body) : (uint32_t)TNI_NONE;
        if (anchor != TNI_NONE) {
            ends -= 1;
            rows -= mechanism->joints[anchor >> 1].row_count;
        }
        bool is_hub = ends > TNI_MECHANISM_MOST_ENDS || (ends > 2 && rows > GRAPH_MOST_ROWS);
        body->place.node = is_hub ? mechanism->hub_count++ : TNI_NONE;
    }
}

// Chooses the bodies with nodes. `row_counts` goes by body that moves, and begins as zero.
static void graph_choose_nodes(tni_mechanism *mechanism, uint32_t *row_counts) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].place.end_count = 0;
        mechanism->bodies[i].place.node = TNI_NONE;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        graph_note_end(mechanism, mechanism->joints[i].a, 2 * i, row_counts);
        graph_note_end(mechanism, mechanism->joints[i].b, 2 * i + 1, row_counts);
    }
    // Anchors take joints away, but only where no body keeps a node in spite of them.
    graph_number_hubs(mechanism, row_counts, true);
    if (mechanism->hub_count > 0) {
        graph_number_hubs(mechanism, row_counts, false);
    }
}

// Is it eliminated with its carrier, as if it were one body with it?
static bool graph_rides(const tni_mechanism_body *body) {
    return body->place.carrier != TNI_NONE;
}

// Returns a body, or its carrier if it rides.
static uint32_t graph_get_owner(const tni_mechanism *mechanism, uint32_t body) {
    bool rides = body < mechanism->moving_count && graph_rides(&mechanism->bodies[body]);
    return rides ? mechanism->bodies[body].place.carrier : body;
}

static void graph_number_bodies(const tni_mechanism *mechanism, graph_arrays *graph) {
    uint32_t nodes = mechanism->hub_count + graph->link_count;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        bool is_node = body->place.node != TNI_NONE;
        if (graph_rides(body)) {
            continue;
        }
        uint32_t place = is_node ? body->place.node : mechanism->hub_count + graph->gone_count;
        graph->numbers[i] = is_node ? body->place.node : nodes + graph->gone_count++;
        graph->is_locked[place] = body->locks != 0;
        if (is_node) {
            graph->sizes[body->place.node] = 6;
            graph->is_idle[body->place.node] = false;
        }
    }
    for (uint32_t c = 0; c < mechanism->copy_count; ++c) {
        uint32_t place = mechanism->hub_count + graph->gone_count;
        graph->is_locked[place] = mechanism->copies[c].locks != 0;
        graph->numbers[mechanism->moving_count + c] = nodes + graph->gone_count++;
    }
}

// Returns the number of the body that an end of a joint or tie is on.
static uint32_t graph_get_number(const tni_mechanism *mechanism, const graph_arrays *graph,
                                 uint32_t index, uint32_t end) {
    const tni_mechanism_joint *link = tni_mechanism_get_link(mechanism, index);
    uint32_t body = graph_get_owner(mechanism, end == 0 ? link->a : link->b);
    uint32_t copy = index < mechanism->joint_count ? graph->copy_of[2 * index + end] : TNI_NONE;
    if (copy != TNI_NONE) {
        return graph->numbers[mechanism->moving_count + copy];
    }
    if (body >= mechanism->body_count) {
        return graph->numbers[mechanism->moving_count + body - mechanism->body_count];
    }
    return body < mechanism->moving_count ? graph->numbers[body] : TNI_NONE;
}

static uint32_t graph_add_edge(graph_arrays *graph, uint32_t first, uint32_t second) {
    tni_block_edge edge = {first < second ? first : second, first < second ? second : first};
    graph->edges[graph->edge_count] = edge;
    return graph->edge_count++;
}

static void graph_add_link(const tni_mechanism *mechanism, uint32_t index, graph_arrays *graph) {
    uint32_t node = mechanism->hub_count + index;
    const tni_mechanism_joint *link = tni_mechanism_get_link(mechanism, index);
    graph->sizes[node] = (uint8_t)(link->row_count + link->sway_room);
    bool is_bare =
        index < mechanism->joint_count && tni_mechanism_is_bare(&mechanism->joints[index]);
    graph->is_idle[node] = link->is_anchor || is_bare;
    for (uint32_t end = 0; end < 2; ++end) {
        uint32_t number =
            graph->is_idle[node] ? TNI_NONE : graph_get_number(mechanism, graph, index, end);
        graph->bodies[index][end] = number;
        graph->hub_edges[index][end] =
            number < mechanism->hub_count ? graph_add_edge(graph, number, node) : TNI_NONE;
    }
}

// Returns the body without a node, or the copy, that an end of a joint is on, and its number among
// the lists of pairs; or NULL.
static const tni_mechanism_body *graph_get_reduced(const tni_mechanism *mechanism,
                                                   const graph_arrays *graph, uint32_t end,
                                                   uint32_t *out_number) {
    const tni_mechanism_joint *joint = &mechanism->joints[end >> 1];
    uint32_t copy = graph->copy_of[end];
    uint32_t body = graph_get_owner(mechanism, (end & 1) == 0 ? joint->a : joint->b);
    if (copy != TNI_NONE) {
        *out_number = mechanism->moving_count + copy;
        return &mechanism->copies[copy];
    }
    *out_number = body;
    bool is_one = body < mechanism->moving_count && mechanism->bodies[body].place.node == TNI_NONE;
    return is_one ? &mechanism->bodies[body] : NULL;
}

// Returns the edge between two joints if another body or copy that both are on has made it, or
// TNI_NONE. That other one is at the far end of the first joint, and its number is below `limit`.
static uint32_t graph_find_pair(const tni_mechanism *mechanism, const graph_arrays *graph,
                                uint32_t limit, uint32_t end, uint32_t second) {
    if (second >= mechanism->joint_count || end >> 1 >= mechanism->joint_count) {
        return TNI_NONE; // a tie
    }
    uint32_t first = end >> 1, other;
    const tni_mechanism_body *beside = graph_get_reduced(mechanism, graph, end ^ 1, &other);
    if (beside == NULL || other >= limit) {
        return TNI_NONE;
    }
    for (uint32_t f = 1, pair = 0; f < beside->place.end_count; ++f) {
        for (uint32_t e = 0; e < f; ++e, ++pair) {
            uint32_t one = beside->place.ends[e] >> 1, two = beside->place.ends[f] >> 1;
            if ((one == first && two == second) || (one == second && two == first)) {
                return graph->pair_edges[other][pair];
            }
        }
    }
    return TNI_NONE;
}

// Adds the edges between the joints of a body, or of a copy, that is eliminated beforehand.
static void graph_add_pairs(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                            uint32_t limit, uint32_t *pair_edges, graph_arrays *graph) {
    for (uint32_t f = 1, pair = 0; f < body->place.end_count; ++f) {
        for (uint32_t e = 0; e < f; ++e, ++pair) {
            uint32_t first = body->place.ends[e] >> 1, second = body->place.ends[f] >> 1;
            uint32_t edge = graph_find_pair(mechanism, graph, limit, body->place.ends[e], second);
            if (edge == TNI_NONE) {
                edge = graph_add_edge(graph, mechanism->hub_count + first,
                                      mechanism->hub_count + second);
            }
            pair_edges[pair] = edge;
        }
    }
}

static void graph_add_all_pairs(const tni_mechanism *mechanism, graph_arrays *graph) {
    uint32_t moving = mechanism->moving_count;
    for (uint32_t i = 0; i < moving; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        if (body->place.node == TNI_NONE && !graph_rides(body)) {
            graph_add_pairs(mechanism, body, i, graph->pair_edges[i], graph);
        }
    }
    for (uint32_t c = 0; c < mechanism->copy_count; ++c) {
        graph_add_pairs(mechanism, &mechanism->copies[c], moving + c, graph->pair_edges[moving + c],
                        graph);
    }
}

static void graph_note_link(const tni_mechanism *mechanism, uint32_t index) {
    const tni_block_pattern *pattern = &mechanism->matrix.pattern;
    tni_mechanism_joint *link = tni_mechanism_get_link(mechanism, index);
    uint32_t position = pattern->position_of[mechanism->hub_count + index];
    tni_block_place diagonal = {pattern->diagonals[position], pattern->strides[position], 1};
    const tni_block_place none = {0, 0, 0};
    bool has_locks = (tni_mechanism_get_locks(mechanism, link->a) |
                      tni_mechanism_get_locks(mechanism, link->b)) != 0;
    link->first_unknown = pattern->unknowns[position];
    link->diagonal = diagonal;
    link->is_free = link->is_pin && !has_locks;
    link->is_ball = link->is_free && link->row_count == 3;
    for (uint32_t end = 0; end < 2; ++end) {
        uint32_t edge = link->hub_edges[end];
        link->hubs[end] = edge != TNI_NONE ? pattern->edges[edge] : none;
    }
}

// Notes the places of a body, after those of the joints.
static void graph_note_body(const tni_mechanism *mechanism, tni_mechanism_body *body) {
    if (body->place.node != TNI_NONE) {
        body->place.hangs_on_balls = false;
        return;
    }
    body->place.hangs_on_balls = body->place.end_count <= 2 && body->place.anchor == TNI_NONE;
    for (uint32_t e = 0; e < body->place.end_count && body->place.hangs_on_balls; ++e) {
        body->place.hangs_on_balls =
            tni_mechanism_get_link(mechanism, body->place.ends[e] >> 1)->is_ball;
    }
    uint32_t pair_count =
        graph_rides(body) ? 0 : body->place.end_count * (body->place.end_count - 1) / 2;
    for (uint32_t pair = 0; pair < pair_count; ++pair) {
        body->place.pairs[pair] = mechanism->matrix.pattern.edges[body->place.pair_edges[pair]];
    }
}

// Notes for every body and joint what the solver needs from the pattern.
static void graph_note_places(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count + mechanism->copy_count; ++i) {
        graph_note_link(mechanism, i);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        graph_note_body(mechanism, &mechanism->bodies[i]);
    }
    for (uint32_t c = 0; c < mechanism->copy_count; ++c) {
        graph_note_body(mechanism, &mechanism->copies[c]);
    }
}

// Finds which edges of the pattern belong to which bodies and joints.
static void graph_note_edges(const tni_mechanism *mechanism, const graph_arrays *graph) {
    uint32_t moving = mechanism->moving_count;
    for (uint32_t i = 0; i < graph->link_count; ++i) {
        memcpy(tni_mechanism_get_link(mechanism, i)->hub_edges, graph->hub_edges[i],
               sizeof graph->hub_edges[i]);
    }
    for (uint32_t i = 0; i < moving + mechanism->copy_count; ++i) {
        tni_mechanism_body *body =
            i < moving ? &mechanism->bodies[i] : &mechanism->copies[i - moving];
        memcpy(body->place.pair_edges, graph->pair_edges[i], sizeof graph->pair_edges[i]);
    }
}

void tni_mechanism_lay_out(tni_mechanism *mechanism) {
    tni_block_pattern *pattern = &mechanism->matrix.pattern;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        pattern->sizes[pattern->position_of[mechanism->hub_count + i]] =
            mechanism->joints[i].row_count + mechanism->joints[i].sway_room;
    }
    tni_block_pattern_lay_out(pattern);
    graph_note_places(mechanism);
}

static bool graph_allocate(const tni_mechanism *mechanism, graph_arrays *graph, tni_arena *arena) {
    uint32_t links = mechanism->joint_count + mechanism->copy_count;
    uint32_t bodies = mechanism->moving_count + mechanism->copy_count;
    size_t edges = 2 * (size_t)links + TNI_MECHANISM_MOST_PAIRS * (size_t)bodies;
    graph->link_count = links;
    graph->sizes = tni_arena_alloc(arena, (mechanism->hub_count + links) * sizeof(uint8_t));
    graph->is_idle = tni_arena_alloc(arena, (mechanism->hub_count + links) * sizeof(bool));
    graph->is_locked = tni_arena_alloc(arena, bodies * sizeof(bool));
    graph->bodies = tni_arena_alloc(arena, links * sizeof *graph->bodies);
    graph->numbers = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    graph->edges = tni_arena_alloc(arena, edges * sizeof(tni_block_edge));
    graph->hub_edges = tni_arena_alloc(arena, links * sizeof *graph->hub_edges);
    graph->pair_edges = tni_arena_alloc(arena, bodies * sizeof *graph->pair_edges);
    return graph->sizes != NULL && graph->is_idle != NULL && graph->is_locked != NULL &&
           graph->bodies != NULL && graph->numbers != NULL && graph->edges != NULL &&
           graph->hub_edges != NULL && graph->pair_edges != NULL;
}

static bool graph_make_pattern(tni_mechanism *mechanism, graph_arrays *graph,
                               tni_allocator *allocator, tni_arena *arena) {
    if (!graph_allocate(mechanism, graph, arena)) {
        return false;
    }
    graph_number_bodies(mechanism, graph);
    for (uint32_t i = 0; i < graph->link_count; ++i) {
        graph_add_link(mechanism, i, graph);
    }
    graph_add_all_pairs(mechanism, graph);
    tni_block_graph block_graph = {.node_count = mechanism->hub_count + graph->link_count,
                                   .body_count = mechanism->hub_count,
                                   .gone_count = graph->gone_count,
                                   .edge_count = graph->edge_count,
                                   .late_count = mechanism->copy_count,
                                   .sizes = graph->sizes,
                                   .is_idle = graph->is_idle,
                                   .is_locked = graph->is_locked,
                                   .bodies = (const uint32_t(*)[2])graph->bodies,
                                   .edges = graph->edges};
    return tni_block_pattern_create(&mechanism->matrix.pattern, &block_graph, allocator, arena);
}

bool tni_mechanism_analyze(tni_mechanism *mechanism, tni_allocator *allocator, tni_arena *arena) {
    graph_arrays graph = {.edge_count = 0};
    uint32_t *row_counts =
        tni_arena_alloc_zeroed(arena, mechanism->moving_count * sizeof(uint32_t));
    graph.copy_of = tni_arena_alloc(arena, 2 * (size_t)mechanism->joint_count * sizeof(uint32_t));
    if (row_counts == NULL || graph.copy_of == NULL) {
        return false;
    }
    graph_choose_nodes(mechanism, row_counts);
    tni_mechanism_find_anchors(mechanism);
    tni_mechanism_find_sways(mechanism);
    if (!tni_mechanism_tear(mechanism, graph.copy_of, allocator, arena) ||
        !graph_make_pattern(mechanism, &graph, allocator, arena)) {
        tni_mechanism_forget(mechanism, allocator);
        return false;
    }
    graph_note_edges(mechanism, &graph);
    graph_note_places(mechanism);
    mechanism->traits.has_memories = false;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        mechanism->traits.has_memories |= tni_joint_has_memory(mechanism->joints[i].joint);
    }
    return true;
}
