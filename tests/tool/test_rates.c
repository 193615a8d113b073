// tests/tool/test_rates.c: `tenon rates` lists the figures of a scene that depend on the step rate.
#ifdef TENON_TOOL_PATH

#include "tests/support/tool.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

// The pendulum's errors change by whole factors, but are nothing beside its size.
Test(rates, scene_that_converges_is_not_listed) {
    tool_result result = tool_run("rates pendulum");
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "\n0 of 1 scenes change by more than 5 %"), "%s",
                       result.text);
    cr_expect_null(strstr(result.text, "energy_change"));
}

// The piston's torque is the mean over a step, which is a radian long at 60 Hz.
Test(rates, figure_that_depends_on_the_step_is_listed_with_both_values) {
    tool_result result = tool_run("rates piston --time 1.5");
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "\n1 of 1 scenes change"), "%s", result.text);
    const char *line = strstr(result.text, "\npiston");
    double coarse, fine, change;
    cr_assert_not_null(line, "%s", result.text);
    cr_assert_eq(sscanf(line, "\npiston motor_torque %lf %lf %lf %%", &coarse, &fine, &change), 3,
                 "%s", line);
    double larger = coarse * coarse > fine * fine ? coarse : fine;
    double share = 100.0 * (coarse - fine) / larger;
    cr_expect((share > 0.0 ? share : -share) > change - 0.6);
    cr_expect((share > 0.0 ? share : -share) < change + 0.6);
    cr_expect_null(strstr(line, "joint_gap"));
    cr_expect_null(strstr(line, "stroke_m")); // 4 % less
    // At rates that are alike it is not.
    result = tool_run("rates piston --time 1 --hz 240,240");
    cr_expect_not_null(strstr(result.text, "\n0 of 1 scenes change"), "%s", result.text);
}

Test(rates, wrong_arguments_are_refused) {
    const char *const wrong[][2] = {
        {"rates nobody", "no scene has the name"},
        {"rates pendulum --hz 60", "--hz: expected two numbers"},
        {"rates pendulum --set length=-1", "--set length"},
        {"rates pendulum --svg x.svg", "is not an option"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tool_result result = tool_run("%s", wrong[i][0]);
        cr_expect_eq(result.status, 2, "%s", wrong[i][0]);
        cr_expect_not_null(strstr(result.text, wrong[i][1]), "%s: %s", wrong[i][0], result.text);
    }
}

#else
typedef int test_rates_needs_the_tool;
#endif
