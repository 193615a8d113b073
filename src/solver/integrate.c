// solver/integrate.c: moves bodies: kicks by forces, drift at constant momentum.
//
// Free rotation. Between kicks the world angular momentum L = S(R) w, S(R) = R I R^T, is constant
// and R turns with w = S(R)^-1 L. In body axes with l = R^T L, the midpoint angular velocity O
// solves
//     I O = C^T l,      C = exp(h/2 O)         (momentum in the body axes halfway through)
// by Newton: (I - h/2 [C^T l]x) dO = C^T l - I O. Then R <- R C C and w = R I^-1 R^T L. The map is
// symmetric, of second order, keeps L to round-off and the energy within a bound; the gyroscopic
// term is this equation, there is none to be switched on. A body with equal moments turns at
// constant w, one with two equal ones in closed form. Source: E. Hairer, C. Lubich, G. Wanner,
// "Geometric numerical integration", 2006, VII.5 (rigid body); J. Simo, K. Wong, "Unconditionally
// stable algorithms for rigid body dynamics that exactly preserve energy and momentum", Int. J.
// Numer. Methods Eng. 31, 1991.
#include "solver/solver.h"

// Newton stops when the momentum balance is met to this share; it converges quadratically.
#define INTEGRATE_TOLERANCE  1e-13
#define INTEGRATE_MAX_NEWTON 12
// rad: of a step, beyond which the arms of contacts do not follow a body's rotation any further.
#define INTEGRATE_FOLLOWED_TURN 0.5f
// rad: in one substep, from which contacts get new masses after it.
#define INTEGRATE_STALE_TURN 0.02f
// m/s or rad/s: slower along an axis is at rest.
#define INTEGRATE_REST 1e-20
// A product of inertia under this share of the moments is round-off: see MATHS_TINY.
#define INTEGRATE_TINY_PRODUCT 1e-16

// exp of the rotation vector r as a quaternion: (sinc(|r|/2)/2 r, cos(|r|/2)), by their series
// while |r| is small, which it nearly always is in one substep.
static tni_dquat integrate_exp(tni_dvec3 r) {
    double x = 0.25 * dvec3_dot(r, r); // (|r|/2)^2
    double c, s;
    if (x < 0.25) {
        c = 1.0 / 40320.0 + x * (-1.0 / 3628800.0 + x * (1.0 / 479001600.0));
        c = 1.0 + x * (-1.0 / 2.0 + x * (1.0 / 24.0 + x * (-1.0 / 720.0 + x * c)));
        s = 1.0 / 362880.0 + x * (-1.0 / 39916800.0 + x * (1.0 / 6227020800.0));
        s = 1.0 + x * (-1.0 / 6.0 + x * (1.0 / 120.0 + x * (-1.0 / 5040.0 + x * s)));
    } else {
        double half = sqrt(x);
        c = tni_maths_cos(half);
        s = tni_maths_sin(half) / half;
    }
    return dquat_make(0.5 * s * r.x, 0.5 * s * r.y, 0.5 * s * r.z, c);
}

// Solves (I - [m]x) x = b for a symmetric I by Cramer's rule.
static tni_dvec3 integrate_solve_newton(const tni_dmat3 *inertia, tni_dvec3 m, tni_dvec3 b) {
    double a[3][3] = {{inertia->m[0][0], inertia->m[0][1] + m.z, inertia->m[0][2] - m.y},
                      {inertia->m[1][0] - m.z, inertia->m[1][1], inertia->m[1][2] + m.x},
                      {inertia->m[2][0] + m.y, inertia->m[2][1] - m.x, inertia->m[2][2]}};
    tni_dvec3 c0 = dvec3_make(a[0][0], a[1][0], a[2][0]);
    tni_dvec3 c1 = dvec3_make(a[0][1], a[1][1], a[2][1]);
    tni_dvec3 c2 = dvec3_make(a[0][2], a[1][2], a[2][2]);
    tni_dvec3 c12 = dvec3_cross(c1, c2);
    double det = dvec3_dot(c0, c12);
    double inverse = det > DBL_MIN || det < -DBL_MIN ? 1.0 / det : 0.0;
    return dvec3_make(inverse * dvec3_dot(b, c12), inverse * dvec3_dot(b, dvec3_cross(c2, c0)),
                      inverse * dvec3_dot(b, dvec3_cross(c0, c1)));
}

