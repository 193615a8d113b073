// solver/movers/force.c: forces of a substep, implicit where they are stiff.
//
// A substep of h kicks, drifts and kicks with the acceleration that it begins with, so that its
// drift is by the mean of the old and the new velocity. A force that is evaluated at the middle, y
// = x + h/2 v, then gives the leapfrog rule: for v1 = v + h W F(y)
//
//     y1 = x1 + h/2 v1 = x + h/2 (v + v1) + h/2 v1 = y + h v1
//
// which is symplectic Euler in y and v, of second order in x. With slopes F_x and F_v the force is
// extrapolated linearly to the end of the change, with shares s and b of it:
//
//     dv = h (a + W (F + s h F_x (v + dv) + b F_v dv))
//
// For s = b = 1 that is the linearly implicit Euler rule (D. Baraff, A. Witkin, "Large steps in
// cloth simulation", SIGGRAPH 1998, equation 6; E. Hairer, G. Wanner, "Solving ordinary
// differential equations II", 1996, IV.7) in y and v, which never grows; The acceleration a of
// gravity and applied forces is known and part of the change, so that dv is zero if a balances F.
// The impulses of joints and contacts are no part of it, because they answer later. So s and b are
// 0 while h^2 |W F_x| and
// h |W F_v| are small: what is held then feels exactly F, and leapfrog loses no energy. They rise
// to 1 long before leapfrog bursts, at 4, and before a damper turns a motion around. For bodies
// that have no joint and nothing near, b is at least 1/2, the trapezoidal rule, of second order.
//
// A body that coordinates give is taken for a free body with its own mass, at the place that the
// coordinates get to; the force then acts on the coordinates (solver/movers/reduced.c). Such a body
// is held, so that it feels exactly F while s and b are 0.
//
// In first-order dynamics v is 0 and the drift goes by half of dv, so that s = b = 1/2 is the
// linearly implicit Euler rule.
//
// The change is one unknown impulse c of three numbers for each slope, J the motion of its
// connectors against each other:
//
//     c = p + G J dv      p = s h^2 F_x J v,  G = s h^2 F_x + b h F_v
//     (1 - G K) c = p + G (J dv - K c)      K = J W J^T
//
// Several links are swept by Gauss-Seidel, which converges because K and -G^-1 are positive.
// Explicit forces are added one by one, each followed by the first sweeps over its slopes, so that
// every spring gives way to the others from the beginning and no intermediate number bursts.
// Test: tests/forces/test_force.c
#include "solver/movers/force.h"

#include "solver/bodies/integrate.h"

#include <string.h>

// Bounds of h^2 |W F_x| and h |W F_v|: explicit up to the first, implicit Euler from the second on.
// Leapfrog's frequency is 1 % off at the first.
#define FORCE_EXPLICIT 0.25
#define FORCE_IMPLICIT 1.0
// The sweeps over slopes, and the share of an impulse from which on a change counts.
#define FORCE_SWEEPS  16
#define FORCE_SETTLED 1e-12

// ---- small matrices ----------------------------------------------------------------------------

static double force_get_norm(const tni_dmat3 *a) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            sum += a->m[i][j] * a->m[i][j];
        }
    }
    return sqrt(sum);
}

// Inverts by cofactors; false if there is no inverse.
static bool force_invert(const tni_dmat3 *a, tni_dmat3 *out) {
    tni_dvec3 x = dvec3_make(a->m[0][0], a->m[0][1], a->m[0][2]);
    tni_dvec3 y = dvec3_make(a->m[1][0], a->m[1][1], a->m[1][2]);
    tni_dvec3 z = dvec3_make(a->m[2][0], a->m[2][1], a->m[2][2]);
    const tni_dvec3 columns[3] = {dvec3_cross(y, z), dvec3_cross(z, x), dvec3_cross(x, y)};
    double determinant = dvec3_dot(x, columns[0]), inverse = 1.0 / determinant;
    for (int j = 0; j < 3; ++j) {
        out->m[0][j] = inverse * columns[j].x;
        out->m[1][j] = inverse * columns[j].y;
        out->m[2][j] = inverse * columns[j].z;
    }
    return isfinite(force_get_norm(out));
}

