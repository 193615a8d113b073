// The rotation nearest to a matrix.
#include <criterion/criterion.h>

#include "core/polar.h"

TestSuite(polar, .timeout = 60);

static tni_dquat turned(void) {
    return dquat_normalize(dquat_make(0.3, -0.5, 0.2, 0.7));
}

// R diag(x, y, z)
static tni_dmat3 stretched(double x, double y, double z) {
    tni_dmat3 r = dmat3_from_quat(turned()), d = {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
    return dmat3_mul(&r, &d);
}

static double off(tni_dquat a, tni_dquat b) {
    return 1.0 - fabs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

Test(polar, finds_the_rotation_of_what_is_stretched) {
    const double stretches[][3] = {{1, 1, 1}, {2, 0.5, 1.3}, {1e-3, 1, 1e3}, {1, 1, 0}};
    for (int i = 0; i < 4; ++i) {
        tni_dmat3 a = stretched(stretches[i][0], stretches[i][1], stretches[i][2]);
        tni_dquat q = tni_polar_rotation(&a, dquat_identity());
        cr_assert(off(q, turned()) < 1e-15, "%d: %g", i, off(q, turned()));
    }
}

// Mirrored in its least axis a matrix keeps its rotation.
Test(polar, mirrors_have_a_nearest_rotation_too) {
    tni_dmat3 a = stretched(2.0, 1.0, -0.5);
    cr_assert(off(tni_polar_rotation(&a, dquat_identity()), turned()) < 1e-15);
}

Test(polar, quaternion_stays_on_the_side_it_was_on) {
    tni_dmat3 a = stretched(1.0, 1.0, 1.0);
    tni_dquat q = turned(), back = dquat_make(-q.x, -q.y, -q.z, -q.w);
    cr_assert(tni_polar_rotation(&a, q).w > 0.0 && tni_polar_rotation(&a, back).w < 0.0);
}

Test(polar, nothing_and_rounding_give_some_rotation) {
    tni_dmat3 none = {{{0.0}}}, tiny = stretched(1e-300, 1e-300, 1e-300);
    tni_dquat q = tni_polar_rotation(&none, dquat_identity());
    cr_assert(q.w == 1.0);
    q = tni_polar_rotation(&tiny, dquat_identity());
    cr_assert(off(q, turned()) < 1e-15);
}
