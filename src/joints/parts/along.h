// joints/parts/along.h: the position of the anchor of b along one axis of frame a.
#ifndef TNI_JOINTS_PARTS_ALONG_H
#define TNI_JOINTS_PARTS_ALONG_H

#include "joints/parts/point.h"
#include "joints/parts/scalar.h"

// Makes a value of n . d, with n of unit length and fixed to body a; without its acceleration.
tni_scalar tni_along_make_scalar(const tni_point *point, tni_dvec3 n);
// Does the same with its acceleration, if rows ask for that.
tni_scalar tni_along_make_moving(const tni_point *point, tni_dvec3 n, const tni_rows *out);
// Returns d'' as a turning body a sees it, at zero acceleration. n . it is Jdot v of n . d.
tni_dvec3 tni_along_get_drift(const tni_point *point, const tni_body_motion *a,
                              const tni_body_motion *b);
// Writes the rows n . d = 0 for `count` directions n.
void tni_along_write(const tni_point *point, const tni_dvec3 *directions, uint32_t count,
                     tni_rows *out, uint32_t first);
static inline void tni_rows_add_along(tni_rows *out, const tni_point *point,
                                      const tni_dvec3 *directions, uint32_t count) {
    uint32_t first = tni_rows_add(out, count);
    for (uint32_t i = 0; i < count && out->errors != NULL; ++i) {
        out->errors[first + i] = dvec3_dot(directions[i], point->d);
    }
    if (!tni_rows_are_errors(out)) {
        tni_along_write(point, directions, count, out, first);
    }
}
// Adds n . d to row r, for a point that is seen from the body `own` (0 or 1), to which n is fixed.
// Its r_a is that body's arm.
void tni_rows_put_along(const tni_rows *out, uint32_t r, const tni_point *point, tni_dvec3 n,
                        uint32_t own);
// Measures n . d and its rate.
tni_joint_value tni_along_measure(const tni_point *point, tni_dvec3 n, const tni_body_motion *a,
                                  const tni_body_motion *b);

#endif
