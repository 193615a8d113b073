// core/inertia.c: a rigid body's inertia by its principal axes: see inertia.h.
// Test: tests/core/test_inertia.c
#include "core/inertia.h"

// Products of inertia under this share of the moments are round-off of the sum that made them.
#define INERTIA_TINY_PRODUCT 1e-14
// Two moments this close, relative to the middle one, are equal.
#define INERTIA_EQUAL 1e-12

static tni_dmat3 inertia_without_round_off(const tni_dmat3 *matrix) {
    tni_dmat3 clean = *matrix;
    double tiny = INERTIA_TINY_PRODUCT * (clean.m[0][0] + clean.m[1][1] + clean.m[2][2]);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            clean.m[i][j] = i != j && fabs(clean.m[i][j]) < tiny ? 0.0 : clean.m[i][j];
        }
    }
    return clean;
}

static bool inertia_are_equal(double moment, double middle) {
    return fabs(moment - middle) <= INERTIA_EQUAL * middle;
}

static int inertia_find_middle(const double moments[3]) {
    int least = 0, most = 0;
    for (int i = 1; i < 3; ++i) {
        least = moments[i] < moments[least] ? i : least;
        most = moments[i] >= moments[most] ? i : most;
    }
    return least == most ? 0 : 3 - least - most;
}

// Returns the middle moment, and of two equal ones the first in cyclic order.
static int inertia_find_first(const double moments[3]) {
    int middle = inertia_find_middle(moments);
    int next = (middle + 1) % 3, last = (middle + 2) % 3;
    bool is_second = inertia_are_equal(moments[last], moments[middle]) &&
                     !inertia_are_equal(moments[next], moments[middle]);
    return is_second ? last : middle;
}

static void inertia_compare(double moment, double middle, double *out_ratio, double *out_rate) {
    bool is_equal = inertia_are_equal(moment, middle);
    *out_ratio = is_equal ? 1.0 : moment / middle;
    *out_rate = is_equal ? 0.0 : middle * maths_inverse_or_zero_d(moment) - 1.0;
}

tni_inertia tni_inertia_make(const tni_dmat3 *matrix) {
    tni_inertia inertia = {0};
    tni_dmat3 clean = inertia_without_round_off(matrix);
    tni_dvec3 values;
    tni_maths_diagonalize(&clean, &values, &inertia.axes);
    const double moments[3] = {values.x, values.y, values.z};
    int i = inertia_find_first(moments), j = (i + 1) % 3, k = (i + 2) % 3;
    inertia.axis_i = (uint8_t)i;
    inertia.moment = moments[i];
    inertia.inverse = maths_inverse_or_zero_d(moments[i]);
    inertia_compare(moments[j], moments[i], &inertia.ratio_j, &inertia.rate_j);
    inertia_compare(moments[k], moments[i], &inertia.ratio_k, &inertia.rate_k);
    inertia.is_turned = inertia.axes.x != 0.0 || inertia.axes.y != 0.0 || inertia.axes.z != 0.0;
    inertia.is_round = inertia.rate_j == 0.0 && inertia.rate_k == 0.0;
    return inertia;
}

tni_inertia tni_inertia_infinite(void) {
    tni_inertia inertia = {.ratio_j = 1.0, .ratio_k = 1.0, .is_round = true};
    inertia.axes = dquat_identity();
    return inertia;
}
