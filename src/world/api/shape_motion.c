// world/api/shape_motion.c: computes a shape's place and motion once per step instead of once per
// contact.
//
// A box in a pile has six contacts or more, and each needs the frame of its shape and the speed of
// its body. An awake shape stores them; those of another are computed on demand, for it may be a
// floor that a thousand workers ask for. Test: tests/world/collide/test_manifold_update.c
#include "world/bodies.h"
#include "world/collide/narrow.h"
#include "world/contacts.h"
#include "world/parts.h"

// A body that would leave a straight path by less than the first in a step, m, goes straight; a
// bend may be this many times that of a pendulum of the body's spin.
#define MOTION_STRAIGHT  1e-4
#define MOTION_MOST_BEND 2.0

// Returns whether a contact pushed the body in the last step.
static bool motion_was_pushed(const tn_world *world, const tni_body *body) {
    for (uint32_t key = body->contact_head; key != TNI_NONE;) {
        const tni_contact *contact = tni_contact_at(world, key >> 1);
        for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
            if (contact->step_impulses[p] > 0.0f) {
                return true;
            }
        }
        key = tni_contact_edge_next(world, key);
    }
    return false;
}

// Returns the mean velocity of a body whose joints bend its path. They are expected to change its
// velocity as in the last step, across its path, turned as the body turns and no more than a
// pendulum's would: a pendulum's path then ends on its circle. A body that a pendulum's bend would
// take off its path by less than MOTION_STRAIGHT goes straight.
tni_dvec3 tni_body_bend_velocity(const tni_body *body, double dt) {
    tni_dvec3 bend = dvec3_from_float(body->bend), r = dvec3_scale(body->angular_velocity, dt);
    tni_dvec3 before = dvec3_add_scaled(body->velocity, -0.5 * dt, bend); // in mid step
    double most = MOTION_MOST_BEND * dvec3_length(r) * dvec3_length(body->velocity) / dt;
    double square = dvec3_dot(before, before);
    if (0.125 * most * dt * dt < MOTION_STRAIGHT || !(square > 0.0)) {
        return body->velocity;
    }
    bend = dvec3_add_scaled(bend, -dvec3_dot(bend, before) / square, before);
    double length = dvec3_length(bend);
    bend = length > most ? dvec3_scale(bend, most / length) : bend;
    r = dvec3_scale(r,
                    1.0 + dvec3_dot(r, r) / 12.0); // by Cayley's map: see solver/exact/midpoint.c
    return dvec3_add_scaled(body->velocity, 0.5 * dt, dquat_rotate(dquat_cayley(r), bend));
}

double tni_body_get_sag(const tni_body *body, double dt) {
    return dt * dvec3_length(dvec3_sub(tni_body_bend_velocity(body, dt), body->velocity));
}

static TNI_NO_INLINE tni_dvec3 motion_get_hung_velocity(const tn_world *world, const tni_body *body,
                                                        double dt, bool *out_is_bent) {
    tni_dvec3 v =
        motion_was_pushed(world, body) ? body->velocity : tni_body_bend_velocity(body, dt);
    *out_is_bent = v.x != body->velocity.x || v.y != body->velocity.y || v.z != body->velocity.z;
    return v;
}

// Returns a body's mean velocity in the step: a free body falls, and half the speed that it gains
// makes its place right at the end. What holds another body balances its weight, but not always a
// great force.
static tni_dvec3 motion_get_velocity(const tn_world *world, const tni_body *body, double dt,
                                     bool *out_is_bent) {
    *out_is_bent = false;
    if (body->type != TN_BODY_TYPE_DYNAMIC) {
        return body->velocity;
    }
    bool is_hung = tni_body_is_hung(body);
    if (is_hung || body->is_touched || body->joint_head != TNI_NONE || body->reduced != TNI_NONE) {
        tni_dvec3 v =
            is_hung ? motion_get_hung_velocity(world, body, dt, out_is_bent) : body->velocity;
        tni_dvec3 push = dvec3_scale(body->force, 0.5 * dt * body->inv_mass);
        return tni_body_is_pulled(world, push, dt) ? dvec3_add(v, push) : v;
    }
    return dvec3_add(body->velocity, tni_body_get_pull(world, body, dt));
}

