// world/step/step_net.c: puts back bodies that went through something within a step.
//
// Contacts stop what approaches (world/collide/contact_path.c), but they are made for the
// velocities with which a step begins. A ball that a blow sends on through a corner, or a stick
// that a blow makes spin, may leave the planes that were made for it, and what a spring or a motor
// throws has none. So bodies are swept from their old to their new place: those that turned far,
// and those that went farther than half their inner radius and not where they would have gone
// without contacts, springs and motors. The swept core is the shape less half its inner radius; for
// a hull, or a shape that turns too far for that, a ball in its middle. Whatever the core meets on
// the way, the body has gone through. The ends of a long shape have gone through what they are in
// at the end of the step: a stick whose middle is on one side of a sheet and whose end is on the
// other stands in the sheet.
//
// The body is put back to where its surface met the other, and keeps its velocity. The next step
// has the contact. This is a last resort, because the body loses the time from there on. If two
// bodies that move would both be swept, only the one that went farther is, and both are put back to
// the time at which they met. Bodies that joints tie together are put back together, or not at all.
// For mechanisms that are solved exactly see also solver/touches/touch_net.c.
// Test: tests/world/step/test_step_net.c
#include <math.h>

#include "collision/path/path_meet.h"
#include "core/union_find.h"
#include "world/bodies.h"
#include "world/collide/narrow.h"
#include "world/contacts.h"
#include "world/parts.h"
#include "world/step/step_internal.h"

// A body has gone where it would have gone without contacts if it is within this share of its inner
// radius. (In exact mechanisms the share is TNI_MEET_CORE.)
#define NET_ASIDE 0.1f
// m: one that nothing touched has gone its way within this, whatever its shapes.
#define NET_ON_ITS_WAY 1e-4
// rad: a body that turned farther is swept as a ball.
#define NET_TURN 0.5
// rad: the same for bodies on joints. The rotation between two poses is taken as the shorter one,
// of less than half a turn.
#define NET_TURN_TIED 2.5
// A shape that reaches farther than this multiple of its inner radius is long.
#define NET_LONG 3.0f
// To find when an end entered something an interval is halved this many times.
#define NET_HALVES 12
// The ends of a long shape that turns may be in one thing before they come to another: its sweep is
// repeated at most this many times.
#define NET_ROUNDS 8
// One part of the loop has this many bodies.
#define NET_PART 256u

typedef enum net_turning {
    NET_TURNS_LITTLE,
    NET_SPINS,     // it turns far, but about its own axis
    NET_TURNS_FAR, // then only a small ball in its middle is swept
} net_turning;

typedef struct net_pass {
    tn_world *world;
    const tni_step *step;
    double dt;
    double *shares; // by solver body: the share of its path that it keeps; above 1 if not swept
} net_pass;

// A shape on its path through the step, and the first body that it meets.
typedef struct net_sweep {
    const net_pass *pass;
    uint32_t shape, body; // the world's
    tni_path_end core, whole;
    double inner;       // m
    double reach_speed; // m/s
    double way;         // m: how far its body went
    double share;       // share of dt up to the first meeting
    uint32_t met;       // the world's body met there, or TNI_NONE
    bool has_ends;      // the core is the ball in the middle of a long shape
    bool is_exact;      // an exact mechanism's contacts have a net of their own
    tni_bounds bounds;  // of the sweep
} net_sweep;

// ---- shapes -----------------------------------------------------------------------------------

static const tni_body_motion *net_get_end(const net_pass *pass, const tni_body *body) {
    return body->awake_index != TNI_NONE ? &pass->step->solver.bodies.motions[body->solver_index]
                                         : &body->motion;
}

static bool net_is_tied(const tni_body *body) {
    return body->joint_head != TNI_NONE && body->type == TN_BODY_TYPE_DYNAMIC;
}

// Returns the axis of the least moment, along which a stick lies.
static tni_dvec3 net_get_axis(const tni_inertia *inertia, tni_dquat rotation) {
    int i = inertia->axis_i, j = i == 2 ? 0 : i + 1, k = i == 0 ? 2 : i - 1;
    bool is_j = inertia->ratio_j < inertia->ratio_k;
    double ratio = is_j ? inertia->ratio_j : inertia->ratio_k;
    int least = ratio < 1.0 ? (is_j ? j : k) : i;
    return inertia_axis(inertia_turn_to_axes(inertia, rotation), least);
}

