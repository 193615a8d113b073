// solver/span_contact_net.c: bodies that are given by coordinates, where a drift took them through
// something.
//
// As of mechanisms (solver/touch_net.c): a blow may make a body spin or bend a way that the planes
// of the substep were not made for. Of what went farther than half its inner radius the core is
// swept along the way that the coordinates took, in pieces of less than NET_TURN, for what spins
// fast is seen turn by turn. An object whose body met something is put back to the coordinates of
// that time and keeps its speeds, and so is a body without joints that it met. They lose the rest
// of the drift; what joints of the object open by that is closed after the next one. Test:
// tests/solver/test_span_contact_net.c
#include "collision/path_meet.h"
#include "solver/span_contact.h"

// rad: of one piece; and the most pieces.
#define NET_TURN   0.5
#define NET_PIECES 64u

// The ends of a contact when the drift began and when it ended.
typedef struct net_way {
    tni_span_contact *contact;
    tni_body_motion from[2], to[2];
} net_way;

// A body that has turned by w t.
static tni_dquat net_turn(tni_dquat from, tni_dvec3 w, double t) {
    return dquat_normalize(dquat_mul(dquat_turn(w, t), from));
}

// The end after a share of the drift.
static void net_find_pose(const tni_solver *solver, const net_way *way, uint32_t e, double share,
                          tni_body_motion *out) {
    const tni_span_contact_end *end = &way->contact->ends[e];
    const tni_body_motion *from = &way->from[e], *to = &way->to[e];
    tni_dpose pose;
    *out = *to;
    if (end->reduced != NULL && end->reduced->affine == NULL &&
        tni_reduced_look_ahead(end->reduced, end->member, end->reduced->speeds,
                               (share - 1.0) * solver->dh, &pose)) {
        out->position = pose.position;
        out->rotation = pose.rotation;
        return;
    }
    tni_dvec3 shift = dvec3_sub(to->position, from->position);
    out->position = dvec3_add_scaled(from->position, share, shift);
    out->rotation = net_turn(from->rotation, to->angular_velocity, share * solver->dh);
}

static uint32_t net_count_pieces(const tni_solver *solver, const tni_span_contact *contact) {
    double turn = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        double speed = dvec3_length(contact->ends[e].motion.angular_velocity);
        turn = fmax(turn, speed * solver->dh);
    }
    return turn < NET_TURN * NET_PIECES ? 1 + (uint32_t)(turn / NET_TURN) : NET_PIECES;
}

// Affine bodies touch by their shapes at rest, or by the deformed ones again.
static void net_use_shapes(tni_span_contact *contact, bool at_rest) {
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_span_contact_end *end = &contact->ends[e];
        if (tni_span_contact_is_affine(end)) {
            const tni_geometry *geometry = at_rest ? end->rest : &end->deformed->geometry;
            tni_span_contact_use_shape(end, geometry, &contact->touch->ends[e]);
        }
    }
}

// Sweeps one piece. The core of a deformed box is the ball in its middle, so the box at rest is
// swept, too.
static double net_find_passed(const tni_solver *solver, tni_span_contact *contact) {
    double met = tni_touch_find_passed(solver, contact->touch);
    if (tni_span_contact_is_affine(&contact->ends[0]) ||
        tni_span_contact_is_affine(&contact->ends[1])) {
        net_use_shapes(contact, true);
        met = fmin(met, tni_touch_find_passed(solver, contact->touch));
        net_use_shapes(contact, false);
    }
    return met;
}

// The share of the drift after which the contact's shapes meet, above 1 where they do not.
static double net_find_share(const tni_solver *solver, net_way *way) {
    tni_span_contact *contact = way->contact;
    tni_body_motion before[2];
    uint32_t pieces = net_count_pieces(solver, contact);
    double share = 2.0;
    for (uint32_t i = 0; i < pieces && share > 1.0; ++i) {
        for (uint32_t e = 0; e < 2; ++e) {
            before[e] = i == 0 ? way->from[e] : contact->ends[e].motion;
            contact->ends[e].motion = way->to[e];
            if (i + 1 < pieces) {
                net_find_pose(solver, way, e, (i + 1.0) / pieces, &contact->ends[e].motion);
            }
            contact->touch->ends[e].before = &before[e];
        }
        double met = net_find_passed(solver, contact);
        share = met < 1.0 ? (i + met) / pieces : share;
    }
    contact->touch->ends[0].before = contact->touch->ends[1].before = NULL;
    return share;
}

