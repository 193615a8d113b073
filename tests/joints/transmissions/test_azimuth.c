// The angle of a vector about a body's axis: its turns in the large, and where it has none. Its
// derivatives are tested with the joints that are made of it: test_exact_rows.c.
#include "joints/transmissions/azimuth.h"

#include <criterion/criterion.h>

static const tni_axes axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

Test(azimuth, is_counted_from_y_to_z) {
    for (int i = -7; i <= 7; ++i) {
        double angle = 0.4 * i;
        tni_dvec3 v = {0.3, 2.0 * cos(angle), 2.0 * sin(angle)};
        tni_azimuth azimuth = tni_azimuth_of_direction(&axes, v, false);
        cr_assert_float_eq(azimuth.angle, angle, 1e-14);
        cr_assert_float_eq(azimuth.inverse, 0.5, 1e-14);
        cr_assert_float_eq(dvec3_dot(azimuth.e, v), 2.0, 1e-14);
        cr_assert_float_eq(dvec3_dot(azimuth.t, v), 0.0, 1e-14);
    }
}

Test(azimuth, grows_as_the_vector_turns_and_falls_as_its_own_body_does) {
    tni_body_motion still = {.rotation = {0.0, 0.0, 0.0, 1.0}}, turning = still;
    turning.angular_velocity.x = 3.0;
    tni_azimuth azimuth = tni_azimuth_of_direction(&axes, dvec3_make(0.0, 1.0, 0.5), false);
    cr_assert_float_eq(tni_azimuth_get_rate(&azimuth, &still, &turning), 3.0, 1e-14);
    cr_assert_float_eq(tni_azimuth_get_rate(&azimuth, &turning, &still), -3.0, 1e-14);
    tni_azimuth of_world = tni_azimuth_of_direction(&axes, dvec3_make(0.0, 1.0, 0.5), true);
    cr_assert_float_eq(tni_azimuth_get_rate(&of_world, &still, &turning), 0.0, 1e-14);
    cr_assert_float_eq(tni_azimuth_get_rate(&of_world, &turning, &turning), -3.0, 1e-14);
}

Test(azimuth, of_a_vector_along_the_axis_has_no_rows) {
    tni_body_motion motion = {.rotation = {0.0, 0.0, 0.0, 1.0},
                              .velocity = {1.0, 2.0, 3.0},
                              .angular_velocity = {4.0, 5.0, 6.0}};
    tni_azimuth azimuth = tni_azimuth_of_line(&axes, dvec3_make(2.0, 0.0, 0.0),
                                              dvec3_make(0.1, 0.2, 0.3), dvec3_make(0.3, 0.2, 0.1));
    cr_assert(azimuth.angle == 0.0 && azimuth.inverse == 0.0);
    cr_assert_eq(tni_azimuth_get_rate(&azimuth, &motion, &motion), 0.0);
    cr_assert_eq(tni_azimuth_get_term(&azimuth, &motion, &motion), 0.0);
    tni_exact_row row;
    tni_rows rows = {.ends = {&motion, &motion}, .exact = &row};
    tni_rows_put_azimuth(&rows, tni_rows_begin(&rows, true), &azimuth, 1.0, 0);
    for (int i = 0; i < 12; ++i) {
        cr_assert_eq(row.jacobian[i], 0.0);
    }
}
