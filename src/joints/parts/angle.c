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
//               Jdot v = D . (w_a x j_i) - |D|^2 C_i / 4: the first term since j_i turns with a,
//               the second since v'' = -|D|^2 v / 4 for a steady turn.
//               Curvature of each body: x_i C_i / 4 1, the same for a turn of either one.
//               Far off: j along the turn is cos(angle / 2), so that past 120 degrees a
//               correction would turn ever faster. There C is the rotation vector in sweeps, with
//               j_i = e_i and no velocity term. In the first row alone, which holds the twist, |j|
//               is the cosine of half the twist: past 120 degrees C = 2 asin q_x in sweeps, and
//               the row is j / |j|.
// Twist:        2 atan2(v_x, s), the turn about x when q is written as a turn about x and then
//               one about an axis perpendicular to it. Its rate is in axis.c.
// Rotation vector: phi = 2 atan2(|v|, s) v / |v|. It is the gradient of phi^2 / 2 over turns of b,
// so that rows ang_b = e_i with error phi_i give a spring torque of energy k phi^2 / 2.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997; F. S. Grassia, "Practical
// parameterization of rotations using the exponential map", Journal of Graphics Tools 3(3), 1998.
// Test: tests/joints/test_rows.c
#include "joints/parts/angle.h"

#include "joints/parts/row_clear.h"

// If |v| is below this, the angle over its sine is 1 to the last bit.
#define ANGLE_SMALL 1e-8
// The cosine of half the angle beyond which rows take the shortest turn back.
#define ANGLE_FAR_COSINE 0.5
#define ANGLE_FAR_SINE   0.8660254037844386
// The row of a twist has no direction if the cosine of half the twist is below this.
#define ANGLE_LEAST_COSINE 1e-9

tni_dquat tni_angle_get_relative(tni_dquat frame_a, tni_dquat frame_b) {
    tni_dquat q = dquat_mul(dquat_conjugate(frame_a), frame_b);
    return q.w < 0.0 ? dquat_make(-q.x, -q.y, -q.z, -q.w) : q;
}

tni_dquat tni_angle_measure_relative(const tni_joint *joint, const tni_body_motion *a,
                                     const tni_body_motion *b) {
    tni_dquat q = a->rotation, frame_a = joint->frame_a.rotation;
    bool is_turned = q.x != 0.0 || q.y != 0.0 || q.z != 0.0; // as for the world it is not
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

static void angle_add_curvature(tni_rows *out, const double *parts, uint32_t count) {
    uint32_t r = tni_rows_add(out, count);
    for (uint32_t i = 0; i < count; ++i) {
        double stiffness = 0.5 * out->strengths[r + i] * parts[i];
        for (int c = 3; c < 6; ++c) {
            out->curvature->a[c][c] += stiffness;
            out->curvature->b[c][c] += stiffness;
        }
    }
}

// Adds the first `count` of the rows that keep the frames together.
static void angle_add(tni_rows *out, const tni_axes *frame_a, tni_dquat q, uint32_t count) {
    const tni_dvec3 axes[3] = {frame_a->x, frame_a->y, frame_a->z};
    const double parts[3] = {q.x, q.y, q.z};
    if (out->curvature != NULL) {
        angle_add_curvature(out, parts, count);
        return;
    }
    tni_dvec3 v = tni_axes_turn(frame_a, dvec3_make(q.x, q.y, q.z)), turning = v;
    double square = 0.0;
    if (out->terms != NULL) {
        tni_dvec3 w_a = out->ends[0]->angular_velocity;
        tni_dvec3 relative = dvec3_sub(out->ends[1]->angular_velocity, w_a);
        turning = dvec3_cross(relative, w_a); // D . (w_a x j) = j . (D x w_a)
        square = 0.5 * dvec3_dot(relative, relative);
    }
    for (uint32_t i = 0; i < count; ++i) {
        tni_dvec3 j = dvec3_add_scaled(dvec3_cross(v, axes[i]), q.w, axes[i]);
        uint32_t r = tni_rows_add_turn(out, j, 2.0 * parts[i]);
        tni_rows_set_term(out, r, dvec3_dot(j, turning) - square * parts[i]);
    }
}

static void angle_add_plain(tni_rows *out, tni_dvec3 j, double error) {
    tni_rows_set_term(out, tni_rows_add_turn(out, j, error), 0.0);
}

void tni_angle_write(const tni_axes *frame_a, tni_dquat q, tni_rows *out) {
    if (out->goes_home && q.w < ANGLE_FAR_COSINE) {
        tni_dvec3 turn = tni_angle_get_rotation_vector(q);
        angle_add_plain(out, frame_a->x, turn.x);
        angle_add_plain(out, frame_a->y, turn.y);
        angle_add_plain(out, frame_a->z, turn.z);
        return;
    }
    angle_add(out, frame_a, q, 3);
}

void tni_rows_add_twist(tni_rows *out, const tni_axes *frame_a, tni_dquat q) {
    if (out->goes_home && fabs(q.x) > ANGLE_FAR_SINE) {
        // The row is that of a near turn over its length, which is the cosine of half the twist.
        double cosine = sqrt(1.0 - maths_min_d(q.x * q.x, 1.0));
        tni_dvec3 v = tni_axes_turn(frame_a, dvec3_make(q.x, q.y, q.z));
        tni_dvec3 j = dvec3_add_scaled(dvec3_cross(v, frame_a->x), q.w, frame_a->x);
        bool has_length = cosine > ANGLE_LEAST_COSINE;
        j = has_length ? dvec3_scale(j, 1.0 / cosine) : frame_a->x;
        angle_add_plain(out, j, 2.0 * tni_maths_atan2(q.x, cosine));
        return;
    }
    angle_add(out, frame_a, q, 1);
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