// Classifies a body on joints that turns too far to be judged by its poses: a blow makes sticks
// spin about their own axis.
static TNI_NO_INLINE net_turning net_get_spinning(const net_pass *pass, const tni_body *body) {
    const tni_body_motion *end = net_get_end(pass, body);
    tni_dvec3 w = end->angular_velocity, axis = net_get_axis(&body->principal, end->rotation);
    tni_dvec3 across = dvec3_add_scaled(w, -dvec3_dot(w, axis), axis);
    return dvec3_length(across) * pass->dt > NET_TURN_TIED ? NET_TURNS_FAR : NET_SPINS;
}

TNI_KERNEL net_turning net_get_turning(const net_pass *pass, const tni_body *body) {
    tni_dvec3 w = net_get_end(pass, body)->angular_velocity;
    bool is_tied = net_is_tied(body);
    double most = is_tied ? NET_TURN_TIED : NET_TURN;
    if (!(dvec3_dot(w, w) * pass->dt * pass->dt > most * most)) {
        return NET_TURNS_LITTLE;
    }
    return is_tied ? net_get_spinning(pass, body) : NET_TURNS_FAR;
}

// Returns the smallest rotation between two directions.
static tni_dquat net_find_swing(tni_dvec3 from, tni_dvec3 to) {
    tni_dvec3 v = dvec3_cross(from, to);
    double w = 1.0 + dvec3_dot(from, to);
    return w > 1e-6 ? dquat_normalize(dquat_make(v.x, v.y, v.z, w))
                    : dquat_make(0.0, 0.0, 0.0, 1.0);
}

// Sets a screw motion between the poses of a body on joints, without its spin. Returns how far the
// screw's axis is from its centre of mass, m.
static double net_span_end(const net_pass *pass, const tni_body *body, tni_path_end *end) {
    const tni_body_motion *after = net_get_end(pass, body);
    tni_dpose from = {body->position, body->rotation}, to = {after->position, after->rotation};
    if (net_get_turning(pass, body) == NET_SPINS) {
        tni_dvec3 axis = net_get_axis(&body->principal, from.rotation);
        tni_dquat swing = net_find_swing(axis, net_get_axis(&body->principal, to.rotation));
        to.rotation = dquat_mul(swing, from.rotation);
    }
    return tni_path_end_span(end, &from, &to, pass->dt);
}

// Returns a shape's motion from the start of the step to its end, straight or round. Adds the
// greatest speed at which rotation moves its surface to `reach_speed`.
static tni_path_end net_make_end(const net_pass *pass, const tni_shape *shape,
                                 double *reach_speed) {
    const tni_body *body = tni_body_at(pass->world, shape->body);
    const tni_body_motion *end = net_get_end(pass, body);
    const tni_geometry *geometry = tni_shape_get_geometry(shape);
    tni_dvec3 local = dvec3_sub(dvec3_from_float(geometry->position), body->local_center);
    tni_dquat rotation = dquat_mul(body->rotation, dquat_from_float(geometry->rotation));
    tni_path_end out = {.geometry = geometry, .position = body->position};
    out.center = dvec3_add(body->position, dquat_rotate(body->rotation, local));
    out.rotation = maths_quat_normalize(dquat_to_float(rotation));
    out.velocity = dvec3_scale(dvec3_sub(end->position, body->position), 1.0 / pass->dt);
    out.angular_velocity =
        dvec3_scale(dquat_get_turn(body->rotation, end->rotation), 1.0 / pass->dt);
    double off = net_is_tied(body) ? net_span_end(pass, body, &out) : 0.0;
    *reach_speed += tni_path_get_turn_speed(&out, shape->turn_reach + (float)off);
    return out;
}

// Returns how far a body has gone, m; for a body on joints, how far its surface has.
static double net_get_way(const net_pass *pass, const tni_body *body, const tni_path_end *end,
                          double reach_speed) {
    return (dvec3_length(end->velocity) + (net_is_tied(body) ? reach_speed : 0.0)) * pass->dt;
}

