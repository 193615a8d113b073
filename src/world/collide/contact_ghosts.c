// world/collide/contact_ghosts.c: contacts with edges that lie behind another contact's plane.
//
// The rule is that of collision/manifold/ghost.c. A ghost of boxes and hulls is dropped. A ghost of
// a round shape is turned, for P may carry the shape next: its normal becomes m, and its points are
// those of all the shape's cores, each with its height over the top of P. That plane is right from
// the step's start on, whatever blows bend the way until then. Contacts of a capsule that rolls are
// turned even if their normal is m already, so that their points follow its axis
// (solver/contacts/contact_follow.c).
// Test: tests/world/collide/test_contact_ghosts.c
#include "world/collide/contact_ghosts.h"

#include <string.h>

#include "collision/manifold/ghost.h"
#include "collision/narrow.h"
#include "solver/contacts/contact_follow.h"
#include "world/bodies.h"
#include "world/collide/contact_path.h"
#include "world/contacts.h"

// A normal is that of a triangle's face above this cosine (0.8 degrees).
#define GHOST_OFF_FACE 0.9999f

// A contact k, and its shapes R and P.
typedef struct ghost_pair {
    tn_world *world;
    tni_contact *contact;
    uint32_t moving; // R
    uint32_t list;   // the first key of the contacts of R's body
    bool rolls;      // whether R rolls
    tni_ghost_trial trial;
} ghost_pair;

static tni_path_end ghost_get_end(const tn_world *world, uint32_t index, double dt) {
    tni_shape_motion own;
    return tni_shape_get_path_end(world, index, tni_shape_get_motion(world, index, dt, &own));
}

// Returns the contact's first point, world.
static tni_dvec3 ghost_get_point(const tni_contact *contact) {
    return dvec3_add(contact->origin, dvec3_from_float(contact->manifold.points[0].position));
}

// ---- suspects ---------------------------------------------------------------------------------

// Is P a triangle, and may R come to an edge of it? What grazes the edge would be caught there.
static bool ghost_leaves_face(const tni_contact *contact, const tni_geometry *other,
                              versors rotation) {
    if (contact->is_touching || !tni_geometry_is_triangle(other)) {
        return false;
    }
    vec3s face = maths_rotate(rotation, other->hull.hull->planes[0].normal);
    return fabsf(glms_vec3_dot(face, contact->manifold.normal)) < GHOST_OFF_FACE;
}

static bool ghost_is_suspect_of(const tn_world *world, const tni_contact *contact,
                                const tni_shape_motion *motions[2], double dt, int r) {
    const uint32_t bodies[2] = {contact->body_a, contact->body_b};
    const uint32_t shapes[2] = {contact->shape_a, contact->shape_b};
    int p = 1 - r;
    if (!motions[r]->is_dynamic) {
        return false;
    }
    const tni_geometry *moving = tni_shape_get_geometry(tni_shape_at(world, shapes[r]));
    if (!tni_geometry_may_roll(moving) &&
        !tni_body_may_have_neighbours(tni_body_at(world, bodies[p]))) {
        return false;
    }
    const tni_geometry *other = tni_shape_get_geometry(tni_shape_at(world, shapes[p]));
    if (!tni_geometry_is_polyhedron(other)) {
        return false;
    }
    bool has_flats = !tni_geometry_is_round(moving); // and may meet the side of what lies level
    if (has_flats && (contact->is_walked || (contact->is_touching && !contact->is_confirmed))) {
        return true;
    }
    if (tni_geometry_is_sharp(moving)) {
        return ghost_leaves_face(contact, other, motions[p]->rotation);
    }
    if (contact->is_walked && tni_shape_rolls(moving, motions[r], dt)) {
        return true; // a rolling axis moves on while the planes stay
    }
    vec3s n = contact->manifold.normal;
    tni_path_end shape = {.geometry = other, .rotation = motions[p]->rotation};
    return !tni_ghost_is_face(&shape, dvec3_from_float(r == 0 ? glms_vec3_negate(n) : n));
}

bool tni_contact_is_suspect(const tn_world *world, const tni_contact *contact,
                            const tni_shape_motion *a, const tni_shape_motion *b, double dt) {
    if (contact->manifold.point_count == 0 || (contact->is_confirmed && !contact->is_walked)) {
        return false;
    }
    if (contact->follows != TNI_FOLLOWS_NOTHING) {
        return true;
    }
    const tni_shape_motion *motions[2] = {a, b};
    return ghost_is_suspect_of(world, contact, motions, dt, 0) ||
           ghost_is_suspect_of(world, contact, motions, dt, 1);
}

