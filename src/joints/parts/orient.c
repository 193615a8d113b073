// joints/parts/orient.c: spring, friction and motor about all three axes of a joint.
//
// Symbols: e_i the axes of frame a; q the rotation of frame b in frame a; D = w_b - w_a.
//
// Three rows each about e_i, ang_a = -e_i, ang_b = e_i, one group, so that a cap is on the length
// of the torque.
//   spring   error phi = rotation vector of q;  torque = -k phi - c D
//   friction e_i . D = 0 as long as the torque is at most `friction`; viscous: torque = -c D
//   motor    SPEED: e_i . D = target_velocity_i
//            POSITION: error = rotation vector of q q_t*, the turn from the target q_t to q;
//            torque = -k error + c (target_velocity - D)
// K = J W J^T of a group of turns is I_a^-1 + I_b^-1.
// Source: the target quaternion error after F. S. Grassia, "Practical parameterization of rotations
// using the exponential map", Journal of Graphics Tools 3(3), 1998.
// Test: tests/joints/test_rows.c
#include "joints/parts/orient.h"

#include "joints/parts/angle.h"
#include "joints/parts/motor.h"
#include "joints/parts/spring.h"

static bool orient_has_motor(const tni_orient_actors *actors) {
    return actors->motor->mode != TN_MOTOR_MODE_OFF;
}

static bool orient_has_spring(const tni_orient_actors *actors) {
    return actors->spring->mode != TN_SPRING_MODE_OFF;
}

uint32_t tni_orient_count_rows(const tni_orient_actors *actors) {
    return (orient_has_spring(actors) ? 3 : 0) + (actors->friction > 0.0f ? 3 : 0) +
           (actors->viscous_friction > 0.0f ? 3 : 0) + (orient_has_motor(actors) ? 3 : 0);
}

bool tni_orient_needs_rotation(const tni_orient_actors *actors) {
    return orient_has_spring(actors) || actors->motor->mode == TN_MOTOR_MODE_POSITION;
}

static void orient_emit_friction(const tni_axes *frame_a, float friction, tni_row *rows) {
    tni_angle_emit_turn(frame_a, dvec3_make(0.0, 0.0, 0.0), rows);
    for (int i = 0; i < 3; ++i) {
        rows[i].role = TNI_ROLE_FRICTION;
        rows[i].max_force = friction;
    }
}

static void orient_emit_viscous_friction(const tni_axes *frame_a, float friction, tni_row *rows) {
    tni_angle_emit_turn(frame_a, dvec3_make(0.0, 0.0, 0.0), rows);
    for (int i = 0; i < 3; ++i) {
        rows[i].kind = TNI_ROW_SPRING;
        rows[i].role = TNI_ROLE_FRICTION;
        rows[i].damping = friction;
    }
}

// The turn from the target to q, in the axes of frame a.
static tni_dvec3 orient_motor_error(const tn_ball_motor *motor, tni_dquat q) {
    tni_dquat target = {(double)motor->target_rotation.x, (double)motor->target_rotation.y,
                        (double)motor->target_rotation.z, (double)motor->target_rotation.w};
    target = dquat_conjugate(dquat_normalize(target));
    return tni_angle_get_rotation_vector(tni_angle_get_relative(dquat_conjugate(q), target));
}

static void orient_emit_motor(const tni_axes *frame_a, const tn_ball_motor *motor, tni_dquat q,
                              tni_row *rows) {
    bool is_position = motor->mode == TN_MOTOR_MODE_POSITION;
    tni_dvec3 error = is_position ? orient_motor_error(motor, q) : dvec3_make(0.0, 0.0, 0.0);
    const float target_velocity[3] = {motor->target_velocity.x, motor->target_velocity.y,
                                      motor->target_velocity.z};
    tni_angle_emit_turn(frame_a, error, rows);
    for (int i = 0; i < 3; ++i) {
        rows[i].kind =
            (uint8_t)(is_position ? tni_motor_get_row_kind(motor->drive) : TNI_ROW_SPEED);
        rows[i].target_speed = target_velocity[i];
        rows[i].stiffness = is_position ? motor->stiffness : 0.0f;
        rows[i].damping = is_position ? motor->damping : 0.0f;
        rows[i].max_force = motor->max_torque;
    }
}

uint32_t tni_orient_emit(const tni_axes *frame_a, tni_dquat q, const tni_orient_actors *actors,
                         tni_row *rows) {
    uint32_t count = 0;
    if (orient_has_spring(actors)) {
        tni_angle_emit_turn(frame_a, tni_angle_get_rotation_vector(q), rows);
        tni_spring_soften(actors->spring, rows);
        count += 3;
    }
    if (actors->friction > 0.0f) {
        orient_emit_friction(frame_a, actors->friction, rows + count);
        count += 3;
    }
    if (actors->viscous_friction > 0.0f) {
        orient_emit_viscous_friction(frame_a, actors->viscous_friction, rows + count);
        count += 3;
    }
    if (orient_has_motor(actors)) {
        orient_emit_motor(frame_a, actors->motor, q, rows + count);
        count += 3;
    }
    return count;
}
