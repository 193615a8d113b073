// solver/methods/acceleration.c: joint forces from accelerations, in Euler and Runge-Kutta steps.
//
// C(q) = 0 is kept by keeping its second derivative: with Q the applied and gyroscopic forces and
// W = M^-1, the forces J^T l give the accelerations a = W (Q + J^T l), for which
//     J W J^T l = -Jdot v - J W Q - ks C - kd J v                      (Witkin, equation 11)
// The last two terms are the feedback: without them errors of C grow with the time squared, with
// them C'' = -ks C - kd C', which dies out. The remainder is an ordinary differential equation
//     q' = v,   v' = a(q, v)
// that any integrator takes: explicit Euler (first order, gains energy), symplectic Euler (first
// order), Runge-Kutta 4 (fourth order). Quaternions: q' = (w, 0) q / 2, normalised wherever they
// are read, which does not change the order.
// The matrix keeps redundant rows apart by E (solver/exact/mechanism_system.c); one correction with
// the same factor takes out what E left of the right side, unless rows contradict each other.
// Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997, equations 9 to 11;
// E. Hairer, S. Norsett, G. Wanner, "Solving ordinary differential equations I", 1993, II.1.
// Test: tests/solver/methods/test_method.c
#include "solver/methods/method.h"
#include "solver/solver.h"

#define ACCELERATION_SMALL 1e-4 // of the joint forces: more is no correction

typedef struct acceleration_feedback {
    double stiffness, damping;
} acceleration_feedback;

// ---- the accelerations at the middle poses and velocities --------------------------------------

static void acceleration_fill_body(tni_mechanism_body *body) {
    tni_dvec3 acceleration, torque;
    tni_method_get_forces(body, &acceleration, &torque);
    torque = dvec3_sub(torque, tni_method_get_gyroscopic(body));
    double *r = body->change;
    r[0] = body->mass * acceleration.x;
    r[1] = body->mass * acceleration.y;
    r[2] = body->mass * acceleration.z;
    r[3] = torque.x;
    r[4] = torque.y;
    r[5] = torque.z;
}

// Fills in Jdot v + ks C + kd J v, kept in `impulse` for the correction.
static void acceleration_fill_rows(tni_mechanism *mechanism, acceleration_feedback feedback) {
    double terms[TNI_JOINT_MAX_EQUALITY_ROWS];
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const tni_body_motion *a = &mechanism->bodies[joint->a].middle;
        const tni_body_motion *b = &mechanism->bodies[joint->b].middle;
        double *r = tni_mechanism_of_joint(mechanism, i);
        tni_joint_measure_terms(joint->joint, a, b, terms);
        for (uint32_t k = 0; k < joint->row_count; ++k) {
            double speed = tni_exact_row_speed(&joint->rows[k], a, b);
            r[k] = terms[k] + feedback.stiffness * joint->rows[k].error + feedback.damping * speed;
            joint->impulse[k] = r[k];
        }
    }
}

// Keeps the accelerations that were found so far in `linear` and `angular`.
static void acceleration_keep(tni_mechanism *mechanism, bool is_first) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        const double *d = body->change;
        tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
        if (is_first || i >= mechanism->moving_count) {
            body->linear = body->angular = zero;
        }
        if (i < mechanism->moving_count) {
            body->linear = dvec3_add(body->linear, dvec3_make(d[0], d[1], d[2]));
            body->angular = dvec3_add(body->angular, dvec3_make(d[3], d[4], d[5]));
        }
    }
}

// Puts the errors that the rows have with those accelerations in the place of the multipliers,
// which are kept.
static void acceleration_measure_rest(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const tni_mechanism_body *a = &mechanism->bodies[joint->a];
        const tni_mechanism_body *b = &mechanism->bodies[joint->b];
        double *x = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t k = 0; k < joint->row_count; ++k) {
            const tni_exact_row *row = &joint->rows[k];
            double rest = joint->impulse[k] + dvec3_dot(row->lin_a, a->linear) +
                          dvec3_dot(row->ang_a, a->angular) + dvec3_dot(row->lin_b, b->linear) +
                          dvec3_dot(row->ang_b, b->angular);
            joint->impulse[k] = x[k];
            x[k] = rest;
        }
    }
}

// Is the second solution a small correction? When rows contradict each other E alone keeps their
// forces finite, and the correction adds as much again.
static bool acceleration_is_correction(const tni_mechanism *mechanism) {
    double most = 0.0, change = 0.0;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const double *x = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t k = 0; k < mechanism->joints[i].row_count; ++k) {
            most = maths_max_d(most, fabs(mechanism->joints[i].impulse[k]));
            change = maths_max_d(change, fabs(x[k]));
        }
    }
    return change < ACCELERATION_SMALL * most;
}

static void acceleration_add_forces(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const double *x = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t k = 0; k < mechanism->joints[i].row_count; ++k) {
            mechanism->joints[i].impulse[k] += x[k];
        }
    }
}

