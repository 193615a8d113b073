// joints/parts/field.h: a row that keeps a function of one point, as a body sees it, at zero.
#ifndef TNI_JOINTS_PARTS_FIELD_H
#define TNI_JOINTS_PARTS_FIELD_H

#include "joints/parts/point.h"

// A function C of the place of frame b's origin beside body a, here: its gradient and its second
// derivatives, in world axes.
typedef struct tni_field {
    double value;
    tni_dvec3 gradient;
    tni_dmat3 second;   // symmetric
    bool is_not_finite; // a callback gave what is no number; all is zero then
} tni_field;

// second += s (p q^T + q p^T) / 2
void tni_field_add_product(tni_field *field, double s, tni_dvec3 p, tni_dvec3 q);

// How body a sees the origin of frame b move.
tni_dvec3 tni_field_get_velocity(const tni_point *point, const tni_body_motion *a,
                                 const tni_body_motion *b);
double tni_field_measure_term(const tni_field *field, const tni_point *point,
                              const tni_body_motion *a, const tni_body_motion *b);
// C = 0.
void tni_rows_add_field(tni_rows *out, const tni_field *field, const tni_point *point);

#endif
