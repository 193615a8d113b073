// joints/paths/field.h: a row that keeps a function of one point, as a body sees it, at zero.
#ifndef TNI_JOINTS_PATHS_FIELD_H
#define TNI_JOINTS_PATHS_FIELD_H

#include "joints/parts/point.h"

// A function C of the place of frame b's origin as body a sees it, at the present place: its value,
// gradient and second derivatives, in world axes.
typedef struct tni_field {
    double value;
    tni_dvec3 gradient;
    tni_dmat3 second;   // symmetric
    bool is_not_finite; // a callback gave a number that is not finite; all is zero then
} tni_field;

// second += s (p q^T + q p^T) / 2
void tni_field_add_product(tni_field *field, double s, tni_dvec3 p, tni_dvec3 q);

// Returns the velocity of the origin of frame b as body a sees it.
tni_dvec3 tni_field_get_velocity(const tni_point *point, const tni_body_motion *a,
                                 const tni_body_motion *b);
double tni_field_measure_term(const tni_field *field, const tni_point *point,
                              const tni_body_motion *a, const tni_body_motion *b);
// Adds the row C = 0.
void tni_rows_add_field(tni_rows *out, const tni_field *field, const tni_point *point);

#endif
