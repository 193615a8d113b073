// solver/movers/span_contact_net.c: bodies that are given by coordinates, where a drift took them
// through something.
//
// As in mechanisms (solver/touches/touch_net.c), a blow may make a body spin, or bend its path, in
// a way that the planes of the substep were not made for. If a body went farther than half its
// inner radius its core is swept along the path of the coordinates, in pieces of less than
// NET_TURN, so that a fast spin is followed turn by turn. An affine body is deformed anew at each
// look, for a blow may stretch it to several times its length within a substep, or turn it inside
// out: its material goes straight, so that a surface comes along n by no more than |n.c'| + |A'^T
// n| R. An object whose body met something is put back to the coordinates of that time and keeps
// its speeds, and so is a body without joints that it met. They lose the remaining drift; joints of
// the object that open by this are closed after the next drift. Test:
// tests/solver/movers/test_span_contact_net.c
#include "collision/path/path_meet.h"
#include "core/dmat3.h"
#include "solver/movers/span_contact.h"

// The turn of one piece, rad, and the most pieces.
#define NET_TURN   0.5
#define NET_PIECES 64u
// The number of shapes that a sweep of a straining body looks at.
#define NET_LOOKS 32

// The ends of a contact when the drift began and when it ended.
typedef struct net_way {
    tni_span_contact *contact;
    tni_body_motion from[2], to[2];
} net_way;

// Returns the rotation of a body that has turned by w t.
static tni_dquat net_turn(tni_dquat from, tni_dvec3 w, double t) {
    return dquat_normalize(dquat_mul(dquat_turn(w, t), from));
}

// Finds the coordinates after a share of the drift, with a kept volume or area.
static void net_find_coordinates(const tni_reduced *reduced, double share, double *out) {
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        double from = reduced->drift_from[k];
        out[k] = from + share * (reduced->coordinates[k] - from);
    }
    if (reduced->affine != NULL) {
        tni_affine_fit(reduced, out);
    }
}

// Finds the pose of an end after a share of the drift.
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
        turn = maths_max_d(turn, speed * solver->dh);
    }
    return turn < NET_TURN * NET_PIECES ? 1 + (uint32_t)(turn / NET_TURN) : NET_PIECES;
}

// Returns the share of the drift after which the contact's shapes meet, above 1 if they do not.
static double net_find_rigid_share(const tni_solver *solver, net_way *way) {
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
        double met = tni_touch_find_passed(solver, contact->touch);
        share = met < 1.0 ? (i + met) / pieces : share;
    }
    contact->touch->ends[0].before = contact->touch->ends[1].before = NULL;
    return share;
}

// ---- bodies that strain -----------------------------------------------------------------------

// A pair with an affine body, all of whose material goes straight, each point at its own velocity.
typedef struct net_strained {
    const tni_solver *solver;
    const net_way *way;
    tni_geometry shapes[2]; // swept shapes, an affine body's at rest
    tni_deformed now[2];    // an affine body's shape, deformed
} net_strained;

static bool net_is_affine(const net_way *way, uint32_t e) {
    return tni_span_contact_is_affine(&way->contact->ends[e]);
}

// Returns the speed, m/s, that no part of an end exceeds along n relative to its centre of mass.
static double net_get_reach_speed(const net_way *way, uint32_t e, tni_dvec3 n, double h) {
    const tni_span_contact_end *end = &way->contact->ends[e];
    if (!net_is_affine(way, e)) {
        return way->contact->touch->ends[e].reach * dvec3_length(way->to[e].angular_velocity);
    }
    tni_dmat3 from = dmat3_read(end->reduced->drift_from + 3);
    tni_dmat3 to = dmat3_read(end->reduced->coordinates + 3);
    tni_dmat3 strained = dmat3_add_scaled(&to, -1.0, &from);
    double length = dvec3_length(dmat3_mul_transposed_vec(&strained, n));
    return (double)end->deformed->reach * length * maths_inverse_or_zero_d(h);
}

// Returns a bound of that speed in any direction.
static double net_get_greatest_speed(const net_way *way, uint32_t e, double h) {
    double square = 0.0;
    for (uint32_t k = 0; k < 3; ++k) {
        double speed = net_get_reach_speed(way, e, dvec3_make(k == 0, k == 1, k == 2), h);
        square += speed * speed;
    }
    return sqrt(square);
}

static tni_dvec3 net_get_velocity(const net_strained *pair, uint32_t e) {
    const net_way *way = pair->way;
    tni_dvec3 shift = dvec3_sub(way->to[e].position, way->from[e].position);
    return dvec3_scale(shift, maths_inverse_or_zero_d(pair->solver->dh));
}

