// solver/matrix/block_pivot.h: pivots are checked before solver/matrix/block_ldl.c divides by them.
// Test: tests/solver/matrix/test_block_ldl.c
#ifndef TNI_SOLVER_MATRIX_BLOCK_PIVOT_H
#define TNI_SOLVER_MATRIX_BLOCK_PIVOT_H

#include "core/base.h"
#include "solver/matrix/block_ldl.h"

// A pivot under this share of its row's scale says that the row depends on others. The compliance
// that keeps dependent rows apart is 1e-10 of their scales, and up to 10,000 times that for slender
// bodies; a load of 10,000 times a link's mass leaves 1e-4.
#define BLOCK_DEPENDENT 3e-6
// A pivot is never taken for less than this share.
#define BLOCK_PIVOT_FLOOR 1e-15

// Returns a pivot as it may be divided by. A body's must be positive, a joint's negative.
TNI_KERNEL double block_check_pivot(double pivot, double scale, tni_block_report *report) {
    if (scale > 0.0) {
        report->dependent_count += -pivot < BLOCK_DEPENDENT * scale ? 1 : 0;
        return -pivot < BLOCK_PIVOT_FLOOR * scale ? -BLOCK_PIVOT_FLOOR * scale : pivot;
    }
    if (!(pivot > 0.0)) {
        report->is_sound = false;
        return 1.0;
    }
    return pivot;
}

#endif
