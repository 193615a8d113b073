// Tests of solver/contacts/slip.h.
#include <criterion/criterion.h>
#include <math.h>

#include "solver/contacts/slip.h"

#include "tests/joints/joint_motion.h"

// M of a symmetric K with these eigenvalues, the first along this angle.
static void make_mass(double first, double second, double angle, double m[3]) {
    double c = cos(angle), s = sin(angle);
    m[0] = (c * c / first + s * s / second);
    m[1] = (s * s / first + c * c / second);
    m[2] = (c * s * (1.0 / first - 1.0 / second));
}

// The velocity that is left, K (y - x).
static void get_velocity(const double m[3], const double x[2], const double y[2], double u[2]) {
    double r[2] = {y[0] - x[0], y[1] - x[1]};
    double det = m[0] * m[1] - m[2] * m[2];
    u[0] = (m[1] * r[0] - m[2] * r[1]) / det;
    u[1] = (m[0] * r[1] - m[2] * r[0]) / det;
}

Test(slip, what_can_be_held_is_held) {
    double m[3], x[2] = {0.3, -0.4};
    make_mass(1.0, 4.0, 0.7, m);
    tni_slip_solve(m, 0.6, x);
    cr_assert(x[0] == 0.3 && x[1] == -0.4);
}

// Friction has the length of its cap, and leads against the velocity within 0.1 rad where K is four
// times as great in one direction as in another, and within 0.003 rad far from sticking.
Test(slip, what_slides_is_braked_against_its_velocity) {
    test_random random = {.state = 7};
    for (int i = 0; i < 200; ++i) {
        double m[3], x[2], y[2];
        double u[2], most = random_between(&random, 1.0, 4.0);
        double angle = random_between(&random, 0.0, 3.0), size = i % 2 == 0 ? 2.0 : 50.0;
        make_mass(1.0, most, random_between(&random, 0.0, 3.0), m);
        x[0] = y[0] = (size * cos(angle));
        x[1] = y[1] = (size * sin(angle));
        tni_slip_solve(m, 1.0, y);
        get_velocity(m, x, y, u);
        double along = -(y[0] * u[0] + y[1] * u[1]) / hypot(u[0], u[1]);
        double off = acos(fmin(along, 1.0));
        cr_assert(fabs(hypot(y[0], y[1]) - 1.0) < 1e-5);
        cr_assert(off < (i % 2 == 0 ? 0.1 : 3e-3), "%d: %g rad", i, off);
    }
}

// Of two rows that say the same M has rank 1: x is shortened.
Test(slip, rows_that_say_the_same_are_one) {
    double m[3] = {0.5, 0.5, 0.5}, x[2] = {2.0, 2.0};
    tni_slip_solve(m, 1.0, x);
    cr_assert(fabs(x[0] - sqrt(0.5)) < 1e-6 && fabs(x[1] - sqrt(0.5)) < 1e-6);
}

// With a grain M may differ by any factor between its axes: y keeps its length and leads straight
// against K (y - x), to the last digits that x has.
Test(slip, with_a_grain_is_exact_for_any_masses) {
    test_random random = {.state = 5};
    for (int i = 0; i < 300; ++i) {
        double m[3], x[2], y[2], u[2];
        double most = pow(10.0, random_between(&random, 0.0, 7.0));
        double angle = random_between(&random, 0.0, 6.0), size = pow(10.0, (i % 10) * 0.5 + 0.01);
        make_mass(1.0, most, random_between(&random, 0.0, 3.0), m);
        x[0] = y[0] = size * cos(angle);
        x[1] = y[1] = size * sin(angle);
        tni_slip_solve_grain(m, 1.0, y);
        get_velocity(m, x, y, u);
        double along = -(y[0] * u[0] + y[1] * u[1]) / hypot(u[0], u[1]);
        cr_assert(fabs(hypot(y[0], y[1]) - 1.0) < 1e-9, "%d: %.12g", i, hypot(y[0], y[1]));
        cr_assert(along > 1.0 - 1e-6, "%d: %.12g, ratio %g, size %g", i, along, most, size);
    }
}

Test(slip, with_a_grain_holds_what_can_be_held_and_gives_nothing_without_load) {
    double m[3] = {2.0, 3.0, 0.5}, held[2] = {0.3, -0.4}, free[2] = {1.0, 2.0};
    tni_slip_solve_grain(m, 0.6, held);
    cr_assert(held[0] == 0.3 && held[1] == -0.4);
    tni_slip_solve_grain(m, 0.0, free);
    cr_assert(free[0] == 0.0 && free[1] == 0.0);
}
