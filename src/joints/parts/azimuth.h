// joints/parts/azimuth.h: the angle of a vector about a body's axis, as numbers and as rows.
#ifndef TNI_JOINTS_PARTS_AZIMUTH_H
#define TNI_JOINTS_PARTS_AZIMUTH_H

#include "joints/parts/axis.h"
#include "joints/parts/point.h"

// Seen from its own body, whose frame it is measured in; the other one has the end of the vector.
typedef struct tni_azimuth {
    double angle;    // rad, in (-pi, pi]
    tni_dvec3 e, t;  // unit vectors across the axis: of the vector, and where its angle grows
    double inverse;  // 1 / rho; 0 where the vector is along the axis: then all rows are zero
    tni_dvec3 s, r;  // what turns of the own body and of the other one move
    bool has_shifts; // it is between two points
} tni_azimuth;

// The line from a point of the own body at `arm` from its centre, `d`, to one of the other body.
tni_azimuth tni_azimuth_of_line(const tni_axes *frame, tni_dvec3 d, tni_dvec3 arm,
                                tni_dvec3 arm_of_other);
// A direction fixed to the other body, or to the world.
tni_azimuth tni_azimuth_of_direction(const tni_axes *frame, tni_dvec3 v, bool is_of_world);

// Puts factor times the angle into row r, of which the own body is end `own` (0 or 1).
void tni_rows_put_azimuth(const tni_rows *out, uint32_t r, const tni_azimuth *azimuth,
                          double factor, uint32_t own);
// J v, and Jdot v.
double tni_azimuth_get_rate(const tni_azimuth *azimuth, const tni_body_motion *own,
                            const tni_body_motion *other);
double tni_azimuth_get_term(const tni_azimuth *azimuth, const tni_body_motion *own,
                            const tni_body_motion *other);

#endif
