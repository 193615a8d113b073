// solver/bodies/rotate_wide.c: four bodies of unequal moments through a substep at constant
// momentum.
//
// The algorithm, its symbols and the order of its sums are those of solver/bodies/rotate.c, which
// also does unusual turns, which are too large for the long series. Bodies with two equal moments
// and with three different ones go different ways there; lanes take both where both are among the
// four, and each body keeps its own. The inertia in the world is made of the axes that this ends
// with, so it is made here, too (solver/bodies/world_inertia.c). Test:
// tests/solver/bodies/test_integrate_pass.c
#include "core/inertia.h"
#include "solver/bodies/integrate.h"
#include "solver/bodies/rotate_lanes.h"

// ---- the turn ----------------------------------------------------------------------------------

// This is ROTATE_PIECE of solver/bodies/rotate.c.
#define FOUR_PIECE 0.25

// These are four bodies with their axes in the order i, j, k.
typedef struct four_turning {
    rotate_lanes q;
    tni_dv4 w;
    tni_d4 inverse, ratio_j, ratio_k, rate_j, rate_k;
} four_turning;

// These are S^-1 along i, j and k, and the products of the two axes that are not i, not j and not
// k.
typedef struct four_inertias {
    tni_d4 own[3], mixed[3];
} four_inertias;

typedef struct four_results {
    rotate_lanes q;
    tni_dv4 w;
    four_inertias inertia;
} four_results;

// Turns q to exp(h p) q. Returns false where that is too large a turn.
TNI_KERNEL bool four_precess(rotate_lanes *q, const tni_dv4 *p, tni_d4 h, bool is_long) {
    tni_dv4 r = {d4_mul(p->x, h), d4_mul(p->y, h), d4_mul(p->z, h)};
    tni_d4 x2 = d4_mul(d4_splat(0.25), dv4_dot(r, r));
    rotate_lanes turned = lanes_precess(q, r.x, r.y, r.z, x2, is_long);
    tni_d4 excess = lanes_get_excess(&turned);
    *q = lanes_to_unit(&turned, excess);
    return d4_are_under(x2, lanes_limit(is_long)) && d4_are_under(excess, LANES_NEAR_UNIT);
}

// Adds rate e e^T.
TNI_KERNEL void four_add_square(four_inertias *sum, tni_dv4 e, tni_d4 rate) {
    sum->own[0] = d4_add_product(sum->own[0], rate, d4_mul(e.x, e.x));
    sum->own[1] = d4_add_product(sum->own[1], rate, d4_mul(e.y, e.y));
    sum->own[2] = d4_add_product(sum->own[2], rate, d4_mul(e.z, e.z));
    sum->mixed[0] = d4_add_product(sum->mixed[0], rate, d4_mul(e.y, e.z));
    sum->mixed[1] = d4_add_product(sum->mixed[1], rate, d4_mul(e.x, e.z));
    sum->mixed[2] = d4_add_product(sum->mixed[2], rate, d4_mul(e.x, e.y));
}

// Does what inertia_store_inverse() in solver/bodies/world_inertia.c does.
TNI_KERNEL four_inertias four_begin_inertia(const four_turning *b, tni_dv4 e_k) {
    tni_d4 zero = d4_splat(0.0), s = b->inverse;
    four_inertias sum = {{s, s, s}, {zero, zero, zero}};
    four_add_square(&sum, e_k, d4_mul(s, b->rate_k));
    return sum;
}

