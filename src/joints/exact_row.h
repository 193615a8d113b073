// joints/exact_row.h: equality rows in double, and the second derivatives of their errors.
//
// What the direct path needs beside a row of row.h: errors to round-off of a double, rows of the
// error at any pair of poses, and how the force of a row turns with its bodies. With the force
// J^T x of rows of strength x, moving the bodies by d changes it by -K d,
//     K = -sum_k x_k d^2 C_k / dq^2,
// the geometric stiffness. Its diagonal blocks are kept, one 6 x 6 for each body (v, then w,
// world axes, turns from the left), made symmetric: it stands in a Newton matrix, where the blocks
// between the bodies change how fast it converges and not to what.
// A line that pulls is a spring across itself, of the stiffness x / length. Where there is room it
// becomes two rows more, its sways j with K = sum j j^T: these have the blocks between the bodies,
// too, which a long chain needs to converge at all fast.
// Sources: M. Tournier, M. Nesme, B. Gilles, F. Faure, "Stable constrained dynamics", SIGGRAPH
// 2015, section 3 (geometric stiffness); A. Witkin, "Constrained dynamics", SIGGRAPH course notes,
// 1997.
// Test: tests/joints/test_exact_rows.c
#ifndef TNI_JOINTS_EXACT_ROW_H
#define TNI_JOINTS_EXACT_ROW_H

#include "core/maths.h"

// The part of a row that is of one body.
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

// Where K is added to.
typedef struct tni_curvature {
    double (*a)[6], (*b)[6];         // 6 rows
    bool a_has_linear, b_has_linear; // not only turns: the direction of some row turns with it
    tni_exact_row *sways;            // room for TNI_MOST_SWAYS, or NULL
    uint32_t sway_count;             // those that were written
} tni_curvature;

#endif
