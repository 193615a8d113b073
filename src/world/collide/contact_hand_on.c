// world/collide/contact_hand_on.c: the load of points that end goes to those that begin.
//
// A body that slides or rolls from tile to tile leaves the points that carried it for others, which
// know nothing of its weight: impulses go from step to step by the names of corners and edges. If
// the new points began with nothing, the body would sink a little at every seam and bob, the more
// the longer the substep is. So the load L that points of a body R lost in this step, with its
// centre of pressure c, goes to those that began, where their normals are the same and they are
// closed: with r_i the arms of these from their middle r, in the plane,
//     x_i = L/n + g.r_i        sum x_i r_i = L (c - r)
// which are the least impulses with the sum L and L's torque; negative ones are left out. Friction
// is shared in proportion. The result is a guess that the solver corrects.
// Test: tests/world/collide/test_contact_hand_on.c
#include "world/collide/contact_hand_on.h"
#include "world/contacts.h"

#include <math.h>
#include <string.h>

// m: points that are farther apart are open and carry nothing.
#define HAND_ON_GAP 5e-4f
// Normals closer than this count as one: 1 - cosine.
#define HAND_ON_SAME 1e-4f
// A body moves along its floor if at most this share of its speed is across it. A body that tumbles
// does not, and its blows must not be given again.
#define HAND_ON_SLANT 0.05
// The share of the points' spread below which they count as a line or a point.
#define HAND_ON_FLAT 1e-6f
// The most points that one body can be given load at once.
#define HAND_ON_POINTS 32

// ---- lost loads -------------------------------------------------------------------------------

// Returns the body of a contact that moves over the other: the only dynamic one, or the faster.
static uint32_t hand_on_get_mover(const tn_world *world, const tni_contact *contact) {
    const tni_body *a = tni_body_at(world, contact->body_a),
                   *b = tni_body_at(world, contact->body_b);
    bool is_a = a->type == TN_BODY_TYPE_DYNAMIC;
    if (is_a && b->type == TN_BODY_TYPE_DYNAMIC) {
        is_a = dvec3_dot(a->velocity, a->velocity) > dvec3_dot(b->velocity, b->velocity);
    }
    return is_a ? contact->body_a : contact->body_b;
}

// Returns the origin of the last step's points, from the mover's centre of mass.
static tni_dvec3 hand_on_get_origin(const tn_world *world, const tni_contact *contact,
                                    const tni_shape_motion *a, const tni_shape_motion *b,
                                    double dt) {
    if (hand_on_get_mover(world, contact) == contact->body_a) {
        return dvec3_from_float(a->offset);
    }
    if (contact->is_walked && !a->is_dynamic) {
        const tni_contact_memory *memory =
            tni_contact_memory_at(world, contact->handle & TNI_POOL_INDEX_MASK);
        return dvec3_add(dvec3_sub(contact->origin, tni_shape_motion_get_position(a)),
                         dvec3_from_float(memory->offset));
    }
    if (!a->is_dynamic) {
        return dvec3_from_float(b->offset);
    }
    tni_dvec3 now = dvec3_sub(a->center, tni_shape_motion_get_position(b));
    return dvec3_add_scaled(now, dt, dvec3_sub(b->velocity, a->velocity));
}

void tni_contact_take_before(const tn_world *world, const tni_contact *contact,
                             const tni_shape_motion *a, const tni_shape_motion *b, double dt,
                             tni_contact_before *out) {
    tni_dvec3 u = dvec3_sub(b->velocity, a->velocity);
    out->count = 0;
    out->normal = contact->manifold.normal;
    tni_dvec3 n = dvec3_from_float(out->normal);
    if (fabs(dvec3_dot(n, u)) > HAND_ON_SLANT * dvec3_length(u)) {
        return;
    }
    out->friction = contact->friction_impulse;
    vec3s from = dvec3_to_float(hand_on_get_origin(world, contact, a, b, dt));
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        if (contact->normal_impulses[p] > 0.0f) {
            const tni_manifold_point *point = &contact->manifold.points[p];
            out->features[out->count] = point->feature;
            out->arms[out->count] = glms_vec3_add(from, point->position);
            out->impulses[out->count++] = contact->normal_impulses[p];
        }
    }
}

static bool hand_on_has_feature(const tni_contact *contact, uint32_t feature) {
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        if (contact->manifold.points[p].feature == feature && contact->normal_impulses[p] > 0.0f) {
            return true;
        }
    }
    return false;
}

bool tni_contact_note_lost(const tn_world *world, const tni_contact *contact,
                           const tni_contact_before *before) {
    tni_contact_lost lost = {.normal = before->normal, .friction = before->friction};
    for (uint32_t p = 0; p < before->count; ++p) {
        if (hand_on_has_feature(contact, before->features[p])) {
            lost.friction = maths_vec3_zero(); // friction stays with the other points
            continue;
        }
        lost.load += before->impulses[p];
        lost.moment = maths_vec3_add_scaled(lost.moment, before->impulses[p], before->arms[p]);
    }
    if (!(lost.load > 0.0f)) {
        return false;
    }
    tni_contact_memory_at(world, contact->handle & TNI_POOL_INDEX_MASK)->lost = lost;
    return true;
}

// ---- new points -------------------------------------------------------------------------------

typedef struct hand_on_place {
    tni_contact *contact;
    uint32_t point;
    float x, y; // of the arm, in the plane
    float impulse;
} hand_on_place;

