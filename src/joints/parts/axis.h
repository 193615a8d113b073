// joints/parts/axis.h: the x axes of two frames: rows that keep them parallel, and their angle.
#ifndef TNI_JOINTS_PARTS_AXIS_H
#define TNI_JOINTS_PARTS_AXIS_H

#include "joints/parts/turn.h"

tni_axes tni_axes_from_rotation(tni_dquat rotation);
tni_axes tni_axes_of_frame(const tni_dpose *frame, const tni_body_motion *body);
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

// How little the twist means, 0 up to a swing of 120 degrees and 1 where the axes are opposite.
double tni_axis_get_twist_ease(tni_dvec3 x_a, tni_dvec3 x_b);

// The two turns of a pin: x_b is perpendicular to y_a and z_a; w_a, w_b angular velocities. More
// than 90 degrees apart:
void tni_axis_emit_far(const tni_turned_frame *frame_a, tni_dvec3 x_b, tni_pin *pin);

// Both turns as rows, for axes that are not those of a pin.
void tni_axis_emit_rows(const tni_axes *frame_a, tni_dvec3 x_b, const tni_body_motion *a,
                        const tni_body_motion *b, tni_row *rows);

// Jdot v of both rows, in lanes, from u . x_b and the columns of the matrix whose rows are y_a, z_a
// and x_b.
static inline tni_f4 axis_velocity_term(const tni_f4 columns[3], tni_f4 error, tni_f4 w_a,
                                        tni_f4 w_b) {
    tni_f4 relative = f4_sub(w_b, w_a);
    tni_f4 of_b = f4_mul_columns(columns, w_b), of_both = f4_mul_columns(columns, relative);
    tni_f4 along = f4_splat_lane(of_both, 2), along_a = f4_sub(f4_splat_lane(of_b, 2), along);
    tni_f4 term = f4_sub(f4_mul(of_b, along), f4_mul(along_a, of_both));
    term = f4_sub(term, f4_mul(error, f4_splat(f4_dot3(relative, relative))));
    return term;
}

// And within them. Here, so that frames that were just turned need not go through memory.
static inline void tni_axis_emit(const tni_turned_frame *frame_a, const tni_turned_frame *frame_b,
                                 tni_f4 w_a, tni_f4 w_b, tni_pin *pin) {
    if (d2_high(pair_dot(&frame_a->origin_x, &frame_b->origin_x)) < 0.0) {
        tni_axis_emit_far(frame_a, pair_second(&frame_b->origin_x), pin);
        return;
    }
    const tni_pair *y_z = &frame_a->y_z;
    tni_dvec3 x_b = pair_second(&frame_b->origin_x);
    tni_pair x_twice = {d2_splat(x_b.x), d2_splat(x_b.y), d2_splat(x_b.z)};
    tni_f4 columns[4] = {tni_pin_flush(f4_from_d2_and(y_z->x, x_b.x)),
                         tni_pin_flush(f4_from_d2_and(y_z->y, x_b.y)),
                         tni_pin_flush(f4_from_d2_and(y_z->z, x_b.z)), f4_splat(0.0f)};
    tni_f4 error = tni_pin_flush(f4_from_d2(pair_dot(y_z, &x_twice), d2_splat(0.0)));
    pin->turn_error = error;
    pin->turn_velocity_term = axis_velocity_term(columns, error, w_a, w_b);
    f4_transpose(&columns[0], &columns[1], &columns[2], &columns[3]);
    pin->axis[0] = f4_cross(columns[2], columns[0]);
    pin->axis[1] = f4_cross(columns[2], columns[1]);
}

#endif