// The midpoint angular velocity in body axes for the body-frame momentum l. It starts from
// C^T l = l - h/2 w x l, right to second order. What a correction d leaves of the balance is of
// the size (h d)^2 of the momentum, so that a small one is the last.
static tni_dvec3 integrate_midpoint(const tni_body_mass *mass, tni_dvec3 l, double h) {
    tni_dvec3 w = dmat3_mul_vec(&mass->inv_inertia, l);
    tni_dvec3 start = dvec3_add_scaled(l, -0.5 * h, dvec3_cross(w, l));
    tni_dvec3 omega = dmat3_mul_vec(&mass->inv_inertia, start);
    double enough = INTEGRATE_TOLERANCE * INTEGRATE_TOLERANCE * dvec3_dot(l, l);
    for (int i = 0; i < INTEGRATE_MAX_NEWTON; ++i) {
        tni_dquat c = integrate_exp(dvec3_scale(omega, 0.5 * h));
        tni_dvec3 middle = dquat_rotate_inverse(c, l);
        tni_dvec3 residual = dvec3_sub(middle, dmat3_mul_vec(&mass->inertia, omega));
        if (dvec3_dot(residual, residual) <= enough) {
            break;
        }
        tni_dvec3 d =
            integrate_solve_newton(&mass->inertia, dvec3_scale(middle, 0.5 * h), residual);
        omega = dvec3_add(omega, d);
        if (h * h * dvec3_dot(d, d) <= INTEGRATE_TOLERANCE) {
            break;
        }
    }
    return omega;
}

// A body with two equal moments I_t beside I_a about the axis e turns in closed form, exactly:
// about L at |L| / I_t, and about its own axis at (1/I_a - 1/I_t) L·e, which is constant:
//     R(h) = exp(h L / I_t) R exp(h (1/I_a - 1/I_t) (L·e) e)
// (differentiate: the angular velocity of R(h) is L / I_t + (1/I_a - 1/I_t) (L·e) e = S^-1 L.)
static void integrate_rotate_symmetric(tni_body_motion *motion, const tni_body_mass *mass,
                                       double h) {
    int axis = mass->symmetry_axis, across = axis == 0 ? 1 : 0;
    double inv_t = mass->inv_inertia.m[across][across];
    double spin_rate = mass->inv_inertia.m[axis][axis] - inv_t;
    tni_dvec3 w = dquat_rotate_inverse(motion->rotation, motion->angular_velocity);
    tni_dvec3 l = dvec3_make(mass->inertia.m[0][0] * w.x, mass->inertia.m[1][1] * w.y,
                             mass->inertia.m[2][2] * w.z);
    tni_dvec3 momentum = dquat_rotate(motion->rotation, l);
    double spin = spin_rate * (axis == 0 ? l.x : (axis == 1 ? l.y : l.z));
    tni_dvec3 own =
        dvec3_make(axis == 0 ? spin : 0.0, axis == 1 ? spin : 0.0, axis == 2 ? spin : 0.0);
    tni_dquat precession = integrate_exp(dvec3_scale(momentum, h * inv_t));
    tni_dquat turn = integrate_exp(dvec3_scale(own, h));
    motion->rotation = dquat_normalize(dquat_mul(dquat_mul(precession, motion->rotation), turn));
    motion->angular_velocity =
        dvec3_add_scaled(dquat_rotate(motion->rotation, own), inv_t, momentum);
}

static void integrate_rotate(tni_body_motion *motion, const tni_body_mass *mass, double h) {
    tni_dvec3 w = motion->angular_velocity;
    if (w.x == 0.0 && w.y == 0.0 && w.z == 0.0) {
        return;
    }
    if (mass->is_isotropic || !mass->is_dynamic || mass->locks >= TN_BODY_LOCK_ANGULAR_X) {
        tni_dquat turn = integrate_exp(dvec3_scale(w, h));
        motion->rotation = dquat_normalize(dquat_mul(turn, motion->rotation));
        return;
    }
    if (mass->symmetry_axis >= 0) {
        integrate_rotate_symmetric(motion, mass, h);
        return;
    }
    tni_dvec3 l = dmat3_mul_vec(&mass->inertia, dquat_rotate_inverse(motion->rotation, w));
    tni_dvec3 omega = integrate_midpoint(mass, l, h);
    tni_dquat turn = integrate_exp(dvec3_scale(omega, h));
    motion->rotation = dquat_normalize(dquat_mul(motion->rotation, turn));
    tni_dvec3 l_end = dquat_rotate_inverse(turn, l);
    motion->angular_velocity =
        dquat_rotate(motion->rotation, dmat3_mul_vec(&mass->inv_inertia, l_end));
}

