// Tests of solver/slip.h.
#include <criterion/criterion.h>
#include <math.h>

#include "solver/slip.h"

#include "../joints/joint_motion.h"

// M of a symmetric K with these eigenvalues, the first along this angle.
static void make_mass(double first, double second, double angle, float m[3]) {
    double c = cos(angle), s = sin(angle);
    m[0] = (float)(c * c / first + s * s / second);
    m[1] = (float)(s * s / first + c * c / second);
    m[2] = (float)(c * s * (1.0 / first - 1.0 / second));
}

// The velocity that is left, K (y - x).
static void get_velocity(const float m[3], const float x[2], const float y[2], double u[2]) {
    double r[2] = {(double)y[0] - (double)x[0], (double)y[1] - (double)x[1]};
    double det = (double)m[0] * (double)m[1] - (double)m[2] * (double)m[2];
    u[0] = ((double)m[1] * r[0] - (double)m[2] * r[1]) / det;
    u[1] = ((double)m[0] * r[1] - (double)m[2] * r[0]) / det;
}

Test(slip, what_can_be_held_is_held) {
    float m[3], x[2] = {0.3f, -0.4f};
    make_mass(1.0, 4.0, 0.7, m);
    tni_slip_solve(m, 0.6f, x);
    cr_assert(x[0] == 0.3f && x[1] == -0.4f);
}

// Friction has the length of its cap, and leads against the velocity within 0.1 rad where K is four
// times as great in one direction as in another, and within 0.003 rad far from sticking.
Test(slip, what_slides_is_braked_against_its_velocity) {
    test_random random = {.state = 7};
    for (int i = 0; i < 200; ++i) {
        float m[3], x[2], y[2];
        double u[2], most = random_between(&random, 1.0, 4.0);
        double angle = random_between(&random, 0.0, 3.0), size = i % 2 == 0 ? 2.0 : 50.0;
        make_mass(1.0, most, random_between(&random, 0.0, 3.0), m);
        x[0] = y[0] = (float)(size * cos(angle));
        x[1] = y[1] = (float)(size * sin(angle));
        tni_slip_solve(m, 1.0f, y);
        get_velocity(m, x, y, u);
        double along = -((double)y[0] * u[0] + (double)y[1] * u[1]) / hypot(u[0], u[1]);
        double off = acos(fmin(along, 1.0));
        cr_assert(fabs(hypot((double)y[0], (double)y[1]) - 1.0) < 1e-5);
        cr_assert(off < (i % 2 == 0 ? 0.1 : 3e-3), "%d: %g rad", i, off);
    }
}

// Of two rows that say the same M has rank 1: x is shortened.
Test(slip, rows_that_say_the_same_are_one) {
    float m[3] = {0.5f, 0.5f, 0.5f}, x[2] = {2.0f, 2.0f};
    tni_slip_solve(m, 1.0f, x);
    cr_assert(fabsf(x[0] - sqrtf(0.5f)) < 1e-6f && fabsf(x[1] - sqrtf(0.5f)) < 1e-6f);
}
