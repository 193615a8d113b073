// world/collide/contact_order_cuts.c: finds which contacts go across the cuts between parts.
//
// Their number decides which cuts stay (world/step/parts.h). Each body that they hold notes across
// which cut it is held first, for that says which contacts share no body with another turn
// (world/collide/contact_order_cells.h).
#include <string.h>

#include "world/collide/contact_order_cells.h"
#include "world/step/parts.h"

typedef struct order_crossings {
    const tni_order_pass *pass;
    uint32_t *blocks; // blocks that go across, by share from its first
    uint32_t counts[TNI_ORDER_SHARES];
    uint32_t across[TNI_ORDER_SHARES][TNI_PART_MAX_LEVELS];
} order_crossings;

// Counts, in the shares, the contacts between moving bodies that go across the cuts of each level.
static void order_count_across(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    order_crossings *crossings = context;
    const tni_order_pass *pass = crossings->pass;
    const uint8_t *of = pass->parts->of;
    uint32_t moving = pass->listed[TNI_ORDER_PUSHING_STATIC].start;
    for (uint32_t share = first; share < last; ++share) {
        uint32_t *across = crossings->across[share], end = order_get_share_end(pass, share);
        uint32_t start = share * pass->share_size, count = 0;
        memset(across, 0, sizeof crossings->across[share]);
        end = end < moving ? end : moving;
        for (uint32_t k = start; k < end; ++k) {
            const tni_color_block *block = &pass->blocks[k];
            uint32_t differ = (uint32_t)(of[block->body_a] ^ of[block->body_b]), level = 0;
            if (differ == 0) {
                continue;
            }
            while (differ >> level > 1) {
                level += 1;
            }
            across[level] += 1;
            crossings->blocks[start + count++] = k;
        }
        crossings->counts[share] = count;
    }
}

static void order_note_cut(const tni_order_pass *pass, uint32_t body, uint32_t level) {
    uint8_t *cut = &pass->cut_of[body];
    *cut = level < *cut ? (uint8_t)level : *cut;
}

// Finds the bodies at the remaining cuts.
static void order_find_cut_bodies(const order_crossings *crossings, uint32_t share_count) {
    const tni_order_pass *pass = crossings->pass;
    const tni_parts *parts = pass->parts;
    memset(pass->cut_of, TNI_PART_MAX_LEVELS, pass->solver->bodies.count);
    for (uint32_t share = 0; share < share_count; ++share) {
        const uint32_t *blocks = crossings->blocks + share * pass->share_size;
        for (uint32_t i = 0; i < crossings->counts[share]; ++i) {
            const tni_color_block *block = &pass->blocks[blocks[i]];
            uint32_t p = parts->of[block->body_a], q = parts->of[block->body_b];
            if (p != q) {
                uint32_t level = order_get_level(part_find_node(parts, p, q));
                order_note_cut(pass, block->body_a, level);
                order_note_cut(pass, block->body_b, level);
            }
        }
    }
}

bool tni_contact_order_choose_parts(tni_step *step, tni_order_pass *pass) {
    tn_world *world = pass->world;
    order_crossings crossings = {.pass = pass};
    crossings.blocks = tni_arena_alloc(&world->arena, pass->order->count * sizeof(uint32_t));
    pass->cut_of = tni_arena_alloc(&world->arena, pass->solver->bodies.count);
    if (crossings.blocks == NULL || pass->cut_of == NULL) {
        return false;
    }
    uint32_t share_count = order_count_shares(pass), sums[TNI_PART_MAX_LEVELS] = {0};
    tni_tasks_run(&world->tasks, order_count_across, share_count, 1, &crossings);
    for (uint32_t share = 0; share < share_count; ++share) {
        for (uint32_t level = 0; level < TNI_PART_MAX_LEVELS; ++level) {
            sums[level] += crossings.across[share][level];
        }
    }
    tni_step_choose_parts(world, step, sums, pass->listed[TNI_ORDER_PUSHING_STATIC].start);
    order_find_cut_bodies(&crossings, share_count);
    return true;
}