// ---- one pair ---------------------------------------------------------------------------------

// Returns whether the two shapes may touch.
static bool net_may_touch(const net_sweep *sweep, uint32_t other) {
    const tn_world *world = sweep->pass->world;
    uint32_t contact = tni_map_get(&world->pairs, tni_pair_key(sweep->shape, other));
    return contact != TNI_NONE ? !tni_contact_at(world, contact)->is_disabled
                               : tni_shapes_may_touch(world, sweep->shape, other);
}

// Returns whether the whole shape ends behind a plane, by more than the core is smaller.
static bool net_ends_behind(const net_sweep *sweep, tni_dvec3 at, tni_dvec3 n) {
    tni_path_end end = tni_path_end_move(&sweep->whole, sweep->pass->dt);
    vec3s down = maths_rotate_inverse(end.rotation, dvec3_to_float(dvec3_scale(n, -1.0)));
    double reach = (double)tni_geometry_extent(end.geometry, down);
    double gap = dvec3_dot(n, dvec3_sub(end.center, at)) - reach;
    return gap < -(double)TNI_MEET_CORE * sweep->inner;
}

// Returns whether a plane parts the core from a static body, at the start and at the end.
static bool net_is_parted(const net_sweep *sweep, const tni_contact *contact) {
    bool is_a = contact->shape_a == sweep->shape;
    const tn_world *world = sweep->pass->world;
    const tni_body *other = tni_body_at(world, is_a ? contact->body_b : contact->body_a);
    if (contact->manifold.point_count == 0 || other->type != TN_BODY_TYPE_STATIC ||
        net_is_tied(tni_body_at(world, sweep->body)) ||
        sweep->core.geometry->type != TNI_GEOMETRY_SPHERE) {
        return false;
    }
    const tni_manifold_point *p = &contact->manifold.points[0];
    tni_dvec3 n = dvec3_from_float(contact->manifold.normal);
    n = is_a ? dvec3_scale(n, -1.0) : n; // to the core
    tni_dvec3 at = dvec3_add(contact->origin, dvec3_from_float(p->position));
    double gap = (double)p->separation;
    if (contact->is_walked) { // it is met later: see path_bring_back
        uint32_t index = contact->handle & TNI_POOL_INDEX_MASK;
        const tni_contact_memory *memory = tni_contact_memory_at(world, index);
        const tni_shape_motion *motion = tni_shape_motion_at(world, contact->shape_a);
        double t = motion->is_awake ? (double)memory->time : 0.0;
        at = dvec3_add_scaled(at, t, motion->velocity);
        gap = (double)memory->gaps[0];
    }
    at = dvec3_add_scaled(at, -0.5 * gap, n); // the surface of the other, not the middle of both
    double radius = (double)sweep->core.geometry->sphere.radius;
    tni_dvec3 from = dvec3_sub(sweep->core.center, at);
    tni_dvec3 to = dvec3_add_scaled(from, sweep->pass->dt, sweep->core.velocity);
    return dvec3_dot(n, from) > radius && dvec3_dot(n, to) > radius &&
           !(sweep->has_ends && net_ends_behind(sweep, at, n));
}

// Returns whether an exact mechanism has a touch with the other shape.
static bool net_has_touch(const net_sweep *sweep, uint32_t other) {
    const tn_world *world = sweep->pass->world;
    if (!sweep->is_exact) {
        return false;
    }
    uint32_t contact = tni_map_get(&world->pairs, tni_pair_key(sweep->shape, other));
    return contact != TNI_NONE && tni_contact_at(world, contact)->manifold.point_count > 0;
}

// Returns the share of the path after which the whole shape, too deep in the other at the share
// `in`, entered it. Returns more than 1 if it is that deep from the start.
static double net_find_entry(const net_sweep *sweep, const tni_path *path, double in) {
    double least = (double)TNI_MEET_CORE * sweep->inner, from = 0.0;
    double shallow = tni_path_get_tolerance(path->a.geometry, path->b.geometry);
    tni_manifold manifold;
    double gap = tni_path_look(path, 0.0, &manifold);
    if (gap < -least) {
        return 2.0;
    }
    shallow = gap < -shallow ? least : shallow;
    for (int i = 0; i < NET_HALVES; ++i) {
        double middle = 0.5 * (from + in);
        bool is_in = tni_path_look(path, middle * path->dt, &manifold) < -shallow;
        in = is_in ? middle : in;
        from = is_in ? from : middle;
    }
    return from;
}

