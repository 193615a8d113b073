// joints/parts/angle.h: the relative rotation of two frames, as numbers and as rows.
#ifndef TNI_JOINTS_PARTS_ANGLE_H
#define TNI_JOINTS_PARTS_ANGLE_H

#include "joints/joint.h"
#include "joints/parts/axis.h"

// Returns the rotation q of frame b in frame a, with q.w >= 0.
tni_dquat tni_angle_get_relative(tni_dquat frame_a, tni_dquat frame_b);
// Does the same for a joint's frames on two bodies.
tni_dquat tni_angle_measure_relative(const tni_joint *joint, const tni_body_motion *a,
                                     const tni_body_motion *b);
// Returns the turn about x in q, in (-pi, pi]. It is undefined, and 0, if q turns x to -x.
double tni_angle_get_twist(tni_dquat q);
// Measures the twist of a joint's frames and its rate. See twist.h for twists that are wound.
tni_joint_value tni_angle_measure_value(const tni_joint *joint, uint32_t index,
                                        const tni_body_motion *a, const tni_body_motion *b);
// Returns the rotation vector of q: its axis times its angle in [0, pi].
tni_dvec3 tni_angle_get_rotation_vector(tni_dquat q);

// Add rows by the axes of frame a that make the frames agree, or only the first of them: no twist.
void tni_angle_write(const tni_axes *frame_a, tni_dquat q, tni_rows *out);
static inline void tni_rows_add_angle(tni_rows *out, const tni_axes *frame_a, tni_dquat q) {
    if (!tni_rows_are_errors(out)) {
        tni_angle_write(frame_a, q, out);
        return;
    }
    uint32_t r = tni_rows_add(out, 3);
    out->errors[r] = 2.0 * q.x;
    out->errors[r + 1] = 2.0 * q.y;
    out->errors[r + 2] = 2.0 * q.z;
}
void tni_rows_add_twist(tni_rows *out, const tni_axes *frame_a, tni_dquat q);
// Writes three rows about the axes of frame a, a group, with a given error, for a motor, spring or
// friction about all three axes. The caller sets their kind, role and numbers.
void tni_angle_emit_turn(const tni_axes *frame_a, tni_dvec3 error, tni_row *rows);

#endif
