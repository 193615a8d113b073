// world/collide/contact_path.c: decides which contacts are followed along the path of their pair.
//
// A few sums show for nearly all contacts of a pile that their planes hold for the step: see
// collision/path/path_hold.c. The others are followed: see collision/path/path.c.
// Test: tests/world/collide/test_contact_path.c
#include "world/collide/contact_path.h"

#include <math.h>
#include <string.h>

#include "collision/narrow.h"
#include "collision/path/path_hold.h"
#include "solver/contacts/contact_follow.h"
#include "world/bodies.h"
#include "world/contacts.h"

// A round shape may roll over an edge if it goes farther than this share of its radius within the
// step, or turns by more than the second, rad; the place where a curved one touches goes round with
// each turn. It does if the cosine between its normals at the step's ends is less than 1 by more
// than the last.
#define PATH_FOLLOW_WAY    0.01
#define PATH_FOLLOW_TURN   0.1
#define PATH_FOLLOW_CURVED 0.01
#define PATH_FOLLOW_SAME   1e-5
// m: a pair that moves by less within a step rests.
#define PATH_LEAST_REACH 1e-6f

// The data of a pair that cheap answers need. Symbols: collision/path/path.c.
typedef struct path_pair {
    const tni_contact_path *path;
    const tni_contact *contact;
    double tolerance, reach_speed, slack;
    double gap;     // m: the least gap of its points
    double closing; // m/s: speed of the centres of mass along the normal
    bool has_axes;  // both are boxes or hulls
} path_pair;

// ---- shapes -----------------------------------------------------------------------------------

double tni_contact_path_get_strain(const tni_contact_path *path, const tni_contact *contact) {
    const tn_world *world = path->world;
    const tni_shape *a = tni_shape_at(world, contact->shape_a);
    const tni_shape *b = tni_shape_at(world, contact->shape_b);
    return (double)(tni_shape_get_strain_way(world, a, path->dt) +
                    tni_shape_get_strain_way(world, b, path->dt));
}

double tni_contact_path_get_sag(const tni_contact_path *path, const tni_contact *contact) {
    const tni_body *a = tni_body_at(path->world, contact->body_a);
    const tni_body *b = tni_body_at(path->world, contact->body_b);
    return (path->a->is_bent ? tni_body_get_sag(a, path->dt) : 0.0) +
           (path->b->is_bent ? tni_body_get_sag(b, path->dt) : 0.0);
}

static float path_get_box_radius(const tni_shape_motion *motion) {
    vec3s h = motion->half_extents;
    return maths_min(h.x, maths_min(h.y, h.z));
}

// Returns whether two boxes turn so little that their motions alone tell where they are.
static bool path_knows_boxes(const tni_contact_path *path) {
    const tni_shape_motion *a = path->a, *b = path->b;
    return a->is_box && b->is_box && a->turn_reach < TNI_CONTACT_PATH_TURN &&
           b->turn_reach < TNI_CONTACT_PATH_TURN;
}

tni_path_end tni_shape_get_path_end(const tn_world *world, uint32_t shape,
                                    const tni_shape_motion *motion) {
    tni_path_end end = {.geometry = tni_shape_get_geometry(tni_shape_at(world, shape)),
                        .center = motion->center,
                        .rotation = motion->rotation,
                        .position = tni_shape_motion_get_position(motion),
                        .velocity = motion->velocity,
                        .angular_velocity = motion->angular_velocity};
    return end;
}

static void path_set_shapes(path_pair *pair) {
    const tni_contact_path *path = pair->path;
    const tni_shape *a = tni_shape_at(path->world, pair->contact->shape_a);
    const tni_shape *b = tni_shape_at(path->world, pair->contact->shape_b);
    tni_path_end end_a = tni_shape_get_path_end(path->world, pair->contact->shape_a, path->a);
    tni_path_end end_b = tni_shape_get_path_end(path->world, pair->contact->shape_b, path->b);
    pair->has_axes = tni_geometry_is_sharp(end_a.geometry) && tni_geometry_is_sharp(end_b.geometry);
    pair->tolerance = tni_path_get_tolerance(end_a.geometry, end_b.geometry);
    pair->reach_speed = tni_path_get_turn_speed(&end_a, a->turn_reach) +
                        tni_path_get_turn_speed(&end_b, b->turn_reach);
}

static void path_set_boxes(path_pair *pair) {
    const tni_shape_motion *a = pair->path->a, *b = pair->path->b;
    pair->has_axes = true;
    pair->tolerance = (double)narrow_axis_tolerance(path_get_box_radius(a), path_get_box_radius(b));
    pair->reach_speed = (double)(a->turn_way + b->turn_way) / pair->path->dt;
}

double tni_contact_path_get_kick(const tni_contact_path *path) {
    return dvec3_length(tni_world_get_gravity(path->world)) * path->dt;
}

