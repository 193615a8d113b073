// joints/paths/spline.h: a cubic spline through points, with continuous second derivatives.
#ifndef TNI_JOINTS_PATHS_SPLINE_H
#define TNI_JOINTS_PATHS_SPLINE_H

#include "core/maths.h"

// A point that the spline passes, and its second derivative there.
typedef struct tni_knot {
    double u; // the parameter, increasing from knot to knot
    tni_dvec3 point, second;
} tni_knot;

typedef enum tni_spline_ends {
    TNI_SPLINE_NATURAL, // it goes on straight beyond the ends
    TNI_SPLINE_CLOSED,  // the last knot is the first again
    TNI_SPLINE_AT_REST, // the first derivative is 0 at the ends
} tni_spline_ends;

// A spline through `count` knots.
typedef struct tni_spline {
    tni_knot *knots;
    uint32_t count;
    tni_spline_ends ends;
} tni_spline;

// The point and its first three derivatives.
typedef struct tni_spline_point {
    tni_dvec3 c, first, second, third;
} tni_spline_point;

// The doubles per knot that tni_spline_solve() works with.
#define TNI_SPLINE_SCRATCH 2

// Finds the second derivatives. Needs at least 2 knots, or 4 for a closed spline.
void tni_spline_solve(const tni_spline *spline, double *scratch);

static inline bool tni_spline_is_closed(const tni_spline *spline) {
    return spline->ends == TNI_SPLINE_CLOSED;
}

static inline double tni_spline_get_end(const tni_spline *spline) {
    return spline->knots[spline->count - 1].u;
}

// Returns u within the spline: for a closed one without its whole rounds, for an open one u itself.
// Knots begin at 0.
double tni_spline_wrap(const tni_spline *spline, double u);
// Returns the segment of a wrapped u, or the first or last one if it is outside.
uint32_t tni_spline_find(const tni_spline *spline, double u);
// Returns the point at u. Beyond its ends an open spline goes on straight.
tni_spline_point tni_spline_get_point(const tni_spline *spline, uint32_t segment, double u);

#endif
