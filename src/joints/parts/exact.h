// joints/parts/exact.h: the rows of the other parts in double, and their curvature.
#ifndef TNI_JOINTS_PARTS_EXACT_H
#define TNI_JOINTS_PARTS_EXACT_H

#include "joints/exact_row.h"
#include "joints/parts/axis.h"
#include "joints/parts/point.h"

// The equality rows of parts/point.c, parts/axis.c and parts/angle.c, in the same order.
void tni_exact_emit_point(const tni_point *point, tni_exact_row *rows);
void tni_exact_emit_along(const tni_point *point, tni_dvec3 n, tni_exact_row *row);
void tni_exact_emit_axis(const tni_axes *frame_a, tni_dvec3 x_b, tni_exact_row *rows);
void tni_exact_emit_angle(const tni_axes *frame_a, tni_dquat q, tni_exact_row *rows);
// n . d with n = d / |d| of two points `length` apart.
void tni_exact_emit_distance(const tni_point *point, tni_dvec3 n, double error, tni_exact_row *row);

// Their errors alone.
static inline void tni_exact_measure_point(const tni_point *point, double *errors) {
    errors[0] = point->d.x;
    errors[1] = point->d.y;
    errors[2] = point->d.z;
}
static inline void tni_exact_measure_axis(const tni_axes *frame_a, tni_dvec3 x_b, double *errors) {
    errors[0] = dvec3_dot(frame_a->y, x_b);
    errors[1] = dvec3_dot(frame_a->z, x_b);
}
static inline void tni_exact_measure_angle(tni_dquat q, double *errors) {
    errors[0] = 2.0 * q.x;
    errors[1] = 2.0 * q.y;
    errors[2] = 2.0 * q.z;
}

// Adds K for the strengths x of those rows.
void tni_curvature_add_point(const tni_point *point, const double *x, tni_curvature *k);
void tni_curvature_add_along(const tni_point *point, tni_dvec3 n, double x, tni_curvature *k);
void tni_curvature_add_axis(const tni_axes *frame_a, tni_dvec3 x_b, const double *x,
                            tni_curvature *k);
void tni_curvature_add_angle(tni_dquat q, const double *x, tni_curvature *k);
void tni_curvature_add_distance(const tni_point *point, tni_dvec3 n, double length, double x,
                                tni_curvature *k);

#endif