// Leaves the inverse of the unlocked part: each locked axis takes its projection away.
static void force_lock(tni_dmat3 *s, uint32_t locks) {
    for (int i = 0; i < 3; ++i) {
        double inverse = maths_inverse_or_zero_d(s->m[i][i]);
        if ((locks & ((uint32_t)TN_BODY_LOCK_ANGULAR_X << i)) == 0) {
            continue;
        }
        const double column[3] = {s->m[0][i], s->m[1][i], s->m[2][i]};
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) {
                bool is_axis = j == i || k == i;
                s->m[j][k] = is_axis ? 0.0 : s->m[j][k] - column[j] * column[k] * inverse;
            }
        }
    }
}

static tni_dvec3 force_by_axis(tni_dvec3 a, tni_dvec3 b) {
    return dvec3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

// ---- bodies ------------------------------------------------------------------------------------

// Puts objects with coordinates at the middle of `h`; their kicks ask anew. An object whose
// callback has no numbers there stays where it was.
static void force_look_ahead(const tni_solver *solver, double h) {
    for (uint32_t i = 0; i < solver->movers.reduced_count; ++i) {
        tni_reduced *reduced = solver->movers.reduced[i];
        double middle[TN_REDUCED_MAX_FREEDOMS];
        for (uint32_t k = 0; k < reduced->freedoms; ++k) {
            middle[k] = reduced->coordinates[k] + 0.5 * h * reduced->speeds[k];
        }
        if (reduced->is_sound && !reduced->stops) {
            (void)tni_reduced_ask(reduced, middle, reduced->speeds);
        }
    }
}

static void force_drift(tni_forced_body *body, double h) {
    const tni_reduced *reduced = body->reduced;
    if (reduced == NULL) {
        body->motion.position =
            dvec3_add_scaled(body->motion.position, 0.5 * h, body->motion.velocity);
        tni_rotate_at_constant_velocity(&body->motion, 0.5 * h);
    } else if (!body->stops) {
        const tni_reduced_body *own = &reduced->bodies[body->member];
        body->motion.position = own->position;
        body->motion.rotation = own->rotation;
        body->motion.velocity = tni_reduced_get_velocity(reduced, own->linear);
        body->motion.angular_velocity = tni_reduced_get_velocity(reduced, own->angular);
    }
}

// Finds where the body gets to in half of `h`, and what gravity and applied forces do to it over
// all of `h`.
static void force_begin_body(const tni_solver *solver, tni_forced_body *body, double h) {
    body->force = body->torque_of_forces = dvec3_make(0.0, 0.0, 0.0);
    body->velocity_change = body->turn_change = body->force;
    if (body->body == TNI_NONE) {
        return;
    }
    body->motion = solver->bodies.motions[body->body];
    tni_integrate_stop(&body->motion, &solver->bodies.masses[body->body]);
    body->stops = solver->bodies.masses[body->body].stops;
    force_drift(body, h);
    if (!body->moves) {
        return;
    }
    const tni_body_mass *mass = &solver->bodies.masses[body->body];
    body->inv_inertia = inertia_inverse_in_world(mass->inertia, body->motion.rotation);
    force_lock(&body->inv_inertia, mass->locks);
    tni_dvec3 a = dvec3_add(body->acceleration, force_by_axis(body->inv_mass, body->held_force));
    tni_dvec3 torque = dvec3_add(body->torque, body->held_torque);
    body->velocity_change = dvec3_scale(a, h);
    body->turn_change = dvec3_scale(dmat3_mul_vec(&body->inv_inertia, torque), h);
}

// Returns the arm from the centre of mass, in world axes.
static tni_dvec3 force_get_arm(const tni_forced_body *body, const tni_force_end *end) {
    if (end->is_at_center && end->body != TNI_NONE) {
        return dvec3_make(0.0, 0.0, 0.0);
    }
    return dquat_rotate(body->motion.rotation, dvec3_sub(end->point, body->center));
}

// Applies an impulse at `arm` from the centre of mass, and an angular one.
static void force_push(tni_forced_body *body, tni_dvec3 arm, tni_dvec3 p, tni_dvec3 turn) {
    if (body->moves) {
        tni_dvec3 l = dvec3_add(turn, dvec3_cross(arm, p));
        body->velocity_change = dvec3_add(body->velocity_change, force_by_axis(body->inv_mass, p));
        body->turn_change = dvec3_add(body->turn_change, dmat3_mul_vec(&body->inv_inertia, l));
    }
}

void tni_force_book(tni_forced_body *body, tni_force_end *end, tni_dvec3 force, tni_dvec3 torque) {
    tni_dvec3 arm = force_get_arm(body, end);
    end->force = dvec3_add(end->force, force);
    end->torque = dvec3_add(end->torque, torque);
    body->force = dvec3_add(body->force, force);
    body->torque_of_forces =
        dvec3_add(body->torque_of_forces, dvec3_add(torque, dvec3_cross(arm, force)));
}

// ---- asking ------------------------------------------------------------------------------------

static void force_describe(const tni_forces *forces, const tni_force_actor *actor,
                           tn_connector_state *states) {
    for (uint32_t i = 0; i < actor->force->end_count; ++i) {
        const tni_force_end *end = &actor->force->ends[i];
        const tni_forced_body *body = tni_force_body_of(forces, actor, i);
        tni_dvec3 arm = force_get_arm(body, end);
        tni_dvec3 p = dvec3_add(body->motion.position, arm), w = body->motion.angular_velocity;
        states[i].position = dvec3_to_plain(p);
        states[i].axis = dvec3_to_plain(dquat_rotate(body->motion.rotation, end->axis));
        states[i].velocity = dvec3_to_plain(dvec3_add(body->motion.velocity, dvec3_cross(w, arm)));
        states[i].angular_velocity = dvec3_to_plain(w);
        states[i].amount = end->amount;
    }
}

// Places the bodies' frames as they are at the middle of the substep.
static void force_place_frames(const tni_forces *forces, const tni_force_actor *actor,
                               tni_force_body *places) {
    for (uint32_t i = 0; i < actor->force->end_count; ++i) {
        const tni_forced_body *body = tni_force_body_of(forces, actor, i);
        places[i] = actor->force->bodies[i];
        places[i].frame.rotation = body->motion.rotation;
        places[i].frame.position =
            dvec3_sub(body->motion.position, dquat_rotate(body->motion.rotation, body->center));
    }
}

static void force_call(const tni_forces *forces, const tni_force_actor *actor, double time,
                       double h, tn_force_output *out) {
    tni_force *force = actor->force;
    tn_connector_state states[TN_FORCE_MAX_CONNECTORS];
    tni_force_body places[TN_FORCE_MAX_CONNECTORS];
    const tni_force_body *bodies = force->bodies;
    force_describe(forces, actor, states);
    if (bodies != NULL) {
        force_place_frames(forces, actor, places);
        force->bodies = places;
    }
    tn_force_input input = {time, h, force->end_count, states};
    bool is_custom = force->type == TN_FORCE_TYPE_CUSTOM;
    memset(out->force, 0, sizeof out->force);
    memset(out->torque, 0, sizeof out->torque);
    out->slope_count = 0;
    force->function(&input, out, is_custom ? force->user_data : force);
    force->bodies = bodies;
}

static bool force_is_sound_slope(const tni_force *force, const tn_force_slope *slope) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            sum += fabs(slope->by_position[i][j]) + fabs(slope->by_velocity[i][j]);
        }
    }
    bool has_from = slope->from < force->end_count || slope->from == TN_FORCE_AGAINST_WORLD;
    return isfinite(sum) && has_from && slope->to < force->end_count;
}