// Deforms an affine body as it is with `left` of the drift to come. Returns its shape in its frame.
static const tni_geometry *net_strain(net_strained *pair, uint32_t e, double left,
                                      tni_body_motion *out) {
    tni_reduced *reduced = pair->way->contact->ends[e].reduced;
    double moved[TN_AFFINE_FREEDOMS];
    net_find_coordinates(reduced, 1.0 - left / pair->solver->dh, moved);
    tni_affine_place(reduced, moved, reduced->speeds);
    tni_affine_deform(reduced, &pair->shapes[e], reduced->bodies[0].center, &pair->now[e]);
    out->position = reduced->bodies[0].position;
    out->rotation = reduced->bodies[0].rotation;
    return &pair->now[e].geometry;
}

static tni_path_end net_get_shape(net_strained *pair, uint32_t e, double left) {
    tni_touch_end touched = pair->way->contact->touch->ends[e];
    tni_path_end out = {.geometry = &pair->shapes[e]};
    tni_body_motion at;
    if (net_is_affine(pair->way, e)) {
        out.geometry = net_strain(pair, e, left, &at);
        tni_span_contact_use_shape(&pair->way->contact->ends[e], out.geometry, &touched);
    } else {
        net_find_pose(pair->solver, pair->way, e, 1.0 - left / pair->solver->dh, &at);
    }
    tni_dquat rotation = dquat_mul(at.rotation, touched.rotation);
    out.position = at.position;
    out.center = dvec3_add(at.position, dquat_rotate(at.rotation, touched.position));
    out.rotation = maths_quat_normalize(dquat_to_float(rotation));
    return out;
}

// Conservative advancement as in collision/path/path_meet.c, by shapes that are deformed anew.
// Returns the time, s, at which they come as near as `touch`, or twice the drift.
static double net_find_meeting(net_strained *pair, double touch, double most) {
    const net_way *way = pair->way;
    double t = 0.0, before = 0.0, h = pair->solver->dh;
    tni_dvec3 u = dvec3_sub(net_get_velocity(pair, 0), net_get_velocity(pair, 1));
    double fastest =
        dvec3_length(u) + net_get_greatest_speed(way, 0, h) + net_get_greatest_speed(way, 1, h);
    for (int i = 0; i < NET_LOOKS; ++i) {
        tni_manifold manifold;
        tni_path path = {.a = net_get_shape(pair, 0, h - t), .b = net_get_shape(pair, 1, h - t)};
        path.origin = path.b.center;
        path.margin = (float)(fastest * (most - t));
        double gap = tni_path_look(&path, 0.0, &manifold);
        tni_dvec3 n = dvec3_from_float(manifold.normal);
        double coming = dvec3_dot(n, u) * most, closing = dvec3_dot(n, u);
        closing += net_get_reach_speed(way, 0, n, h) + net_get_reach_speed(way, 1, n, h);
        bool parts = manifold.point_count == 0 || !(closing * (most - t) > gap);
        bool lies_there = i == 0 && gap <= touch && (gap <= -touch || coming <= touch);
        if (parts || lies_there) {
            return 2.0 * h;
        }
        if (gap <= touch) {
            return gap < -touch ? before : t; // it has turned inside out in between
        }
        before = t;
        t += gap / closing;
    }
    return t;
}

static void net_use_wholes(net_strained *pair) {
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_span_contact_end *end = &pair->way->contact->ends[e];
        pair->shapes[e] = *pair->way->contact->touch->ends[e].geometry;
        if (net_is_affine(pair->way, e)) {
            pair->shapes[e] = *end->rest;
            pair->now[e] = *end->deformed;
        }
    }
}

// Replaces a shape by its core: a box keeps its hull, a hull becomes the ball in its middle.
static void net_use_core(net_strained *pair, uint32_t e) {
    const tni_geometry whole = pair->shapes[e];
    tni_geometry *core = &pair->shapes[e];
    *core = tni_path_make_core(&whole, tni_geometry_inner_radius(&whole), false);
    if (whole.type == TNI_GEOMETRY_HULL) {
        vec3s middle = maths_rotate(whole.rotation, whole.hull.hull->center);
        core->position = glms_vec3_add(whole.position, middle);
    }
    if (core->type != TNI_GEOMETRY_BOX) {
        pair->now[e].geometry = *core;
    }
}

