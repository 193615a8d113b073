// world/api/body_pose.c: where a body is and how fast it moves.
//
// With x the centre of mass, R the rotation and c the centre in the body's frame: the frame's
// origin is x - R c, and a point p of the body moves at v + w x (p - x). Only x, R, v and w are
// stored.
// Test: tests/world/api/test_body_pose.c
#include "core/same.h"
#include "world/bodies.h"
#include "world/joints.h"
#include "world/records/convert.h"

// ---- inside -----------------------------------------------------------------------------------

tn_pose tni_body_get_frame(const tni_body *body) {
    tni_dvec3 center = body->local_center, origin = body->position;
    if (center.x != 0.0 || center.y != 0.0 || center.z != 0.0) {
        origin = dvec3_sub(origin, dquat_rotate(body->rotation, center));
    }
    return convert_to_pose(origin, body->rotation);
}

void tni_body_set_frame(tni_body *body, const tn_pose *pose) {
    body->rotation = convert_from_rotation(pose->rotation);
    tni_dvec3 offset = dquat_rotate(body->rotation, body->local_center);
    body->position = dvec3_add(dvec3_from_plain(pose->position), offset);
}

void tni_body_move_center(tni_body *body, const tn_pose *frame, tni_dvec3 old_center) {
    tni_dvec3 shift = dvec3_sub(body->local_center, old_center);
    if (shift.x == 0.0 && shift.y == 0.0 && shift.z == 0.0) {
        return;
    }
    tni_body_set_frame(body, frame);
    tni_dvec3 arm = dquat_rotate(body->rotation, shift);
    body->velocity = dvec3_add(body->velocity, dvec3_cross(body->angular_velocity, arm));
}

// ---- poses ------------------------------------------------------------------------------------

tn_pose tn_body_get_pose(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? (tn_pose){0} : tni_body_get_frame(tni_body_at(world, index));
}

static bool body_refuses_pose(const tn_world *world, const tn_pose *pose, const char *function,
                              tn_body_id id) {
    tni_check check = {convert_check_pose(pose),
                       "The pose must be finite, and its quaternion must have a length."};
    return !tni_world_accepts(world, check, function, id.value);
}

// Returns whether the pose is the one that was set last or the one that a getter returns.
static bool body_is_at(const tni_body *body, const tn_pose *pose) {
    tni_body there = *body;
    tn_pose frame = tni_body_get_frame(body), given = frame;
    convert_set_pose(&given, pose);
    tni_body_set_frame(&there, pose);
    bool is_given = tni_is_same(&there.position, &body->position, sizeof there.position) &&
                    tni_is_same(&there.rotation, &body->rotation, sizeof there.rotation);
    return is_given || tni_is_same(&frame, &given, sizeof frame);
}

tn_result tn_body_set_pose(tn_world *world, tn_body_id id, tn_pose pose) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index == TNI_NONE || body_refuses_pose(world, &pose, __func__, id) ||
        tni_body_is_led(world, index, __func__)) {
        return tni_world_end_change(world);
    }
    if (body_is_at(tni_body_at(world, index), &pose)) {
        return tni_world_end_change(world);
    }
    tni_body_wake_neighbours(world, index);
    tni_body_set_frame(tni_body_at(world, index), &pose);
    tni_body_remember_turns(world, index);
    tni_blend_place(world, index);
    tni_body_update_bounds(world, index, 0.0);
    tni_body_wake(world, index);
    tni_body_wake_overlapping(world, index);
    return tni_world_end_change(world);
}

tn_vec3 tn_body_get_center(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? (tn_vec3){0} : dvec3_to_plain(tni_body_at(world, index)->position);
}

// ---- points and vectors -----------------------------------------------------------------------

static bool body_refuses_vector(const tn_world *world, tn_vec3 v, const char *function,
                                tn_body_id id) {
    tni_check check =
        tni_check_that(convert_is_finite(v), TN_RESULT_NOT_FINITE, "The vector must be finite.");
    return !tni_world_accepts(world, check, function, id.value);
}

