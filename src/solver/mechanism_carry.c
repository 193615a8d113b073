// solver/mechanism_carry.c: half of what a projection takes from the velocities, given beforehand.
//
// A stage that begins with J v = 0 ends with velocities that miss the rows by d, of the order of
// h^2, and the projection takes d away. Taken all at the end, that makes a step which is not the
// same backwards, and the energy of d is lost each time. The symmetric projection gives half of it
// before the stage and takes the other half after it:
//     v <- v_0 + k,   the stage,   v_1 <- v - k,   J_1 v_1 = 0,   so that k = d / 2.
// Nothing is lost then, and the path is several times nearer to the true one. d changes slowly: the
// lead k is half of the last stage's d, projected onto what the rows of the new poses can take,
// W J^T y with J W J^T y = J d / 2, with the factor that is at hand.
//
// There is no lead where d is not the last one's anew: after an impact or a cut of the substep, in
// a singular position, when somebody else changed the velocities. Nor is there where links swing
// across under a load faster than a substep resolves: what the projection takes from them is all
// the damping they have. J v_0 = 0, so a lead adds its own energy and no more; it never has more
// than the projection has just taken. The two together put none in.
//
// The guess that Newton's method begins with is carried on too: velocities rise as they did in the
// last two stages of the same h, and change their rise as they did, and so do the impulses of
// equalities. It makes a stage begin with an error of h^3 and saves an iteration.
//
// Only for mechanisms without contacts that are not large, whose stages are solved almost to
// round-off (solver/midpoint.c): what Newton's method leaves open in a loop looks like d. Source:
// E. Hairer, "Symmetric projection methods for differential equations on manifolds", BIT 40, 2000.
// Test: tests/solver/test_mechanism.c
#include "solver/mechanism.h"

#include <string.h>

// More joints are a chain that whips, where iterations cost more and change nothing that could be
// seen. Loops may have more: they pass singular positions, where what a stage leaves open decides
// about the way on.
#define CARRY_MAX_JOINTS      16
#define CARRY_MAX_LOOP_JOINTS 128
// d may differ by this share of it from the last one, and its speed may be this share of the
// motion.
#define CARRY_MAX_CHANGE 0.5
#define CARRY_MAX_SHARE  1e-2
// The stiffness K of a body's joints across, t^2 K over its inertia: (h w / 2)^2 of what swings
// with w. Beyond this a substep does not resolve it.
#define CARRY_MAX_STIFFNESS 0.25
#define CARRY_ROUND_OFF     1e-12
// m/s or rad/s: slower is at rest, and the world makes it so.
#define CARRY_REST 1e-18

bool tni_mechanism_is_precise(const tni_mechanism *mechanism) {
    uint32_t most = tni_mechanism_has_loops(mechanism) ? CARRY_MAX_LOOP_JOINTS : CARRY_MAX_JOINTS;
    return mechanism->joint_count <= most && mechanism->touch_count == 0;
}

static tni_twist carry_add(tni_twist a, double s, tni_twist b) {
    tni_twist sum = {dvec3_add_scaled(a.linear, s, b.linear),
                     dvec3_add_scaled(a.angular, s, b.angular)};
    return sum;
}

static tni_twist carry_scale(tni_twist a, double s) {
    tni_twist scaled = {dvec3_scale(a.linear, s), dvec3_scale(a.angular, s)};
    return scaled;
}

static tni_twist carry_get_change(const tni_mechanism_body *body) {
    const double *c = body->change;
    tni_twist change = {dvec3_make(c[0], c[1], c[2]), dvec3_make(c[3], c[4], c[5])};
    return change;
}

// Twice the energy.
static double carry_measure(const tni_mechanism_body *body, tni_twist twist) {
    tni_dvec3 spin = dmat3_mul_vec(&body->system_inertia, twist.angular);
    return body->mass * dvec3_dot(twist.linear, twist.linear) + dvec3_dot(twist.angular, spin);
}

// But for round-off, which the world's own form of velocities may add between two steps.
static bool carry_is_equal(tni_dvec3 a, tni_dvec3 b) {
    tni_dvec3 d = dvec3_sub(a, b);
    return dvec3_dot(d, d) <=
           CARRY_ROUND_OFF * CARRY_ROUND_OFF * dvec3_dot(b, b) + CARRY_REST * CARRY_REST;
}

// What the joints do with the leads that are given.
static void carry_note(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        const tni_twist *lead = &body->lead;
        const double change[6] = {lead->linear.x,  lead->linear.y,  lead->linear.z,
                                  lead->angular.x, lead->angular.y, lead->angular.z};
        memcpy(body->change, change, sizeof change);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        memcpy(tni_mechanism_of_joint(mechanism, i), joint->lead,
               joint->row_count * sizeof(double));
    }
    tni_mechanism_note_unknowns(mechanism, 0.5);
}

