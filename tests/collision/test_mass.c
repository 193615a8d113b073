// Mass properties: closed forms, and the local pose applied.
#include <criterion/criterion.h>

#include "tests/collision/probe.h"

static void assert_diagonal(const tni_dmat3 *m, double x, double y, double z, double tolerance) {
    const double d[3] = {x, y, z};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            cr_assert_float_eq(m->m[i][j], i == j ? d[i] : 0.0, tolerance, "[%d][%d] = %.9g", i, j,
                               m->m[i][j]);
        }
    }
}

Test(mass, of_a_sphere) {
    tni_geometry g = probe_sphere(0.5f);
    g.position = maths_vec3(1.0f, 2.0f, 3.0f);
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    cr_assert_float_eq(m.volume, 4.0 / 3.0 * MATHS_PI * 0.125, 1e-12);
    cr_assert_float_eq(m.center.x, 1.0, 1e-12);
    cr_assert_float_eq(m.center.z, 3.0, 1e-12);
    assert_diagonal(&m.unit_inertia, 0.1, 0.1, 0.1, 1e-12);
}

Test(mass, of_a_box) {
    tni_geometry g = probe_box(0.5f, 1.0f, 1.5f); // 1 x 2 x 3 m
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    cr_assert_float_eq(m.volume, 6.0, 1e-12);
    assert_diagonal(&m.unit_inertia, 13.0 / 12.0, 10.0 / 12.0, 5.0 / 12.0, 1e-12);
}

Test(mass, of_a_cube_is_the_same_however_it_is_turned) {
    tni_geometry g = probe_box(0.5f, 0.5f, 0.5f);
    g.rotation = probe_turn(maths_vec3(0.6f, 0.0f, 0.8f), 0.25 * MATHS_PI);
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    assert_diagonal(&m.unit_inertia, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 1e-7);
}

Test(mass, of_a_turned_box_is_the_tensor_in_body_axes) {
    // A quarter turn about z swaps x and y.
    tni_geometry g = probe_box(0.5f, 1.0f, 1.5f);
    g.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.5 * MATHS_PI);
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    assert_diagonal(&m.unit_inertia, 10.0 / 12.0, 13.0 / 12.0, 5.0 / 12.0, 1e-6);
    // An eighth turn mixes them: xy = (I_x - I_y) / 2 with the sign of the turn.
    g.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.25 * MATHS_PI);
    m = tni_geometry_mass_properties(&g);
    cr_assert_float_eq(m.unit_inertia.m[0][1], 0.5 * (13.0 - 10.0) / 12.0, 1e-6);
    cr_assert_float_eq(m.unit_inertia.m[0][0], 11.5 / 12.0, 1e-6);
}

Test(mass, of_a_capsule_agrees_with_a_numerical_integral) {
    double h = 0.7, r = 0.3;
    tni_geometry g = probe_capsule((float)h, (float)r);
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    // Disks of radius s(y) along y: axial pi s^4 / 2, transverse pi s^4 / 4 + pi s^2 y^2.
    enum {
        SLICES = 200000
    };
    double dy = 2.0 * (h + r) / SLICES, volume = 0.0, axial = 0.0, transverse = 0.0;
    for (int i = 0; i < SLICES; ++i) {
        double y = -(h + r) + (i + 0.5) * dy;
        double over = fmax(fabs(y) - h, 0.0);
        double s2 = r * r - over * over;
        volume += MATHS_PI * s2 * dy;
        axial += 0.5 * MATHS_PI * s2 * s2 * dy;
        transverse += (0.25 * MATHS_PI * s2 * s2 + MATHS_PI * s2 * y * y) * dy;
    }
    cr_assert_float_eq(m.volume, volume, 1e-6);
    assert_diagonal(&m.unit_inertia, transverse / volume, axial / volume, transverse / volume,
                    1e-6);
}

Test(mass, of_a_capsule_without_length_is_that_of_a_sphere) {
    tni_geometry capsule = probe_capsule(0.0f, 0.5f);
    tni_mass_properties m = tni_geometry_mass_properties(&capsule);
    assert_diagonal(&m.unit_inertia, 0.1, 0.1, 0.1, 1e-12);
}