// Returns how far gravity and other contacts take a touching round shape off its straight path. The
// planes of edges that it misses by less would be in its way.
static double path_get_slack(const tni_contact_path *path) {
    if (path->a->is_box && path->b->is_box) {
        return 0.0;
    }
    return 0.5 * tni_contact_path_get_kick(path) * path->dt;
}

// Returns whether the motions alone show that a pair does not come near within the step, as for
// most contacts of a pile. A near round shape may have to follow an edge that it rolls over.
static bool path_is_far(path_pair *pair) {
    const tni_shape_motion *a = pair->path->a, *b = pair->path->b;
    const tni_manifold *manifold = &pair->contact->manifold;
    pair->closing =
        dvec3_dot(dvec3_from_float(manifold->normal), dvec3_sub(a->velocity, b->velocity));
    if (pair->gap < (double)TNI_CONTACT_PATH_GAP && !(a->is_box && b->is_box)) {
        return false;
    }
    double turning = (double)(a->turn_way + b->turn_way);
    double more = turning + pair->path->strain + pair->path->sag + path_get_slack(pair->path);
    return pair->gap > pair->closing * pair->path->dt + more &&
           a->turn_reach < TNI_CONTACT_PATH_TURN && b->turn_reach < TNI_CONTACT_PATH_TURN;
}

// Returns whether the planes hold for the step, and notes whether that confirms them.
static bool path_stays(const path_pair *pair, bool *out_is_confirmed) {
    const tni_shape_motion *a = pair->path->a, *b = pair->path->b;
    double way = (pair->closing + pair->reach_speed) * pair->path->dt;
    *out_is_confirmed = false;
    if (tni_path_keeps(pair->gap, way, pair->slack, pair->tolerance, pair->contact->is_confirmed)) {
        return true;
    }
    tni_path_sums sums = {
        .manifold = &pair->contact->manifold,
        .velocity_a = a->velocity,
        .velocity_b = b->velocity,
        .spin_a = a->angular_velocity,
        .spin_b = b->angular_velocity,
        .from_a = dvec3_sub(pair->contact->origin, tni_shape_motion_get_position(a)),
        .from_b = dvec3_sub(pair->contact->origin, tni_shape_motion_get_position(b)),
        .dt = pair->path->dt,
        .tolerance = pair->tolerance,
        .slack = pair->slack,
        .reach_speed = pair->reach_speed,
        .has_axes = pair->has_axes,
        .is_confirmed = pair->contact->is_confirmed};
    return tni_path_stays(&sums, out_is_confirmed);
}

// ---- the path ---------------------------------------------------------------------------------

static void path_begin(path_pair *pair) {
    if (path_knows_boxes(pair->path)) {
        path_set_boxes(pair);
    } else {
        path_set_shapes(pair);
    }
    pair->slack = pair->has_axes ? 0.0 : path_get_slack(pair->path);
    // A straining shape may be this much deeper, but not by its whole strain: jelly would sink in.
    pair->tolerance += maths_min_d(pair->path->strain, pair->tolerance);
}

static bool path_is_held(const tn_world *world, uint32_t body) {
    return tni_body_at(world, body)->joint_head != TNI_NONE;
}

static void path_set(const path_pair *pair, tni_path *way) {
    const tni_contact_path *path = pair->path;
    *way = (tni_path){.a = tni_shape_get_path_end(path->world, pair->contact->shape_a, path->a),
                      .b = tni_shape_get_path_end(path->world, pair->contact->shape_b, path->b),
                      .origin = pair->contact->origin,
                      .dt = path->dt,
                      .tolerance = pair->tolerance,
                      .slack = pair->slack,
                      .reach_speed = pair->reach_speed,
                      .margin = path->margin};
    way->is_held = path_is_held(path->world, pair->contact->body_a) ||
                   path_is_held(path->world, pair->contact->body_b) ||
                   tni_contact_is_led(path->world, pair->contact);
}

// ---- within the step --------------------------------------------------------------------------

bool tni_shape_rolls(const tni_geometry *geometry, const tni_shape_motion *motion, double dt) {
    bool is_curved = tni_geometry_is_curved(geometry);
    double least = is_curved ? PATH_FOLLOW_CURVED : PATH_FOLLOW_TURN;
    return (is_curved || tni_geometry_may_lie(geometry)) &&
           dvec3_length(motion->angular_velocity) * dt > least;
}

