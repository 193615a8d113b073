// solver/rotate_four.h: four bodies of unequal moments turn through a substep, one in each lane.
//
// The algorithm, its symbols and the order of its sums are those of solver/rotate.c, as long as
// turns are not too large for the series; whoever calls does the others there. Axes stand in the
// order i, j, k. With the rotations comes the inertia in the world: see solver/world_inertia.c.
// For files *_wide.c. Test: tests/solver/test_integrate_pass.c
#ifndef TNI_SOLVER_ROTATE_FOUR_H
#define TNI_SOLVER_ROTATE_FOUR_H

#include "core/inertia.h"
#include "solver/rotate_lanes.h"

// As ROTATE_PIECE in solver/rotate.c.
#define FOUR_PIECE 0.25

// Four bodies with their axes in the order i, j, k.
typedef struct four_turning {
    rotate_lanes q;
    tni_dv4 w;
    tni_d4 inverse, ratio_j, ratio_k, rate_j, rate_k;
} four_turning;

// S^-1 along i, j and k, and the products of the two that are not i, not j and not k.
typedef struct four_inertias {
    tni_d4 own[3], mixed[3];
} four_inertias;

typedef struct four_results {
    rotate_lanes q;
    tni_dv4 w;
    four_inertias inertia;
} four_results;

// exp(h p) q. False where that is too large a turn.
TNI_FORCE_INLINE bool four_precess(rotate_lanes *q, const tni_dv4 *p, tni_d4 h, bool is_long) {
    tni_dv4 r = {d4_mul(p->x, h), d4_mul(p->y, h), d4_mul(p->z, h)};
    tni_d4 x2 = d4_mul(d4_splat(0.25), dv4_dot(r, r));
    rotate_lanes turned = lanes_precess(q, r.x, r.y, r.z, x2, is_long);
    tni_d4 excess = lanes_get_excess(&turned);
    *q = lanes_to_unit(&turned, excess);
    return d4_are_under(x2, lanes_limit(is_long)) && d4_are_under(excess, LANES_NEAR_UNIT);
}

// Adds rate e e^T.
TNI_FORCE_INLINE void four_add_square(four_inertias *sum, tni_dv4 e, tni_d4 rate) {
    sum->own[0] = d4_add_product(sum->own[0], rate, d4_mul(e.x, e.x));
    sum->own[1] = d4_add_product(sum->own[1], rate, d4_mul(e.y, e.y));
    sum->own[2] = d4_add_product(sum->own[2], rate, d4_mul(e.z, e.z));
    sum->mixed[0] = d4_add_product(sum->mixed[0], rate, d4_mul(e.y, e.z));
    sum->mixed[1] = d4_add_product(sum->mixed[1], rate, d4_mul(e.x, e.z));
    sum->mixed[2] = d4_add_product(sum->mixed[2], rate, d4_mul(e.x, e.y));
}

// As inertia_store_inverse() in solver/world_inertia.c.
TNI_FORCE_INLINE four_inertias four_begin_inertia(const four_turning *b, tni_dv4 e_k) {
    tni_d4 zero = d4_splat(0.0), s = b->inverse;
    four_inertias sum = {{s, s, s}, {zero, zero, zero}};
    four_add_square(&sum, e_k, d4_mul(s, b->rate_k));
    return sum;
}

TNI_FORCE_INLINE bool four_rotate_symmetric(const four_turning *b, tni_d4 h, bool is_long,
                                            four_results *out) {
    tni_dv4 e_k = lanes_axis_z(&b->q);
    tni_d4 w_k = dv4_dot(b->w, e_k);
    tni_d4 spin = d4_sub_product(w_k, b->ratio_k, w_k);
    tni_d4 half = d4_mul(d4_mul(d4_splat(0.5), h), spin), square = d4_mul(half, half);
    tni_dv4 p = dv4_sub_scaled(b->w, spin, e_k);
    rotate_lanes q =
        lanes_own_z(&b->q, d4_mul(lanes_sinc(square, is_long), half), lanes_cos(square, is_long));
    bool is_small = four_precess(&q, &p, h, is_long) && d4_are_under(square, lanes_limit(is_long));
    e_k = lanes_axis_z(&q);
    *out = (four_results){q, dv4_add_scaled(p, spin, e_k), four_begin_inertia(b, e_k)};
    return is_small;
}

// A turn about e_j or e_k: half its angle for the quaternion, and the whole for the momentum.
typedef struct four_turn {
    tni_d4 half_sine, half_cosine, sine, cosine, square;
} four_turn;

TNI_FORCE_INLINE four_turn four_make_turn(tni_d4 angle, bool is_long) {
    tni_d4 half = d4_mul(d4_splat(0.5), angle), half_square = d4_mul(half, half);
    tni_d4 square = d4_mul(angle, angle);
    four_turn turn = {d4_mul(half, lanes_sinc(half_square, is_long)),
                      lanes_cos(half_square, is_long), d4_mul(angle, lanes_sinc(square, is_long)),
                      lanes_cos(square, is_long), square};
    return turn;
}

