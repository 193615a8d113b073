// solver/bodies/rotate_lanes.h: the turns of solver/bodies/rotate.c, a body in each of four lanes.
//
// They are the same sums in the same order, as long as angles are small enough for the short
// series, or for the long one where `is_long` asks for it: see lanes_limit. The caller checks that
// they are, and has solver/bodies/rotate.c do the others.
#ifndef TNI_SOLVER_BODIES_ROTATE_LANES_H
#define TNI_SOLVER_BODIES_ROTATE_LANES_H

#include "core/four_vector.h"

// These are ROTATE_SMALL, ROTATE_LARGE and ROTATE_NEAR_UNIT of solver/bodies/rotate.c, (rad)^2 and
// 1.
#define LANES_SMALL     1e-3
#define LANES_LARGE     0.25
#define LANES_NEAR_UNIT 1e-8

typedef struct rotate_lanes {
    tni_d4 x, y, z, w;
} rotate_lanes;

// Returns cos(x), or sin(x)/x, of x^2.
TNI_KERNEL tni_d4 lanes_series(tni_d4 x2, double c0, double c1, double c2) {
    tni_d4 low = d4_add_product(d4_splat(1.0), d4_splat(c0), x2);
    tni_d4 high = d4_add_product(d4_splat(c1), d4_splat(c2), x2);
    return d4_add_product(low, d4_mul(x2, x2), high);
}
TNI_KERNEL tni_d4 lanes_long_series(tni_d4 x2, const double c[6]) {
    tni_d4 sum = d4_add_product(d4_splat(c[4]), x2, d4_splat(c[5]));
    for (int i = 3; i >= 0; --i) {
        sum = d4_add_product(d4_splat(c[i]), x2, sum);
    }
    return d4_add_product(d4_splat(1.0), x2, sum);
}
TNI_KERNEL tni_d4 lanes_cos(tni_d4 x2, bool is_long) {
    const double c[6] = {-1.0 / 2.0,    1.0 / 24.0,       -1.0 / 720.0,
                         1.0 / 40320.0, -1.0 / 3628800.0, 1.0 / 479001600.0};
    tni_d4 few = lanes_series(x2, c[0], c[1], c[2]);
    return is_long ? d4_pick_under(x2, LANES_SMALL, few, lanes_long_series(x2, c)) : few;
}
TNI_KERNEL tni_d4 lanes_sinc(tni_d4 x2, bool is_long) {
    const double c[6] = {-1.0 / 6.0,     1.0 / 120.0,       -1.0 / 5040.0,
                         1.0 / 362880.0, -1.0 / 39916800.0, 1.0 / 6227020800.0};
    tni_d4 few = lanes_series(x2, c[0], c[1], c[2]);
    return is_long ? d4_pick_under(x2, LANES_SMALL, few, lanes_long_series(x2, c)) : few;
}
// Returns the square of the angle below which these sums are those of solver/bodies/rotate.c.
TNI_KERNEL double lanes_limit(bool is_long) {
    return is_long ? LANES_LARGE : LANES_SMALL;
}

// Returns exp(r) q, of length 1 + excess; x2 is |r|^2 / 4.
TNI_KERNEL rotate_lanes lanes_precess(const rotate_lanes *q, tni_d4 rx, tni_d4 ry, tni_d4 rz,
                                      tni_d4 x2, bool is_long) {
    tni_d4 c = lanes_cos(x2, is_long), s = d4_mul(d4_splat(0.5), lanes_sinc(x2, is_long));
    tni_d4 x = d4_mul(s, rx), y = d4_mul(s, ry), z = d4_mul(s, rz);
    rotate_lanes p = {
        d4_add(d4_add_product(d4_mul(c, q->x), x, q->w), d4_sub_product(d4_mul(y, q->z), z, q->y)),
        d4_add(d4_sub_product(d4_mul(c, q->y), x, q->z), d4_add_product(d4_mul(y, q->w), z, q->x)),
        d4_sub(d4_add_product(d4_mul(c, q->z), x, q->y), d4_sub_product(d4_mul(y, q->x), z, q->w)),
        d4_sub(d4_sub_product(d4_mul(c, q->w), x, q->x), d4_add_product(d4_mul(y, q->y), z, q->z))};
    return p;
}

TNI_KERNEL tni_d4 lanes_get_excess(const rotate_lanes *p) {
    tni_d4 xz = d4_add_product(d4_mul(p->x, p->x), p->z, p->z);
    tni_d4 yw = d4_add_product(d4_mul(p->y, p->y), p->w, p->w);
    return d4_sub(d4_add(xz, yw), d4_splat(1.0));
}

TNI_KERNEL rotate_lanes lanes_to_unit(const rotate_lanes *p, tni_d4 excess) {
    tni_d4 scale = d4_sub_product(d4_splat(1.0), d4_splat(0.5), excess);
    rotate_lanes unit = {d4_mul(scale, p->x), d4_mul(scale, p->y), d4_mul(scale, p->z),
                         d4_mul(scale, p->w)};
    return unit;
}

// These return q times (0, s, 0, c) and (0, 0, s, c): q turned about an axis of its own.
TNI_KERNEL rotate_lanes lanes_own_y(const rotate_lanes *q, tni_d4 s, tni_d4 c) {
    rotate_lanes r = {
        d4_sub_product(d4_mul(c, q->x), s, q->z), d4_add_product(d4_mul(c, q->y), s, q->w),
        d4_add_product(d4_mul(c, q->z), s, q->x), d4_sub_product(d4_mul(c, q->w), s, q->y)};
    return r;
}
TNI_KERNEL rotate_lanes lanes_own_z(const rotate_lanes *q, tni_d4 s, tni_d4 c) {
    rotate_lanes r = {
        d4_add_product(d4_mul(c, q->x), s, q->y), d4_sub_product(d4_mul(c, q->y), s, q->x),
        d4_add_product(d4_mul(c, q->z), s, q->w), d4_sub_product(d4_mul(c, q->w), s, q->z)};
    return r;
}

// These return columns of the rotation matrix.
TNI_KERNEL tni_dv4 lanes_axis_y(const rotate_lanes *q) {
    tni_d4 two = d4_splat(2.0), square = d4_add_product(d4_mul(q->x, q->x), q->z, q->z);
    tni_dv4 e = {d4_mul(two, d4_sub_product(d4_mul(q->x, q->y), q->w, q->z)),
                 d4_sub_product(d4_splat(1.0), two, square),
                 d4_mul(two, d4_add_product(d4_mul(q->y, q->z), q->w, q->x))};
    return e;
}
TNI_KERNEL tni_dv4 lanes_axis_z(const rotate_lanes *q) {
    tni_d4 two = d4_splat(2.0), square = d4_add_product(d4_mul(q->x, q->x), q->y, q->y);
    tni_dv4 e = {d4_mul(two, d4_add_product(d4_mul(q->z, q->x), q->w, q->y)),
                 d4_mul(two, d4_sub_product(d4_mul(q->z, q->y), q->w, q->x)),
                 d4_sub_product(d4_splat(1.0), two, square)};
    return e;
}

#endif
