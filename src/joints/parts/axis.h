// joints/parts/axis.h: the x axes of two frames: rows that keep them parallel, and their angle.
#ifndef TNI_JOINTS_PARTS_AXIS_H
#define TNI_JOINTS_PARTS_AXIS_H

#include "joints/joint.h"

tni_axes tni_axes_from_rotation(tni_dquat rotation);
tni_axes tni_axes_of_frame(const tni_dpose *frame, const tni_body_motion *body);
// Of axes given in a body, whose rotation is `turn`, in the world.
static inline tni_axes tni_axes_turn(const tni_dmat3 *turn, const tni_axes *axes) {
    tni_axes turned = {dmat3_mul_vec(turn, axes->x), dmat3_mul_vec(turn, axes->y),
                       dmat3_mul_vec(turn, axes->z)};
    return turned;
}

// The two turns of a pin: x_b is perpendicular to y_a and z_a.
void tni_axis_emit(const tni_axes *frame_a, tni_dvec3 x_b, const tni_body_motion *a,
                   const tni_body_motion *b, tni_pin *pin);

// The angle between the x axes, 0 to pi, and the unit axis about which turning b makes it grow.
typedef struct tni_swing {
    double angle;
    tni_dvec3 axis;
} tni_swing;
tni_swing tni_axis_measure_swing(const tni_axes *frame_a, tni_dvec3 x_b);

// The turn of frame b about the x axes, in (-pi, pi]: the same as tni_angle_get_twist.
double tni_axis_measure_twist(const tni_axes *frame_a, const tni_axes *frame_b);

// The direction t for which t . (w_b - w_a) is the rate of the twist of b about the x axes.
tni_dvec3 tni_axis_get_twist_direction(tni_dvec3 x_a, tni_dvec3 x_b);

#endif
