// joints/parts/across.h: an axis of one frame stays across an axis of the other: one turn is held.
#ifndef TNI_JOINTS_PARTS_ACROSS_H
#define TNI_JOINTS_PARTS_ACROSS_H

#include "joints/row.h"

// u . w = 0 for u fixed to body a and w fixed to body b, both in world axes. RIGID. In double it is
// tni_exact_emit_perpendicular.
void tni_across_emit(tni_dvec3 u, tni_dvec3 w, const tni_body_motion *a, const tni_body_motion *b,
                     tni_row *row);

#endif
