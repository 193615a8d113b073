// solver/matrix/block_pattern.c: where the blocks of a factor lie.
//
// The order of solver/matrix/block_order.c gives each node its column. The first of a column's
// nodes to be eliminated is its parent; that makes a tree, and any order with children before their
// parents has the same fill. Positions are its postorder, the child with the longest column last,
// so that a column and the one it is most like follow each other. These columns are joined into a
// panel if that takes few zeros along: a panel is eliminated at once, by longer sums. Source: T.
// Davis, "Direct methods for sparse linear systems", 2006, 4.2, 4.3, 4.8 (elimination tree,
// postorder, supernodes). Test: tests/solver/matrix/test_block_ldl.c
#include <string.h>

#include "solver/matrix/block_ldl.h"

// A panel may have this share of zeros among its numbers.
#define PATTERN_ZEROS 0.05
// Below this many rows columns are faster by themselves.
#define PATTERN_LEAST_ROWS 20

typedef struct pattern_state {
    const tni_block_graph *graph;
    tni_arena *arena;
    tni_block_order order;
    uint32_t *parents; // by node: the next node to be eliminated beside it, or TNI_NONE
    uint32_t *heights; // by node: unknowns below its diagonal
    uint32_t *node_at, *position_of;
    uint32_t *starts; // by panel, and one more
    uint32_t panel_count;
    uint32_t *panel_of; // by position
} pattern_state;

// ---- positions ---------------------------------------------------------------------------------

static bool pattern_allocate_state(pattern_state *state) {
    size_t n = state->graph->node_count;
    uint32_t *next = tni_arena_alloc(state->arena, (6 * n + 1) * sizeof(uint32_t));
    if (next == NULL) {
        return false;
    }
    state->parents = next;
    state->heights = next + n;
    state->node_at = next + 2 * n;
    state->position_of = next + 3 * n;
    state->panel_of = next + 4 * n;
    state->starts = next + 5 * n;
    return true;
}

static void pattern_find_parents(pattern_state *state) {
    const tni_block_graph *graph = state->graph;
    uint32_t *rank = state->position_of; // in the order, for now
    for (uint32_t i = 0; i < graph->node_count; ++i) {
        rank[state->order.nodes[i]] = i;
    }
    for (uint32_t i = 0; i < graph->node_count; ++i) {
        state->parents[i] = TNI_NONE;
        state->heights[i] = 0;
        for (uint32_t k = 0; k < state->order.counts[i]; ++k) {
            uint32_t node = state->order.columns[i][k], parent = state->parents[i];
            state->heights[i] += graph->sizes[node];
            if (parent == TNI_NONE || rank[node] < rank[parent]) {
                state->parents[i] = node;
            }
        }
    }
}

// Finds positions by lists of children, the one with the longest column at the head, and a walk
// from the last position down without a stack: a node, then its children from the head on, each
// with all below it, then its next sister, or that of its parent.
static bool pattern_find_positions(pattern_state *state) {
    uint32_t n = state->graph->node_count, roots = TNI_NONE;
    uint32_t *first = tni_arena_alloc(state->arena, 2 * (size_t)n * sizeof(uint32_t));
    if (first == NULL) {
        return false;
    }
    uint32_t *next = first + n;
    memset(first, 0xff, 2 * (size_t)n * sizeof(uint32_t));
    for (uint32_t i = n; i-- > 0;) {
        uint32_t node = state->order.nodes[i], parent = state->parents[node];
        uint32_t *head = parent == TNI_NONE ? &roots : &first[parent];
        uint32_t second = *head;
        if (second != TNI_NONE && state->heights[node] >= state->heights[second]) {
            next[node] = second;
            *head = node;
        } else if (second != TNI_NONE) {
            next[node] = next[second];
            next[second] = node;
        } else {
            *head = node;
        }
    }
    uint32_t position = n;
    for (uint32_t node = roots; node != TNI_NONE;) {
        position -= 1;
        state->node_at[position] = node;
        state->position_of[node] = position;
        uint32_t at = node;
        node = first[at];
        while (node == TNI_NONE && at != TNI_NONE) {
            node = next[at];
            at = state->parents[at];
        }
    }
    TN_ASSERT(position == 0);
    return true;
}

// ---- panels ------------------------------------------------------------------------------------

// Joins a column to the one before it where few zeros come in.
static void pattern_find_panels(pattern_state *state) {
    const tni_block_graph *graph = state->graph;
    uint32_t width = 0;
    double zeros = 0.0;
    state->panel_count = 0;
    for (uint32_t p = 0; p < graph->node_count; ++p) {
        uint32_t node = state->node_at[p], size = graph->sizes[node];
        uint32_t height = state->heights[node];
        bool joins = false;
        if (p > 0 && state->parents[state->node_at[p - 1]] == node &&
            width + size <= TNI_PANEL_MAX && size + height >= PATTERN_LEAST_ROWS) {
            uint32_t missing = size + height - state->heights[state->node_at[p - 1]];
            double more = zeros + (double)width * missing;
            double all = (double)(width + size) * (0.5 * (width + size) + height);
            joins = more <= PATTERN_ZEROS * all;
            zeros = joins ? more : 0.0;
        }
        if (!joins) {
            state->starts[state->panel_count++] = p;
            width = 0;
            zeros = 0.0;
        }
        width += size;
        state->panel_of[p] = state->panel_count - 1;
    }
    state->starts[state->panel_count] = graph->node_count;
}