void tni_mechanism_give_lead(tni_mechanism *mechanism, double h) {
    bool goes_on = mechanism->rise_step == h;
    for (uint32_t i = 0; i < mechanism->moving_count && goes_on; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        goes_on = carry_is_equal(body->left.linear, body->motion.velocity) &&
                  carry_is_equal(body->left.angular, body->motion.angular_velocity);
    }
    mechanism->rise_count = goes_on ? mechanism->rise_count : 0;
    bool is_given = goes_on && mechanism->lead_step == h;
    if (is_given) {
        carry_note(mechanism);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (!is_given) {
            body->lead.linear = body->lead.angular = dvec3_make(0.0, 0.0, 0.0);
            continue;
        }
        tni_body_motion *motion = &body->motion;
        motion->velocity = dvec3_add(motion->velocity, body->lead.linear);
        motion->angular_velocity = dvec3_add(motion->angular_velocity, body->lead.angular);
    }
    mechanism->lead_step = mechanism->rise_step = 0.0;
}

// ---- the guess ---------------------------------------------------------------------------------

// Without the lead: what is given before the stage and taken after it leaves the velocities halfway
// as they are.
static void carry_guess_body(tni_mechanism_body *body, uint32_t rise_count) {
    tni_twist rise = carry_scale(body->lead, -1.0);
    if (rise_count > 0) {
        double share = rise_count;
        rise = carry_add(rise, share, body->rise);
        rise = carry_add(rise, 1.0 - share, body->rise_before);
    }
    body->middle = body->motion;
    body->middle.velocity = dvec3_add(body->motion.velocity, rise.linear);
    body->middle.angular_velocity = dvec3_add(body->motion.angular_velocity, rise.angular);
}

static void carry_guess_impulses(tni_mechanism_joint *joint, uint32_t rise_count) {
    for (uint32_t r = 0; r < joint->equality_count; ++r) {
        double last = joint->impulse[r];
        joint->impulse[r] += rise_count > 1 ? last - joint->impulse_before[r] : 0.0;
        joint->impulse_before[r] = last;
    }
}

void tni_mechanism_guess(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        carry_guess_body(&mechanism->bodies[i], mechanism->rise_count);
    }
    for (uint32_t i = 0; i < mechanism->joint_count && tni_mechanism_is_precise(mechanism); ++i) {
        carry_guess_impulses(&mechanism->joints[i], mechanism->rise_count);
    }
}

// ---- the next lead -----------------------------------------------------------------------------

static tni_body_motion carry_get_motion(const tni_mechanism_body *body) {
    tni_body_motion motion = {.velocity = body->fault.linear,
                              .angular_velocity = body->fault.angular};
    return motion;
}

// -J d / 2 on the equality rows; motors and limits hold still.
static void carry_fill(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        tni_body_motion a = carry_get_motion(&mechanism->bodies[joint->a]);
        tni_body_motion b = carry_get_motion(&mechanism->bodies[joint->b]);
        double *r = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t k = 0; k < joint->row_count; ++k) {
            bool is_equality = k < joint->equality_count;
            r[k] = is_equality ? -0.5 * tni_exact_row_speed(&joint->rows[k], &a, &b) : 0.0;
        }
    }
}

// The solution, with no more energy than what the projection took.
static void carry_set_leads(tni_mechanism *mechanism, double taken) {
    double given = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->lead = carry_get_change(body);
        given += carry_measure(body, body->lead);
    }
    double share = given > taken ? sqrt(taken / given) : 1.0;
    for (uint32_t i = 0; i < mechanism->moving_count && share < 1.0; ++i) {
        tni_twist *lead = &mechanism->bodies[i].lead;
        *lead = carry_scale(*lead, share);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const double *x = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t r = 0; r < mechanism->joints[i].row_count; ++r) {
            mechanism->joints[i].lead[r] = share * x[r];
        }
    }
}

// By the curvature of the last iteration.
static bool carry_is_stiff(const tni_mechanism_body *body) {
    double stiffness = 0.0, inertia = 0.0;
    for (uint32_t i = 0; i < 3; ++i) {
        stiffness += body->curvature[3 + i][3 + i];
        inertia += body->system_inertia.m[i][i];
    }
    return fabs(stiffness) > CARRY_MAX_STIFFNESS * inertia;
}

void tni_mechanism_make_lead(tni_mechanism *mechanism, double h) {
    double all = 0.0, other = 0.0, motion = 0.0, taken = 0.0;
    bool is_stiff = false;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_twist change = carry_get_change(body);
        tni_twist fault = carry_add(body->lead, -1.0, change);
        tni_twist before = {body->before.velocity, body->before.angular_velocity};
        body->left.linear = body->motion.velocity;
        body->left.angular = body->motion.angular_velocity;
        body->rise_before = body->rise;
        body->rise = carry_scale(carry_add(body->left, -1.0, before), 0.5);
        all += carry_measure(body, fault);
        other += carry_measure(body, carry_add(fault, -1.0, body->fault));
        motion += carry_measure(body, body->left);
        taken += carry_measure(body, change);
        body->fault = fault;
        is_stiff |= carry_is_stiff(body);
    }
    mechanism->rise_step = h;
    mechanism->rise_count += mechanism->rise_count < 2 ? 1 : 0;
    bool is_steady = other < CARRY_MAX_CHANGE * CARRY_MAX_CHANGE * all;
    bool is_small = all < CARRY_MAX_SHARE * CARRY_MAX_SHARE * motion;
    if (mechanism->is_resolved && is_steady && is_small && !is_stiff) {
        carry_fill(mechanism);
        tni_mechanism_solve(mechanism, true);
        carry_set_leads(mechanism, taken);
        mechanism->lead_step = h;
    }
}