// Returns the share of the path after which the shapes meet, if the core goes through the other, or
// more than 1. The ball in the middle of a long shape says nothing about its ends: these have gone
// through what they are in.
static double net_find_share(const net_sweep *sweep, const tni_path *path) {
    double touch = TNI_MEET_TOUCH * sweep->inner, until = sweep->share * path->dt;
    double share = tni_path_find_meeting(path, touch, until);
    tni_path whole = *path;
    whole.b = sweep->whole;
    if (!sweep->has_ends) {
        return share < sweep->share
                   ? maths_min_d(share, tni_path_find_meeting(&whole, touch, share * path->dt))
                   : 2.0;
    }
    tni_manifold manifold;
    double least = (double)TNI_MEET_CORE * sweep->inner;
    bool passes = share < sweep->share;
    whole.margin = 0.0f; // only overlaps count
    if (!passes && !(tni_path_look(&whole, until, &manifold) < -least)) {
        return 2.0;
    }
    double entry = net_find_entry(sweep, &whole, passes ? share : sweep->share);
    return maths_min_d(share, entry);
}

// Returns whether a body is swept.
static bool net_is_marked(const net_pass *pass, uint32_t index) {
    const tni_body *body = tni_body_at(pass->world, index);
    return body->awake_index != TNI_NONE && pass->shares[body->solver_index] <= 1.0;
}

// Meets a shape, or a part of the shape with index `other`.
static void net_meet_shape(net_sweep *sweep, const tni_shape *shape, uint32_t other) {
    const net_pass *pass = sweep->pass;
    tni_path path = {.b = sweep->core, .dt = pass->dt};
    path.a = net_make_end(pass, shape, &path.reach_speed);
    double way =
        net_get_way(pass, tni_body_at(pass->world, shape->body), &path.a, path.reach_speed);
    bool goes_farther = way > sweep->way || (way == sweep->way && shape->body > sweep->body);
    if (goes_farther && net_is_marked(pass, shape->body)) {
        return; // it is its own turn to be swept
    }
    path.origin = sweep->core.center;
    path.reach_speed += sweep->reach_speed;
    path.margin = (float)(sweep->way + way + path.reach_speed * pass->dt + sweep->inner);
    double share = net_find_share(sweep, &path);
    if (share < sweep->share && net_may_touch(sweep, other)) {
        sweep->met = shape->body;
        sweep->share = share;
    }
}

typedef struct net_concave {
    net_sweep *sweep;
    uint32_t other;
    bool is_in; // from the start
} net_concave;

static void net_meet_part(const tni_shape *part, void *context) {
    const net_concave *concave = context;
    net_meet_shape(concave->sweep, part, concave->other);
}

static void net_look_at_part(const tni_shape *part, void *context) {
    net_concave *concave = context;
    const net_sweep *sweep = concave->sweep;
    tni_path path = {.b = sweep->whole, .origin = sweep->core.center, .dt = sweep->pass->dt};
    path.a = net_make_end(sweep->pass, part, &path.reach_speed);
    tni_manifold manifold;
    concave->is_in |= tni_path_look(&path, 0.0, &manifold) < -(double)TNI_MEET_CORE * sweep->inner;
}

static void net_meet(net_sweep *sweep, uint32_t other) {
    const tn_world *world = sweep->pass->world;
    const tni_shape *shape = tni_shape_at(world, other);
    if (shape->body == sweep->body || net_has_touch(sweep, other)) {
        return;
    }
    if (shape->concave != NULL) {
        const tni_part_feature *parts = world->features.parts;
        net_concave concave = {sweep, other, false};
        if (sweep->has_ends) { // they go through one part after the other
            parts->visit(world, other, &sweep->bounds, net_look_at_part, &concave);
        }
        if (!concave.is_in) {
            parts->visit(world, other, &sweep->bounds, net_meet_part, &concave);
        }
    } else {
        net_meet_shape(sweep, shape, other);
    }
}

