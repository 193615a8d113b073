// Mass properties: closed forms, and the local pose applied.
#include <criterion/criterion.h>

#include "probe.h"

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
