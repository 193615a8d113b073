// Vehicles keep to their line, their speed and their turn, on wheels and on tracks.
#include "tests/scenes/scene_test.h"
#include "tests/support/long_test.h"

#include <math.h>

// Runs a scene for a time, with up to three options changed.
static scene_run *drive(const char *name, const scene_choice choices[3], double time, double hz) {
    const scene *found = scene_find(name);
    cr_assert_not_null(found);
    double values[SCENE_MAX_OPTIONS];
    cr_assert(scene_get_values(found, choices, choices != NULL ? 3 : 0, values));
    scene_run *run = scene_run_create(found, values, NULL);
    cr_assert_not_null(run);
    for (int i = 0; i < (int)(hz * time + 0.5); ++i) {
        cr_assert(scene_run_step(run, 1.0 / hz, 4) == TN_RESULT_OK);
    }
    scene_run_measure(run);
    return run;
}

// ---- a car on the wheel joint -------------------------------------------------------------------

// At 60 and at 240 Hz alike: it comes to the end of the road within 0.05 s, and keeps the same
// distance from its line within 2 cm. (Measured: 0.025 s and 1.2 cm.)
LONG_TEST(vehicles, car_follows_its_line_over_hills_bank_and_ramp, .timeout = 60) {
    double arrival[2], off[2];
    for (int i = 0; i < 2; ++i) {
        scene_run *run = drive("vehicle", NULL, 12.0, i == 0 ? 60.0 : 240.0);
        arrival[i] = get_figure(run, "time_end_s");
        off[i] = get_figure(run, "off_line_max_m");
        cr_assert(arrival[i] > 11.0 && off[i] < 0.2, "%g s, %g m", arrival[i], off[i]);
        cr_assert(fabs(get_figure(run, "speed_m_s") - 7.0) < 0.4);
        double tilt = get_figure(run, "tilt_max_rad"); // the bank is 0.2 rad steep
        cr_assert(tilt > 0.18 && tilt < 0.28, "%g rad", tilt);
        cr_assert(get_figure(run, "joint_gap_max_m") < 2e-3);
        cr_assert(get_figure(run, "penetration_max_m") < 4e-3);
        scene_run_destroy(run);
    }
    cr_assert(fabs(arrival[0] - arrival[1]) < 0.05 && fabs(off[0] - off[1]) < 0.02,
              "%g and %g s, %g and %g m", arrival[0], arrival[1], off[0], off[1]);
}

// On a level road, over hundreds of edges of triangles, a car that rolls by itself loses at most 2
// % of its speed to the bends of its way, and nothing brakes it harder than these.
Test(vehicles, wheels_roll_over_triangles_without_catching, .timeout = 60) {
    const scene_choice level[3] = {{"height", 0.0}, {"torque", 0.0}, {"cell", 0.5}};
    scene_run *run = drive("vehicle", level, 12.0, 60.0);
    cr_assert(get_figure(run, "driven_m") > 82.0, "%g m", get_figure(run, "driven_m"));
    cr_assert(get_figure(run, "speed_m_s") > 6.86, "%g m/s", get_figure(run, "speed_m_s"));
    cr_assert(get_figure(run, "slip_max_m_s") < 0.1, "%g m/s", get_figure(run, "slip_max_m_s"));
    cr_assert(get_figure(run, "jolt_max_m_s2") < 0.25, "%g", get_figure(run, "jolt_max_m_s2"));
    scene_run_destroy(run);
}

LONG_TEST(vehicles, car_that_rolls_by_itself_gains_no_energy, .timeout = 60) {
    const scene_choice rolling[3] = {{"torque", 0.0}, {NULL, 0.0}, {NULL, 0.0}};
    scene_run *run = drive("vehicle", rolling, 12.0, 60.0);
    double gain = get_figure(run, "energy_gain_max_relative");
    cr_assert(gain < 1e-3, "%g", gain);
    cr_assert(get_figure(run, "driven_m") > 70.0);
    scene_run_destroy(run);
}

// ---- a car on rays ------------------------------------------------------------------------------

// It drives over the planks, which stay where they are, follows the line as the car on wheel
// joints does, and stops in the distance of its tyres' friction of 0.9, at 60 and at 240 Hz alike.
LONG_TEST(vehicles, buggy_follows_its_line_and_stops_by_friction, .timeout = 60) {
    double arrival[3];
    for (int i = 0; i < 3; ++i) {
        const scene_choice balls[3] = {{"balls", 1.0}, {NULL, 0.0}, {NULL, 0.0}};
        scene_run *run = drive("buggy", i == 2 ? balls : NULL, 15.0, i == 1 ? 240.0 : 60.0);
        arrival[i] = get_figure(run, "time_end_s");
        cr_assert(arrival[i] > 11.0 && get_figure(run, "off_line_max_m") < 0.2);
        cr_assert(get_figure(run, "tilt_max_rad") < 0.28);
        cr_assert(get_figure(run, "plank_shift_max_m") < 0.01);
        double speed = get_figure(run, "brake_speed_m_s"), way = get_figure(run, "braked_m");
        double expected = speed * speed / (2.0 * 0.9 * 9.81);
        cr_assert(fabs(way - expected) < 0.03 * expected, "%g m, not %g", way, expected);
        cr_assert(fabs(get_figure(run, "speed_m_s")) < 1e-3);
        scene_run_destroy(run);
    }
    cr_assert(fabs(arrival[0] - arrival[1]) < 0.05 && fabs(arrival[0] - arrival[2]) < 0.05);
}

