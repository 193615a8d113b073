// joints/parts/across.h: an axis of one frame stays across an axis of the other: one turn is held.
#ifndef TNI_JOINTS_PARTS_ACROSS_H
#define TNI_JOINTS_PARTS_ACROSS_H

#include "joints/exact_row.h"
#include "joints/row.h"

// u . w = 0 for u fixed to body a and w fixed to body b, both in world axes. RIGID.
void tni_across_emit(tni_dvec3 u, tni_dvec3 w, const tni_body_motion *a, const tni_body_motion *b,
                     tni_row *row);
// The same in double, Jdot v of it, and its K for the strength x.
void tni_exact_emit_across(tni_dvec3 u, tni_dvec3 w, tni_exact_row *row);
double tni_exact_measure_across_term(tni_dvec3 u, tni_dvec3 w, const tni_body_motion *a,
                                     const tni_body_motion *b);
void tni_curvature_add_across(tni_dvec3 u, tni_dvec3 w, double x, tni_curvature *k);

#endif