static void net_put_back(tni_solver *solver, tni_reduced *reduced) {
    double share = reduced->way_kept, moved[TN_REDUCED_MAX_FREEDOMS];
    if (!(share < 1.0)) {
        return;
    }
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        moved[k] = reduced->coordinates[k] - (1.0 - share) * solver->dh * reduced->speeds[k];
    }
    tni_reduced_go(solver, reduced, moved);
}

static void net_sweep(tni_solver *solver, tni_span_contact *contact) {
    net_way way = {.contact = contact};
    for (uint32_t e = 0; e < 2; ++e) {
        way.from[e] = contact->ends[e].motion;
    }
    tni_span_contact_see(solver, contact);
    for (uint32_t e = 0; e < 2; ++e) {
        way.to[e] = contact->ends[e].motion;
    }
    double share = contact->way_kept = net_find_share(solver, &way);
    for (uint32_t e = 0; e < 2; ++e) {
        tni_reduced *reduced = contact->ends[e].reduced;
        contact->ends[e].before = way.from[e];
        if (reduced != NULL) {
            reduced->way_kept = fmin(reduced->way_kept, share);
        }
    }
}

// Does another contact of the body hold it earlier?
static bool net_is_held_before(const tni_solver *solver, const tni_span_contact *contact,
                               uint32_t body) {
    for (uint32_t i = 0; i < solver->span_contact_count; ++i) {
        const tni_span_contact *other = &solver->span_contacts[i];
        bool is_its = other->ends[0].body == body || other->ends[1].body == body;
        bool is_first = other->way_kept < contact->way_kept ||
                        (other->way_kept == contact->way_kept && other < contact);
        if (is_its && is_first) {
            return true;
        }
    }
    return false;
}

// A free body that met an object comes no farther either.
static void net_put_body_back(tni_solver *solver, const tni_span_contact *contact, uint32_t e) {
    const tni_span_contact_end *end = &contact->ends[e];
    if (!end->is_free || net_is_held_before(solver, contact, end->body)) {
        return;
    }
    tni_body_motion *motion = &solver->motions[end->body];
    double lost = 1.0 - contact->way_kept;
    tni_dvec3 way = dvec3_scale(dvec3_sub(motion->position, end->before.position), -lost);
    tni_dvec3 w = end->motion.angular_velocity, turn = dvec3_scale(w, -lost * solver->dh);
    motion->position = dvec3_add(motion->position, way);
    motion->rotation = net_turn(motion->rotation, w, -lost * solver->dh);
    if (solver->deltas != NULL) {
        tni_body_delta *delta = &solver->deltas[end->body];
        delta->position = glms_vec3_add(delta->position, dvec3_to_float(way));
        delta->rotation = glms_vec3_add(delta->rotation, dvec3_to_float(turn));
    }
    solver->has_old_gaps = true;
}

void tni_span_contacts_cast_net(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->reduced_count; ++i) {
        solver->reduced[i]->way_kept = 2.0;
    }
    for (uint32_t i = 0; i < solver->span_contact_count; ++i) {
        net_sweep(solver, &solver->span_contacts[i]);
    }
    for (uint32_t i = 0; i < solver->reduced_count; ++i) {
        net_put_back(solver, solver->reduced[i]);
    }
    for (uint32_t i = 0; i < solver->span_contact_count; ++i) {
        for (uint32_t e = 0; e < 2 && solver->span_contacts[i].way_kept < 1.0; ++e) {
            net_put_body_back(solver, &solver->span_contacts[i], e);
        }
    }
}
