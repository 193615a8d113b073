// world/joints/joint_six_axis.c: the public functions of six-axis joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_six_axis_joint.c
#include "joints/six_axis.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"

tn_six_axis_joint_def tn_six_axis_joint_def_default(void) {
    tn_six_axis_joint_def def = {.base = tn_joint_def_default(), .locks = TN_SIX_AXIS_LOCK_ALL};
    for (int i = 0; i < TN_SIX_AXIS_COUNT; ++i) {
        def.axes[i].motor = tn_motor_default();
    }
    return def;
}

tn_joint_id tn_six_axis_joint_create(tn_world *world, const tn_six_axis_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_SIX_AXIS, &tni_six_axis_joint_kind, def,
                            sizeof *def, __func__);
}

tn_six_axis_joint_def tn_six_axis_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_SIX_AXIS, __func__).six_axis;
}

static bool six_axis_names(const tn_world *world, tn_six_axis which, const char *function) {
    bool is_one = (int)which >= 0 && (int)which < TN_SIX_AXIS_COUNT;
    if (!is_one) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         "An axis is one of the six of tn_six_axis.", 0);
    }
    return is_one;
}

// Returns the axis that is to change in the definition of `change`, or null after a report.
static tn_axis *six_axis_begin_change(tn_world *world, tn_joint_id joint, tn_six_axis which,
                                      const char *function, tni_joint_change *change) {
    *change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SIX_AXIS, function);
    bool is_sound = change->joint != TNI_NONE && six_axis_names(world, which, function);
    return is_sound ? &change->def.six_axis.axes[which] : NULL;
}

tn_result tn_six_axis_joint_set_locks(tn_world *world, tn_joint_id joint, uint32_t locks) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SIX_AXIS, __func__);
    change.def.six_axis.locks = locks;
    return tni_joint_commit_change(world, &change);
}

tn_result tn_six_axis_joint_set_axis(tn_world *world, tn_joint_id joint, tn_six_axis which,
                                     tn_axis axis) {
    tni_joint_change change;
    tn_axis *own = six_axis_begin_change(world, joint, which, __func__, &change);
    if (own == NULL) {
        return tni_world_end_change(world);
    }
    tni_joint_axis_set(own, &axis);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_six_axis_joint_set_motor(tn_world *world, tn_joint_id joint, tn_six_axis which,
                                      tn_motor motor) {
    tni_joint_change change;
    tn_axis *own = six_axis_begin_change(world, joint, which, __func__, &change);
    if (own == NULL) {
        return tni_world_end_change(world);
    }
    tni_motor_set(&own->motor, &motor);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_six_axis_joint_set_target_position(tn_world *world, tn_joint_id joint,
                                                tn_six_axis which, float position) {
    tni_joint_change change;
    tn_axis *own = six_axis_begin_change(world, joint, which, __func__, &change);
    if (own == NULL) {
        return tni_world_end_change(world);
    }
    tni_float_set(&own->motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_six_axis_joint_set_target_speed(tn_world *world, tn_joint_id joint, tn_six_axis which,
                                             float speed) {
    tni_joint_change change;
    tn_axis *own = six_axis_begin_change(world, joint, which, __func__, &change);
    if (own == NULL) {
        return tni_world_end_change(world);
    }
    tni_float_set(&own->motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

static void six_axis_set_round(tn_round_limit *limit, const tn_round_limit *given) {
    limit->x = given->x;
    limit->y = given->y;
    limit->z = given->z;
    tni_float_set(&limit->lower, given->lower);
    tni_float_set(&limit->upper, given->upper);
}

tn_result tn_six_axis_joint_set_round_limits(tn_world *world, tn_joint_id joint,
                                             tn_round_limit linear, tn_round_limit angular) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SIX_AXIS, __func__);
    six_axis_set_round(&change.def.six_axis.linear_limit, &linear);
    six_axis_set_round(&change.def.six_axis.angular_limit, &angular);
    return tni_joint_commit_change(world, &change);
}

static tni_joint_value six_axis_read(const tn_world *world, tn_joint_id joint, tn_six_axis which,
                                     const char *function) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_SIX_AXIS, function);
    tni_joint_value value = {0.0, 0.0};
    if (record && six_axis_names(world, which, function)) {
        tni_body_motion a, b;
        tni_joint_get_motions(world, record, &a, &b);
        value = tni_six_measure_value(record, &a, &b, (uint32_t)which);
    }
    return value;
}

double tn_six_axis_joint_get_position(const tn_world *world, tn_joint_id joint, tn_six_axis which) {
    return six_axis_read(world, joint, which, __func__).position;
}

double tn_six_axis_joint_get_speed(const tn_world *world, tn_joint_id joint, tn_six_axis which) {
    return six_axis_read(world, joint, which, __func__).speed;
}

tn_quat tn_six_axis_joint_get_rotation(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_rotation(world, joint, TN_JOINT_TYPE_SIX_AXIS, __func__);
}