// ---- a tank on tracks ---------------------------------------------------------------------------

static scene_run *drive_tank(double step, double turn_at, double time, double hz) {
    const scene_choice choices[3] = {{"step", step}, {"turn_at", turn_at}, {NULL, 0.0}};
    return drive("tank", choices, time, hz);
}

Test(vehicles, tank_drives_straight_at_the_speed_of_its_tracks) {
    for (int i = 0; i < 2; ++i) {
        scene_run *run = drive_tank(0.0, 100.0, 6.0, i == 0 ? 60.0 : 240.0);
        cr_assert(fabs(get_figure(run, "speed_m_s") - 1.5) < 1e-3);
        // Until it is as fast as the tracks it slides with the friction of 0.6 and 1: sqrt(0.6).
        double start = 1.5 * 1.5 / (2.0 * sqrt(0.6) * 9.81), driven = 6.0 * 1.5 - start;
        cr_assert(fabs(get_figure(run, "driven_m") - driven) < 0.03, "%g m, not %g",
                  get_figure(run, "driven_m"), driven);
        cr_assert(fabs(get_figure(run, "aside_m")) < 1e-3);
        scene_run_destroy(run);
    }
}

// The torque about the tank's middle, in shares of the load and for one end of a track of speed v,
// of which points at `half` in front and `z` aside slide, and twist is held with an arm.
static double get_turning_torque(double rate, double v, double half, double z, double arm) {
    double along = rate * z - v, across = rate * half;
    return (along * z + across * half) / hypot(along, across) + arm;
}

// The rate at which the torques of the four ends are balanced.
static double find_turn_rate(double v, double half, const double *z, int count, double arm) {
    double lower = 0.0, upper = v / z[0];
    for (int i = 0; i < 60; ++i) {
        double rate = 0.5 * (lower + upper), sum = 0.0;
        for (int k = 0; k < count; ++k) {
            sum += get_turning_torque(rate, v, half, z[k], arm);
        }
        lower = sum < 0.0 ? rate : lower;
        upper = sum < 0.0 ? upper : rate;
    }
    return lower;
}

// Four lines, 0.4 m long, bear the tank. It turns at a rate between that at which the ends of the
// lines slide each by itself, 0.593 rad/s, and that at which each line slides as a whole and holds
// against twist with half its length, 0.493 rad/s. (Measured: 0.522, and 0.510 at 240 Hz.)
Test(vehicles, tank_turns_on_the_spot_as_friction_lets_it) {
    const double ends[2] = {0.7, 1.1}, middle[1] = {0.9};
    double fastest = find_turn_rate(1.5, 1.2, ends, 2, 0.0);
    double slowest = find_turn_rate(1.5, 1.2, middle, 1, 0.2);
    for (int i = 0; i < 2; ++i) {
        scene_run *run = drive_tank(0.0, 0.0, 6.0, i == 0 ? 60.0 : 240.0);
        double rate = get_figure(run, "turn_rate_rad_s");
        cr_assert(rate > slowest && rate < fastest, "%g rad/s, not %g to %g", rate, slowest,
                  fastest);
        double off = hypot(get_figure(run, "driven_m"), get_figure(run, "aside_m"));
        cr_assert(off < 0.2, "it is %g m from its place", off);
        scene_run_destroy(run);
    }
}

Test(vehicles, tank_climbs_a_step_and_goes_on_at_its_speed) {
    const double steps[2] = {0.25, 0.34};
    for (int i = 0; i < 2; ++i) {
        scene_run *run = drive_tank(steps[i], 100.0, 7.0, 60.0);
        cr_assert(fabs(get_figure(run, "rise_m") - steps[i]) < 2e-3, "%g m",
                  get_figure(run, "rise_m"));
        cr_assert(fabs(get_figure(run, "speed_m_s") - 1.5) < 5e-3);
        cr_assert(get_figure(run, "driven_m") > 8.5 && fabs(get_figure(run, "aside_m")) < 0.05);
        cr_assert(get_figure(run, "tilt_max_rad") > asin(steps[i] / 2.4) &&
                  get_figure(run, "tilt_max_rad") < 0.6);
        scene_run_destroy(run);
    }
}
