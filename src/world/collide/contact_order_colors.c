// world/collide/contact_order_colors.c: colors each class, which gives the place of each of its
// contacts.
//
// Colors are found one contact after the other (solver/step/colors.h), but classes that share no
// bodies' colors are colored at once.
#include <string.h>

#include "world/collide/contact_order_cells.h"

// Fewer contacts are colored before another thread would join.
#define ORDER_LEAST_SHARED 256u

typedef struct order_coloring {
    const tni_order_pass *pass;
    tni_color_block *rests; // by class, from its start on: see solver/step/color_rests.c
    tni_color_rest *rest_colors;
    tni_color_body *bodies[TNI_ORDER_KINDS + 2]; // by solver body: of each kind, and across cuts
} order_coloring;

// Returns a class's bodies, which no other class uses meanwhile.
static tni_color_body *order_get_bodies(const order_coloring *coloring, uint32_t class) {
    const tni_order_pass *pass = coloring->pass;
    uint32_t cell = class / 2, is_near = class & 1, behind = order_get_border_cell(pass->parts, 0);
    if (pass->parts->levels > 0 && order_is_between(pass->parts, cell)) {
        return coloring->bodies[TNI_ORDER_KINDS + is_near];
    }
    bool is_of_first = pass->parts->levels > 0 && cell < behind;
    uint32_t is_static = is_of_first ? 0 : (cell - (pass->parts->levels > 0 ? behind : 0)) & 1;
    return coloring->bodies[2 * is_static + is_near];
}

// Clears the bodies of blocks, except the one that stands for no body, which all share.
static void order_clear_bodies(const tni_color_block *blocks, uint32_t count,
                               tni_color_body *bodies) {
    for (uint32_t i = 0; i < count; ++i) {
        if (blocks[i].body_a != TNI_COLOR_NO_BODY) {
            bodies[blocks[i].body_a] = (tni_color_body){0, 0};
        }
        if (blocks[i].body_b != TNI_COLOR_NO_BODY) {
            bodies[blocks[i].body_b] = (tni_color_body){0, 0};
        }
    }
}

// Finds the colors of a class, one contact after the other.
static void order_color_class(const order_coloring *coloring, uint32_t index) {
    const tni_order_pass *pass = coloring->pass;
    tni_order_class *class = &pass->classes[index];
    tni_color_block *blocks = pass->blocks + class->start;
    tni_color_body *bodies = order_get_bodies(coloring, index);
    order_clear_bodies(blocks, class->count, bodies);
    class->color_count = tni_colors_find(blocks, class->count, bodies);
    const tni_color_scratch scratch = {coloring->rests + class->start,
                                       coloring->rest_colors + class->start, bodies};
    class->color_count =
        tni_colors_join_rests(blocks, class->count, class->color_count, TNI_CONTACTS, &scratch);
    uint32_t *next = pass->color_ends + class->start; // first counts, then next places
    memset(next, 0, class->color_count * sizeof *next);
    for (uint32_t i = 0; i < class->count; ++i) {
        next[blocks[i].color] += 1;
    }
    uint32_t start = class->start;
    for (uint32_t c = 0; c < class->color_count; ++c) {
        uint32_t count = next[c];
        next[c] = start;
        start += count;
    }
    for (uint32_t i = 0; i < class->count; ++i) {
        uint32_t k = pass->kept_of[class->start + i], at = next[blocks[i].color]++;
        pass->order->kept[k].index = at;
        if (index >= 2 * pass->own_cells) {
            pass->order->kept_at[at] = k;
        }
    }
}

static void order_color_cell(const order_coloring *coloring, uint32_t cell, uint32_t is_near) {
    uint32_t class = 2 * cell + is_near;
    if (coloring->pass->classes[class].count > 0) {
        order_color_class(coloring, class);
    }
}

static void order_color_between(const order_coloring *coloring) {
    const tni_order_pass *pass = coloring->pass;
    for (uint32_t cell = 0; cell < pass->own_cells; ++cell) {
        if (order_is_between(pass->parts, cell)) {
            order_color_cell(coloring, cell, 0);
            order_color_cell(coloring, cell, 1);
        }
    }
}

// Returns the number of coloring tasks: one for contacts between parts; four for each part, of
// which those for contacts between its own bodies have two cells each; and one per later class.
static uint32_t order_count_color_turns(const tni_order_pass *pass) {
    uint32_t behind = 2 * (pass->cell_count - pass->own_cells);
    return pass->parts->levels > 0 ? 1 + 4 * part_count(pass->parts) + behind
                                   : 2 * pass->own_cells + behind;
}

static void order_color_turn(const order_coloring *coloring, uint32_t turn) {
    const tni_order_pass *pass = coloring->pass;
    const tni_parts *parts = pass->parts;
    uint32_t of_parts = parts->levels > 0 ? 4 * part_count(parts) : 0;
    if (parts->levels > 0 && turn-- == 0) {
        order_color_between(coloring);
        return;
    }
    if (turn >= of_parts) {
        uint32_t class = turn - of_parts + (parts->levels > 0 ? 2 * pass->own_cells : 0);
        order_color_cell(coloring, class / 2, class & 1);
        return;
    }
    uint32_t part = turn / 4, is_near = turn & 1, border = order_get_border_cell(parts, part);
    if ((turn & 2) != 0) {
        order_color_cell(coloring, border + 1, is_near);
    } else {
        order_color_cell(coloring, order_get_inside_cell(part), is_near);
        order_color_cell(coloring, border, is_near);
    }
}

static void order_color_turns(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    for (uint32_t turn = first; turn < last; ++turn) {
        order_color_turn(context, turn);
    }
}

static bool order_allocate_colors(order_coloring *coloring, tni_order_pass *pass) {
    tni_arena *arena = &pass->world->arena;
    size_t count = pass->order->count;
    size_t size = pass->solver->bodies.count * sizeof *coloring->bodies[0];
    pass->color_ends = tni_arena_alloc(arena, count * sizeof *pass->color_ends);
    coloring->rests = tni_arena_alloc(arena, count * sizeof *coloring->rests);
    coloring->rest_colors = tni_arena_alloc(arena, count * sizeof *coloring->rest_colors);
    bool has_all = pass->color_ends && coloring->rests && coloring->rest_colors;
    for (uint32_t kind = 0; kind < TNI_ORDER_KINDS + 2 && has_all; ++kind) {
        bool is_used =
            kind < TNI_ORDER_KINDS ? pass->listed[kind].count > 0 : pass->parts->levels > 0;
        if (is_used) {
            coloring->bodies[kind] = tni_arena_alloc(arena, size);
            has_all = coloring->bodies[kind] != NULL;
        }
    }
    return has_all;
}

bool tni_contact_order_color(tni_order_pass *pass) {
    order_coloring coloring = {.pass = pass};
    if (!order_allocate_colors(&coloring, pass)) {
        return false;
    }
    // Small classes are not worth a loop.
    uint32_t count = order_count_color_turns(pass);
    uint32_t shared = pass->order->count >= ORDER_LEAST_SHARED ? 1 : count;
    tni_tasks_run(&pass->world->tasks, order_color_turns, count, shared, &coloring);
    return true;
}
