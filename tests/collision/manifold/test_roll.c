// The point p - S (w x n) of a surface stands still on the shape, to first order, while it rolls.
#include <criterion/criterion.h>

#include "collision/support.h"
#include "tests/collision/convex_probe.h"

// The place that touches a plane with the outward normal n moves like the radius says: with the
// component along w x n.
Test(roll, radius_is_that_of_the_place_that_touches) {
    probe_random random = {7};
    const tni_geometry shapes[] = {probe_cylinder(0.05f, 0.3f, 0.3f),
                                   probe_cylinder(0.4f, 0.3f, 0.1f),
                                   probe_cylinder(0.4f, 0.3f, 0.0f),
                                   probe_ellipsoid(0.5f, 0.2f, 0.3f),
                                   probe_tapered_capsule(0.4f, 0.2f, 0.35f),
                                   probe_round(probe_cylinder(0.2f, 0.3f, 0.3f), 0.1f)};
    for (int k = 0; k < 600; ++k) {
        const tni_geometry *g = &shapes[k % 6];
        vec3s n = probe_direction(&random), spin = probe_direction(&random);
        if (fabsf(n.y) > 0.95f) {
            continue;
        }
        tni_convex convex;
        tni_convex_set(&convex, g);
        tni_dvec3 d = dvec3_cross(dvec3_from_float(spin), dvec3_from_float(n));
        double length = dvec3_length(d), step = 1e-5;
        if (length < 0.1) {
            continue;
        }
        d = dvec3_scale(d, 1.0 / length);
        tni_dvec3 on = tni_convex_get_point(&convex, dvec3_from_float(n));
        tni_dvec3 next =
            tni_convex_get_point(&convex, dvec3_add_scaled(dvec3_from_float(n), step, d));
        double radius = dvec3_dot(d, dvec3_sub(next, on)) / step;
        double found = (double)tni_geometry_get_roll_radius(g, n, spin, false);
        if (radius > 2.0) {
            continue; // a step over the edge of a side: no rim
        }
        cr_assert(fabs(found - radius) < 2e-3 * (1.0 + radius), "shape %d: %g, not %g", k % 6,
                  found, radius);
    }
}

Test(roll, a_coin_goes_round_its_axis) {
    tni_geometry coin = probe_cylinder(0.02f, 0.5f, 0.5f);
    vec3s n = maths_vec3(0.6f, -0.8f, 0.0f), axis = maths_vec3(0.0f, 3.0f, 0.0f);
    cr_assert_float_eq(tni_geometry_get_roll_radius(&coin, n, axis, false), 0.5f / 0.6f, 1e-5f);
    // It stands on the point when it tips, and when nothing turns.
    vec3s tip = maths_vec3(0.0f, 0.0f, 2.0f);
    cr_assert_float_eq(tni_geometry_get_roll_radius(&coin, n, tip, false), 0.0f, 1e-6f);
    cr_assert_eq(tni_geometry_get_roll_radius(&coin, n, maths_vec3_zero(), false), 0.0f);
}
