// solver/step/color_rests.c: colors whose groups are full.
//
// Contacts of a color are swept in groups of eight lanes, and a group costs the same whether all of
// its lanes are in use or one. The last group of a color is half full on the average: of a class of
// four hundred contacts with a dozen colors every eighth lane is empty. A sweep over a class group
// by group on one thread does not need a color to be one loop; a group only needs that no body is
// in it twice. So blocks that do not fill a group of their color go to groups with the rests of the
// others, each to the first that has room and neither of its bodies. The blocks that leave a color
// are spread evenly over it: its first ones would all be of one end of a pile, which then is swept
// at another time than its other contacts.
// Test: tests/solver/step/test_color_rests.c
#include "solver/step/colors.h"

// This many groups are looked at together: a body has a bit for each.
#define RESTS_AT_ONCE 64u

static uint32_t rests_find_free(uint64_t taken) {
    uint32_t bit = 0;
    while (bit < RESTS_AT_ONCE && (taken >> bit & 1) != 0) {
        ++bit;
    }
    return bit;
}

// Returns the groups that have a body. The index that stands for no body has none: several blocks
// may have it at the same time.
static uint64_t rests_get_taken(const tni_color_body *bodies, uint32_t body) {
    return body != TNI_COLOR_NO_BODY ? bodies[body].taken : 0;
}

static void rests_take(tni_color_body *bodies, uint32_t body, uint32_t group) {
    if (body != TNI_COLOR_NO_BODY) {
        bodies[body].taken |= (uint64_t)1 << group;
    }
}

static void rests_clear(const tni_color_block *blocks, uint32_t count, tni_color_body *bodies) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t ends[2] = {blocks[i].body_a, blocks[i].body_b};
        for (int e = 0; e < 2; ++e) {
            if (ends[e] != TNI_COLOR_NO_BODY) {
                bodies[ends[e]] = (tni_color_body){0, 0};
            }
        }
    }
}

typedef struct rests_round {
    uint32_t placed, groups;
} rests_round;

// Fills groups. Rests that find a group, with its number from `first` on, come to the front of
// those that do not.
static rests_round rests_fill_groups(tni_color_block *rests, uint32_t count, uint32_t lanes,
                                     uint32_t first, tni_color_body *bodies) {
    rests_round round = {0, 0};
    uint32_t sizes[RESTS_AT_ONCE] = {0};
    uint64_t full = 0;
    rests_clear(rests, count, bodies);
    for (uint32_t i = 0; i < count; ++i) {
        tni_color_block block = rests[i];
        uint64_t taken =
            rests_get_taken(bodies, block.body_a) | rests_get_taken(bodies, block.body_b);
        uint32_t group = rests_find_free(full | taken);
        if (group == RESTS_AT_ONCE) {
            continue;
        }
        sizes[group] += 1;
        full |= sizes[group] == lanes ? (uint64_t)1 << group : 0;
        rests_take(bodies, block.body_a, group);
        rests_take(bodies, block.body_b, group);
        round.groups = group >= round.groups ? group + 1 : round.groups;
        block.color = first + group;
        rests[i] = rests[round.placed];
        rests[round.placed++] = block;
    }
    return round;
}

// Names the colors anew. Returns how many of them keep some of their blocks.
static uint32_t rests_name_colors(const tni_color_block *blocks, uint32_t count, uint32_t colors,
                                  uint32_t lanes, tni_color_rest *of) {
    uint32_t kept = 0;
    for (uint32_t c = 0; c < colors; ++c) {
        of[c] = (tni_color_rest){0, 0, 0, 0};
    }
    for (uint32_t i = 0; i < count; ++i) {
        of[blocks[i].color].count += 1;
    }
    for (uint32_t c = 0; c < colors; ++c) {
        of[c].name = kept;
        of[c].leaving = of[c].count % lanes;
        kept += of[c].count >= lanes ? 1 : 0;
    }
    return kept;
}

// Takes the rests out of the blocks. Those that leave are spread evenly over their color. The key
// of a rest is its block.
static uint32_t rests_take_out(tni_color_block *blocks, uint32_t count, tni_color_rest *of,
                               tni_color_block *rests) {
    uint32_t rest_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        tni_color_rest *color = &of[blocks[i].color];
        color->due += color->leaving;
        if (color->due >= color->count) {
            color->due -= color->count;
            rests[rest_count] = blocks[i];
            rests[rest_count++].key = i;
        } else {
            blocks[i].color = color->name;
        }
    }
    return rest_count;
}

uint32_t tni_colors_join_rests(tni_color_block *blocks, uint32_t count, uint32_t colors,
                               uint32_t lanes, const tni_color_scratch *scratch) {
    if (colors <= 1 && count <= lanes) {
        return colors; // one group as it is
    }
    tni_color_block *rests = scratch->blocks;
    tni_color_rest *of = scratch->rests;
    uint32_t all = rests_name_colors(blocks, count, colors, lanes, of);
    uint32_t kept = all;
    uint32_t left = rests_take_out(blocks, count, of, rests);
    while (left > 0) {
        rests_round round = rests_fill_groups(rests, left, lanes, all, scratch->bodies);
        for (uint32_t i = 0; i < round.placed; ++i) {
            blocks[rests[i].key].color = rests[i].color;
        }
        rests += round.placed;
        left -= round.placed;
        all += round.groups;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t c = blocks[i].color;
        blocks[i].color = c < kept ? c + (all - kept) : c - kept;
    }
    return all;
}