Test(mass, of_a_moved_and_turned_hull_agrees_with_the_same_box) {
    tni_box_hull storage;
    tni_box_hull_set(&storage, maths_vec3(0.5f, 1.0f, 1.5f));
    probe_random random = {17};
    for (int i = 0; i < 50; ++i) {
        tni_geometry box = probe_box(0.5f, 1.0f, 1.5f), hull = probe_hull(&storage.hull);
        box.position = hull.position = probe_vec(&random, 2.0f);
        box.rotation = hull.rotation = probe_rotation(&random);
        tni_mass_properties a = tni_geometry_mass_properties(&box);
        tni_mass_properties b = tni_geometry_mass_properties(&hull);
        cr_assert_float_eq(a.volume, b.volume, 1e-6);
        cr_assert(dvec3_length(dvec3_sub(a.center, b.center)) < 1e-6);
        for (int k = 0; k < 9; ++k) {
            cr_assert_float_eq(a.unit_inertia.m[k / 3][k % 3], b.unit_inertia.m[k / 3][k % 3],
                               1e-6);
        }
    }
}

Test(mass, of_a_hull_off_centre_has_its_centroid_turned_and_moved) {
    const vec3s points[4] = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_hull *hull = NULL;
    cr_assert_eq(tni_hull_build(&allocator, points, 4, &hull), TN_RESULT_OK);
    tni_geometry g = probe_hull(hull);
    g.position = maths_vec3(10.0f, 0.0f, 0.0f);
    g.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.5 * MATHS_PI);
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    cr_assert_float_eq(m.center.x, 9.75, 1e-6);
    cr_assert_float_eq(m.center.y, 0.25, 1e-6);
    cr_assert_float_eq(m.center.z, 0.25, 1e-6);
    tni_hull_destroy(&allocator, hull);
}

Test(mass, of_a_half_space_has_no_volume) {
    tni_geometry g = probe_half_space();
    cr_assert_eq(tni_geometry_mass_properties(&g).volume, 0.0);
}

// ---- curved and rounded shapes ----------------------------------------------------------------

// The radius of a shape of revolution at y, from its distance to the core in the profile's plane.
typedef double radius_fn(double y, const double numbers[4]);

// Numbers: half length, radii of the bottom and the top.
static double get_cylinder_radius(double y, const double n[4]) {
    return n[1] + (n[2] - n[1]) * (y + n[0]) / (2.0 * n[0]);
}

// The largest of the balls between two ends.
static double get_tapered_radius(double y, const double n[4]) {
    double best = 0.0;
    for (int i = 0; i <= 4000; ++i) {
        double t = i / 4000.0, at = (2.0 * t - 1.0) * n[0], r = n[1] + t * (n[2] - n[1]);
        double off = y - at, square = r * r - off * off;
        best = fmax(best, square);
    }
    return sqrt(best);
}

static void assert_revolution(const tni_geometry *g, radius_fn *get_radius, const double n[4],
                              double low, double high, int slices, double tolerance) {
    double dy = (high - low) / slices, volume = 0.0, moment = 0.0, axial = 0.0, square = 0.0;
    for (int i = 0; i < slices; ++i) {
        double y = low + (i + 0.5) * dy, r = get_radius(y, n), area = MATHS_PI * r * r * dy;
        volume += area;
        moment += area * y;
        axial += 0.5 * area * r * r;
        square += area * y * y;
    }
    double center = moment / volume;
    double transverse = 0.5 * axial / volume + square / volume - center * center;
    tni_mass_properties m = tni_geometry_mass_properties(g);
    cr_assert_float_eq(m.volume, volume, tolerance, "%.9g %.9g", m.volume, volume);
    cr_assert_float_eq(m.center.y, center, tolerance);
    assert_diagonal(&m.unit_inertia, transverse, axial / volume, transverse, tolerance);
}

Test(mass, of_cylinders_and_cones_agrees_with_a_numerical_integral) {
    const double cases[3][4] = {{0.7, 0.3, 0.3}, {0.7, 0.5, 0.0}, {0.4, 0.25, 0.6}};
    for (int k = 0; k < 3; ++k) {
        const double *n = cases[k];
        tni_geometry g = probe_cylinder((float)n[0], (float)n[1], (float)n[2]);
        assert_revolution(&g, get_cylinder_radius, n, -n[0], n[0], 20000, 1e-6);
    }
}