// Returns whether the normal or the cores of a touching round shape turn within the step.
static bool path_curves(const path_pair *pair) {
    const tni_contact_path *path = pair->path;
    if (pair->contact->manifold.point_count == 0 || pair->gap > pair->tolerance ||
        path->strain > 0.0) {
        return false;
    }
    tni_path way;
    path_set(pair, &way);
    if (tni_shape_rolls(way.a.geometry, path->a, path->dt) ||
        tni_shape_rolls(way.b.geometry, path->b, path->dt)) {
        return true;
    }
    tni_dvec3 n = dvec3_from_float(pair->contact->manifold.normal);
    tni_dvec3 u = dvec3_sub(path->b->velocity, path->a->velocity);
    tni_dvec3 across = dvec3_add_scaled(u, -dvec3_dot(n, u), n);
    float inner = maths_min(tni_geometry_inner_radius(way.a.geometry),
                            tni_geometry_inner_radius(way.b.geometry));
    double length = (dvec3_length(across) + pair->reach_speed) * path->dt;
    if (length < PATH_FOLLOW_WAY * (double)inner ||
        way.a.geometry->type == TNI_GEOMETRY_HALF_SPACE ||
        way.b.geometry->type == TNI_GEOMETRY_HALF_SPACE) {
        return false;
    }
    tni_manifold later;
    tni_path_look(&way, path->dt, &later);
    return later.point_count == 0 ||
           (double)glms_vec3_dot(later.normal, pair->contact->manifold.normal) <
               1.0 - PATH_FOLLOW_SAME;
}

static tni_follows path_find_follows(const path_pair *pair) {
    return !pair->has_axes && path_curves(pair) ? TNI_FOLLOWS_SHAPES : TNI_FOLLOWS_NOTHING;
}

static bool path_turns_hung(const tn_world *world, uint32_t body, const tni_shape_motion *motion) {
    return motion->turn_reach > TNI_CONTACT_PATH_TURN && tni_body_is_hung(tni_body_at(world, body));
}

// Returns whether a contact looks before it pushes: it does not touch, and joints bend a body's
// path, or a body on joints turns. Contacts that bounce or resist rolling have a lane at once.
static bool path_looks(const path_pair *pair) {
    const tni_contact *contact = pair->contact;
    const tn_world *world = pair->path->world;
    bool is_bent = pair->path->sag > 0.0 ||
                   path_turns_hung(world, contact->body_a, pair->path->a) ||
                   path_turns_hung(world, contact->body_b, pair->path->b);
    if (!is_bent) {
        return false;
    }
    bool has_load = false;
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        has_load |= contact->normal_impulses[p] > 0.0f;
    }
    return pair->gap > 0.0 && !has_load && !(contact->restitution > 0.0f) &&
           !(contact->rolling_resistance > 0.0f);
}

// ---- contacts ---------------------------------------------------------------------------------

void tni_contact_path_set(const tni_contact_path *path, const tni_contact *contact,
                          tni_path *out_path) {
    path_pair pair = {.path = path, .contact = contact};
    path_begin(&pair);
    path_set(&pair, out_path);
}

void tni_contact_path_note(const tn_world *world, tni_contact *contact,
                           const tni_path_meeting *meeting) {
    contact->is_walked = meeting->is_walked;
    contact->is_confirmed = contact->is_confirmed || meeting->is_confirmed;
    if (meeting->is_walked) {
        tni_contact_memory *memory =
            tni_contact_memory_at(world, contact->handle & TNI_POOL_INDEX_MASK);
        memory->offset = dvec3_to_float(meeting->offset);
        memory->time = (float)meeting->time;
        memory->blow = (float)meeting->blow;
        memcpy(memory->gaps, meeting->gaps, sizeof memory->gaps);
        contact->manifold = meeting->manifold;
        contact->is_remembered = false;
    }
}

bool tni_contact_path_follow(const tni_contact_path *path, tni_contact *contact, float gap) {
    path_pair pair = {.path = path, .contact = contact, .gap = (double)gap};
    if (contact->manifold.point_count == 0 || path->reach < PATH_LEAST_REACH ||
        path_is_far(&pair)) {
        return false;
    }
    path_begin(&pair);
    tni_path way;
    tni_path_meeting meeting;
    if (tni_contact_is_led(path->world, contact)) { // each substep makes it anew
        path_set(&pair, &way);
        tni_path_follow(&way, &contact->manifold, &meeting);
        return meeting.hits;
    }
    bool is_confirmed, looks = path_looks(&pair);
    tni_contact_memory_at(path->world, contact->handle & TNI_POOL_INDEX_MASK)->looks = looks;
    if (looks) {
        contact->follows = TNI_FOLLOWS_SHAPES;
        path_set(&pair, &way);
        tni_path_follow(&way, &contact->manifold, &meeting);
        return meeting.hits;
    }
    if (path_stays(&pair, &is_confirmed)) {
        contact->is_confirmed = contact->is_confirmed || is_confirmed;
        contact->follows = (uint8_t)path_find_follows(&pair);
        return false;
    }
    path_set(&pair, &way);
    tni_path_follow(&way, &contact->manifold, &meeting);
    tni_contact_path_note(path->world, contact, &meeting);
    contact->follows = (uint8_t)path_find_follows(&pair);
    return meeting.hits;
}
