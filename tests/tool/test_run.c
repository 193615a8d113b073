// tests/tool/test_run.c: what `tenon run` writes, and how it takes its command line.
#ifdef TENON_TOOL_PATH

#include "tests/support/long_test.h"
#include "tests/support/tool.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES TENON_DATA_PATH "/cases/"

// The number after `name,` on the first line that starts with `t,name,`.
static double find_output(const char *text, const char *time, const char *name) {
    char start[128];
    snprintf(start, sizeof start, "\n%s,%s,", time, name);
    const char *at = strstr(text, start);
    return at != NULL ? strtod(at + strlen(start), NULL) : (double)NAN;
}

static size_t count_fields(const char *line) {
    size_t count = 1;
    for (const char *c = line; *c != '\0' && *c != '\n'; c++) {
        count += *c == ',';
    }
    return count;
}

// The path of a scratch file of this test.
static const char *scratch(char *out, size_t size, const char *name) {
    snprintf(out, size, "%s", tool_get_path(name));
    return out;
}

Test(run, csv_has_a_row_for_each_body_and_sample) {
    char path[1024];
    scratch(path, sizeof path, "run_rows.csv");
    tool_result result =
        tool_run("run '%s' --time 1 --quiet --csv '%s'", CASES "A02_fourbar_n1.json", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *text = tool_read_file(path);
    const char *head = "t,body,px,py,pz,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz\n";
    cr_assert_eq(strncmp(text, head, strlen(head)), 0);
    cr_expect_eq(tool_count_lines(text), 1 + 3 * 21); // three bodies, every 0.05 s from 0 to 1
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        cr_assert_eq(count_fields(line), 15);
    }
    // 17 digits: a double is read back as it was.
    cr_expect_not_null(strstr(text, "\n0.050000000000000003,crank0,"));
    free(text);
}

