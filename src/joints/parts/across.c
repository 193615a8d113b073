// joints/parts/across.c: an axis of one frame stays across an axis of the other.
//
// Symbols: u fixed to body a, w fixed to body b, of unit length; w_a, w_b angular velocities;
// D = w_b - w_a. All in world axes.
//
// C = u . w, the sine of what is missing to a right angle
// C' = (w_a x u) . w + u . (w_b x w) = (w x u) . D       ang_a = -(w x u)   ang_b = w x u
// Jdot v = (w_b . u) (D . w) - (w_a . w) (D . u) - C |D|^2, see axis.c, which has two such rows
// K of either body is x [(u . w) 1 - (u w^T + w u^T) / 2], see exact.c
// C is zero where u and w are across and nowhere else, so that it pulls home from anywhere but
// where they are parallel.
// Source: as in axis.c and exact.c.
// Test: tests/joints/test_rows.c, tests/joints/test_exact_rows.c
#include "joints/parts/across.h"

#include "joints/parts/exact.h"
#include "joints/parts/row_clear.h"

void tni_across_emit(tni_dvec3 u, tni_dvec3 w, const tni_body_motion *a, const tni_body_motion *b,
                     tni_row *row) {
    tni_row_clear(row, TNI_ROW_RIGID, TNI_ROLE_JOINT, true);
    row->ang_b = dvec3_to_float(dvec3_cross(w, u));
    row->ang_a = glms_vec3_negate(row->ang_b);
    row->error = (float)dvec3_dot(u, w);
    row->velocity_term = (float)tni_exact_measure_across_term(u, w, a, b);
}

void tni_exact_emit_across(tni_dvec3 u, tni_dvec3 w, tni_exact_row *row) {
    row->lin_a = row->lin_b = dvec3_make(0.0, 0.0, 0.0);
    row->ang_b = dvec3_cross(w, u);
    row->ang_a = dvec3_scale(row->ang_b, -1.0);
    row->error = dvec3_dot(u, w);
}

double tni_exact_measure_across_term(tni_dvec3 u, tni_dvec3 w, const tni_body_motion *a,
                                     const tni_body_motion *b) {
    tni_dvec3 w_a = a->angular_velocity, w_b = b->angular_velocity;
    tni_dvec3 relative = dvec3_sub(w_b, w_a);
    return dvec3_dot(w_b, u) * dvec3_dot(relative, w) - dvec3_dot(w_a, w) * dvec3_dot(relative, u) -
           dvec3_dot(u, w) * dvec3_dot(relative, relative);
}

void tni_curvature_add_across(tni_dvec3 u, tni_dvec3 w, double x, tni_curvature *k) {
    curvature_add_turns(k->b, x, u, w);
    curvature_add_turns(k->a, x, u, w);
}
