// Tests of solver/movers/rope_tension.h: tensions that keep to Euler's law, and what they leave.
#include "solver/movers/rope_tension.h"

#include <criterion/criterion.h>

#define MOST_SHEAVES (TNI_ROPE_MAX_PIECES - 1)

// A fixed sequence in [-1, 1) (Numerical Recipes' linear congruence), the same in every run.
static double next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

// K = B B^T + a little, F and q at random. What pieces want lies about a common pull.
static tni_rope_system make_system(uint32_t count, uint32_t *seed) {
    tni_rope_system system = {.count = count, .most = (double)INFINITY};
    double b[TNI_ROPE_MAX_PIECES][TNI_ROPE_MAX_PIECES], sum = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t j = 0; j < count; ++j) {
            b[i][j] = 0.3 * next_random(seed);
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t j = 0; j < count; ++j) {
            system.give[i][j] = i == j ? 1.0 : 0.0;
            for (uint32_t k = 0; k < count; ++k) {
                system.give[i][j] += b[i][k] * b[j][k];
            }
        }
        sum += 0.5 + 2.0 * next_random(seed);
        system.wanted[i] = sum;
        system.ratio[i] = 1.0 + 0.4 * (1.0 + next_random(seed));
    }
    return system;
}

static double passing_of(const tni_rope_system *system, uint32_t i, const double *tensions) {
    double sum = system->wanted[i];
    for (uint32_t k = 0; k <= i; ++k) {
        for (uint32_t c = 0; c < system->count; ++c) {
            sum -= system->give[k][c] * tensions[c];
        }
    }
    return sum;
}

// At a bound rope goes to where the tension is greater, within it none passes.
static void assert_sheave(const tni_rope_system *system, uint32_t i, const double *tensions) {
    double passing = passing_of(system, i, tensions), q = system->ratio[i];
    double back = tensions[i] - q * tensions[i + 1], forth = tensions[i + 1] - q * tensions[i];
    cr_assert(back < 1e-8 && forth < 1e-8, "%u: %g, %g", i, tensions[i], tensions[i + 1]);
    cr_assert(!(passing > 1e-8) || back > -1e-8, "%u passes back within its bound", i);
    cr_assert(!(passing < -1e-8) || forth > -1e-8, "%u passes forth within its bound", i);
}

Test(rope_tension, keeps_eulers_law_at_every_sheave_whatever_pulls, .timeout = 60) {
    uint32_t seed = 1, taut = 0, stuck = 0, passing = 0;
    for (int n = 0; n < 3000; ++n) {
        uint32_t count = 1 + (uint32_t)n % TNI_ROPE_MAX_PIECES;
        tni_rope_system system = make_system(count, &seed);
        uint8_t holds[TNI_ROPE_MAX_PIECES] = {0};
        double tensions[TNI_ROPE_MAX_PIECES];
        bool is_taut = tni_rope_system_solve(&system, holds, tensions);
        cr_assert_eq(is_taut, system.wanted[count - 1] > 0.0);
        for (uint32_t i = 0; i < count; ++i) {
            cr_assert(is_taut ? tensions[i] > 0.0 : tensions[i] == 0.0, "%d: %g", n, tensions[i]);
        }
        for (uint32_t i = 0; is_taut && i + 1 < count; ++i) {
            assert_sheave(&system, i, tensions);
            stuck += holds[i] == TNI_ROPE_STUCK;
            passing += holds[i] != TNI_ROPE_STUCK;
        }
        if (is_taut) {
            taut += 1;
            cr_assert(fabs(passing_of(&system, count - 1, tensions)) < 1e-8);
        }
    }
    cr_assert(taut > 1000 && stuck > 1000 && passing > 1000, "%u, %u, %u", taut, stuck, passing);
}

Test(rope_tension, pulls_alike_everywhere_without_friction, .timeout = 60) {
    uint32_t seed = 7;
    for (int n = 0; n < 200; ++n) {
        tni_rope_system system = make_system(5, &seed);
        uint8_t holds[TNI_ROPE_MAX_PIECES] = {0};
        double tensions[TNI_ROPE_MAX_PIECES], sum = 0.0;
        for (uint32_t i = 0; i < 5; ++i) {
            system.ratio[i] = 1.0;
            for (uint32_t k = 0; k < 5; ++k) {
                sum += system.give[i][k];
            }
        }
        tni_rope_system_solve(&system, holds, tensions);
        for (uint32_t i = 0; i < 5; ++i) {
            double expected = fmax(system.wanted[4], 0.0) / sum;
            cr_assert(fabs(tensions[i] - expected) < 1e-12, "%g, not %g", tensions[i], expected);
        }
    }
}

// Its last point gives way at the most that it holds, and then lets rope out.
Test(rope_tension, lets_rope_out_at_the_most_that_the_last_point_holds, .timeout = 60) {
    uint32_t seed = 3, slips = 0;
    for (int n = 0; n < 500; ++n) {
        tni_rope_system system = make_system(4, &seed);
        uint8_t holds[TNI_ROPE_MAX_PIECES] = {0};
        double tensions[TNI_ROPE_MAX_PIECES];
        system.most = 0.3;
        if (!tni_rope_system_solve(&system, holds, tensions)) {
            continue;
        }
        double out = passing_of(&system, 3, tensions);
        cr_assert(tensions[3] < 0.3 + 1e-9 && out > -1e-8, "%g, %g", tensions[3], out);
        cr_assert(fabs(out) < 1e-8 || fabs(tensions[3] - 0.3) < 1e-9);
        slips += holds[3] != TNI_ROPE_STUCK;
        for (uint32_t i = 0; i < 3; ++i) {
            assert_sheave(&system, i, tensions);
        }
    }
    cr_assert(slips > 50, "%u", slips);
}

// Pieces that say the same, as those of a tackle do, and nothing to tell them apart.
Test(rope_tension, finds_tensions_of_pieces_that_say_the_same, .timeout = 60) {
    tni_rope_system system = {.count = MOST_SHEAVES, .most = (double)INFINITY};
    uint8_t holds[TNI_ROPE_MAX_PIECES] = {0};
    double tensions[TNI_ROPE_MAX_PIECES];
    for (uint32_t i = 0; i < MOST_SHEAVES; ++i) {
        for (uint32_t k = 0; k < MOST_SHEAVES; ++k) {
            system.give[i][k] = 1.0 + (i == k ? 1e-5 : 0.0);
        }
        system.wanted[i] = i + 1.0;
        system.ratio[i] = 1.2;
    }
    cr_assert(tni_rope_system_solve(&system, holds, tensions));
    for (uint32_t i = 0; i < MOST_SHEAVES; ++i) {
        cr_assert(fabs(tensions[i] - 1.0 / MOST_SHEAVES) < 1e-3, "%g", tensions[i]);
    }
}
