// joints/parts/motor.c: motor and friction on a joint's value.
//
// Symbols: x the value, J its Jacobian, J v its speed; f the force along x, on b positive.
//
// SPEED:     J v = target_speed with |f| <= max_force; a max_force of 0 is no bound
// POSITION:  f = stiffness (target_position - x) + damping (target_speed - J v), |f| <= max_force:
//            a spring row with C = x - target_position, which the solver takes implicitly, so that
//            it is stable at any stiffness. An angle is driven through the range that the limit
//            leaves open, or without a limit the shortest way. In ACCELERATION both are times m,
//            the effective mass of the row while the joint's equality rows hold, so that light and
//            heavy bodies move alike.
// Friction:  J v = 0 with |f| <= friction: Coulomb's law with one coefficient.
// Viscous:   f = -viscous_friction J v, the same implicit row without a stiffness.
// Source: a PD drive as an implicit spring: J. Tan, K. Liu, G. Turk, "Stable
// proportional-derivative controllers", IEEE Computer Graphics and Applications 31(4), 2011; forces
// and accelerations as the modes of a drive: KHR_physics_rigid_bodies, draft, 2024.
// Test: tests/joints/test_rows_bounded.c, tests/joints/test_joint_actors.c
#include "joints/parts/motor.h"

#include "joints/parts/limit.h"

uint32_t tni_motor_emit(const tni_scalar *scalar, const tn_motor *motor, const tn_limit *limit,
                        tni_row *rows) {
    if (motor->mode == TN_MOTOR_MODE_OFF) {
        return 0;
    }
    if (motor->mode == TN_MOTOR_MODE_SPEED) {
        tni_scalar_emit_row(scalar, &rows[0], TNI_ROW_SPEED, TNI_ROLE_MOTOR, 0.0);
    } else {
        double error = tni_limit_get_difference(scalar, limit, (double)motor->target_position);
        tni_scalar_emit_row(scalar, &rows[0], TNI_ROW_SPRING, TNI_ROLE_MOTOR, error);
        rows[0].kind = (uint8_t)tni_motor_get_row_kind(motor->drive);
        rows[0].stiffness = motor->stiffness;
        rows[0].damping = motor->damping;
    }
    rows[0].target_speed = motor->target_speed;
    rows[0].max_force = tni_row_get_cap(motor->max_force);
    return 1;
}

uint32_t tni_friction_emit(const tni_scalar *scalar, float friction, tni_row *rows) {
    if (!(friction > 0.0f)) {
        return 0;
    }
    tni_scalar_emit_row(scalar, &rows[0], TNI_ROW_SPEED, TNI_ROLE_FRICTION, 0.0);
    rows[0].max_force = friction;
    return 1;
}

uint32_t tni_viscous_friction_emit(const tni_scalar *scalar, float friction, tni_row *rows) {
    if (!(friction > 0.0f)) {
        return 0;
    }
    tni_scalar_emit_row(scalar, &rows[0], TNI_ROW_SPRING, TNI_ROLE_FRICTION, 0.0);
    rows[0].damping = friction;
    return 1;
}
