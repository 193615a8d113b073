// collision/quad.h: boxes met four at a time, by rays, swept boxes and measures of distance.
//
// The trees (box_tree.c, tree_cast.c) keep their boxes in quads. A ray or a distance is prepared
// once for a search, and then tested against all boxes of a quad at the price of one.
#ifndef TNI_COLLISION_QUAD_H
#define TNI_COLLISION_QUAD_H

#include "collision/ray.h"

// Two cache lines.
typedef struct tni_quad {
    float corners[6][4]; // lower x, y, z, then upper x, y, z, of each box
    uint32_t child[4];   // what is in the box: of the tree
    uint32_t count;      // of boxes, which come first
    uint32_t owner;      // of the tree
    uint32_t padding[2];
} tni_quad;

void tni_quad_set(tni_quad *quad, uint32_t lane, const tni_bounds *bounds, uint32_t child);

// A ray, or a box that moves along it, for boxes of quads.
typedef struct tni_quad_ray {
    tni_f4 near_from[3], far_from[3], inverse[3];
    uint32_t near[3], far[3]; // the corners that the ray comes to first, and last
    double first, scale;      // the fraction at which u begins, and u per fraction
} tni_quad_ray;

// Prepares a ray for boxes within `root`. Returns false when it misses that. A box that moves along
// the ray has half the edges `reach`.
bool tni_quad_ray_set(tni_quad_ray *out_ray, const tni_bounds *root, const tni_ray *ray,
                      tni_dvec3 reach);
// Returns the greatest u that a limit in fractions allows.
float tni_quad_ray_get_limit(const tni_quad_ray *ray, double limit);

// Products of rounded factors lose less than this share.
#define QUAD_SLACK 1e-6

TNI_KERNEL uint32_t quad_mask(const tni_quad *quad, tni_m4 m) {
    return m4_bits(m) & ((1u << quad->count) - 1u);
}

// Finds the u at which the ray enters each box. Returns a bit for each that it enters before the
// limit.
TNI_KERNEL uint32_t quad_enter(const tni_quad *quad, const tni_quad_ray *ray, float limit,
                               tni_f4 *out_enter) {
    tni_f4 enter = f4_zero(), leave = f4_splat(FLT_MAX);
    for (int k = 0; k < 3; ++k) {
        tni_f4 near = f4_sub(f4_load(quad->corners[ray->near[k]]), ray->near_from[k]);
        tni_f4 far = f4_sub(f4_load(quad->corners[ray->far[k]]), ray->far_from[k]);
        enter = f4_max(f4_mul(near, ray->inverse[k]), enter);
        leave = f4_min(f4_mul(far, ray->inverse[k]), leave);
    }
    leave = f4_min(f4_mul(leave, f4_splat((float)(1.0 + QUAD_SLACK))), f4_splat(limit));
    *out_enter = enter;
    return quad_mask(quad, f4_at_most(enter, leave));
}

// A box to which distances are measured.
typedef struct tni_quad_near {
    tni_f4 lower[3], upper[3];
} tni_quad_near;

static inline tni_quad_near quad_near_set(const tni_bounds *bounds) {
    tni_quad_near near;
    for (int k = 0; k < 3; ++k) {
        near.lower[k] = f4_splat(bounds->lower.raw[k]);
        near.upper[k] = f4_splat(bounds->upper.raw[k]);
    }
    return near;
}

// Finds the squares of the distances, somewhat too small. Returns a bit for each within the limit,
// which is a square, too.
TNI_KERNEL uint32_t quad_measure(const tni_quad *quad, const tni_quad_near *from, float limit,
                                 tni_f4 *out_squares) {
    tni_f4 sum = f4_zero();
    for (int k = 0; k < 3; ++k) {
        tni_f4 below = f4_sub(f4_load(quad->corners[k]), from->upper[k]);
        tni_f4 above = f4_sub(from->lower[k], f4_load(quad->corners[k + 3]));
        tni_f4 gap = f4_max(f4_max(below, above), f4_zero());
        sum = f4_add(sum, f4_mul(gap, gap));
    }
    *out_squares = f4_mul(sum, f4_splat((float)(1.0 - QUAD_SLACK)));
    return quad_mask(quad, f4_at_most(*out_squares, f4_splat(limit)));
}

// Returns a bit for each box that overlaps the given one.
TNI_KERNEL uint32_t quad_overlap(const tni_quad *quad, const tni_quad_near *with) {
    tni_m4 overlaps = f4_at_most(f4_load(quad->corners[0]), with->upper[0]);
    overlaps = m4_and(overlaps, f4_at_most(with->lower[0], f4_load(quad->corners[3])));
    for (int k = 1; k < 3; ++k) {
        overlaps = m4_and(overlaps, f4_at_most(f4_load(quad->corners[k]), with->upper[k]));
        overlaps = m4_and(overlaps, f4_at_most(with->lower[k], f4_load(quad->corners[k + 3])));
    }
    return quad_mask(quad, overlaps);
}

// A child that waits, and the u at which the ray enters its box, or the square of its distance.
typedef struct tni_quad_entry {
    uint32_t child;
    float enter;
} tni_quad_entry;

// Puts the children of the set bits on a stack, the nearest on top. Returns how many these are.
TNI_KERNEL uint32_t quad_push(const tni_quad *quad, uint32_t bits, tni_f4 enters,
                              tni_quad_entry *stack) {
    float enter[4];
    uint32_t count = 0;
    f4_store(enter, enters);
    for (uint32_t lane = 0; bits != 0; ++lane, bits >>= 1) {
        if ((bits & 1u) == 0) {
            continue;
        }
        uint32_t at = count++;
        for (; at > 0 && stack[at - 1].enter < enter[lane]; --at) {
            stack[at] = stack[at - 1];
        }
        stack[at] = (tni_quad_entry){quad->child[lane], enter[lane]};
    }
    return count;
}

#endif
