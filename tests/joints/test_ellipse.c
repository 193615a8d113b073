// The distance from an ellipse, against its points tried one by one, and along paths through it.
#include "joint_case.h"
#include "joints/parts/ellipse.h"

Test(ellipse, distance_is_that_of_its_nearest_point) {
    test_random random = {41};
    for (int n = 0; n < 2000; ++n) {
        double a = random_between(&random, 0.05, 3.1), b = random_between(&random, 0.05, 3.1);
        double y = random_between(&random, -3.2, 3.2), z = random_between(&random, -3.2, 3.2);
        y = n % 7 == 0 ? 0.0 : y;
        z = n % 11 == 0 ? 0.0 : z;
        b = n % 5 == 0 ? a : b;
        tni_ellipse_distance distance = tni_ellipse_measure(a, b, y, z);
        cr_assert_float_eq(distance.inside, ellipse_room(a, b, y, z), 1e-9);
        cr_assert_float_eq(hypot(distance.normal_y, distance.normal_z), 1.0, 1e-12);
    }
}

// The foot of the normal is on the ellipse, and the normal is the ellipse's there.
Test(ellipse, normal_leads_from_the_point_to_the_ellipse) {
    test_random random = {42};
    for (int n = 0; n < 2000; ++n) {
        double a = random_between(&random, 0.05, 3.1), b = random_between(&random, 0.05, 3.1);
        double y = random_between(&random, -3.2, 3.2), z = random_between(&random, -3.2, 3.2);
        tni_ellipse_distance distance = tni_ellipse_measure(a, b, y, z);
        double foot_y = y + distance.inside * distance.normal_y;
        double foot_z = z + distance.inside * distance.normal_z;
        double level = foot_y * foot_y / (a * a) + foot_z * foot_z / (b * b);
        cr_assert_float_eq(level, 1.0, 1e-10);
        double slope_y = foot_y / (a * a), slope_z = foot_z / (b * b);
        double across = slope_y * distance.normal_z - slope_z * distance.normal_y;
        cr_assert(fabs(across) < 1e-10 * hypot(slope_y, slope_z));
    }
}

// Two points are never farther apart in distance than they are.
Test(ellipse, distance_never_jumps) {
    test_random random = {43};
    const double step = 1e-4;
    for (int n = 0; n < 200; ++n) {
        double a = random_between(&random, 0.05, 3.1), b = random_between(&random, 0.05, 3.1);
        double angle = random_between(&random, 0.0, 6.3);
        // Through the middle, along an axis, or past it.
        double y = n % 3 == 2 ? random_between(&random, -0.5, 0.5) : 0.0, z = 0.0;
        angle = n % 3 == 1 ? 0.0 : angle;
        double before =
            tni_ellipse_measure(a, b, y - 3.3 * cos(angle), z - 3.3 * sin(angle)).inside;
        for (int i = -32999; i <= 33000; ++i) {
            double s = step * i;
            double now = tni_ellipse_measure(a, b, y + s * cos(angle), z + s * sin(angle)).inside;
            cr_assert(fabs(now - before) < step * (1.0 + 1e-6), "%g to %g at %g", before, now, s);
            before = now;
        }
    }
}

// As thin and as small as a float may be.
Test(ellipse, of_any_size_gives_finite_numbers) {
    const double sizes[] = {1e-45, 1e-38, 1e-20, 1e-8, 1e-3, 1.0, MATHS_PI};
    const double places[] = {0.0, 1e-45, 1e-20, 1e-13, 1e-6, 0.1, MATHS_PI};
    for (int n = 0; n < 7 * 7 * 7 * 7; ++n) {
        double a = sizes[n % 7], b = sizes[n / 7 % 7];
        double y = places[n / 49 % 7], z = places[n / 343];
        tni_ellipse_distance distance = tni_ellipse_measure(a, b, y, z);
        double nearest = hypot(fmax(y - a, 0.0), fmax(z - b, 0.0));
        cr_assert(isfinite(distance.inside) && distance.inside <= fmin(a, b) * (1.0 + 1e-9));
        cr_assert(-distance.inside <= hypot(y, z) + 1e-12);
        cr_assert(nearest == 0.0 || -distance.inside >= nearest - 1e-12);
        cr_assert_float_eq(hypot(distance.normal_y, distance.normal_z), 1.0, 1e-9);
    }
}