TNI_KERNEL bool four_rotate_symmetric(const four_turning *b, tni_d4 h, bool is_long,
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

// A turn about e_j or e_k has half its angle for the quaternion, and the whole for the momentum.
typedef struct four_turn {
    tni_d4 half_sine, half_cosine, sine, cosine, square;
} four_turn;

TNI_KERNEL four_turn four_make_turn(tni_d4 angle, bool is_long) {
    tni_d4 half = d4_mul(d4_splat(0.5), angle), half_square = d4_mul(half, half);
    tni_d4 square = d4_mul(angle, angle);
    four_turn turn = {d4_mul(half, lanes_sinc(half_square, is_long)),
                      lanes_cos(half_square, is_long), d4_mul(angle, lanes_sinc(square, is_long)),
                      lanes_cos(square, is_long), square};
    return turn;
}

TNI_KERNEL bool four_turn_j(rotate_lanes *q, tni_dv4 *m, tni_d4 angle, bool is_long) {
    four_turn turn = four_make_turn(angle, is_long);
    tni_d4 x = m->x, z = m->z;
    *q = lanes_own_y(q, turn.half_sine, turn.half_cosine);
    m->z = d4_add_product(d4_mul(turn.cosine, z), turn.sine, x);
    m->x = d4_sub_product(d4_mul(turn.cosine, x), turn.sine, z);
    return d4_are_under(turn.square, lanes_limit(is_long));
}

TNI_KERNEL bool four_turn_k(rotate_lanes *q, tni_dv4 *m, tni_d4 angle, bool is_long) {
    four_turn turn = four_make_turn(angle, is_long);
    tni_d4 x = m->x, y = m->y;
    *q = lanes_own_z(q, turn.half_sine, turn.half_cosine);
    m->x = d4_add_product(d4_mul(turn.cosine, x), turn.sine, y);
    m->y = d4_sub_product(d4_mul(turn.cosine, y), turn.sine, x);
    return d4_are_under(turn.square, lanes_limit(is_long));
}

TNI_KERNEL bool four_rotate_unequal(const four_turning *b, tni_d4 h, bool is_long,
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

// Do bodies turn slowly, as they nearly always do? Then the short series is enough.
TNI_KERNEL bool four_is_slow(const four_turning *bodies, tni_d4 h) {
    tni_d4 half = d4_mul(d4_splat(0.5), h);
    const tni_dv4 *w = &bodies->w;
    tni_dv4 r = {d4_mul(half, w->x), d4_mul(half, w->y), d4_mul(half, w->z)};
    return d4_are_under(dv4_dot(r, r), LANES_SMALL);
}

TNI_KERNEL tni_f4 four_flush(tni_d4 x, tni_f4 tiny) {
    tni_f4 number = d4_to_f4(x);
    return f4_pick(f4_less(f4_abs(number), tiny), f4_splat(0.0f), number);
}

// Returns the share of the inertia that is round-off, in float.
TNI_KERNEL tni_f4 four_get_tiny(const four_turning *b) {
    tni_d4 trace = d4_add(d4_add(d4_splat(3.0), b->rate_j), b->rate_k);
    return f4_mul(f4_splat(INERTIA_TINY_INVERSE), d4_to_f4(d4_mul(b->inverse, trace)));
}

// ---- in ---------------------------------------------------------------------------------------

// These are four bodies, and where they are.
typedef struct four_bodies {
    tni_body_motion *motion[INTEGRATE_LANES];
    const tni_inertia *inertia[INTEGRATE_LANES];
    four_turning turning;
    tni_d4 behind_w; // what stands there
    bool has_unequal, has_others;
} four_bodies;

// Loads four bodies. Lanes without a body follow the first one.
TNI_KERNEL void four_load(const tni_solver *solver, const tni_batch_bodies *batch, uint32_t count,
                          four_bodies *b) {
    tni_d4 q[INTEGRATE_LANES], w[INTEGRATE_LANES], rates[INTEGRATE_LANES];
    double inverse[INTEGRATE_LANES];
    b->has_others = b->has_unequal = false;
    for (uint32_t l = 0; l < INTEGRATE_LANES; ++l) {
        uint32_t body = batch->body[l < count ? l : 0];
        const tni_body_motion *motion = b->motion[l] = &solver->bodies.motions[body];
        const tni_inertia *own = b->inertia[l] = solver->bodies.masses[body].inertia;
        tni_dquat turned = inertia_turn_to_axes(own, motion->rotation);
        q[l] = d4_load_turned(&turned.x, own->axis_i);
        w[l] = d4_load_turned(&motion->angular_velocity.x, own->axis_i);
        rates[l] = d4_load(&own->ratio_j);
        inverse[l] = own->inverse;
        b->has_unequal |= own->rate_j != 0.0;
        b->has_others |= own->rate_j == 0.0;
    }
    d4_transpose(q);
    d4_transpose(w);
    d4_transpose(rates);
    b->turning = (four_turning){.q = {q[0], q[1], q[2], q[3]},
                                .w = {w[0], w[1], w[2]},
                                .inverse = d4_load(inverse),
                                .ratio_j = rates[0],
                                .ratio_k = rates[1],
                                .rate_j = rates[2],
                                .rate_k = rates[3]};
    b->behind_w = w[3];
}

// ---- out --------------------------------------------------------------------------------------

// These are the results, one body after the other.
typedef struct four_rows {
    tni_d4 q[INTEGRATE_LANES], w[INTEGRATE_LANES];
    float own[3][INTEGRATE_LANES], mixed[3][INTEGRATE_LANES];
} four_rows;

TNI_KERNEL void four_make_rows(const four_bodies *b, const four_results *from, four_rows *rows) {
    tni_f4 tiny = four_get_tiny(&b->turning);
    for (uint32_t c = 0; c < 3; ++c) {
        f4_store(rows->own[c], four_flush(from->inertia.own[c], tiny));
        f4_store(rows->mixed[c], four_flush(from->inertia.mixed[c], tiny));
    }
    rows->q[0] = from->q.x, rows->q[1] = from->q.y, rows->q[2] = from->q.z;
    rows->q[3] = from->q.w;
    rows->w[0] = from->w.x, rows->w[1] = from->w.y, rows->w[2] = from->w.z;
    rows->w[3] = b->behind_w;
    d4_transpose(rows->q);
    d4_transpose(rows->w);
}

TNI_KERNEL void four_write(const four_rows *rows, uint32_t lane, const tni_inertia *inertia,
                           tni_body_motion *motion, tni_body_state *state) {
    uint32_t i = inertia->axis_i;
    const uint32_t axes[3] = {i, i == 2 ? 0 : i + 1, i == 0 ? 2 : i - 1};
    float *numbers = state->numbers + TNI_STATE_INV_INERTIA;
    for (uint32_t c = 0; c < 3; ++c) {
        numbers[axes[c]] = rows->own[c][lane];
        numbers[5 - axes[c]] = rows->mixed[c][lane];
    }
    d4_store_turned(&motion->rotation.x, rows->q[lane], i);
    d4_store_turned(&motion->angular_velocity.x, rows->w[lane], i);
}

// Finishes bodies whose moments are all unequal, or the others; without results it does so one by
// one.
TNI_KERNEL void four_finish(tni_solver *solver, const tni_batch_bodies *batch, uint32_t count,
                            const four_bodies *b, const four_results *results, bool are_unequal) {
    four_rows rows;
    if (results != NULL) {
        four_make_rows(b, results, &rows);
    }
    for (uint32_t l = 0; l < count; ++l) {
        uint32_t body = batch->body[l];
        tni_body_motion *motion = b->motion[l];
        const tni_inertia *inertia = b->inertia[l];
        tni_dvec3 w = motion->angular_velocity;
        if (b->has_unequal && b->has_others && (inertia->rate_j != 0.0) != are_unequal) {
            continue;
        }
        if (results == NULL || inertia->is_round || (w.x == 0.0 && w.y == 0.0 && w.z == 0.0)) {
            tni_integrate_rotate(motion, &solver->bodies.masses[body], solver->dh, 1);
            tni_body_refresh_inertia(solver, body);
            continue;
        }
        four_write(&rows, l, inertia, motion, &solver->bodies.states[body]);
        if (inertia->is_turned) {
            motion->rotation = dquat_mul(motion->rotation, dquat_conjugate(inertia->axes));
            tni_body_refresh_inertia(solver, body);
        }
    }
}

void WIDE_NAME(tni_rotate_four)(tni_solver *solver, const tni_batch_bodies *batch, uint32_t count) {
    four_bodies b;
    four_results results;
    tni_d4 h = d4_splat(solver->dh);
    four_load(solver, batch, count, &b);
    bool is_long = !four_is_slow(&b.turning, h);
    if (b.has_unequal) {
        bool is_done = !is_long && four_rotate_unequal(&b.turning, h, false, &results);
        is_done = is_done || four_rotate_unequal(&b.turning, h, true, &results);
        four_finish(solver, batch, count, &b, is_done ? &results : NULL, true);
    }
    if (b.has_others) {
        bool is_done = !is_long && four_rotate_symmetric(&b.turning, h, false, &results);
        is_done = is_done || four_rotate_symmetric(&b.turning, h, true, &results);
        four_finish(solver, batch, count, &b, is_done ? &results : NULL, false);
    }
}
