// Tests of solver/contacts/grain.h: ellipses of friction of one grain and of two.
#include <criterion/criterion.h>
#include <math.h>

#include "solver/contacts/grain.h"

#include "tests/joints/joint_motion.h"

// Gives a grain with these scales along its axes x, y and z, turned by an angle about y.
static tni_grain make_grain(double x, double y, double z, double angle) {
    tni_dquat turn = dquat_turn(dvec3_make(0.0, 1.0, 0.0), angle);
    tni_dmat3 axes = dmat3_from_quat(turn), scale;
    scale = dmat3_rotate_diagonal(&axes, dvec3_make(x, y, z));
    return (tni_grain){dmat3_to_sym3(&scale), maths_quat_identity(), true};
}

// Returns M in the plane across y, on the axes x and z: xx, zz, xz.
static void find_matrix(const tni_contact_extras *extras, double out[3]) {
    tni_grain_axes axes;
    tni_grain_find_axes(extras, NULL, dvec3_make(0.0, 1.0, 0.0), &axes);
    out[0] = out[1] = out[2] = 0.0;
    for (int t = 0; t < 2; ++t) {
        tni_dvec3 e = axes.axis[t];
        out[0] += axes.scale[t] * e.x * e.x;
        out[1] += axes.scale[t] * e.z * e.z;
        out[2] += axes.scale[t] * e.x * e.z;
    }
}

static void expect_matrix(const tni_contact_extras *extras, double xx, double zz, double xz) {
    double m[3];
    find_matrix(extras, m);
    cr_assert(fabs(m[0] - xx) < 2e-6 && fabs(m[1] - zz) < 2e-6 && fabs(m[2] - xz) < 2e-6,
              "%.9g %.9g %.9g", m[0], m[1], m[2]);
}

Test(grain, of_one_surface_is_its_own_ellipse) {
    tni_contact_extras extras = {.grains = {make_grain(0.2, 5.0, 0.7, 0.0)}};
    expect_matrix(&extras, 0.2, 0.7, 0.0);
    tni_contact_extras of_b = {.grains = {{.is_any = false}, extras.grains[0]}};
    expect_matrix(&of_b, 0.2, 0.7, 0.0);
}

Test(grain, turns_with_its_body) {
    tni_contact_extras extras = {.grains = {make_grain(0.2, 1.0, 1.0, 0.3)}};
    double c = cos(0.3), s = -sin(0.3);
    expect_matrix(&extras, 0.2 * c * c + s * s, 0.2 * s * s + c * c, -0.8 * c * s);
    tni_contact_extras level = {.grains = {make_grain(0.2, 1.0, 1.0, 0.0)}};
    const tni_dquat turned[2] = {dquat_turn(dvec3_make(0.0, 1.0, 0.0), 0.3), dquat_identity()};
    tni_grain_axes axes, same;
    tni_grain_find_axes(&extras, NULL, dvec3_make(0.0, 1.0, 0.0), &axes);
    tni_grain_find_axes(&level, turned, dvec3_make(0.0, 1.0, 0.0), &same);
    cr_assert(fabs(dvec3_dot(axes.axis[0], same.axis[0])) > 1.0 - 1e-6);
    cr_assert(fabs(axes.scale[1] - 0.2) < 1e-6 && fabs(same.scale[1] - 0.2) < 1e-6);
}

Test(grain, of_two_surfaces_multiplies_along_common_axes) {
    tni_contact_extras extras = {
        .grains = {make_grain(0.2, 1.0, 3.0, 0.0), make_grain(0.5, 1.0, 0.1, 0.0)}};
    expect_matrix(&extras, 0.1, 0.3, 0.0);
    tni_contact_extras none = {
        .grains = {make_grain(0.2, 1.0, 3.0, 0.0), make_grain(1.0, 1.0, 1.0, 0.0)}};
    expect_matrix(&none, 0.2, 3.0, 0.0);
}

Test(grain, of_two_surfaces_does_not_depend_on_their_order) {
    test_random random = {.state = 11};
    for (int i = 0; i < 100; ++i) {
        tni_grain a =
            make_grain(random_between(&random, 0.01, 2.0), 1.0, random_between(&random, 0.01, 2.0),
                       random_between(&random, 0.0, 3.0));
        tni_grain b =
            make_grain(random_between(&random, 0.01, 2.0), 1.0, random_between(&random, 0.01, 2.0),
                       random_between(&random, 0.0, 3.0));
        tni_contact_extras one = {.grains = {a, b}}, other = {.grains = {b, a}};
        double m[3];
        find_matrix(&one, m);
        expect_matrix(&other, m[0], m[1], m[2]);
    }
}

// Two blades that cross each other hold in all directions as the mean of both does: both are 1
// across and 0.01 along.
Test(grain, of_crossed_blades_is_alike_in_all_directions) {
    tni_contact_extras extras = {
        .grains = {make_grain(0.01, 1.0, 1.0, 0.0), make_grain(1.0, 1.0, 0.01, 0.0)}};
    expect_matrix(&extras, 0.01, 0.01, 0.0);
}

Test(grain, of_zero_leaves_a_direction_with_hardly_any_friction) {
    tni_contact_extras extras = {.grains = {make_grain(0.0, 1.0, 1.0, 0.0)}};
    tni_grain_axes axes;
    tni_grain_find_axes(&extras, NULL, dvec3_make(0.0, 1.0, 0.0), &axes);
    cr_assert(fabs(axes.scale[0] - 1.0) < 1e-6);
    cr_assert(axes.scale[1] > 0.0 && axes.scale[1] <= 1.001 * TNI_GRAIN_LEAST);
    tni_contact_extras flat = {.grains = {make_grain(0.0, 1.0, 0.0, 0.0)}};
    tni_grain_find_axes(&flat, NULL, dvec3_make(0.0, 1.0, 0.0), &axes);
    cr_assert(axes.scale[0] == 0.0 && axes.scale[1] == 0.0);
    flat.grains[1] = flat.grains[0];
    tni_grain_find_axes(&flat, NULL, dvec3_make(0.0, 1.0, 0.0), &axes);
    cr_assert(axes.scale[0] == 0.0 && axes.scale[1] == 0.0);
}
