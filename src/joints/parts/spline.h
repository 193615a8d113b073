// joints/parts/spline.h: a cubic spline through points, with continuous second derivatives.
#ifndef TNI_JOINTS_PARTS_SPLINE_H
#define TNI_JOINTS_PARTS_SPLINE_H

#include "core/maths.h"

// Where the spline passes a point, and its second derivative there.
typedef struct tni_knot {
    double u; // of the parameter, growing from knot to knot
    tni_dvec3 point, second;
} tni_knot;

typedef enum tni_spline_ends {
    TNI_SPLINE_NATURAL, // it goes on straight
    TNI_SPLINE_CLOSED,  // the last knot is the first again
    TNI_SPLINE_AT_REST, // the first derivative is 0 there
} tni_spline_ends;

// Of `count` knots.
typedef struct tni_spline {
    tni_knot *knots;
    uint32_t count;
    tni_spline_ends ends;
} tni_spline;

// The point and its first three derivatives.
typedef struct tni_spline_point {
    tni_dvec3 c, first, second, third;
} tni_spline_point;

// Doubles that tni_spline_solve() works with, for `count` knots.
#define TNI_SPLINE_SCRATCH 2

// Finds the second derivatives. At least 2 knots, of a closed spline 4.
void tni_spline_solve(const tni_spline *spline, double *scratch);

static inline bool tni_spline_is_closed(const tni_spline *spline) {
    return spline->ends == TNI_SPLINE_CLOSED;
}

static inline double tni_spline_get_end(const tni_spline *spline) {
    return spline->knots[spline->count - 1].u;
}

// u within the spline: of a closed one what is left of whole rounds, of an open one u itself. Knots
// begin at 0.
double tni_spline_wrap(const tni_spline *spline, double u);
// The segment that a wrapped u is in, the first or the last one of what is outside.
uint32_t tni_spline_find(const tni_spline *spline, double u);
// Beyond the ends of an open spline it goes on straight.
tni_spline_point tni_spline_get_point(const tni_spline *spline, uint32_t segment, double u);

#endif
