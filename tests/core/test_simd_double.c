// Tests of core/simd_double.h: the lanes give what plain casts give, bit for bit.
#include "core/simd_double.h"

#include <criterion/criterion.h>
#include <string.h>

static const double samples[6] = {1.0 / 3.0, -2e-20, 7e20, -0.0, 1e-310, 123456.789012345};

Test(simd_double, doubles_become_what_casts_make_of_them) {
    for (int i = 0; i < 4; ++i) {
        float got[4],
            wanted[4] = {(float)samples[i], (float)samples[i + 1], (float)samples[i + 2], 0.0f};
        f4_store(got, f4_from_double3(samples + i));
        cr_assert(memcmp(got, wanted, sizeof got) == 0, "at %d", i);
    }
}

Test(simd_double, three_floats_come_and_go_without_the_fourth) {
    const float in[3] = {1.5f, -2.5f, 3.5f};
    float lanes[4], out[4] = {9.0f, 9.0f, 9.0f, 9.0f};
    f4_store(lanes, f4_load3(in));
    cr_assert(lanes[0] == 1.5f && lanes[1] == -2.5f && lanes[2] == 3.5f && lanes[3] == 0.0f);
    f4_store3(out, f4_load3(in));
    cr_assert(memcmp(out, in, sizeof in) == 0 && out[3] == 9.0f);
    out[2] = 9.0f;
    f4_store2(out, f4_load3(in));
    cr_assert(memcmp(out, in, 2 * sizeof *in) == 0 && out[2] == 9.0f);
}

Test(simd_double, lanes_are_added_in_double) {
    const float lanes[4] = {1e-9f, -0.1f, 3.5f, 7.0f};
    double sums[4] = {1.0, 2.0, -3.0, 4.0};
    f4_add_to_double3(sums, f4_load(lanes));
    for (int i = 0; i < 3; ++i) {
        const double before[3] = {1.0, 2.0, -3.0};
        cr_assert(sums[i] == before[i] + (double)lanes[i]);
    }
    cr_assert(sums[3] == 4.0);
}

Test(simd_double, two_doubles_are_computed_with_as_one_is) {
    for (int i = 0; i < 5; ++i) {
        double a = samples[i], b = samples[i + 1], c = 1.0 / 7.0, d = -3.0;
        tni_d2 x = d2_make(a, b), y = d2_make(c, d);
        cr_assert(d2_low(d2_add(x, y)) == a + c && d2_high(d2_add(x, y)) == b + d);
        cr_assert(d2_low(d2_sub(x, y)) == a - c && d2_high(d2_sub(x, y)) == b - d);
        cr_assert(d2_low(d2_mul(x, y)) == a * c && d2_high(d2_mul(x, y)) == b * d);
        cr_assert(d2_low(d2_swap(x)) == b && d2_high(d2_swap(x)) == a);
        cr_assert(d2_low(d2_lows(x, y)) == a && d2_high(d2_lows(x, y)) == c);
        cr_assert(d2_low(d2_highs(x, y)) == b && d2_high(d2_highs(x, y)) == d);
        double stored[2];
        d2_store(stored, x);
        cr_assert(stored[0] == a && stored[1] == b);
        cr_assert(d2_low(d2_load(samples + i)) == a && d2_high(d2_load(samples + i)) == b);
        cr_assert(d2_low(d2_splat(a)) == a && d2_high(d2_splat(a)) == a);
        // Rounded after the product and again after the sum: not fused.
        double product = b * d;
        cr_assert(d2_high(d2_add_product(x, x, y)) == b + product);
        cr_assert(d2_sum(x) == a + b);
        float floats[4];
        f4_store(floats, f4_from_d2(x, y));
        cr_assert(floats[0] == (float)a && floats[1] == (float)b);
        cr_assert(floats[2] == (float)c && floats[3] == (float)d);
    }
}

Test(simd_double, a_symmetric_matrix_comes_as_columns) {
    const float numbers[6] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    const float wanted[3][4] = {
        {1.0f, 4.0f, 5.0f, 0.0f}, {4.0f, 2.0f, 6.0f, 0.0f}, {5.0f, 6.0f, 3.0f, 0.0f}};
    tni_f4 columns[3];
    f4_load_symmetric(numbers, columns);
    for (int i = 0; i < 3; ++i) {
        float got[4];
        f4_store(got, columns[i]);
        cr_assert(memcmp(got, wanted[i], sizeof got) == 0, "column %d", i);
    }
}
