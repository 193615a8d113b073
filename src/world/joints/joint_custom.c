// world/joints/joint_custom.c: the public functions of custom joints.
// Test: tests/joints/test_custom_joint.c
#include "world/joints/joint_internal.h"

tn_custom_joint_def tn_custom_joint_def_default(void) {
    tn_custom_joint_def def = {.base = tn_joint_def_default()};
    for (uint32_t i = 0; i < TN_CUSTOM_MAX_ROWS; ++i) {
        def.rows[i].max_force = INFINITY;
    }
    return def;
}

tn_joint_id tn_custom_joint_create(tn_world *world, const tn_custom_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_CUSTOM, &tni_custom_joint_kind, def, sizeof *def,
                            __func__);
}

tn_custom_joint_def tn_custom_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_CUSTOM, __func__).custom;
}

tn_result tn_custom_joint_set_row(tn_world *world, tn_joint_id joint, uint32_t row,
                                  tn_custom_row_def def) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CUSTOM, __func__);
    if (change.joint == TNI_NONE) {
        return tni_world_end_change(world);
    }
    tn_custom_joint_def *own = &change.def.custom;
    if (row >= own->row_count || def.kind != own->rows[row].kind ||
        def.is_angular != own->rows[row].is_angular) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, __func__,
                         "The joint has no such row, or one of another kind or unit.", joint.value);
        return tni_world_end_change(world);
    }
    tni_custom_row_set(&own->rows[row], &def);
    return tni_joint_commit_change(world, &change);
}

double tn_custom_joint_get_error(const tn_world *world, tn_joint_id joint, uint32_t row) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_CUSTOM, row, __func__).position;
}

double tn_custom_joint_get_rate(const tn_world *world, tn_joint_id joint, uint32_t row) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_CUSTOM, row, __func__).speed;
}
