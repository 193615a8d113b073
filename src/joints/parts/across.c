// joints/parts/across.c: an axis of one frame stays across an axis of the other.
//
// Symbols: u fixed to body a, w fixed to body b, of unit length; w_a, w_b angular velocities;
// D = w_b - w_a. All in world axes.
//
// C = u . w, the sine of what is missing to a right angle
// C' = (w_a x u) . w + u . (w_b x w) = (w x u) . D       ang_a = -(w x u)   ang_b = w x u
// Jdot v = (w_b . u) (D . w) - (w_a . w) (D . u) - C |D|^2, see axis.c, which has two such rows
// C is zero where u and w are across and nowhere else, so that it pulls home from anywhere but
// where they are parallel.
// Source: as in axis.c.
// Test: tests/joints/test_rows.c
#include "joints/parts/across.h"

#include "joints/parts/exact.h"
#include "joints/parts/plain_rows.h"

void tni_across_emit(tni_dvec3 u, tni_dvec3 w, const tni_body_motion *a, const tni_body_motion *b,
                     tni_row *row) {
    tni_exact_row exact;
    tni_exact_emit_perpendicular(u, w, &exact);
    tni_plain_row_emit(&exact, tni_exact_measure_perpendicular_term(u, w, a, b), true, row);
}
