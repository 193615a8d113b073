// joints/parts/orient.c: spring, friction and motor about all three axes of a joint.
//
// Symbols: e_i the axes of frame a; q the rotation of frame b in frame a; D = w_b - w_a.
//
// Each has three rows about e_i, ang_a = -e_i, ang_b = e_i, in one group, so that a cap bounds the
// length of the torque.
//   spring   error phi = rotation vector of q;  torque = -k phi - c D
//   friction e_i . D = 0 with a torque of at most `friction`; viscous: torque = -c D
//   motor    SPEED: e_i . D = target_velocity_i
//            POSITION: error = rotation vector of q q_t*, the turn from the target q_t to q;
//            torque = -k error + c (target_velocity - D)
//   If that turn would take the twist through the gap of its limit, the error is that of the swing,
//   the shortest turn from the target's x axis to x_b, and that of the twist through the open
//   range, about x_b.
// K = J W J^T of a group of turns is I_a^-1 + I_b^-1.
// Source: the target quaternion error after F. S. Grassia, "Practical parameterization of rotations
// using the exponential map", Journal of Graphics Tools 3(3), 1998.
// Test: tests/joints/test_rows.c, tests/joints/test_rows_bounded.c
#include "joints/parts/orient.h"

#include "joints/parts/angle.h"
#include "joints/parts/limit.h"
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

// Returns the shortest turn that takes one unit vector to another, as a rotation vector.
static tni_dvec3 orient_get_swing(tni_dvec3 from, tni_dvec3 to) {
    tni_dvec3 across = dvec3_cross(from, to);
    double sine = dvec3_length(across), angle = tni_maths_atan2(sine, dvec3_dot(from, to));
    return sine > 0.0 ? dvec3_scale(across, angle / sine) : dvec3_make(0.0, 0.0, 0.0);
}

// Returns the turn from a target to q, in the axes of frame a, through the open range of the twist.
static tni_dvec3 orient_get_error(const tni_orient_actors *actors, const tni_scalar *twist,
                                  tni_dquat target, tni_dquat q) {
    tni_dquat back = dquat_conjugate(target);
    tni_dvec3 shortest =
        tni_angle_get_rotation_vector(tni_angle_get_relative(dquat_conjugate(q), back));
    if (!actors->twist_limit->is_enabled) {
        return shortest;
    }
    target = tni_angle_get_relative(dquat_identity(), target);
    double way = tni_limit_get_difference(twist, actors->twist_limit, tni_angle_get_twist(target));
    if (fabs(way) <= MATHS_PI) {
        return shortest;
    }
    tni_dvec3 x = dvec3_make(1.0, 0.0, 0.0), x_b = dquat_rotate(q, x);
    return dvec3_add_scaled(orient_get_swing(dquat_rotate(target, x), x_b), way, x_b);
}

static tni_dquat orient_get_target(const tn_ball_motor *motor) {
    tni_dquat target = {motor->target_rotation.x, motor->target_rotation.y,
                        motor->target_rotation.z, motor->target_rotation.w};
    return dquat_normalize(target);
}

static void orient_emit_motor(const tni_axes *frame_a, const tni_orient_actors *actors,
                              const tni_scalar *twist, tni_dquat q, tni_row *rows) {
    const tn_ball_motor *motor = actors->motor;
    bool is_position = motor->mode == TN_MOTOR_MODE_POSITION;
    tni_dvec3 error = is_position ? orient_get_error(actors, twist, orient_get_target(motor), q)
                                  : dvec3_make(0.0, 0.0, 0.0);
    const float target_velocity[3] = {(float)motor->target_velocity.x,
                                      (float)motor->target_velocity.y,
                                      (float)motor->target_velocity.z};
    tni_angle_emit_turn(frame_a, error, rows);
    for (int i = 0; i < 3; ++i) {
        rows[i].kind =
            (uint8_t)(is_position ? tni_motor_get_row_kind(motor->drive) : TNI_ROW_SPEED);
        rows[i].target_speed = target_velocity[i];
        rows[i].stiffness = is_position ? motor->stiffness : 0.0f;
        rows[i].damping = is_position ? motor->damping : 0.0f;
        rows[i].max_force = tni_row_get_cap(motor->max_torque);
    }
}

uint32_t tni_orient_emit(const tni_axes *frame_a, tni_dquat q, const tni_scalar *twist,
                         const tni_orient_actors *actors, tni_row *rows) {
    uint32_t count = 0;
    if (orient_has_spring(actors)) {
        tni_angle_emit_turn(frame_a, orient_get_error(actors, twist, dquat_identity(), q), rows);
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
        orient_emit_motor(frame_a, actors, twist, q, rows + count);
        count += 3;
    }
    return count;
}
