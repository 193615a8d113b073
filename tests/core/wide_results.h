// tests/core/wide_results.h: what core/wide.h makes of two rows of numbers, at either width.
#ifndef TNI_TESTS_WIDE_RESULTS_H
#define TNI_TESTS_WIDE_RESULTS_H

#include "core/wide.h"

typedef struct wide_results {
    float sum[8], difference[8], product[8], quotient[8], root[8];
    float least[8], most[8], size[8], flushed[8]; // flushed: at 1
    float picked[8], picked_and[8], picked_or[8]; // left where a < b; where also, or, b < 1
    float turned[8];
    float added[8], subtracted[8]; // a + b a, a - b a
    float rows[4][8];              // a, b, and their sum and difference, transposed
    float joined[8], mixed[8];     // the high half of a, then the low one; b by halves
    float evens[8], odds[8], zip_low[8], zip_high[8]; // of a and b
    bool is_any_less;
} wide_results;

void wide_results_baseline(const float a[8], const float b[8], wide_results *out);
void wide_results_avx2(const float a[8], const float b[8], wide_results *out);

#endif