static bool force_is_sound(const tni_force *force, const tn_force_output *out) {
    bool is_sound = out->slope_count <= TN_FORCE_MAX_SLOPES;
    for (uint32_t i = 0; i < force->end_count; ++i) {
        is_sound = is_sound && dvec3_is_finite(dvec3_from_plain(out->force[i])) &&
                   dvec3_is_finite(dvec3_from_plain(out->torque[i]));
    }
    for (uint32_t i = 0; i < out->slope_count && is_sound; ++i) {
        is_sound = force_is_sound_slope(force, &out->slopes[i]);
    }
    return is_sound;
}

// ---- slopes ------------------------------------------------------------------------------------

static void force_find_ends(const tni_forces *forces, tni_force_link *link) {
    const tni_force_actor *actor = &forces->actors[link->actor];
    link->to_body = tni_force_body_of(forces, actor, link->to);
    link->to_arm = force_get_arm(link->to_body, &actor->force->ends[link->to]);
    link->from_body = NULL;
    if (link->from != TN_FORCE_AGAINST_WORLD) {
        link->from_body = tni_force_body_of(forces, actor, link->from);
        link->from_arm = force_get_arm(link->from_body, &actor->force->ends[link->from]);
    }
}

static void force_push_link(const tni_force_link *link, tni_dvec3 c) {
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0), back = dvec3_scale(c, -1.0);
    force_push(link->to_body, link->to_arm, link->is_angular ? zero : c,
               link->is_angular ? c : zero);
    if (link->from_body != NULL) {
        force_push(link->from_body, link->from_arm, link->is_angular ? zero : back,
                   link->is_angular ? back : zero);
    }
}

