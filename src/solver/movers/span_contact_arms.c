// solver/movers/span_contact_arms.c: contacts with bodies that are given by coordinates, in the
// middle of the drift.
//
// As in solver/contacts/contact_arms.h, a contact that stays closed is a constraint, so that solve
// A's velocities must have J v + h/2 dJ/dt v = 0. Points turn with the carrier c, the normal with
// the body of the face, and with k the core of the carrier's surface, at the distance rho from the
// point along n, and o = r_b - r_a
//     n' = w_n x n,    r_c' = w_c x k +- rho n',    o' = v_a - v_b
//     dJ/dt v = n'.u_p + n.(u_b' - u_a'),    u_e' = w_e x r_e' + d_e + d'_e x r_e
// where u_p is the relative velocity of the points. The d of an object are its accelerations at
// constant speeds (solver/movers/reduced.c); the material of an affine body goes straight. Test:
// tests/world/movers/test_affine_contacts.c
#include "collision/narrow.h"
#include "solver/movers/span_contact.h"

// These equal ARMS_THROUGH and ARMS_MOST_TURN of solver/contacts/contact_arms.h.
#define ARMS_THROUGH   1e-3
#define ARMS_MOST_TURN 0.5
// Stands for a carrier, or the body of a face, that does not exist.
#define ARMS_NONE 2u

typedef struct arms_turning {
    uint32_t carrier, face; // ends
    tni_dvec3 normal, rate; // n and n'
    tni_dvec3 spin;         // w_c of the points
    double radius;          // rho, without the gap; negative for b
} arms_turning;

static double arms_get_miss(tni_dvec3 arm, tni_dvec3 n) {
    tni_dvec3 across = dvec3_cross(arm, n);
    return dvec3_dot(across, across);
}

// Returns the end whose face the normal belongs to.
static uint32_t arms_find_face(const tni_touch *touch) {
    for (uint32_t e = 0; e < 2; ++e) {
        if (touch->ends[e].geometry->type == TNI_GEOMETRY_HALF_SPACE) {
            return e;
        }
    }
    uint16_t kind = touch->is_walked ? NARROW_AXIS_NONE : touch->cache.axis_kind;
    return kind == NARROW_AXIS_FACE_A ? 0 : kind == NARROW_AXIS_FACE_B ? 1 : ARMS_NONE;
}

static bool arms_may_give_way(const tni_span_contact *contact, uint32_t e) {
    const tni_span_contact_end *end = &contact->ends[e];
    return end->has_entry && contact->moves[end->entry];
}

// Returns the end that carries the points: the one whose edge or corner lies on a face, else the
// one nearer to the line of the load.
static uint32_t arms_find_carrier(const tni_span_contact *contact, uint32_t face) {
    tni_dvec3 n = dvec3_from_float(contact->normal), r[2];
    bool moves[2], misses = false;
    double miss[2];
    for (uint32_t e = 0; e < 2; ++e) {
        r[e] = dvec3_from_float(contact->arms[e][TNI_LANES]);
        moves[e] = arms_may_give_way(contact, e);
        miss[e] = arms_get_miss(r[e], n);
        misses |= miss[e] > ARMS_THROUGH * ARMS_THROUGH * dvec3_dot(r[e], r[e]);
    }
    if (face != ARMS_NONE && contact->point_count < 3) {
        return 1 - face;
    }
    if (!moves[0] || !moves[1]) {
        return moves[0] ? 0 : 1;
    }
    return misses ? (miss[0] < miss[1] ? 0 : 1) : ARMS_NONE;
}

// Returns the spin of the points. A lying capsule's spin about its axis moves none of its points.
static tni_dvec3 arms_get_spin(const tni_span_contact *contact, uint32_t e) {
    const tni_touch_end *end = &contact->touch->ends[e];
    tni_dvec3 w = contact->ends[e].motion.angular_velocity;
    if (contact->point_count < 2 || !tni_geometry_may_lie(end->geometry)) {
        return w;
    }
    tni_dvec3 axis = dquat_axis_y(dquat_mul(contact->ends[e].motion.rotation, end->rotation));
    if (tni_geometry_is_curved(end->geometry) &&
        fabs(dvec3_dot(axis, dvec3_from_float(contact->normal))) > 0.1) {
        return w; // it stands on its rim, or is a cone
    }
    return dvec3_add_scaled(w, -dvec3_dot(axis, w), axis);
}

static double arms_get_core_distance(const arms_turning *turning, const tni_span_contact *contact,
                                     uint32_t p) {
    uint32_t first = p < TNI_LANES ? p : 0;
    double half = p < TNI_LANES ? 0.5 * (double)contact->touch->gap_then[first] : 0.0;
    return turning->radius + (turning->carrier == 0 ? half : -half);
}

// Returns u_e' of a point whose arm on that end changes at `rate`.
static tni_dvec3 arms_get_drift(const tni_span_contact *contact, const arms_turning *turning,
                                uint32_t e, uint32_t p, tni_dvec3 rate) {
    const tni_span_contact_end *end = &contact->ends[e];
    if (tni_span_contact_is_affine(end)) {
        return turning->carrier == e ? dvec3_make(0.0, 0.0, 0.0)
                                     : dvec3_cross(end->motion.angular_velocity, rate);
    }
    tni_dvec3 drift = dvec3_cross(end->motion.angular_velocity, rate);
    if (end->reduced != NULL) {
        const tni_reduced_body *body = &end->reduced->bodies[end->member];
        tni_dvec3 arm = dvec3_from_float(contact->arms[e][p]);
        drift = dvec3_add(drift, body->drift);
        drift = dvec3_add(drift, dvec3_cross(body->angular_drift, arm));
    }
    return drift;
}

