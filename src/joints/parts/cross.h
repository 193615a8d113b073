// joints/parts/cross.h: the two arms of a cross that stay perpendicular, and the angles about them.
#ifndef TNI_JOINTS_PARTS_CROSS_H
#define TNI_JOINTS_PARTS_CROSS_H

#include "joints/parts/scalar.h"

// The arms y of frame a and z of frame b in world axes, with the frames that measure the angles.
typedef struct tni_cross {
    tni_axes frame_a, frame_b;
    double error; // C = y_a . z_b
} tni_cross;

tni_cross tni_cross_make(const tni_axes *frame_a, const tni_axes *frame_b);
tni_cross tni_cross_measure(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b);

// Adds a row that keeps the arms perpendicular, which holds one turn.
void tni_rows_add_cross(tni_rows *out, const tni_cross *cross);
// Makes a value of the angle about y of frame a (0) or z of frame b (1).
tni_scalar tni_cross_make_angle(const tni_cross *cross, uint32_t index);
tni_joint_value tni_cross_measure_angle(const tni_cross *cross, uint32_t index,
                                        const tni_body_motion *a, const tni_body_motion *b);
// Returns how far the arms are from a right angle, as the turn of b away from it.
tni_dvec3 tni_cross_get_error(const tni_cross *cross);

#endif
