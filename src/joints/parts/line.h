// joints/parts/line.h: the line between two points, of a joint's bodies or of the world.
#ifndef TNI_JOINTS_PARTS_LINE_H
#define TNI_JOINTS_PARTS_LINE_H

#include "joints/parts/point.h"
#include "joints/parts/scalar.h"

// An end of a line that is a point of the world, beside 0 of body a and 1 of body b.
#define TNI_LINE_GROUND 2

typedef struct tni_line {
    tni_point point; // its d is the line; r_a is the arm of where it begins
    uint32_t from, to;
    tni_dvec3 n;   // of unit length; the x axis of the world where it is too short for a direction
    double length; // m
} tni_line;

tni_line tni_line_make(const tni_point *point, uint32_t from, uint32_t to);
// L', and L'' at zero acceleration of a line that is taken to be at least so long.
double tni_line_get_rate(const tni_line *line, const tni_body_motion *a, const tni_body_motion *b);
double tni_line_get_term(const tni_line *line, const tni_body_motion *a, const tni_body_motion *b,
                         double least_length);
// L as a value, without its acceleration.
tni_scalar tni_line_make_scalar(const tni_line *line);
// Puts factor times L into row r.
void tni_rows_put_line(const tni_rows *out, uint32_t r, const tni_line *line, double factor);

// Limits of a length, which is never negative: a lower limit of 0 is none, for a row of it would
// stop what passes through the other point. L'' is taken at the limit where the line is shorter:
// what is slack is no circle of its present length.
uint32_t tni_line_count_limit(const tn_limit *limit);
uint32_t tni_line_emit_limit(const tni_line *line, const tn_limit *limit, const tni_rows *out,
                             tni_row *rows);

#endif