// Returns u_b' - u_a' of a point.
static tni_dvec3 arms_get_pull(const tni_span_contact *contact, const arms_turning *turning,
                               uint32_t p) {
    const tni_body_motion *a = &contact->ends[0].motion, *b = &contact->ends[1].motion;
    uint32_t c = turning->carrier;
    tni_dvec3 offset = dvec3_sub(a->velocity, b->velocity), rates[2];
    double radius = arms_get_core_distance(turning, contact, p);
    tni_dvec3 arm = dvec3_from_float(contact->arms[c][p]);
    tni_dvec3 core = dvec3_add_scaled(arm, -radius, turning->normal);
    rates[c] = dvec3_add_scaled(dvec3_cross(turning->spin, core), radius, turning->rate);
    rates[1 - c] = dvec3_add_scaled(rates[c], c == 0 ? 1.0 : -1.0, offset);
    return dvec3_sub(arms_get_drift(contact, turning, 1, p, rates[1]),
                     arms_get_drift(contact, turning, 0, p, rates[0]));
}

static tni_dvec3 arms_get_speed(const tni_span_contact *contact, uint32_t p) {
    tni_dvec3 u[2];
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_body_motion *motion = &contact->ends[e].motion;
        tni_dvec3 arm = dvec3_from_float(contact->arms[e][p]);
        u[e] = dvec3_add(motion->velocity, dvec3_cross(motion->angular_velocity, arm));
    }
    return dvec3_sub(u[1], u[0]);
}

// Returns false if nothing turns, or turns too far to follow.
static bool arms_find_turning(const tni_solver *solver, const tni_span_contact *contact,
                              arms_turning *turning) {
    double fastest = 0.0, most = ARMS_MOST_TURN * (double)solver->inv_h;
    for (uint32_t e = 0; e < 2; ++e) {
        fastest = maths_max_d(fastest, dvec3_length(contact->ends[e].motion.angular_velocity));
    }
    turning->face = arms_find_face(contact->touch);
    turning->carrier = arms_find_carrier(contact, turning->face);
    if (turning->carrier == ARMS_NONE ||
        !(fastest > (double)(TNI_CONTACT_LEAST_TURN * solver->inv_h))) {
        return false;
    }
    turning->normal = dvec3_from_float(contact->normal);
    turning->spin = arms_get_spin(contact, turning->carrier);
    turning->rate = dvec3_make(0.0, 0.0, 0.0);
    double turn = 0.0;
    if (turning->face != ARMS_NONE) {
        tni_dvec3 w = contact->ends[turning->face].motion.angular_velocity;
        turning->rate = dvec3_cross(w, turning->normal);
        turn = dvec3_length(w);
    }
    float radius = tni_geometry_roundness(contact->touch->ends[turning->carrier].geometry);
    turning->radius = turning->carrier == 0 ? (double)radius : -(double)radius;
    turn = contact->point_count > 1 ? maths_max_d(turn, dvec3_length(turning->spin)) : turn;
    return turn < most;
}

// Returns how fast directions of friction with a grain turn about the normal, rad/s: see
// solver/contacts/contact_grains.h.
static double arms_get_grain_rate(const tni_span_contact *contact) {
    const tni_contact_extras *extras = contact->record.extras;
    double rate = 0.0, count = 0.0;
    for (uint32_t e = 0; e < 2 && contact->touch->has_grain; ++e) {
        if (extras->grains[e].is_any) {
            const tni_body_motion *motion = &contact->ends[e].motion;
            rate += dvec3_dot(motion->angular_velocity, dvec3_from_float(contact->normal));
            count += 1.0;
        }
    }
    return count > 0.0 ? rate / count : 0.0;
}

// Returns the bend, or 0 if float cannot hold it.
static float arms_limit(double bend) {
    return fabs(bend) < (double)FLT_MAX ? maths_to_float(bend) : 0.0f;
}

void tni_span_contact_bend(const tni_solver *solver, tni_span_contact *contact) {
    arms_turning turning;
    float load = 0.0f;
    for (uint32_t r = 0; r < TNI_SPAN_CONTACT_ROWS; ++r) {
        contact->states[r].bend = 0.0f;
        load += r < contact->point_count ? contact->states[r].warm : 0.0f;
    }
    if (!(load > 0.0f)) { // a blow does not foretell the velocities after it
        return;
    }
    tni_span_contact_see(solver, contact);
    if (!arms_find_turning(solver, contact, &turning)) {
        return;
    }
    double half = 0.5 * solver->dh;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        tni_dvec3 pull = arms_get_pull(contact, &turning, p);
        double bend =
            dvec3_dot(turning.rate, arms_get_speed(contact, p)) + dvec3_dot(turning.normal, pull);
        contact->states[p].bend = arms_limit(half * bend);
    }
    tni_dvec3 pull = arms_get_pull(contact, &turning, TNI_LANES);
    double grain_rate = arms_get_grain_rate(contact);
    if (grain_rate != 0.0) {
        tni_dvec3 speed = arms_get_speed(contact, TNI_LANES);
        tni_dvec3 across = dvec3_cross(speed, dvec3_from_float(contact->normal));
        pull = dvec3_add_scaled(pull, grain_rate, across); // t.(u x n) is (n x t).u
    }
    for (uint32_t t = 0; t < 2; ++t) {
        double bend = dvec3_dot(dvec3_from_float(contact->tangent[t]), pull);
        contact->states[TNI_SPAN_SLIDE + t].bend =
            arms_limit(half * (double)contact->grip[t] * bend);
    }
}
