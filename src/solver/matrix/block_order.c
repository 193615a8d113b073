// solver/matrix/block_order.c: in which order the blocks of a mechanism are eliminated.
//
// Minimum degree on the quotient graph: nodes that are eliminated and hang together form an
// element, of which only the nodes beside it are kept. Among all nodes that may be eliminated the
// one with the fewest unknowns beside it comes next, swallows the elements it touches and leaves
// one with the nodes beside them all: its column. A joint touches two elements at most, so that its
// degree is exact; a body's is a bound.
//
// A joint's own block is zero until a body beside it is eliminated, and singular until enough of
// the matrix is. The rows of an element, the eliminated ones, act on its own bodies and on what
// they are anchored in: bodies that are not eliminated yet, and what does not move. With one anchor
// at most no row depends on the others except those that do so anyway: an element can follow every
// motion of its anchor as a whole, which no row notices, so that holding the anchor still takes
// nothing from the rows' rank. Between two anchors this fails: a rod with a ball joint at each end
// has 6 rows on 6 unknowns, and yet one too many while both ends are held. Hence the rule: a joint
// may be eliminated when the element that this makes has one anchor at most. Bodies always may, and
// make room. On chains and trees this is linear; a loop on a hub is eliminated before the hub.
// Sources: P. Amestoy, T. Davis, I. Duff, "An approximate minimum degree ordering algorithm", SIAM
// J. Matrix Anal. Appl. 17(4), 1996; A. George, J. Liu, "The evolution of the minimum degree
// ordering algorithm", SIAM Review 31(1), 1989; D. Baraff, "Linear-time dynamics using Lagrange
// multipliers", SIGGRAPH 1996. Test: tests/solver/matrix/test_block_ldl.c
#include <string.h>

#include "solver/matrix/block_ldl.h"

// A joint that had better wait counts as if it had this many more unknowns beside it.
#define ORDER_DELAY 32

#define ORDER_FREE  TNI_NONE       // anchored in nothing
#define ORDER_WORLD (TNI_NONE - 1) // in what does not move
#define ORDER_MANY  (TNI_NONE - 2)

// A node has these remaining neighbours: elements and nodes. There are no more of either than it
// had neighbours.
typedef struct order_node {
    uint32_t *elements, *nodes;
    uint32_t element_count, node_count;
    uint32_t key, before, after; // its queue and neighbours there; key TNI_NONE: in none
} order_node;

// An element is an eliminated node, or a body eliminated beforehand.
typedef struct order_element {
    uint32_t *members; // nodes beside it
    uint32_t count;
    uint32_t weight;    // unknowns of the members
    uint32_t swallower; // the element that swallowed it, or TNI_NONE
    uint32_t anchor;    // ORDER_FREE, ORDER_WORLD or a body
    uint32_t round;     // in which `rest` holds
    uint32_t rest;      // unknowns of the members that are not of the newest element
} order_element;

typedef struct order_state {
    const tni_block_graph *graph;
    tni_arena *arena;
    order_node *nodes;
    order_element *elements; // by node, then by body eliminated beforehand
    bool *is_eliminated;
    uint32_t *marks;             // by node: the last round it was marked in
    uint32_t *found;             // members of the newest element, while they are found
    uint32_t *queues;            // by key: first node, or TNI_NONE
    uint32_t queue_count, least; // no queue below `least` holds anything
} order_state;

static bool order_is_body(const order_state *state, uint32_t node) {
    return node < state->graph->body_count;
}

// ---- queues by degree --------------------------------------------------------------------------

// Returns the key of a queue: bodies come before joints of the same degree.
static uint32_t order_get_key(const order_state *state, uint32_t node, uint32_t degree) {
    uint32_t most = state->queue_count / 2 - 1;
    const tni_block_graph *graph = state->graph;
    degree += node >= graph->node_count - graph->late_count ? ORDER_DELAY : 0;
    return 2 * (degree < most ? degree : most) + (order_is_body(state, node) ? 0 : 1);
}

