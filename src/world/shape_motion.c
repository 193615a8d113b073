// world/shape_motion.c: where a shape is and how it goes, once per step instead of once per
// contact.
//
// A box in a pile has six contacts or more, and each needs the frame of its shape and the speed of
// its body. What is awake keeps them; what is not is computed where it is needed, for
// it may be a floor that a thousand workers ask for. Test: tests/world/test_manifold_update.c
#include "world/narrow.h"

static void motion_set_axes(tni_shape_motion *motion) {
    const float *q = motion->rotation.raw;
    float x = q[0], y = q[1], z = q[2], w = q[3];
    float xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    float wx = w * x, wy = w * y, wz = w * z;
    motion->axes[0] = maths_vec3(1.0f - 2.0f * (yy + zz), 2.0f * (xy + wz), 2.0f * (xz - wy));
    motion->axes[1] = maths_vec3(2.0f * (xy - wz), 1.0f - 2.0f * (xx + zz), 2.0f * (yz + wx));
    motion->axes[2] = maths_vec3(2.0f * (xz + wy), 2.0f * (yz - wx), 1.0f - 2.0f * (xx + yy));
}

static void motion_set(const tn_world *world, const tni_shape *shape, double dt,
                       tni_shape_motion *motion) {
    const tni_body *body = &world->bodies[shape->body];
    const tni_geometry *geometry = &shape->geometry;
    tni_dvec3 local = dvec3_sub(dvec3_from_float(geometry->position), body->local_center);
    tni_dquat rotation = dquat_mul(body->rotation, dquat_from_float(geometry->rotation));
    motion->center = dvec3_add(body->position, dquat_rotate(body->rotation, local));
    motion->velocity = body->velocity;
    motion->rotation = maths_quat_normalize(dquat_to_float(rotation));
    motion_set_axes(motion);
    motion->is_box = geometry->type == TNI_GEOMETRY_BOX;
    motion->half_extents = motion->is_box ? geometry->box.half_extents : maths_vec3_zero();
    motion->turn_way = tni_shape_turn_way(world, shape, dt);
    motion->is_dynamic = body->type == TN_BODY_TYPE_DYNAMIC;
    motion->is_awake = body->awake_index != TNI_NONE;
}

void tni_shape_update_motion(tn_world *world, uint32_t index, double dt) {
    motion_set(world, &world->shapes[index], dt, &world->shape_motions[index]);
}

const tni_shape_motion *tni_shape_get_motion(const tn_world *world, uint32_t index, double dt,
                                             tni_shape_motion *out) {
    const tni_shape_motion *motion = &world->shape_motions[index];
    if (motion->is_awake) {
        return motion;
    }
    motion_set(world, &world->shapes[index], dt, out);
    return out;
}