static bool net_visit(uint32_t other, void *context) {
    net_meet(context, other);
    return true;
}

// Meets everything that a shape can have met while it stayed in its enlarged box.
static void net_meet_contacts(net_sweep *sweep, const tni_bounds *bounds) {
    const tn_world *world = sweep->pass->world;
    uint32_t key = tni_body_at(world, sweep->body)->contact_head;
    for (; key != TNI_NONE; key = tni_contact_edge_next(world, key)) {
        const tni_contact *contact = tni_contact_at(world, key >> 1);
        bool is_a = contact->shape_a == sweep->shape;
        uint32_t other = is_a ? contact->shape_b : contact->shape_a;
        bool is_own = is_a || contact->shape_b == sweep->shape;
        bool is_plane = is_own && tni_shape_at(world, other)->plane_index != TNI_NONE;
        if (is_own && !net_is_parted(sweep, contact) &&
            (is_plane || tni_bounds_overlap(&tni_shape_boxes_at(world, other)->enlarged, bounds))) {
            net_meet(sweep, other);
        }
    }
}

static void net_meet_all(net_sweep *sweep, const tni_bounds *bounds) {
    const tn_world *world = sweep->pass->world;
    tni_tree_query(&world->static_tree, bounds, net_visit, sweep);
    tni_tree_query(&world->moving_tree, bounds, net_visit, sweep);
    for (uint32_t i = 0; i < world->half_spaces.count; ++i) {
        net_meet(sweep, world->half_spaces.items[i]);
    }
}

// ---- one body ---------------------------------------------------------------------------------

static bool net_may_put_back(const tni_body *body) {
    return body->type == TN_BODY_TYPE_DYNAMIC && body->reduced == TNI_NONE;
}

// Stops the body that was met at the same share.
static void net_hold(const net_pass *pass, uint32_t met, double share) {
    const tni_body *body = tni_body_at(pass->world, met);
    if (body->awake_index != TNI_NONE && net_may_put_back(body)) {
        double *held = &pass->shares[body->solver_index];
        *held = maths_min_d(*held, share);
    }
}

// Returns how far a circular path leaves the line between its ends, m.
static double net_get_sagitta(const net_pass *pass, const tni_path_end *end) {
    double half = 0.5 * dvec3_length(end->angular_velocity) * pass->dt;
    tni_dvec3 arm = dvec3_sub(end->center, end->position);
    return dvec3_length(arm) * (1.0 - tni_maths_cos(half));
}

// Makes the core of a spinning box: a stick along its longest edges.
static tni_geometry net_make_stick(const tni_geometry *whole, float inner, tni_path_end *end) {
    vec3s h = whole->box.half_extents;
    bool is_x = h.x > h.y && h.x > h.z, is_z = !is_x && h.z > h.y;
    float length = is_x ? h.x : is_z ? h.z : h.y, radius = TNI_MEET_CORE * inner;
    tni_geometry core = *whole;
    core.type = TNI_GEOMETRY_CAPSULE;
    core.stretch = NULL;
    core.rounding = 0.0f;
    core.capsule.radius = radius;
    core.capsule.half_length = maths_max(length - inner, 0.0f);
    const float half = 0.70710678f;
    versors turn = {{is_z ? half : 0.0f, 0.0f, is_x ? -half : 0.0f, is_x || is_z ? half : 1.0f}};
    end->rotation = maths_quat_normalize(maths_quat_mul(end->rotation, turn));
    return core;
}

