// solver/midpoint.c: a mechanism's substep by the implicit midpoint rule, rows closed at its end.
//
// Symbols: h the substep, t = h/2; x, R a body's centre and rotation, m, I its mass and inertia in
// body axes, S(R) = R I R^T; V = (v, w) its velocities halfway, unknown; f, n applied force and
// torque; C the errors of the rows, J their Jacobian; l the rows' impulses over t, unknown.
//     halfway   x_m = x_0 + t v,   R_m = Cay(t w) R_0;     end   x_1 = x_0 + h v, R_1 = Cay(t w)
//     R_m momenta   m v   = m v_0 + t f + F                     [F; T] = J(q_m)^T l
//               S(R_m) w = L_0 + R_0 R_m^T (t n + T)
//     rows      C(q_1) = 0
// The torque acts with its body-frame components at both ends: without that slender bodies gain
// spin about their own axis, little by little.
//
// Newton's method on (V, l):  [M + t K(l), -J^T; -J, -E] [dV; dl] = [r; C(q_1)/h], K the curvature
// (joints/exact_row.h). K is what makes it converge for a light link under a heavy tension P: such
// a link is a spring of stiffness P/L across, far faster than the substep, and the force's
// direction has to be implicit. Then  v_1 = 2 v - v_0,  L_1 = S(R_m) w + R_1 R_m^T (t n + T).
// Second order, no drift of energy; unconditionally stable for the transverse modes.
//
// Damping of a body counts as a force -c m v and a torque -c S w halfway.
// Sources: E. Hairer, C. Lubich, G. Wanner, "Geometric numerical integration", 2006, II.1 and
// VII.4; M. Tournier, M. Nesme, B. Gilles, F. Faure, "Stable constrained dynamics", SIGGRAPH 2015;
// J. Simo, K. Wong, Int. J. Numer. Methods Eng. 31, 1991 (the torque's transport); A. Witkin,
// "Constrained dynamics", SIGGRAPH course notes, 1997 (rows and J W J^T). Test:
// tests/solver/test_mechanism.c
#include "joints/parts/exact.h"
#include "solver/mechanism.h"

#include <string.h>

#define MIDPOINT_MAX_ITERATIONS 8
// m: Newton's method stops when no point of a body moves by more than about this any more; what is
// left then is of the order of its square.
#define MIDPOINT_TOLERANCE 1e-5
// m: the same after the first iteration, whose size says nothing yet about how well it converges.
#define MIDPOINT_AT_ONCE 1e-9

// ---- poses -------------------------------------------------------------------------------------

static void midpoint_start(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dmat3 inertia = inertia_in_world(&body->inertia, body->motion.rotation);
        body->momentum = dmat3_mul_vec(&inertia, body->motion.angular_velocity);
        body->middle = body->motion;
    }
}

// Where the velocities take the bodies.
static void midpoint_move(tni_mechanism *mechanism, double h) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_body_motion *middle = &body->middle, *end = &body->end;
        tni_dquat turn = dquat_cayley(dvec3_scale(middle->angular_velocity, 0.5 * h));
        middle->position = dvec3_add_scaled(body->motion.position, 0.5 * h, middle->velocity);
        middle->rotation = dquat_mul(turn, body->motion.rotation);
        end->position = dvec3_add_scaled(body->motion.position, h, middle->velocity);
        end->rotation = dquat_mul(turn, middle->rotation);
        body->back = dquat_conjugate(turn);
    }
}

// ---- residuals ---------------------------------------------------------------------------------

// J^T l.
static void midpoint_apply_joint(const tni_mechanism_joint *joint, tni_mechanism_body *a,
                                 tni_mechanism_body *b) {
    const double *x = joint->impulse;
    if (joint->is_ball) {
        tni_dvec3 force = dvec3_make(x[0], x[1], x[2]);
        a->linear = dvec3_sub(a->linear, force);
        a->angular = dvec3_add(a->angular, dvec3_cross(tni_mechanism_get_arm(joint, 0), force));
        b->linear = dvec3_add(b->linear, force);
        b->angular = dvec3_add(b->angular, dvec3_cross(tni_mechanism_get_arm(joint, 1), force));
        return;
    }
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        const tni_exact_row *row = &joint->rows[r];
        a->linear = dvec3_add_scaled(a->linear, x[r], row->lin_a);
        a->angular = dvec3_add_scaled(a->angular, x[r], row->ang_a);
        b->linear = dvec3_add_scaled(b->linear, x[r], row->lin_b);
        b->angular = dvec3_add_scaled(b->angular, x[r], row->ang_b);
    }
}

static void midpoint_apply_joints(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].linear = mechanism->bodies[i].angular = dvec3_make(0.0, 0.0, 0.0);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        midpoint_apply_joint(joint, &mechanism->bodies[joint->a], &mechanism->bodies[joint->b]);
    }
}