// Returns the motion of `to` against `from`, by the bodies' velocities or by their changes.
static tni_dvec3 force_get_motion(const tni_force_link *link, const tni_forced_body *body,
                                  tni_dvec3 arm, bool is_change) {
    tni_dvec3 v = is_change ? body->velocity_change : body->motion.velocity;
    tni_dvec3 w = is_change ? body->turn_change : body->motion.angular_velocity;
    return link->is_angular ? w : dvec3_add(v, dvec3_cross(w, arm));
}

static tni_dvec3 force_get_relative(const tni_force_link *link, bool is_change) {
    tni_dvec3 u = force_get_motion(link, link->to_body, link->to_arm, is_change);
    if (link->from_body != NULL) {
        u = dvec3_sub(u, force_get_motion(link, link->from_body, link->from_arm, is_change));
    }
    return u;
}

// Adds W of one end to K: 1/m + [r]^T I^-1 [r], or I^-1.
static void force_add_answer(const tni_force_link *link, const tni_forced_body *body, tni_dvec3 arm,
                             tni_dmat3 *k) {
    const double masses[3] = {body->inv_mass.x, body->inv_mass.y, body->inv_mass.z};
    for (int j = 0; j < 3 && body->moves; ++j) {
        tni_dvec3 e = dvec3_make(j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0, j == 2 ? 1.0 : 0.0);
        tni_dvec3 l = link->is_angular ? e : dvec3_cross(arm, e);
        tni_dvec3 w = dmat3_mul_vec(&body->inv_inertia, l);
        tni_dvec3 u = link->is_angular ? w : dvec3_cross(w, arm);
        k->m[0][j] += u.x;
        k->m[1][j] += u.y;
        k->m[2][j] += u.z;
        k->m[j][j] += link->is_angular ? 0.0 : masses[j];
    }
}

double tni_force_get_share(double rise) {
    double share = (rise - FORCE_EXPLICIT) / (FORCE_IMPLICIT - FORCE_EXPLICIT);
    return maths_min_d(maths_max_d(share, 0.0), 1.0);
}

static double force_get_share(const tni_dmat3 *k, const tni_dmat3 *slope, double scale) {
    tni_dmat3 of_motion = dmat3_mul(k, slope);
    return tni_force_get_share(scale * force_get_norm(&of_motion));
}

