// joints/parts/line.h: the line between two points of a joint's bodies or of the world.
#ifndef TNI_JOINTS_PARTS_LINE_H
#define TNI_JOINTS_PARTS_LINE_H

#include "joints/parts/point.h"
#include "joints/parts/scalar.h"

// The end of a line that is a point of the world; 0 is body a and 1 body b.
#define TNI_LINE_GROUND 2

typedef struct tni_line {
    tni_point point; // its d is the line; r_a is the arm of the line's start
    uint32_t from, to;
    tni_dvec3 n;   // of unit length; the x axis of the world if the line is too short
    double length; // m
} tni_line;

tni_line tni_line_make(const tni_point *point, uint32_t from, uint32_t to);
// Return L', and L'' at zero acceleration of a line that counts as at least that long.
double tni_line_get_rate(const tni_line *line, const tni_body_motion *a, const tni_body_motion *b);
double tni_line_get_term(const tni_line *line, const tni_body_motion *a, const tni_body_motion *b,
                         double least_length);
// Makes a value of L, without its acceleration.
tni_scalar tni_line_make_scalar(const tni_line *line);
// Adds `factor` times L to row r.
void tni_rows_put_line(const tni_rows *out, uint32_t r, const tni_line *line, double factor);

// Count and write the rows of a limit on a length, which is never negative: a lower limit of 0 has
// no row, for that would stop a point that passes through the other one. L'' is taken at the limit
// if the line is shorter: a slack line does not move on a circle of its present length.
uint32_t tni_line_count_limit(const tn_limit *limit);
uint32_t tni_line_emit_limit(const tni_line *line, const tn_limit *limit, const tni_rows *out,
                             tni_row *rows);

#endif
