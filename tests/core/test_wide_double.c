// Tests of core/wide_double.h: at every width each lane has the bits that one double gives.
#include <criterion/criterion.h>
#include <string.h>

#include "core/cpu.h"
#include "wide_double_results.h"

static const double rows[4][4] = {{1.0 / 3.0, -2e-20, 7e20, 123456.789012345},
                                  {-0.1, 1e-310, -3.0, 0.7},
                                  {1.0, 2.0, 3.0, 4.0},
                                  {-0.0, 1e300, -1e-300, 5.5}};

static void assert_rows(const char *what, const double *got, const double *wanted) {
    cr_assert(memcmp(got, wanted, 4 * sizeof *got) == 0, "%s: %g %g %g %g", what, got[0], got[1],
              got[2], got[3]);
}

static void assert_results(const wide_double_results *got) {
    const double *a = rows[0], *b = rows[1];
    wide_double_results wanted;
    for (int i = 0; i < 4; ++i) {
        volatile double product = b[i] * a[i];
        wanted.sum[i] = a[i] + b[i];
        wanted.difference[i] = a[i] - b[i];
        wanted.product[i] = product;
        wanted.quotient[i] = a[i] / b[i];
        wanted.added[i] = a[i] + product; // rounded twice, not fused
        wanted.subtracted[i] = a[i] - product;
        wanted.splat[i] = a[1];
        wanted.picked[i] = a[i] < 1.0 ? b[i] : a[i];
        wanted.narrowed[i] = (float)a[i];
        wanted.widened[i] = (double)(float)a[i];
        for (int j = 0; j < 4; ++j) {
            wanted.columns[i][j] = rows[j][i];
        }
        for (int t = 0; t < 3; ++t) {
            int from = i < 3 ? (i + t) % 3 : 3;
            wanted.turned[t][i] = a[from];
            wanted.turned_back[t][from] = a[i];
        }
        cr_assert(got->narrowed[i] == wanted.narrowed[i]);
    }
    assert_rows("sum", got->sum, wanted.sum);
    assert_rows("difference", got->difference, wanted.difference);
    assert_rows("product", got->product, wanted.product);
    assert_rows("quotient", got->quotient, wanted.quotient);
    assert_rows("added", got->added, wanted.added);
    assert_rows("subtracted", got->subtracted, wanted.subtracted);
    assert_rows("made", got->made, a);
    assert_rows("splat", got->splat, wanted.splat);
    assert_rows("picked", got->picked, wanted.picked);
    assert_rows("widened", got->widened, wanted.widened);
    for (int t = 0; t < 3; ++t) {
        assert_rows("turned", got->turned[t], wanted.turned[t]);
        assert_rows("turned back", got->turned_back[t], wanted.turned_back[t]);
        cr_assert(got->are_under[t] == (t == 0), "limit %d", t);
    }
    for (int i = 0; i < 4; ++i) {
        assert_rows("columns", got->columns[i], wanted.columns[i]);
    }
}

Test(wide_double, lanes_are_computed_with_as_one_is) {
    wide_double_results got;
    wide_double_results_baseline(rows, &got);
    assert_results(&got);
#ifdef TNI_HAS_AVX2_KERNELS
    if (tni_cpu_has_avx2()) {
        wide_double_results_avx2(rows, &got);
        assert_results(&got);
    }
#endif
}
