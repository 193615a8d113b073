// joints/parts/exact.h: the rows of the other parts in double, and their curvature.
#ifndef TNI_JOINTS_PARTS_EXACT_H
#define TNI_JOINTS_PARTS_EXACT_H

#include "joints/exact_row.h"
#include "joints/parts/axis.h"
#include "joints/parts/point.h"

// The frames of a joint on its bodies, as the rows of hinges and sliders read them.
typedef struct tni_exact_frames {
    tni_point point;
    tni_axes a;
    tni_dvec3 x_b;
} tni_exact_frames;

static inline tni_exact_frames tni_exact_measure_frames(const tni_joint *joint,
                                                        const tni_body_motion *a,
                                                        const tni_body_motion *b) {
    tni_turned_frame frame_a = tni_frame_turn(a->rotation, &joint->vectors_a);
    tni_turn turn_b = tni_turn_make(b->rotation);
    tni_pair origin_x = turn_pair(&turn_b, joint->vectors_b.origin_x);
    tni_exact_frames frames = {
        tni_point_from_arms(pair_first(&frame_a.origin_x), pair_first(&origin_x), a, b),
        tni_turned_axes(&frame_a), pair_second(&origin_x)};
    return frames;
}

// A row of a point along axis e of the world, with its turns.
static inline void exact_set_row(tni_exact_row *row, tni_dvec3 e, tni_dvec3 ang_a, tni_dvec3 ang_b,
                                 double error) {
    row->lin_a = dvec3_make(-e.x, -e.y, -e.z);
    row->ang_a = ang_a;
    row->lin_b = e;
    row->ang_b = ang_b;
    row->error = error;
}

// The equality rows of parts/point.c, parts/axis.c and parts/angle.c, in the same order.
static inline void tni_exact_emit_point(const tni_point *point, tni_exact_row *rows) {
    tni_dvec3 p = point->r_a, q = point->r_b, d = point->d;
    exact_set_row(&rows[0], dvec3_make(1.0, 0.0, 0.0), dvec3_make(0.0, -p.z, p.y),
                  dvec3_make(0.0, q.z, -q.y), d.x);
    exact_set_row(&rows[1], dvec3_make(0.0, 1.0, 0.0), dvec3_make(p.z, 0.0, -p.x),
                  dvec3_make(-q.z, 0.0, q.x), d.y);
    exact_set_row(&rows[2], dvec3_make(0.0, 0.0, 1.0), dvec3_make(-p.y, p.x, 0.0),
                  dvec3_make(q.y, -q.x, 0.0), d.z);
}
void tni_exact_emit_along(const tni_point *point, tni_dvec3 n, tni_exact_row *row);
// u . w of unit vectors, u fixed to body a and w to b, which are perpendicular.
void tni_exact_emit_perpendicular(tni_dvec3 u, tni_dvec3 w, tni_exact_row *row);
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

// Jdot v of those rows: the second derivative of C at zero acceleration.
void tni_exact_measure_point_terms(const tni_point *point, const tni_body_motion *a,
                                   const tni_body_motion *b, double *terms);
// (along n, fixed to a)
double tni_exact_measure_along_term(const tni_point *point, tni_dvec3 n, const tni_body_motion *a,
                                    const tni_body_motion *b);
void tni_exact_measure_slide_terms(const tni_point *point, const tni_axes *frame_a,
                                   const tni_body_motion *a, const tni_body_motion *b,
                                   double *terms);
double tni_exact_measure_perpendicular_term(tni_dvec3 u, tni_dvec3 w, const tni_body_motion *a,
                                            const tni_body_motion *b);
void tni_exact_measure_axis_terms(const tni_axes *frame_a, tni_dvec3 x_b, const tni_body_motion *a,
                                  const tni_body_motion *b, double *terms);
void tni_exact_measure_angle_terms(const tni_axes *frame_a, tni_dquat q, const tni_body_motion *a,
                                   const tni_body_motion *b, double *terms);

// k += s [(p . q) 1 - (p q^T + q p^T) / 2] on the turns.
static inline void curvature_add_turns(double k[6][6], double s, tni_dvec3 p, tni_dvec3 q) {
    double xx = p.x * q.x, yy = p.y * q.y, zz = p.z * q.z, half = -0.5 * s;
    double xy = half * (p.x * q.y + p.y * q.x);
    double xz = half * (p.x * q.z + p.z * q.x);
    double yz = half * (p.y * q.z + p.z * q.y);
    k[3][3] += s * (yy + zz);
    k[3][4] += xy;
    k[3][5] += xz;
    k[4][3] += xy;
    k[4][4] += s * (xx + zz);
    k[4][5] += yz;
    k[5][3] += xz;
    k[5][4] += yz;
    k[5][5] += s * (xx + yy);
}

// Adds K for the strengths x of those rows.
static inline void tni_curvature_add_point(const tni_point *point, const double *x,
                                           tni_curvature *k) {
    tni_dvec3 force = dvec3_make(x[0], x[1], x[2]);
    curvature_add_turns(k->b, 1.0, force, point->r_b);
    curvature_add_turns(k->a, -1.0, force, point->r_a);
}
void tni_curvature_add_along(const tni_point *point, tni_dvec3 n, double x, tni_curvature *k);
void tni_curvature_add_perpendicular(tni_dvec3 u, tni_dvec3 w, double x, tni_curvature *k);
void tni_curvature_add_axis(const tni_axes *frame_a, tni_dvec3 x_b, const double *x,
                            tni_curvature *k);
void tni_curvature_add_angle(tni_dquat q, const double *x, tni_curvature *k);
void tni_curvature_add_distance(const tni_point *point, tni_dvec3 n, double length, double x,
                                tni_curvature *k);

#endif