static double net_sweep_core(const net_pass *pass, uint32_t index, double way, double share,
                             bool is_ball) {
    const tn_world *world = pass->world;
    const tni_shape *shape = tni_shape_at(world, index);
    const tni_geometry *whole = tni_shape_get_geometry(shape);
    float inner = tni_geometry_inner_radius(whole);
    net_sweep sweep = {.pass = pass, .shape = index, .body = shape->body};
    const tni_body *body = tni_body_at(world, shape->body);
    sweep.whole = sweep.core = net_make_end(pass, shape, &sweep.reach_speed);
    sweep.way = net_is_tied(body) ? net_get_way(pass, body, &sweep.core, sweep.reach_speed) : way;
    bool is_stick =
        !is_ball && whole->type == TNI_GEOMETRY_BOX && net_get_turning(pass, body) == NET_SPINS;
    tni_geometry core = is_stick ? net_make_stick(whole, inner, &sweep.core)
                                 : tni_path_make_core(whole, inner, is_ball);
    sweep.core.geometry = &core;
    tni_path_center_core(whole, &sweep.core);
    sweep.inner = (double)inner;
    sweep.has_ends = core.type == TNI_GEOMETRY_SPHERE && shape->size > NET_LONG * inner;
    sweep.share = share;
    sweep.met = TNI_NONE;
    tni_dvec3 from = sweep.core.center;
    tni_dvec3 to = tni_path_end_move(&sweep.core, pass->dt).center;
    double reach = (double)(is_ball && !sweep.has_ends ? inner : shape->size + inner);
    reach += net_get_sagitta(pass, &sweep.core);
    tni_dvec3 room = dvec3_make(reach, reach, reach);
    tni_dvec3 low =
        dvec3_make(maths_min_d(from.x, to.x), maths_min_d(from.y, to.y), maths_min_d(from.z, to.z));
    tni_dvec3 high =
        dvec3_make(maths_max_d(from.x, to.x), maths_max_d(from.y, to.y), maths_max_d(from.z, to.z));
    tni_bounds bounds = tni_bounds_round(dvec3_sub(low, room), dvec3_add(high, room));
    bool stays = tni_bounds_contain(&tni_shape_boxes_at(world, index)->enlarged, &bounds);
    sweep.bounds = bounds;
    sweep.is_exact = pass->step->solver.bodies.is_exact[body->solver_index];
    double before = HUGE_VAL;
    for (int round = 0; round < (sweep.has_ends ? NET_ROUNDS : 1) && sweep.share < before;
         ++round) {
        before = sweep.share;
        if (stays) {
            net_meet_contacts(&sweep, &bounds);
        } else {
            net_meet_all(&sweep, &bounds);
        }
    }
    if (sweep.met != TNI_NONE) {
        net_hold(pass, sweep.met, sweep.share);
    }
    return sweep.share;
}

// Sweeps a shape's core, unless it turns far, and the ball in its middle, unless it is on joints
// and does not turn far. The ball also meets what the end of a stick was in from the start.
static double net_sweep_shape(const net_pass *pass, uint32_t index, double way, double share) {
    const tni_shape *shape = tni_shape_at(pass->world, index);
    const tni_geometry *whole = tni_shape_get_geometry(shape);
    const tni_body *body = tni_body_at(pass->world, shape->body);
    bool turns_far = net_get_turning(pass, body) == NET_TURNS_FAR, is_tied = net_is_tied(body);
    double least = (double)(TNI_MEET_CORE * tni_geometry_inner_radius(whole));
    if (whole->type == TNI_GEOMETRY_HALF_SPACE || tni_geometry_is_concave(whole->type) ||
        (!turns_far && !is_tied && way < least)) {
        return share;
    }
    share = turns_far ? share : net_sweep_core(pass, index, way, share, false);
    return is_tied && !turns_far ? share : net_sweep_core(pass, index, way, share, true);
}

// Returns the squared distance to where the body would be if nothing had touched it, m^2. The force
// that was applied for the step counts if nothing touched it.
static double net_get_aside2(const net_pass *pass, const tni_body *body, tni_dvec3 way,
                             bool is_untouched) {
    double half = 0.5 * pass->dt * pass->dt;
    tni_dvec3 v =
        is_untouched && net_is_tied(body) ? tni_body_bend_velocity(body, pass->dt) : body->velocity;
    tni_dvec3 aside = dvec3_add_scaled(way, -pass->dt, v);
    tni_dvec3 gravity = tni_world_get_gravity(pass->world);
    aside = dvec3_add_scaled(aside, -half * (double)body->gravity_scale, gravity);
    aside = dvec3_add_scaled(aside, is_untouched ? -half * body->inv_mass : 0.0, body->force);
    return dvec3_dot(aside, aside);
}

