// world/collide/contact_order_groups.c: makes groups of contacts that are swept at once, turns of
// groups that one worker sweeps, and loops of turns that are swept in parallel.
//
// A color is cut into groups of eight. In a world of one part the colors are the loops, and a few
// groups are a turn; with parts, cells are turns (world/collide/contact_order_cells.h). The groups
// of a cluster are consecutive.
#include "world/collide/contact_order_cells.h"

// A color with this many groups is worth a second worker: about a microsecond.
#define ORDER_TURN_GROUPS 8u

static void order_add_loop(tni_contact_order *order) {
    order->loop_ends[order->loop_count++] = order->turn_count;
}

// Adds a color's groups as a loop of turns.
static void order_add_color(tni_contact_order *order, uint32_t first_group) {
    uint32_t count = order->group_count - first_group, turns = count / ORDER_TURN_GROUPS;
    turns = turns > 0 ? turns : 1;
    for (uint32_t t = 1; t <= turns; ++t) {
        order->turn_ends[order->turn_count++] =
            first_group + (uint32_t)((uint64_t)count * t / turns);
    }
    order_add_loop(order);
}

static void order_add_groups(const tni_order_pass *pass, uint32_t index) {
    tni_contact_order *order = pass->order;
    const tni_order_class *class = &pass->classes[index];
    const uint32_t *color_ends = pass->color_ends + class->start;
    bool has_loops = pass->parts->levels == 0 && index < 2 * pass->own_cells;
    uint32_t at = class->start;
    for (uint32_t c = 0; c < class->color_count; ++c) {
        uint32_t first_group = order->group_count;
        for (; at < color_ends[c]; at += TNI_CONTACTS) {
            order->groups[order->group_count++] = at;
        }
        at = color_ends[c];
        if (has_loops) {
            order_add_color(order, first_group);
        }
    }
}

// Adds cells that follow each other. Returns the number of their contacts.
static uint32_t order_add_cells(const tni_order_pass *pass, uint32_t first, uint32_t count) {
    uint32_t contacts = 0;
    for (uint32_t class = 2 * first; class < 2 * (first + count); ++class) {
        order_add_groups(pass, class);
        contacts += pass->classes[class].count;
    }
    return contacts;
}

// Adds a loop of turns of `count` cells each. An unneeded loop without contacts is left out.
static void order_add_turns(const tni_order_pass *pass, uint32_t first, uint32_t turns,
                            uint32_t cells_of_each, bool is_needed) {
    tni_contact_order *order = pass->order;
    uint32_t before = order->turn_count, contacts = 0;
    for (uint32_t t = 0; t < turns; ++t) {
        contacts += order_add_cells(pass, first + t * cells_of_each, cells_of_each);
        order->turn_ends[order->turn_count++] = order->group_count;
    }
    if (contacts > 0 || is_needed) {
        order_add_loop(order);
    } else {
        order->turn_count = before;
    }
    order->own_count += contacts;
}

// Adds the first loop, the late contacts across cuts level by level, and the last loop.
static void order_add_own_groups(const tni_order_pass *pass) {
    tni_contact_order *order = pass->order;
    const tni_parts *parts = pass->parts;
    uint32_t count = part_count(parts);
    if (parts->levels == 0) {
        order->own_count = order_add_cells(pass, 0, pass->own_cells);
    } else {
        order_add_turns(pass, 0, count, 2, true);
        for (uint32_t level = 1; level < parts->levels; ++level) {
            uint32_t nodes = 1u << level;
            order_add_turns(pass, order_get_late_cell(parts, nodes - 1), nodes, 1, false);
        }
        order_add_turns(pass, order_get_border_cell(parts, 0), count, 2, true);
    }
    order->own_group_count = order->group_count;
}

static bool order_allocate_groups(const tni_order_pass *pass) {
    tni_arena *arena = &pass->world->arena;
    tni_contact_order *order = pass->order;
    size_t count = order->count, cells = 5u << TNI_PART_MAX_LEVELS;
    order->groups = tni_arena_alloc(arena, (count + 1) * sizeof *order->groups);
    order->turn_ends = tni_arena_alloc(arena, (count + cells) * sizeof *order->turn_ends);
    order->loop_ends = tni_arena_alloc(arena, (count + cells) * sizeof *order->loop_ends);
    order->clusters = tni_arena_alloc(arena, pass->clusters->count * sizeof *order->clusters);
    return order->groups && order->turn_ends && order->loop_ends && order->clusters;
}

bool tni_contact_order_group(const tni_order_pass *pass) {
    tni_contact_order *order = pass->order;
    if (!order_allocate_groups(pass)) {
        return false;
    }
    order_add_own_groups(pass);
    for (uint32_t c = 0; c < pass->clusters->count; ++c) {
        uint32_t first_cell = pass->own_cells + 2 * c;
        tni_cluster *cluster = &order->clusters[c];
        *cluster = (tni_cluster){.first_group = order->group_count,
                                 .first_contact = pass->classes[2 * first_cell].start};
        cluster->contact_count = order_add_cells(pass, first_cell, 2);
        cluster->group_count = order->group_count - cluster->first_group;
    }
    order->groups[order->group_count] = order->count;
    return true;
}
