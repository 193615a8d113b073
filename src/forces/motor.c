// forces/motor.c: a torque between two bodies about an axis.
//
//     T = T0 (1 - w / w0)      dT/dw = -T0 / w0
//
// w is the speed of b against a about the axis of a. w0 > 0 is the speed without load for a
// positive T0; for a negative one it is -w0. This is the line of a motor with permanent magnets on
// a fixed voltage.
// Source: A. Hughes, "Electric motors and drives", 2006, chapter 3.
// Test: tests/forces/test_force_kinds.c
#include "forces/force.h"

void tni_force_motor(const tn_force_input *input, tn_force_output *out, void *own) {
    const tn_force_motor *motor = &((const tni_force *)own)->motor;
    const tn_connector_state *a = &input->connectors[0], *b = &input->connectors[1];
    tni_dvec3 n = dvec3_from_plain(a->axis);
    tni_dvec3 turn =
        dvec3_sub(dvec3_from_plain(b->angular_velocity), dvec3_from_plain(a->angular_velocity));
    double slow_down = fabs(motor->stall_torque) / motor->no_load_speed; // 0 for an infinite speed
    double torque = motor->stall_torque - slow_down * dvec3_dot(n, turn);
    out->torque[0] = dvec3_to_plain(dvec3_scale(n, -torque));
    out->torque[1] = dvec3_to_plain(dvec3_scale(n, torque));
    tn_force_slope *slope = tn_force_output_add_slope(out, 0, 1, true);
    force_add_about(slope->by_velocity, n, 0.0, -slow_down);
}
