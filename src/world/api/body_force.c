// world/api/body_force.c: forces that act during the next step, impulses that act at once.
// Test: tests/world/api/test_body_force.c
#include "world/bodies.h"
#include "world/joints.h"
#include "world/records/convert.h"

// Returns the index of an enabled dynamic body. Returns TNI_NONE after a report if the call is
// wrong, and without one for a body that forces do not move or a vector that moves nothing.
static uint32_t force_find_body(tn_world *world, tn_body_id id, tn_vec3 vector, tn_vec3 point,
                                const char *function) {
    uint32_t index = tni_world_find_body_to_change(world, id, function);
    if (index == TNI_NONE) {
        return TNI_NONE;
    }
    if (!convert_is_finite_float(vector) || !convert_is_finite(point)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, function,
                         "The force or impulse and its point must be finite.", id.value);
        return TNI_NONE;
    }
    const tni_body *body = tni_body_at(world, index);
    bool is_zero = vector.x == 0.0 && vector.y == 0.0 && vector.z == 0.0;
    return body->type == TN_BODY_TYPE_DYNAMIC && body->is_enabled && !is_zero ? index : TNI_NONE;
}

static tni_dvec3 force_arm(const tni_body *body, tn_vec3 point) {
    return dvec3_sub(dvec3_from_plain(point), body->position);
}

// Adds to the force and torque of the next step. Does nothing for TNI_NONE.
static tn_result force_apply(tn_world *world, uint32_t index, tni_dvec3 force, tni_dvec3 torque) {
    if (index != TNI_NONE) {
        tni_body *body = tni_body_at(world, index);
        body->force = dvec3_add(body->force, force);
        body->torque = body->is_particle ? body->torque : dvec3_add(body->torque, torque);
        body->is_pushed = true;
        tni_body_wake(world, index);
    }
    return tni_world_end_change(world);
}

tn_result tn_body_apply_force(tn_world *world, tn_body_id id, tn_vec3 force) {
    uint32_t index = force_find_body(world, id, force, (tn_vec3){0}, __func__);
    return force_apply(world, index, dvec3_from_plain(force), (tni_dvec3){0.0, 0.0, 0.0});
}

tn_result tn_body_apply_force_at(tn_world *world, tn_body_id id, tn_vec3 force, tn_vec3 point) {
    uint32_t index = force_find_body(world, id, force, point, __func__);
    tni_dvec3 f = dvec3_from_plain(force), torque = {0.0, 0.0, 0.0};
    if (index != TNI_NONE) {
        torque = dvec3_cross(force_arm(tni_body_at(world, index), point), f);
    }
    return force_apply(world, index, f, torque);
}

tn_result tn_body_apply_torque(tn_world *world, tn_body_id id, tn_vec3 torque) {
    uint32_t index = force_find_body(world, id, torque, (tn_vec3){0}, __func__);
    return force_apply(world, index, (tni_dvec3){0.0, 0.0, 0.0}, dvec3_from_plain(torque));
}

static void body_add_linear_impulse(tni_body *body, tni_dvec3 impulse) {
    double m = body->inv_mass;
    body->velocity.x += body->locks & TN_BODY_LOCK_LINEAR_X ? 0.0 : m * impulse.x;
    body->velocity.y += body->locks & TN_BODY_LOCK_LINEAR_Y ? 0.0 : m * impulse.y;
    body->velocity.z += body->locks & TN_BODY_LOCK_LINEAR_Z ? 0.0 : m * impulse.z;
}

static void body_add_angular_impulse(tni_body *body, tni_dvec3 impulse) {
    tni_dmat3 inverse = tni_body_world_inv_inertia_exact(body);
    body->angular_velocity = dvec3_add(body->angular_velocity, dmat3_mul_vec(&inverse, impulse));
}

tn_result tn_body_apply_impulse(tn_world *world, tn_body_id id, tn_vec3 impulse) {
    uint32_t index = force_find_body(world, id, impulse, (tn_vec3){0}, __func__);
    if (index == TNI_NONE || tni_body_is_led(world, index, __func__)) {
        return tni_world_end_change(world);
    }
    body_add_linear_impulse(tni_body_at(world, index), dvec3_from_plain(impulse));
    tni_body_wake(world, index);
    return tni_world_end_change(world);
}

tn_result tn_body_apply_impulse_at(tn_world *world, tn_body_id id, tn_vec3 impulse, tn_vec3 point) {
    uint32_t index = force_find_body(world, id, impulse, point, __func__);
    if (index == TNI_NONE || tni_body_is_led(world, index, __func__)) {
        return tni_world_end_change(world);
    }
    tni_body *body = tni_body_at(world, index);
    tni_dvec3 p = dvec3_from_plain(impulse);
    body_add_linear_impulse(body, p);
    body_add_angular_impulse(body, dvec3_cross(force_arm(body, point), p));
    tni_body_wake(world, index);
    return tni_world_end_change(world);
}

tn_result tn_body_apply_angular_impulse(tn_world *world, tn_body_id id, tn_vec3 impulse) {
    uint32_t index = force_find_body(world, id, impulse, (tn_vec3){0}, __func__);
    if (index == TNI_NONE || tni_body_is_led(world, index, __func__)) {
        return tni_world_end_change(world);
    }
    body_add_angular_impulse(tni_body_at(world, index), dvec3_from_plain(impulse));
    tni_body_wake(world, index);
    return tni_world_end_change(world);
}
