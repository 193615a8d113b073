// Whole turns of an angle, from pose to pose.
#include "joints/parts/turns.h"

#include <criterion/criterion.h>

#define PI 3.14159265358979323846

static double wrap(double angle) {
    return angle - 2.0 * PI * floor(angle / (2.0 * PI) + 0.5);
}

Test(turns, take_the_nearest_angle) {
    tni_turns turns;
    tni_turns_start(&turns, 3.0);
    double angle = 3.0;
    for (int i = 0; i < 100; ++i) {
        angle += 3.1;
        tni_turns_take(&turns, wrap(angle));
        cr_assert_float_eq(tni_turns_get_angle(&turns, turns.rest), angle, 1e-10);
    }
    for (int i = 0; i < 200; ++i) {
        angle -= 3.1;
        tni_turns_take(&turns, wrap(angle));
        cr_assert_float_eq(tni_turns_get_angle(&turns, turns.rest), angle, 1e-10);
    }
}

Test(turns, look_as_far_ahead_as_they_are_told) {
    tni_turns turns;
    tni_turns_start(&turns, 0.5);
    double angle = 0.5;
    for (int i = 0; i < 100; ++i) {
        turns.ahead = 40.0; // what comes of it is within half a turn
        angle += i % 2 == 0 ? 42.9 : 37.1;
        cr_assert_float_eq(tni_turns_get_angle(&turns, wrap(angle)), angle, 1e-9);
        tni_turns_take(&turns, wrap(angle));
        cr_assert_eq(turns.ahead, 0.0);
    }
}

Test(turns, of_what_is_no_number_stay_as_they_were) {
    tni_turns turns;
    tni_turns_start(&turns, 0.5);
    turns.count = 7;
    cr_assert_eq(tni_turns_count(&turns, (double)NAN), 7);
    turns.ahead = (double)INFINITY;
    cr_assert_eq(tni_turns_count(&turns, 0.5), 7);
    turns.ahead = -1e300;
    cr_assert_eq(tni_turns_count(&turns, 0.5), 7);
}