// ---- planes -----------------------------------------------------------------------------------

// Finds the plane of contact j, if it carries R on a face.
static bool ghost_find_plane(const ghost_pair *pair, const tni_contact *contact,
                             tni_ghost_plane *plane) {
    bool is_a = contact->shape_a == pair->moving;
    if (contact == pair->contact || (!is_a && contact->shape_b != pair->moving) ||
        contact->manifold.point_count == 0 || contact->awake_index == TNI_NONE) {
        return false;
    }
    const tni_path_end *moving = &pair->trial.moving;
    double gap = (double)tni_manifold_get_least(&contact->manifold);
    if (!contact->is_touching && gap > tni_ghost_get_tolerance(moving->geometry)) {
        return false;
    }
    uint32_t other = is_a ? contact->shape_b : contact->shape_a;
    tni_path_end carrier = ghost_get_end(pair->world, other, pair->trial.dt);
    tni_dvec3 n = dvec3_from_float(contact->manifold.normal);
    n = is_a ? dvec3_scale(n, -1.0) : n;
    return tni_ghost_find_plane(moving, &carrier, n, gap, ghost_get_point(contact), plane);
}

// ---- ghosts -----------------------------------------------------------------------------------

// Returns the normal that the contact has on the plane, from a to b.
static vec3s ghost_get_normal(const ghost_pair *pair, const tni_ghost_plane *plane) {
    bool is_a = pair->contact->shape_a == pair->moving;
    return dvec3_to_float(is_a ? dvec3_scale(plane->normal, -1.0) : plane->normal);
}

// Drops the contact of a box or a hull. Its rounded edges touch beside a face with a normal that is
// nearly that of the face, and may carry there: then the contact takes the plane's normal.
static void ghost_drop(const ghost_pair *pair, const tni_ghost_plane *plane) {
    tni_contact *contact = pair->contact;
    if (tni_ghost_is_level(&pair->trial, plane)) {
        contact->manifold.normal = ghost_get_normal(pair, plane);
        return;
    }
    contact->manifold.point_count = 0;
    contact->is_walked = contact->is_confirmed = contact->is_touching = false;
}

static void ghost_follow_plane(const ghost_pair *pair) {
    tni_contact *contact = pair->contact;
    if (tni_contact_is_led(pair->world, contact)) {
        return;
    }
    contact->follows = pair->rolls ? TNI_FOLLOWS_PLANE : TNI_FOLLOWS_NOTHING;
    tni_contact_memory_at(pair->world, contact->handle & TNI_POOL_INDEX_MASK)->looks = false;
}

// Gets a round shape's cores from its body's centre of mass: a ball's middle, a capsule's ends.
static uint32_t ghost_get_cores(const tni_path_end *round, tni_dvec3 cores[2]) {
    tni_dvec3 middle = dvec3_sub(round->center, round->position);
    cores[0] = middle;
    if (round->geometry->type != TNI_GEOMETRY_CAPSULE) {
        return 1;
    }
    tni_dvec3 axis = dquat_axis_y(dquat_from_float(round->rotation));
    double half = (double)round->geometry->capsule.half_length;
    cores[0] = dvec3_add_scaled(middle, -half, axis);
    cores[1] = dvec3_add_scaled(middle, half, axis);
    return 2;
}

// Returns the contact's impulse at a feature.
static float ghost_get_impulse(const tni_contact *contact, uint32_t feature) {
    float impulse = 0.0f;
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        bool is_same = contact->manifold.points[p].feature == feature;
        impulse = is_same ? contact->normal_impulses[p] : impulse;
    }
    return impulse;
}

// Makes the manifold of a curved shape over the plane `top` above its centre of mass along m.
static void ghost_measure_plane(const ghost_pair *pair, tni_dvec3 m, double top,
                                tni_manifold *manifold) {
    const tni_path_end *moving = &pair->trial.moving;
    tni_dvec3 origin = pair->contact->origin;
    tni_dvec3 surface = dvec3_add_scaled(moving->position, top, m);
    tni_frame frame = {dvec3_to_float(dvec3_sub(moving->center, origin)), moving->rotation};
    tni_frame level = {dvec3_to_float(dvec3_sub(surface, origin)),
                       maths_quat_between(maths_vec3(0.0f, 1.0f, 0.0f), dvec3_to_float(m))};
    tni_geometry plane = {.type = TNI_GEOMETRY_HALF_SPACE};
    tni_manifold_cache cache = {0};
    float margin = 2.0f * tni_geometry_reach(moving->geometry, moving->geometry->position);
    tni_manifold_compute(moving->geometry, &frame, &plane, &level, margin, &cache, manifold);
}

