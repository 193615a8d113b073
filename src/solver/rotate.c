// solver/rotate.c: a free body's rotation over one substep.
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
// No equation is to be solved. The map is symplectic, symmetric and of second order; it keeps L to
// round-off and the energy within a bound; the gyroscopic term is this, there is none to be
// switched on. With two equal moments only B is left and it is exact; with three, exp(h w). The
// middle moment as the measure makes (1/I_j - 1/I) (1/I_k - 1/I), of which the error is a multiple,
// smallest. Sources: J. Touma, J. Wisdom, "Lie-Poisson integrators for rigid body dynamics in the
// solar system", Astron. J. 107, 1994; F. Fasso, "Comparison of splitting algorithms for the rigid
// body", J. Comput. Phys. 189, 2003.
// Test: tests/solver/test_rotate.c
#include "solver/solver.h"

// rad: turns about e_j and e_k beyond this (their geometric mean) are cut into pieces, up to so
// many.
#define ROTATE_PIECE      0.25
#define ROTATE_MAX_PIECES 16
// (rad)^2: half an angle whose square is below this needs half of the series' terms.
#define ROTATE_SMALL 1e-3
#define ROTATE_LARGE 0.25

// cos(x) and sin(x)/x of x^2 by their series while x is small, which it nearly always is.
static void rotate_series(double x2, double *out_cos, double *out_sinc) {
    if (x2 < ROTATE_SMALL) {
        *out_cos = 1.0 + x2 * (-1.0 / 2.0 + x2 * (1.0 / 24.0 + x2 * (-1.0 / 720.0)));
        *out_sinc = 1.0 + x2 * (-1.0 / 6.0 + x2 * (1.0 / 120.0 + x2 * (-1.0 / 5040.0)));
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

// exp of the rotation vector r as a quaternion: (sinc(|r|/2)/2 r, cos(|r|/2)).
static tni_dquat rotate_exp(tni_dvec3 r) {
    double c, sinc;
    rotate_series(0.25 * dvec3_dot(r, r), &c, &sinc);
    return dquat_make(0.5 * sinc * r.x, 0.5 * sinc * r.y, 0.5 * sinc * r.z, c);
}

// Quaternion products are the same in any cyclic order of the axes, so that the axes of body and
// world are both read in the order i, j, k, as if these were x, y and z.
static tni_dvec3 rotate_read(tni_dvec3 v, int axis_i) {
    return axis_i == 0 ? v : axis_i == 1 ? dvec3_make(v.y, v.z, v.x) : dvec3_make(v.z, v.x, v.y);
}

static tni_dvec3 rotate_write(tni_dvec3 v, int axis_i) {
    return axis_i == 0 ? v : axis_i == 1 ? dvec3_make(v.z, v.x, v.y) : dvec3_make(v.y, v.z, v.x);
}

static tni_dquat rotate_read_quat(tni_dquat q, int axis_i) {
    tni_dvec3 v = rotate_read(dvec3_make(q.x, q.y, q.z), axis_i);
    return dquat_make(v.x, v.y, v.z, q.w);
}

static tni_dquat rotate_write_quat(tni_dquat q, int axis_i) {
    tni_dvec3 v = rotate_write(dvec3_make(q.x, q.y, q.z), axis_i);
    return dquat_make(v.x, v.y, v.z, q.w);
}

// The principal axes in the world, and the momentum along them over I_i.
typedef struct rotate_state {
    tni_dquat q;
    tni_dvec3 m;
} rotate_state;

// Turns the body about e_j; the momentum, which stays in the world, turns the other way in it.
static rotate_state rotate_about_j(rotate_state state, double angle) {
    double half = 0.5 * angle, cosine, sinc;
    rotate_series(half * half, &cosine, &sinc);
    double s = sinc * half, sine = 2.0 * s * cosine, versine = 2.0 * s * s;
    tni_dvec3 m = state.m;
    state.q = dquat_turn_y(state.q, s, cosine);
    state.m.z = m.z - versine * m.z + sine * m.x;
    state.m.x = m.x - versine * m.x - sine * m.z;
    return state;
}

static rotate_state rotate_about_k(rotate_state state, double angle) {
    double half = 0.5 * angle, cosine, sinc;
    rotate_series(half * half, &cosine, &sinc);
    double s = sinc * half, sine = 2.0 * s * cosine, versine = 2.0 * s * s;
    tni_dvec3 m = state.m;
    state.q = dquat_turn_z(state.q, s, cosine);
    state.m.x = m.x - versine * m.x + sine * m.y;
    state.m.y = m.y - versine * m.y - sine * m.x;
    return state;
}

// How many pieces for a substep. By |p| and not by the turns of now: pieces of changing length
// would let the energy drift.
static uint32_t rotate_count_pieces(tni_dvec3 p, double turn_j, double turn_k) {
    double square = dvec3_dot(p, p) * fabs(turn_j * turn_k);
    if (square < ROTATE_PIECE * ROTATE_PIECE) {
        return 1;
    }
    double count = sqrt(square) / ROTATE_PIECE;
    return count < ROTATE_MAX_PIECES ? 1 + (uint32_t)count : ROTATE_MAX_PIECES;
}

// A(h/2) B(h) A(h/2) in so many pieces, each of a time h; turn_j = h rate_j, turn_k = h rate_k. Of
// two pieces, the turns A that meet are one.
static rotate_state rotate_by_parts(rotate_state state, double turn_j, double turn_k,
                                    uint32_t pieces) {
    state = rotate_about_j(state, 0.5 * turn_j * state.m.y);
    for (uint32_t i = 1; i < pieces; ++i) {
        state = rotate_about_k(state, turn_k * state.m.z);
        state = rotate_about_j(state, turn_j * state.m.y);
    }
    state = rotate_about_k(state, turn_k * state.m.z);
    return rotate_about_j(state, 0.5 * turn_j * state.m.y);
}

// R exp(h p), kept of unit length.
static tni_dquat rotate_precess(tni_dquat q, tni_dvec3 p, double h) {
    return dquat_renormalize(dquat_mul(rotate_exp(dvec3_scale(p, h)), q));
}

// Two equal moments: `q` and `w` in the order i, j, k.
static tni_dquat rotate_symmetric(tni_dquat q, tni_dvec3 *w, const tni_inertia *inertia, double h) {
    tni_dvec3 e_k = dquat_axis_z(q);
    double w_k = dvec3_dot(*w, e_k), spin = w_k - inertia->ratio_k * w_k, half = 0.5 * h * spin;
    double cosine, sinc;
    tni_dvec3 p = dvec3_add_scaled(*w, -spin, e_k);
    rotate_series(half * half, &cosine, &sinc);
    q = rotate_precess(dquat_turn_z(q, sinc * half, cosine), p, h);
    *w = dvec3_add_scaled(p, spin, dquat_axis_z(q));
    return q;
}

// The rates change by what the momentum along the axes changed by, so that about a principal axis
// the speed keeps its bits.
static tni_dquat rotate_unequal(tni_dquat q, tni_dvec3 *w, const tni_inertia *inertia, double h,
                                uint32_t count) {
    tni_dvec3 e_j = dquat_axis_y(q), e_k = dquat_axis_z(q);
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
    q = rotate_precess(state.q, p, h * count);
    spin_j += inertia->rate_j * (state.m.y - m_j);
    spin_k += inertia->rate_k * (state.m.z - m_k);
    *w = dvec3_add_scaled(dvec3_add_scaled(p, spin_j, dquat_axis_y(q)), spin_k, dquat_axis_z(q));
    return q;
}

void tni_rotate_at_constant_velocity(tni_body_motion *motion, double h) {
    motion->rotation = rotate_precess(motion->rotation, motion->angular_velocity, h);
}

void tni_rotate_freely(tni_body_motion *motion, const tni_inertia *inertia, double h,
                       uint32_t count) {
    int i = inertia->axis_i;
    tni_dquat q = rotate_read_quat(inertia_turn_to_axes(inertia, motion->rotation), i);
    tni_dvec3 w = rotate_read(motion->angular_velocity, i);
    q = inertia->rate_j == 0.0 ? rotate_symmetric(q, &w, inertia, h * count)
                               : rotate_unequal(q, &w, inertia, h, count);
    q = rotate_write_quat(q, i);
    motion->angular_velocity = rotate_write(w, i);
    motion->rotation = inertia->is_turned ? dquat_mul(q, dquat_conjugate(inertia->axes)) : q;
}
