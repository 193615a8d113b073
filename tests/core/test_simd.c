// Tests of core/simd.h: four lanes give what four floats give, bit for bit.
#include "core/simd.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const float samples[8] = {1.0f, -3.25f, 1e-30f, 7e20f, -0.0f, 0.1f, 3.3333333f, -1e-38f};

static void assert_same_bits(const float *a, const float *b) {
    cr_assert(memcmp(a, b, 4 * sizeof(float)) == 0);
}

Test(simd, each_operation_is_the_scalar_one_in_every_lane) {
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 5; ++j) {
            float sum[4], difference[4], product[4], chained[4], got[4];
            for (int k = 0; k < 4; ++k) {
                float a = samples[i + k - (i + k > 7 ? 4 : 0)], b = samples[j + (k * 3) % 4];
                sum[k] = a + b;
                difference[k] = a - b;
                product[k] = a * b;
                chained[k] = a + product[k];
            }
            float left[4], right[4];
            for (int k = 0; k < 4; ++k) {
                left[k] = samples[i + k - (i + k > 7 ? 4 : 0)];
                right[k] = samples[j + (k * 3) % 4];
            }
            tni_f4 a = f4_load(left), b = f4_load(right);
            f4_store(got, f4_add(a, b));
            assert_same_bits(got, sum);
            f4_store(got, f4_sub(a, b));
            assert_same_bits(got, difference);
            f4_store(got, f4_mul(a, b));
            assert_same_bits(got, product);
            // Rounded after the product and again after the sum: not fused.
            f4_store(got, f4_add_product(a, a, b));
            assert_same_bits(got, chained);
        }
    }
}

Test(simd, the_sum_across_lanes_is_taken_in_pairs) {
    float lanes[4] = {1e8f, 1.0f, -1e8f, 1.0f};
    float wanted = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    cr_assert(f4_sum(f4_load(lanes)) == wanted);
}

Test(simd, splat_fills_every_lane) {
    float got[4];
    f4_store(got, f4_splat(2.5f));
    for (int k = 0; k < 4; ++k) {
        cr_assert(got[k] == 2.5f);
    }
}

Test(simd, flush_clears_what_is_small_and_keeps_what_is_not_a_number) {
    const float in[4] = {1e-17f, -1e-17f, -2e-16f, NAN};
    float got[4];
    f4_store(got, f4_flush(f4_load(in), 1e-16f));
    cr_assert(got[0] == 0.0f && !signbit(got[0]));
    cr_assert(got[1] == 0.0f && !signbit(got[1]));
    cr_assert(got[2] == -2e-16f);
    cr_assert(isnan(got[3]));
}

Test(simd, one_lane_is_read_and_set) {
    const float in[4] = {1.0f, -2.0f, INFINITY, -0.0f};
    for (uint32_t lane = 0; lane < 4; ++lane) {
        float got[4], wanted[4] = {in[lane], in[lane], in[lane], in[lane]};
        f4_store(got, f4_splat_lane(f4_load(in), lane));
        assert_same_bits(got, wanted);
        cr_assert(f4_first(f4_load(wanted)) == in[lane]);
        for (int k = 0; k < 4; ++k) {
            wanted[k] = k == (int)lane ? 5.0f : in[k];
        }
        f4_store(got, f4_set_lane(f4_load(in), lane, 5.0f));
        assert_same_bits(got, wanted);
    }
}

Test(simd, the_least_and_the_greatest_are_the_second_where_one_is_not_a_number) {
    const float left[4] = {1.0f, -2.0f, NAN, 3.0f}, right[4] = {2.0f, -3.0f, 4.0f, NAN};
    const float least[3] = {1.0f, -3.0f, 4.0f}, greatest[3] = {2.0f, -2.0f, 4.0f};
    float low[4], high[4];
    f4_store(low, f4_min(f4_load(left), f4_load(right)));
    f4_store(high, f4_max(f4_load(left), f4_load(right)));
    for (int k = 0; k < 3; ++k) {
        cr_assert(low[k] == least[k] && high[k] == greatest[k]);
    }
    cr_assert(isnan(low[3]) && isnan(high[3]));
}

Test(simd, vectors_of_three_turn_and_multiply) {
    tni_f4 a = f4_make(1.0f, 2.0f, 3.0f, 7.0f), b = f4_make(-4.0f, 5.0f, 0.5f, 9.0f);
    float turned[4], cross[4];
    f4_store(turned, f4_yzx(a));
    cr_assert(turned[0] == 2.0f && turned[1] == 3.0f && turned[2] == 1.0f && turned[3] == 7.0f);
    f4_store(cross, f4_cross(a, b));
    cr_assert(cross[0] == -14.0f && cross[1] == -12.5f && cross[2] == 13.0f && cross[3] == 0.0f);
    cr_assert(f4_sum3(a) == 6.0f);
    cr_assert(f4_dot3(a, b) == 7.5f);
}
