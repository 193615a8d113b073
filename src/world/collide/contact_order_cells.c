// world/collide/contact_order_cells.c: sorts contacts into cells and these into contacts that push
// and contacts that are only near; the blocks of a class then follow each other.
//
// Shares of the list are counted side by side, placed by sums over the shares before, and moved.
#include "world/collide/contact_order_cells.h"

#include <string.h>

typedef struct order_sorting {
    const tni_order_pass *pass;
    tni_order_class *classes;
    uint32_t *counts;   // by share and class: the number, then the next place
    uint32_t *class_of; // of blocks in list order
    // In the order of their classes.
    tni_color_block *blocks;
    tni_kept_contact *kept;
    uint32_t *kept_of;
} order_sorting;

static uint32_t order_get_own_cell(const tni_order_pass *pass, uint32_t a, uint32_t b) {
    const tni_parts *parts = pass->parts;
    uint32_t p = parts->of[a], q = parts->of[b];
    uint8_t cut_a = pass->cut_of[a], cut_b = pass->cut_of[b];
    if (p == q) {
        bool is_inside = cut_a == TNI_PART_MAX_LEVELS && cut_b == TNI_PART_MAX_LEVELS;
        return is_inside ? order_get_inside_cell(p) : order_get_border_cell(parts, p);
    }
    uint32_t node = part_find_node(parts, p, q), first = cut_a < cut_b ? cut_a : cut_b;
    return first == order_get_level(node) ? order_get_early_cell(parts, node)
                                          : order_get_late_cell(parts, node);
}

static uint32_t order_get_cell(const tni_order_pass *pass, uint32_t kind,
                               const tni_color_block *block) {
    uint32_t a = block->body_a, b = block->body_b, is_static = kind >= TNI_ORDER_PUSHING_STATIC;
    a = a != TNI_COLOR_NO_BODY ? a : b;
    b = b != TNI_COLOR_NO_BODY ? b : a;
    const tni_parts *parts = pass->parts;
    if (pass->clusters->of != NULL && pass->clusters->of[a] != TNI_NONE) {
        return pass->own_cells + 2 * pass->clusters->of[a] + is_static;
    }
    if (parts->levels == 0) {
        return is_static;
    }
    return is_static ? order_get_border_cell(parts, parts->of[a]) + 1
                     : order_get_own_cell(pass, a, b);
}

static uint32_t order_find_kind(const tni_order_pass *pass, uint32_t k) {
    uint32_t kind = 0;
    while (k >= pass->listed[kind].start + pass->listed[kind].count) {
        kind += 1;
    }
    return kind;
}

// Finds the class of each block, and counts each class in a share of the list.
static void order_count_classes(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const order_sorting *sorting = context;
    const tni_order_pass *pass = sorting->pass;
    for (uint32_t share = first; share < last; ++share) {
        uint32_t *counts = sorting->counts + (size_t)share * 2 * pass->cell_count;
        memset(counts, 0, 2 * pass->cell_count * sizeof *counts);
        uint32_t k = share * pass->share_size, end = order_get_share_end(pass, share);
        while (k < end) {
            uint32_t kind = order_find_kind(pass, k);
            uint32_t stop = pass->listed[kind].start + pass->listed[kind].count;
            for (stop = stop < end ? stop : end; k < stop; ++k) {
                uint32_t cell = order_get_cell(pass, kind, &pass->blocks[k]);
                sorting->class_of[k] = 2 * cell + (kind & 1);
                counts[sorting->class_of[k]] += 1;
            }
        }
    }
}

// Turns counts into places.
static void order_place_classes(const order_sorting *sorting, uint32_t share_count) {
    uint32_t start = 0, class_count = 2 * sorting->pass->cell_count;
    for (uint32_t class = 0; class < class_count; ++class) {
        sorting->classes[class].start = start;
        for (uint32_t share = 0; share < share_count; ++share) {
            uint32_t *at = &sorting->counts[(size_t)share * class_count + class];
            uint32_t count = *at;
            *at = start;
            start += count;
        }
        sorting->classes[class].count = start - sorting->classes[class].start;
    }
}

static void order_move_shares(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const order_sorting *sorting = context;
    const tni_order_pass *pass = sorting->pass;
    for (uint32_t share = first; share < last; ++share) {
        uint32_t *next = sorting->counts + (size_t)share * 2 * pass->cell_count;
        uint32_t end = order_get_share_end(pass, share);
        for (uint32_t k = share * pass->share_size; k < end; ++k) {
            uint32_t at = next[sorting->class_of[k]]++;
            sorting->blocks[at] = pass->blocks[k];
            sorting->kept[at] = pass->order->kept[pass->kept_of[k]];
            sorting->kept_of[at] = at;
        }
    }
}

static bool order_allocate_cells(order_sorting *sorting) {
    const tni_order_pass *pass = sorting->pass;
    tni_arena *arena = &pass->world->arena;
    tni_contact_order *order = pass->order;
    size_t count = order->count, class_count = (size_t)2 * pass->cell_count;
    sorting->blocks = tni_arena_alloc(arena, count * sizeof *sorting->blocks);
    sorting->kept_of = tni_arena_alloc(arena, count * sizeof *sorting->kept_of);
    sorting->kept = tni_arena_alloc(arena, count * sizeof *sorting->kept);
    sorting->class_of = tni_arena_alloc(arena, count * sizeof *sorting->class_of);
    sorting->counts =
        tni_arena_alloc(arena, order_count_shares(pass) * class_count * sizeof *sorting->counts);
    sorting->classes = tni_arena_alloc_zeroed(arena, class_count * sizeof *sorting->classes);
    order->kept_at = tni_arena_alloc(arena, count * sizeof *order->kept_at);
    return sorting->blocks && sorting->kept_of && sorting->kept && sorting->class_of &&
           sorting->counts && sorting->classes && order->kept_at;
}

bool tni_contact_order_sort(tni_order_pass *pass) {
    order_sorting sorting = {.pass = pass};
    if (!order_allocate_cells(&sorting)) {
        return false;
    }
    tni_tasks *tasks = &pass->world->tasks;
    uint32_t share_count = order_count_shares(pass);
    tni_tasks_run(tasks, order_count_classes, share_count, 1, &sorting);
    order_place_classes(&sorting, share_count);
    tni_tasks_run(tasks, order_move_shares, share_count, 1, &sorting);
    pass->classes = sorting.classes;
    pass->blocks = sorting.blocks;
    pass->kept_of = sorting.kept_of;
    pass->order->kept = sorting.kept;
    return true;
}
