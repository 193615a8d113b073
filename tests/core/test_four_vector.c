// Tests of core/four_vector.h: each lane holds what a vector of its own would.
#include <criterion/criterion.h>

#include "core/four_vector.h"

// Component c of the vector of lane i.
static const float first[3][4] = {
    {1.0f, -2.0f, 0.5f, 0.1f}, {4.0f, 5.0f, -6.0f, 0.3f}, {-3.0f, 0.5f, 9.0f, -0.7f}};
static const float second[3][4] = {
    {0.3f, 1.0f, 2.0f, 0.9f}, {-1.0f, 0.2f, 7.0f, 0.2f}, {2.0f, -3.0f, 1.0f, -0.4f}};

static tni_dv4 load(const float numbers[3][4]) {
    tni_d4 d[3];
    for (int c = 0; c < 3; ++c) {
        d[c] = d4_make((double)numbers[c][0], (double)numbers[c][1], (double)numbers[c][2],
                       (double)numbers[c][3]);
    }
    return (tni_dv4){d[0], d[1], d[2]};
}

Test(four_vector, products_are_those_of_each_lane) {
    tni_dv4 a = load(first), b = load(second);
    tni_dv4 cross = dv4_cross(a, b);
    tni_dv4 more = dv4_add_scaled(a, b.x, b), less = dv4_sub_scaled(a, b.x, b);
    double dots[4], crosses[4], mores[4], lesses[4];
    d4_store(dots, dv4_dot(a, b));
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
    }
}
