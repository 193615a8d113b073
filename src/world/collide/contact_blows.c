// world/collide/contact_blows.c: puts the blows of one body in their order.
//
// The path of a pair ignores other pairs: a ball that will bounce off one wall is followed through
// it and past the rim of another, whose contact then has the rim's normal, or none. A body goes
// straight until it is struck, and then changes its direction. So a contact that was followed
// beyond the first blow of either of its bodies, at t, is made again along the bent path: from
// where the pair is at t, with the velocities after the blow, as those of two points would be,
//     v' = v - (1 + e) m_other / (m + m_other) min(n.(v - v_other), 0) n.
// Brought back to the start with the velocities before the blow, its planes must not be in the way
// up to t either. If they are, the contact is made for the path up to t alone: afterwards its
// planes still bound their shape and can only be too careful.
// Test: tests/world/collide/test_contact_blows.c
#include "world/collide/contact_path.h"
#include "world/contacts.h"

#include <math.h>

// The first blow that a body suffers.
typedef struct blows_first {
    double time;      // s
    uint32_t contact; // or TNI_NONE
} blows_first;

static double blows_get_time(const tn_world *world, uint32_t contact) {
    return (double)tni_contact_memory_at(world, contact)->blow;
}

// Finds the first blow before `latest` by a contact other than `own`.
static blows_first blows_find_first(const tn_world *world, uint32_t body, uint32_t own,
                                    double latest) {
    const tni_body *record = tni_body_at(world, body);
    blows_first first = {latest, TNI_NONE};
    if (record->type != TN_BODY_TYPE_DYNAMIC) {
        return first;
    }
    uint32_t key = record->contact_head;
    for (; key != TNI_NONE; key = tni_contact_edge_next(world, key)) {
        uint32_t other = key >> 1;
        const tni_contact *contact = tni_contact_at(world, other);
        bool counts = other != own && contact->is_walked && contact->awake_index != TNI_NONE;
        if (counts && blows_get_time(world, other) < first.time) {
            first = (blows_first){blows_get_time(world, other), other};
        }
    }
    return first;
}

// Returns the velocity of a body after a blow.
static tni_dvec3 blows_get_velocity(const tn_world *world, uint32_t body, tni_dvec3 velocity,
                                    uint32_t blow) {
    const tni_contact *contact = tni_contact_at(world, blow);
    bool is_a = contact->body_a == body;
    const tni_body *own = tni_body_at(world, body);
    const tni_body *other = tni_body_at(world, is_a ? contact->body_b : contact->body_a);
    tni_dvec3 n = dvec3_from_float(contact->manifold.normal);
    n = is_a ? dvec3_scale(n, -1.0) : n;
    double coming = maths_min_d(dvec3_dot(n, dvec3_sub(velocity, other->velocity)), 0.0);
    double share = own->inv_mass / (own->inv_mass + other->inv_mass);
    return dvec3_add_scaled(velocity, -(1.0 + (double)contact->restitution) * share * coming, n);
}

static tni_contact_path blows_get_path(const tn_world *world, const tni_contact *contact, double dt,
                                       tni_shape_motion own[2]) {
    tni_contact_path path = {.world = world, .dt = dt};
    path.a = tni_shape_get_motion(world, contact->shape_a, dt, &own[0]);
    path.b = tni_shape_get_motion(world, contact->shape_b, dt, &own[1]);
    tni_contact_path_reach(&path, contact);
    return path;
}

// Brings a meeting back to the step's start, t earlier, with the velocities before the blow.
// Returns the least gap there.
static double blows_bring_back(const tni_path *before, double t, tni_path_meeting *meeting) {
    tni_dvec3 way_a = dvec3_scale(before->a.velocity, t),
              way_b = dvec3_scale(before->b.velocity, t);
    tni_dvec3 n = dvec3_from_float(meeting->manifold.normal);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < meeting->manifold.point_count; ++i) {
        tni_manifold_point *p = &meeting->manifold.points[i];
        tni_dvec3 at = dvec3_add(before->origin, dvec3_from_float(p->position));
        tni_dvec3 r_a = dvec3_sub(dvec3_sub(at, way_a), before->a.position);
        tni_dvec3 r_b = dvec3_sub(r_a, dvec3_scale(meeting->offset, -1.0));
        tni_dvec3 turns = dvec3_sub(dvec3_cross(before->a.angular_velocity, r_a),
                                    dvec3_cross(before->b.angular_velocity, r_b));
        double closing = dvec3_dot(n, dvec3_add(dvec3_sub(way_a, way_b), dvec3_scale(turns, t)));
        p->separation = (float)((double)p->separation + closing);
        p->position = dvec3_to_float(dvec3_sub(dvec3_from_float(p->position), way_a));
        least = maths_min_d(least, (double)p->separation);
    }
    meeting->time += t;
    meeting->is_walked = true;
    return least;
}

// Follows the pair after the blow. Returns false if the planes found are in the way before it.
static bool blows_follow_bent(const tn_world *world, const tni_contact *contact,
                              const tni_path *path, const blows_first blows[2],
                              tni_path_meeting *meeting) {
    double t = maths_min_d(blows[0].time, blows[1].time);
    tni_path after = *path;
    after.a = tni_path_end_move(&path->a, t);
    after.b = tni_path_end_move(&path->b, t);
    if (blows[0].contact != TNI_NONE) {
        after.a.velocity =
            blows_get_velocity(world, contact->body_a, path->a.velocity, blows[0].contact);
    }
    if (blows[1].contact != TNI_NONE) {
        after.b.velocity =
            blows_get_velocity(world, contact->body_b, path->b.velocity, blows[1].contact);
    }
    after.dt = path->dt - t;
    tni_manifold start;
    tni_path_look(&after, 0.0, &start);
    tni_path_follow(&after, &start, meeting);
    if (!meeting->is_walked) {
        meeting->manifold = start;
        meeting->offset = dvec3_sub(after.a.position, after.b.position);
        for (uint32_t p = 0; p < start.point_count; ++p) {
            meeting->gaps[p] = start.points[p].separation;
        }
    }
    return blows_bring_back(path, t, meeting) >= -path->tolerance;
}

bool tni_contact_order_blow(tn_world *world, uint32_t index, double dt) {
    tni_contact *contact = tni_contact_at(world, index);
    if (!contact->is_walked) {
        return false; // a ghost
    }
    double own = blows_get_time(world, index);
    blows_first blows[2] = {blows_find_first(world, contact->body_a, index, own),
                            blows_find_first(world, contact->body_b, index, own)};
    if (blows[0].contact == TNI_NONE && blows[1].contact == TNI_NONE) {
        return false;
    }
    tni_shape_motion motions[2];
    tni_contact_path way = blows_get_path(world, contact, dt, motions);
    tni_path path;
    tni_path_meeting meeting;
    tni_contact_path_set(&way, contact, &path);
    if (!blows_follow_bent(world, contact, &path, blows, &meeting)) {
        tni_manifold start;
        tni_path_look(&path, 0.0, &start);
        path.dt = maths_min_d(blows[0].time, blows[1].time);
        tni_path_follow(&path, &start, &meeting);
        if (!meeting.is_walked) {
            contact->manifold = start;
        }
    }
    tni_contact_path_note(world, contact, &meeting);
    contact->is_touching = meeting.hits;
    // Other contacts of its bodies still see its old time.
    tni_contact_memory_at(world, index)->blow = (float)own;
    return true;
}