// Turns a curved shape's contact to the top of P, as ghost_turn() does.
static void ghost_turn_curved(const ghost_pair *pair, const tni_ghost_plane *plane) {
    tni_contact *contact = pair->contact;
    const tni_path_end *moving = &pair->trial.moving, *other = &pair->trial.other;
    tni_dvec3 m = plane->normal, x = moving->position;
    double sink = dvec3_dot(m, dvec3_sub(other->velocity, moving->velocity));
    tni_manifold manifold;
    ghost_measure_plane(pair, m, tni_ghost_get_top(other, m, x), &manifold);
    float impulses[TNI_MANIFOLD_MAX_POINTS] = {0.0f};
    bool touches = false;
    for (uint32_t i = 0; i < manifold.point_count; ++i) {
        const tni_manifold_point *p = &manifold.points[i];
        tni_dvec3 at = dvec3_add(contact->origin, dvec3_from_float(p->position));
        double turns = dvec3_dot(m, dvec3_cross(moving->angular_velocity, dvec3_sub(at, x)));
        touches |= (double)p->separation <= (sink - turns) * pair->trial.dt;
        impulses[i] = ghost_get_impulse(contact, p->feature);
    }
    memcpy(contact->normal_impulses, impulses, sizeof contact->normal_impulses);
    manifold.normal = ghost_get_normal(pair, plane);
    contact->manifold = manifold;
    contact->is_walked = false;
    contact->is_touching = contact->is_touching && touches;
}

// Turns a round shape's contact to the top of P: its normal is m, at all of its cores, and that
// holds from the step's start on.
static void ghost_turn(const ghost_pair *pair, const tni_ghost_plane *plane) {
    tni_contact *contact = pair->contact;
    const tni_path_end *moving = &pair->trial.moving, *other = &pair->trial.other;
    if (tni_geometry_is_curved(moving->geometry)) {
        ghost_turn_curved(pair, plane);
        return;
    }
    tni_dvec3 m = plane->normal, x = moving->position, cores[2];
    tni_dvec3 rim = tni_ghost_get_rim(moving, dvec3_scale(m, -1.0));
    double top = tni_ghost_get_top(other, m, x);
    double sink = dvec3_dot(m, dvec3_sub(other->velocity, moving->velocity));
    bool touches = false;
    tni_manifold manifold = {.point_count = ghost_get_cores(moving, cores)};
    float impulses[2];
    for (uint32_t i = 0; i < manifold.point_count; ++i) {
        tni_dvec3 lowest = dvec3_add(cores[i], rim);
        double gap = dvec3_dot(m, lowest) - top;
        double turns = dvec3_dot(m, dvec3_cross(moving->angular_velocity, cores[i]));
        touches |= gap <= (sink - turns) * pair->trial.dt;
        tni_dvec3 point = dvec3_add_scaled(dvec3_add(x, lowest), -0.5 * gap, m);
        tni_manifold_point *p = &manifold.points[i];
        p->position = dvec3_to_float(dvec3_sub(point, contact->origin));
        p->separation = (float)gap;
        p->feature = feature_of_other(1 + i);
        impulses[i] = ghost_get_impulse(contact, p->feature);
    }
    memset(contact->normal_impulses, 0, sizeof contact->normal_impulses);
    memcpy(contact->normal_impulses, impulses, manifold.point_count * sizeof *impulses);
    manifold.normal = ghost_get_normal(pair, plane);
    contact->manifold = manifold;
    contact->is_walked = false;
    // The shape is over the top of P and not just level with it.
    contact->is_touching = contact->is_touching && touches;
}

