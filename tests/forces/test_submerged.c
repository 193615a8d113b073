// What of a shape is under a plane, against closed forms and against each other.
#include <criterion/criterion.h>

#include "collision/hull.h"
#include "forces/force.h"

TestSuite(submerged, .timeout = 60);

static const tni_dvec3 up = {0.0, 1.0, 0.0};

static tni_submerged measure(const tni_geometry *geometry, const tni_dpose *frame, tni_dvec3 n,
                             double level) {
    tni_submerged sum = {0};
    tni_submerged_add(geometry, frame, n, level, &sum);
    return sum;
}

static tni_dpose pose_make(double x, double y, double z, double angle) {
    double s = sin(0.5 * angle) / sqrt(3.0);
    tni_dpose pose = {{x, y, z}, {s, s, s, cos(0.5 * angle)}};
    return pose;
}

static tni_geometry box_geometry(float x, float y, float z) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_BOX, .rotation = maths_quat_identity()};
    geometry.box.half_extents = maths_vec3(x, y, z);
    return geometry;
}

Test(submerged, a_level_box_is_under_by_its_draught) {
    tni_geometry box = box_geometry(1.0f, 0.5f, 2.0f);
    tni_dpose pose = pose_make(3.0, 0.2, 1.0, 0.0);
    tni_submerged sum = measure(&box, &pose, up, 0.0);
    cr_assert(fabs(sum.volume - 2.0 * 4.0 * 0.3) < 1e-7, "%g", sum.volume);
    cr_assert(fabs(sum.moment.y / sum.volume + 0.15) < 1e-7);
    cr_assert(fabs(sum.moment.x / sum.volume - 3.0) < 1e-7);
    cr_assert(fabs(sum.whole - 8.0) < 1e-6);
}

Test(submerged, a_box_that_is_turned_is_under_in_two_halves) {
    tni_geometry box = box_geometry(0.7f, 0.4f, 0.2f);
    for (int i = 0; i < 50; ++i) {
        tni_dpose pose = pose_make(0.3, 0.02 * i - 0.5, -0.1, 0.37 * i);
        tni_dvec3 down = dvec3_scale(up, -1.0);
        tni_submerged below = measure(&box, &pose, up, 0.0),
                      above = measure(&box, &pose, down, 0.0);
        cr_assert(fabs(below.volume + above.volume - below.whole) < 1e-7);
        tni_dvec3 moment = dvec3_add(below.moment, above.moment);
        moment = dvec3_add_scaled(moment, -below.whole, pose.position);
        cr_assert(dvec3_length(moment) < 1e-7, "%g", dvec3_length(moment));
        cr_assert(below.volume <= 0.0 || below.moment.y / below.volume <= 1e-12);
    }
}

Test(submerged, a_tetrahedron_is_cut_by_the_cube_of_the_height) {
    const vec3s corners[4] = {maths_vec3(0, 1, 0), maths_vec3(1, 0, 0), maths_vec3(-1, 0, 1),
                              maths_vec3(-1, 0, -1)};
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_hull *hull;
    cr_assert(tni_hull_build(&allocator, corners, 4, &hull) == TN_RESULT_OK);
    tni_geometry geometry = {.type = TNI_GEOMETRY_HULL, .rotation = maths_quat_identity()};
    geometry.hull.hull = hull;
    tni_dpose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    for (int i = 0; i <= 10; ++i) {
        double level = 0.1 * i, rest = 1.0 - level;
        tni_submerged sum = measure(&geometry, &pose, up, level);
        cr_assert(fabs(sum.volume - (1.0 - rest * rest * rest) * sum.whole) < 1e-7);
    }
    tni_hull_destroy(&allocator, hull);
}

Test(submerged, half_a_ball_is_under_with_its_centre_three_eighths_down) {
    tni_geometry ball = {.type = TNI_GEOMETRY_SPHERE, .rotation = maths_quat_identity()};
    ball.sphere.radius = 2.0f;
    tni_dpose pose = {{1, 5, 2}, {0, 0, 0, 1}};
    tni_submerged sum = measure(&ball, &pose, up, 5.0);
    cr_assert(fabs(sum.volume - 0.5 * sum.whole) < 1e-12);
    cr_assert(fabs(sum.moment.y / sum.volume - (5.0 - 0.75)) < 1e-12);
    cr_assert(measure(&ball, &pose, up, 2.9).volume == 0.0);
    cr_assert(fabs(measure(&ball, &pose, up, 7.1).volume - sum.whole) < 1e-12);
}