static bool net_is_fast(const net_pass *pass, uint32_t index) {
    const bool *touched = pass->step->solver.contacts.is_pushed;
    bool is_exact = pass->step->solver.bodies.is_exact[index];
    const tni_body *body = tni_body_at(pass->world, pass->step->body_of[index]);
    bool is_touched = touched != NULL && touched[index];
    bool turns_far = net_get_turning(pass, body) == NET_TURNS_FAR, is_tied = net_is_tied(body);
    // Planes say little about a body that turns far: it may have gone through without touching. And
    // one that a spring or a motor has thrown off its way had no planes.
    bool is_thrown = !is_exact && !is_touched && !(turns_far && body->contact_head != TNI_NONE);
    if (!net_may_put_back(body)) {
        return false;
    }
    const tni_body_motion *end = &pass->step->solver.bodies.motions[index];
    tni_dvec3 way = dvec3_sub(end->position, body->position);
    double aside2 = net_get_aside2(pass, body, way, is_thrown);
    if (is_thrown && aside2 < NET_ON_ITS_WAY * NET_ON_ITS_WAY) {
        return false;
    }
    double way2 = dvec3_dot(way, way);
    double turn = is_tied ? dvec3_length(end->angular_velocity) * pass->dt : 0.0;
    for (uint32_t s = body->shape_head; s != TNI_NONE;) {
        const tni_shape *shape = tni_shape_at(pass->world, s);
        if (!tni_shape_is_solid(shape)) {
            s = shape->next;
            continue;
        }
        double inner = (double)tni_geometry_inner_radius(tni_shape_get_geometry(shape));
        double least = (double)TNI_MEET_CORE * inner, aside = (double)NET_ASIDE * inner;
        bool goes_far =
            is_tied ? sqrt(way2) + turn * (double)shape->turn_reach > least : way2 > least * least;
        double most = is_exact ? least : aside;
        if ((turns_far && !is_exact && !is_thrown) ||
            (goes_far && ((is_tied && !is_exact && !is_thrown) || aside2 > most * most))) {
            return true;
        }
        s = shape->next;
    }
    return false;
}

static void net_mark(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const net_pass *pass = context;
    for (uint32_t i = first + 1; i <= last; ++i) {
        pass->shares[i] = net_is_fast(pass, i) ? 1.0 : 2.0;
    }
}

// Sweeps a body, on one thread, since it may call the user's filter. Returns whether it met one.
static bool net_sweep_body(const net_pass *pass, uint32_t i) {
    const tni_body *body = tni_body_at(pass->world, pass->step->body_of[i]);
    tni_dvec3 way = dvec3_sub(pass->step->solver.bodies.motions[i].position, body->position);
    double length = dvec3_length(way), share = 1.0;
    if (!isfinite(length)) {
        return false;
    }
    for (uint32_t s = body->shape_head; s != TNI_NONE; s = tni_shape_at(pass->world, s)->next) {
        share = !tni_shape_is_solid(tni_shape_at(pass->world, s))
                    ? share
                    : net_sweep_shape(pass, s, length, share);
    }
    pass->shares[i] = maths_min_d(pass->shares[i], share);
    return share < 1.0;
}

static double net_get_spin_energy(const tni_inertia *inertia, const tni_body_motion *motion) {
    return inertia_get_energy(inertia, motion->rotation, motion->angular_velocity);
}

// Limits the energy of a body that was put back: at another rotation it could have more.
static void net_keep_energy(const tni_inertia *inertia, double before, tni_body_motion *motion) {
    double after = net_get_spin_energy(inertia, motion);
    if (after > before) {
        motion->angular_velocity = dvec3_scale(motion->angular_velocity, sqrt(before / after));
    }
}

// Adds the change of energy to the ledger.
static void net_add_work(const net_pass *pass, uint32_t i, double before) {
    const tni_solver *solver = &pass->step->solver;
    if (solver->ledger.measures_work) {
        double after =
            net_get_spin_energy(solver->bodies.masses[i].inertia, &solver->bodies.motions[i]);
        pass->world->ledger.impact += after - before;
    }
}

