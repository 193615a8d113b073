// world/joints/joint_api.c: the public functions that all joints share.
// Test: tests/joints/test_joint_world.c, tests/joints/test_joint_setters.c
#include "joints/functions/function_joint.h"
#include "solver/movers/affine.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"
#include "world/records/convert.h"

tn_joint_def tn_joint_def_default(void) {
    tn_joint_def def = {.frame_a.rotation = {0.0, 0.0, 0.0, 1.0},
                        .frame_b.rotation = {0.0, 0.0, 0.0, 1.0},
                        .break_force = INFINITY,
                        .break_torque = INFINITY,
                        .break_linear = {(double)INFINITY, (double)INFINITY, (double)INFINITY},
                        .break_angular = {(double)INFINITY, (double)INFINITY, (double)INFINITY},
                        .damping_ratio = 1.0f};
    return def;
}

tn_limit tn_limit_default(void) {
    return (tn_limit){.is_enabled = false};
}

tn_spring tn_spring_default(void) {
    return (tn_spring){.mode = TN_SPRING_MODE_OFF};
}

tn_motor tn_motor_default(void) {
    tn_motor motor = {.max_force = INFINITY};
    return motor;
}

tn_axis tn_axis_default(void) {
    tn_axis axis = {.motor = tn_motor_default()};
    return axis;
}

// ---- frames from a point and an axis ----------------------------------------------------------

// Returns the shortest rotation that takes the x axis to the unit vector `axis`.
static tni_dquat joint_rotation_to(tni_dvec3 axis) {
    double one_plus_cosine = 1.0 + axis.x;
    if (one_plus_cosine < 1e-12) {
        return dquat_make(0.0, 0.0, 1.0, 0.0);
    }
    return dquat_normalize(dquat_make(0.0, -axis.z, axis.y, one_plus_cosine));
}

// Returns a pose of the world in a body's frame.
static tn_pose joint_pose_in_body(const tn_world *world, uint32_t body, tn_vec3 point,
                                  tni_dquat rotation) {
    tni_dvec3 place = dvec3_from_plain(point);
    if (body == TNI_NONE) {
        return convert_to_pose(place, rotation);
    }
    tn_pose pose = tni_body_get_frame(tni_body_at(world, body));
    tni_dquat inverse = dquat_conjugate(dquat_from_plain(pose.rotation));
    tni_dvec3 offset = dvec3_sub(place, dvec3_from_plain(pose.position));
    const tni_reduced *affine = tni_body_get_affine(world, tni_body_at(world, body));
    offset = affine != NULL ? dvec3_add(tni_affine_find_arm(affine, place),
                                        tni_body_at(world, body)->local_center)
                            : dquat_rotate(inverse, offset);
    return convert_to_pose(offset, dquat_normalize(dquat_mul(inverse, rotation)));
}

// Returns the unit vector along `axis`, or zero if that is zero. The axis is scaled first, so that
// squares neither overflow nor vanish.
static tni_dvec3 joint_unit_axis(tn_vec3 axis) {
    double largest = maths_max_d(fabs(axis.x), maths_max_d(fabs(axis.y), fabs(axis.z)));
    double s = maths_inverse_or_zero_d(largest);
    tni_dvec3 scaled = dvec3_make(axis.x * s, axis.y * s, axis.z * s);
    return dvec3_scale(scaled, maths_inverse_or_zero_d(dvec3_length(scaled)));
}

static bool joint_find_end(const tn_world *world, tn_body_id id, const char *function,
                           uint32_t *out_body) {
    *out_body = id.value == 0 ? TNI_NONE : tni_world_find_body(world, id, function);
    return id.value == 0 || *out_body != TNI_NONE;
}

// Two frames that agree now, at a point and with these axes, of which the second may be null.
typedef struct joint_place {
    tn_vec3 anchor, axis;
    const tn_vec3 *second;
} joint_place;

static bool joint_refuse_place(const tn_world *world, tn_result result, const char *message,
                               const char *function) {
    tni_world_report(world, result, function, message, 0);
    return false;
}

// Two axes are along one line if their sine is below this.
#define JOINT_LEAST_SINE 1e-6

static bool joint_find_rotation(const tn_world *world, const joint_place *place,
                                const char *function, tni_dquat *out_rotation) {
    if (!convert_is_finite(place->anchor) || !convert_is_finite(place->axis) ||
        (place->second && !convert_is_finite(*place->second))) {
        return joint_refuse_place(world, TN_RESULT_NOT_FINITE,
                                  "The anchor and the axis must be finite.", function);
    }
    tni_dvec3 x = joint_unit_axis(place->axis);
    if (!(dvec3_dot(x, x) > 0.5)) {
        return joint_refuse_place(world, TN_RESULT_ZERO_AXIS, "The axis must not be zero.",
                                  function);
    }
    if (!place->second) {
        *out_rotation = joint_rotation_to(x);
        return true;
    }
    tni_dvec3 z = dvec3_cross(x, joint_unit_axis(*place->second));
    double sine = dvec3_length(z);
    if (sine < JOINT_LEAST_SINE) {
        return joint_refuse_place(world, TN_RESULT_ZERO_AXIS,
                                  "The second axis must not be zero or along the first.", function);
    }
    z = dvec3_scale(z, 1.0 / sine);
    *out_rotation = dquat_from_axes(x, dvec3_cross(z, x), z);
    return true;
}