// Returns the body that is asked about a vector, or null after a report.
static const tni_body *body_find_for(const tn_world *world, tn_body_id id, tn_vec3 v,
                                     const char *function) {
    uint32_t index = tni_world_find_body(world, id, function);
    bool may_ask = index != TNI_NONE && !body_refuses_vector(world, v, function, id);
    return may_ask ? tni_body_at(world, index) : NULL;
}

tn_vec3 tn_body_get_world_point(const tn_world *world, tn_body_id id, tn_vec3 local_point) {
    const tni_body *body = body_find_for(world, id, local_point, __func__);
    if (body == NULL) {
        return (tn_vec3){0};
    }
    tni_dvec3 arm = dvec3_sub(dvec3_from_plain(local_point), body->local_center);
    return dvec3_to_plain(dvec3_add(body->position, dquat_rotate(body->rotation, arm)));
}

tn_vec3 tn_body_get_local_point(const tn_world *world, tn_body_id id, tn_vec3 point) {
    const tni_body *body = body_find_for(world, id, point, __func__);
    if (body == NULL) {
        return (tn_vec3){0};
    }
    tni_dvec3 arm = dvec3_sub(dvec3_from_plain(point), body->position);
    return dvec3_to_plain(dvec3_add(body->local_center, dquat_rotate_inverse(body->rotation, arm)));
}

tn_vec3 tn_body_get_world_vector(const tn_world *world, tn_body_id id, tn_vec3 local_vector) {
    const tni_body *body = body_find_for(world, id, local_vector, __func__);
    return body == NULL
               ? (tn_vec3){0}
               : dvec3_to_plain(dquat_rotate(body->rotation, dvec3_from_plain(local_vector)));
}

tn_vec3 tn_body_get_local_vector(const tn_world *world, tn_body_id id, tn_vec3 vector) {
    const tni_body *body = body_find_for(world, id, vector, __func__);
    return body == NULL
               ? (tn_vec3){0}
               : dvec3_to_plain(dquat_rotate_inverse(body->rotation, dvec3_from_plain(vector)));
}

// ---- velocities -------------------------------------------------------------------------------

tn_velocity tn_body_get_velocity(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    if (index == TNI_NONE) {
        return (tn_velocity){0};
    }
    const tni_body *body = tni_body_at(world, index);
    tn_velocity velocity = {dvec3_to_plain(body->velocity), dvec3_to_plain(body->angular_velocity)};
    return velocity;
}

// Returns the index of a body that can have a velocity, or TNI_NONE after a report.
static uint32_t body_find_mover(tn_world *world, tn_body_id id, const char *function) {
    uint32_t index = tni_world_find_body_to_change(world, id, function);
    if (index == TNI_NONE || tni_body_is_led(world, index, function)) {
        return TNI_NONE;
    }
    if (tni_body_at(world, index)->type != TN_BODY_TYPE_STATIC) {
        return index;
    }
    tni_world_report(world, TN_RESULT_WRONG_TYPE, function, "A static body has no velocity.",
                     id.value);
    return TNI_NONE;
}

static bool body_refuses_turn(const tn_world *world, uint32_t index, tni_dvec3 angular,
                              const char *function, tn_body_id id) {
    if (tni_body_may_turn(tni_body_at(world, index), angular)) {
        return false;
    }
    tni_world_report(world, TN_RESULT_WRONG_TYPE, function, "A particle has no angular velocity.",
                     id.value);
    return true;
}

// Sets a velocity. Bodies that rest on a kinematic body must wake when it starts to move.
static void body_give_velocity(tn_world *world, uint32_t index, tni_dvec3 linear,
                               tni_dvec3 angular) {
    tni_body *body = tni_body_at(world, index);
    tni_dvec3 v = dvec3_sub(linear, body->velocity), w = dvec3_sub(angular, body->angular_velocity);
    bool is_new = dvec3_dot(v, v) > 0.0 || dvec3_dot(w, w) > 0.0 || body->has_target;
    body->velocity = linear;
    body->angular_velocity = angular;
    body->has_target = false;
    if (!is_new) {
        return;
    }
    tni_body_wake(world, index);
    if (body->type == TN_BODY_TYPE_KINEMATIC) {
        tni_body_wake_neighbours(world, index);
    }
}