Test(mass, of_a_cone_has_its_closed_form) {
    tni_geometry g = probe_cylinder(1.0f, 0.5f, 0.0f); // 2 m high
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    cr_assert_float_eq(m.volume, MATHS_PI * 0.25 * 2.0 / 3.0, 1e-12);
    cr_assert_float_eq(m.center.y, -0.5, 1e-12); // a quarter of the height above the base
    double axial = 0.3 * 0.25, transverse = 0.15 * 0.25 + 3.0 / 80.0 * 4.0;
    assert_diagonal(&m.unit_inertia, transverse, axial, transverse, 1e-12);
}

Test(mass, of_a_tapered_capsule_agrees_with_a_numerical_integral) {
    const double cases[2][4] = {{0.5, 0.4, 0.2}, {0.3, 0.1, 0.5}};
    for (int k = 0; k < 2; ++k) {
        const double *n = cases[k];
        tni_geometry g = probe_tapered_capsule((float)n[0], (float)n[1], (float)n[2]);
        assert_revolution(&g, get_tapered_radius, n, -n[0] - n[1], n[0] + n[2], 4000, 2e-6);
    }
}

Test(mass, of_a_tapered_capsule_with_one_radius_is_that_of_a_capsule) {
    tni_geometry tapered = probe_tapered_capsule(0.7f, 0.3f, 0.3f),
                 even = probe_capsule(0.7f, 0.3f);
    tni_mass_properties m = tni_geometry_mass_properties(&tapered);
    tni_mass_properties n = tni_geometry_mass_properties(&even);
    cr_assert_float_eq(m.volume, n.volume, 1e-12);
    assert_diagonal(&m.unit_inertia, n.unit_inertia.m[0][0], n.unit_inertia.m[1][1],
                    n.unit_inertia.m[2][2], 1e-12);
}

// Numbers: half length, radius, and the rounding.
static double get_rounded_radius(double y, const double n[4]) {
    double over = fmax(fabs(y) - n[0], 0.0);
    return n[1] + sqrt(fmax(n[3] * n[3] - over * over, 0.0));
}

Test(mass, of_a_rounded_cylinder_agrees_with_a_numerical_integral) {
    const double n[4] = {0.5, 0.4, 0.4, 0.125};
    tni_geometry g = probe_round(probe_cylinder(0.5f, 0.4f, 0.4f), 0.125f);
    assert_revolution(&g, get_rounded_radius, n, -0.625, 0.625, 400000, 1e-6);
}

Test(mass, of_an_ellipsoid_has_its_closed_form_and_rounded_that_of_a_ball) {
    tni_geometry g = probe_ellipsoid(0.5f, 0.25f, 0.75f);
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    cr_assert_float_eq(m.volume, 4.0 / 3.0 * MATHS_PI * 0.5 * 0.25 * 0.75, 1e-12);
    assert_diagonal(&m.unit_inertia, 0.2 * (0.0625 + 0.5625), 0.2 * (0.25 + 0.5625),
                    0.2 * (0.25 + 0.0625), 1e-12);
    g = probe_round(probe_ellipsoid(0.5f, 0.5f, 0.5f), 0.25f);
    m = tni_geometry_mass_properties(&g);
    cr_assert_float_eq(m.volume, 4.0 / 3.0 * MATHS_PI * 0.421875, 1e-10);
    assert_diagonal(&m.unit_inertia, 0.225, 0.225, 0.225, 1e-10);
}

// A spheroid about y: its surface is given by the angle up, and moved out by the rounding.
Test(mass, of_a_rounded_spheroid_agrees_with_a_numerical_integral) {
    const double a = 0.5, b = 0.125, r = 0.25;
    tni_geometry g = probe_round(probe_ellipsoid(0.5f, 0.125f, 0.5f), 0.25f);
    double volume = 0.0, axial = 0.0, square = 0.0, last_y = 0.0, last_rho = 0.0;
    enum {
        SLICES = 400000
    };
    for (int i = 0; i <= SLICES; ++i) {
        double t = MATHS_PI * ((double)i / SLICES - 0.5);
        double along = cos(t) / a, up = sin(t) / b, length = sqrt(along * along + up * up);
        double rho = a * cos(t) + r * along / length, y = b * sin(t) + r * up / length;
        if (i > 0) {
            double mean = 0.5 * (rho + last_rho), at = 0.5 * (y + last_y), dy = y - last_y;
            double area = MATHS_PI * mean * mean * dy;
            volume += area;
            axial += 0.5 * area * mean * mean;
            square += area * at * at;
        }
        last_y = y;
        last_rho = rho;
    }
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    double transverse = 0.5 * axial / volume + square / volume;
    cr_assert_float_eq(m.volume, volume, 1e-6);
    assert_diagonal(&m.unit_inertia, transverse, axial / volume, transverse, 1e-6);
}