// What is not about turns alone is zero where the body had no such curvature before.
static void midpoint_clear_curvature(tni_mechanism_body *body) {
    if (body->has_linear_curvature) {
        memset(body->curvature, 0, sizeof body->curvature);
    }
    for (uint32_t i = 3; i < 6; ++i) {
        for (uint32_t j = 3; j < 6; ++j) {
            body->curvature[i][j] = 0.0;
        }
    }
    body->has_curvature = body->has_linear_curvature = false;
}

// t K(l), which is K(t l).
static void midpoint_add_curvature(const tni_mechanism_joint *joint, tni_mechanism_body *a,
                                   tni_mechanism_body *b, double half) {
    double x[TNI_MECHANISM_MAX_ROWS];
    bool pulls = false;
    for (uint32_t r = 0; r < joint->equality_count; ++r) {
        x[r] = half * joint->impulse[r];
        pulls |= x[r] != 0.0;
    }
    if (!pulls) {
        return;
    }
    tni_curvature k = {a->curvature, b->curvature, false};
    if (joint->is_ball) {
        tni_point point = {.r_a = dvec3_scale(tni_mechanism_get_arm(joint, 0), -1.0),
                           .r_b = tni_mechanism_get_arm(joint, 1)};
        tni_curvature_add_point(&point, x, &k);
    } else {
        tni_joint_add_curvature(joint->joint, &a->middle, &b->middle, x, &k);
    }
    a->has_curvature = b->has_curvature = true;
    a->has_linear_curvature |= k.has_linear;
    b->has_linear_curvature |= k.has_linear;
}

static void midpoint_add_curvatures(tni_mechanism *mechanism, double half) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        midpoint_clear_curvature(&mechanism->bodies[i]);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        midpoint_add_curvature(joint, &mechanism->bodies[joint->a], &mechanism->bodies[joint->b],
                               half);
    }
}

// What is missing in the momenta of a body, and its block of the matrix.
static void midpoint_balance(tni_mechanism *mechanism, uint32_t i, double half) {
    tni_mechanism_body *body = &mechanism->bodies[i];
    double *r = body->change;
    double thick = 1.0 + half * body->linear_damping;
    double stiff = 1.0 + half * body->angular_damping;
    tni_dmat3 inertia = inertia_in_world(&body->inertia, body->middle.rotation);
    tni_dvec3 linear = dvec3_add_scaled(body->motion.velocity, half, body->acceleration);
    linear = dvec3_add_scaled(linear, -thick, body->middle.velocity);
    linear = dvec3_add_scaled(body->linear, body->mass, linear);
    tni_dvec3 torque = dvec3_add_scaled(body->angular, half, body->torque);
    tni_dvec3 spin = dmat3_mul_vec(&inertia, body->middle.angular_velocity);
    tni_dvec3 angular = dvec3_add(body->momentum, dquat_rotate(body->back, torque));
    angular = dvec3_add_scaled(angular, -stiff, spin);
    r[0] = linear.x;
    r[1] = linear.y;
    r[2] = linear.z;
    r[3] = angular.x;
    r[4] = angular.y;
    r[5] = angular.z;
    for (uint32_t k = 0; k < 6 && body->locks != 0; ++k) {
        r[k] = tni_mechanism_is_locked(body, k) ? 0.0 : r[k];
    }
    body->system_mass = body->mass * thick;
    body->system_inertia = inertia;
    for (uint32_t p = 0; p < 9 && stiff != 1.0; ++p) {
        body->system_inertia.m[p / 3][p % 3] *= stiff;
    }
}

// C at the end poses over h, and what the actors miss halfway.
static void midpoint_close_rows(tni_mechanism *mechanism, double h) {
    double inv_h = 1.0 / h, errors[TNI_JOINT_MAX_EQUALITY_ROWS];
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const tni_mechanism_body *a = &mechanism->bodies[joint->a];
        const tni_mechanism_body *b = &mechanism->bodies[joint->b];
        double *r = tni_mechanism_of_joint(mechanism, i);
        tni_joint_measure_exact(joint->joint, &a->end, &b->end, errors);
        for (uint32_t k = 0; k < joint->equality_count; ++k) {
            r[k] = errors[k] * inv_h + joint->softness[k] * joint->impulse[k];
        }
        if (joint->row_count > joint->equality_count) {
            tni_actors_measure_limits(joint, &a->end, &b->end);
            tni_actors_balance(joint, a, b, 0.5 * h, r);
        }
    }
}

// ---- Newton's method ---------------------------------------------------------------------------

// Adds the solution. Returns how far it moves a point of a body halfway, m, at most.
static double midpoint_update(tni_mechanism *mechanism, double half) {
    double greatest = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        const double *d = body->change;
        tni_dvec3 dv = dvec3_make(d[0], d[1], d[2]), dw = dvec3_make(d[3], d[4], d[5]);
        double turn = dvec3_dot(dw, dmat3_mul_vec(&body->system_inertia, dw)) * body->inv_mass;
        double square = dvec3_dot(dv, dv) > turn ? dvec3_dot(dv, dv) : turn;
        // Written so that a NaN counts as far.
        greatest = square <= greatest ? greatest : square;
        body->middle.velocity = dvec3_add(body->middle.velocity, dv);
        body->middle.angular_velocity = dvec3_add(body->middle.angular_velocity, dw);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const double *d = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            bool is_free = r < joint->equality_count || !joint->actors[r].is_out;
            joint->impulse[r] += is_free ? d[r] : 0.0;
        }
    }
    return half * sqrt(greatest);
}

