// solver/block_order.c: in which order the blocks of a mechanism are eliminated, and the fill.
//
// Minimum degree: of all nodes that may be eliminated the one with the fewest unknowns beside it
// comes next; its neighbours become neighbours of each other. Bodies win ties, then the smaller
// number, so that the order depends on the graph alone.
//
// A joint's own block is zero until a body beside it is eliminated, and singular until enough of
// them are. It may be eliminated when both its bodies are, or when what is eliminated on its side
// hangs on the rest by this joint alone (no joint is among its neighbours): then its block is
// -J W J^T of that part, and definite, because a free part can follow every row. On a chain or a
// tree this gives the order of Baraff, leaf body, joint, next body, in linear time, or where a
// body's joints have few rows the body first, which leaves J W J^T, whichever has less fill. On the
// side of a part that is tied to the world the second rule does not hold (the part cannot follow
// every row of the joint, the rest has to): there both bodies come first. Sources: D. Baraff,
// "Linear-time dynamics using Lagrange multipliers", SIGGRAPH 1996; A. George, J. Liu, "The
// evolution of the minimum degree ordering algorithm", SIAM Review 31(1), 1989. Test:
// tests/solver/test_block_ldl.c
#include <string.h>

#include "solver/block_ldl.h"

typedef struct order_list {
    uint32_t *items;
    uint32_t count, capacity;
} order_list;

typedef struct order_heap {
    uint64_t *items; // degree << 32 | node, smallest first
    size_t count, capacity;
} order_heap;

typedef struct order_state {
    const tni_block_graph *graph;
    tni_arena *arena;
    order_list *neighbours;  // by node; of an eliminated one its column
    uint32_t *degrees;       // unknowns of the neighbours
    uint32_t *bodies_left;   // of a joint: how many are not eliminated
    bool *is_based;          // of a joint: some body of it is eliminated
    uint32_t *joints_beside; // how many of a node's neighbours are joints
    bool *is_held;           // tied to what does not move, itself or through what is eliminated
    uint32_t *marks;         // by node: the last round it was marked in
    uint32_t *order, *position_of;
    order_heap heap;
} order_state;

// ---- lists and the heap ------------------------------------------------------------------------