// In slices, of which all together are whole; the numbers are floats.
Test(submerged, a_capsule_is_under_as_its_halves_say) {
    tni_geometry capsule = {.type = TNI_GEOMETRY_CAPSULE, .rotation = maths_quat_identity()};
    capsule.capsule.radius = 0.3f;
    capsule.capsule.half_length = 0.8f;
    for (int i = 0; i < 40; ++i) {
        tni_dpose pose = pose_make(0.2, 0.0, 0.0, 0.3 * i);
        tni_submerged half = measure(&capsule, &pose, up, 0.0);
        cr_assert(fabs(half.volume / half.whole - 0.5) < 2e-4, "%g", half.volume / half.whole);
        tni_submerged all = measure(&capsule, &pose, up, 2.0);
        cr_assert(fabs(all.volume / all.whole - 1.0) < 1e-6, "%g", all.volume / all.whole);
        tni_submerged part = measure(&capsule, &pose, up, 0.15);
        tni_submerged rest = measure(&capsule, &pose, dvec3_scale(up, -1.0), -0.15);
        cr_assert(fabs((part.volume + rest.volume) / all.volume - 1.0) < 1e-9);
    }
}

Test(submerged, a_half_space_has_no_volume) {
    tni_geometry plane = {.type = TNI_GEOMETRY_HALF_SPACE, .rotation = maths_quat_identity()};
    tni_dpose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    tni_submerged sum = measure(&plane, &pose, up, 1.0);
    cr_assert(sum.volume == 0.0 && sum.whole == 0.0);
}

static tni_geometry cylinder_geometry(float half, float bottom, float top) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_CYLINDER, .rotation = maths_quat_identity()};
    geometry.cylinder.half_length = half;
    geometry.cylinder.radius_bottom = bottom;
    geometry.cylinder.radius_top = top;
    return geometry;
}

static tni_geometry curved_geometry(int kind) {
    tni_geometry geometry = cylinder_geometry(0.4f, 0.5f, 0.2f);
    geometry.rounding = kind == 1 || kind >= 4 ? 0.1f : 0.0f;
    if (kind == 2) {
        geometry.type = TNI_GEOMETRY_TAPERED_CAPSULE;
    } else if (kind == 3 || kind == 4) {
        geometry.type = TNI_GEOMETRY_ELLIPSOID;
        geometry.ellipsoid.radii = maths_vec3(0.5f, 0.3f, 0.7f);
    } else if (kind == 5) {
        geometry.type = TNI_GEOMETRY_BOX;
        geometry.box.half_extents = maths_vec3(0.7f, 0.4f, 0.2f);
    }
    return geometry;
}

Test(submerged, an_upright_cone_is_under_by_its_frustum) {
    tni_geometry cone = cylinder_geometry(0.5f, 0.5f, 0.0f);
    tni_dpose pose = pose_make(0.0, 0.0, 0.0, 0.0);
    tni_submerged sum = measure(&cone, &pose, up, 0.0); // half of its height
    double whole = MATHS_PI * 0.25 / 3.0;
    cr_assert(fabs(sum.volume - whole * 0.875) < 1e-4, "%g %g", sum.volume, whole * 0.875);
}

Test(submerged, half_of_an_ellipsoid_is_under_at_its_middle) {
    tni_geometry egg = curved_geometry(3);
    tni_dpose pose = pose_make(1.0, 0.25, -2.0, 0.8);
    tni_submerged sum = measure(&egg, &pose, up, 0.25);
    cr_assert(fabs(sum.volume - 0.5 * sum.whole) < 1e-9);
    // The centre of a half ball is 3 r / 8 from its middle, and its axes are stretched.
    tni_dpose level = pose_make(0.0, 0.0, 0.0, 0.0);
    sum = measure(&egg, &level, up, 0.0);
    cr_assert(fabs(sum.moment.y / sum.volume + 0.375 * 0.3) < 1e-7);
}

Test(submerged, curved_and_rounded_shapes_are_under_in_two_halves) {
    for (int kind = 0; kind < 6; ++kind) {
        tni_geometry geometry = curved_geometry(kind);
        for (int i = 0; i < 40; ++i) {
            tni_dpose pose = pose_make(0.3, 0.03 * i - 0.6, -0.1, 0.37 * i);
            tni_dvec3 down = dvec3_scale(up, -1.0);
            tni_submerged below = measure(&geometry, &pose, up, 0.0);
            tni_submerged above = measure(&geometry, &pose, down, 0.0);
            double error = fabs(below.volume + above.volume - below.whole) / below.whole;
            cr_assert(error < 2e-3, "kind %d: %g", kind, error);
            tni_mass_properties mass = tni_geometry_mass_properties(&geometry);
            tni_dvec3 center = dvec3_add(pose.position, dquat_rotate(pose.rotation, mass.center));
            tni_dvec3 moment = dvec3_add(below.moment, above.moment);
            moment = dvec3_add_scaled(moment, -below.whole, center);
            cr_assert(dvec3_length(moment) < 2e-3 * below.whole, "kind %d: %g", kind,
                      dvec3_length(moment));
        }
    }
}
