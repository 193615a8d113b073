// tests/core/wide_results_wide.c: every operation of core/wide.h once; compiled as inner loops are.
#include "wide_results.h"

static void write_moves(tni_f8 a, tni_f8 b, wide_results *out) {
    f8_store(out->turned, f8_yzx(a));
    tni_f8 rows[4] = {a, b, f8_add(a, b), f8_sub(a, b)};
    f8_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
    for (int i = 0; i < 4; ++i) {
        f8_store(out->rows[i], rows[i]);
    }
    f8_store(out->joined, f8_join(f8_high(a), f8_low(a)));
    f8_store(out->evens, f8_evens(a, b));
    f8_store(out->odds, f8_odds(a, b));
    f8_store(out->zip_low, f8_zip_low(a, b));
    f8_store(out->zip_high, f8_zip_high(a, b));
}

static void write_choices(tni_f8 a, tni_f8 b, wide_results *out) {
    tni_m8 less = f8_less(a, b), small = f8_less(b, f8_splat(1.0f));
    f8_store(out->least, f8_min(a, b));
    f8_store(out->most, f8_max(a, b));
    f8_store(out->size, f8_abs(a));
    f8_store(out->flushed, f8_flush(a, 1.0f));
    f8_store(out->picked, f8_pick(less, a, b));
    f8_store(out->picked_and, f8_pick(m8_and(less, small), a, b));
    f8_store(out->picked_or, f8_pick(m8_or(less, small), a, b));
    out->is_any_less = m8_any(less);
}

void WIDE_NAME(wide_results)(const float a[8], const float b[8], wide_results *out) {
    tni_f8 p = f8_load(a), q = f8_load(b);
    f8_store(out->sum, f8_add(p, q));
    f8_store(out->difference, f8_sub(p, q));
    f8_store(out->product, f8_mul(p, q));
    f8_store(out->quotient, f8_div(p, q));
    f8_store(out->root, f8_sqrt(p));
    f8_store(out->added, f8_add_product(p, q, p));
    f8_store(out->subtracted, f8_sub_product(p, q, p));
    f8_store_halves(out->mixed + 4, out->mixed, f8_load_halves(b + 4, b));
    write_choices(p, q, out);
    write_moves(p, q, out);
}
