// solver/exact/mechanism_carry.c: velocities across the rows, given to a stage and taken after it.
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
// The joints' forces are part of the lead too. With the impulses h l all halfway, at x_m = (x_0 +
// x_1) / 2, and F = J(x)^T l, the positions that the steps leave obey
//     m a = F + h^2 / 24 d^2F/dt^2 + h^2 / 8 (dF/dx) a
// but for terms along J^T, which l takes up: the second term is the quadrature's, the third that
// of x_m, which lies off the path. With a share s of the impulse given half before the stage, by
// the rows where it begins, and half taken into the projection, by those where it ends, it is
//     m a = F + (1 - 3 s) h^2 / 24 d^2F/dt^2 + (1 - s) h^2 / 8 (dF/dx) a
// and s = 1/3, Simpson's rule, leaves two thirds of the last alone: a third to a tenth of the error
// of linkages. Nothing in the stage has to know: it closes C(q_1) = 0 from the velocities it is
// given, and so needs that much less impulse; what it lacks the projection gives. Only the lead is
//     k = d / 2 + u,   u = h / 6 W J^T l
// To be the same backwards, u is that of the middle of the stage to come. The last stage's, its
// impulse by the rows halfway and its lead by those at its start, is of h / 6 before its middle.
// It goes on from the one before by 7/6 of the difference; by a little more, what is left of the
// energy's error in the third order is lost and not gained. Alone, a spring that swings with w is
// then Newmark's with beta = 1/6, stable up to w h = 3.4.
//
// There is no lead where the last stage was not like the one to come: after an impact or a cut of
// the substep, when somebody else changed the velocities. Nor is there where links swing across
// under a load faster than a substep resolves: what the projection takes from them is all the
// damping they have. It is u alone where d is not steady, as in singular positions, and d / 2 alone
// where the joints push otherwise than before, or something else would have to hold against u:
// motors, stiff springs, limits. J v_0 = 0, so a lead adds its own energy and no more; it never has
// more than the projection has just taken and u has, and the projection after it takes it back.
//
// The guess that Newton's method begins with is carried on too: what velocities gain until halfway,
// and the impulses of equalities with their leads, go on as in the last four stages of the same h.
// The part that the lead gives is no gain, and the stage needs that much less impulse: V is that of
// the way from x_0 to x_1, whatever was given beforehand. A stage so begins with an error of h^5,
// in impulses too, and one iteration is often enough.
//
// When velocities are not projected between stages, V itself is carried on, and there are no leads:
// the rises would swing with d.
//
// Only for mechanisms without contacts that are not large, whose stages are solved almost to
// round-off (solver/exact/midpoint.c): what Newton's method leaves open in a loop looks like d.
// Source: E. Hairer, "Symmetric projection methods for differential equations on manifolds", BIT
// 40, 2000; N. Newmark, "A method of computation for structural dynamics", J. Eng. Mech. Div. ASCE
// 85, 1959. Test: tests/solver/exact/test_mechanism_carry.c
#include "solver/exact/mechanism.h"

#include <string.h>

// d may change by this share of itself from stage to stage, and its speed may be this share of the
// motion.
#define CARRY_MAX_CHANGE 0.5
#define CARRY_MAX_SHARE  1e-2
// The stiffness K of a body's joints across, as t^2 K over its inertia, is (h w / 2)^2 of a link
// that swings with w. A substep does not resolve more than this.
#define CARRY_MAX_STIFFNESS 0.25
#define CARRY_ROUND_OFF     1e-12
// u is END_SHARE of the speeds that the joints give until halfway, and from stage to stage it goes
// on by GO_ON times its change.
#define CARRY_END_SHARE (1.0 / 3.0)
#define CARRY_GO_ON     1.25
// A guess uses this many stages.
#define CARRY_POINTS TNI_MECHANISM_RISES
// It uses fewer for motion that is left open, and for the impulses of paces.
#define CARRY_OPEN_POINTS  3
#define CARRY_PACED_POINTS 3
// m/s or rad/s: a slower body is at rest, and the world stops it.
#define CARRY_REST 1e-18

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

