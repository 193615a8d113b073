// 3 x 3 matrices: what the names say, on one that has no symmetry.
#include <criterion/criterion.h>

#include "core/dmat3.h"

static const tni_dmat3 a = {{{1.2, 0.3, -0.1}, {-0.2, 0.8, 0.25}, {0.1, 0.2, 1.1}}};

Test(dmat3, cofactor_is_what_the_determinant_changes_by) {
    tni_dmat3 cofactor = dmat3_cofactor(&a);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            tni_dmat3 more = a, less = a;
            more.m[i][j] += 0.5;
            less.m[i][j] -= 0.5;
            double change = dmat3_determinant(&more) - dmat3_determinant(&less);
            cr_assert(fabs(change - cofactor.m[i][j]) < 1e-15, "%d %d: %g", i, j, change);
        }
    }
}

Test(dmat3, cofactor_times_transposed_is_the_determinant) {
    tni_dmat3 cofactor = dmat3_cofactor(&a), product = dmat3_mul_transposed(&a, &cofactor);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double expected = i == j ? dmat3_determinant(&a) : 0.0;
            cr_assert(fabs(product.m[i][j] - expected) < 1e-15);
        }
    }
}

// [w] A v = w x (A v), and [w] itself has the vector 2 w.
Test(dmat3, cross_and_axial_belong_together) {
    tni_dvec3 w = dvec3_make(0.3, -0.7, 0.2), v = dvec3_make(1.0, 2.0, -0.5);
    tni_dmat3 crossed = dmat3_cross(w, &a);
    tni_dvec3 got = dmat3_mul_vec(&crossed, v), expected = dvec3_cross(w, dmat3_mul_vec(&a, v));
    cr_assert(dvec3_length(dvec3_sub(got, expected)) < 1e-15);
    tni_dmat3 one = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    tni_dmat3 skew = dmat3_cross(w, &one);
    tni_dvec3 twice = dmat3_axial(&skew);
    cr_assert(dvec3_length(dvec3_sub(twice, dvec3_scale(w, 2.0))) < 1e-15);
}