// Is out of line, for few shapes sit off the middle of their body or are turned against it.
static TNI_NO_INLINE tni_dvec3 motion_shift(const tni_body *body, tni_dvec3 local) {
    return dvec3_add(body->position, dquat_rotate(body->rotation, local));
}
static TNI_NO_INLINE tni_dquat motion_turn(const tni_body *body, versors rotation) {
    return dquat_mul(body->rotation, dquat_from_float(rotation));
}

tni_dpose tni_shape_get_frame(const tn_world *world, const tni_shape *shape) {
    const tni_geometry *geometry = tni_shape_get_geometry(shape);
    tni_dpose place = tni_body_get_place(tni_body_at(world, shape->body)), frame;
    tni_dvec3 offset = dquat_rotate(place.rotation, dvec3_from_float(geometry->position));
    frame.position = dvec3_add(place.position, offset);
    frame.rotation = dquat_mul(place.rotation, dquat_from_float(geometry->rotation));
    return frame;
}

static void motion_set(const tn_world *world, const tni_shape *shape, double dt,
                       tni_shape_motion *motion) {
    const tni_body *body = tni_body_at(world, shape->body);
    const tni_geometry *geometry = tni_shape_get_geometry(shape);
    tni_dvec3 local = dvec3_sub(dvec3_from_float(geometry->position), body->local_center);
    motion->center = body->position;
    if (local.x != 0.0 || local.y != 0.0 || local.z != 0.0) { // most sit in the middle
        motion->center = motion_shift(body, local);
    }
    const float *q = geometry->rotation.raw;
    tni_dquat rotation = body->rotation;
    if (q[3] != 1.0f || q[0] != 0.0f || q[1] != 0.0f || q[2] != 0.0f) {
        rotation = motion_turn(body, geometry->rotation);
    }
    bool is_bent;
    motion->velocity = motion_get_velocity(world, body, dt, &is_bent);
    motion->is_bent = is_bent;
    motion->offset = dvec3_to_float(dvec3_sub(motion->center, body->position));
    motion->angular_velocity = body->angular_velocity;
    motion->rotation = maths_quat_normalize(dquat_to_float(rotation));
    motion->is_deformed = shape->deformed != NULL;
    motion->is_box = geometry->type == TNI_GEOMETRY_BOX && geometry->rounding == 0.0f;
    motion->half_extents = motion->is_box ? geometry->box.half_extents : maths_vec3_zero();
    double reach = tni_body_turn_reach(body, dt);
    motion->turn = (float)tni_body_turn_ahead(body, dt);
    motion->turn_reach = (float)reach;
    motion->turn_way = tni_shape_turn_way(shape, reach);
    motion->is_dynamic = body->type == TN_BODY_TYPE_DYNAMIC;
    motion->is_static = body->type == TN_BODY_TYPE_STATIC;
    motion->is_awake = body->awake_index != TNI_NONE;
}

void tni_body_update_motions(tn_world *world, uint32_t body, double dt) {
    const tni_shape *shape;
    for (uint32_t i = tni_body_at(world, body)->shape_head; i != TNI_NONE; i = shape->next) {
        shape = tni_shape_at(world, i);
        motion_set(world, shape, dt, tni_shape_motion_at(world, i));
        if (shape->concave != NULL) {
            world->features.parts->update_motions(world, i, dt);
        }
    }
}

void tni_shape_update_motion(tn_world *world, uint32_t index, double dt) {
    motion_set(world, tni_shape_at(world, index), dt, tni_shape_motion_at(world, index));
}

const tni_shape_motion *tni_shape_get_motion(const tn_world *world, uint32_t index, double dt,
                                             tni_shape_motion *out) {
    const tni_shape_motion *motion = tni_shape_motion_at(world, index);
    if (motion->is_awake) {
        return motion;
    }
    motion_set(world, tni_shape_at(world, index), dt, out);
    return out;
}

tni_dvec3 tni_shape_get_surface_speed(const tn_world *world, const tni_shape *shape,
                                      tni_dvec3 point) {
    const tni_shape *whole = tni_shape_get_whole(world, shape);
    if (!whole->has_surface) {
        return dvec3_make(0.0, 0.0, 0.0);
    }
    tni_dpose frame = tni_shape_get_frame(world, whole);
    tni_dvec3 v = dquat_rotate(frame.rotation, dvec3_from_plain(whole->surface.linear));
    tni_dvec3 w = dquat_rotate(frame.rotation, dvec3_from_plain(whole->surface.angular));
    return dvec3_add(v, dvec3_cross(w, dvec3_sub(point, frame.position)));
}