// Returns the last node of a panel, whose rows are those of the panel.
static uint32_t pattern_get_last(const pattern_state *state, uint32_t panel) {
    return state->node_at[state->starts[panel + 1] - 1];
}

static bool pattern_allocate(tni_block_pattern *pattern, const pattern_state *state,
                             tni_allocator *allocator) {
    size_t n = pattern->count, panels = pattern->panel_count, blocks = 0, targets = 0;
    for (uint32_t s = 0; s < panels; ++s) {
        size_t rows = state->order.counts[pattern_get_last(state, s)];
        blocks += rows;
        targets += rows * (rows + 1) / 2;
    }
    size_t edges = pattern->edge_count;
    size_t words = 7 * n + 4 * panels + 2 + blocks + targets + 2 * edges;
    pattern->memory_size = words * sizeof(uint32_t) + edges * sizeof(tni_block_place);
    pattern->memory = tni_alloc(allocator, pattern->memory_size);
    if (pattern->memory == NULL) {
        return false;
    }
    uint32_t *next = pattern->memory;
    uint32_t **const arrays[] = {&pattern->node_at,    &pattern->position_of, &pattern->sizes,
                                 &pattern->unknowns,   &pattern->diagonals,   &pattern->strides,
                                 &pattern->starts,     &pattern->columns,     &pattern->updates,
                                 &pattern->rows,       &pattern->targets,     &pattern->panel_of,
                                 &pattern->edge_nodes, &pattern->is_idle};
    const size_t lengths[] = {n,          n,      n,      n,       n, n,         panels + 1,
                              panels + 1, panels, blocks, targets, n, 2 * edges, panels};
    for (uint32_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
        *arrays[i] = next;
        next += lengths[i];
    }
    pattern->edges = (tni_block_place *)next;
    return true;
}

// ---- places ------------------------------------------------------------------------------------

static void pattern_sort_rows(uint32_t *rows, uint32_t count) {
    for (uint32_t gap = count / 2; gap > 0; gap /= 2) {
        for (uint32_t i = gap; i < count; ++i) {
            uint32_t row = rows[i], k = i;
            while (k >= gap && rows[k - gap] > row) {
                rows[k] = rows[k - gap];
                k -= gap;
            }
            rows[k] = row;
        }
    }
}

static uint32_t pattern_get_height(const tni_block_pattern *pattern, uint32_t panel) {
    uint32_t height = 0;
    for (uint32_t k = pattern->columns[panel]; k < pattern->columns[panel + 1]; ++k) {
        height += pattern->sizes[pattern->rows[k]];
    }
    return height;
}

static void pattern_place_panel(tni_block_pattern *pattern, uint32_t panel) {
    uint32_t width = 0, height = pattern_get_height(pattern, panel);
    for (uint32_t p = pattern->starts[panel]; p < pattern->starts[panel + 1]; ++p) {
        pattern->unknowns[p] = pattern->unknown_count + width;
        width += pattern->sizes[p];
    }
    for (uint32_t p = pattern->starts[panel]; p < pattern->starts[panel + 1]; ++p) {
        uint32_t offset = pattern->unknowns[p] - pattern->unknown_count;
        pattern->diagonals[p] = pattern->value_count + offset * (width + 1);
        pattern->strides[p] = width;
    }
    pattern->unknown_count += width;
    pattern->value_count += width * (width + height);
    if (width * (width + height) > pattern->scratch_count) {
        pattern->scratch_count = width * (width + height);
    }
}

// Notes positions, sizes, and the rows below each panel.
static void pattern_note_order(tni_block_pattern *pattern, const pattern_state *state) {
    uint32_t n = pattern->count, block = 0;
    memcpy(pattern->node_at, state->node_at, n * sizeof(uint32_t));
    memcpy(pattern->position_of, state->position_of, n * sizeof(uint32_t));
    memcpy(pattern->starts, state->starts, (pattern->panel_count + 1) * sizeof(uint32_t));
    memcpy(pattern->panel_of, state->panel_of, n * sizeof(uint32_t));
    for (uint32_t p = 0; p < n; ++p) {
        pattern->sizes[p] = state->graph->sizes[pattern->node_at[p]];
    }
    for (uint32_t s = 0; s < pattern->panel_count; ++s) {
        uint32_t last = pattern_get_last(state, s);
        pattern->columns[s] = block;
        pattern->is_idle[s] = state->graph->is_idle != NULL && state->graph->is_idle[last];
        for (uint32_t k = 0; k < state->order.counts[last]; ++k) {
            pattern->rows[block++] = state->position_of[state->order.columns[last][k]];
        }
        pattern_sort_rows(pattern->rows + pattern->columns[s], block - pattern->columns[s]);
    }
    pattern->columns[pattern->panel_count] = block;
    for (uint32_t e = 0; e < pattern->edge_count; ++e) {
        pattern->edge_nodes[2 * e] = state->graph->edges[e].first;
        pattern->edge_nodes[2 * e + 1] = state->graph->edges[e].second;
    }
}

