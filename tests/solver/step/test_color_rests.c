// Tests of solver/step/color_rests.c: groups stay free of shared bodies, and nearly all are full.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/step/colors.h"

#define BODIES 3000
#define BLOCKS 6000
#define LANES  8

static tni_color_block blocks[BLOCKS], scratch_blocks[BLOCKS];
static tni_color_rest scratch_rests[BLOCKS];
static tni_color_body bodies[BODIES];

static uint32_t join(uint32_t count) {
    const tni_color_scratch scratch = {scratch_blocks, scratch_rests, bodies};
    memset(bodies, 0, sizeof bodies);
    uint32_t colors = tni_colors_find(blocks, count, bodies);
    return tni_colors_join_rests(blocks, count, colors, LANES, &scratch);
}

// No two blocks of a color share a body, and the groups that all colors together come to.
static uint32_t check_groups(uint32_t count, uint32_t colors) {
    static uint32_t sizes[BLOCKS], last[BODIES];
    uint32_t groups = 0;
    memset(sizes, 0, sizeof sizes);
    for (uint32_t i = 0; i < count; ++i) {
        cr_assert(blocks[i].color < colors);
        sizes[blocks[i].color] += 1;
    }
    for (uint32_t c = 0; c < colors; ++c) {
        cr_assert(sizes[c] > 0, "color %u is empty", c);
        groups += (sizes[c] + LANES - 1) / LANES;
    }
    for (uint32_t c = 0; c < colors; ++c) {
        memset(last, 0, sizeof last);
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t ends[2] = {blocks[i].body_a, blocks[i].body_b};
            for (int e = 0; e < 2 && blocks[i].color == c; ++e) {
                cr_assert(ends[e] == TNI_COLOR_NO_BODY || last[ends[e]] == 0);
                last[ends[e]] = 1;
            }
        }
    }
    return groups;
}

// Boxes in a wall: each lies on two.
static uint32_t make_wall(uint32_t rows, uint32_t length) {
    uint32_t count = 0;
    for (uint32_t y = 0; y + 1 < rows; ++y) {
        for (uint32_t x = 0; x + 1 < length; ++x) {
            uint32_t own = 1 + y * length + x, above = own + length;
            blocks[count] = (tni_color_block){own, above, 7 * count, 0};
            count += 1;
            blocks[count] = (tni_color_block){own + 1, above, 7 * count, 0};
            count += 1;
        }
    }
    return count;
}

Test(color_rests, groups_of_a_wall_are_nearly_all_full) {
    uint32_t count = make_wall(16, 15), colors = join(count);
    uint32_t groups = check_groups(count, colors);
    cr_assert(groups <= count / LANES + 2, "%u groups for %u blocks", groups, count);
}

Test(color_rests, the_same_blocks_have_the_same_colors) {
    static tni_color_block before[BLOCKS];
    uint32_t count = make_wall(30, 40), colors = join(count);
    memcpy(before, blocks, count * sizeof *blocks);
    cr_assert(join(make_wall(30, 40)) == colors);
    cr_assert(memcmp(before, blocks, count * sizeof *blocks) == 0);
}

Test(color_rests, blocks_with_one_body_have_a_group_each) {
    for (uint32_t i = 0; i < 500; ++i) {
        blocks[i] = (tni_color_block){1, i + 2, i, 0};
    }
    cr_assert(check_groups(500, join(500)) == 500);
}

Test(color_rests, what_nobody_shares_fills_groups) {
    for (uint32_t i = 0; i < 100; ++i) {
        blocks[i] = (tni_color_block){TNI_COLOR_NO_BODY, i + 1, i, 0};
    }
    cr_assert(check_groups(100, join(100)) == 13);
}

Test(color_rests, of_nothing_there_is_nothing) {
    cr_assert(join(0) == 0);
}