// Makes the link of a slope. Returns false if there is nothing to solve, or no solution.
static bool force_make_link(const tni_forces *forces, const tn_force_slope *slope, double h,
                            tni_force_link *link) {
    tni_dmat3 by_position, by_velocity, system;
    force_find_ends(forces, link);
    if (link->from_body == link->to_body) {
        return false;
    }
    memcpy(by_position.m, slope->by_position, sizeof by_position.m);
    memcpy(by_velocity.m, slope->by_velocity, sizeof by_velocity.m);
    memset(&link->answer, 0, sizeof link->answer);
    force_add_answer(link, link->to_body, link->to_arm, &link->answer);
    if (link->from_body != NULL) {
        force_add_answer(link, link->from_body, link->from_arm, &link->answer);
    }
    bool stops = link->to_body->stops || (link->from_body != NULL && link->from_body->stops);
    double s = stops ? 0.5 : force_get_share(&link->answer, &by_position, h * h);
    double b = stops ? 0.5 : force_get_share(&link->answer, &by_velocity, h);
    bool is_loose =
        link->to_body->is_loose && (link->from_body == NULL || link->from_body->is_loose);
    b = is_loose ? maths_max_d(b, 0.5) : b;
    link->push =
        dvec3_scale(dmat3_mul_vec(&by_position, force_get_relative(link, false)), s * h * h);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            link->gain.m[i][j] = s * h * h * by_position.m[i][j] + b * h * by_velocity.m[i][j];
        }
    }
    system = dmat3_mul(&link->gain, &link->answer);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            system.m[i][j] = (i == j ? 1.0 : 0.0) - system.m[i][j];
        }
    }
    link->impulse = dvec3_make(0.0, 0.0, 0.0);
    return force_invert(&system, &link->inverse);
}

// Solves a link. Returns whether that changed anything.
static bool force_solve_link(tni_force_link *link) {
    tni_dvec3 old = link->impulse, du = force_get_relative(link, true);
    tni_dvec3 others = dvec3_sub(du, dmat3_mul_vec(&link->answer, old));
    tni_dvec3 wanted = dvec3_add(link->push, dmat3_mul_vec(&link->gain, others));
    tni_dvec3 c = dmat3_mul_vec(&link->inverse, wanted), change = dvec3_sub(c, old);
    force_push_link(link, change);
    link->impulse = c;
    return dvec3_length(change) > FORCE_SETTLED * dvec3_length(c);
}

// Sweeps the forces from `first` on and the goals from `first_goal` on, until nothing changes.
static void force_sweep(const tni_forces *forces, uint32_t first, uint32_t first_goal) {
    bool is_settled = false;
    for (uint32_t k = 0; k < FORCE_SWEEPS && !is_settled; ++k) {
        is_settled = true;
        for (uint32_t i = first; i < forces->link_count; ++i) {
            is_settled = !force_solve_link(&forces->links[i]) && is_settled;
        }
        for (uint32_t i = first_goal; i < forces->goal_count; ++i) {
            is_settled = !tni_goal_solve(forces, &forces->goals[i], FORCE_SETTLED) && is_settled;
        }
    }
}

static void force_book_link(const tni_forces *forces, const tni_force_link *link, double h) {
    const tni_force_actor *actor = &forces->actors[link->actor];
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0), f = dvec3_scale(link->impulse, 1.0 / h);
    tni_dvec3 back = dvec3_scale(f, -1.0);
    tni_force_book(tni_force_body_of(forces, actor, link->to), &actor->force->ends[link->to],
                   link->is_angular ? zero : f, link->is_angular ? f : zero);
    if (link->from != TN_FORCE_AGAINST_WORLD) {
        tni_force_book(tni_force_body_of(forces, actor, link->from),
                       &actor->force->ends[link->from], link->is_angular ? zero : back,
                       link->is_angular ? back : zero);
    }
}

// ---- a substep ---------------------------------------------------------------------------------

static void force_ask_goal(tni_forces *forces, uint32_t index, double time, double h) {
    tni_force *force = forces->actors[index].force;
    uint32_t first = forces->goal_count;
    force->is_faulty = !tni_goal_ask(forces, index, time, h) || force->is_faulty;
    force_sweep(forces, forces->link_count, first);
}