tn_result tn_body_set_velocity(tn_world *world, tn_body_id id, tn_velocity velocity) {
    uint32_t index = body_find_mover(world, id, __func__);
    if (index == TNI_NONE || body_refuses_vector(world, velocity.linear, __func__, id) ||
        body_refuses_vector(world, velocity.angular, __func__, id) ||
        body_refuses_turn(world, index, dvec3_from_plain(velocity.angular), __func__, id)) {
        return tni_world_end_change(world);
    }
    body_give_velocity(world, index, dvec3_from_plain(velocity.linear),
                       dvec3_from_plain(velocity.angular));
    return tni_world_end_change(world);
}

tn_vec3 tn_body_get_linear_velocity(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? (tn_vec3){0} : dvec3_to_plain(tni_body_at(world, index)->velocity);
}

tn_result tn_body_set_linear_velocity(tn_world *world, tn_body_id id, tn_vec3 velocity) {
    uint32_t index = body_find_mover(world, id, __func__);
    tni_dvec3 linear = dvec3_from_plain(velocity);
    if (index == TNI_NONE || body_refuses_vector(world, velocity, __func__, id)) {
        return tni_world_end_change(world);
    }
    body_give_velocity(world, index, linear, tni_body_at(world, index)->angular_velocity);
    return tni_world_end_change(world);
}

tn_vec3 tn_body_get_angular_velocity(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? (tn_vec3){0}
                             : dvec3_to_plain(tni_body_at(world, index)->angular_velocity);
}

tn_result tn_body_set_angular_velocity(tn_world *world, tn_body_id id, tn_vec3 velocity) {
    uint32_t index = body_find_mover(world, id, __func__);
    tni_dvec3 angular = dvec3_from_plain(velocity);
    if (index == TNI_NONE || body_refuses_vector(world, velocity, __func__, id) ||
        body_refuses_turn(world, index, angular, __func__, id)) {
        return tni_world_end_change(world);
    }
    body_give_velocity(world, index, tni_body_at(world, index)->velocity, angular);
    return tni_world_end_change(world);
}

tn_vec3 tn_body_get_point_velocity(const tn_world *world, tn_body_id id, tn_vec3 point) {
    const tni_body *body = body_find_for(world, id, point, __func__);
    if (body == NULL) {
        return (tn_vec3){0};
    }
    tni_dvec3 arm = dvec3_sub(dvec3_from_plain(point), body->position);
    return dvec3_to_plain(dvec3_add(body->velocity, dvec3_cross(body->angular_velocity, arm)));
}

// ---- target pose ------------------------------------------------------------------------------

tn_result tn_body_set_target_pose(tn_world *world, tn_body_id id, tn_pose pose, double dt) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index == TNI_NONE || body_refuses_pose(world, &pose, __func__, id)) {
        return tni_world_end_change(world);
    }
    tni_body *body = tni_body_at(world, index);
    if (body->type != TN_BODY_TYPE_KINEMATIC) {
        tni_world_report(world, TN_RESULT_WRONG_TYPE, __func__,
                         "Only a kinematic body can be given a target pose.", id.value);
        return tni_world_end_change(world);
    }
    if (!(dt > 0.0) || !isfinite(dt)) {
        tni_world_report(world, TN_RESULT_INVALID_TIME_STEP, __func__,
                         "dt must be positive and finite.", id.value);
        return tni_world_end_change(world);
    }
    tni_body target = *body;
    tni_body_set_frame(&target, &pose);
    tni_dvec3 path = dvec3_sub(target.position, body->position);
    tni_dvec3 turn = body->is_particle ? dvec3_make(0.0, 0.0, 0.0)
                                       : dquat_get_turn(body->rotation, target.rotation);
    body_give_velocity(world, index, dvec3_scale(path, 1.0 / dt), dvec3_scale(turn, 1.0 / dt));
    body->has_target = dvec3_dot(path, path) > 0.0 || dvec3_dot(turn, turn) > 0.0;
    return tni_world_end_change(world);
}
