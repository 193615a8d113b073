// joints/parts/twist.c: see twist.h.
//
// phi in (-pi, pi] is the twist as poses give it, n the whole turns: the value is phi + 2 pi n,
// with the direction and rate of phi. At first n is 0; if phi lies below the range, n is the least
// with phi + 2 pi n >= lower, and if it lies above, the greatest with phi + 2 pi n <= upper. A
// range a turn wide has such an n.
#include "joints/parts/twist.h"

#include "joints/parts/angle.h"

int64_t tni_twist_get_first_turn(const tn_limit *wound, double rest) {
    double up = ceil(((double)wound->lower - rest) / (2.0 * MATHS_PI));
    double down = floor(((double)wound->upper - rest) / (2.0 * MATHS_PI));
    return (int64_t)(up > 0.0 ? up : maths_min_d(down, 0.0));
}

tni_scalar tni_twist_make_scalar(const tni_joint *joint, const tn_limit *limit,
                                 const tni_axes *frame_a, const tni_axes *frame_b) {
    return tni_twist_wind_scalar(joint, limit, 0, tni_scalar_of_twist(frame_a, frame_b));
}

tni_joint_value tni_twist_measure_value(const tni_joint *joint, const tn_limit *limit,
                                        const tni_body_motion *a, const tni_body_motion *b) {
    tni_joint_value value = tni_angle_measure_value(joint, 0, a, b);
    value.position = tni_twist_wind(joint, limit, 0, value.position);
    return value;
}

bool tni_twist_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, tni_joint_value turning[2]) {
    turning[0] = tni_angle_measure_value(joint, 0, a, b);
    turning[1] = (tni_joint_value){0.0, 0.0};
    return true;
}
