// Tests of core/wide.h: at every width each lane has the bits that one float gives, and each half
// moves as four lanes do.
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/cpu.h"
#include "wide_results.h"

static const float zeros[8] = {0.0f};
static const float plain[8] = {1.5f, -2.25f, 1e8f, 0.1f, 3.0f, -1e-3f, 7.0f, 0.7f};
static const float other[8] = {0.3f, 5.0f, 1.0f, -0.1f, 3.0f, 1e-3f, -9.0f, 1e-7f};
static const float odd[8] = {-0.0f, 0.0f, NAN, 1.0f, INFINITY, -INFINITY, 1e-40f, NAN};
static const float odder[8] = {0.0f, -0.0f, 1.0f, NAN, 1.0f, INFINITY, 1e-41f, NAN};

static void assert_lanes(const char *what, const float got[8], const float wanted[8]) {
    for (int i = 0; i < 8; ++i) {
        bool is_nan = isnan(got[i]) && isnan(wanted[i]); // of which the sign may differ
        cr_assert(is_nan || memcmp(&got[i], &wanted[i], sizeof(float)) == 0, "%s, lane %d: %g, %g",
                  what, i, (double)got[i], (double)wanted[i]);
    }
}

// Of one lane, and of where it stands in its half.
static void expect_arithmetic(const float a[8], const float b[8], wide_results *out) {
    for (int i = 0; i < 8; ++i) {
        volatile float product = b[i] * a[i];
        out->sum[i] = a[i] + b[i];
        out->difference[i] = a[i] - b[i];
        out->product[i] = a[i] * b[i];
        out->quotient[i] = a[i] / b[i];
        out->root[i] = sqrtf(a[i]);
        out->added[i] = a[i] + product;
        out->subtracted[i] = a[i] - product;
        out->least[i] = a[i] < b[i] ? a[i] : b[i];
        out->most[i] = a[i] > b[i] ? a[i] : b[i];
        out->size[i] = fabsf(a[i]);
        out->flushed[i] = fabsf(a[i]) < 1.0f ? 0.0f : a[i];
        out->picked[i] = a[i] < b[i] ? a[i] : b[i];
        out->picked_and[i] = a[i] < b[i] && b[i] < 1.0f ? a[i] : b[i];
        out->picked_or[i] = a[i] < b[i] || b[i] < 1.0f ? a[i] : b[i];
    }
}

static void expect_half(const float a[4], const float b[4], int first, wide_results *out) {
    const int turn[4] = {1, 2, 0, 3};
    for (int i = 0; i < 4; ++i) {
        int at = first + i;
        out->turned[at] = a[turn[i]];
        out->joined[(at + 4) % 8] = a[i];
        out->mixed[at] = b[i];
        out->evens[at] = i < 2 ? a[2 * i] : b[2 * i - 4];
        out->odds[at] = i < 2 ? a[2 * i + 1] : b[2 * i - 3];
        out->zip_low[at] = i % 2 == 0 ? a[i / 2] : b[i / 2];
        out->zip_high[at] = i % 2 == 0 ? a[2 + i / 2] : b[2 + i / 2];
        out->rows[i][first] = a[i];
        out->rows[i][first + 1] = b[i];
        out->rows[i][first + 2] = a[i] + b[i];
        out->rows[i][first + 3] = a[i] - b[i];
    }
}

static void assert_results(const float a[8], const float b[8], const wide_results *got) {
    wide_results want;
    expect_arithmetic(a, b, &want);
    expect_half(a, b, 0, &want);
    expect_half(a + 4, b + 4, 4, &want);
#define CHECK(member) assert_lanes(#member, got->member, want.member)
    CHECK(sum), CHECK(difference), CHECK(product), CHECK(quotient), CHECK(root);
    CHECK(least), CHECK(most), CHECK(size), CHECK(flushed);
    CHECK(picked), CHECK(picked_and), CHECK(picked_or), CHECK(added), CHECK(subtracted);
    CHECK(turned), CHECK(joined), CHECK(mixed);
    CHECK(evens), CHECK(odds), CHECK(zip_low), CHECK(zip_high);
    for (int i = 0; i < 4; ++i) {
        CHECK(rows[i]);
    }
    bool is_any_less = false;
    for (int i = 0; i < 8; ++i) {
        is_any_less = is_any_less || a[i] < b[i];
    }
    cr_assert(got->is_any_less == is_any_less);
}

static void check_width(void (*run)(const float *, const float *, wide_results *)) {
    const float *inputs[6][2] = {{plain, other}, {other, plain}, {odd, odder},
                                 {odder, odd},   {plain, odd},   {zeros, zeros}};
    for (int i = 0; i < 6; ++i) {
        wide_results got;
        run(inputs[i][0], inputs[i][1], &got);
        assert_results(inputs[i][0], inputs[i][1], &got);
    }
}

Test(wide, the_width_of_the_build_gives_the_bits_of_single_floats) {
    check_width(wide_results_baseline);
}

#ifdef TNI_HAS_AVX2_KERNELS
Test(wide, avx2_gives_the_bits_of_single_floats) {
    if (!tni_cpu_has_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    check_width(wide_results_avx2);
}

Test(wide, the_unit_is_named_by_what_is_chosen) {
    cr_assert(strcmp(tni_cpu_get_unit(true), "AVX2") == 0);
    cr_assert(strcmp(tni_cpu_get_unit(false), "SSE2") == 0);
}
#endif
