// world/joints/joint_motion_path.c: the public functions of motion path joints.
// Test: tests/joints/paths/test_motion_path_joint.c
#include "joints/paths/motion_path.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"

tn_motion_path_joint_def tn_motion_path_joint_def_default(void) {
    return (tn_motion_path_joint_def){.base = tn_joint_def_default(), .speed = 1.0};
}

tn_joint_id tn_motion_path_joint_create(tn_world *world, const tn_motion_path_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_MOTION_PATH, &tni_motion_path_joint_kind, def,
                            sizeof *def, __func__);
}

tn_motion_path_joint_def tn_motion_path_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_MOTION_PATH, __func__).motion_path;
}

bool tni_joint_is_led(const tni_joint *joint) {
    return joint->type == TN_JOINT_TYPE_MOTION_PATH &&
           joint->def.motion_path.apart->def.speed != 0.0;
}

// The record keeps the time since it was made.
tn_result tn_motion_path_joint_set_time(tn_world *world, tn_joint_id joint, double time) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_MOTION_PATH, __func__);
    if (change.joint == TNI_NONE) {
        return tni_world_end_change(world);
    }
    if (!isfinite(time)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, __func__, "The time must be finite.",
                         joint.value);
        return tni_world_end_change(world);
    }
    if (time != tn_motion_path_joint_get_time(world, joint)) {
        tni_joint_plan_drop(world);
        tni_turns_start(&tni_joint_at(world, change.joint)->memory.turns[0],
                        time - change.def.motion_path.start_time);
        tni_joint_wake_bodies(world, change.joint);
    }
    return tni_world_end_change(world);
}

tn_result tn_motion_path_joint_set_speed(tn_world *world, tn_joint_id joint, double speed) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_MOTION_PATH, __func__);
    tni_double_set(&change.def.motion_path.speed, speed);
    return tni_joint_commit_change(world, &change);
}

double tn_motion_path_joint_get_time(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_MOTION_PATH, __func__).position;
}
