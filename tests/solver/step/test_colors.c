// Tests of solver/step/colors.c: no two of a color share a body, for all kinds of graphs.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "solver/step/colors.h"

#define BODIES 2000
#define BLOCKS 6000

static tni_color_block blocks[BLOCKS];
static tni_color_body bodies[BODIES];

static uint32_t random_state = 1;
static uint32_t next_random(uint32_t below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

static uint32_t find_colors(uint32_t count) {
    memset(bodies, 0, sizeof bodies);
    return tni_colors_find(blocks, count, bodies);
}

static void set_block(uint32_t i, uint32_t a, uint32_t b) {
    blocks[i] = (tni_color_block){a, b, 7 * i, 0};
}

// By sorting pairs of body and color.
static int compare_ends(const void *p, const void *q) {
    uint64_t a = *(const uint64_t *)p, b = *(const uint64_t *)q;
    return a < b ? -1 : (a > b ? 1 : 0);
}

static void check_colors(uint32_t count, uint32_t colors) {
    static uint64_t ends[2 * BLOCKS];
    uint32_t end_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        cr_assert(blocks[i].color < colors);
        const uint32_t of_block[2] = {blocks[i].body_a, blocks[i].body_b};
        for (uint32_t e = 0; e < 2; ++e) {
            if (of_block[e] != TNI_COLOR_NO_BODY) {
                ends[end_count++] = (uint64_t)of_block[e] << 32 | blocks[i].color;
            }
        }
    }
    qsort(ends, end_count, sizeof *ends, compare_ends);
    for (uint32_t i = 1; i < end_count; ++i) {
        cr_assert(ends[i] != ends[i - 1], "body %u twice in color %u", (unsigned)(ends[i] >> 32),
                  (unsigned)ends[i]);
    }
}

static uint32_t greatest_degree(uint32_t count) {
    uint32_t degree[BODIES] = {0}, most = 0;
    for (uint32_t i = 0; i < count; ++i) {
        degree[blocks[i].body_a] += 1;
        degree[blocks[i].body_b] += 1;
    }
    for (uint32_t i = 1; i < BODIES; ++i) {
        most = degree[i] > most ? degree[i] : most;
    }
    return most;
}

Test(colors, no_two_blocks_of_a_color_share_a_body) {
    for (uint32_t trial = 0; trial < 20; ++trial) {
        uint32_t count = 1 + next_random(BLOCKS), spread = 2 + next_random(BODIES - 2);
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t a = 1 + next_random(spread - 1);
            set_block(i, a, (a + 1 + next_random(spread - 1)) % spread);
        }
        uint32_t colors = find_colors(count);
        check_colors(count, colors);
        // Greedy: a block meets fewer than twice the greatest degree of others.
        cr_assert(colors <= 2 * greatest_degree(count) + 64);
    }
}

Test(colors, are_few_where_bodies_have_few_neighbors) {
    // A square lattice of 40 x 40: four colors would do.
    uint32_t count = 0;
    for (uint32_t i = 0; i < 1600; ++i) {
        if (i % 40 != 39) {
            set_block(count++, 1 + i, 2 + i);
        }
        if (i + 40 < 1600) {
            set_block(count++, 1 + i, 41 + i);
        }
    }
    uint32_t colors = find_colors(count);
    check_colors(count, colors);
    cr_assert(colors <= 16, "%u", colors);
    // A short chain: lanes are filled.
    for (uint32_t i = 0; i < 15; ++i) {
        set_block(i, 1 + i, 2 + i);
    }
    cr_assert(find_colors(15) == 2);
    check_colors(15, 2);
}

Test(colors, of_a_hub_leave_the_others_together) {
    // 500 around one, and 500 pairs of others between them.
    for (uint32_t i = 0; i < 500; ++i) {
        set_block(2 * i, 1, 2 + i);
        set_block(2 * i + 1, 502 + 2 * i, 503 + 2 * i);
    }
    uint32_t colors = find_colors(1000);
    check_colors(1000, colors);
    cr_assert(colors == 500, "%u", colors);
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < 500; ++i) {
        beyond += blocks[2 * i + 1].color >= 16 ? 1 : 0;
    }
    cr_assert(beyond == 0);
}

Test(colors, do_not_count_what_nothing_moves) {
    for (uint32_t i = 0; i < 1000; ++i) {
        set_block(i, i % 2 == 0 ? TNI_COLOR_NO_BODY : 1 + i,
                  i % 2 == 0 ? 1 + i : TNI_COLOR_NO_BODY);
    }
    uint32_t colors = find_colors(1000);
    check_colors(1000, colors);
    cr_assert(colors <= 16);
}

Test(colors, stay_while_others_come_behind) {
    for (uint32_t i = 0; i < 2000; ++i) {
        uint32_t a = 1 + next_random(900);
        set_block(i, a, a + 1 + next_random(900));
    }
    find_colors(1500);
    static tni_color_block before[1500];
    memcpy(before, blocks, sizeof before);
    find_colors(2000);
    for (uint32_t i = 0; i < 1500; ++i) {
        cr_assert(blocks[i].color == before[i].color);
    }
}
