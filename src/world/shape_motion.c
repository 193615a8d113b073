// world/shape_motion.c: where a shape is and how it goes, once per step instead of once per
// contact.
//
// A box in a pile has six contacts or more, and each needs the frame of its shape and the speed of
// its body. What is awake keeps them in the shape; what is not is computed where it is needed, for
// it may be a floor that a thousand workers ask for. Test: tests/world/test_manifold_update.c
#include "world/narrow.h"

static void motion_set(const tn_world *world, const tni_shape *shape, double dt,
                       tni_shape_motion *motion) {
    const tni_body *body = &world->bodies[shape->body];
    const tni_geometry *geometry = &shape->geometry;
    tni_dvec3 local = dvec3_sub(dvec3_from_float(geometry->position), body->local_center);
    tni_dquat rotation = dquat_mul(body->rotation, dquat_from_float(geometry->rotation));
    motion->center = dvec3_add(body->position, dquat_rotate(body->rotation, local));
    motion->velocity = body->velocity;
    motion->rotation = maths_quat_normalize(dquat_to_float(rotation));
    motion->turn_way = tni_shape_turn_way(world, shape, dt);
    motion->is_dynamic = body->type == TN_BODY_TYPE_DYNAMIC;
    motion->is_awake = body->awake_index != TNI_NONE;
}

void tni_shape_update_motion(tn_world *world, uint32_t index, double dt) {
    tni_shape *shape = &world->shapes[index];
    motion_set(world, shape, dt, &shape->motion);
}

const tni_shape_motion *tni_shape_get_motion(const tn_world *world, uint32_t index, double dt,
                                             tni_shape_motion *out) {
    const tni_shape *shape = &world->shapes[index];
    if (world->bodies[shape->body].awake_index != TNI_NONE) {
        return &shape->motion;
    }
    motion_set(world, shape, dt, out);
    return out;
}