static void order_enqueue(order_state *state, uint32_t node, uint32_t key) {
    order_node *record = &state->nodes[node];
    record->key = key;
    record->before = TNI_NONE;
    record->after = state->queues[key];
    if (record->after != TNI_NONE) {
        state->nodes[record->after].before = node;
    }
    state->queues[key] = node;
    state->least = key < state->least ? key : state->least;
}

static void order_dequeue(order_state *state, uint32_t node) {
    order_node *record = &state->nodes[node];
    if (record->key == TNI_NONE) {
        return;
    }
    if (record->before != TNI_NONE) {
        state->nodes[record->before].after = record->after;
    } else {
        state->queues[record->key] = record->after;
    }
    if (record->after != TNI_NONE) {
        state->nodes[record->after].before = record->before;
    }
    record->key = TNI_NONE;
}

// ---- anchors -----------------------------------------------------------------------------------

static uint32_t order_find_element(order_state *state, uint32_t element) {
    order_element *elements = state->elements;
    while (elements[element].swallower != TNI_NONE) {
        uint32_t next = elements[element].swallower;
        if (elements[next].swallower != TNI_NONE) {
            elements[element].swallower = elements[next].swallower;
        }
        element = next;
    }
    return element;
}

static uint32_t order_join_anchors(uint32_t first, uint32_t second) {
    if (first == ORDER_FREE || first == second) {
        return second;
    }
    return second == ORDER_FREE ? first : ORDER_MANY;
}

// Finds the anchor that the element of a joint would have.
static uint32_t order_get_anchor(order_state *state, uint32_t joint) {
    const tni_block_graph *graph = state->graph;
    uint32_t anchor = ORDER_FREE, moved = 0;
    for (uint32_t end = 0; end < 2; ++end) {
        uint32_t body = graph->bodies[joint - graph->body_count][end], own = body;
        if (body == TNI_NONE) {
            own = ORDER_WORLD;
        } else if (body >= graph->node_count || state->is_eliminated[body]) {
            own = state->elements[order_find_element(state, body)].anchor;
            moved += 1;
        }
        anchor = order_join_anchors(anchor, own);
    }
    return moved > 0 ? anchor : ORDER_MANY;
}

static bool order_may_eliminate(order_state *state, uint32_t node) {
    bool is_idle = state->graph->is_idle != NULL && state->graph->is_idle[node];
    return is_idle || order_is_body(state, node) || order_get_anchor(state, node) != ORDER_MANY;
}

// ---- the start ---------------------------------------------------------------------------------

static bool order_allocate(order_state *state) {
    const tni_block_graph *graph = state->graph;
    uint32_t n = graph->node_count, all = n + graph->gone_count, unknowns = 0;
    for (uint32_t i = 0; i < n; ++i) {
        unknowns += graph->sizes[i];
    }
    state->queue_count = 2 * (unknowns + 1);
    state->nodes = tni_arena_alloc_zeroed(state->arena, n * sizeof(order_node));
    state->elements = tni_arena_alloc_zeroed(state->arena, all * sizeof(order_element));
    state->is_eliminated = tni_arena_alloc_zeroed(state->arena, n * sizeof(bool));
    state->marks = tni_arena_alloc_zeroed(state->arena, n * sizeof(uint32_t));
    state->found = tni_arena_alloc(state->arena, n * sizeof(uint32_t));
    state->queues = tni_arena_alloc(state->arena, state->queue_count * sizeof(uint32_t));
    if (state->nodes == NULL || state->elements == NULL || state->is_eliminated == NULL ||
        state->marks == NULL || state->found == NULL || state->queues == NULL) {
        return false;
    }
    memset(state->queues, 0xff, state->queue_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < n; ++i) {
        state->nodes[i].key = TNI_NONE;
    }
    for (uint32_t e = 0; e < all; ++e) {
        state->elements[e].swallower = TNI_NONE;
        state->elements[e].anchor = ORDER_FREE;
    }
    return true;
}