// Returns the place where a panel's diagonal block ends and the rows below it begin.
static uint32_t pattern_get_below(const tni_block_pattern *pattern, uint32_t panel) {
    uint32_t first = pattern->starts[panel];
    return pattern->diagonals[first] + pattern->strides[first] * pattern->strides[first];
}

// Finds where the numbers of row `row` of a panel begin, when those of its block `block` begin at
// `place`; goes on from there. A row may be one of the panel's own.
static uint32_t pattern_seek(const tni_block_pattern *pattern, uint32_t panel, uint32_t row,
                             uint32_t *block, uint32_t *place) {
    uint32_t first = pattern->starts[panel];
    if (row < pattern->starts[panel + 1]) {
        uint32_t offset = pattern->unknowns[row] - pattern->unknowns[first];
        return pattern->diagonals[first] + offset * pattern->strides[first];
    }
    while (pattern->rows[*block] != row) {
        *place += pattern->sizes[pattern->rows[*block]] * pattern->strides[first];
        *block += 1;
        TN_ASSERT(*block < pattern->columns[panel + 1]);
    }
    return *place;
}

static void pattern_find_targets(tni_block_pattern *pattern) {
    uint32_t target = 0;
    for (uint32_t s = 0; s < pattern->panel_count; ++s) {
        pattern->updates[s] = target;
        for (uint32_t b = pattern->columns[s]; b < pattern->columns[s + 1]; ++b) {
            uint32_t column = pattern->rows[b], panel = pattern->panel_of[column];
            uint32_t offset = pattern->unknowns[column] - pattern->unknowns[pattern->starts[panel]];
            uint32_t block = pattern->columns[panel];
            uint32_t place = pattern_get_below(pattern, panel);
            for (uint32_t a = b; a < pattern->columns[s + 1]; ++a) {
                pattern->targets[target++] =
                    offset + pattern_seek(pattern, panel, pattern->rows[a], &block, &place);
            }
        }
    }
}

static void pattern_find_edges(tni_block_pattern *pattern) {
    for (uint32_t e = 0; e < pattern->edge_count; ++e) {
        uint32_t first = pattern->position_of[pattern->edge_nodes[2 * e]];
        uint32_t second = pattern->position_of[pattern->edge_nodes[2 * e + 1]];
        uint32_t column = first < second ? first : second, row = first < second ? second : first;
        uint32_t panel = pattern->panel_of[column];
        uint32_t block = pattern->columns[panel], place = pattern_get_below(pattern, panel);
        uint32_t offset = pattern->unknowns[column] - pattern->unknowns[pattern->starts[panel]];
        uint32_t stride = pattern->strides[column];
        bool is_turned = second < first;
        pattern->edges[e].first = offset + pattern_seek(pattern, panel, row, &block, &place);
        pattern->edges[e].row_step = is_turned ? 1 : stride;
        pattern->edges[e].column_step = is_turned ? stride : 1;
    }
}

// Returns the position of the only node that is not idle, if it has one unknown, or TNI_NONE.
static uint32_t pattern_find_lone(const tni_block_pattern *pattern) {
    uint32_t lone = TNI_NONE, rows = 0;
    for (uint32_t s = 0; s < pattern->panel_count; ++s) {
        if (!pattern->is_idle[s]) {
            lone = pattern->starts[s];
            rows += pattern->strides[lone];
        }
    }
    return rows == 1 ? lone : TNI_NONE;
}

void tni_block_pattern_lay_out(tni_block_pattern *pattern) {
    pattern->unknown_count = pattern->value_count = pattern->scratch_count = 0;
    for (uint32_t s = 0; s < pattern->panel_count; ++s) {
        pattern_place_panel(pattern, s);
    }
    pattern_find_targets(pattern);
    pattern_find_edges(pattern);
    pattern->lone = pattern_find_lone(pattern);
}

bool tni_block_pattern_create(tni_block_pattern *pattern, const tni_block_graph *graph,
                              tni_allocator *allocator, tni_arena *arena) {
    memset(pattern, 0, sizeof *pattern);
    pattern_state state = {.graph = graph, .arena = arena};
    if (!tni_block_order_find(&state.order, graph, arena) || !pattern_allocate_state(&state)) {
        return false;
    }
    pattern_find_parents(&state);
    if (!pattern_find_positions(&state)) {
        return false;
    }
    pattern_find_panels(&state);
    pattern->count = graph->node_count;
    pattern->edge_count = graph->edge_count;
    pattern->panel_count = state.panel_count;
    if (!pattern_allocate(pattern, &state, allocator)) {
        return false;
    }
    pattern_note_order(pattern, &state);
    tni_block_pattern_lay_out(pattern);
    return true;
}

void tni_block_pattern_destroy(tni_block_pattern *pattern, tni_allocator *allocator) {
    tni_free(allocator, pattern->memory, pattern->memory_size);
    memset(pattern, 0, sizeof *pattern);
}