// Returns twice the energy.
static double carry_measure(const tni_mechanism_body *body, tni_twist twist) {
    tni_dvec3 spin = dmat3_mul_vec(&body->block.inertia, twist.angular);
    return body->mass * dvec3_dot(twist.linear, twist.linear) + dvec3_dot(twist.angular, spin);
}

// Compares up to round-off, which the world's own form of velocities may add between two steps.
static bool carry_is_equal(tni_dvec3 a, tni_dvec3 b) {
    tni_dvec3 d = dvec3_sub(a, b);
    return dvec3_dot(d, d) <=
           CARRY_ROUND_OFF * CARRY_ROUND_OFF * dvec3_dot(b, b) + CARRY_REST * CARRY_REST;
}

// Notes the impulses of joints with the leads that are given.
static void carry_note(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_mechanism_set_change(body, &body->carry.lead);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        memcpy(tni_mechanism_of_joint(mechanism, i), joint->lead,
               joint->row_count * sizeof(double));
    }
    tni_mechanism_note_unknowns(mechanism, 0.5);
}

static void carry_clear(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        memset(joint->lead, 0, joint->row_count * sizeof(double));
    }
}

void tni_mechanism_give_lead(tni_mechanism *mechanism, double h, bool has_paces) {
    bool goes_on = mechanism->carry.rise_step == h && mechanism->carry.has_paces == has_paces;
    mechanism->carry.has_paces = has_paces;
    for (uint32_t i = 0; i < mechanism->moving_count && goes_on; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        goes_on = carry_is_equal(body->carry.left.linear, body->motion.velocity) &&
                  carry_is_equal(body->carry.left.angular, body->motion.angular_velocity);
    }
    mechanism->carry.rise_count = goes_on ? mechanism->carry.rise_count : 0;
    if (!goes_on) {
        mechanism->matrix.rates[0].stages = mechanism->matrix.rates[1].stages = 0;
    }
    bool is_given = goes_on && mechanism->carry.lead_step == h && !mechanism->touch.is_touched;
    if (is_given) {
        carry_note(mechanism);
    } else {
        carry_clear(mechanism);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (!is_given) {
            body->carry.lead.linear = body->carry.lead.angular = dvec3_make(0.0, 0.0, 0.0);
            continue;
        }
        tni_body_motion *motion = &body->motion;
        motion->velocity = dvec3_add(motion->velocity, body->carry.lead.linear);
        motion->angular_velocity = dvec3_add(motion->angular_velocity, body->carry.lead.angular);
    }
    mechanism->carry.lead_step = mechanism->carry.rise_step = 0.0;
}

// ---- the guess ---------------------------------------------------------------------------------

// Line n holds the shares of n + 1 points, one stage on.
static const double carry_shares[CARRY_POINTS][CARRY_POINTS] = {
    {1.0, 0.0, 0.0, 0.0}, {2.0, -1.0, 0.0, 0.0}, {3.0, -3.0, 1.0, 0.0}, {4.0, -6.0, 4.0, -1.0}};

// The shares for impulses that alternate, too large in one stage and too small in the next: the
// mean of two, and as far on as from the two before. The last of a line is as it was.
static const double carry_paced_shares[CARRY_PACED_POINTS] = {1.25, 0.5, -0.75};

// Returns how many points the guess goes through. When all motion is prescribed an iteration may
// leave so large an error that four points would carry on more of it than the next one takes away;
// paces are closed by the rows.
static uint32_t carry_count_points(const tni_mechanism *mechanism) {
    bool is_left_open = mechanism->traits.is_prescribed && !mechanism->carry.has_paces;
    uint32_t most = is_left_open ? CARRY_OPEN_POINTS : CARRY_POINTS;
    return mechanism->carry.rise_count < most ? mechanism->carry.rise_count : most;
}

