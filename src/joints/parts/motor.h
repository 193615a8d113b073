// joints/parts/motor.h: a motor on a joint's value, and friction, which is a motor that wants rest.
#ifndef TNI_JOINTS_PARTS_MOTOR_H
#define TNI_JOINTS_PARTS_MOTOR_H

#include "joints/parts/scalar.h"

static inline uint32_t tni_motor_count_rows(const tn_motor *motor) {
    return motor->mode == TN_MOTOR_MODE_OFF ? 0 : 1;
}

uint32_t tni_motor_emit(const tni_scalar *scalar, const tn_motor *motor, tni_row *rows);

static inline uint32_t tni_friction_count_rows(float friction) {
    return friction > 0.0f ? 1 : 0;
}

uint32_t tni_friction_emit(const tni_scalar *scalar, float friction, tni_row *rows);

#endif
