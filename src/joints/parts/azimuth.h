// joints/parts/azimuth.h: the angle of a vector about a body's axis, as numbers and as rows.
#ifndef TNI_JOINTS_PARTS_AZIMUTH_H
#define TNI_JOINTS_PARTS_AZIMUTH_H

#include "joints/exact_row.h"
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

// Two of the four parts of a row that are of one body.
typedef struct tni_row_end {
    tni_dvec3 *linear, *angular;
} tni_row_end;

static inline tni_row_end tni_row_end_of_a(tni_exact_row *row) {
    tni_row_end end = {&row->lin_a, &row->ang_a};
    return end;
}

static inline tni_row_end tni_row_end_of_b(tni_exact_row *row) {
    tni_row_end end = {&row->lin_b, &row->ang_b};
    return end;
}

// row += factor J
void tni_azimuth_add_row(const tni_azimuth *azimuth, double factor, tni_row_end own,
                         tni_row_end other);
// J v, and Jdot v.
double tni_azimuth_get_rate(const tni_azimuth *azimuth, const tni_body_motion *own,
                            const tni_body_motion *other);
double tni_azimuth_get_term(const tni_azimuth *azimuth, const tni_body_motion *own,
                            const tni_body_motion *other);
// Adds K of exact_row.h for the strength x.
void tni_azimuth_add_curvature(const tni_azimuth *azimuth, double x, double own[6][6],
                               double other[6][6]);

#endif