static bool joint_set_frames(const tn_world *world, tn_joint_def *def, tn_body_id body_a,
                             tn_body_id body_b, const joint_place *place, const char *function) {
    uint32_t a, b;
    tni_dquat rotation;
    if (!world) {
        return false;
    }
    if (!def) {
        return joint_refuse_place(world, TN_RESULT_INVALID_ARGUMENT, "The definition is null.",
                                  function);
    }
    if (!joint_find_end(world, body_a, function, &a) ||
        !joint_find_end(world, body_b, function, &b) ||
        !joint_find_rotation(world, place, function, &rotation)) {
        return false;
    }
    def->body_a = body_a;
    def->body_b = body_b;
    def->frame_a = joint_pose_in_body(world, a, place->anchor, rotation);
    def->frame_b = joint_pose_in_body(world, b, place->anchor, rotation);
    return true;
}

bool tn_joint_def_set_frames(const tn_world *world, tn_joint_def *def, tn_body_id body_a,
                             tn_body_id body_b, tn_vec3 anchor, tn_vec3 axis) {
    tni_float_environment host = tni_float_environment_enter();
    joint_place place = {anchor, axis, NULL};
    bool is_set = joint_set_frames(world, def, body_a, body_b, &place, __func__);
    tni_float_environment_leave(host);
    return is_set;
}

bool tn_joint_def_set_frames_by_axes(const tn_world *world, tn_joint_def *def, tn_body_id body_a,
                                     tn_body_id body_b, tn_vec3 anchor, tn_vec3 axis,
                                     tn_vec3 second) {
    tni_float_environment host = tni_float_environment_enter();
    joint_place place = {anchor, axis, &second};
    bool is_set = joint_set_frames(world, def, body_a, body_b, &place, __func__);
    tni_float_environment_leave(host);
    return is_set;
}

// ---- one joint --------------------------------------------------------------------------------

static void joint_destroy(tn_world *world, tn_joint_id joint, const char *function) {
    uint32_t index = tni_world_find_joint(world, joint, function);
    if (index != TNI_NONE) {
        tni_joint_destroy_at(world, index);
    }
}

void tn_joint_destroy(tn_world *world, tn_joint_id joint) {
    if (tni_world_begin_change(world, __func__)) {
        joint_destroy(world, joint, __func__);
    }
    tni_world_end_change(world);
}

bool tn_joint_is_valid(const tn_world *world, tn_joint_id joint) {
    return world && tni_world_get_joint_index(world, joint) != TNI_NONE;
}

// A joint of many bodies is enabled or disabled with its ties.
tn_result tn_joint_set_enabled(tn_world *world, tn_joint_id id, bool is_enabled) {
    bool may_change = tni_world_begin_change(world, __func__);
    uint32_t index = may_change ? tni_world_find_joint(world, id, __func__) : TNI_NONE;
    if (index == TNI_NONE || tni_joint_at(world, index)->is_disabled == !is_enabled) {
        return tni_world_end_change(world);
    }
    tni_joint *joint = tni_joint_at(world, index);
    const tni_function *function = tni_joint_is_function(joint) ? joint->def.function.apart : NULL;
    for (uint32_t k = 0; function != NULL && k < function->tie_count; ++k) {
        tni_joint_set_disabled(world, function->ties[k], !is_enabled);
    }
    tni_joint_set_disabled(world, index, !is_enabled);
    tni_joint_forget(world, index);
    return tni_world_end_change(world);
}

bool tn_joint_is_enabled(const tn_world *world, tn_joint_id id) {
    uint32_t index = world ? tni_world_find_joint(world, id, __func__) : TNI_NONE;
    return index != TNI_NONE && !tni_joint_at(world, index)->is_disabled;
}

// Returns the record, or null after a report (without one when the world is null).
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
    convert_set_vec3(&change.def.base.break_linear, &linear);
    convert_set_vec3(&change.def.base.break_angular, &angular);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_joint_set_break_time(tn_world *world, tn_joint_id joint, float time) {
    tni_joint_change change = tni_joint_begin_change_of_any(world, joint, __func__);
    tni_float_set(&change.def.base.break_time, time);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_joint_set_collision_allowed(tn_world *world, tn_joint_id joint, bool is_allowed) {
    tni_joint_change change = tni_joint_begin_change_of_any(world, joint, __func__);
    bool is_same = change.def.base.is_collision_allowed == is_allowed;
    change.def.base.is_collision_allowed = is_allowed;
    tn_result result = tni_joint_commit_change(world, &change);
    if (result != TN_RESULT_OK || is_same) {
        return result;
    }
    const tni_joint *record = tni_joint_at(world, change.joint);
    if (is_allowed) {
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
        return tni_world_end_change(world);
    }
    uint32_t index = tni_world_find_joint(world, joint, __func__);
    if (index != TNI_NONE) {
        tni_joint_at(world, index)->def.base.user_data = user_data;
    }
    return tni_world_end_change(world);
}

void *tn_joint_get_user_data(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = joint_read_any(world, joint, __func__);
    return record ? record->def.base.user_data : NULL;
}

// ---- what it does -----------------------------------------------------------------------------

tn_reaction tn_joint_get_reaction(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = joint_read_any(world, joint, __func__);
    tn_reaction reaction = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
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
    tni_world_begin_reading(world);
    tn_joint_error error = tni_joint_measure_error(record, &a, &b);
    tni_world_end_reading(world);
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
            redundancy.linear =
                maths_max_d(redundancy.linear, tni_joint_get_linear_error(world, record));
        }
        if (record->is_opposed) {
            redundancy.angular =
                maths_max_d(redundancy.angular, tni_joint_get_angular_error(world, record));
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
