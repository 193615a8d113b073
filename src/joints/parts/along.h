// joints/parts/along.h: how far the anchor of b is along one axis of frame a.
#ifndef TNI_JOINTS_PARTS_ALONG_H
#define TNI_JOINTS_PARTS_ALONG_H

#include "joints/parts/point.h"
#include "joints/parts/scalar.h"

// n . d as a value, n of unit length and fixed to body a; without its acceleration.
tni_scalar tni_along_make_scalar(const tni_point *point, tni_dvec3 n);
// d'' as a turning body a sees it, at zero acceleration: n . of it is Jdot v of n . d.
tni_dvec3 tni_along_get_drift(const tni_point *point, const tni_body_motion *a,
                              const tni_body_motion *b);
// n . d = 0. RIGID.
void tni_along_emit(const tni_point *point, tni_dvec3 n, tni_dvec3 drift, tni_row *row);
// n . d and its rate.
tni_joint_value tni_along_measure(const tni_point *point, tni_dvec3 n, const tni_body_motion *a,
                                  const tni_body_motion *b);

#endif
