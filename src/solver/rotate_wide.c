// solver/rotate_wide.c: four bodies of unequal moments through a substep at constant momentum.
//
// The algorithm, its symbols and the order of its sums are those of solver/rotate.c, which also
// does what is not usual: turns too large for the long series. Bodies with two equal moments and
// with three different ones go different ways there; lanes take both where both are among the four,
// and each body keeps its own. Test: tests/solver/test_integrate_pass.c
#include "solver/integrate.h"
#include "solver/rotate_lanes.h"

// As ROTATE_PIECE in solver/rotate.c.
#define FOUR_PIECE 0.25

// Four bodies with their axes in the order i, j, k.
typedef struct four_bodies {
    rotate_lanes q;
    tni_dv4 w;
    tni_d4 ratio_j, ratio_k, rate_j, rate_k;
    int axes[INTEGRATE_LANES][3];
    bool has_symmetric, has_unequal;
} four_bodies;

typedef struct four_results {
    double q[4][INTEGRATE_LANES], w[3][INTEGRATE_LANES];
} four_results;

TNI_FORCE_INLINE tni_d4 four_pick(const double *const from[4], const int axes[4][3], int c) {
    return d4_make(from[0][axes[0][c]], from[1][axes[1][c]], from[2][axes[2][c]],
                   from[3][axes[3][c]]);
}

TNI_FORCE_INLINE void four_load(const tni_solver *solver, const tni_batch_bodies *batch,
                                four_bodies *b) {
    tni_dquat turned[INTEGRATE_LANES];
    const double *q[INTEGRATE_LANES], *w[INTEGRATE_LANES];
    const tni_inertia *of[INTEGRATE_LANES];
    b->has_symmetric = b->has_unequal = false;
    for (uint32_t l = 0; l < INTEGRATE_LANES; ++l) {
        const tni_body_motion *motion = &solver->motions[batch->body[l]];
        of[l] = solver->masses[batch->body[l]].inertia;
        int i = of[l]->axis_i;
        b->axes[l][0] = i;
        b->axes[l][1] = i == 2 ? 0 : i + 1;
        b->axes[l][2] = i == 0 ? 2 : i - 1;
        turned[l] = inertia_turn_to_axes(of[l], motion->rotation);
        q[l] = &turned[l].x;
        w[l] = &motion->angular_velocity.x;
        b->has_unequal |= of[l]->rate_j != 0.0;
        b->has_symmetric |= of[l]->rate_j == 0.0;
    }
    const int(*axes)[3] = (const int(*)[3])b->axes;
    b->q = (rotate_lanes){four_pick(q, axes, 0), four_pick(q, axes, 1), four_pick(q, axes, 2),
                          d4_make(turned[0].w, turned[1].w, turned[2].w, turned[3].w)};
    b->w = (tni_dv4){four_pick(w, axes, 0), four_pick(w, axes, 1), four_pick(w, axes, 2)};
    tni_d4 rates[4] = {d4_load(&of[0]->ratio_j), d4_load(&of[1]->ratio_j), d4_load(&of[2]->ratio_j),
                       d4_load(&of[3]->ratio_j)};
    d4_transpose(rates);
    b->ratio_j = rates[0];
    b->ratio_k = rates[1];
    b->rate_j = rates[2];
    b->rate_k = rates[3];
}

// exp(h p) q. False where that is too large a turn.
TNI_FORCE_INLINE bool four_precess(rotate_lanes *q, const tni_dv4 *p, tni_d4 h, bool is_long) {
    tni_dv4 r = {d4_mul(p->x, h), d4_mul(p->y, h), d4_mul(p->z, h)};
    tni_d4 x2 = d4_mul(d4_splat(0.25), dv4_dot(r, r));
    rotate_lanes turned = lanes_precess(q, r.x, r.y, r.z, x2, is_long);
    tni_d4 excess = lanes_get_excess(&turned);
    *q = lanes_to_unit(&turned, excess);
    return lanes_are_under(x2, lanes_limit(is_long)) && lanes_are_under(excess, LANES_NEAR_UNIT);
}

TNI_FORCE_INLINE void four_store(const rotate_lanes *q, const tni_dv4 *w, four_results *out) {
    d4_store(out->q[0], q->x);
    d4_store(out->q[1], q->y);
    d4_store(out->q[2], q->z);
    d4_store(out->q[3], q->w);
    d4_store(out->w[0], w->x);
    d4_store(out->w[1], w->y);
    d4_store(out->w[2], w->z);
}