// Puts a body on joints back along its screw.
static void net_put_back_tied(const net_pass *pass, const tni_body *body, double share,
                              tni_body_motion *motion) {
    tni_path_end end = {.center = body->position, .rotation = maths_quat_identity()};
    net_span_end(pass, body, &end);
    tni_dquat turn = dquat_turn(end.angular_velocity, share * pass->dt);
    motion->position = tni_path_end_move(&end, share * pass->dt).center;
    motion->rotation = dquat_normalize(dquat_mul(turn, body->rotation));
}

// Puts a body back to its share of the step's path and rotation.
static void net_put_back(const net_pass *pass, uint32_t i) {
    const tni_body *body = tni_body_at(pass->world, pass->step->body_of[i]);
    tni_body_motion *motion = &pass->step->solver.bodies.motions[i];
    double share = pass->shares[i];
    double energy = net_get_spin_energy(pass->step->solver.bodies.masses[i].inertia, motion);
    if (net_is_tied(body)) {
        net_put_back_tied(pass, body, share, motion);
    } else {
        tni_dvec3 way = dvec3_sub(motion->position, body->position);
        motion->position = dvec3_add_scaled(body->position, share, way);
        tni_dvec3 turn = dquat_get_turn(body->rotation, motion->rotation);
        tni_dquat part = dquat_turn(turn, share);
        motion->rotation = dquat_normalize(dquat_mul(part, body->rotation));
        net_keep_energy(pass->step->solver.bodies.masses[i].inertia, energy, motion);
    }
    net_add_work(pass, i, energy);
}

// ---- bodies that joints tie together ----------------------------------------------------------

// Returns the body's share, or -1 if it may not be put back. Then nothing tied to it may be.
static double net_get_share(const net_pass *pass, uint32_t i) {
    const tni_body *body = tni_body_at(pass->world, pass->step->body_of[i]);
    bool may_go_back = body->type != TN_BODY_TYPE_DYNAMIC || net_may_put_back(body);
    return may_go_back ? pass->shares[i] : -1.0;
}

static void net_tie(const net_pass *pass, uint32_t count) {
    const tni_solver *solver = &pass->step->solver;
    uint32_t *tied = pass->step->tied;
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        tied[i] = i;
    }
    for (uint32_t i = 0; i < solver->joints.count + solver->joints.exact_count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        if (solver->bodies.masses[block->body_a].is_dynamic &&
            solver->bodies.masses[block->body_b].is_dynamic) {
            union_find_join(tied, block->body_a, block->body_b);
        }
    }
    // Roots come first: see core/union_find.h.
    for (uint32_t i = 1; i <= count; ++i) {
        double *least = &pass->shares[union_find_root(tied, i)];
        *least = maths_min_d(*least, net_get_share(pass, i));
    }
    for (uint32_t i = 1; i <= count; ++i) {
        double share = pass->shares[union_find_root(tied, i)];
        pass->shares[i] = share < 0.0 ? 2.0 : share;
    }
}

static bool net_has_caught_tied(const net_pass *pass, uint32_t count) {
    bool has_any = false;
    for (uint32_t i = 1; i <= count && !has_any; ++i) {
        has_any =
            pass->shares[i] < 1.0 && net_is_tied(tni_body_at(pass->world, pass->step->body_of[i]));
    }
    return has_any;
}

void tni_step_cast_net(tn_world *world, const tni_step *step, double dt) {
    uint32_t count = world->awake_bodies.count;
    net_pass pass = {world, step, dt, step->shares};
    tni_tasks_run(&world->tasks, net_mark, count, tni_world_cut(world, NET_PART), &pass);
    bool has_caught = false;
    for (uint32_t i = 1; i <= count; ++i) {
        if (pass.shares[i] <= 1.0) {
            has_caught |= net_sweep_body(&pass, i);
        }
    }
    if (!has_caught) {
        return;
    }
    if (net_has_caught_tied(&pass, count)) {
        net_tie(&pass, count);
    }
    for (uint32_t i = 1; i <= count; ++i) {
        if (pass.shares[i] < 1.0) {
            net_put_back(&pass, i);
        }
    }
}