static void order_count_neighbours(order_state *state) {
    const tni_block_graph *graph = state->graph;
    for (uint32_t j = graph->body_count; j < graph->node_count; ++j) {
        for (uint32_t end = 0; end < 2; ++end) {
            uint32_t body = graph->bodies[j - graph->body_count][end];
            if (body == TNI_NONE) {
                continue;
            }
            if (body >= graph->node_count) {
                state->elements[body].count += 1;
            } else {
                state->nodes[body].node_count += 1;
            }
        }
    }
}

static bool order_take_lists(order_state *state) {
    const tni_block_graph *graph = state->graph;
    uint32_t n = graph->node_count, joints = n - graph->body_count;
    // There are two for each joint, and as many for the bodies and elements together.
    uint32_t *next = tni_arena_alloc(state->arena, 8 * (size_t)joints * sizeof(uint32_t));
    if (next == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < n; ++i) {
        order_node *node = &state->nodes[i];
        uint32_t most = order_is_body(state, i) ? node->node_count : 2;
        node->elements = next;
        node->nodes = next + most;
        node->node_count = 0;
        next += 2 * most;
    }
    for (uint32_t e = n; e < n + graph->gone_count; ++e) {
        order_element *element = &state->elements[e];
        element->members = next;
        next += element->count;
        element->count = 0;
        element->anchor = graph->is_locked[graph->body_count + (e - n)] ? ORDER_WORLD : ORDER_FREE;
    }
    return true;
}

static void order_connect(order_state *state, uint32_t joint, uint32_t body) {
    order_node *node = &state->nodes[joint];
    if (body == TNI_NONE) {
        return;
    }
    if (body >= state->graph->node_count) {
        order_element *element = &state->elements[body];
        node->elements[node->element_count++] = body;
        element->members[element->count++] = joint;
        element->weight += state->graph->sizes[joint];
    } else {
        order_node *other = &state->nodes[body];
        node->nodes[node->node_count++] = body;
        other->nodes[other->node_count++] = joint;
    }
}

static uint32_t order_get_first_degree(const order_state *state, uint32_t i) {
    const order_node *node = &state->nodes[i];
    uint32_t degree = 0;
    for (uint32_t k = 0; k < node->node_count; ++k) {
        degree += state->graph->sizes[node->nodes[k]];
    }
    for (uint32_t k = 0; k < node->element_count; ++k) {
        degree += state->elements[node->elements[k]].weight - state->graph->sizes[i];
    }
    return degree;
}

static bool order_start(order_state *state) {
    const tni_block_graph *graph = state->graph;
    if (!order_allocate(state)) {
        return false;
    }
    order_count_neighbours(state);
    if (!order_take_lists(state)) {
        return false;
    }
    for (uint32_t j = graph->body_count; j < graph->node_count; ++j) {
        order_connect(state, j, graph->bodies[j - graph->body_count][0]);
        order_connect(state, j, graph->bodies[j - graph->body_count][1]);
    }
    state->least = state->queue_count;
    for (uint32_t i = graph->node_count; i-- > 0;) {
        if (order_may_eliminate(state, i)) {
            order_enqueue(state, i, order_get_key(state, i, order_get_first_degree(state, i)));
        }
    }
    return true;
}

// ---- elimination -------------------------------------------------------------------------------

// Makes the element of a pivot, whose members are the nodes beside it; the elements that it touches
// are swallowed. All members of an element are still there: one that is eliminated swallows it.
static bool order_make_element(order_state *state, uint32_t pivot, uint32_t round) {
    const order_node *node = &state->nodes[pivot];
    uint32_t count = 0, weight = 0;
    state->marks[pivot] = round;
    for (uint32_t k = 0; k <= node->element_count; ++k) {
        bool is_own = k == node->element_count;
        order_element *old = is_own ? NULL : &state->elements[node->elements[k]];
        const uint32_t *list = is_own ? node->nodes : old->members;
        uint32_t length = is_own ? node->node_count : old->count;
        for (uint32_t m = 0; m < length; ++m) {
            if (state->marks[list[m]] != round) {
                state->marks[list[m]] = round;
                state->found[count++] = list[m];
                weight += state->graph->sizes[list[m]];
            }
        }
        if (!is_own) {
            old->swallower = pivot;
        }
    }
    order_element *element = &state->elements[pivot];
    element->members = tni_arena_alloc(state->arena, count * sizeof(uint32_t));
    if (element->members == NULL) {
        return false;
    }
    memcpy(element->members, state->found, count * sizeof(uint32_t));
    element->count = count;
    element->weight = weight;
    return true;
}

