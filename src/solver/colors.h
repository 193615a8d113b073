// solver/colors.h: blocks between pairs of bodies into colors: two of a color share no body.
#ifndef TNI_SOLVER_COLORS_H
#define TNI_SOLVER_COLORS_H

#include <stdbool.h>
#include <stdint.h>

// A body that does not count, however many blocks hold on to it: nothing moves it.
#define TNI_COLOR_NO_BODY 0

typedef struct tni_color_block {
    uint32_t body_a, body_b; // TNI_COLOR_NO_BODY, or a body
    uint32_t key;            // by which colors are dealt out
    uint32_t color;
} tni_color_block;

// By body, all zero before the first block.
typedef struct tni_color_body {
    uint64_t taken; // of the first colors, a bit each
    uint32_t next;  // the first of the others that is free
} tni_color_body;

// Gives each block its color. Returns how many colors there are.
uint32_t tni_colors_find(tni_color_block *blocks, uint32_t count, tni_color_body *bodies);

#endif
