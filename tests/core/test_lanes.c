// Tests of core/lanes.h: comparisons and moves give in every lane what one float gives.
#include "core/lanes.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const _Alignas(16) float left[4] = {1.0f, -0.0f, NAN, -3.5f};
static const _Alignas(16) float right[4] = {2.0f, 0.0f, 1.0f, -4.0f};

static void assert_same_bits(tni_f4 got, const float *wanted) {
    float lanes[4];
    f4_store(lanes, got);
    cr_assert(memcmp(lanes, wanted, sizeof lanes) == 0);
}

Test(lanes, the_smaller_and_the_greater_are_chosen_by_one_comparison) {
    tni_f4 a = f4_load_aligned(left), b = f4_load_aligned(right);
    float smaller[4], greater[4], size[4];
    for (int i = 0; i < 4; ++i) {
        smaller[i] = left[i] < right[i] ? left[i] : right[i];
        greater[i] = left[i] > right[i] ? left[i] : right[i];
        size[i] = fabsf(left[i]);
    }
    assert_same_bits(f4_min(a, b), smaller);
    assert_same_bits(f4_max(a, b), greater);
    assert_same_bits(f4_abs(a), size);
}

Test(lanes, a_mask_picks_lane_by_lane) {
    tni_f4 a = f4_load_aligned(left), b = f4_load_aligned(right);
    tni_m4 less = f4_less(a, b);
    float picked[4];
    for (int i = 0; i < 4; ++i) {
        picked[i] = left[i] < right[i] ? left[i] : right[i];
    }
    assert_same_bits(f4_pick(less, a, b), picked);
    cr_assert(m4_any(less));
    cr_assert(!m4_any(f4_less(a, a))); // nor is NaN less than anything
}

Test(lanes, masks_join_and_give_a_bit_each) {
    tni_f4 a = f4_load_aligned(left), b = f4_load_aligned(right);
    tni_m4 less = f4_less(a, b), at_most = f4_at_most(a, b);
    uint32_t less_bits = 0, at_most_bits = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        less_bits |= (left[i] < right[i] ? 1u : 0u) << i;
        at_most_bits |= (left[i] <= right[i] ? 1u : 0u) << i;
    }
    cr_assert(less_bits != at_most_bits);
    cr_assert(m4_bits(less) == less_bits && m4_bits(at_most) == at_most_bits);
    cr_assert(m4_bits(m4_and_not(at_most, less)) == (at_most_bits & ~less_bits));
    cr_assert(m4_bits(m4_and(at_most, less)) == less_bits);
    cr_assert(m4_bits(m4_or(at_most, less)) == at_most_bits);
}

Test(lanes, lanes_move_as_their_names_say) {
    _Alignas(16) float got[4];
    const float in[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    tni_f4 a = f4_load(in);
    assert_same_bits(f4_swap_inner(a), (const float[4]){2.0f, 1.0f, 4.0f, 3.0f});
    assert_same_bits(f4_swap_outer(a), (const float[4]){3.0f, 4.0f, 1.0f, 2.0f});
    assert_same_bits(f4_rotate(a), (const float[4]){2.0f, 3.0f, 4.0f, 1.0f});
    tni_f4 b = f4_make(5.0f, 6.0f, 7.0f, 8.0f);
    assert_same_bits(f4_evens(a, b), (const float[4]){1.0f, 3.0f, 5.0f, 7.0f});
    assert_same_bits(f4_odds(a, b), (const float[4]){2.0f, 4.0f, 6.0f, 8.0f});
    assert_same_bits(f4_zip_low(a, b), (const float[4]){1.0f, 5.0f, 2.0f, 6.0f});
    assert_same_bits(f4_zip_high(a, b), (const float[4]){3.0f, 7.0f, 4.0f, 8.0f});
    f4_store_aligned(got, a);
    assert_same_bits(a, got);
    for (uint32_t i = 0; i < 4; ++i) {
        cr_assert(f4_lane(a, i) == in[i]);
    }
}

Test(lanes, sums_across_lanes_keep_their_order) {
    const float in[4] = {1e8f, 1.0f, -1e8f, 1.0f};
    float sum = (in[0] + in[1]) + (in[2] + in[3]);
    assert_same_bits(f4_sum_splat(f4_load(in)), (const float[4]){sum, sum, sum, sum});
}