// Columns along z of a rounded box: over one quarter, with x and y by the angle where it is round.
static void integrate_rounded_box(const double h[3], double r, double *volume, double second[3]) {
    enum {
        PARTS = 400
    };
    *volume = second[0] = second[1] = second[2] = 0.0;
    for (int i = 0; i < 2 * PARTS; ++i) {
        double ti = 0.5 * MATHS_PI * (i % PARTS + 0.5) / PARTS;
        double y = i < PARTS ? h[1] * (i + 0.5) / PARTS : h[1] + r * sin(ti);
        double dy = i < PARTS ? h[1] / PARTS : r * cos(ti) * 0.5 * MATHS_PI / PARTS;
        double s = i < PARTS ? r : r * cos(ti);
        for (int k = 0; k < 2 * PARTS; ++k) {
            double tk = 0.5 * MATHS_PI * (k % PARTS + 0.5) / PARTS;
            double x = k < PARTS ? h[0] * (k + 0.5) / PARTS : h[0] + s * sin(tk);
            double dx = k < PARTS ? h[0] / PARTS : s * cos(tk) * 0.5 * MATHS_PI / PARTS;
            double top = h[2] + (k < PARTS ? s : s * cos(tk)), column = 8.0 * top * dx * dy;
            *volume += column;
            second[0] += column * x * x;
            second[1] += column * y * y;
            second[2] += column * top * top / 3.0;
        }
    }
}

Test(mass, of_a_rounded_box_agrees_with_a_numerical_integral) {
    const double h[3] = {0.5, 0.25, 0.75};
    double volume, second[3];
    integrate_rounded_box(h, 0.125, &volume, second);
    tni_geometry g = probe_round(probe_box(0.5f, 0.25f, 0.75f), 0.125f);
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    cr_assert_float_eq(m.volume, volume, 2e-6, "%.9g %.9g", m.volume, volume);
    assert_diagonal(&m.unit_inertia, (second[1] + second[2]) / volume,
                    (second[0] + second[2]) / volume, (second[0] + second[1]) / volume, 2e-6);
}

// Steiner: V + A r + M r^2 + 4/3 pi r^3, with M half the sum of lengths times outer angles.
Test(mass, of_a_rounded_tetrahedron_has_steiners_volume) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    const vec3s points[4] = {{{1.0f, 1.0f, 1.0f}},
                             {{1.0f, -1.0f, -1.0f}},
                             {{-1.0f, 1.0f, -1.0f}},
                             {{-1.0f, -1.0f, 1.0f}}};
    tni_hull *hull = NULL;
    cr_assert_eq(tni_hull_build(&allocator, points, 4, &hull), TN_RESULT_OK);
    double a = 2.0 * sqrt(2.0), r = 0.25, outer = MATHS_PI - acos(1.0 / 3.0);
    double volume = a * a * a / (6.0 * sqrt(2.0)) + sqrt(3.0) * a * a * r +
                    0.5 * 6.0 * a * outer * r * r + 4.0 / 3.0 * MATHS_PI * r * r * r;
    tni_geometry g = probe_round(probe_hull(hull), 0.25f);
    tni_mass_properties m = tni_geometry_mass_properties(&g);
    cr_assert_float_eq(m.volume, volume, 1e-6, "%.9g %.9g", m.volume, volume);
    cr_assert(dvec3_length(m.center) < 1e-6);
    double i = m.unit_inertia.m[0][0];
    assert_diagonal(&m.unit_inertia, i, i, i, 1e-6);
    tni_hull_destroy(&allocator, hull);
}
