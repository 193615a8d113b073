// world/contact_path.c: which contacts are followed along the way of their pair.
//
// Nearly all contacts of a pile are told by a few sums that the planes they have hold for the step:
// see collision/path_hold.c. The others are followed: see collision/path.c. Test:
// tests/world/test_contact_path.c
#include "world/contact_path.h"

#include <math.h>

#include "collision/narrow.h"
#include "collision/path_hold.h"

// rad: boxes that turn by less in a step are known by their motions alone.
#define PATH_BOX_TURN 0.25f

// What cheap answers ask of a pair. See collision/path.c for the letters.
typedef struct path_pair {
    const tni_contact_path *path;
    const tni_contact *contact;
    double tolerance, reach_speed;
    bool has_axes; // both are boxes or hulls
} path_pair;

// ---- shapes -----------------------------------------------------------------------------------

static float path_get_box_radius(const tni_shape_motion *motion) {
    const float *h = motion->box.half_extents;
    return maths_min(h[0], maths_min(h[1], h[2]));
}

// The motions of two boxes say all there is to know of them while they turn little.
static bool path_knows_boxes(const tni_contact_path *path) {
    const tni_shape_motion *a = path->a, *b = path->b;
    return a->is_box && b->is_box && a->turn_reach < PATH_BOX_TURN && b->turn_reach < PATH_BOX_TURN;
}

static tni_path_end path_get_end(const tni_contact_path *path, uint32_t shape,
                                 const tni_shape_motion *motion) {
    tni_path_end end = {.geometry = tni_shape_get_geometry(tni_shape_at(path->world, shape)),
                        .center = motion->center,
                        .rotation = motion->rotation,
                        .position = motion->position,
                        .velocity = motion->velocity,
                        .angular_velocity = motion->angular_velocity};
    return end;
}

static void path_set_shapes(path_pair *pair) {
    const tni_contact_path *path = pair->path;
    const tni_shape *a = tni_shape_at(path->world, pair->contact->shape_a);
    const tni_shape *b = tni_shape_at(path->world, pair->contact->shape_b);
    tni_path_end end_a = path_get_end(path, pair->contact->shape_a, path->a);
    tni_path_end end_b = path_get_end(path, pair->contact->shape_b, path->b);
    pair->has_axes =
        tni_geometry_is_polyhedron(end_a.geometry) && tni_geometry_is_polyhedron(end_b.geometry);
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

static bool path_turns_on(const tni_contact_path *path) {
    return (!path->a->is_dynamic && !path->a->is_static) ||
           (!path->b->is_dynamic && !path->b->is_static);
}

// The planes hold for the step. Notes whether that confirms them.
static bool path_stays(const path_pair *pair, bool *out_is_confirmed) {
    const tni_shape_motion *a = pair->path->a, *b = pair->path->b;
    tni_path_sums sums = {.manifold = &pair->contact->manifold,
                          .velocity_a = a->velocity,
                          .velocity_b = b->velocity,
                          .spin_a = a->angular_velocity,
                          .spin_b = b->angular_velocity,
                          .from_a = dvec3_sub(pair->contact->origin, a->position),
                          .from_b = dvec3_sub(pair->contact->origin, b->position),
                          .dt = pair->path->dt,
                          .tolerance = pair->tolerance,
                          .reach_speed = pair->reach_speed,
                          .has_axes = pair->has_axes,
                          .turns_on = path_turns_on(pair->path),
                          .is_confirmed = pair->contact->is_confirmed};
    return tni_path_stays(&sums, out_is_confirmed);
}

// ---- contacts ---------------------------------------------------------------------------------

static void path_begin(path_pair *pair) {
    if (path_knows_boxes(pair->path)) {
        path_set_boxes(pair);
    } else {
        path_set_shapes(pair);
    }
    pair->tolerance += pair->path->strain;
}

static void path_set(const path_pair *pair, tni_path *way) {
    const tni_contact_path *path = pair->path;
    *way = (tni_path){.a = path_get_end(path, pair->contact->shape_a, path->a),
                      .b = path_get_end(path, pair->contact->shape_b, path->b),
                      .origin = pair->contact->origin,
                      .dt = path->dt,
                      .tolerance = pair->tolerance,
                      .reach_speed = pair->reach_speed,
                      .margin = path->margin,
                      .turns_on = path_turns_on(path)};
}

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
        contact->manifold = meeting->manifold;
        contact->is_remembered = false;
    }
}

bool tni_contact_path_follow(const tni_contact_path *path, tni_contact *contact) {
    path_pair pair = {.path = path, .contact = contact};
    path_begin(&pair);
    contact->is_walked = false;
    bool is_confirmed;
    if (path_stays(&pair, &is_confirmed)) {
        contact->is_confirmed = contact->is_confirmed || is_confirmed;
        return false;
    }
    tni_path way;
    tni_path_meeting meeting;
    path_set(&pair, &way);
    tni_path_follow(&way, &contact->manifold, &meeting);
    tni_contact_path_note(path->world, contact, &meeting);
    return meeting.hits;
}
