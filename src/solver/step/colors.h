// solver/step/colors.h: blocks between pairs of bodies get colors: two of a color share no body.
#ifndef TNI_SOLVER_STEP_COLORS_H
#define TNI_SOLVER_STEP_COLORS_H

#include <stdbool.h>
#include <stdint.h>

// This stands for a body that does not count, however many blocks hold on to it: nothing moves it.
#define TNI_COLOR_NO_BODY 0

typedef struct tni_color_block {
    uint32_t body_a, body_b; // TNI_COLOR_NO_BODY, or a body
    uint32_t key;            // by which colors are dealt out
    uint32_t color;
} tni_color_block;

// A body has these colors, all zero before the first block.
typedef struct tni_color_body {
    uint64_t taken; // of the first colors, a bit each
    uint32_t next;  // the first of the others that is free
} tni_color_body;

// Gives each block its color. Returns how many colors there are.
uint32_t tni_colors_find(tni_color_block *blocks, uint32_t count, tni_color_body *bodies);

// Joining the rests takes this room, one for each block.
typedef struct tni_color_rest {
    uint32_t count, leaving; // of a color's blocks
    uint32_t due;            // grows by `leaving` with each; from `count` on one leaves
    uint32_t name;           // its new one, where some of them stay
} tni_color_rest;

typedef struct tni_color_scratch {
    tni_color_block *blocks;
    tni_color_rest *rests;
    tni_color_body *bodies; // by body
} tni_color_scratch;

// Is called once blocks have colors: those that do not fill a group of `lanes` of their color go to
// groups of their own, each one more color, before the others. Returns how many colors there are
// now. See solver/step/color_rests.c.
uint32_t tni_colors_join_rests(tni_color_block *blocks, uint32_t count, uint32_t colors,
                               uint32_t lanes, const tni_color_scratch *scratch);

#endif