static bool order_list_add(tni_arena *arena, order_list *list, uint32_t item) {
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity == 0 ? 4 : 2 * list->capacity;
        uint32_t *items = tni_arena_alloc(arena, capacity * sizeof(uint32_t));
        if (items == NULL) {
            return false;
        }
        if (list->count > 0) {
            memcpy(items, list->items, list->count * sizeof(uint32_t));
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return true;
}

static bool order_heap_push(order_state *state, uint32_t node) {
    order_heap *heap = &state->heap;
    if (heap->count == heap->capacity) {
        size_t capacity = 2 * heap->capacity + 64;
        uint64_t *items = tni_arena_alloc(state->arena, capacity * sizeof(uint64_t));
        if (items == NULL) {
            return false;
        }
        if (heap->count > 0) {
            memcpy(items, heap->items, heap->count * sizeof(uint64_t));
        }
        heap->items = items;
        heap->capacity = capacity;
    }
    uint64_t key = (uint64_t)state->degrees[node] << 32 | node;
    size_t i = heap->count++;
    while (i > 0 && heap->items[(i - 1) / 2] > key) {
        heap->items[i] = heap->items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap->items[i] = key;
    return true;
}

static uint64_t order_heap_pop(order_heap *heap) {
    uint64_t top = heap->items[0], last = heap->items[--heap->count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= heap->count) {
            break;
        }
        if (child + 1 < heap->count && heap->items[child + 1] < heap->items[child]) {
            child += 1;
        }
        if (heap->items[child] >= last) {
            break;
        }
        heap->items[i] = heap->items[child];
        i = child;
    }
    heap->items[i] = last;
    return top;
}

// ---- elimination -------------------------------------------------------------------------------

static bool order_is_body(const order_state *state, uint32_t node) {
    return node < state->graph->body_count;
}

static bool order_start(order_state *state) {
    const tni_block_graph *graph = state->graph;
    uint32_t n = graph->node_count;
    state->neighbours = tni_arena_alloc_zeroed(state->arena, n * sizeof(order_list));
    state->degrees = tni_arena_alloc_zeroed(state->arena, n * sizeof(uint32_t));
    state->is_based = tni_arena_alloc_zeroed(state->arena, n * sizeof(bool));
    state->bodies_left = tni_arena_alloc_zeroed(state->arena, n * sizeof(uint32_t));
    state->joints_beside = tni_arena_alloc_zeroed(state->arena, n * sizeof(uint32_t));
    state->is_held = tni_arena_alloc_zeroed(state->arena, n * sizeof(bool));
    state->marks = tni_arena_alloc_zeroed(state->arena, n * sizeof(uint32_t));
    state->order = tni_arena_alloc(state->arena, n * sizeof(uint32_t));
    state->position_of = tni_arena_alloc(state->arena, n * sizeof(uint32_t));
    if (state->neighbours == NULL || state->degrees == NULL || state->is_based == NULL ||
        state->bodies_left == NULL || state->joints_beside == NULL || state->is_held == NULL ||
        state->marks == NULL || state->order == NULL || state->position_of == NULL) {
        return false;
    }
    for (uint32_t e = 0; e < graph->edge_count; ++e) {
        uint32_t first = graph->edges[e].first, second = graph->edges[e].second;
        if (!order_list_add(state->arena, &state->neighbours[first], second) ||
            !order_list_add(state->arena, &state->neighbours[second], first)) {
            return false;
        }
        state->degrees[first] += graph->sizes[second];
        state->degrees[second] += graph->sizes[first];
        state->bodies_left[second] += order_is_body(state, first) ? 1 : 0;
        state->joints_beside[first] += 1;
        state->joints_beside[second] += order_is_body(state, first) ? 0 : 1;
    }
    for (uint32_t i = 0; i < n; ++i) {
        state->position_of[i] = TNI_NONE;
        state->is_held[i] = graph->is_held[i];
        state->is_based[i] = graph->is_based[i];
        if (!order_heap_push(state, i)) {
            return false;
        }
    }
    return true;
}

static bool order_may_eliminate(const order_state *state, uint32_t node) {
    return order_is_body(state, node) || state->bodies_left[node] == 0 ||
           (state->is_based[node] && state->joints_beside[node] == 0 && !state->is_held[node]);
}

// The neighbours of `node` become neighbours of each other, and forget it.
static bool order_eliminate(order_state *state, uint32_t node, uint32_t position) {
    const tni_block_graph *graph = state->graph;
    const order_list column = state->neighbours[node];
    state->order[position] = node;
    state->position_of[node] = position;
    bool is_body = order_is_body(state, node);
    for (uint32_t i = 0; i < column.count; ++i) {
        uint32_t u = column.items[i];
        order_list *list = &state->neighbours[u];
        uint32_t stamp = u + 1;
        uint32_t kept = 0;
        state->is_held[u] |= state->is_held[node];
        state->is_based[u] |= is_body;
        state->degrees[u] -= graph->sizes[node];
        state->joints_beside[u] -= is_body ? 0 : 1;
        state->bodies_left[u] -= is_body && !order_is_body(state, u) ? 1 : 0;
        for (uint32_t k = 0; k < list->count; ++k) {
            if (list->items[k] != node) {
                state->marks[list->items[k]] = stamp;
                list->items[kept++] = list->items[k];
            }
        }
        list->count = kept;
        for (uint32_t k = 0; k < column.count; ++k) {
            uint32_t w = column.items[k];
            if (w == u || state->marks[w] == stamp) {
                continue;
            }
            state->degrees[u] += graph->sizes[w];
            state->joints_beside[u] += order_is_body(state, w) ? 0 : 1;
            if (!order_list_add(state->arena, list, w)) {
                return false;
            }
        }
        // The marks of this round must not be taken for those of another: clear them.
        for (uint32_t k = 0; k < kept; ++k) {
            state->marks[list->items[k]] = 0;
        }
    }
    for (uint32_t i = 0; i < column.count; ++i) {
        if (!order_heap_push(state, column.items[i])) {
            return false;
        }
    }
    return true;
}

static bool order_run(order_state *state) {
    uint32_t position = 0;
    while (position < state->graph->node_count) {
        TN_ASSERT(state->heap.count > 0);
        uint64_t top = order_heap_pop(&state->heap);
        uint32_t node = (uint32_t)top;
        bool is_stale = state->position_of[node] != TNI_NONE || state->degrees[node] != top >> 32;
        if (is_stale || !order_may_eliminate(state, node)) {
            continue; // comes again when its neighbours change
        }
        if (!order_eliminate(state, node, position)) {
            return false;
        }
        position += 1;
    }
    return true;
}

// ---- the pattern -------------------------------------------------------------------------------

// Positions of a column's rows, ascending.
static void order_sort_column(const order_state *state, uint32_t node) {
    order_list *list = &state->neighbours[node];
    for (uint32_t i = 0; i < list->count; ++i) {
        list->items[i] = state->position_of[list->items[i]];
    }
    for (uint32_t gap = list->count / 2; gap > 0; gap /= 2) {
        for (uint32_t i = gap; i < list->count; ++i) {
            uint32_t item = list->items[i], k = i;
            while (k >= gap && list->items[k - gap] > item) {
                list->items[k] = list->items[k - gap];
                k -= gap;
            }
            list->items[k] = item;
        }
    }
}

static size_t pattern_count_targets(const order_state *state) {
    size_t count = 0;
    for (uint32_t i = 0; i < state->graph->node_count; ++i) {
        size_t n = state->neighbours[i].count;
        count += n * (n + 1) / 2;
    }
    return count;
}

static bool pattern_allocate(tni_block_pattern *pattern, const order_state *state,
                             tni_allocator *allocator) {
    uint32_t n = pattern->count, blocks = 0;
    for (uint32_t i = 0; i < n; ++i) {
        blocks += state->neighbours[i].count;
    }
    size_t targets = pattern_count_targets(state);
    size_t words = 7 * (size_t)n + 1 + 2 * (size_t)blocks + targets + pattern->edge_count;
    pattern->memory_size = words * sizeof(uint32_t) + pattern->edge_count * sizeof(bool);
    pattern->memory = tni_alloc(allocator, pattern->memory_size);
    if (pattern->memory == NULL) {
        return false;
    }
    uint32_t *next = pattern->memory;
    uint32_t **const arrays[] = {&pattern->node_at,  &pattern->position_of, &pattern->sizes,
                                 &pattern->unknowns, &pattern->diagonals,   &pattern->updates};
    for (uint32_t i = 0; i < 6; ++i) {
        *arrays[i] = next;
        next += n;
    }
    pattern->columns = next;
    next += n + 1;
    pattern->rows = next;
    next += blocks;
    pattern->blocks = next;
    next += blocks;
    pattern->targets = next;
    next += targets;
    pattern->edge_blocks = next;
    next += pattern->edge_count;
    pattern->edge_is_turned = (bool *)next;
    return true;
}

static void pattern_place_values(tni_block_pattern *pattern, const order_state *state) {
    uint32_t values = 0, unknowns = 0, block = 0;
    for (uint32_t p = 0; p < pattern->count; ++p) {
        uint32_t node = state->order[p];
        pattern->node_at[p] = node;
        pattern->position_of[node] = p;
        pattern->sizes[p] = state->graph->sizes[node];
    }
    for (uint32_t p = 0; p < pattern->count; ++p) {
        const order_list *column = &state->neighbours[pattern->node_at[p]];
        uint32_t size = pattern->sizes[p], height = 0;
        pattern->unknowns[p] = unknowns;
        pattern->diagonals[p] = values;
        pattern->columns[p] = block;
        unknowns += size;
        values += size * size;
        for (uint32_t k = 0; k < column->count; ++k) {
            pattern->rows[block] = column->items[k];
            pattern->blocks[block++] = values;
            values += pattern->sizes[column->items[k]] * size;
            height += pattern->sizes[column->items[k]];
        }
        pattern->widest = height > pattern->widest ? height : pattern->widest;
    }
    pattern->columns[pattern->count] = block;
    pattern->value_count = values;
    pattern->unknown_count = unknowns;
}

// The block in row `row` of column `column`; rows ascend.
static uint32_t pattern_find(const tni_block_pattern *pattern, uint32_t row, uint32_t column) {
    uint32_t low = pattern->columns[column], high = pattern->columns[column + 1];
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pattern->rows[middle] <= row) {
            low = middle;
        } else {
            high = middle;
        }
    }
    TN_ASSERT(pattern->rows[low] == row);
    return pattern->blocks[low];
}

