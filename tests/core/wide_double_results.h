// tests/core/wide_double_results.h: what core/wide_double.h makes of four rows, at either width.
#ifndef TNI_TESTS_WIDE_DOUBLE_RESULTS_H
#define TNI_TESTS_WIDE_DOUBLE_RESULTS_H

#include "core/wide_double.h"

typedef struct wide_double_results {
    double sum[4], difference[4], product[4], quotient[4], added[4],
        subtracted[4]; // of the first two rows
    double made[4], splat[4], picked[4], widened[4], columns[4][4];
    double turned[3][4], turned_back[3][4];
    float narrowed[4];
    bool are_under[3]; // some limits
} wide_double_results;

void wide_double_results_baseline(const double rows[4][4], wide_double_results *out);
void wide_double_results_avx2(const double rows[4][4], wide_double_results *out);

#endif