// The world inverse inertia with locked axes taken out: the inverse of the unlocked part of S.
static tni_sym3 integrate_lock_inertia(const tni_dmat3 *inv, uint32_t locks) {
    tni_sym3 s = dmat3_to_sym3(inv);
    bool x = (locks & TN_BODY_LOCK_ANGULAR_X) != 0;
    bool y = (locks & TN_BODY_LOCK_ANGULAR_Y) != 0;
    bool z = (locks & TN_BODY_LOCK_ANGULAR_Z) != 0;
    // Holding one axis i subtracts the column's projection: s - s_i s_i^T / s_ii, one axis at a
    // time.
    for (int i = 0; i < 3; ++i) {
        if ((i == 0 && !x) || (i == 1 && !y) || (i == 2 && !z)) {
            continue;
        }
        vec3s column = i == 0   ? maths_vec3(s.xx, s.xy, s.xz)
                       : i == 1 ? maths_vec3(s.xy, s.yy, s.yz)
                                : maths_vec3(s.xz, s.yz, s.zz);
        float inverse = maths_inverse_or_zero(column.raw[i]);
        s.xx -= column.x * column.x * inverse;
        s.yy -= column.y * column.y * inverse;
        s.zz -= column.z * column.z * inverse;
        s.xy -= column.x * column.y * inverse;
        s.xz -= column.x * column.z * inverse;
        s.yz -= column.y * column.z * inverse;
        if (i == 0) {
            s.xx = s.xy = s.xz = 0.0f;
        } else if (i == 1) {
            s.yy = s.xy = s.yz = 0.0f;
        } else {
            s.zz = s.xz = s.yz = 0.0f;
        }
    }
    return s;
}

// R T R^T: a symmetric tensor given in body axes, in world axes.
static tni_dmat3 integrate_turn_tensor(const tni_dmat3 *tensor, tni_dquat rotation) {
    tni_dmat3 r = dmat3_from_quat(rotation), rt = dmat3_mul(&r, tensor), s;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j) {
            s.m[i][j] = rt.m[i][0] * r.m[j][0] + rt.m[i][1] * r.m[j][1] + rt.m[i][2] * r.m[j][2];
            s.m[j][i] = s.m[i][j];
        }
    }
    return s;
}

// The inverse of the world inertia with the added part of geometric stiffness.
static void integrate_stiffen_inertia(tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->masses[body];
    tni_dmat3 s = integrate_turn_tensor(&mass->inertia, solver->motions[body].rotation), inverse;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            s.m[i][j] += solver->added_inertia[body].m[i][j];
        }
    }
    if (tni_maths_invert_spd(&s, &inverse)) {
        solver->states[body].inv_inertia = integrate_lock_inertia(&inverse, mass->locks);
    }
}

void tni_integrate_refresh_inertia(tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->masses[body];
    tni_body_state *state = &solver->states[body];
    if (!mass->is_dynamic) {
        return;
    }
    if (solver->has_added_inertia[body]) {
        integrate_stiffen_inertia(solver, body);
        return;
    }
    if (mass->is_isotropic && mass->locks < TN_BODY_LOCK_ANGULAR_X) {
        float inverse = (float)mass->inv_inertia.m[0][0];
        state->inv_inertia = (tni_sym3){inverse, inverse, inverse, 0.0f, 0.0f, 0.0f};
        return;
    }
    tni_dmat3 s = integrate_turn_tensor(&mass->inv_inertia, solver->motions[body].rotation);
    if (mass->locks >= TN_BODY_LOCK_ANGULAR_X) {
        state->inv_inertia = integrate_lock_inertia(&s, mass->locks);
    } else {
        double tiny = INTEGRATE_TINY_PRODUCT * (s.m[0][0] + s.m[1][1] + s.m[2][2]);
        s.m[0][1] = fabs(s.m[0][1]) < tiny ? 0.0 : s.m[0][1];
        s.m[0][2] = fabs(s.m[0][2]) < tiny ? 0.0 : s.m[0][2];
        s.m[1][2] = fabs(s.m[1][2]) < tiny ? 0.0 : s.m[1][2];
        state->inv_inertia = dmat3_to_sym3(&s);
    }
}

