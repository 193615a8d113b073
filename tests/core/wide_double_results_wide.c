// tests/core/wide_double_results_wide.c: every operation of core/wide_double.h once; compiled as
// inner loops are.
#include "wide_double_results.h"

void WIDE_NAME(wide_double_results)(const double rows[4][4], wide_double_results *out) {
    tni_d4 a = d4_load(rows[0]), b = d4_load(rows[1]);
    d4_store(out->sum, d4_add(a, b));
    d4_store(out->difference, d4_sub(a, b));
    d4_store(out->product, d4_mul(a, b));
    d4_store(out->quotient, d4_div(a, b));
    d4_store(out->added, d4_add_product(a, b, a));
    d4_store(out->subtracted, d4_sub_product(a, b, a));
    d4_store(out->made, d4_make(rows[0][0], rows[0][1], rows[0][2], rows[0][3]));
    d4_store(out->splat, d4_splat(rows[0][1]));
    d4_store(out->picked, d4_pick_under(a, 1.0, b, a));
    f4_store(out->narrowed, d4_to_f4(a));
    d4_store(out->widened, d4_from_f4(d4_to_f4(a)));
    for (uint32_t i = 0; i < 3; ++i) {
        d4_store(out->turned[i], d4_load_turned(rows[0], i));
        d4_store_turned(out->turned_back[i], a, i);
    }
    const double limits[3] = {4.5, 4.0, 3.5};
    for (int i = 0; i < 3; ++i) {
        out->are_under[i] = d4_are_under(d4_make(4.0, -1.0, 0.0, 2.0), limits[i]) &&
                            d4_are_under(d4_make(1.0, -4.0, 0.0, 2.0), limits[i]);
    }
    tni_d4 r[4] = {a, b, d4_load(rows[2]), d4_load(rows[3])};
    d4_transpose(r);
    for (int i = 0; i < 4; ++i) {
        d4_store(out->columns[i], r[i]);
    }
}
