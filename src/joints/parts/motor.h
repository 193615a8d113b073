// joints/parts/motor.h: a motor on a joint's value, and friction, which is a motor toward rest by a
// bounded force or by a force that grows with the speed.
#ifndef TNI_JOINTS_PARTS_MOTOR_H
#define TNI_JOINTS_PARTS_MOTOR_H

#include "joints/parts/scalar.h"

static inline uint32_t tni_motor_count_rows(const tn_motor *motor) {
    return motor->mode == TN_MOTOR_MODE_OFF ? 0 : 1;
}

// Returns the row kind of a motor with a target position.
static inline tni_row_kind tni_motor_get_row_kind(tn_drive_mode drive) {
    return drive == TN_DRIVE_MODE_ACCELERATION ? TNI_ROW_ACCELERATION : TNI_ROW_SPRING;
}

// Writes the motor's row. `limit` is that of the same value, or null.
uint32_t tni_motor_emit(const tni_scalar *scalar, const tn_motor *motor, const tn_limit *limit,
                        tni_row *rows);

static inline uint32_t tni_friction_count_rows(float friction) {
    return friction > 0.0f ? 1 : 0;
}

uint32_t tni_friction_emit(const tni_scalar *scalar, float friction, tni_row *rows);
uint32_t tni_viscous_friction_emit(const tni_scalar *scalar, float friction, tni_row *rows);

#endif
