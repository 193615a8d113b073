// Inertia by principal axes, against the matrix it was made from.
#include <criterion/criterion.h>

#include "core/inertia.h"

static uint64_t random_state = 88172645463325252ull;

// Uniform in [-1, 1).
static double next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) * 0x1p-52 - 1.0;
}

static tni_dquat random_dquat(void) {
    double x = next_random(), y = next_random(), z = next_random(), w = next_random();
    return dquat_normalize(dquat_make(x, y, z, w));
}

static tni_dmat3 turn_diagonal(tni_dquat rotation, tni_dvec3 moments) {
    tni_dmat3 r = dmat3_from_quat(rotation), m = dmat3_rotate_diagonal(&r, moments);
    m.m[1][0] = m.m[0][1];
    m.m[2][0] = m.m[0][2];
    m.m[2][1] = m.m[1][2];
    return m;
}

static double distance(const tni_dmat3 *a, const tni_dmat3 *b) {
    double largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            largest = fmax(largest, fabs(a->m[i][j] - b->m[i][j]));
        }
    }
    return largest;
}

// Both matrices in the world, for a body whose principal axes are turned by `tilt`.
static void expect_world_matrices(tni_dvec3 moments, tni_dquat tilt) {
    tni_dmat3 matrix = turn_diagonal(tilt, moments);
    tni_inertia inertia = tni_inertia_make(&matrix);
    tni_dquat rotation = random_dquat(), turned = dquat_mul(rotation, tilt);
    tni_dvec3 inverses = dvec3_make(1.0 / moments.x, 1.0 / moments.y, 1.0 / moments.z);
    tni_dmat3 wanted = turn_diagonal(turned, moments),
              wanted_inverse = turn_diagonal(turned, inverses);
    tni_dmat3 got = inertia_in_world(&inertia, rotation);
    tni_dmat3 got_inverse = inertia_inverse_in_world(&inertia, rotation);
    double trace = moments.x + moments.y + moments.z;
    double least = fmin(moments.x, fmin(moments.y, moments.z));
    cr_assert(distance(&got, &wanted) < 1e-13 * trace, "off by %g", distance(&got, &wanted));
    // The round-off of the matrix, 1e-16 of its trace, is so much of the least moment.
    cr_assert(distance(&got_inverse, &wanted_inverse) < 1e-13 * trace / least / least,
              "inverse off by %g", distance(&got_inverse, &wanted_inverse));
    cr_assert(fabs(inertia_trace(&inertia) - trace) < 1e-14 * trace);
}

Test(inertia, in_the_world_it_is_the_turned_matrix) {
    for (int i = 0; i < 3000; ++i) {
        double a = 1.1 + next_random(), b = 1.1 + next_random(), c = 1.1 + next_random();
        const tni_dvec3 cases[] = {{a, b, c}, {a, a, b}, {a, b, a},
                                   {b, a, a}, {a, a, a}, {1e-6 * a, b, b}};
        for (int k = 0; k < 6; ++k) {
            expect_world_matrices(cases[k], dquat_identity());
            expect_world_matrices(cases[k], random_dquat());
        }
    }
}

Test(inertia, the_axis_of_symmetry_is_the_last) {
    const tni_dvec3 cases[] = {{2.0, 2.0, 1.0}, {2.0, 1.0, 2.0}, {1.0, 2.0, 2.0},
                               {2.0, 2.0, 3.0}, {2.0, 3.0, 2.0}, {3.0, 2.0, 2.0}};
    const int symmetric[] = {2, 1, 0, 2, 1, 0};
    for (int i = 0; i < 6; ++i) {
        tni_dmat3 matrix = turn_diagonal(dquat_identity(), cases[i]);
        tni_inertia inertia = tni_inertia_make(&matrix);
        cr_assert(inertia.rate_j == 0.0 && inertia.rate_k != 0.0 && !inertia.is_round);
        cr_assert((inertia.axis_i + 2) % 3 == symmetric[i], "case %d", i);
        cr_assert(!inertia.is_turned);
    }
}

Test(inertia, of_three_moments_the_middle_one_is_the_measure) {
    const tni_dvec3 cases[] = {{1.0, 2.0, 3.0}, {3.0, 2.0, 1.0}, {2.0, 1.0, 3.0},
                               {2.0, 3.0, 1.0}, {1.0, 3.0, 2.0}, {3.0, 1.0, 2.0}};
    const int middle[] = {1, 1, 0, 0, 2, 2};
    for (int i = 0; i < 6; ++i) {
        tni_dmat3 matrix = turn_diagonal(dquat_identity(), cases[i]);
        tni_inertia inertia = tni_inertia_make(&matrix);
        cr_assert(inertia.axis_i == middle[i] && inertia.moment == 2.0, "case %d", i);
    }
}

Test(inertia, round_off_does_not_turn_the_axes) {
    tni_dmat3 matrix = {{{2.0, 1e-16, -1e-15}, {1e-16, 2.0, 3e-16}, {-1e-15, 3e-16, 1.0}}};
    tni_inertia inertia = tni_inertia_make(&matrix);
    cr_assert(!inertia.is_turned && inertia.rate_j == 0.0);
}

Test(inertia, an_infinite_one_turns_nothing) {
    tni_inertia inertia = tni_inertia_infinite();
    tni_dmat3 inverse = inertia_inverse_in_world(&inertia, random_dquat());
    tni_dmat3 zero = {{{0.0}}};
    cr_assert(distance(&inverse, &zero) == 0.0 && inertia.is_round);
}