static void pattern_find_targets(tni_block_pattern *pattern) {
    uint32_t target = 0;
    for (uint32_t p = 0; p < pattern->count; ++p) {
        pattern->updates[p] = target;
        for (uint32_t a = pattern->columns[p]; a < pattern->columns[p + 1]; ++a) {
            for (uint32_t b = pattern->columns[p]; b < a; ++b) {
                pattern->targets[target++] =
                    pattern_find(pattern, pattern->rows[a], pattern->rows[b]);
            }
            pattern->targets[target++] = pattern->diagonals[pattern->rows[a]];
        }
    }
}

static void pattern_find_edges(tni_block_pattern *pattern, const tni_block_graph *graph) {
    for (uint32_t e = 0; e < graph->edge_count; ++e) {
        uint32_t first = pattern->position_of[graph->edges[e].first];
        uint32_t second = pattern->position_of[graph->edges[e].second];
        bool is_turned = first > second;
        pattern->edge_is_turned[e] = is_turned;
        pattern->edge_blocks[e] =
            is_turned ? pattern_find(pattern, first, second) : pattern_find(pattern, second, first);
    }
}

bool tni_block_pattern_create(tni_block_pattern *pattern, const tni_block_graph *graph,
                              tni_allocator *allocator, tni_arena *arena) {
    memset(pattern, 0, sizeof *pattern);
    order_state state = {.graph = graph, .arena = arena};
    pattern->count = graph->node_count;
    pattern->edge_count = graph->edge_count;
    if (!order_start(&state) || !order_run(&state)) {
        return false;
    }
    for (uint32_t i = 0; i < graph->node_count; ++i) {
        order_sort_column(&state, i);
    }
    if (!pattern_allocate(pattern, &state, allocator)) {
        return false;
    }
    pattern_place_values(pattern, &state);
    pattern_find_targets(pattern);
    pattern_find_edges(pattern, graph);
    return true;
}

void tni_block_pattern_destroy(tni_block_pattern *pattern, tni_allocator *allocator) {
    tni_free(allocator, pattern->memory, pattern->memory_size);
    memset(pattern, 0, sizeof *pattern);
}
