// joints/parts/angle.c: the relative rotation of two frames.
//
// Symbols: A, B unit quaternions of the frames in the world; q = A* B = (v, s) the rotation of
// frame b in frame a, its sign chosen so that s >= 0; e_i axes of frame a; V = A v, the vector part
// in world axes; w_a, w_b angular velocities; D = w_b - w_a.
//
// q' = (1/2) (A* D, 0) q, so  v' = (s D + D x V) / 2 in frame a,  s' = -D . V / 2.
//
// Orientation:  C_i = 2 e_i . V  (2 sin(angle/2) times the axis: the rotation vector near zero)
//               C_i' = j_i . D,   j_i = s e_i + V x e_i
//               ang_a = -j_i   ang_b = j_i
//               Jdot v = D . (w_a x j_i) - |D|^2 C_i / 4: the first term because j_i turns with a,
//               the second because v'' = -|D|^2 v / 4 for a steady turn
//               j along the turn is cos(angle / 2), so that past 120 degrees a correction would
//               take ever faster turns. There C is the rotation vector, j_i = e_i, no velocity
//               term.
// Twist:        2 atan2(v_x, s), the turn about x when q is written as a turn about x and then
//               one about an axis perpendicular to it. Its rate is in axis.c.
// Rotation vector: phi = 2 atan2(|v|, s) v / |v|. It is the gradient of phi^2 / 2 over turns of b,
//               so that rows ang_b = e_i with error phi_i give the spring torque of energy k phi^2
//               / 2.
// Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997; F. S. Grassia,
// "Practical parameterization of rotations using the exponential map", Journal of Graphics Tools
// 3(3), 1998.
// Test: tests/joints/test_rows.c
#include "joints/parts/angle.h"

#include "joints/parts/row_clear.h"

// |v| below this: the angle over its sine is 1 to the last bit.
#define ANGLE_SMALL 1e-8
// Cosine of half of the angle from which on the rows take the shortest way home.
#define ANGLE_FAR_COSINE 0.5

tni_dquat tni_angle_get_relative(tni_dquat frame_a, tni_dquat frame_b) {
    tni_dquat q = dquat_mul(dquat_conjugate(frame_a), frame_b);
    return q.w < 0.0 ? dquat_make(-q.x, -q.y, -q.z, -q.w) : q;
}

tni_dquat tni_angle_measure_relative(const tni_joint *joint, const tni_body_motion *a,
                                     const tni_body_motion *b) {
    tni_dquat q = a->rotation, frame_a = joint->frame_a.rotation;
    bool is_turned = q.x != 0.0 || q.y != 0.0 || q.z != 0.0; // as of the world it is not
    return tni_angle_get_relative(is_turned ? dquat_mul(q, frame_a) : frame_a,
                                  dquat_mul(b->rotation, joint->frame_b.rotation));
}

double tni_angle_get_twist(tni_dquat q) {
    double twist = 2.0 * tni_maths_atan2(q.x, q.w);
    return twist <= -MATHS_PI ? twist + 2.0 * MATHS_PI : twist;
}

tni_joint_value tni_angle_measure_value(const tni_joint *joint, uint32_t index,
                                        const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    tni_dvec3 x_a = tni_axes_of_frame(&joint->frame_a, a).x;
    tni_dvec3 x_b = tni_axes_of_frame(&joint->frame_b, b).x;
    tni_dvec3 relative = dvec3_sub(b->angular_velocity, a->angular_velocity);
    tni_joint_value value = {tni_angle_get_twist(tni_angle_measure_relative(joint, a, b)),
                             dvec3_dot(tni_axis_get_twist_direction(x_a, x_b), relative)};
    return value;
}

tni_dvec3 tni_angle_get_rotation_vector(tni_dquat q) {
    tni_dvec3 v = dvec3_make(q.x, q.y, q.z);
    double length = dvec3_length(v);
    if (length < ANGLE_SMALL) {
        return dvec3_scale(v, 2.0);
    }
    return dvec3_scale(v, 2.0 * tni_maths_atan2(length, q.w) / length);
}

// More than 120 degrees apart: the shortest way home.
static void angle_emit_far(const tni_axes *frame_a, tni_dquat q, tni_pin *pin) {
    pin->axis[0] = tni_pin_vector(frame_a->x);
    pin->axis[1] = tni_pin_vector(frame_a->y);
    pin->axis[2] = tni_pin_vector(frame_a->z);
    pin->turn_error = tni_pin_vector(tni_angle_get_rotation_vector(q));
    pin->turn_velocity_term = f4_splat(0.0f);
}

void tni_angle_emit(const tni_axes *frame_a, tni_dquat q, const tni_body_motion *a,
                    const tni_body_motion *b, tni_pin *pin) {
    if (q.w < ANGLE_FAR_COSINE) {
        angle_emit_far(frame_a, q, pin);
        return;
    }
    const tni_f4 axes[3] = {tni_pin_vector(frame_a->x), tni_pin_vector(frame_a->y),
                            tni_pin_vector(frame_a->z)};
    tni_f4 vector_part = tni_pin_lanes(q.x, q.y, q.z), cosine = f4_splat((float)q.w);
    tni_f4 v = f4_mul_columns(axes, vector_part);
    tni_f4 w_a = tni_pin_vector(a->angular_velocity), w_b = tni_pin_vector(b->angular_velocity);
    tni_f4 relative = f4_sub(w_b, w_a);
    // D . (w_a x j) = j . (D x w_a)
    tni_f4 turning = f4_cross(relative, w_a);
    tni_f4 columns[4] = {f4_splat(0.0f), f4_splat(0.0f), f4_splat(0.0f), f4_splat(0.0f)};
    for (int i = 0; i < 3; ++i) {
        columns[i] = f4_add_product(f4_cross(v, axes[i]), cosine, axes[i]);
        pin->axis[i] = columns[i];
    }
    f4_transpose(&columns[0], &columns[1], &columns[2], &columns[3]);
    tni_f4 slowing = f4_splat(0.5f * f4_dot3(relative, relative));
    pin->turn_error = f4_add(vector_part, vector_part);
    pin->turn_velocity_term =
        f4_sub(f4_mul_columns(columns, turning), f4_mul(slowing, vector_part));
}

void tni_angle_emit_turn(const tni_axes *frame_a, tni_dvec3 error, tni_row *rows) {
    const tni_dvec3 *axes[3] = {&frame_a->x, &frame_a->y, &frame_a->z};
    vec3s errors = dvec3_to_float(error);
    for (int i = 0; i < 3; ++i) {
        tni_row_clear(&rows[i], TNI_ROW_SPEED, TNI_ROLE_MOTOR, true);
        rows[i].ang_b = dvec3_to_float(*axes[i]);
        rows[i].ang_a = glms_vec3_negate(rows[i].ang_b);
        rows[i].error = errors.raw[i];
        rows[i].group = i == 0 ? 3 : 0;
    }
}