// Sets R, P and their contact as the world has them. Returns whether that is a suspect. Planes keep
// only what moves freely from P: of any other R nothing is set, for a ground's list is long.
static bool ghost_set(tn_world *world, tni_contact *contact, double dt, bool moving_is_a,
                      ghost_pair *out) {
    uint32_t moving = moving_is_a ? contact->shape_a : contact->shape_b;
    uint32_t other = moving_is_a ? contact->shape_b : contact->shape_a;
    tni_shape_motion own[2];
    const tni_shape_motion *motions[2];
    int r = moving_is_a ? 0 : 1;
    motions[r] = tni_shape_get_motion(world, moving, dt, &own[0]);
    if (!motions[r]->is_dynamic) {
        return false;
    }
    motions[1 - r] = tni_shape_get_motion(world, other, dt, &own[1]);
    bool is_suspect = ghost_is_suspect_of(world, contact, motions, dt, r);
    if (!is_suspect && contact->follows == TNI_FOLLOWS_NOTHING) {
        return false;
    }
    *out = (ghost_pair){.world = world, .contact = contact, .moving = moving};
    const tni_geometry *geometry = tni_shape_get_geometry(tni_shape_at(world, moving));
    out->rolls = tni_shape_rolls(geometry, motions[r], dt);
    out->list = tni_body_at(world, moving_is_a ? contact->body_a : contact->body_b)->contact_head;
    tni_dvec3 n = dvec3_from_float(contact->manifold.normal);
    out->trial =
        (tni_ghost_trial){.moving = tni_shape_get_path_end(world, moving, motions[r]),
                          .other = tni_shape_get_path_end(world, other, motions[1 - r]),
                          .normal = moving_is_a ? dvec3_scale(n, -1.0) : n,
                          .point = ghost_get_point(contact),
                          .dt = dt,
                          .follows = contact->follows != TNI_FOLLOWS_NOTHING || out->rolls};
    return is_suspect;
}

// Finds a contact whose plane keeps R from P, from `key` of its body's list on. Returns its key.
static uint32_t ghost_find_carrier(const ghost_pair *pair, uint32_t key, tni_ghost_plane *plane) {
    while (key != TNI_NONE &&
           !(ghost_find_plane(pair, tni_contact_at(pair->world, key >> 1), plane) &&
             tni_ghost_lies_behind(&pair->trial, plane))) {
        key = tni_contact_edge_next(pair->world, key);
    }
    return key;
}

// Is a carrier a ghost itself, whatever becomes of contact k? The side of a tile carries nothing if
// the floor keeps R from it.
static bool ghost_is_carried(const ghost_pair *pair, uint32_t carrier) {
    tn_world *world = pair->world;
    ghost_pair own;
    tni_ghost_plane plane;
    tni_contact *contact = tni_contact_at(world, carrier >> 1);
    if (!ghost_set(world, contact, pair->trial.dt, contact->shape_a == pair->moving, &own)) {
        return false;
    }
    own.trial.follows = false; // neighbours that carry R alike carry it
    uint32_t key = ghost_find_carrier(&own, own.list, &plane);
    while (key != TNI_NONE && tni_contact_at(world, key >> 1) == pair->contact) {
        key = ghost_find_carrier(&own, tni_contact_edge_next(world, key), &plane);
    }
    return key != TNI_NONE;
}

static bool ghost_try(tn_world *world, tni_contact *contact, double dt, bool moving_is_a) {
    ghost_pair pair = {0};
    bool is_suspect = ghost_set(world, contact, dt, moving_is_a, &pair);
    if (pair.contact == NULL) {
        return false;
    }
    tni_ghost_plane plane;
    uint32_t key = ghost_find_carrier(&pair, pair.list, &plane);
    while (key != TNI_NONE && ghost_is_carried(&pair, key)) {
        key = ghost_find_carrier(&pair, tni_contact_edge_next(world, key), &plane);
    }
    if (key == TNI_NONE) {
        return false;
    }
    ghost_follow_plane(&pair); // P carries it on its face, with another beside P
    if (!is_suspect) {
        return false;
    }
    if (tni_contact_is_led(world, contact)) {
        contact->is_touching = false; // each substep decides this itself
    } else if (tni_geometry_may_roll(pair.trial.moving.geometry)) {
        ghost_turn(&pair, &plane);
    } else {
        ghost_drop(&pair, &plane);
    }
    return true;
}

bool tni_contact_lay_ghost(tn_world *world, uint32_t index, double dt) {
    tni_contact *contact = tni_contact_at(world, index);
    return ghost_try(world, contact, dt, true) || ghost_try(world, contact, dt, false);
}
