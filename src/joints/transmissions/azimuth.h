// joints/transmissions/azimuth.h: the angle of a vector about a body's axis, as numbers and as
// rows.
#ifndef TNI_JOINTS_TRANSMISSIONS_AZIMUTH_H
#define TNI_JOINTS_TRANSMISSIONS_AZIMUTH_H

#include "joints/parts/axis.h"
#include "joints/parts/point.h"

// The azimuth is measured in the frame of one body, its own; the other body has the vector's end.
typedef struct tni_azimuth {
    double angle;    // rad, in (-pi, pi]
    tni_dvec3 e, t;  // unit, across the axis: along the vector, and toward larger angles
    double inverse;  // 1 / rho; 0 if the vector is along the axis: then all rows are zero
    tni_dvec3 s, r;  // the arms by which turns of the own and of the other body move it
    bool has_shifts; // the vector lies between two points
} tni_azimuth;

// Measures the line `d` from a point of the own body, at `arm` from its centre, to one of the
// other.
tni_azimuth tni_azimuth_of_line(const tni_axes *frame, tni_dvec3 d, tni_dvec3 arm,
                                tni_dvec3 arm_of_other);
// Measures a direction that is fixed to the other body, or to the world.
tni_azimuth tni_azimuth_of_direction(const tni_axes *frame, tni_dvec3 v, bool is_of_world);

// Adds `factor` times the angle to row r, in which the own body is end `own` (0 or 1).
void tni_rows_put_azimuth(const tni_rows *out, uint32_t r, const tni_azimuth *azimuth,
                          double factor, uint32_t own);
// Return J v and Jdot v.
double tni_azimuth_get_rate(const tni_azimuth *azimuth, const tni_body_motion *own,
                            const tni_body_motion *other);
double tni_azimuth_get_term(const tni_azimuth *azimuth, const tni_body_motion *own,
                            const tni_body_motion *other);

#endif
