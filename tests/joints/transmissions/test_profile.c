// The profile of a cam: through its radii, smooth, and its best points against trying them all.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "joints/transmissions/profile.h"

TestSuite(profile, .timeout = 60);

#define PI 3.14159265358979323846

static tni_profile *make(const double *radii, uint32_t count) {
    void *memory = malloc(tni_profile_get_size(count));
    cr_assert_not_null(memory);
    return tni_profile_make(memory, radii, count);
}

static tni_profile *make_pear(uint32_t count) {
    double radii[512];
    for (uint32_t i = 0; i < count; ++i) {
        double angle = 2.0 * PI * i / count;
        radii[i] = 1.0 + 0.2 * cos(angle) + 0.05 * sin(3.0 * angle);
    }
    return make(radii, count);
}

Test(profile, goes_through_its_radii) {
    const uint32_t counts[] = {4, 5, 12, 361};
    for (int n = 0; n < 4; ++n) {
        double radii[361];
        for (uint32_t i = 0; i < counts[n]; ++i) {
            radii[i] = 1.0 + 0.3 * sin(7.3 * i * i);
        }
        tni_profile *profile = make(radii, counts[n]);
        for (uint32_t i = 0; i < counts[n]; ++i) {
            double angle = 2.0 * PI * i / counts[n];
            cr_expect_float_eq(tni_profile_get_radius(profile, angle), radii[i], 1e-13);
            cr_expect_float_eq(tni_profile_get_radius(profile, angle - 2.0 * PI), radii[i], 1e-13);
        }
        free(profile);
    }
}

// The error of a cubic spline is h^4 / 384 times the fourth derivative.
Test(profile, is_as_near_to_a_cosine_as_a_cubic_spline_is) {
    tni_profile *profile = make_pear(360);
    double step = 2.0 * PI / 360, most = 0.0;
    for (int i = 0; i < 1000; ++i) {
        double angle = 0.00628 * i, wanted = 1.0 + 0.2 * cos(angle) + 0.05 * sin(3.0 * angle);
        most = fmax(most, fabs(tni_profile_get_radius(profile, angle) - wanted));
    }
    cr_expect(most < (0.2 + 0.05 * 81.0) * pow(step, 4.0) / 384.0, "%g", most);
    free(profile);
}

Test(profile, has_the_derivatives_of_finite_differences_also_where_pieces_meet) {
    tni_profile *profile = make_pear(12);
    const double d = 1e-5;
    for (int i = 0; i < 48; ++i) {
        double angle = PI * i / 24.0;
        tni_profile_point at = tni_profile_get_point(profile, angle);
        tni_profile_point before = tni_profile_get_point(profile, angle - d);
        tni_profile_point after = tni_profile_get_point(profile, angle + d);
        cr_expect_float_eq(at.first.y, (after.p.y - before.p.y) / (2.0 * d), 1e-8);
        cr_expect_float_eq(at.first.z, (after.p.z - before.p.z) / (2.0 * d), 1e-8);
        // The second one is continuous and its own has jumps: the difference errs by d.
        cr_expect_float_eq(at.second.y, (after.first.y - before.first.y) / (2.0 * d), 1e-4);
        cr_expect_float_eq(at.second.z, (after.first.z - before.first.z) / (2.0 * d), 1e-4);
    }
    free(profile);
}

// Not farther than the best of many points; and there the curve is square to the way.
Test(profile, finds_what_is_nearest) {
    const uint32_t counts[] = {4, 12, 360};
    for (int n = 0; n < 3; ++n) {
        tni_profile *profile = make_pear(counts[n]);
        for (int i = 0; i < 400; ++i) {
            double out = 0.3 + 0.005 * i, toward = 2.4 * i, best = 1e9;
            tni_planar q = {out * cos(toward), out * sin(toward)};
            tni_profile_point at = tni_profile_find_nearest(profile, q);
            for (int k = 0; k < 5000; ++k) {
                tni_planar p = tni_profile_get_point(profile, 2.0 * PI * k / 5000.0).p;
                best = fmin(best, hypot(q.y - p.y, q.z - p.z));
            }
            double distance = hypot(q.y - at.p.y, q.z - at.p.z);
            double slope = (q.y - at.p.y) * at.first.y + (q.z - at.p.z) * at.first.z;
            cr_expect(distance < best + 1e-12, "%d %d: %g for %g", n, i, distance, best);
            cr_expect(fabs(slope) < 1e-11, "%d %d: %g", n, i, slope);
        }
        free(profile);
    }
}

Test(profile, finds_what_is_farthest) {
    tni_profile *profile = make_pear(12);
    for (int i = 0; i < 400; ++i) {
        tni_planar u = {0.7 * cos(2.4 * i), 0.7 * sin(2.4 * i)};
        tni_profile_point at = tni_profile_find_farthest(profile, u);
        double reach = u.y * at.p.y + u.z * at.p.z, best = -1e9;
        for (int k = 0; k < 5000; ++k) {
            tni_planar p = tni_profile_get_point(profile, 2.0 * PI * k / 5000.0).p;
            best = fmax(best, u.y * p.y + u.z * p.z);
        }
        cr_expect(reach > best - 1e-12, "%d: %g for %g", i, reach, best);
        cr_expect(fabs(u.y * at.first.y + u.z * at.first.z) < 1e-11);
    }
    free(profile);
}

// A body whose pose is no number any more is put back after the step: until then nothing breaks.
Test(profile, bears_what_is_no_number) {
    tni_profile *profile = make_pear(12);
    tni_planar nowhere = {(double)NAN, 1.0}, nothing = {0.0, 0.0};
    cr_expect(isfinite(tni_profile_find_nearest(profile, nowhere).p.y));
    cr_expect(isfinite(tni_profile_find_nearest(profile, nothing).p.y));
    cr_expect(isfinite(tni_profile_find_farthest(profile, nothing).p.y));
    free(profile);
}