// Half a substep of gravity, applied force and torque, and damping (each half divides by 1 + h/2
// c).
static void integrate_kick_body(tni_solver *solver, uint32_t i) {
    const tni_body_mass *mass = &solver->masses[i];
    tni_body_motion *motion = &solver->motions[i];
    tni_body_state *state = &solver->states[i];
    if (mass->is_dynamic) {
        double half = 0.5 * solver->dh;
        motion->velocity = dvec3_add_scaled(motion->velocity, half, mass->acceleration);
        tni_dvec3 t = mass->torque;
        if (t.x != 0.0 || t.y != 0.0 || t.z != 0.0) {
            vec3s turn = sym3_mul(state->inv_inertia, dvec3_to_float(t));
            motion->angular_velocity =
                dvec3_add_scaled(motion->angular_velocity, half, dvec3_from_float(turn));
        }
        if (mass->linear_damping > 0.0f) {
            motion->velocity =
                dvec3_scale(motion->velocity, 1.0 / (1.0 + half * (double)mass->linear_damping));
        }
        if (mass->angular_damping > 0.0f) {
            motion->angular_velocity = dvec3_scale(
                motion->angular_velocity, 1.0 / (1.0 + half * (double)mass->angular_damping));
        }
    }
    state->v = dvec3_to_float(motion->velocity);
    state->w = dvec3_to_float(motion->angular_velocity);
}

void tni_integrate_kick(tni_solver *solver) {
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        integrate_kick_body(solver, i);
    }
}

// Speeds too small to mean anything are zero: denormal numbers are slow.
static tni_dvec3 integrate_flush(tni_dvec3 v) {
    return dvec3_make(fabs(v.x) < INTEGRATE_REST ? 0.0 : v.x,
                      fabs(v.y) < INTEGRATE_REST ? 0.0 : v.y,
                      fabs(v.z) < INTEGRATE_REST ? 0.0 : v.z);
}

void tni_integrate_collect(tni_solver *solver) {
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        tni_body_motion *motion = &solver->motions[i];
        const tni_body_state *state = &solver->states[i];
        vec3s dv = glms_vec3_sub(state->v, dvec3_to_float(motion->velocity));
        vec3s dw = glms_vec3_sub(state->w, dvec3_to_float(motion->angular_velocity));
        motion->velocity = integrate_flush(dvec3_add(motion->velocity, dvec3_from_float(dv)));
        motion->angular_velocity =
            integrate_flush(dvec3_add(motion->angular_velocity, dvec3_from_float(dw)));
    }
}

// The rotation that contacts follow to first order is kept to what first order is good for.
static vec3s integrate_follow_turn(vec3s turn, float h, vec3s w) {
    turn = maths_vec3_add_scaled(turn, h, w);
    float square = glms_vec3_dot(turn, turn);
    if (square > INTEGRATE_FOLLOWED_TURN * INTEGRATE_FOLLOWED_TURN) {
        turn = glms_vec3_scale(turn, INTEGRATE_FOLLOWED_TURN / sqrtf(square));
    }
    return turn;
}

static void integrate_note_turning(tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->masses[body];
    vec3s w = solver->states[body].w;
    float square = solver->h * solver->h * glms_vec3_dot(w, w);
    bool is_turning = mass->is_dynamic && !mass->is_isotropic &&
                      square > INTEGRATE_STALE_TURN * INTEGRATE_STALE_TURN;
    solver->is_turning[body] = is_turning;
    solver->has_turning |= is_turning;
}

void tni_integrate_drift(tni_solver *solver) {
    solver->has_turning = false;
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        tni_body_motion *motion = &solver->motions[i];
        tni_body_delta *delta = &solver->deltas[i];
        const tni_body_state *state = &solver->states[i];
        motion->position = dvec3_add_scaled(motion->position, solver->dh, motion->velocity);
        integrate_rotate(motion, &solver->masses[i], solver->dh);
        delta->position = maths_vec3_add_scaled(delta->position, solver->h, state->v);
        delta->rotation = integrate_follow_turn(delta->rotation, solver->h, state->w);
        integrate_note_turning(solver, i);
        tni_integrate_refresh_inertia(solver, i);
    }
}