// Updates the lists of a member: it is beside the new element, and no more beside the elements that
// this swallowed, nor beside its members.
static void order_update_lists(order_state *state, uint32_t member, uint32_t pivot,
                               uint32_t round) {
    order_node *node = &state->nodes[member];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < node->element_count; ++k) {
        uint32_t e = node->elements[k];
        order_element *element = &state->elements[e];
        if (element->swallower != TNI_NONE) {
            continue;
        }
        node->elements[kept++] = e;
        if (element->round != round) {
            element->round = round;
            element->rest = element->weight;
        }
        element->rest -= state->graph->sizes[member];
    }
    node->elements[kept] = pivot;
    node->element_count = kept + 1;
    kept = 0;
    for (uint32_t k = 0; k < node->node_count; ++k) {
        if (state->marks[node->nodes[k]] != round) {
            node->nodes[kept++] = node->nodes[k];
        }
    }
    node->node_count = kept;
}

static void order_update_degree(order_state *state, uint32_t member, uint32_t pivot) {
    const order_node *node = &state->nodes[member];
    uint32_t degree = state->elements[pivot].weight - state->graph->sizes[member];
    for (uint32_t k = 0; k + 1 < node->element_count; ++k) {
        degree += state->elements[node->elements[k]].rest;
    }
    for (uint32_t k = 0; k < node->node_count; ++k) {
        degree += state->graph->sizes[node->nodes[k]];
    }
    order_dequeue(state, member);
    if (order_may_eliminate(state, member)) {
        order_enqueue(state, member, order_get_key(state, member, degree));
    }
}

static bool order_eliminate(order_state *state, uint32_t pivot, uint32_t round) {
    bool is_body = order_is_body(state, pivot);
    uint32_t anchor = is_body ? (state->graph->is_locked[pivot] ? ORDER_WORLD : ORDER_FREE)
                              : order_get_anchor(state, pivot);
    order_dequeue(state, pivot);
    if (!order_make_element(state, pivot, round)) {
        return false;
    }
    order_element *element = &state->elements[pivot];
    element->anchor = anchor;
    state->is_eliminated[pivot] = true;
    for (uint32_t k = 0; k < element->count; ++k) {
        order_update_lists(state, element->members[k], pivot, round);
    }
    for (uint32_t k = 0; k < element->count; ++k) {
        order_update_degree(state, element->members[k], pivot);
    }
    return true;
}

bool tni_block_order_find(tni_block_order *order, const tni_block_graph *graph, tni_arena *arena) {
    order_state state = {.graph = graph, .arena = arena};
    uint32_t n = graph->node_count;
    order->nodes = tni_arena_alloc(arena, n * sizeof(uint32_t));
    order->columns = tni_arena_alloc(arena, n * sizeof *order->columns);
    order->counts = tni_arena_alloc(arena, n * sizeof(uint32_t));
    if (order->nodes == NULL || order->columns == NULL || order->counts == NULL ||
        !order_start(&state)) {
        return false;
    }
    for (uint32_t position = 0; position < n; ++position) {
        while (state.queues[state.least] == TNI_NONE) {
            state.least += 1;
            TN_ASSERT(state.least < state.queue_count);
        }
        uint32_t pivot = state.queues[state.least];
        if (!order_eliminate(&state, pivot, position + 1)) {
            return false;
        }
        order->nodes[position] = pivot;
        order->columns[pivot] = state.elements[pivot].members;
        order->counts[pivot] = state.elements[pivot].count;
    }
    return true;
}