typedef struct hand_on_points {
    hand_on_place places[HAND_ON_POINTS];
    uint32_t count;
    vec3s normal, across, along; // of the plane
} hand_on_points;

// Sums the loads that the body's contacts lost along a normal, and takes them from the contacts.
static tni_contact_lost hand_on_collect(tn_world *world, const tni_body *body, vec3s normal) {
    tni_contact_lost sum = {.normal = normal};
    for (uint32_t key = body->contact_head; key != TNI_NONE;
         key = tni_contact_edge_next(world, key)) {
        tni_contact_lost *lost = &tni_contact_memory_at(world, key >> 1)->lost;
        if (lost->load > 0.0f && glms_vec3_dot(lost->normal, normal) > 1.0f - HAND_ON_SAME) {
            sum.load += lost->load;
            sum.moment = glms_vec3_add(sum.moment, lost->moment);
            sum.friction = glms_vec3_add(sum.friction, lost->friction);
            lost->load = 0.0f;
        }
    }
    return sum;
}

static void hand_on_add_points(const tni_body *body, tni_contact *contact, hand_on_points *to) {
    vec3s from = dvec3_to_float(dvec3_sub(contact->origin, body->position));
    for (uint32_t p = 0; p < contact->manifold.point_count && to->count < HAND_ON_POINTS; ++p) {
        const tni_manifold_point *point = &contact->manifold.points[p];
        if (contact->normal_impulses[p] > 0.0f || point->separation > HAND_ON_GAP) {
            continue;
        }
        vec3s arm = glms_vec3_add(from, point->position);
        to->places[to->count++] = (hand_on_place){contact, p, glms_vec3_dot(to->across, arm),
                                                  glms_vec3_dot(to->along, arm), 0.0f};
    }
}

// Finds the body's new points with the normal.
static void hand_on_find_points(tn_world *world, uint32_t index, hand_on_points *to) {
    const tni_body *body = tni_body_at(world, index);
    to->count = 0;
    to->across = maths_vec3_perpendicular(to->normal);
    to->along = glms_vec3_cross(to->normal, to->across);
    for (uint32_t key = body->contact_head; key != TNI_NONE;
         key = tni_contact_edge_next(world, key)) {
        tni_contact *contact = tni_contact_at(world, key >> 1);
        if (contact->awake_index != TNI_NONE && contact->manifold.point_count > 0 &&
            hand_on_get_mover(world, contact) == index &&
            glms_vec3_dot(contact->manifold.normal, to->normal) > 1.0f - HAND_ON_SAME) {
            hand_on_add_points(body, contact, to);
        }
    }
}

// Finds x_i. Returns false if the points cannot bear the load.
static bool hand_on_share(hand_on_points *to, const tni_contact_lost *lost) {
    float share = 1.0f / (float)to->count, x = 0.0f, y = 0.0f, xx = 0.0f, xy = 0.0f, yy = 0.0f;
    for (uint32_t i = 0; i < to->count; ++i) {
        x += share * to->places[i].x;
        y += share * to->places[i].y;
    }
    for (uint32_t i = 0; i < to->count; ++i) {
        float dx = to->places[i].x - x, dy = to->places[i].y - y;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    float moment_x = glms_vec3_dot(to->across, lost->moment) - lost->load * x;
    float moment_y = glms_vec3_dot(to->along, lost->moment) - lost->load * y;
    float least = HAND_ON_FLAT * (xx + yy) + FLT_MIN;
    xx += least;
    yy += least;
    float inverse = maths_inverse_or_zero(xx * yy - xy * xy), sum = 0.0f;
    float g_x = inverse * (yy * moment_x - xy * moment_y);
    float g_y = inverse * (xx * moment_y - xy * moment_x);
    for (uint32_t i = 0; i < to->count; ++i) {
        hand_on_place *place = &to->places[i];
        float impulse = share * lost->load + g_x * (place->x - x) + g_y * (place->y - y);
        place->impulse = maths_max(impulse, 0.0f);
        sum += place->impulse;
    }
    float scale = lost->load * maths_inverse_or_zero(sum);
    for (uint32_t i = 0; i < to->count; ++i) {
        to->places[i].impulse *= scale;
    }
    return sum > 0.0f;
}

static void hand_on_give(tn_world *world, const hand_on_points *to, const tni_contact_lost *lost) {
    for (uint32_t i = 0; i < to->count; ++i) {
        const hand_on_place *place = &to->places[i];
        tni_contact *contact = place->contact;
        contact->normal_impulses[place->point] = place->impulse;
        contact->borne += contact->borne >= 0.0f ? place->impulse : 0.0f;
        contact->friction_impulse = maths_vec3_add_scaled(
            contact->friction_impulse, place->impulse / lost->load, lost->friction);
        world->awake_contacts.items[contact->awake_index].is_near = false;
    }
}

void tni_contact_hand_on(tn_world *world, uint32_t index) {
    const tni_contact *contact = tni_contact_at(world, index);
    const tni_contact_lost *own = &tni_contact_memory_at(world, index)->lost;
    if (!(own->load > 0.0f)) {
        return; // an earlier call handed it on
    }
    uint32_t body = hand_on_get_mover(world, contact);
    tni_contact_lost lost = hand_on_collect(world, tni_body_at(world, body), own->normal);
    hand_on_points to = {.normal = lost.normal};
    hand_on_find_points(world, body, &to);
    if (to.count > 0 && hand_on_share(&to, &lost)) {
        hand_on_give(world, &to, &lost);
    }
}
