// joints/parts/axis.h: the x axes of two frames: rows that keep them parallel, and their angle.
#ifndef TNI_JOINTS_PARTS_AXIS_H
#define TNI_JOINTS_PARTS_AXIS_H

#include "joints/parts/turn.h"

tni_axes tni_axes_from_rotation(tni_dquat rotation);
tni_axes tni_axes_of_frame(const tni_dpose *frame, const tni_body_motion *body);
// The angle between the x axes, 0 to pi, and the unit axis about which a turn of b makes it grow.
typedef struct tni_swing {
    double angle;
    tni_dvec3 axis;
} tni_swing;
tni_swing tni_axis_measure_swing(const tni_axes *frame_a, tni_dvec3 x_b);

// Returns the turn of frame b about the x axes, in (-pi, pi], as tni_angle_get_twist does.
double tni_axis_measure_twist(const tni_axes *frame_a, const tni_axes *frame_b);

// Returns the direction t for which t . (w_b - w_a) is the rate of the twist of b about the x axes.
tni_dvec3 tni_axis_get_twist_direction(tni_dvec3 x_a, tni_dvec3 x_b);

// Return Jdot v of the twist and of the angle between the x axes, rad/s^2, for bodies that turn at
// w_a and w_b.
double tni_axis_get_twist_term(tni_dvec3 x_a, tni_dvec3 x_b, tni_dvec3 w_a, tni_dvec3 w_b);
double tni_axis_get_swing_term(tni_dvec3 x_a, tni_dvec3 x_b, tni_dvec3 w_a, tni_dvec3 w_b);

// Returns how ill-defined the twist is: 0 up to a swing of 120 degrees, 1 for opposite axes.
double tni_axis_get_twist_ease(tni_dvec3 x_a, tni_dvec3 x_b);

// Adds u . w = 0 for u fixed to body a and w fixed to body b, in world axes, which holds one turn.
void tni_rows_add_across(tni_rows *out, tni_dvec3 u, tni_dvec3 w);
// Add rows that keep x_b perpendicular to y_a and z_a, which hold two turns.
void tni_axis_write(const tni_axes *frame_a, tni_dvec3 x_b, tni_rows *out);
static inline void tni_rows_add_axis(tni_rows *out, const tni_axes *frame_a, tni_dvec3 x_b) {
    if (!tni_rows_are_errors(out)) {
        tni_axis_write(frame_a, x_b, out);
        return;
    }
    uint32_t r = tni_rows_add(out, 2);
    out->errors[r] = dvec3_dot(frame_a->y, x_b);
    out->errors[r + 1] = dvec3_dot(frame_a->z, x_b);
}

#endif
