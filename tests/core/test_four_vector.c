// Tests of core/four_vector.h: each lane holds what a vector of its own would.
#include <criterion/criterion.h>

#include "core/four_vector.h"

// Component c of the vector of lane i.
static const float first[3][4] = {
    {1.0f, -2.0f, 0.5f, 0.1f}, {4.0f, 5.0f, -6.0f, 0.3f}, {-3.0f, 0.5f, 9.0f, -0.7f}};
static const float second[3][4] = {
    {0.3f, 1.0f, 2.0f, 0.9f}, {-1.0f, 0.2f, 7.0f, 0.2f}, {2.0f, -3.0f, 1.0f, -0.4f}};

static tni_v4 load(const float numbers[3][4]) {
    return (tni_v4){f4_load(numbers[0]), f4_load(numbers[1]), f4_load(numbers[2])};
}

static tni_dv4 load_double(const float numbers[3][4]) {
    tni_d4 d[3];
    for (int c = 0; c < 3; ++c) {
        d[c] = d4_make((double)numbers[c][0], (double)numbers[c][1], (double)numbers[c][2],
                       (double)numbers[c][3]);
    }
    return (tni_dv4){d[0], d[1], d[2]};
}

static void assert_lane(tni_v4 v, int lane, float x, float y, float z) {
    float got[3][4];
    f4_store(got[0], v.x);
    f4_store(got[1], v.y);
    f4_store(got[2], v.z);
    cr_assert(got[0][lane] == x && got[1][lane] == y && got[2][lane] == z,
              "lane %d: %g %g %g, not %g %g %g", lane, (double)got[0][lane], (double)got[1][lane],
              (double)got[2][lane], (double)x, (double)y, (double)z);
}

Test(four_vector, products_are_those_of_each_lane) {
    tni_v4 a = load(first), b = load(second);
    const tni_v4 columns[3] = {a, b, a};
    float dots[4];
    f4_store(dots, v4_dot(a, b));
    for (int i = 0; i < 4; ++i) {
        volatile float p[9], sums[3], scaled[3];
        for (int j = 0; j < 9; ++j) {
            p[j] = first[j / 3][i] * second[j % 3][i];
        }
        assert_lane(v4_cross(a, b), i, p[5] - p[7], p[6] - p[2], p[1] - p[3]);
        assert_lane(v4_scale(a.y, b), i, p[3], p[4], p[5]);
        assert_lane(v4_sub_scaled(a, a.x, b), i, first[0][i] - p[0], first[1][i] - p[1],
                    first[2][i] - p[2]);
        volatile float sum = p[0] + p[4];
        cr_assert(dots[i] == sum + p[8], "lane %d: %g", i, (double)dots[i]);
        for (int c = 0; c < 3; ++c) {
            volatile float own = second[0][i] * first[c][i], other = second[1][i] * second[c][i];
            sums[c] = own + other;
            scaled[c] = second[2][i] * first[c][i];
        }
        assert_lane(v4_mul_columns(columns, b), i, sums[0] + scaled[0], sums[1] + scaled[1],
                    sums[2] + scaled[2]);
    }
}

Test(four_vector, sums_and_choices_are_those_of_each_lane) {
    tni_v4 a = load(first), b = load(second);
    tni_m4 is_less = f4_less(a.x, b.x);
    for (int i = 0; i < 4; ++i) {
        const float *x = first[0], *y = first[1], *z = first[2];
        const float(*other)[4] = x[i] < second[0][i] ? first : second;
        assert_lane(v4_add(a, b), i, x[i] + second[0][i], y[i] + second[1][i], z[i] + second[2][i]);
        assert_lane(v4_sub(a, b), i, x[i] - second[0][i], y[i] - second[1][i], z[i] - second[2][i]);
        assert_lane(v4_pick(is_less, a, b), i, other[0][i], other[1][i], other[2][i]);
    }
}

Test(four_vector, doubles_are_those_of_each_lane) {
    tni_dv4 a = load_double(first), b = load_double(second);
    tni_dv4 sum = dv4_add(a, b), difference = dv4_sub(a, b), cross = dv4_cross(a, b);
    tni_dv4 more = dv4_add_scaled(a, b.x, b), less = dv4_sub_scaled(a, b.x, b);
    double dots[4], sums[4], differences[4], crosses[4], mores[4], lesses[4];
    d4_store(dots, dv4_dot(a, b));
    d4_store(sums, sum.y);
    d4_store(differences, difference.z);
    d4_store(crosses, cross.z);
    d4_store(mores, more.y);
    d4_store(lesses, less.y);
    for (int i = 0; i < 4; ++i) {
        volatile double p[3];
        for (int c = 0; c < 3; ++c) {
            p[c] = (double)first[c][i] * (double)second[c][i];
        }
        volatile double two = p[0] + p[1];
        cr_assert(dots[i] == two + p[2], "lane %d: %g", i, dots[i]);
        volatile double xy = (double)first[0][i] * (double)second[1][i];
        volatile double yx = (double)first[1][i] * (double)second[0][i];
        volatile double scaled = (double)second[0][i] * (double)second[1][i];
        cr_assert(crosses[i] == xy - yx);
        cr_assert(mores[i] == (double)first[1][i] + scaled);
        cr_assert(lesses[i] == (double)first[1][i] - scaled);
        cr_assert(sums[i] == (double)first[1][i] + (double)second[1][i]);
        cr_assert(differences[i] == (double)first[2][i] - (double)second[2][i]);
    }
}
