// solver/step/colors.c: blocks get colors, greedily and in their order.
//
// Blocks of a color may be solved in any order, or at once, with the same result: Gauss-Seidel goes
// color by color. A block gets a color that neither of its bodies has, of a palette of at most
// sixteen, in which it starts to look at a place of its own (its key, so that it finds the same one
// in the next step). The first that is free would do for parallel work, but it favors one side of
// everything that was made in rows, and rows of boxes wander off. If the palette has no room, the
// first free one of 64 is taken, and beyond those the next that is free at both bodies: so a hub
// with hundreds of neighbors has as many colors, and no more, and all other blocks of them go side
// by side with it.
//
// Everything is found anew in each step, which takes a few nanoseconds for each block: there is
// nothing to keep true while bodies and contacts come and go. The result depends on the blocks,
// their keys and their order alone. Source: Y. Saad, "Iterative methods for sparse linear systems",
// 2nd edition, 2003, 3.3.3 (greedy multicoloring). Test: tests/solver/step/test_colors.c
#include "solver/step/colors.h"

#include <stddef.h>

// WITH_BIT colors have a bit; blocks look first in a palette of at most PALETTE colors, with one
// for each PER_BLOCK blocks, so that small worlds fill their lanes.
#define COLORS_WITH_BIT  64
#define COLORS_PALETTE   16
#define COLORS_PER_BLOCK 32

// Returns the lowest bit that is not set, or 64.
static uint32_t colors_first_free(uint64_t taken) {
    uint32_t bit = 0;
    while (bit < COLORS_WITH_BIT && (taken >> bit & 1) != 0) {
        ++bit;
    }
    return bit;
}

// Chooses among the first colors, if both bodies have room there.
static uint32_t colors_choose(uint64_t taken, uint32_t palette, uint32_t start) {
    for (uint32_t i = 0; i < palette; ++i) {
        uint32_t color = start + i < palette ? start + i : start + i - palette;
        if ((taken >> color & 1) == 0) {
            return color;
        }
    }
    return colors_first_free(taken);
}

static void colors_take(tni_color_body *body, uint32_t color) {
    if (color < COLORS_WITH_BIT) {
        body->taken |= (uint64_t)1 << color;
    } else {
        body->next = color + 1;
    }
}

static uint32_t colors_find_high(const tni_color_body *a, const tni_color_body *b) {
    uint32_t color = a->next > b->next ? a->next : b->next;
    return color < COLORS_WITH_BIT ? COLORS_WITH_BIT : color;
}

uint32_t tni_colors_find(tni_color_block *blocks, uint32_t count, tni_color_body *bodies) {
    uint32_t palette = count / COLORS_PER_BLOCK, most = 0;
    palette = palette < 1 ? 1 : (palette > COLORS_PALETTE ? COLORS_PALETTE : palette);
    for (uint32_t i = 0; i < count; ++i) {
        tni_color_block *block = &blocks[i];
        tni_color_body nobody = {0, 0};
        bool has_a = block->body_a != TNI_COLOR_NO_BODY, has_b = block->body_b != TNI_COLOR_NO_BODY;
        tni_color_body *a = has_a ? &bodies[block->body_a] : &nobody;
        tni_color_body *b = has_b ? &bodies[block->body_b] : &nobody;
        uint64_t taken = a->taken | b->taken;
        uint32_t color = taken == UINT64_MAX ? colors_find_high(a, b)
                                             : colors_choose(taken, palette, block->key % palette);
        colors_take(a, color);
        colors_take(b, color);
        block->color = color;
        most = color >= most ? color + 1 : most;
    }
    return most;
}