// Guesses a body's velocities halfway, without the lead: what is given before the stage and taken
// after it leaves the velocities halfway as they are, and the stage needs that much less impulse.
static void carry_guess_body(tni_mechanism_body *body, uint32_t last, uint32_t count) {
    tni_twist rise = carry_scale(body->carry.lead, -1.0);
    for (uint32_t k = 0; k < count; ++k) {
        rise = carry_add(rise, carry_shares[count - 1][k],
                         body->carry.rises[(last + k) % CARRY_POINTS]);
    }
    body->middle = body->motion;
    body->middle.velocity = dvec3_add(body->motion.velocity, rise.linear);
    body->middle.angular_velocity = dvec3_add(body->motion.angular_velocity, rise.angular);
}

// Guesses velocities halfway, when those that the stage begins with are not on the rows.
static void carry_guess_pace(tni_mechanism_body *body, uint32_t last, uint32_t count) {
    tni_twist pace = {body->motion.velocity, body->motion.angular_velocity};
    for (uint32_t k = 0; k < count; ++k) {
        double share = carry_shares[count - 1][k];
        tni_twist before = body->carry.rises[(last + k) % CARRY_POINTS];
        pace = k == 0 ? carry_scale(before, share) : carry_add(pace, share, before);
    }
    body->middle = body->motion;
    body->middle.velocity = pace.linear;
    body->middle.angular_velocity = pace.angular;
}

// Returns true for equalities and for limits that push.
static bool carry_is_firm(const tni_mechanism_joint *joint, uint32_t r) {
    return r < joint->equality_count ||
           (joint->actors[r].kind == TNI_ACTOR_LIMIT && !joint->actors[r].is_out);
}

// Guesses the impulses of a joint's firm rows. Impulses that are not given yet may be anything.
static void carry_guess_joint(tni_mechanism_joint *joint, uint32_t last, const double *shares,
                              uint32_t count) {
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        if (carry_is_firm(joint, r)) {
            double impulse = shares[0] * joint->given[last][r] - joint->lead[r];
            for (uint32_t k = 1; k < count; ++k) {
                impulse += shares[k] * joint->given[(last + k) % CARRY_POINTS][r];
            }
            joint->impulse[r] = impulse;
        }
    }
}

void tni_mechanism_guess(tni_mechanism *mechanism) {
    uint32_t count = carry_count_points(mechanism);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        if (mechanism->carry.has_paces) {
            carry_guess_pace(&mechanism->bodies[i], mechanism->carry.last_rise, count);
        } else {
            carry_guess_body(&mechanism->bodies[i], mechanism->carry.last_rise, count);
        }
    }
}

void tni_mechanism_guess_impulses(tni_mechanism *mechanism) {
    uint32_t count = carry_count_points(mechanism);
    if (count == 0 || !tni_mechanism_is_precise(mechanism)) {
        return;
    }
    bool is_paced = mechanism->carry.has_paces && count >= CARRY_PACED_POINTS;
    const double *shares = is_paced ? carry_paced_shares : carry_shares[count - 1];
    count = is_paced ? CARRY_PACED_POINTS : count;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        carry_guess_joint(&mechanism->joints[i], mechanism->carry.last_rise, shares, count);
    }
}

static void carry_note_given(tni_mechanism_joint *joint, uint32_t last) {
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        joint->given[last][r] = joint->impulse[r] + joint->lead[r];
    }
}

void tni_mechanism_note_rises(tni_mechanism *mechanism) {
    uint32_t last = (mechanism->carry.last_rise + CARRY_POINTS - 1) % CARRY_POINTS;
    mechanism->carry.last_rise = last;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        const tni_body_motion *middle = &body->middle, *before = &body->before;
        tni_twist rise = {middle->velocity, middle->angular_velocity};
        if (!mechanism->carry.has_paces) {
            tni_twist start = {before->velocity, before->angular_velocity};
            rise = carry_add(rise, -1.0, start);
        }
        body->carry.rises[last] = rise;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        carry_note_given(&mechanism->joints[i], last);
    }
}

// ---- the next lead -----------------------------------------------------------------------------