static void force_ask_callback(tni_forces *forces, uint32_t index, double time, double h) {
    const tni_force_actor *actor = &forces->actors[index];
    tni_force *force = actor->force;
    tn_force_output out;
    force_call(forces, actor, time, h, &out);
    bool is_sound = force_is_sound(force, &out);
    force->is_faulty = force->is_faulty || !is_sound;
    for (uint32_t i = 0; i < force->end_count && is_sound; ++i) {
        tni_forced_body *body = tni_force_body_of(forces, actor, i);
        tni_dvec3 f = dvec3_from_plain(out.force[i]), torque = dvec3_from_plain(out.torque[i]);
        tni_force_book(body, &force->ends[i], f, torque);
        force_push(body, force_get_arm(body, &force->ends[i]), dvec3_scale(f, h),
                   dvec3_scale(torque, h));
    }
    uint32_t first = forces->link_count;
    for (uint32_t i = 0; i < out.slope_count && is_sound; ++i) {
        const tn_force_slope *slope = &out.slopes[i];
        tni_force_link *link = &forces->links[forces->link_count];
        link->actor = index;
        link->from = slope->from;
        link->to = slope->to;
        link->is_angular = slope->is_angular;
        forces->link_count += force_make_link(forces, slope, h, link) ? 1 : 0;
    }
    force_sweep(forces, first, forces->goal_count);
}

static void force_ask(tni_forces *forces, uint32_t index, double time, double h) {
    tni_force *force = forces->actors[index].force;
    for (uint32_t i = 0; i < force->end_count; ++i) {
        force->ends[i].force = force->ends[i].torque = dvec3_make(0.0, 0.0, 0.0);
    }
    if (force->type == TN_FORCE_TYPE_GOAL) {
        force_ask_goal(forces, index, time, h);
    } else {
        force_ask_callback(forces, index, time, h);
    }
}

// Runs the forces that are asked once in a step, or the others, over the next h.
static void force_run(const tni_solver *solver, tni_forces *forces, bool is_held, double h) {
    forces->link_count = forces->goal_count = 0;
    if (forces->has_reduced) {
        force_look_ahead(solver, h);
    }
    for (uint32_t i = 0; i < forces->body_count; ++i) {
        force_begin_body(solver, &forces->bodies[i], h);
    }
    for (uint32_t i = 0; i < forces->actor_count; ++i) {
        if (forces->actors[i].force->acts_once_per_step == is_held) {
            force_ask(forces, i, solver->movers.time + 0.5 * h, h);
        }
    }
    force_sweep(forces, 0, 0);
    for (uint32_t i = 0; i < forces->link_count; ++i) {
        force_book_link(forces, &forces->links[i], h);
    }
    for (uint32_t i = 0; i < forces->goal_count; ++i) {
        tni_goal_book(forces, &forces->goals[i]);
    }
}

static void force_write(tni_solver *solver, const tni_forced_body *body) {
    if (!body->moves) {
        return;
    }
    tni_body_mass *mass = &solver->bodies.masses[body->body];
    tni_dvec3 force = dvec3_add(body->held_force, body->force);
    tni_dvec3 torque = dvec3_add(body->held_torque, body->torque_of_forces);
    solver->bodies.pulls[body->body].acceleration =
        dvec3_add(body->acceleration, force_by_axis(body->inv_mass, force));
    mass->torque =
        tni_body_unlocked(dvec3_add(body->torque, torque), mass->locks, TN_BODY_LOCK_ANGULAR_X);
}

void tni_forces_run(tni_solver *solver) {
    tni_forces *forces = solver->movers.forces;
    if (forces->has_held && !forces->has_begun) {
        force_run(solver, forces, true, solver->dh * solver->substeps);
        for (uint32_t i = 0; i < forces->body_count; ++i) {
            forces->bodies[i].held_force = forces->bodies[i].force;
            forces->bodies[i].held_torque = forces->bodies[i].torque_of_forces;
        }
    }
    forces->has_begun = true;
    force_run(solver, forces, false, solver->dh);
    for (uint32_t i = 0; i < forces->body_count; ++i) {
        force_write(solver, &forces->bodies[i]);
    }
}
