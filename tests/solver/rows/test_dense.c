// Tests of solver/rows/dense.h: inverses of small symmetric matrices.
#include "solver/rows/dense.h"

#include <criterion/criterion.h>

// A fixed sequence in [-1, 1] (Numerical Recipes' linear congruence), the same in every run.
static float next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

// A = B B^T + shift 1, rows `lanes` apart.
static void make_positive(uint32_t n, uint32_t lanes, float shift, uint32_t *seed, float *a) {
    float b[6][6];
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            b[i][j] = next_random(seed);
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            float sum = i == j ? shift : 0.0f;
            for (uint32_t k = 0; k < n; ++k) {
                sum += b[i][k] * b[j][k];
            }
            a[i * lanes + j] = sum;
        }
    }
}

static void assert_is_inverse(const float *a, const float *inverse, uint32_t n, uint32_t lanes) {
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            float sum = 0.0f;
            for (uint32_t k = 0; k < n; ++k) {
                sum += a[i * lanes + k] * inverse[k * lanes + j];
            }
            // Condition number up to a few tens here, times the round-off of a float.
            float wanted = i == j ? 1.0f : 0.0f;
            cr_assert(fabsf(sum - wanted) < 1e-4f, "n %u (%u, %u): %g", n, i, j, (double)sum);
        }
    }
}

Test(dense, inverts_every_size_from_one_to_six) {
    uint32_t seed = 7;
    for (uint32_t n = 1; n <= 6; ++n) {
        uint32_t lanes = n <= 4 ? 4 : 8;
        for (int round = 0; round < 100; ++round) {
            float a[64] = {0}, k[64] = {0}, inverse[64] = {0};
            make_positive(n, lanes, 0.5f, &seed, a);
            for (int i = 0; i < 64; ++i) {
                k[i] = a[i];
            }
            if (n == 3) {
                float three[64] = {0};
                cr_assert(tni_dense_invert_three(k, three, lanes));
                assert_is_inverse(a, three, n, lanes);
            }
            tni_dense_invert(k, inverse, n, lanes);
            assert_is_inverse(a, inverse, n, lanes);
        }
    }
}

Test(dense, a_row_without_mass_gets_no_impulse) {
    float k[16] = {2.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 4.0f};
    float inverse[16] = {0};
    cr_assert_not(tni_dense_invert_three(k, inverse, 4));
    tni_dense_invert(k, inverse, 3, 4);
    cr_assert(inverse[0] == 0.5f && inverse[5] == 0.0f && inverse[10] == 0.25f);
}

Test(dense, two_rows_that_say_the_same_stay_finite_and_meet_the_right_side) {
    // The second row repeats the first: the matrix is singular, the right side (6, 6) consistent.
    float k[16] = {3.0f, 3.0f, 0.0f, 0.0f, 3.0f, 3.0f};
    float inverse[16] = {0};
    tni_dense_invert(k, inverse, 2, 4);
    float x = 6.0f * (inverse[0] + inverse[1]), y = 6.0f * (inverse[4] + inverse[5]);
    cr_assert(isfinite(x) && isfinite(y));
    cr_assert(fabsf(3.0f * (x + y) - 6.0f) < 1e-5f);
}

Test(dense, a_zero_matrix_gives_zero) {
    float k[64] = {0}, inverse[64] = {0};
    tni_dense_invert(k, inverse, 6, 8);
    for (int i = 0; i < 64; ++i) {
        cr_assert(inverse[i] == 0.0f);
    }
}
