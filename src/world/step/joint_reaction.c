// world/step/joint_reaction.c: sums a joint's reaction and motor efforts from its rows' impulses.
// Test: tests/joints/test_joint_values.c, tests/world/movers/test_reduced_joints.c
#include "world/step/joint_reaction.h"

void tni_effort_sum_begin(tni_effort_sum *sum, const tni_joint *joint) {
    *sum = (tni_effort_sum){.joint = joint};
}

void tni_effort_sum_add(tni_effort_sum *sum, const tni_row *row, float impulse) {
    if (row->role != TNI_ROLE_MOTOR) {
        return;
    }
    if (row->group == 1) {
        sum->singles[tni_joint_get_motor_value(sum->joint, sum->single_count++)] += impulse;
    } else if (sum->in_group < 3) {
        sum->group.raw[sum->in_group++] = impulse;
    }
}

void tni_effort_sum_end(const tni_effort_sum *sum, float inverse_dt,
                        float out_efforts[TNI_JOINT_MAX_VALUES]) {
    for (uint32_t k = 0; k < TNI_JOINT_MAX_VALUES; ++k) {
        bool is_group = k == 0 && sum->in_group > 0;
        out_efforts[k] = inverse_dt * (is_group ? glms_vec3_norm(sum->group) : sum->singles[k]);
    }
}

void tni_joint_set_reaction(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                            vec3s force, vec3s torque, float inverse_dt) {
    bool use_a = joint->body_b == TNI_NONE;
    tni_dvec3 origin = use_a ? joint->frame_a.position : joint->frame_b.position;
    vec3s arm = dvec3_to_float(dquat_rotate(use_a ? a->rotation : b->rotation, origin));
    torque = glms_vec3_sub(torque, glms_vec3_cross(arm, force));
    joint->reaction_force = glms_vec3_scale(force, inverse_dt);
    joint->reaction_torque = glms_vec3_scale(torque, inverse_dt);
}
