// world/api/body_speeds.c: limits the speeds with which a body leaves a step.
//
// The limits are there for games: a ragdoll that is hit by a train, a ball that must stay playable.
// A body is slowed down once, after the step, so that contacts, joints and the exact path do not
// know of it; a joint that this pulls on is closed in the next step as after any change of
// velocity. Test: tests/world/api/test_body_speeds.c
#include "world/bodies.h"
#include "world/step/step_internal.h"

tni_check tni_body_check_max_speeds(float linear, float angular) {
    return tni_check_number(!isnan(linear) && !isnan(angular), linear >= 0.0f && angular >= 0.0f,
                            "Speed limits must not be negative.");
}

void tni_body_give_max_speeds(tni_body *body, float linear, float angular) {
    body->max_linear_speed = linear > 0.0f ? linear : INFINITY;
    body->max_angular_speed = angular > 0.0f ? angular : INFINITY;
}

static bool speeds_are_limited(const tni_body *body) {
    return body->max_linear_speed < INFINITY || body->max_angular_speed < INFINITY;
}

void tni_body_note_max_speeds(tn_world *world, const tni_body *body) {
    world->has_max_speeds = world->has_max_speeds || speeds_are_limited(body);
}

tn_result tn_body_set_max_speeds(tn_world *world, tn_body_id id, float linear, float angular) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index != TNI_NONE &&
        tni_world_accepts(world, tni_body_check_max_speeds(linear, angular), __func__, id.value)) {
        tni_body *body = tni_body_at(world, index);
        tni_body_give_max_speeds(body, linear, angular);
        tni_body_note_max_speeds(world, body);
    }
    return tni_world_end_change(world);
}

float tn_body_get_max_linear_speed(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? 0.0f : tni_body_at(world, index)->max_linear_speed;
}

float tn_body_get_max_angular_speed(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? 0.0f : tni_body_at(world, index)->max_angular_speed;
}

static tni_dvec3 speeds_cut(tni_dvec3 velocity, float most) {
    double speed = dvec3_length(velocity);
    return speed > (double)most ? dvec3_scale(velocity, (double)most / speed) : velocity;
}

void tni_step_limit_speeds(tn_world *world) {
    for (uint32_t i = 0; world->has_max_speeds && i < world->awake_bodies.count; ++i) {
        tni_body *body = tni_body_at(world, world->awake_bodies.items[i]);
        if (body->type != TN_BODY_TYPE_DYNAMIC || body->reduced != TNI_NONE ||
            !speeds_are_limited(body)) {
            continue;
        }
        double before = tni_body_kinetic_energy(world, body);
        body->velocity = speeds_cut(body->velocity, body->max_linear_speed);
        body->angular_velocity = speeds_cut(body->angular_velocity, body->max_angular_speed);
        if (tni_world_keeps_ledger(world)) {
            world->ledger.damping += tni_body_kinetic_energy(world, body) - before;
        }
    }
}