// Puts accelerations into `linear` and `angular`, and joint forces into `impulse`.
static bool acceleration_solve(tni_mechanism *mechanism, acceleration_feedback feedback) {
    if (!tni_method_factor(mechanism)) {
        return false;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        acceleration_fill_body(&mechanism->bodies[i]);
    }
    acceleration_fill_rows(mechanism, feedback);
    tni_mechanism_solve(mechanism, false);
    mechanism->report.iterations += 1;
    acceleration_keep(mechanism, true);
    acceleration_measure_rest(mechanism);
    tni_mechanism_solve(mechanism, true);
    if (acceleration_is_correction(mechanism)) {
        acceleration_keep(mechanism, false);
        acceleration_add_forces(mechanism);
    }
    return true;
}

// ---- steps -------------------------------------------------------------------------------------

// Returns q' = (w, 0) q / 2.
static tni_dquat acceleration_get_turn(const tni_body_motion *motion) {
    tni_dvec3 w = motion->angular_velocity;
    return dquat_mul(dquat_make(0.5 * w.x, 0.5 * w.y, 0.5 * w.z, 0.0), motion->rotation);
}

static tni_dquat acceleration_add_turn(tni_dquat q, double h, tni_dquat turn) {
    return dquat_make(q.x + h * turn.x, q.y + h * turn.y, q.z + h * turn.z, q.w + h * turn.w);
}

// Adds to a motion h times the derivative at `at`, where the accelerations are a and alpha.
static void acceleration_advance(tni_body_motion *motion, double h, const tni_body_motion *at,
                                 tni_dvec3 a, tni_dvec3 alpha) {
    motion->position = dvec3_add_scaled(motion->position, h, at->velocity);
    motion->rotation = acceleration_add_turn(motion->rotation, h, acceleration_get_turn(at));
    motion->velocity = dvec3_add_scaled(motion->velocity, h, a);
    motion->angular_velocity = dvec3_add_scaled(motion->angular_velocity, h, alpha);
}

// Adds the share of one stage of Runge-Kutta to the sum, and sets where the next stage looks.
static void acceleration_advance_stage(tni_mechanism *mechanism, double weight, double reach) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_body_motion next = body->motion;
        acceleration_advance(&body->end, weight, &body->middle, body->linear, body->angular);
        acceleration_advance(&next, reach, &body->middle, body->linear, body->angular);
        next.rotation = dquat_normalize(next.rotation);
        body->middle = next;
    }
    // `impulse` is a force here.
    tni_method_note(mechanism, weight);
}

static void acceleration_finish(tni_mechanism *mechanism, double h) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->motion = body->end;
        body->motion.rotation = dquat_normalize(body->motion.rotation);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        for (uint32_t r = 0; r < mechanism->joints[i].row_count; ++r) {
            mechanism->joints[i].impulse[r] *= 0.5 * h; // kept for half a substep
        }
    }
}

static bool acceleration_step_runge_kutta(tni_mechanism *mechanism, acceleration_feedback feedback,
                                          double h) {
    const double weights[4] = {h / 6.0, h / 3.0, h / 3.0, h / 6.0};
    const double reaches[4] = {0.5 * h, 0.5 * h, h, 0.0};
    for (uint32_t k = 0; k < 4; ++k) {
        tni_mechanism_expect(mechanism, k > 0 ? reaches[k - 1] : 0.0);
        if (!acceleration_solve(mechanism, feedback)) {
            return false;
        }
        acceleration_advance_stage(mechanism, weights[k], reaches[k]);
    }
    return true;
}

// Finds new velocities, and then poses by them.
static void acceleration_advance_symplectic(tni_mechanism *mechanism, double h) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->end.velocity = dvec3_add_scaled(body->end.velocity, h, body->linear);
        body->end.angular_velocity = dvec3_add_scaled(body->end.angular_velocity, h, body->angular);
        body->end.position = dvec3_add_scaled(body->end.position, h, body->end.velocity);
        tni_rotate_at_constant_velocity(&body->end, h);
    }
    tni_method_note(mechanism, h);
}

bool tni_acceleration_step(tni_mechanism *mechanism, tn_integrator integrator, double stiffness,
                           double damping, double h) {
    acceleration_feedback feedback = {stiffness, damping};
    tni_method_start(mechanism);
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].end = mechanism->bodies[i].motion;
    }
    if (integrator == TN_INTEGRATOR_RK4) {
        if (!acceleration_step_runge_kutta(mechanism, feedback, h)) {
            return false;
        }
    } else if (!acceleration_solve(mechanism, feedback)) {
        return false;
    } else if (integrator == TN_INTEGRATOR_EXPLICIT_EULER) {
        acceleration_advance_stage(mechanism, h, 0.0);
    } else {
        acceleration_advance_symplectic(mechanism, h);
    }
    acceleration_finish(mechanism, h);
    return true;
}
