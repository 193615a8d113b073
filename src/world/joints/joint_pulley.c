// world/joints/joint_pulley.c: the public functions of pulley joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/transmissions/test_pulley_joint.c
#include "world/joints.h"
#include "world/joints/joint_internal.h"
#include "world/records/convert.h"

tn_pulley_joint_def tn_pulley_joint_def_default(void) {
    return (tn_pulley_joint_def){
        .base = tn_joint_def_default(), .ratio = 1.0, .length = 1.0, .is_rigid = true};
}

tn_joint_id tn_pulley_joint_create(tn_world *world, const tn_pulley_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_PULLEY, &tni_pulley_joint_kind, def, sizeof *def,
                            __func__);
}

tn_pulley_joint_def tn_pulley_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_PULLEY, __func__).pulley;
}

// Returns the length of a side, m; zero after a report.
static double pulley_read_side(const tn_world *world, tn_joint_id joint, bool is_a,
                               const char *function) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_PULLEY, function);
    if (!record) {
        return 0.0;
    }
    tni_body_motion a, b;
    tni_joint_get_motions(world, record, &a, &b);
    return tni_pulley_measure_side(record, &a, &b, is_a);
}

tn_result tn_pulley_joint_set_length(tn_world *world, tn_joint_id joint, double length) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PULLEY, __func__);
    tni_double_set(&change.def.pulley.length, length);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_pulley_joint_set_ratio(tn_world *world, tn_joint_id joint, double ratio) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PULLEY, __func__);
    double side_b = pulley_read_side(world, joint, false, __func__);
    change.def.pulley.length += (ratio - change.def.pulley.ratio) * side_b;
    tni_double_set(&change.def.pulley.ratio, ratio);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_pulley_joint_set_rigid(tn_world *world, tn_joint_id joint, bool is_rigid) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PULLEY, __func__);
    change.def.pulley.is_rigid = is_rigid;
    return tni_joint_commit_change(world, &change);
}

tn_result tn_pulley_joint_set_grounds(tn_world *world, tn_joint_id joint, tn_vec3 ground_a,
                                      tn_vec3 ground_b) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PULLEY, __func__);
    convert_set_vec3(&change.def.pulley.ground_a, &ground_a);
    convert_set_vec3(&change.def.pulley.ground_b, &ground_b);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_pulley_joint_set_limits(tn_world *world, tn_joint_id joint, tn_limit limit_a,
                                     tn_limit limit_b) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PULLEY, __func__);
    tni_limit_set(&change.def.pulley.limit_a, &limit_a);
    tni_limit_set(&change.def.pulley.limit_b, &limit_b);
    return tni_joint_commit_change(world, &change);
}

double tn_pulley_joint_get_length_a(const tn_world *world, tn_joint_id joint) {
    return pulley_read_side(world, joint, true, __func__);
}

double tn_pulley_joint_get_length_b(const tn_world *world, tn_joint_id joint) {
    return pulley_read_side(world, joint, false, __func__);
}

double tn_pulley_joint_get_length(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_PULLEY, __func__).position;
}

double tn_pulley_joint_get_rate(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_PULLEY, __func__).speed;
}