// Finds J of a joint's equalities times the leads.
static void carry_get_speeds(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                             double *speeds) {
    const tni_twist *a = &mechanism->bodies[joint->a].carry.lead,
                    *b = &mechanism->bodies[joint->b].carry.lead;
    if (joint->is_free) {
        tni_mechanism_get_pin_speeds(joint, joint->equality_count, a, b, speeds);
        return;
    }
    for (uint32_t k = 0; k < joint->equality_count; ++k) {
        const tni_exact_row *j = &joint->rows[k];
        speeds[k] = dvec3_dot(j->lin_a, a->linear) + dvec3_dot(j->ang_a, a->angular) +
                    dvec3_dot(j->lin_b, b->linear) + dvec3_dot(j->ang_b, b->angular);
    }
}

typedef struct carry_size {
    double all, other; // twice the energy, of all of it and of what is other than it was
} carry_size;

// Finds J d, d being the lead that the stage was given less what the projection put in. The leads
// are lost.
static carry_size carry_find_faults(tni_mechanism *mechanism) {
    carry_size size = {0.0, 0.0};
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->carry.lead = carry_add(body->carry.lead, -1.0, carry_get_change(body));
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        double speeds[TNI_JOINT_MAX_EQUALITY_ROWS];
        carry_get_speeds(mechanism, joint, speeds);
        for (uint32_t k = 0; k < joint->equality_count; ++k) {
            double response = mechanism->matrix.scales[joint->first_unknown + k];
            double fault = speeds[k], other = fault - joint->fault[k];
            size.all += fault * fault / response;
            size.other += other * other / response;
            joint->fault[k] = fault;
        }
    }
    return size;
}

// Takes one end of an actor's row out of what the joints did to its body.
static void carry_leave_out(tni_mechanism *mechanism, uint32_t index, double x, const double *j) {
    if (index < mechanism->moving_count) {
        tni_mechanism_body *body = &mechanism->bodies[index];
        tni_twist row = {dvec3_make(j[0], j[1], j[2]), dvec3_make(j[3], j[4], j[5])};
        body->carry.push = carry_add(body->carry.push, -x, row);
    }
}

// Finds W J^T of the equalities' impulses until halfway, and the lead that was given beside them.
static void carry_find_pushes(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->carry.push_before = body->carry.push;
        body->carry.push.linear = body->linear;
        body->carry.push.angular = body->angular;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            carry_leave_out(mechanism, joint->a, joint->impulse[r], joint->rows[r].jacobian);
            carry_leave_out(mechanism, joint->b, joint->impulse[r], joint->rows[r].jacobian + 6);
        }
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dmat3 inverse = inertia_inverse_in_world(&body->inertia, body->motion.rotation);
        body->carry.push.linear = dvec3_scale(body->carry.push.linear, body->inv_mass);
        body->carry.push.angular = dmat3_mul_vec(&inverse, body->carry.push.angular);
        body->carry.push = carry_add(body->carry.push, 1.0, body->carry.lead);
    }
}

// Is the mechanism driven? Motors hold against what the joints give beforehand, and so do limits
// that push and stiff springs.
static bool carry_is_driven(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            const tni_mechanism_actor *actor = &joint->actors[r];
            bool is_stiff = actor->kind == TNI_ACTOR_SPRING && actor->end_share > 0.0;
            bool pushes = actor->kind == TNI_ACTOR_LIMIT && !actor->is_out;
            if (actor->kind == TNI_ACTOR_SPEED || is_stiff || pushes) {
                return true;
            }
        }
    }
    return false;
}

// Clears the pushes, so that the next stage has none to compare with.
static void carry_forget_pushes(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->carry.push.linear = body->carry.push.angular = dvec3_make(0.0, 0.0, 0.0);
    }
}

// Do the joints push nearly as in the stage before, with nothing that would hold against their
// pushes?
static bool carry_pushes_on(tni_mechanism *mechanism) {
    if (carry_is_driven(mechanism)) {
        carry_forget_pushes(mechanism);
        return false;
    }
    carry_find_pushes(mechanism);
    double all = 0.0, other = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        all += carry_measure(body, body->carry.push);
        other += carry_measure(body, carry_add(body->carry.push, -1.0, body->carry.push_before));
    }
    return mechanism->carry.rise_count > 1 && other < CARRY_MAX_CHANGE * CARRY_MAX_CHANGE * all;
}