TNI_FORCE_INLINE bool four_turn_j(rotate_lanes *q, tni_dv4 *m, tni_d4 angle, bool is_long) {
    four_turn turn = four_make_turn(angle, is_long);
    tni_d4 x = m->x, z = m->z;
    *q = lanes_own_y(q, turn.half_sine, turn.half_cosine);
    m->z = d4_add_product(d4_mul(turn.cosine, z), turn.sine, x);
    m->x = d4_sub_product(d4_mul(turn.cosine, x), turn.sine, z);
    return d4_are_under(turn.square, lanes_limit(is_long));
}

TNI_FORCE_INLINE bool four_turn_k(rotate_lanes *q, tni_dv4 *m, tni_d4 angle, bool is_long) {
    four_turn turn = four_make_turn(angle, is_long);
    tni_d4 x = m->x, y = m->y;
    *q = lanes_own_z(q, turn.half_sine, turn.half_cosine);
    m->x = d4_add_product(d4_mul(turn.cosine, x), turn.sine, y);
    m->y = d4_sub_product(d4_mul(turn.cosine, y), turn.sine, x);
    return d4_are_under(turn.square, lanes_limit(is_long));
}

TNI_FORCE_INLINE bool four_rotate_unequal(const four_turning *b, tni_d4 h, bool is_long,
                                          four_results *out) {
    tni_dv4 e_j = lanes_axis_y(&b->q), e_k = lanes_axis_z(&b->q);
    tni_dv4 e_i = dv4_cross(e_j, e_k);
    tni_d4 w_j = dv4_dot(b->w, e_j);
    tni_d4 w_k = dv4_dot(b->w, e_k);
    tni_d4 m_j = d4_mul(b->ratio_j, w_j), m_k = d4_mul(b->ratio_k, w_k);
    tni_d4 spin_j = d4_sub(w_j, m_j), spin_k = d4_sub(w_k, m_k);
    tni_dv4 p = dv4_sub_scaled(dv4_sub_scaled(b->w, spin_j, e_j), spin_k, e_k);
    tni_dv4 m = {dv4_dot(b->w, e_i), m_j, m_k};
    tni_d4 turn_j = d4_mul(h, b->rate_j), turn_k = d4_mul(h, b->rate_k);
    tni_d4 piece = d4_mul(dv4_dot(p, p), d4_mul(turn_j, turn_k));
    rotate_lanes q = b->q;
    tni_d4 half_j = d4_mul(d4_splat(0.5), turn_j);
    bool is_small = d4_are_under(piece, FOUR_PIECE * FOUR_PIECE);
    is_small &= four_turn_j(&q, &m, d4_mul(half_j, m.y), is_long);
    is_small &= four_turn_k(&q, &m, d4_mul(turn_k, m.z), is_long);
    is_small &= four_turn_j(&q, &m, d4_mul(half_j, m.y), is_long);
    is_small &= four_precess(&q, &p, h, is_long);
    spin_j = d4_add_product(spin_j, b->rate_j, d4_sub(m.y, m_j));
    spin_k = d4_add_product(spin_k, b->rate_k, d4_sub(m.z, m_k));
    e_j = lanes_axis_y(&q);
    e_k = lanes_axis_z(&q);
    *out = (four_results){q, dv4_add_scaled(dv4_add_scaled(p, spin_j, e_j), spin_k, e_k),
                          four_begin_inertia(b, e_k)};
    four_add_square(&out->inertia, e_j, d4_mul(b->inverse, b->rate_j));
    return is_small;
}

// As long as bodies turn slowly the short series is enough, which is nearly always.
TNI_FORCE_INLINE bool four_is_slow(const four_turning *bodies, tni_d4 h) {
    tni_d4 half = d4_mul(d4_splat(0.5), h);
    const tni_dv4 *w = &bodies->w;
    tni_dv4 r = {d4_mul(half, w->x), d4_mul(half, w->y), d4_mul(half, w->z)};
    return d4_are_under(dv4_dot(r, r), LANES_SMALL);
}

TNI_FORCE_INLINE tni_f4 four_flush(tni_d4 x, tni_f4 tiny) {
    tni_f4 number = d4_to_f4(x);
    return f4_pick(f4_less(f4_abs(number), tiny), f4_splat(0.0f), number);
}

// What of the inertia is round-off, in float.
TNI_FORCE_INLINE tni_f4 four_get_tiny(const four_turning *b) {
    tni_d4 trace = d4_add(d4_add(d4_splat(3.0), b->rate_j), b->rate_k);
    return f4_mul(f4_splat(INERTIA_TINY_INVERSE), d4_to_f4(d4_mul(b->inverse, trace)));
}

#endif
