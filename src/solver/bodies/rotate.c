// solver/bodies/rotate.c: a free body's rotation over one substep.
//
// With the principal axes e_i, e_j, e_k (core/inertia.h), l the momentum along them, L that in the
// world and the middle moment I = I_i, the energy is a sum of three parts, each of which alone
// turns the body at a constant rate about a fixed axis:
//     H = L^2 / 2I                about L in the world          at L / I
//       + (1/I_j - 1/I) l_j^2 / 2   about e_j, fixed in the body  at (1/I_j - 1/I) l_j = rate_j m_j
//       + (1/I_k - 1/I) l_k^2 / 2   about e_k                     at rate_k m_k
// with m = l / I, p = L / I. The first commutes with the others, so a substep is
//     R(h) = exp(h p) R A(h/2) B(h) A(h/2),   A, B the turns about e_j and e_k,
//     w = p + rate_j m_j e_j + rate_k m_k e_k.
// No equation has to be solved. The map is symplectic, symmetric and of second order; it keeps L to
// round-off and the energy within a bound; this is the gyroscopic term, and there is no other one
// to be switched on. With two equal moments only B is left and it is exact; with three, exp(h w).
// The error is a multiple of (1/I_j - 1/I) (1/I_k - 1/I), which is smallest with the middle moment
// for I. Sources: J. Touma, J. Wisdom, "Lie-Poisson integrators for rigid body dynamics in the
// solar system", Astron. J. 107, 1994; F. Fasso, "Comparison of splitting algorithms for the rigid
// body", J. Comput. Phys. 189, 2003.
// Test: tests/solver/bodies/test_rotate.c
#include "core/simd_double.h"
#include "solver/solver.h"

// rad: turns about e_j and e_k beyond this (their geometric mean) are cut into pieces, up to
// MAX_PIECES.
#define ROTATE_PIECE      0.25
#define ROTATE_MAX_PIECES 16
// (rad)^2: half an angle whose square is below this needs half of the series' terms.
#define ROTATE_SMALL 1e-3
#define ROTATE_LARGE 0.25
// A quaternion whose square is this near to 1 is brought to 1 by the first term of the series.
#define ROTATE_NEAR_UNIT 1e-8

// This is a rotation; its products are worked out two numbers at once.
typedef struct rotate_quat {
    tni_d2 xy, zw;
} rotate_quat;

// Finds cos(x) and sin(x)/x of x^2 by their series while x is small, which it nearly always is.
TNI_KERNEL void rotate_series(double x2, double *out_cos, double *out_sinc) {
    if (x2 < ROTATE_SMALL) {
        // The two halves of the sum stand side by side: the processor has a shorter way.
        tni_d2 x = d2_splat(x2);
        tni_d2 low = d2_add_product(d2_splat(1.0), d2_make(-1.0 / 2.0, -1.0 / 6.0), x);
        tni_d2 high = d2_add_product(d2_make(1.0 / 24.0, 1.0 / 120.0),
                                     d2_make(-1.0 / 720.0, -1.0 / 5040.0), x);
        tni_d2 sum = d2_add_product(low, d2_mul(x, x), high);
        *out_cos = d2_low(sum);
        *out_sinc = d2_high(sum);
    } else if (x2 < ROTATE_LARGE) {
        double c = 1.0 / 40320.0 + x2 * (-1.0 / 3628800.0 + x2 * (1.0 / 479001600.0));
        double s = 1.0 / 362880.0 + x2 * (-1.0 / 39916800.0 + x2 * (1.0 / 6227020800.0));
        *out_cos = 1.0 + x2 * (-1.0 / 2.0 + x2 * (1.0 / 24.0 + x2 * (-1.0 / 720.0 + x2 * c)));
        *out_sinc = 1.0 + x2 * (-1.0 / 6.0 + x2 * (1.0 / 120.0 + x2 * (-1.0 / 5040.0 + x2 * s)));
    } else {
        double x = sqrt(x2);
        *out_cos = tni_maths_cos(x);
        *out_sinc = tni_maths_sin(x) / x;
    }
}

// These return q times (0, s, 0, c) and (0, 0, s, c): q turned about an axis of its own.
TNI_KERNEL rotate_quat rotate_own_y(rotate_quat q, double s, double c) {
    tni_d2 cosine = d2_splat(c), sine = d2_make(-s, s);
    rotate_quat r = {d2_add_product(d2_mul(cosine, q.xy), sine, q.zw),
                     d2_sub(d2_mul(cosine, q.zw), d2_mul(sine, q.xy))};
    return r;
}

TNI_KERNEL rotate_quat rotate_own_z(rotate_quat q, double s, double c) {
    tni_d2 cosine = d2_splat(c), sine = d2_make(s, -s);
    rotate_quat r = {d2_add_product(d2_mul(cosine, q.xy), sine, d2_swap(q.xy)),
                     d2_add_product(d2_mul(cosine, q.zw), sine, d2_swap(q.zw))};
    return r;
}

