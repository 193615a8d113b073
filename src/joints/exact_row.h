// joints/exact_row.h: equality rows in double, and the second derivatives of their errors.
//
// The direct solver needs more than a row of row.h: errors to round-off of a double, rows of the
// error at any pair of poses, and how the force of a row turns with its bodies. If rows of strength
// x exert the force J^T x, moving the bodies by d changes it by -K d,
//     K = -sum_k x_k d^2 C_k / dq^2,
// the geometric stiffness. Only its diagonal blocks are kept, one 6 x 6 for each body (v, then w,
// world axes, turns from the left), made symmetric: it stands in a Newton matrix, in which the
// blocks between the bodies change the speed of convergence and not the result.
// A line that pulls is a spring across itself, of the stiffness x / length. If there is room it
// becomes two more rows, its sways j with K = sum j j^T. These have the blocks between the bodies,
// which a long chain needs to converge in reasonable time.
// Source: M. Tournier, M. Nesme, B. Gilles, F. Faure, "Stable constrained dynamics", SIGGRAPH 2015,
// section 3 (geometric stiffness); A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997.
// Test: tests/joints/test_exact_rows.c
#ifndef TNI_JOINTS_EXACT_ROW_H
#define TNI_JOINTS_EXACT_ROW_H

#include "core/maths.h"

// The part of a row that acts on one body.
typedef struct tni_row_end {
    tni_dvec3 linear, angular;
} tni_row_end;

typedef struct tni_exact_row {
    union {
        struct {
            tni_dvec3 lin_a, ang_a, lin_b, ang_b;
        };
        tni_row_end ends[2]; // of a, then of b
        double jacobian[12]; // the same twelve numbers
    };
    double error; // C: m or rad
} tni_exact_row;

#define TNI_MOST_SWAYS 2

// The place that K is added to.
typedef struct tni_curvature {
    double (*a)[6], (*b)[6];         // 6 rows
    bool a_has_linear, b_has_linear; // the direction of some row turns with the body
    tni_exact_row *sways;            // room for TNI_MOST_SWAYS, or NULL
    uint32_t sway_count;             // those that were written
} tni_curvature;

#endif
