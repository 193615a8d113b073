// world/joint_api.c: the public functions that all joints share.
// Test: tests/joints/test_joint_world.c, tests/joints/test_joint_setters.c
#include "solver/affine.h"
#include "world/convert.h"
#include "world/joint_internal.h"

tn_joint_def tn_joint_def_default(void) {
    tn_joint_def def = {.frame_a.rotation = {0.0, 0.0, 0.0, 1.0},
                        .frame_b.rotation = {0.0, 0.0, 0.0, 1.0},
                        .break_force = INFINITY,
                        .break_torque = INFINITY,
                        .break_linear = {INFINITY, INFINITY, INFINITY},
                        .break_angular = {INFINITY, INFINITY, INFINITY},
                        .damping_ratio = 1.0f};
    return def;
}

tn_motor tni_motor_default(void) {
    tn_motor motor = {.max_force = INFINITY};
    return motor;
}

tn_joint_axis tni_joint_axis_default(void) {
    tn_joint_axis axis = {.motor = tni_motor_default()};
    return axis;
}

// ---- frames from a point and an axis ----------------------------------------------------------

// The shortest rotation that takes the x axis to the unit vector `axis`.
static tni_dquat joint_rotation_to(tni_dvec3 axis) {
    double one_plus_cosine = 1.0 + axis.x;
    if (one_plus_cosine < 1e-12) {
        return dquat_make(0.0, 0.0, 1.0, 0.0);
    }
    return dquat_normalize(dquat_make(0.0, -axis.z, axis.y, one_plus_cosine));
}

// A pose given in the world, in a body's frame.
static tn_pose joint_pose_in_body(const tn_world *world, uint32_t body, tn_position point,
                                  tni_dquat rotation) {
    tn_pose frame = {.position = point,
                     .rotation = {rotation.x, rotation.y, rotation.z, rotation.w}};
    if (body == TNI_NONE) {
        return frame;
    }
    tn_pose pose = tni_body_get_frame(tni_body_at(world, body));
    tni_dquat inverse = dquat_conjugate(
        dquat_make(pose.rotation[0], pose.rotation[1], pose.rotation[2], pose.rotation[3]));
    tni_dvec3 offset =
        dvec3_make(point.x - pose.position.x, point.y - pose.position.y, point.z - pose.position.z);
    const tni_reduced *affine = tni_body_get_affine(world, tni_body_at(world, body));
    offset = affine != NULL
                 ? dvec3_add(tni_affine_find_arm(affine, dvec3_make(point.x, point.y, point.z)),
                             tni_body_at(world, body)->local_center)
                 : dquat_rotate(inverse, offset);
    tni_dquat local = dquat_normalize(dquat_mul(inverse, rotation));
    tn_pose in_body = {.position = {offset.x, offset.y, offset.z},
                       .rotation = {local.x, local.y, local.z, local.w}};
    return in_body;
}

// The unit vector along `axis`, of any length that is not zero; zero where it is. Scaled first, so
// that squares neither overflow nor vanish.
static tni_dvec3 joint_unit_axis(tn_dvec3 axis) {
    double largest = fmax(fabs(axis.x), fmax(fabs(axis.y), fabs(axis.z)));
    double s = maths_inverse_or_zero_d(largest);
    tni_dvec3 scaled = dvec3_make(axis.x * s, axis.y * s, axis.z * s);
    return dvec3_scale(scaled, maths_inverse_or_zero_d(dvec3_length(scaled)));
}

static bool joint_find_end(const tn_world *world, tn_body_id id, const char *function,
                           uint32_t *out_body) {
    *out_body = id.value == 0 ? TNI_NONE : tni_world_find_body(world, id, function);
    return id.value == 0 || *out_body != TNI_NONE;
}

bool tn_joint_def_set_frames(const tn_world *world, tn_joint_def *def, tn_body_id body_a,
                             tn_body_id body_b, tn_position anchor, tn_dvec3 axis) {
    uint32_t a, b;
    if (!world) {
        return false;
    }
    if (!def) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, __func__, "The definition is null.", 0);
        return false;
    }
    if (!joint_find_end(world, body_a, __func__, &a) ||
        !joint_find_end(world, body_b, __func__, &b)) {
        return false;
    }
    if (!isfinite(anchor.x) || !isfinite(anchor.y) || !isfinite(anchor.z) || !isfinite(axis.x) ||
        !isfinite(axis.y) || !isfinite(axis.z)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, __func__,
                         "The anchor and the axis must be finite.", 0);
        return false;
    }
    tni_dvec3 unit = joint_unit_axis(axis);
    if (!(dvec3_dot(unit, unit) > 0.5)) {
        tni_world_report(world, TN_RESULT_ZERO_AXIS, __func__, "The axis must not be zero.", 0);
        return false;
    }
    tni_dquat rotation = joint_rotation_to(unit);
    def->body_a = body_a;
    def->body_b = body_b;
    def->frame_a = joint_pose_in_body(world, a, anchor, rotation);
    def->frame_b = joint_pose_in_body(world, b, anchor, rotation);
    return true;
}

// ---- one joint --------------------------------------------------------------------------------

void tn_joint_destroy(tn_world *world, tn_joint_id joint) {
    if (!tni_world_begin_change(world, __func__)) {
        return;
    }
    uint32_t index = tni_world_find_joint(world, joint, __func__);
    if (index != TNI_NONE) {
        tni_joint_destroy_at(world, index);
    }
}

bool tn_joint_is_valid(const tn_world *world, tn_joint_id joint) {
    return world && tni_world_get_joint_index(world, joint) != TNI_NONE;
}