// Returns exp(r) q, with r a rotation vector: (sinc(|r|/2)/2 r, cos(|r|/2)) times q, kept of unit
// length.
TNI_KERNEL rotate_quat rotate_precess(rotate_quat q, tni_dvec3 r) {
    double c, sinc;
    rotate_series(0.25 * dvec3_dot(r, r), &c, &sinc);
    double x = 0.5 * sinc * r.x, y = 0.5 * sinc * r.y, z = 0.5 * sinc * r.z;
    tni_d2 cosine = d2_splat(c), xs = d2_make(x, -x), ys = d2_splat(y), zs = d2_make(-z, z);
    tni_d2 xy = d2_add_product(d2_mul(cosine, q.xy), xs, d2_swap(q.zw));
    tni_d2 zw = d2_add_product(d2_mul(cosine, q.zw), xs, d2_swap(q.xy));
    xy = d2_add(xy, d2_add_product(d2_mul(ys, q.zw), zs, d2_swap(q.xy)));
    zw = d2_sub(zw, d2_add_product(d2_mul(ys, q.xy), zs, d2_swap(q.zw)));
    double excess = d2_sum(d2_add_product(d2_mul(xy, xy), zw, zw)) - 1.0;
    double scale = fabs(excess) < ROTATE_NEAR_UNIT ? 1.0 - 0.5 * excess : 1.0 / sqrt(1.0 + excess);
    rotate_quat unit = {d2_mul(d2_splat(scale), xy), d2_mul(d2_splat(scale), zw)};
    return unit;
}

TNI_KERNEL tni_dvec3 rotate_axis_y(rotate_quat q) {
    tni_dquat r = dquat_make(d2_low(q.xy), d2_high(q.xy), d2_low(q.zw), d2_high(q.zw));
    return dquat_axis_y(r);
}

TNI_KERNEL tni_dvec3 rotate_axis_z(rotate_quat q) {
    double z = d2_low(q.zw), w = d2_high(q.zw);
    tni_d2 half = d2_add_product(d2_mul(d2_splat(z), q.xy), d2_make(w, -w), d2_swap(q.xy));
    return dvec3_make(2.0 * d2_low(half), 2.0 * d2_high(half),
                      1.0 - 2.0 * d2_sum(d2_mul(q.xy, q.xy)));
}

// ---- unequal moments -----------------------------------------------------------------------

// The state has the principal axes in the world, and the momentum along them over I_i.
typedef struct rotate_state {
    rotate_quat q;
    tni_dvec3 m;
} rotate_state;

// Turns the body about e_j; the momentum, which stays in the world, turns the other way in it. The
// quaternion takes half the angle, and the momentum the whole one by a series of its own: the next
// angle waits for the momentum, and need not wait for both.
TNI_KERNEL rotate_state rotate_about_j(rotate_state state, double angle) {
    double half = 0.5 * angle, cosine, sinc, half_cosine, half_sinc;
    rotate_series(angle * angle, &cosine, &sinc);
    rotate_series(half * half, &half_cosine, &half_sinc);
    double sine = angle * sinc;
    tni_dvec3 m = state.m;
    state.q = rotate_own_y(state.q, half * half_sinc, half_cosine);
    state.m.z = cosine * m.z + sine * m.x;
    state.m.x = cosine * m.x - sine * m.z;
    return state;
}

TNI_KERNEL rotate_state rotate_about_k(rotate_state state, double angle) {
    double half = 0.5 * angle, cosine, sinc, half_cosine, half_sinc;
    rotate_series(angle * angle, &cosine, &sinc);
    rotate_series(half * half, &half_cosine, &half_sinc);
    double sine = angle * sinc;
    tni_dvec3 m = state.m;
    state.q = rotate_own_z(state.q, half * half_sinc, half_cosine);
    state.m.x = cosine * m.x + sine * m.y;
    state.m.y = cosine * m.y - sine * m.x;
    return state;
}

// Returns how many pieces a substep takes. It goes by |p| and not by the present turns: pieces of
// changing length would let the energy drift.
static uint32_t rotate_count_pieces(tni_dvec3 p, double turn_j, double turn_k) {
    double square = dvec3_dot(p, p) * fabs(turn_j * turn_k);
    if (square < ROTATE_PIECE * ROTATE_PIECE) {
        return 1;
    }
    double count = sqrt(square) / ROTATE_PIECE;
    return count < ROTATE_MAX_PIECES ? 1 + (uint32_t)count : ROTATE_MAX_PIECES;
}

