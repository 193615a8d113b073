// solver/step/part.h: bodies that no cluster has are cut into parts, so that a worker keeps to its
// bodies.
#ifndef TNI_SOLVER_STEP_PART_H
#define TNI_SOLVER_STEP_PART_H

#include "core/base.h"

// Halves are halved again at most this many times: sixteen parts.
#define TNI_PART_MAX_LEVELS 4

// Parts are the leaves of a tree of halves, from 0 on, and each has bodies that follow each other.
// With `levels` 0 there is one part.
typedef struct tni_parts {
    uint32_t levels;
    bool follows_joints; // they are those of joints (solver/joints/joint_part.c), or some of them
                         // together
    uint8_t *of;         // by solver body
    uint32_t ends[1 << TNI_PART_MAX_LEVELS]; // by part: its first body is where the last one ends
} tni_parts;

static inline uint32_t part_count(const tni_parts *parts) {
    return 1u << parts->levels;
}

// Returns how many nodes of the tree come before the parts, in the order in which they are swept:
// the whole, its halves, and so on to the parts.
static inline uint32_t part_count_inner(const tni_parts *parts) {
    return part_count(parts) - 1;
}

// Returns the least node that has both parts.
static inline uint32_t part_find_node(const tni_parts *parts, uint32_t p, uint32_t q) {
    uint32_t width = part_count(parts);
    while (p != q) {
        width >>= 1;
        p >>= 1;
        q >>= 1;
    }
    return width - 1 + p;
}

// Cuts the bodies from 1 on into parts->levels of halves of equal weight.
void tni_parts_cut(const uint32_t *weights, uint32_t body_count, tni_parts *parts);
// Takes back the last cuts.
void tni_parts_join(tni_parts *parts, uint32_t body_count, uint32_t levels);

// A body is put in order with these numbers: see solver/step/part_order.c.
typedef struct tni_part_body {
    float position[3]; // m
    uint32_t body;     // whatever names it
    uint32_t weight;
    uint32_t bin; // of the histogram under way
} tni_part_body;

// Orders bodies so that those near each other in space are near each other in the list; `axes`
// weigh how readily each axis is cut across. Scratch has room for as many.
void tni_part_order(tni_part_body *bodies, tni_part_body *scratch, uint32_t count,
                    const double axes[3]);

#endif
