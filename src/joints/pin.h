// joints/pin.h: the equality rows of most joints in a compact form: a point and up to three turns.
//
// The equality rows of most joints begin with those of two anchors that coincide
// (parts/point.c), and the others act on the relative turn alone:
//     row i, e_i axis i of the world:   lin_a = -e_i  ang_a = -(r_a x e_i)  lin_b = e_i
//                                       ang_b = r_b x e_i
//     turn k:                           ang_a = -u_k  ang_b = u_k
// The point of a slider or a cylindrical joint is free along one direction, and has two rows, along
// the vectors n of the plane across it. That of a planar joint is free along two, and has one row,
//     row i:                            lin_a = -n  ang_a = -(r_a x n)  lin_b = n  ang_b = r_b x n
// A solver that knows this needs r_a, r_b and the u_k instead of twelve numbers per row; see
// solver/rows/pin.h. A pin comes from the same parts as rows do, rounded (joints/rows.h).
// Test: tests/joints/test_rows.c
#ifndef TNI_JOINTS_PIN_H
#define TNI_JOINTS_PIN_H

#include "core/simd_double.h"
#include "joints/row.h"

#define TNI_PIN_MAX_TURNS 3
// The rows of the point.
#define TNI_PIN_POINT_ROWS 3
#define TNI_PIN_SLIDE_ROWS 2 // at most, for a point that slides

// Vectors are in the first three lanes; the fourth is zero.
typedef struct tni_pin {
    tni_f4 r_a, r_b;                       // m, from the centres of mass to the anchors
    tni_f4 error, velocity_term;           // C and Jdot v of the point's rows, in lanes
    tni_f4 plane[TNI_PIN_SLIDE_ROWS];      // unit vectors n, if the point slides; 0: no row
    tni_f4 axis[TNI_PIN_MAX_TURNS];        // u_k
    tni_f4 turn_error, turn_velocity_term; // of the turns' rows, in lanes
} tni_pin;

// Returns whether `point_rows` are those of a point that slides.
static inline bool tni_pin_slides(uint32_t point_rows) {
    return point_rows == 1 || point_rows == TNI_PIN_SLIDE_ROWS;
}

// Writes all `equalities` rows, RIGID, of which the first `point_rows` are the point's.
void tni_pin_write_rows(const tni_pin *pin, uint32_t point_rows, uint32_t equalities,
                        tni_row *rows);

// Rounds tiny numbers to zero, after the rounding to float: see MATHS_TINY.
static inline tni_f4 tni_pin_flush(tni_f4 v) {
    return f4_flush(v, (float)MATHS_TINY);
}

static inline tni_f4 tni_pin_lanes(double x, double y, double z) {
    return tni_pin_flush(f4_from_doubles(x, y, z));
}

static inline tni_f4 tni_pin_vector(tni_dvec3 v) {
    return tni_pin_lanes(v.x, v.y, v.z);
}

// Sets the errors and velocity terms of its rows, first those of the point, then of the turns.
void tni_pin_set_numbers(tni_pin *pin, uint32_t point_rows, uint32_t turns, const double *errors,
                         const double *terms);

#endif