// Applies A(h/2) B(h) A(h/2) in `pieces` pieces, each of a time h; turn_j = h rate_j, turn_k = h
// rate_k. The turns A of two pieces that meet are one.
TNI_KERNEL rotate_state rotate_by_parts(rotate_state state, double turn_j, double turn_k,
                                        uint32_t pieces) {
    state = rotate_about_j(state, 0.5 * turn_j * state.m.y);
    for (uint32_t i = 1; i < pieces; ++i) {
        state = rotate_about_k(state, turn_k * state.m.z);
        state = rotate_about_j(state, turn_j * state.m.y);
    }
    state = rotate_about_k(state, turn_k * state.m.z);
    return rotate_about_j(state, 0.5 * turn_j * state.m.y);
}

// ---- in the order i, j, k ------------------------------------------------------------------
//
// Quaternion products are the same in any cyclic order of the axes, so that the axes of body and
// world are both read in the order i, j, k, as if these were x, y and z.

static rotate_quat rotate_symmetric(rotate_quat q, tni_dvec3 *w, const tni_inertia *inertia,
                                    double h) {
    tni_dvec3 e_k = rotate_axis_z(q);
    double w_k = dvec3_dot(*w, e_k), spin = w_k - inertia->ratio_k * w_k, half = 0.5 * h * spin;
    double cosine, sinc;
    tni_dvec3 p = dvec3_add_scaled(*w, -spin, e_k);
    rotate_series(half * half, &cosine, &sinc);
    q = rotate_precess(rotate_own_z(q, sinc * half, cosine), dvec3_scale(p, h));
    *w = dvec3_add_scaled(p, spin, rotate_axis_z(q));
    return q;
}

// Rotates a body of unequal moments. The rates change by as much as the momentum along the axes, so
// that about a principal axis the speed keeps its bits.
static rotate_quat rotate_unequal(rotate_quat q, tni_dvec3 *w, const tni_inertia *inertia, double h,
                                  uint32_t count) {
    tni_dvec3 e_j = rotate_axis_y(q), e_k = rotate_axis_z(q);
    double w_j = dvec3_dot(*w, e_j), w_k = dvec3_dot(*w, e_k);
    double m_j = inertia->ratio_j * w_j, m_k = inertia->ratio_k * w_k;
    double spin_j = w_j - m_j, spin_k = w_k - m_k; // rate_j m_j, rate_k m_k
    tni_dvec3 p = dvec3_add_scaled(dvec3_add_scaled(*w, -spin_j, e_j), -spin_k, e_k);
    rotate_state state = {q, {dvec3_dot(*w, dvec3_cross(e_j, e_k)), m_j, m_k}};
    double turn_j = h * inertia->rate_j, turn_k = h * inertia->rate_k;
    uint32_t pieces = rotate_count_pieces(p, turn_j, turn_k);
    if (pieces > 1) {
        turn_j /= pieces;
        turn_k /= pieces;
    }
    state = rotate_by_parts(state, turn_j, turn_k, count * pieces);
    q = rotate_precess(state.q, dvec3_scale(p, h * count));
    spin_j += inertia->rate_j * (state.m.y - m_j);
    spin_k += inertia->rate_k * (state.m.z - m_k);
    *w = dvec3_add_scaled(dvec3_add_scaled(p, spin_j, rotate_axis_y(q)), spin_k, rotate_axis_z(q));
    return q;
}

void tni_rotate_at_constant_velocity(tni_body_motion *motion, double h) {
    tni_dquat q = motion->rotation;
    rotate_quat r = {d2_make(q.x, q.y), d2_make(q.z, q.w)};
    r = rotate_precess(r, dvec3_scale(motion->angular_velocity, h));
    motion->rotation = dquat_make(d2_low(r.xy), d2_high(r.xy), d2_low(r.zw), d2_high(r.zw));
}

void tni_rotate_freely(tni_body_motion *motion, const tni_inertia *inertia, double h,
                       uint32_t count) {
    int i = inertia->axis_i, j = i == 2 ? 0 : i + 1, k = i == 0 ? 2 : i - 1;
    tni_dquat turned = inertia_turn_to_axes(inertia, motion->rotation);
    const double *from = &turned.x;
    double *w = &motion->angular_velocity.x, *to = &motion->rotation.x;
    rotate_quat q = {d2_make(from[i], from[j]), d2_make(from[k], turned.w)};
    tni_dvec3 speed = dvec3_make(w[i], w[j], w[k]);
    q = inertia->rate_j == 0.0 ? rotate_symmetric(q, &speed, inertia, h * count)
                               : rotate_unequal(q, &speed, inertia, h, count);
    w[i] = speed.x;
    w[j] = speed.y;
    w[k] = speed.z;
    to[i] = d2_low(q.xy);
    to[j] = d2_high(q.xy);
    to[k] = d2_low(q.zw);
    motion->rotation.w = d2_high(q.zw);
    if (inertia->is_turned) {
        motion->rotation = dquat_mul(motion->rotation, dquat_conjugate(inertia->axes));
    }
}