// Takes this share of u as the leads, before the rows have a say. Returns twice its energy.
static double carry_share_pushes(tni_mechanism *mechanism, double share) {
    double energy = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_twist push = carry_scale(body->carry.push, 1.0 + CARRY_GO_ON);
        body->carry.lead =
            carry_scale(carry_add(push, -CARRY_GO_ON, body->carry.push_before), share);
        energy += carry_measure(body, body->carry.lead);
    }
    return energy;
}

// Fills in this share of -J d, and -J u if there is one, on the equality rows; motors and limits
// hold still.
static void carry_fill(tni_mechanism *mechanism, double share, bool has_push) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        double *r = tni_mechanism_of_joint(mechanism, i), of_push[TNI_JOINT_MAX_EQUALITY_ROWS];
        if (has_push) {
            carry_get_speeds(mechanism, joint, of_push);
        }
        for (uint32_t k = 0; k < joint->equality_count; ++k) {
            r[k] = -share * joint->fault[k] - (has_push ? of_push[k] : 0.0);
        }
        for (uint32_t k = joint->equality_count; k < joint->row_count; ++k) {
            r[k] = 0.0;
        }
    }
}

// Takes the solution as the leads, scaled down so that twice their energy is no more than `most`.
static void carry_set_leads(tni_mechanism *mechanism, double most) {
    double given = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->carry.lead = carry_get_change(body);
        given += carry_measure(body, body->carry.lead);
    }
    double share = given > most ? sqrt(most / given) : 1.0;
    for (uint32_t i = 0; i < mechanism->moving_count && share < 1.0; ++i) {
        tni_twist *lead = &mechanism->bodies[i].carry.lead;
        *lead = carry_scale(*lead, share);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const double *x = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t r = 0; r < mechanism->joints[i].row_count; ++r) {
            mechanism->joints[i].lead[r] = share * x[r];
        }
    }
}

// Is the body held so stiffly across that a substep does not resolve it? Judges by the curvature of
// the last iteration.
static bool carry_is_stiff(const tni_mechanism_body *body) {
    double stiffness = 0.0, inertia = 0.0;
    for (uint32_t i = 0; i < 3; ++i) {
        stiffness += body->block.curvature[3 + i][3 + i];
        inertia += body->block.inertia.m[i][i];
    }
    return fabs(stiffness) > CARRY_MAX_STIFFNESS * inertia;
}

void tni_mechanism_leave_rises(tni_mechanism *mechanism, double h) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->carry.left.linear = body->motion.velocity;
        body->carry.left.angular = body->motion.angular_velocity;
    }
    mechanism->carry.rise_step = h;
    mechanism->carry.rise_count += mechanism->carry.rise_count < CARRY_POINTS ? 1 : 0;
}

bool tni_mechanism_ask_for_lead(tni_mechanism *mechanism, double *out_most) {
    double motion = 0.0, taken = 0.0;
    bool is_stiff = false;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        motion += carry_measure(body, body->carry.left);
        taken += carry_measure(body, carry_get_change(body));
        is_stiff |= carry_is_stiff(body);
    }
    bool pushes_on = carry_pushes_on(mechanism);
    carry_size fault = carry_find_faults(mechanism);
    bool is_steady = fault.other < CARRY_MAX_CHANGE * CARRY_MAX_CHANGE * fault.all;
    bool is_small = fault.all < CARRY_MAX_SHARE * CARRY_MAX_SHARE * motion;
    double of_fault = is_steady ? 0.5 : 0.0;
    double of_push = pushes_on ? CARRY_END_SHARE : 0.0;
    if (!mechanism->carry.is_resolved || !is_small || is_stiff || !(of_fault + of_push > 0.0)) {
        return false;
    }
    *out_most = taken + (pushes_on ? carry_share_pushes(mechanism, of_push) : 0.0);
    carry_fill(mechanism, of_fault, pushes_on);
    return true;
}

void tni_mechanism_take_lead(tni_mechanism *mechanism, double h, double most) {
    carry_set_leads(mechanism, most);
    mechanism->carry.lead_step = h;
}
