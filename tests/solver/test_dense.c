// Tests of solver/dense.c: L D L^T of small symmetric matrices.
#include "solver/solver.h"

#include <criterion/criterion.h>

// A fixed sequence in [-1, 1] (Numerical Recipes' linear congruence), the same in every run.
static float next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

static float get(const float *lower, uint32_t i, uint32_t j) {
    return i >= j ? lower[i * (i + 1) / 2 + j] : lower[j * (j + 1) / 2 + i];
}

// A = B B^T + shift 1, lower triangle by rows.
static void make_positive(uint32_t n, float shift, uint32_t *seed, float *lower) {
    float b[6][6];
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            b[i][j] = next_random(seed);
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            float sum = i == j ? shift : 0.0f;
            for (uint32_t k = 0; k < n; ++k) {
                sum += b[i][k] * b[j][k];
            }
            *lower++ = sum;
        }
    }
}

Test(dense, solves_every_size_from_one_to_six) {
    uint32_t seed = 7;
    for (uint32_t n = 1; n <= 6; ++n) {
        for (int round = 0; round < 100; ++round) {
            float a[21], factor[21], wanted[6], x[6];
            make_positive(n, 0.5f, &seed, a);
            for (uint32_t i = 0; i < 21; ++i) {
                factor[i] = i < n * (n + 1) / 2 ? a[i] : 0.0f;
            }
            for (uint32_t i = 0; i < n; ++i) {
                wanted[i] = next_random(&seed);
            }
            for (uint32_t i = 0; i < n; ++i) {
                x[i] = 0.0f;
                for (uint32_t j = 0; j < n; ++j) {
                    x[i] += get(a, i, j) * wanted[j];
                }
            }
            tni_dense_factor(factor, n);
            tni_dense_solve(factor, n, x);
            for (uint32_t i = 0; i < n; ++i) {
                // Condition number up to a few tens here, times the round-off of a float.
                cr_assert(fabsf(x[i] - wanted[i]) < 1e-4f, "n %u row %u: %g, not %g", n, i,
                          (double)x[i], (double)wanted[i]);
            }
        }
    }
}

Test(dense, a_row_without_mass_gets_no_impulse) {
    float factor[6] = {2.0f, 0.0f, 0.0f, 0.0f, 0.0f, 4.0f};
    float x[3] = {2.0f, 5.0f, 8.0f};
    tni_dense_factor(factor, 3);
    tni_dense_solve(factor, 3, x);
    cr_assert(x[0] == 1.0f && x[1] == 0.0f && x[2] == 2.0f);
}

Test(dense, two_rows_that_say_the_same_stay_finite_and_meet_the_right_side) {
    // The second row repeats the first: the matrix is singular, the right side consistent.
    float factor[3] = {3.0f, 3.0f, 3.0f};
    float x[2] = {6.0f, 6.0f};
    tni_dense_factor(factor, 2);
    tni_dense_solve(factor, 2, x);
    cr_assert(isfinite(x[0]) && isfinite(x[1]));
    cr_assert(fabsf(3.0f * (x[0] + x[1]) - 6.0f) < 1e-5f);
}

Test(dense, a_zero_matrix_gives_zero) {
    float factor[21] = {0};
    float x[6] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    tni_dense_factor(factor, 6);
    tni_dense_solve(factor, 6, x);
    for (int i = 0; i < 6; ++i) {
        cr_assert(x[i] == 0.0f);
    }
}
