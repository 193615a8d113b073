// Tests of core/wide_vector.h: each lane holds what a vector of its own would.
#include <criterion/criterion.h>
#include <string.h>

#include "core/wide_vector.h"

// Component c of the vector of lane i.
static const float first[3][8] = {{1.0f, -2.0f, 0.5f, 3.0f, 0.0f, 7.0f, -1.0f, 0.1f},
                                  {4.0f, 5.0f, -6.0f, 0.25f, 1.0f, -8.0f, 2.0f, 0.3f},
                                  {-3.0f, 0.5f, 9.0f, 2.0f, -1.0f, 1.0f, 6.0f, -0.7f}};
static const float second[3][8] = {{0.3f, 1.0f, 2.0f, -5.0f, 4.0f, 0.0f, 3.0f, 0.9f},
                                   {-1.0f, 0.2f, 7.0f, 6.0f, 2.0f, 1.0f, -4.0f, 0.2f},
                                   {2.0f, -3.0f, 1.0f, 0.5f, -6.0f, 8.0f, 1.0f, -0.4f}};

static tni_v8 load(const float numbers[3][8]) {
    return v8_make(f8_load(numbers[0]), f8_load(numbers[1]), f8_load(numbers[2]));
}

static void assert_lane(tni_v8 v, int lane, float x, float y, float z) {
    float got[3][8];
    f8_store(got[0], v.x);
    f8_store(got[1], v.y);
    f8_store(got[2], v.z);
    cr_assert(got[0][lane] == x && got[1][lane] == y && got[2][lane] == z,
              "lane %d: %g %g %g, not %g %g %g", lane, (double)got[0][lane], (double)got[1][lane],
              (double)got[2][lane], (double)x, (double)y, (double)z);
}

Test(wide_vector, products_are_those_of_each_lane) {
    tni_v8 a = load(first), b = load(second);
    float dots[8];
    f8_store(dots, v8_dot(a, b));
    for (int i = 0; i < 8; ++i) {
        volatile float p[9];
        for (int j = 0; j < 9; ++j) {
            p[j] = first[j / 3][i] * second[j % 3][i];
        }
        assert_lane(v8_cross(a, b), i, p[5] - p[7], p[6] - p[2], p[1] - p[3]);
        assert_lane(v8_mul(a, b), i, p[0], p[4], p[8]);
        assert_lane(v8_scale(a.y, b), i, p[3], p[4], p[5]);
        assert_lane(v8_add_scaled(a, a.x, b), i, first[0][i] + p[0], first[1][i] + p[1],
                    first[2][i] + p[2]);
        volatile float sum = p[0] + p[4];
        cr_assert(dots[i] == sum + p[8], "lane %d: %g", i, (double)dots[i]);
    }
}

Test(wide_vector, sums_and_choices_are_those_of_each_lane) {
    tni_v8 a = load(first), b = load(second);
    tni_m8 is_less = f8_less(a.x, b.x);
    for (int i = 0; i < 8; ++i) {
        const float *x = first[0], *y = first[1], *z = first[2];
        const float(*other)[8] = x[i] < second[0][i] ? first : second;
        assert_lane(v8_add(a, b), i, x[i] + second[0][i], y[i] + second[1][i], z[i] + second[2][i]);
        assert_lane(v8_sub(a, b), i, x[i] - second[0][i], y[i] - second[1][i], z[i] - second[2][i]);
        assert_lane(v8_pick(is_less, a, b), i, other[0][i], other[1][i], other[2][i]);
        assert_lane(v8_sub(a, a), i, 0.0f, 0.0f, 0.0f);
    }
    assert_lane(v8_flush(a, 0.2f), 7, 0.0f, 0.3f, -0.7f);
}

// The product with a diagonal and with one pair of others at a time, and all together.
Test(wide_vector, symmetric_matrices_multiply_each_lane) {
    tni_v8 v = load(first);
    tni_f8 one = f8_splat(1.0f), two = f8_splat(2.0f), none = f8_zero();
    tni_s8 diagonal = {one, two, f8_splat(4.0f), none, none, none};
    tni_s8 others = {none, none, none, one, two, f8_splat(4.0f)};
    for (int i = 0; i < 8; ++i) {
        float x = first[0][i], y = first[1][i], z = first[2][i];
        assert_lane(s8_mul(&diagonal, v), i, x, 2.0f * y, 4.0f * z);
        assert_lane(s8_mul(&others, v), i, y + 2.0f * z, x + 4.0f * z, 2.0f * x + 4.0f * y);
    }
}

Test(wide_vector, numbers_of_eight_places_become_columns) {
    float numbers[10][6];
    for (int i = 0; i < 60; ++i) {
        numbers[i / 6][i % 6] = (float)i;
    }
    const uint32_t place[8] = {3, 0, 9, 9, 1, 7, 2, 5};
    tni_f8 columns[4];
    f8_gather4(&numbers[0][1], 6, place, columns);
    for (int c = 0; c < 4; ++c) {
        float got[8];
        f8_store(got, columns[c]);
        for (int i = 0; i < 8; ++i) {
            cr_assert(got[i] == numbers[place[i]][c + 1]);
        }
    }
}