static bool midpoint_clamp_actors(tni_mechanism *mechanism, double half, bool is_close) {
    bool changed = false;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        changed |= tni_actors_clamp(&mechanism->joints[i], half, is_close);
    }
    return changed;
}

static bool midpoint_converge(tni_mechanism *mechanism, double h) {
    bool changed = false;
    for (uint32_t k = 0; k < MIDPOINT_MAX_ITERATIONS; ++k) {
        midpoint_move(mechanism, h);
        tni_mechanism_emit(mechanism);
        if (k == 0) {
            tni_mechanism_scale(mechanism);
            mechanism->has_scales = true;
        }
        if (k == 0 || changed) {
            tni_mechanism_soften(mechanism, 0.5 * h);
        }
        midpoint_apply_joints(mechanism);
        midpoint_add_curvatures(mechanism, 0.5 * h);
        for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
            midpoint_balance(mechanism, i, 0.5 * h);
        }
        midpoint_close_rows(mechanism, h);
        if (!tni_mechanism_factor(mechanism)) {
            return false;
        }
        tni_mechanism_solve(mechanism, false);
        mechanism->report.iterations += 1;
        double moved = midpoint_update(mechanism, 0.5 * h);
        bool is_close = moved < (k == 0 ? MIDPOINT_AT_ONCE : MIDPOINT_TOLERANCE);
        changed = midpoint_clamp_actors(mechanism, 0.5 * h, is_close);
        if (is_close && !changed) {
            return true;
        }
        if (!(moved < 1e30)) {
            return false;
        }
    }
    return false;
}

// ---- the end -----------------------------------------------------------------------------------

static void midpoint_note_reactions(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        if (joint->is_ball) {
            tni_mechanism_note_ball(joint, joint->impulse, 2.0);
            continue;
        }
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            double x = 2.0 * joint->impulse[r];
            joint->force = dvec3_add_scaled(joint->force, x, joint->rows[r].lin_b);
            joint->torque_a = dvec3_add_scaled(joint->torque_a, x, joint->rows[r].ang_a);
            joint->torque_b = dvec3_add_scaled(joint->torque_b, x, joint->rows[r].ang_b);
            if (r >= joint->equality_count) {
                double speed =
                    tni_exact_row_speed(&joint->rows[r], &mechanism->bodies[joint->a].middle,
                                        &mechanism->bodies[joint->b].middle);
                joint->actors[r].step_impulse += x;
                joint->actors[r].work += x * speed;
            }
        }
    }
}

static void midpoint_finish_body(tni_mechanism_body *body, double half) {
    tni_dvec3 w = body->middle.angular_velocity;
    tni_dmat3 inertia = inertia_in_world(&body->inertia, body->middle.rotation);
    tni_dvec3 spin = dmat3_mul_vec(&inertia, w);
    tni_dvec3 torque = dvec3_add_scaled(body->angular, half, body->torque);
    torque = dvec3_add_scaled(torque, -half * body->angular_damping, spin);
    // From the axes halfway to those at the end it is the turn from start to halfway once more.
    tni_dvec3 momentum = dvec3_add(spin, dquat_rotate(dquat_conjugate(body->back), torque));
    body->motion.velocity =
        dvec3_add_scaled(dvec3_scale(body->middle.velocity, 2.0), -1.0, body->motion.velocity);
    tni_dvec3 w_before = body->motion.angular_velocity;
    body->motion.position = body->end.position;
    body->motion.rotation = dquat_normalize(body->end.rotation);
    if (body->locks >= TN_BODY_LOCK_ANGULAR_X) {
        body->motion.angular_velocity = dvec3_add_scaled(dvec3_scale(w, 2.0), -1.0, w_before);
        return;
    }
    tni_dmat3 inverse = inertia_inverse_in_world(&body->inertia, body->motion.rotation);
    body->motion.angular_velocity = dmat3_mul_vec(&inverse, momentum);
}

bool tni_midpoint_stage(tni_mechanism *mechanism, double h) {
    midpoint_start(mechanism);
    tni_actors_start(mechanism);
    mechanism->report.stages += 1;
    if (!midpoint_converge(mechanism, h)) {
        return false;
    }
    // The last correction moved the bodies once more; a torque not of their last poses would shake
    // light links.
    midpoint_move(mechanism, h);
    tni_mechanism_emit(mechanism);
    midpoint_apply_joints(mechanism);
    midpoint_note_reactions(mechanism);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        midpoint_finish_body(&mechanism->bodies[i], 0.5 * h);
    }
    for (uint32_t i = mechanism->moving_count; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].motion = mechanism->bodies[i].end;
    }
    return true;
}
