// joints/wheel.h: the two angles of a wheel.
#ifndef TNI_JOINTS_WHEEL_H
#define TNI_JOINTS_WHEEL_H

#include "joints/joint.h"

// An angle, and the direction g for which g . (w_b - w_a) is its rate.
typedef struct tni_wheel_angle {
    double angle;
    tni_dvec3 direction;
} tni_wheel_angle;

tni_wheel_angle tni_wheel_measure_steering(const tni_axes *frame_a, const tni_axes *frame_b);
tni_wheel_angle tni_wheel_measure_spin(const tni_axes *frame_a, const tni_axes *frame_b);

#endif