// The record, or null after a report (without one when the world is null).
static const tni_joint *joint_read_any(const tn_world *world, tn_joint_id id,
                                       const char *function) {
    if (!world) {
        return NULL;
    }
    uint32_t index = tni_world_find_joint(world, id, function);
    return index == TNI_NONE ? NULL : tni_joint_at(world, index);
}

tn_joint_type tn_joint_get_type(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = joint_read_any(world, joint, __func__);
    return record ? record->type : TN_JOINT_TYPE_DISTANCE;
}

tn_joint_def tn_joint_get_def(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = joint_read_any(world, joint, __func__);
    tn_joint_def none = {0};
    return record ? record->def.base : none;
}

tn_result tn_joint_set_frame_a(tn_world *world, tn_joint_id joint, tn_pose frame) {
    tni_joint_change change = tni_joint_begin_change_of_any(world, joint, __func__);
    convert_set_pose(&change.def.base.frame_a, &frame);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_joint_set_frame_b(tn_world *world, tn_joint_id joint, tn_pose frame) {
    tni_joint_change change = tni_joint_begin_change_of_any(world, joint, __func__);
    convert_set_pose(&change.def.base.frame_b, &frame);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_joint_set_break_force(tn_world *world, tn_joint_id joint, float force, float torque) {
    tni_joint_change change = tni_joint_begin_change_of_any(world, joint, __func__);
    tni_float_set(&change.def.base.break_force, force);
    tni_float_set(&change.def.base.break_torque, torque);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_joint_set_break_axes(tn_world *world, tn_joint_id joint, tn_vec3 linear,
                                  tn_vec3 angular) {
    tni_joint_change change = tni_joint_begin_change_of_any(world, joint, __func__);
    tni_vec3_set(&change.def.base.break_linear, &linear);
    tni_vec3_set(&change.def.base.break_angular, &angular);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_joint_set_break_time(tn_world *world, tn_joint_id joint, float time) {
    tni_joint_change change = tni_joint_begin_change_of_any(world, joint, __func__);
    tni_float_set(&change.def.base.break_time, time);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_joint_set_collide_connected(tn_world *world, tn_joint_id joint, bool collide) {
    tni_joint_change change = tni_joint_begin_change_of_any(world, joint, __func__);
    bool is_same = change.def.base.collide_connected == collide;
    change.def.base.collide_connected = collide;
    tn_result result = tni_joint_commit_change(world, &change);
    if (result != TN_RESULT_OK || is_same) {
        return result;
    }
    const tni_joint *record = tni_joint_at(world, change.joint);
    if (collide) {
        tni_joint_allow_contacts(world, record->body_a, record->body_b);
    } else if (record->body_a != TNI_NONE && record->body_b != TNI_NONE) {
        tni_bodies_destroy_contacts_between(world, record->body_a, record->body_b);
    }
    return result;
}

tn_result tn_joint_set_solver(tn_world *world, tn_joint_id joint, tn_solver solver) {
    tni_joint_change change = tni_joint_begin_change_of_any(world, joint, __func__);
    change.def.base.solver = solver;
    return tni_joint_commit_change(world, &change);
}

tn_result tn_joint_set_stiffness(tn_world *world, tn_joint_id joint, float hertz,
                                 float damping_ratio) {
    tni_joint_change change = tni_joint_begin_change_of_any(world, joint, __func__);
    tni_float_set(&change.def.base.hertz, hertz);
    tni_float_set(&change.def.base.damping_ratio, damping_ratio);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_joint_set_user_data(tn_world *world, tn_joint_id joint, void *user_data) {
    if (!tni_world_begin_change(world, __func__)) {
        return tni_world_get_refusal(world);
    }
    uint32_t index = tni_world_find_joint(world, joint, __func__);
    if (index != TNI_NONE) {
        tni_joint_at(world, index)->def.base.user_data = user_data;
    }
    return tni_world_get_refusal(world);
}

void *tn_joint_get_user_data(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = joint_read_any(world, joint, __func__);
    return record ? record->def.base.user_data : NULL;
}

// ---- what it does -----------------------------------------------------------------------------

tn_reaction tn_joint_get_reaction(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = joint_read_any(world, joint, __func__);
    tn_reaction reaction = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    return record ? tni_joint_get_reaction(world, record) : reaction;
}

tn_joint_error tn_joint_get_error(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = joint_read_any(world, joint, __func__);
    tn_joint_error none = {.linear_length = 0.0};
    if (!record) {
        return none;
    }
    if (tni_joint_is_function(record) && record->rows.rows == 0) {
        return world->features.spans->read_error(record);
    }
    tni_body_motion a, b;
    tni_joint_get_motions(world, record, &a, &b);
    tni_world_begin_callback(world);
    tn_joint_error error = tni_joint_measure_error(record, &a, &b);
    tni_world_end_callback(world);
    return error;
}

tn_joint_redundancy tn_joint_get_redundancy(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = joint_read_any(world, joint, __func__);
    tn_joint_redundancy redundancy = {.dependent_rows = 0};
    if (record) {
        redundancy.dependent_rows = record->dependent_rows;
        redundancy.fights = tni_joint_fights(record);
        redundancy.linear = record->linear_rest;
        redundancy.angular = record->angular_rest;
        if (tni_joint_is_held_open(record)) {
            redundancy.linear = fmax(redundancy.linear, tni_joint_get_linear_error(world, record));
        }
        if (record->is_opposed) {
            redundancy.angular =
                fmax(redundancy.angular, tni_joint_get_angular_error(world, record));
        }
    }
    return redundancy;
}

float tn_joint_get_motor_effort(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = joint_read_any(world, joint, __func__);
    return record ? record->motor_efforts[0] : 0.0f;
}

double tn_joint_get_motor_work(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = joint_read_any(world, joint, __func__);
    return record ? record->motor_work : 0.0;
}
