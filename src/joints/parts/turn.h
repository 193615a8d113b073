// joints/parts/turn.h: the origin and the axes of a joint's frame, turned with its body.
//
// Two vectors stand side by side, component by component, so that each instruction works on both:
// the origin with the x axis, and the y axis with the z axis. See core/simd_double.h.
// Test: tests/joints/test_turn.c
#ifndef TNI_JOINTS_PARTS_TURN_H
#define TNI_JOINTS_PARTS_TURN_H

#include "core/simd_double.h"
#include "joints/joint.h"

typedef struct tni_pair {
    tni_d2 x, y, z;
} tni_pair;

// A rotation matrix, each number twice.
typedef struct tni_turn {
    tni_d2 m[3][3];
} tni_turn;

// In world axes; the origin is relative to the body's centre of mass.
typedef struct tni_turned_frame {
    tni_pair origin_x, y_z;
} tni_turned_frame;

static inline tni_pair pair_make(tni_dvec3 first, tni_dvec3 second) {
    tni_pair pair = {d2_make(first.x, second.x), d2_make(first.y, second.y),
                     d2_make(first.z, second.z)};
    return pair;
}

static inline tni_dvec3 pair_first(const tni_pair *pair) {
    return dvec3_make(d2_low(pair->x), d2_low(pair->y), d2_low(pair->z));
}

static inline tni_dvec3 pair_second(const tni_pair *pair) {
    return dvec3_make(d2_high(pair->x), d2_high(pair->y), d2_high(pair->z));
}

// Returns both products, summed in the order of dvec3_dot.
static inline tni_d2 pair_dot(const tni_pair *a, const tni_pair *b) {
    tni_d2 sum = d2_add_product(d2_mul(a->x, b->x), a->y, b->y);
    return d2_add_product(sum, a->z, b->z);
}

static inline tni_pair pair_cross(const tni_pair *a, const tni_pair *b) {
    tni_pair c = {d2_sub(d2_mul(a->y, b->z), d2_mul(a->z, b->y)),
                  d2_sub(d2_mul(a->z, b->x), d2_mul(a->x, b->z)),
                  d2_sub(d2_mul(a->x, b->y), d2_mul(a->y, b->x))};
    return c;
}

// Makes the matrix with the same bits as dmat3_from_quat.
static inline tni_turn tni_turn_make(tni_dquat q) {
    tni_d2 x = d2_splat(q.x), y = d2_splat(q.y), z = d2_splat(q.z), one = d2_splat(1.0);
    tni_d2 x2 = d2_add(x, x), y2 = d2_add(y, y), z2 = d2_add(z, z), w = d2_splat(q.w);
    tni_d2 xx = d2_mul(x, x2), yy = d2_mul(y, y2), zz = d2_mul(z, z2);
    tni_d2 xy = d2_mul(x, y2), xz = d2_mul(x, z2), yz = d2_mul(y, z2);
    tni_d2 wx = d2_mul(w, x2), wy = d2_mul(w, y2), wz = d2_mul(w, z2);
    tni_turn turn = {{{d2_sub(one, d2_add(yy, zz)), d2_sub(xy, wz), d2_add(xz, wy)},
                      {d2_add(xy, wz), d2_sub(one, d2_add(xx, zz)), d2_sub(yz, wx)},
                      {d2_sub(xz, wy), d2_add(yz, wx), d2_sub(one, d2_add(xx, yy))}}};
    return turn;
}

static inline tni_pair turn_pair(const tni_turn *turn, const double vectors[6]) {
    tni_d2 x = d2_load(vectors), y = d2_load(vectors + 2), z = d2_load(vectors + 4);
    tni_d2 out[3];
    for (int i = 0; i < 3; ++i) {
        out[i] = d2_add_product(d2_mul(turn->m[i][0], x), turn->m[i][1], y);
        out[i] = d2_add_product(out[i], turn->m[i][2], z);
    }
    tni_pair pair = {out[0], out[1], out[2]};
    return pair;
}

static inline tni_pair pair_load(const double vectors[6]) {
    tni_pair pair = {d2_load(vectors), d2_load(vectors + 2), d2_load(vectors + 4)};
    return pair;
}

static inline tni_turned_frame tni_frame_as_it_is(const tni_frame_vectors *vectors) {
    tni_turned_frame frame = {pair_load(vectors->origin_x), pair_load(vectors->y_z)};
    return frame;
}

static inline tni_turned_frame tni_frame_turn(tni_dquat rotation,
                                              const tni_frame_vectors *vectors) {
    if (rotation.x == 0.0 && rotation.y == 0.0 && rotation.z == 0.0) { // as for the world
        return tni_frame_as_it_is(vectors);
    }
    tni_turn turn = tni_turn_make(rotation);
    tni_turned_frame frame = {turn_pair(&turn, vectors->origin_x), turn_pair(&turn, vectors->y_z)};
    return frame;
}

static inline tni_axes tni_turned_axes(const tni_turned_frame *frame) {
    tni_axes axes = {pair_second(&frame->origin_x), pair_first(&frame->y_z),
                     pair_second(&frame->y_z)};
    return axes;
}

// Returns a vector of a frame in world axes.
static inline tni_dvec3 tni_axes_turn(const tni_axes *axes, tni_dvec3 v) {
    tni_dvec3 turned = dvec3_scale(axes->x, v.x);
    turned = dvec3_add_scaled(turned, v.y, axes->y);
    return dvec3_add_scaled(turned, v.z, axes->z);
}

// Returns a vector of the world in a frame.
static inline tni_dvec3 tni_axes_turn_back(const tni_axes *axes, tni_dvec3 v) {
    return dvec3_make(dvec3_dot(axes->x, v), dvec3_dot(axes->y, v), dvec3_dot(axes->z, v));
}

#endif
