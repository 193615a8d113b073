// solver/methods/rattle.c: RATTLE: kick, drift onto the joints, kick, velocities onto the joints.
//
// Over a substep h, with the momenta p = (m v, L), the applied forces f and W = M^-1:
//     p_m = p_0 + h/2 f_0 + J(q_0)^T x      x such that C(q_1) = 0
//     q_1 = q_0 drifted freely for h with p_m
//     p_1 = p_m + h/2 f_1 + J(q_1)^T y      y such that J(q_1) v_1 = 0
// The free drift keeps L (solver/bodies/rotate.c). The map is symmetric in time, symplectic and of
// second order; gaps and J v are at round-off. x is found by Newton's method with the matrix of the
// start,
//     J_0 W J_0^T dx = -C(q_1) / h
// which converges like powers of the turn in a substep. The direction of x is that of the start:
// under tension T a light link of mass m and length l swings across at w = sqrt(12 T / (m l)), and
// from h w = 2 on the method explodes, however exactly its equations are solved.
// Sources: H. Andersen, "RATTLE: a velocity version of the SHAKE algorithm", J. Comput. Phys. 52,
// 1983; E. Hairer, C. Lubich, G. Wanner, "Geometric numerical integration", 2006, VII.1.4.
// Test: tests/solver/methods/test_method.c
#include "solver/methods/method.h"
#include "solver/solver.h"

#define RATTLE_MAX_ITERATIONS 60
// m or rad: no row is farther off than CLOSED. If round-off is larger the rows need only have
// stopped, within STOPPED.
#define RATTLE_CLOSED  1e-13
#define RATTLE_STOPPED 1e-8

// Applies half a substep of applied forces. Damping makes the first half implicit and the second
// explicit, so that the whole stays symmetric.
static void rattle_kick(tni_mechanism_body *body, double half, bool is_first) {
    tni_body_motion *motion = &body->middle;
    double before_v = is_first ? 1.0 : 1.0 - half * body->linear_damping;
    double before_w = is_first ? 1.0 : 1.0 - half * body->angular_damping;
    double after_v = is_first ? 1.0 / (1.0 + half * body->linear_damping) : 1.0;
    double after_w = is_first ? 1.0 / (1.0 + half * body->angular_damping) : 1.0;
    motion->velocity = dvec3_scale(motion->velocity, before_v);
    motion->angular_velocity = dvec3_scale(motion->angular_velocity, before_w);
    tni_method_push(body, dvec3_scale(body->acceleration, half * body->mass),
                    dvec3_scale(body->torque, half));
    motion->velocity = dvec3_scale(motion->velocity, after_v);
    motion->angular_velocity = dvec3_scale(motion->angular_velocity, after_w);
}

// Moves the bodies where the middle velocities take them.
static void rattle_drift(tni_mechanism *mechanism, double h) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->end = body->middle;
        body->end.position = dvec3_add_scaled(body->end.position, h, body->end.velocity);
        bool is_plain = i >= mechanism->moving_count || body->inertia.is_round ||
                        body->locks >= TN_BODY_LOCK_ANGULAR_X;
        if (is_plain) {
            tni_rotate_at_constant_velocity(&body->end, h);
        } else {
            tni_rotate_freely(&body->end, &body->inertia, h, 1);
        }
    }
}

static void rattle_add_changes(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_body_motion *motion = &mechanism->bodies[i].middle;
        const double *d = mechanism->bodies[i].change;
        motion->velocity = dvec3_add(motion->velocity, dvec3_make(d[0], d[1], d[2]));
        motion->angular_velocity =
            dvec3_add(motion->angular_velocity, dvec3_make(d[3], d[4], d[5]));
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const double *x = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t r = 0; r < mechanism->joints[i].row_count; ++r) {
            mechanism->joints[i].impulse[r] += x[r];
        }
    }
}

// Fills in C(q_1) / h, with E on the whole impulse as in the midpoint step. Returns the largest C.
static double rattle_fill_gaps(tni_mechanism *mechanism, double h) {
    double worst = 0.0, errors[TNI_JOINT_MAX_EQUALITY_ROWS];
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        double *r = tni_mechanism_of_joint(mechanism, i);
        tni_joint_measure_exact(joint->joint, &mechanism->bodies[joint->a].end,
                                &mechanism->bodies[joint->b].end, errors);
        for (uint32_t k = 0; k < joint->row_count; ++k) {
            double error = errors[k] - joint->rest[k];
            r[k] = error / h + joint->softness[k] * joint->impulse[k];
            // Written so that a NaN counts.
            worst = fabs(r[k] * h) <= worst ? worst : fabs(r[k] * h);
        }
    }
    return worst;
}

static bool rattle_close(tni_mechanism *mechanism, double h) {
    double before = HUGE_VAL;
    for (uint32_t i = 0; i < RATTLE_MAX_ITERATIONS; ++i) {
        rattle_drift(mechanism, h);
        double gap = rattle_fill_gaps(mechanism, h);
        if (gap < RATTLE_CLOSED || (gap < RATTLE_STOPPED && gap > 0.5 * before)) {
            return true;
        }
        if (!(gap < 1e30)) {
            return false;
        }
        before = gap;
        tni_mechanism_solve(mechanism, true);
        rattle_add_changes(mechanism);
        mechanism->report.iterations += 1;
    }
    return false;
}

static void rattle_clear_impulses(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        for (uint32_t r = 0; r < mechanism->joints[i].row_count; ++r) {
            mechanism->joints[i].impulse[r] = 0.0;
        }
    }
}

// Makes J v zero at the end poses.
static void rattle_close_velocities(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        double *r = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t k = 0; k < joint->row_count; ++k) {
            r[k] = tni_exact_row_speed(&joint->rows[k], &mechanism->bodies[joint->a].middle,
                                       &mechanism->bodies[joint->b].middle);
        }
    }
    tni_mechanism_solve(mechanism, true);
    rattle_add_changes(mechanism);
}

bool tni_rattle_step(tni_mechanism *mechanism, double h) {
    tni_method_start(mechanism);
    if (!tni_method_factor(mechanism)) {
        return false;
    }
    rattle_clear_impulses(mechanism);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        rattle_kick(&mechanism->bodies[i], 0.5 * h, true);
    }
    tni_mechanism_expect(mechanism, h);
    if (!rattle_close(mechanism, h)) {
        return false;
    }
    tni_method_note(mechanism, 1.0);
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].middle = mechanism->bodies[i].end;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        rattle_kick(&mechanism->bodies[i], 0.5 * h, false);
    }
    if (!tni_method_factor(mechanism)) {
        return false;
    }
    rattle_clear_impulses(mechanism);
    rattle_close_velocities(mechanism);
    tni_method_note(mechanism, 1.0);
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].motion = mechanism->bodies[i].middle;
    }
    return true;
}