TNI_FORCE_INLINE bool four_rotate_symmetric(const four_bodies *b, tni_d4 h, bool is_long,
                                            four_results *out) {
    tni_dv4 e_k = lanes_axis_z(&b->q);
    tni_d4 w_k = dv4_dot(b->w, e_k);
    tni_d4 spin = d4_sub_product(w_k, b->ratio_k, w_k);
    tni_d4 half = d4_mul(d4_mul(d4_splat(0.5), h), spin), square = d4_mul(half, half);
    tni_dv4 p = dv4_sub_scaled(b->w, spin, e_k);
    rotate_lanes q =
        lanes_own_z(&b->q, d4_mul(lanes_sinc(square, is_long), half), lanes_cos(square, is_long));
    bool is_small =
        four_precess(&q, &p, h, is_long) && lanes_are_under(square, lanes_limit(is_long));
    e_k = lanes_axis_z(&q);
    tni_dv4 w = dv4_add_scaled(p, spin, e_k);
    four_store(&q, &w, out);
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
    return lanes_are_under(turn.square, lanes_limit(is_long));
}

TNI_FORCE_INLINE bool four_turn_k(rotate_lanes *q, tni_dv4 *m, tni_d4 angle, bool is_long) {
    four_turn turn = four_make_turn(angle, is_long);
    tni_d4 x = m->x, y = m->y;
    *q = lanes_own_z(q, turn.half_sine, turn.half_cosine);
    m->x = d4_add_product(d4_mul(turn.cosine, x), turn.sine, y);
    m->y = d4_sub_product(d4_mul(turn.cosine, y), turn.sine, x);
    return lanes_are_under(turn.square, lanes_limit(is_long));
}

TNI_FORCE_INLINE bool four_rotate_unequal(const four_bodies *b, tni_d4 h, bool is_long,
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
    bool is_small = lanes_are_under(piece, FOUR_PIECE * FOUR_PIECE);
    is_small &= four_turn_j(&q, &m, d4_mul(half_j, m.y), is_long);
    is_small &= four_turn_k(&q, &m, d4_mul(turn_k, m.z), is_long);
    is_small &= four_turn_j(&q, &m, d4_mul(half_j, m.y), is_long);
    is_small &= four_precess(&q, &p, h, is_long);
    spin_j = d4_add_product(spin_j, b->rate_j, d4_sub(m.y, m_j));
    spin_k = d4_add_product(spin_k, b->rate_k, d4_sub(m.z, m_k));
    e_j = lanes_axis_y(&q);
    e_k = lanes_axis_z(&q);
    tni_dv4 w = dv4_add_scaled(dv4_add_scaled(p, spin_j, e_j), spin_k, e_k);
    four_store(&q, &w, out);
    return is_small;
}

TNI_FORCE_INLINE void four_write(const four_results *from, uint32_t lane, const int axes[3],
                                 const tni_inertia *inertia, tni_body_motion *motion) {
    double *w = &motion->angular_velocity.x, *q = &motion->rotation.x;
    for (int c = 0; c < 3; ++c) {
        w[axes[c]] = from->w[c][lane];
        q[axes[c]] = from->q[c][lane];
    }
    motion->rotation.w = from->q[3][lane];
    if (inertia->is_turned) {
        motion->rotation = dquat_mul(motion->rotation, dquat_conjugate(inertia->axes));
    }
}

TNI_FORCE_INLINE bool four_rotate(const four_bodies *bodies, tni_d4 h, bool is_long,
                                  four_results *symmetric, four_results *unequal) {
    return (!bodies->has_symmetric || four_rotate_symmetric(bodies, h, is_long, symmetric)) &&
           (!bodies->has_unequal || four_rotate_unequal(bodies, h, is_long, unequal));
}

// As long as bodies turn slowly the short series is enough, which is nearly always.
TNI_FORCE_INLINE bool four_is_slow(const four_bodies *bodies, tni_d4 h) {
    tni_d4 half = d4_mul(d4_splat(0.5), h);
    const tni_dv4 *w = &bodies->w;
    tni_dv4 r = {d4_mul(half, w->x), d4_mul(half, w->y), d4_mul(half, w->z)};
    return lanes_are_under(dv4_dot(r, r), LANES_SMALL);
}

bool WIDE_NAME(tni_rotate_four)(const tni_solver *solver, const tni_batch_bodies *batch) {
    four_bodies bodies;
    four_results symmetric = {0}, unequal = {0};
    tni_d4 h = d4_splat(solver->dh);
    four_load(solver, batch, &bodies);
    bool is_small = four_is_slow(&bodies, h) ? four_rotate(&bodies, h, false, &symmetric, &unequal)
                                             : four_rotate(&bodies, h, true, &symmetric, &unequal);
    for (uint32_t l = 0; l < INTEGRATE_LANES && is_small; ++l) {
        tni_body_motion *motion = &solver->motions[batch->body[l]];
        const tni_body_mass *mass = &solver->masses[batch->body[l]];
        const tni_inertia *inertia = mass->inertia;
        tni_dvec3 w = motion->angular_velocity;
        if (inertia->is_round || (w.x == 0.0 && w.y == 0.0 && w.z == 0.0)) {
            tni_integrate_rotate(motion, mass, solver->dh, 1);
        } else {
            four_write(inertia->rate_j == 0.0 ? &symmetric : &unequal, l, bodies.axes[l], inertia,
                       motion);
        }
    }
    return is_small;
}