static double net_find_core_share(net_strained *pair, uint32_t e) {
    double h = pair->solver->dh, way = 0.0;
    net_use_wholes(pair);
    double inner = (double)tni_geometry_inner_radius(&pair->shapes[e]);
    for (uint32_t k = 0; k < 2; ++k) {
        way += dvec3_length(net_get_velocity(pair, k)) + net_get_greatest_speed(pair->way, k, h);
    }
    if (!pair->way->contact->touch->ends[e].is_loose ||
        tni_geometry_is_triangle(&pair->shapes[e]) || h * way < (double)TNI_MEET_CORE * inner) {
        return 2.0;
    }
    net_use_core(pair, e);
    double touch = TNI_MEET_TOUCH * inner, t = net_find_meeting(pair, touch, h);
    if (t > h) {
        return 2.0;
    }
    net_use_wholes(pair);
    return maths_min_d(t, net_find_meeting(pair, touch, t)) / h;
}

// Returns that share if one of the bodies is affine, and restores the body's state.
static double net_find_strained_share(const tni_solver *solver, const net_way *way) {
    net_strained pair = {.solver = solver, .way = way};
    tni_affine affine[2];
    tni_reduced_body bodies[2];
    for (uint32_t e = 0; e < 2; ++e) {
        if (net_is_affine(way, e)) {
            affine[e] = *way->contact->ends[e].reduced->affine;
            bodies[e] = way->contact->ends[e].reduced->bodies[0];
        }
    }
    double share = maths_min_d(net_find_core_share(&pair, 0), net_find_core_share(&pair, 1));
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_span_contact_end *end = &way->contact->ends[e];
        if (net_is_affine(way, e)) {
            *end->reduced->affine = affine[e];
            end->reduced->bodies[0] = bodies[e];
            tni_affine_deform(end->reduced, end->rest, bodies[e].center, end->deformed);
        }
    }
    return share;
}

// ---- one contact ------------------------------------------------------------------------------

static void net_put_back(tni_solver *solver, tni_reduced *reduced) {
    double moved[TN_REDUCED_MAX_FREEDOMS];
    if (!(reduced->way_kept < 1.0)) {
        return;
    }
    net_find_coordinates(reduced, reduced->way_kept, moved);
    tni_reduced_go(solver, reduced, moved);
    if (reduced->affine != NULL) {
        tni_affine_keep_rate(solver, reduced, reduced->speeds);
    }
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
    double share = contact->way_kept = net_is_affine(&way, 0) || net_is_affine(&way, 1)
                                           ? net_find_strained_share(solver, &way)
                                           : net_find_rigid_share(solver, &way);
    for (uint32_t e = 0; e < 2; ++e) {
        tni_reduced *reduced = contact->ends[e].reduced;
        contact->ends[e].before = way.from[e];
        if (reduced != NULL) {
            reduced->way_kept = maths_min_d(reduced->way_kept, share);
        }
    }
}

// Returns whether another contact of the body holds it earlier.
static bool net_is_held_before(const tni_solver *solver, const tni_span_contact *contact,
                               uint32_t body) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        const tni_span_contact *other = &solver->movers.span_contacts[i];
        bool is_its = other->ends[0].body == body || other->ends[1].body == body;
        bool is_first = other->way_kept < contact->way_kept ||
                        (other->way_kept == contact->way_kept && other < contact);
        if (is_its && is_first) {
            return true;
        }
    }
    return false;
}

// Puts back a free body that met an object: it goes no farther either.
static void net_put_body_back(tni_solver *solver, const tni_span_contact *contact, uint32_t e) {
    const tni_span_contact_end *end = &contact->ends[e];
    if (!end->is_free || net_is_held_before(solver, contact, end->body)) {
        return;
    }
    tni_body_motion *motion = &solver->bodies.motions[end->body];
    double lost = 1.0 - contact->way_kept;
    tni_dvec3 way = dvec3_scale(dvec3_sub(motion->position, end->before.position), -lost);
    tni_dvec3 w = end->motion.angular_velocity, turn = dvec3_scale(w, -lost * solver->dh);
    motion->position = dvec3_add(motion->position, way);
    motion->rotation = net_turn(motion->rotation, w, -lost * solver->dh);
    if (solver->bodies.deltas != NULL) {
        tni_body_delta *delta = &solver->bodies.deltas[end->body];
        delta->position = glms_vec3_add(delta->position, dvec3_to_float(way));
        delta->rotation = glms_vec3_add(delta->rotation, dvec3_to_float(turn));
    }
    solver->contacts.has_old_gaps = true;
}

void tni_span_contacts_cast_net(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.reduced_count; ++i) {
        solver->movers.reduced[i]->way_kept = 2.0;
    }
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        net_sweep(solver, &solver->movers.span_contacts[i]);
    }
    for (uint32_t i = 0; i < solver->movers.reduced_count; ++i) {
        net_put_back(solver, solver->movers.reduced[i]);
    }
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        for (uint32_t e = 0; e < 2 && solver->movers.span_contacts[i].way_kept < 1.0; ++e) {
            net_put_body_back(solver, &solver->movers.span_contacts[i], e);
        }
    }
}