Test(run, pendulum_is_where_the_elliptic_functions_say) {
    char path[1024];
    scratch(path, sizeof path, "run_pendulum.csv");
    tool_result result = tool_run("run '%s' --quiet --csv '%s'", CASES "A01_pendulum.json", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *text = tool_read_file(path);
    const char *last = strstr(text, "\n10,bob,");
    cr_assert_not_null(last);
    double x, y;
    cr_assert_eq(sscanf(last, "\n10,bob,%lf,%lf", &x, &y), 2);
    // After 4.2 swings; second-order at 1/240 s substeps leaves about 2 mm.
    cr_expect_lt(hypot(x - 0.2750874625761, y + 0.9614192050991), 5e-3, "%g %g", x, y);
    free(text);
}

Test(run, sample_that_is_no_whole_number_of_steps_gives_every_step) {
    char path[1024];
    scratch(path, sizeof path, "run_steps.csv");
    tool_result result =
        tool_run("run '%s' --hz 70 --time 1 --quiet --csv '%s'", CASES "A01_pendulum.json", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *text = tool_read_file(path);
    cr_expect_eq(tool_count_lines(text), 1 + 71);
    free(text);
    // Asked for by hand it gives the first step at or after each multiple: 0.05 -> 4/70, 0.1 ->
    // 7/70.
    result = tool_run("run '%s' --hz 70 --sample 0.05 --time 1 --quiet --csv '%s'",
                      CASES "A01_pendulum.json", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    text = tool_read_file(path);
    cr_expect_eq(tool_count_lines(text), 1 + 21);
    char row[64];
    snprintf(row, sizeof row, "\n%.17g,bob,", 4.0 / 70.0);
    cr_expect_not_null(strstr(text, row));
    free(text);
}

Test(run, bounces_are_reported_at_every_step) {
    char path[1024];
    scratch(path, sizeof path, "run_bounce.csv");
    tool_result result =
        tool_run("run '%s' --time 1 --quiet --csv '%s'", CASES "bounce_e08.json", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *text = tool_read_file(path);
    cr_expect_eq(tool_count_lines(text), 1 + 61);
    free(text);
}

Test(run, hanging_weight_pulls_with_its_weight) {
    static const char *const hanging =
        "{\"case\": \"hang\", \"gravity\": [0, -9.81, 0], \"t_end\": 1, \"bodies\": [{\"name\": "
        "\"load\","
        " \"mass\": 2, \"inertia\": [1, 1, 1], \"position\": [0, -1, 0]}], \"joints\": [{\"type\": "
        "\"ball\","
        " \"name\": \"hook\", \"b\": \"load\", \"anchor\": [0, 0, 0]}]}";
    char path[1024], outputs[1024];
    tool_write_file("run_hang.json", hanging, path, sizeof path);
    scratch(outputs, sizeof outputs, "run_hang.csv");
    tool_result result = tool_run("run '%s' --quiet --outputs '%s'", path, outputs);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *text = tool_read_file(outputs);
    cr_assert_eq(strncmp(text, "t,name,value\n", 13), 0);
    // 2 kg at 9.81 m/s²: to the round-off of a float, at the end and at the start.
    cr_expect_float_eq(find_output(text, "1", "hook.force_y"), 19.62, 1e-3);
    cr_expect_float_eq(find_output(text, "0", "hook.force_y"), 19.62, 5e-2);
    cr_expect_float_eq(find_output(text, "1", "hook.force_x"), 0.0, 1e-3);
    free(text);
}

Test(run, motor_turns_at_its_speed_whatever_the_order_of_its_bodies) {
    static const char *const text = "{\"case\": \"motor\", \"gravity\": [0, 0, 0], \"t_end\": 1, "
                                    "\"bodies\": [{\"name\": \"wheel\","
                                    " \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"position\": [0, "
                                    "0, 0]}], \"joints\": [{\"type\":"
                                    " \"hinge\", \"a\": \"wheel\", \"b\": \"world\", \"anchor\": "
                                    "[0, 0, 0], \"axis\": [0, 0, -1]},"
                                    " {\"type\": \"motor\", \"a\": \"world\", \"b\": \"wheel\", "
                                    "\"axis\": [0, 0, 1], \"speed\": 3}]}";
    char path[1024], csv[1024];
    tool_write_file("run_motor.json", text, path, sizeof path);
    scratch(csv, sizeof csv, "run_motor.csv");
    tool_result result = tool_run("run '%s' --quiet --csv '%s'", path, csv);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *rows = tool_read_file(csv);
    const char *last = strstr(rows, "\n1,wheel,");
    cr_assert_not_null(last);
    cr_expect_float_eq(strtod(strrchr(last, ',') + 1, NULL), 3.0, 1e-4);
    free(rows);
}

// At most 2e-3 s off: the throw's own error by then, at 20 rad/s of the sling.
Test(run, release_does_not_wait_for_the_end_of_the_step) {
    char path[1024];
    scratch(path, sizeof path, "run_release.csv");
    for (int hz = 60; hz <= 240; hz *= 2) {
        tool_result result = tool_run("run '%s' --hz %d --quiet --events '%s'",
                                      CASES "trebuchet_12m.json", hz, path);
        cr_assert_eq(result.status, 0, "%s", result.text);
        char *text = tool_read_file(path);
        const char *at = strstr(text, ",release,sling,");
        cr_assert_not_null(at);
        while (at > text && at[-1] != '\n') {
            at -= 1;
        }
        cr_expect_float_eq(strtod(at, NULL), 1.432784421696, 2e-3);
        free(text);
    }
}

Test(run, case_of_criteria_writes_its_quantities) {
    char path[1024];
    scratch(path, sizeof path, "run_topple.csv");
    tool_result result = tool_run("run '%s' --quiet --csv '%s'", CASES "topple_box.json", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *text = tool_read_file(path);
    cr_expect_str_eq(text, "scenario,quantity,value\n"
                           "tilt_x0.90,stands,1\ntilt_x0.97,stands,1\n"
                           "tilt_x1.03,stands,0\ntilt_x1.10,stands,0\n");
    free(text);
}

Test(run, twice_and_on_two_threads_comes_to_the_same) {
    tool_result first = tool_run("run pyramid --time 0.5");
    tool_result second = tool_run("run pyramid --time 0.5");
    tool_result third = tool_run("run pyramid --time 0.5 --workers 2");
    const char *hash = strstr(first.text, "state hash: ");
    cr_assert_eq(first.status, 0, "%s", first.text);
    cr_assert_not_null(hash);
    cr_expect_not_null(strstr(second.text, hash));
    cr_expect_not_null(strstr(third.text, hash));
}

Test(run, writes_summary_drawing_and_plot) {
    char summary[1024], svg[1024], plot[1024];
    scratch(summary, sizeof summary, "run_all.json");
    scratch(svg, sizeof svg, "run_all.svg");
    scratch(plot, sizeof plot, "run_all_plot.svg");
    tool_result result = tool_run("run '%s' --time 1 --quiet --summary '%s' --svg '%s' --plot '%s'",
                                  CASES "double_pendulum_rods.json", summary, svg, plot);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_assert_str_empty(result.text);
    char *text = tool_read_file(summary);
    static const char *const keys[] = {"\"settings\"", "\"joint_error\"", "\"energy\"",
                                       "\"most\"",     "\"step_ms\"",     "\"state_hash\""};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        cr_expect_not_null(strstr(text, keys[i]), "%s", keys[i]);
    }
    free(text);
    const char *const pictures[] = {svg, plot};
    for (size_t i = 0; i < 2; i++) {
        text = tool_read_file(pictures[i]);
        cr_expect_eq(strncmp(text, "<svg ", 5), 0);
        cr_expect_str_eq(text + strlen(text) - 7, "</svg>\n");
        cr_expect_null(strstr(text, "nan"));
        free(text);
    }
}

static void expect_in_file(const char *path, const char *const *expected, size_t count) {
    char *text = tool_read_file(path);
    for (size_t i = 0; i < count; i++) {
        cr_expect_not_null(strstr(text, expected[i]), "%s", expected[i]);
    }
    free(text);
}

// hoist runs 1 s, the case 10 s: twice as long is twice as many steps, up to the last row. By then
// the weight of the hoist stands on the ground, where the closed form of its fall says nothing.
Test(run, goes_on_past_the_own_end_of_what_is_run) {
    char path[1024];
    scratch(path, sizeof path, "run_past.csv");
    tool_result result = tool_run("run hoist --time 2 --csv '%s'", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "hoist: 120 steps"), "%s", result.text);
    cr_expect_null(strstr(result.text, "exact_m"), "%s", result.text);
    char *text = tool_read_file(path);
    cr_expect_not_null(strstr(text, "\n2,weight,"));
    free(text);
    result = tool_run("run hoist --quiet --summary '%s'", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    text = tool_read_file(path);
    cr_expect_not_null(strstr(text, "exact_m"));
    free(text);
    result = tool_run("run '%s' --time 20 --quiet --csv '%s'", CASES "A01_pendulum.json", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    text = tool_read_file(path);
    cr_expect_not_null(strstr(text, "\n20,bob,"));
    free(text);
}

// Figures that fall onto each other.
LONG_TEST(run, tells_of_mechanisms_that_alternate_with_sweeps, .timeout = 60) {
    char path[1024];
    scratch(path, sizeof path, "run_pile.json");
    tool_result result = tool_run("run ragdolls --time 1.3 --solver direct --summary '%s'", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "mechanisms at the end: 100 (0 coupled, "), "%s",
                       result.text);
    cr_expect_not_null(strstr(result.text, " alternating with sweeps), 6400 rows"), "%s",
                       result.text);
    static const char *const told[] = {"\"method\":\t\"alternating\""};
    expect_in_file(path, told, 1);
}

Test(run, tells_of_mechanisms_and_whether_the_tolerance_is_met) {
    char path[1024];
    scratch(path, sizeof path, "run_mechanisms.json");
    // Three bodies turning about four hinges in one plane: 20 rows, of which a plane needs no
    // three.
    tool_result result = tool_run("run '%s' --time 1 --solver direct --tolerance 1e-6 --summary "
                                  "'%s'",
                                  CASES "A02_fourbar_n1.json", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "joint tolerance of 1e-06 m: met\n"), "%s", result.text);
    cr_expect_not_null(strstr(result.text, "1 (0 coupled), 20 rows, 3 of them dependent ("), "%s",
                       result.text);
    static const char *const met[] = {
        "\"meets_tolerance\":\ttrue", "\"method\":\t\"direct\"", "\"rows\":\t20",
        "\"dependent_rows\":\t3",     "\"fighting_joints\":\t0", "\"solve_ms\""};
    expect_in_file(path, met, sizeof met / sizeof met[0]);
    // Nobody holds a joint to 1e-30 m.
    result = tool_run("run '%s' --time 1 --solver pgs --tolerance 1e-30 --summary '%s'",
                      CASES "A02_fourbar_n1.json", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "m: not met after "), "%s", result.text);
    cr_expect_null(strstr(result.text, "mechanisms at the end"), "%s", result.text);
    static const char *const not_met[] = {"\"meets_tolerance\":\tfalse", "\"mechanisms\":\t[]"};
    expect_in_file(path, not_met, sizeof not_met / sizeof not_met[0]);
    result = tool_run("run '%s' --time 1 --summary '%s'", CASES "A02_fourbar_n1.json", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_null(strstr(result.text, "tolerance"), "%s", result.text);
    static const char *const unasked[] = {"\"meets_tolerance\":\tnull"};
    expect_in_file(path, unasked, 1);
}

// A rod pinned at one end, and 5 cm too far away for the distance the other end shall have: it
// stays halfway. It was thrown 1.5 km away.
Test(run, tells_of_joints_that_fight) {
    static const char *const torn =
        "{\"case\": \"torn\", \"gravity\": [0, -9.81, 0], \"t_end\": 0.5, \"bodies\": [{\"name\":"
        " \"rod\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"position\": [0, 0, 0]}],"
        " \"joints\": [{\"type\": \"ball\", \"name\": \"pin\", \"b\": \"rod\", \"anchor\": [-1, 0, "
        "0]},"
        " {\"type\": \"distance\", \"name\": \"stay\", \"b\": \"rod\", \"anchor_a\": [2, 0, 0],"
        " \"anchor_b\": [1, 0, 0], \"length\": 0.95}]}";
    char path[1024];
    tool_write_file("run_torn.json", torn, path, sizeof path);
    tool_result result = tool_run("run '%s' --solver direct", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "worst joint error: 0.025 m"), "%s", result.text);
    cr_expect_not_null(strstr(result.text, "2 joints fight"), "%s", result.text);
}

// A link of 1 kg holds a load of 1e12 kg.
Test(run, tells_of_mechanisms_that_failed) {
    static const char *const heavy =
        "{\"case\": \"heavy\", \"gravity\": [0, -9.81, 0], \"t_end\": 2, \"bodies\": ["
        "{\"name\": \"link\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"position\": [0.5, 0, "
        "0]},"
        "{\"name\": \"load\", \"mass\": 1e12, \"inertia\": [1e11, 1e11, 1e11],"
        " \"position\": [1.5, 0, 0]}], \"joints\": ["
        "{\"type\": \"ball\", \"name\": \"pin\", \"b\": \"link\", \"anchor\": [0, 0, 0]},"
        "{\"type\": \"ball\", \"name\": \"hook\", \"a\": \"link\", \"b\": \"load\","
        " \"anchor\": [1, 0, 0]}]}";
    char path[1024], summary[1024];
    tool_write_file("run_heavy.json", heavy, path, sizeof path);
    scratch(summary, sizeof summary, "run_heavy_summary.json");
    tool_result result = tool_run("run '%s' --solver direct --summary '%s'", path, summary);
    cr_assert_eq(result.status, 0, "%s", result.text);
    // Once: for the next second it is left to Gauss-Seidel.
    cr_expect_not_null(strstr(result.text, "steps in which a mechanism failed: 1 ("), "%s",
                       result.text);
    static const char *const expected[] = {"\"steps_failed\":\t1"};
    expect_in_file(summary, expected, 1);
}

// What --solver, --integrator and --stabilization name is what the world gets.
Test(run, solves_by_every_solver_and_integrator_there_is) {
    static const char *const solvers[] = {"auto", "pgs", "direct", "cg"};
    static const char *const integrators[] = {
        "auto", "euler",          "midpoint",         "rattle",
        "rk4",  "explicit-euler", "symplectic-euler", "penalty"};
    static const char *const modes[] = {"auto", "none", "feedback", "before", "after"};
    char path[1024];
    scratch(path, sizeof path, "run_methods.json");
    for (int i = 0; i < 4 + 8 + 5; i++) {
        const char *option = i < 4 ? "solver" : i < 12 ? "integrator" : "stabilization";
        const char *name = i < 4 ? solvers[i] : i < 12 ? integrators[i - 4] : modes[i - 12];
        tool_result result = tool_run("run double_pendulum --time 0.1 --%s %s%s --summary '%s'",
                                      option, name, i < 12 ? "" : " --integrator rk4", path);
        cr_assert_eq(result.status, 0, "%s", result.text);
        char expected[64];
        snprintf(expected, sizeof expected, "\"%s\":\t\"%s\"", option, name);
        const char *const found[] = {expected, "\"steps_refused\":\t0"};
        expect_in_file(path, found, 2);
    }
    // An integrator asks for the direct solver, and a motor for the midpoint step.
    tool_result result = tool_run("run piston --time 0.1 --integrator rk4 --summary '%s'", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "steps in which the integrator was refused: 6 ("));
    static const char *const refused[] = {"\"solver\":\t\"direct\"", "\"integrator\":\t\"rk4\"",
                                          "\"integrator\":\t\"midpoint\"", "\"refusals\":\t4",
                                          "\"steps_refused\":\t6"};
    expect_in_file(path, refused, 5);
}

typedef struct wrong_line {
    const char *arguments, *expected;
} wrong_line;

Test(run, wrong_command_lines_get_a_line_and_status_2) {
    static const wrong_line lines[] = {
        {"", "expected list, run, compare, rates, record, replay, help or --version"},
        {"fly", "expected list, run, compare, rates, record, replay, help or --version"},
        {"run", "expected the name of a scene or the file of a case"},
        {"run no_such_scene", "no scene has the name \"no_such_scene\""},
        {"run pendulum --hz 0", "--hz: expected a number above 0, found \"0\""},
        {"run pendulum --hz nan", "--hz: expected a number above 0, found \"nan\""},
        {"run pendulum --substeps 65", "--substeps: expected a whole number from 1 to 64"},
        {"run pendulum --workers 1.5", "--workers: expected a whole number from 1 to 64"},
        {"run pendulum --time", "--time: expected a value after it"},
        {"run pendulum --fast", "\"--fast\" is not an option"},
        {"run pendulum pyramid", "\"pyramid\" is not an option"},
        {"run pendulum --tolerance -1", "--tolerance: expected a number above 0"},
        {"run pendulum --tolerance 0", "--tolerance: expected a number above 0"},
        {"run pendulum --tolerance", "--tolerance: expected a value after it"},
        {"run pendulum --solver fast", "--solver: expected "},
        {"run pendulum --integrator verlet", "--integrator: expected auto, euler, midpoint"},
        {"run pendulum --stabilization no", "--stabilization: expected auto, none, feedback"},
        {"run pendulum --set length", "--set: expected name=value, found \"length\""},
        {"run pendulum --set no_such=1", "--set no_such: no such option"},
        {"run pendulum --set joint_hertz=fast", "--set joint_hertz: expected a number"},
        {"run pendulum --set joint_iterations=-1", "--set joint_iterations: -1 is out of range"},
        {"run pendulum --set joint_iterations=5e9",
         "--set joint_iterations: 5e+09 is out of range"},
        {"list no_such_scene", "no scene has the name \"no_such_scene\""},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        tool_result result = tool_run("%s", lines[i].arguments);
        cr_expect_eq(result.status, 2, "%s: status %d", lines[i].arguments, result.status);
        cr_expect_eq(tool_count_lines(result.text), 1, "%s: %s", lines[i].arguments, result.text);
        cr_expect_not_null(strstr(result.text, lines[i].expected), "%s: %s", lines[i].arguments,
                           result.text);
    }
}

Test(run, takes_every_count_that_the_world_takes) {
    tool_result most = tool_run("run pendulum --time 0.1 --solver cg --set cg_iterations=1000");
    cr_expect_eq(most.status, 0, "%s", most.text);
    tool_result more = tool_run("run pendulum --time 0.1 --solver cg --set cg_iterations=1001");
    cr_expect_eq(more.status, 1);
    cr_expect_not_null(strstr(more.text, "4 to 1000 iterations"), "%s", more.text);
}

Test(run, file_that_cannot_be_written_gives_status_1) {
    static const char *const options[] = {"--csv",     "--outputs", "--events",
                                          "--summary", "--svg",     "--plot"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        tool_result result = tool_run("run pendulum --time 0.1 --quiet %s '%s'", options[i],
                                      tool_get_path("no_such_folder/file"));
        cr_expect_eq(result.status, 1, "%s: status %d", options[i], result.status);
        cr_expect_eq(tool_count_lines(result.text), 1, "%s: %s", options[i], result.text);
        cr_expect_not_null(strstr(result.text, "cannot be written"), "%s", result.text);
    }
}

// Taut, its rows share a load with hardly any bound; struck, it is swept, and not from there.
LONG_TEST(run, taut_net_of_rods_is_not_blown_apart_by_a_ball) {
    tool_result result = tool_run("run net --set thread=0 --set side=12 --solver direct --time 2");
    cr_assert_eq(result.status, 0, "%s", result.text);
    const char *gap = strstr(result.text, "joint_gap_max_m");
    cr_assert_not_null(gap, "%s", result.text);
    double metres = strtod(gap + strlen("joint_gap_max_m"), NULL);
    cr_assert(metres > 0.0 && metres < 1.0, "%g", metres);
}

Test(run, list_shows_scenes_and_their_options) {
    tool_result result = tool_run("list");
    cr_expect_eq(result.status, 0);
    cr_expect_not_null(strstr(result.text, "trebuchet"));
    result = tool_run("list pyramid");
    cr_expect_eq(result.status, 0);
    cr_expect_not_null(strstr(result.text, "pyramid"));
    result = tool_run("--version");
    cr_expect_eq(result.status, 0);
    cr_expect_eq(strncmp(result.text, "tenon ", 6), 0);
    result = tool_run("help");
    cr_expect_eq(result.status, 0);
    cr_expect_not_null(strstr(result.text, "--substeps"));
}

#else
typedef int test_run_needs_the_tool;
#endif
